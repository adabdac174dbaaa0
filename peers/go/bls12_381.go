package main

import (
	"encoding/binary"
	"encoding/hex"
	"runtime"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"frumious/harness"
)

// The domain separation tags of signatures in G1 and in G2.
var tagG1, tagG2 = []byte("BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_"), []byte("BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_")

// bls12Rows measures groups, pairing and hashing; SIZE is the number of different scalars, points, messages or pairs, and log2 of the points of an MSM. gnark-crypto has one form of a
// multiplication, of variable time, and no signatures of BLS; its hashing gives affine points.
func bls12Rows() map[string]harness.Builder {
	config := ecc.MultiExpConfig{NbTasks: runtime.GOMAXPROCS(0)}
	table := map[string]harness.Builder{
		"bls12.msm.g1": func(logSize int) (harness.Row, error) {
			points, scalars := drawBls12G1(1<<logSize), drawBls12Fr(harness.StreamA, 1<<logSize)
			var out bls12381.G1Affine
			op := func() { harness.Must(out.MultiExp(points, scalars, config)) }
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return canonicalBls12G1(&out)
			}}, nil
		},
		"bls12.msm.g2": func(logSize int) (harness.Row, error) {
			points, scalars := drawBls12G2(1<<logSize), drawBls12Fr(harness.StreamA, 1<<logSize)
			var out bls12381.G2Affine
			op := func() { harness.Must(out.MultiExp(points, scalars, config)) }
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return canonicalBls12G2(&out)
			}}, nil
		},
		"bls12.g1.mul": func(n int) (harness.Row, error) {
			scalars := drawIntegers(n)
			points := drawBls12G1(1)
			var base, out bls12381.G1Jac
			base.FromAffine(&points[0])
			op := func() {
				for _, s := range scalars {
					out.ScalarMultiplication(&base, s)
				}
			}
			return harness.Row{Op: op, Count: n, Check: func() string {
				op()
				var affine bls12381.G1Affine
				affine.FromJacobian(&out)
				return canonicalBls12G1(&affine)
			}}, nil
		},
		"bls12.g2.mul": func(n int) (harness.Row, error) {
			scalars := drawIntegers(n)
			points := drawBls12G2(1)
			var base, out bls12381.G2Jac
			base.FromAffine(&points[0])
			op := func() {
				for _, s := range scalars {
					out.ScalarMultiplication(&base, s)
				}
			}
			return harness.Row{Op: op, Count: n, Check: func() string {
				op()
				var affine bls12381.G2Affine
				affine.FromJacobian(&out)
				return canonicalBls12G2(&affine)
			}}, nil
		},
		"bls12.g1.in_subgroup": func(n int) (harness.Row, error) {
			points := drawBls12G1(n)
			return harness.Row{Op: func() {
				for i := range points {
					if !points[i].IsInSubGroup() {
						panic("a multiple of the generator is said to be outside the subgroup")
					}
				}
			}, Count: n}, nil
		},
		"bls12.g2.in_subgroup": func(n int) (harness.Row, error) {
			points := drawBls12G2(n)
			return harness.Row{Op: func() {
				for i := range points {
					if !points[i].IsInSubGroup() {
						panic("a multiple of the generator is said to be outside the subgroup")
					}
				}
			}, Count: n}, nil
		},
		"bls12.pairing": func(n int) (harness.Row, error) {
			p, q := drawBls12G1(n), drawBls12G2(n)
			return harness.Row{Op: func() { harness.Must(bls12381.Pair(p, q)) }, Count: 1}, nil
		},
		"bls12.hash_to_g1": func(n int) (harness.Row, error) {
			messages := drawMessages(n)
			return harness.Row{Op: func() {
				for _, m := range messages {
					harness.Must(bls12381.HashToG1(m, tagG1))
				}
			}, Count: n, Check: func() string {
				point := harness.Must(bls12381.HashToG1(messages[n-1], tagG1))
				return canonicalBls12G1(&point)
			}}, nil
		},
		"bls12.hash_to_g2": func(n int) (harness.Row, error) {
			messages := drawMessages(n)
			return harness.Row{Op: func() {
				for _, m := range messages {
					harness.Must(bls12381.HashToG2(m, tagG2))
				}
			}, Count: n, Check: func() string {
				point := harness.Must(bls12381.HashToG2(messages[n-1], tagG2))
				return canonicalBls12G2(&point)
			}}, nil
		},
	}
	table["bls12.g1.mul_vartime"], table["bls12.g2.mul_vartime"] = table["bls12.g1.mul"], table["bls12.g2.mul"]
	return table
}

