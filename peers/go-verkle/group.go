package main

import (
	"runtime"

	"github.com/crate-crypto/go-ipa/bandersnatch/fr"
	"github.com/crate-crypto/go-ipa/banderwagon"
	"github.com/crate-crypto/go-ipa/ipa"

	"frumious/harness"
)

// groupRows measures encodings, the map to scalars and variable-base MSM; SIZE is the number of points.
func groupRows() map[string]harness.Builder {
	decode := func(n int) (harness.Row, error) {
		encoded := banderwagon.ElementsToBytes(pointersTo(drawPoints(n))...)
		out := make([]banderwagon.Element, n)
		op := func() {
			for i := range encoded {
				if err := out[i].SetBytes(encoded[i][:]); err != nil {
					panic(err)
				}
			}
		}
		return harness.Row{Op: op, Count: n, Check: func() string {
			op()
			return digest(banderwagon.ElementsToBytes(pointersTo(out)...)...)
		}}, nil
	}
	return map[string]harness.Builder{
		"verkle.decode": decode,
		// go-ipa has no form for batches: its users call SetBytes in a loop.
		"verkle.decode.batch": decode,
		"verkle.encode.batch": func(n int) (harness.Row, error) {
			points := pointersTo(drawPoints(n))
			var out [][32]byte
			op := func() { out = banderwagon.ElementsToBytes(points...) }
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return digest(out...)
			}}, nil
		},
		"verkle.map.batch": func(n int) (harness.Row, error) {
			points, out := pointersTo(drawPoints(n)), make([]fr.Element, n)
			results := pointersTo(out)
			op := func() {
				if err := banderwagon.BatchMapToScalarField(results, points); err != nil {
					panic(err)
				}
			}
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return digestScalars(out)
			}}, nil
		},
		"verkle.msm": func(n int) (harness.Row, error) {
			points, scalars := drawPoints(n), drawScalars(harness.StreamA, n)
			if err := banderwagon.BatchNormalize(pointersTo(points)); err != nil {
				return harness.Row{}, err
			}
			config := banderwagon.MultiExpConfig{NbTasks: runtime.NumCPU(), ScalarsMont: true}
			var out banderwagon.Element
			op := func() { harness.Must(out.MultiExp(points, scalars, config)) }
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return digest(out.Bytes())
			}}, nil
		},
	}
}

// commitRows measures commitments by the tables, and making the tables.
//
// "first": SIZE scalars on the first points. "spread": SIZE scalars at distances of 256/SIZE. Each commitment has scalars of its own, from a supply large
// enough that table entries come from memory; ".warm" goes round four sets, whose entries stay in the caches.
func commitRows() map[string]harness.Builder {
	commit := func(place func(k int) (length, distance int), supply func(k int) int) harness.Builder {
		return func(k int) (harness.Row, error) {
			length, distance := place(k)
			sets, batch := supply(k), batchOf(k)
			scalars, vector := drawScalars(harness.StreamA, sets*k), make([]fr.Element, length)
			conf, next := settings(), 0
			var out banderwagon.Element
			one := func(set int) {
				for j := range k {
					vector[j*distance] = scalars[set*k+j]
				}
				out = conf.Commit(vector)
			}
			op := func() {
				for range batch {
					one(next)
					next = (next + 1) % sets
				}
			}
			return harness.Row{Op: op, Count: batch, Check: func() string {
				var sum banderwagon.Element
				sum.SetIdentity()
				for set := range min(sets, 64) {
					one(set)
					sum.Add(&sum, &out)
				}
				return digest(sum.Bytes())
			}}, nil
		}
	}
	first := func(k int) (int, int) { return k, 1 }
	spread := func(k int) (int, int) { return 256, 256 / k }
	return map[string]harness.Builder{
		"verkle.commit.first":       commit(first, freshSets),
		"verkle.commit.mib64":       commit(first, freshSets), // ours with small tables; go-ipa has one size
		"verkle.commit.first.warm":  commit(first, warmSets),
		"verkle.commit.spread":      commit(spread, freshSets),
		"verkle.commit.spread.warm": commit(spread, warmSets),
		"verkle.tables": func(int) (harness.Row, error) {
			points := ipa.GenerateRandomPoints(256)
			var tables *banderwagon.MSMPrecomp
			op := func() {
				made := harness.Must(banderwagon.NewPrecompMSM(points))
				tables = &made
			}
			return harness.Row{Op: op, Count: 1, Held: func() uint64 {
				with := heapInUse()
				runtime.KeepAlive(tables)
				tables = nil
				return with - heapInUse()
			}}, nil
		},
	}
}

// freshSets is the number of sets of k scalars: 2^17 scalars, and 512 sets at least.
func freshSets(k int) int { return max(1<<17/k, 512) }

func warmSets(int) int { return 4 }

// batchOf keeps the cost of the loop's frame out of short commitments.
func batchOf(k int) int { return max(64/k, 1) }

func heapInUse() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
