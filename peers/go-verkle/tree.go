package main

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/ethereum/go-verkle"

	"frumious/harness"
)

// drawBytes draws four words, least significant byte first.
func drawBytes(source *harness.SplitMix) (out [32]byte) {
	for i := range 4 {
		binary.LittleEndian.PutUint64(out[8*i:], source.Next())
	}
	return out
}

// treeRows measures trees of SIZE values under different stems: from nothing to the root's commitment.
func treeRows() map[string]harness.Builder {
	return map[string]harness.Builder{
		"verkle.tree.root": func(n int) (harness.Row, error) {
			source := harness.NewSplitMix(harness.StreamTree)
			keys, values := make([][32]byte, n), make([][32]byte, n)
			for i := range keys {
				keys[i], values[i] = drawBytes(&source), drawBytes(&source)
			}
			_ = verkle.GetConfig() // makes the tables
			var root [32]byte
			op := func() {
				tree := verkle.New()
				for i := range keys {
					if err := tree.Insert(keys[i][:], values[i][:], nil); err != nil {
						panic(err)
					}
				}
				root = tree.Commit().Bytes()
			}
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return hex.EncodeToString(root[:])
			}}, nil
		},
	}
}
