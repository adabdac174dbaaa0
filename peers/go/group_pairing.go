package main

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bn254"

	"frumious/harness"
)

// groupRows measures single points; SIZE is the number of different scalars or points gone through.
func groupRows() map[string]harness.Builder {
	table := map[string]harness.Builder{
		"g1.mul": func(n int) (harness.Row, error) {
			scalars := drawIntegers(n)
			points := drawG1(1)
			var base, out bn254.G1Jac
			base.FromAffine(&points[0])
			op := func() {
				for _, s := range scalars {
					out.ScalarMultiplication(&base, s)
				}
			}
			return harness.Row{Op: op, Count: n, Check: func() string {
				op()
				var affine bn254.G1Affine
				affine.FromJacobian(&out)
				return canonicalG1(&affine)
			}}, nil
		},
		"g2.mul": func(n int) (harness.Row, error) {
			scalars := drawIntegers(n)
			points := drawG2(1)
			var base, out bn254.G2Jac
			base.FromAffine(&points[0])
			op := func() {
				for _, s := range scalars {
					out.ScalarMultiplication(&base, s)
				}
			}
			return harness.Row{Op: op, Count: n, Check: func() string {
				op()
				var affine bn254.G2Affine
				affine.FromJacobian(&out)
				return canonicalG2(&affine)
			}}, nil
		},
		"g2.in_subgroup": func(n int) (harness.Row, error) {
			points := drawG2(n)
			op := func() {
				for i := range points {
					if !points[i].IsInSubGroup() {
						panic("a multiple of the generator is said to be outside the subgroup")
					}
				}
			}
			return harness.Row{Op: op, Count: n}, nil
		},
	}
	// gnark-crypto has one form of each; it makes no claim of constant time, so both of our forms are set against it.
	table["g1.mul_vartime"], table["g2.mul_vartime"] = table["g1.mul"], table["g2.mul"]
	return table
}

// pairingRows measures products of SIZE pairings. ".prepared" has the lines of the G2 points computed beforehand.
func pairingRows() map[string]harness.Builder {
	return map[string]harness.Builder{
		"pairing": func(n int) (harness.Row, error) {
			p, q := drawG1(n), drawG2(n)
			return harness.Row{Op: func() { harness.Must(bn254.Pair(p, q)) }, Count: 1}, nil
		},
		"pairing.prepared": func(n int) (harness.Row, error) {
			p, q := drawG1(n), drawG2(n)
			lines := make([][2][len(bn254.LoopCounter)]bn254.LineEvaluationAff, n)
			for i := range lines {
				lines[i] = bn254.PrecomputeLines(q[i])
			}
			return harness.Row{Op: func() { harness.Must(bn254.PairFixedQ(p, lines)) }, Count: 1}, nil
		},
	}
}

func drawIntegers(n int) []*big.Int {
	source, out := harness.NewSplitMix(harness.StreamA), make([]*big.Int, n)
	for i := range out {
		out[i] = drawBig(&source)
	}
	return out
}
