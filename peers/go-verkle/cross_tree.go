package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"github.com/ethereum/go-verkle"

	"frumious/harness"
)

// witness is the form in which blocks carry it.
type witness struct {
	StateDiff   verkle.StateDiff    `json:"stateDiff"`
	VerkleProof *verkle.VerkleProof `json:"verkleProof"`
}

type entry struct{ key, value [32]byte }

// crossWitness: a random tree, reads and writes; the roots before and after, and the execution witness in JSON, all in hex.
func crossWitness(source *harness.SplitMix) (string, error) {
	entries, touched, written := drawBlock(source)
	before := verkle.New()
	for _, e := range entries {
		if err := before.Insert(e.key[:], e.value[:], nil); err != nil {
			return "", err
		}
	}
	preRoot := before.Commit().Bytes()
	after := before.Copy()
	for _, e := range written {
		if err := after.Insert(e.key[:], e.value[:], nil); err != nil {
			return "", err
		}
	}
	postRoot := after.Commit().Bytes()
	keys := make([][]byte, len(touched))
	for i := range touched {
		keys[i] = touched[i][:]
	}
	made, _, _, _, err := verkle.MakeVerkleMultiProof(before, after, keys, nil)
	if err != nil {
		return "", err
	}
	proof, diff, err := verkle.SerializeProof(made)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(witness{diff, proof})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(preRoot[:]) + " " + hex.EncodeToString(postRoot[:]) + " " + hex.EncodeToString(text), nil
}

// crossVerifyWitness judges roots and witness in the form of crossWitness.
func crossVerifyWitness(arguments []string) (string, error) {
	if len(arguments) != 3 {
		return "", errors.New("two roots and a witness are wanted")
	}
	var raw [3][]byte
	for i := range raw {
		var err error
		if raw[i], err = hex.DecodeString(arguments[i]); err != nil {
			return "", err
		}
	}
	var w witness
	if err := json.Unmarshal(raw[2], &w); err != nil {
		return malformed, nil
	}
	return verdict(func() error { return verkle.Verify(w.VerkleProof, raw[0], raw[1], w.StateDiff) }), nil
}

// verdict tells a panic of the verifier (go-verkle has some on damaged witnesses) from its answers.
func verdict(verify func() error) (text string) {
	defer func() {
		if recover() != nil {
			text = panicked
		}
	}()
	if verify() != nil {
		return refused
	}
	return accepted
}

// drawBlock draws a tree of 1..64 stems, half of them sharing up to four bytes with an earlier one; keys touched, sorted, of which some are absent (a
// suffix of a stem that is there, or a stem that is not); and new values for a third of them.
func drawBlock(source *harness.SplitMix) (entries []entry, touched [][32]byte, written []entry) {
	stems := make([][32]byte, 1+source.Next()%64)
	for i := range stems {
		stems[i] = drawStem(source, stems[:i])
	}
	for _, stem := range stems {
		for range 1 + source.Next()%6 {
			key := stem
			key[31] = byte(source.Next())
			entries = append(entries, entry{key, drawBytes(source)})
		}
	}
	for range 1 + source.Next()%32 {
		var key [32]byte
		switch source.Next() % 4 {
		case 0, 1:
			key = entries[source.Next()%uint64(len(entries))].key
		case 2:
			key = stems[source.Next()%uint64(len(stems))]
			key[31] = byte(source.Next())
		default:
			key = drawStem(source, stems)
			key[31] = byte(source.Next())
		}
		touched = append(touched, key)
	}
	slices.SortFunc(touched, func(a, b [32]byte) int { return slices.Compare(a[:], b[:]) })
	touched = slices.Compact(touched)
	for _, key := range touched {
		if source.Next()%3 == 0 {
			written = append(written, entry{key, drawBytes(source)})
		}
	}
	return entries, touched, written
}

// drawStem draws 31 bytes (and a zero), half of the time with a prefix of an earlier stem.
func drawStem(source *harness.SplitMix, earlier [][32]byte) [32]byte {
	out := drawBytes(source)
	if len(earlier) > 0 && source.Next()%2 == 0 {
		like := earlier[source.Next()%uint64(len(earlier))]
		shared := source.Next() % 5
		copy(out[:shared], like[:shared])
	}
	out[31] = 0
	return out
}