// drawMessages draws messages of 32 bytes; the stream begins with a secret key, of which gnark-crypto has no use.
func drawMessages(n int) [][]byte {
	source, out := harness.NewSplitMix(streamKeys), make([][]byte, n)
	source.Integer()
	for i := range out {
		for range 4 {
			out[i] = binary.LittleEndian.AppendUint64(out[i], source.Next())
		}
	}
	return out
}

// streamKeys is the stream of the secret key and of messages.
const streamKeys = 7

func drawBls12Fp(stream uint64, n int) []fp.Element {
	source, out := harness.NewSplitMix(stream), make([]fp.Element, n)
	for i := range out {
		be := source.Integer()
		out[i].SetBytes(be[:])
	}
	return out
}

func drawBls12Fr(stream uint64, n int) []fr.Element {
	source, out := harness.NewSplitMix(stream), make([]fr.Element, n)
	for i := range out {
		be := source.Integer()
		out[i].SetBytes(be[:])
	}
	return out
}

// drawE2 draws elements whose second coefficient has the words of the first in another order: 1, 2, 0, 3 for 0, 1, 2, 3, the least significant first.
func drawE2(stream uint64, n int) []bls12381.E2 {
	source, out := harness.NewSplitMix(stream), make([]bls12381.E2, n)
	for i := range out {
		be := source.Integer()
		twisted := be
		copy(twisted[24:], be[16:24])
		copy(twisted[16:24], be[8:16])
		copy(twisted[8:16], be[24:])
		out[i].A0.SetBytes(be[:])
		out[i].A1.SetBytes(twisted[:])
	}
	return out
}

func drawBls12G1(n int) []bls12381.G1Affine {
	source := harness.NewSplitMix(harness.StreamPoints)
	generator, _, _, _ := bls12381.Generators()
	var p, step bls12381.G1Jac
	p.ScalarMultiplication(&generator, drawBig(&source))
	step.ScalarMultiplication(&generator, drawBig(&source))
	out := make([]bls12381.G1Affine, n)
	for i := range out {
		out[i].FromJacobian(&p)
		p.DoubleAssign()
		p.AddAssign(&step)
	}
	return out
}

func drawBls12G2(n int) []bls12381.G2Affine {
	source := harness.NewSplitMix(harness.StreamPoints)
	_, generator, _, _ := bls12381.Generators()
	var p, step bls12381.G2Jac
	p.ScalarMultiplication(&generator, drawBig(&source))
	step.ScalarMultiplication(&generator, drawBig(&source))
	out := make([]bls12381.G2Affine, n)
	for i := range out {
		out[i].FromJacobian(&p)
		p.DoubleAssign()
		p.AddAssign(&step)
	}
	return out
}

func sumBls12Fp(values []fp.Element) string {
	var sum fp.Element
	for i := range values {
		sum.Add(&sum, &values[i])
	}
	return hexBls12(&sum)
}

func sumBls12Fr(values []fr.Element) string {
	var sum fr.Element
	for i := range values {
		sum.Add(&sum, &values[i])
	}
	b := sum.Bytes()
	return hex.EncodeToString(b[:])
}

func sumE2(values []bls12381.E2) string {
	var sum bls12381.E2
	for i := range values {
		sum.Add(&sum, &values[i])
	}
	return hexBls12(&sum.A0) + hexBls12(&sum.A1)
}

// canonicalBls12G1 is x and y, big-endian, in hex.
func canonicalBls12G1(p *bls12381.G1Affine) string {
	return hexBls12(&p.X) + hexBls12(&p.Y)
}

// canonicalBls12G2 is x.c0, x.c1, y.c0, y.c1, big-endian, in hex.
func canonicalBls12G2(p *bls12381.G2Affine) string {
	return hexBls12(&p.X.A0) + hexBls12(&p.X.A1) + hexBls12(&p.Y.A0) + hexBls12(&p.Y.A1)
}

func hexBls12(c *fp.Element) string {
	b := c.Bytes()
	return hex.EncodeToString(b[:])
}
