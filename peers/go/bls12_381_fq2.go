package main

// Code generated from field_fq.go by go generate. DO NOT EDIT.

import (
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"frumious/harness"
)

// bls12Fq2Rows measures the quadratic extension of BLS12-381. Written for the concrete type: Go's generics would call each method through a dictionary, which gnark-crypto's users do not pay.
// The scalar field's file is made from this one by `go generate`.
//
// SIZE is the number of independent elements: small enough for the first-level cache. Each pass pairs them anew, so that no branch predictor learns them.
// Latency rows (".latency") run a chain in which each operation needs the last result.
func bls12Fq2Rows() map[string]harness.Builder {
	each := func(op func(out, a, b []bls12381.E2), chain func(x *bls12381.E2, a []bls12381.E2)) (throughput, latency harness.Builder) {
		throughput = func(n int) (harness.Row, error) {
			a, b, out := drawE2(harness.StreamA, n), drawE2(harness.StreamB, n), make([]bls12381.E2, n)
			twice, shift := append(b, b...), 0
			pass := func() {
				op(out, a, twice[shift:shift+n])
				shift = (shift + 1) % n
			}
			return harness.Row{Op: pass, Count: n, Check: func() string {
				op(out, a, b)
				return sumE2(out)
			}}, nil
		}
		latency = func(n int) (harness.Row, error) {
			x, a := drawE2(harness.StreamB, 1)[0], drawE2(harness.StreamA, n)
			return harness.Row{Op: func() { chain(&x, a) }, Count: n, Check: func() string {
				start := drawE2(harness.StreamB, 1)
				chain(&start[0], a)
				return sumE2(start)
			}}, nil
		}
		return throughput, latency
	}
	table := map[string]harness.Builder{}
	table["bls12.fq2.add"], table["bls12.fq2.add.latency"] = each(
		func(out, a, b []bls12381.E2) {
			for i := range out {
				out[i].Add(&a[i], &b[i])
			}
		},
		func(x *bls12381.E2, a []bls12381.E2) {
			for i := range a {
				x.Add(x, &a[i])
			}
		})
	table["bls12.fq2.sub"], table["bls12.fq2.sub.latency"] = each(
		func(out, a, b []bls12381.E2) {
			for i := range out {
				out[i].Sub(&a[i], &b[i])
			}
		},
		func(x *bls12381.E2, a []bls12381.E2) {
			for i := range a {
				x.Sub(x, &a[i])
			}
		})
	table["bls12.fq2.neg"], _ = each(
		func(out, a, _ []bls12381.E2) {
			for i := range out {
				out[i].Neg(&a[i])
			}
		}, nil)
	table["bls12.fq2.mul"], table["bls12.fq2.mul.latency"] = each(
		func(out, a, b []bls12381.E2) {
			for i := range out {
				out[i].Mul(&a[i], &b[i])
			}
		},
		func(x *bls12381.E2, a []bls12381.E2) {
			for i := range a {
				x.Mul(x, &a[i])
			}
		})
	table["bls12.fq2.square"], table["bls12.fq2.square.latency"] = each(
		func(out, a, _ []bls12381.E2) {
			for i := range out {
				out[i].Square(&a[i])
			}
		},
		func(x *bls12381.E2, a []bls12381.E2) {
			for range a {
				x.Square(x)
			}
		})
	table["bls12.fq2.invert"], _ = each(
		func(out, a, _ []bls12381.E2) {
			for i := range out {
				out[i].Inverse(&a[i])
			}
		}, nil)
	table["bls12.fq2.invert_vartime"] = table["bls12.fq2.invert"]
	table["bls12.fq2.sqrt"] = func(n int) (harness.Row, error) {
		a, out := drawE2(harness.StreamA, n), make([]bls12381.E2, n)
		for i := range a {
			a[i].Square(&a[i])
		}
		op := func() {
			for i := range out {
				out[i].Sqrt(&a[i])
			}
		}
		return harness.Row{Op: op, Count: n, Check: func() string {
			op()
			for i := range out {
				out[i].Square(&out[i]) // either root is right
			}
			return sumE2(out)
		}}, nil
	}
	return table
}
