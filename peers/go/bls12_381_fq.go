package main

// Code generated from field_fq.go by go generate. DO NOT EDIT.

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"frumious/harness"
)

// bls12FqRows measures the base field of BLS12-381. Written for the concrete type: Go's generics would call each method through a dictionary, which gnark-crypto's users do not pay.
// The scalar field's file is made from this one by `go generate`.
//
// SIZE is the number of independent elements: small enough for the first-level cache. Each pass pairs them anew, so that no branch predictor learns them.
// Latency rows (".latency") run a chain in which each operation needs the last result.
func bls12FqRows() map[string]harness.Builder {
	each := func(op func(out, a, b []fp.Element), chain func(x *fp.Element, a []fp.Element)) (throughput, latency harness.Builder) {
		throughput = func(n int) (harness.Row, error) {
			a, b, out := drawBls12Fp(harness.StreamA, n), drawBls12Fp(harness.StreamB, n), make([]fp.Element, n)
			twice, shift := append(b, b...), 0
			pass := func() {
				op(out, a, twice[shift:shift+n])
				shift = (shift + 1) % n
			}
			return harness.Row{Op: pass, Count: n, Check: func() string {
				op(out, a, b)
				return sumBls12Fp(out)
			}}, nil
		}
		latency = func(n int) (harness.Row, error) {
			x, a := drawBls12Fp(harness.StreamB, 1)[0], drawBls12Fp(harness.StreamA, n)
			return harness.Row{Op: func() { chain(&x, a) }, Count: n, Check: func() string {
				start := drawBls12Fp(harness.StreamB, 1)
				chain(&start[0], a)
				return sumBls12Fp(start)
			}}, nil
		}
		return throughput, latency
	}
	table := map[string]harness.Builder{}
	table["bls12.fq.add"], table["bls12.fq.add.latency"] = each(
		func(out, a, b []fp.Element) {
			for i := range out {
				out[i].Add(&a[i], &b[i])
			}
		},
		func(x *fp.Element, a []fp.Element) {
			for i := range a {
				x.Add(x, &a[i])
			}
		})
	table["bls12.fq.sub"], table["bls12.fq.sub.latency"] = each(
		func(out, a, b []fp.Element) {
			for i := range out {
				out[i].Sub(&a[i], &b[i])
			}
		},
		func(x *fp.Element, a []fp.Element) {
			for i := range a {
				x.Sub(x, &a[i])
			}
		})
	table["bls12.fq.neg"], _ = each(
		func(out, a, _ []fp.Element) {
			for i := range out {
				out[i].Neg(&a[i])
			}
		}, nil)
	table["bls12.fq.mul"], table["bls12.fq.mul.latency"] = each(
		func(out, a, b []fp.Element) {
			for i := range out {
				out[i].Mul(&a[i], &b[i])
			}
		},
		func(x *fp.Element, a []fp.Element) {
			for i := range a {
				x.Mul(x, &a[i])
			}
		})
	table["bls12.fq.square"], table["bls12.fq.square.latency"] = each(
		func(out, a, _ []fp.Element) {
			for i := range out {
				out[i].Square(&a[i])
			}
		},
		func(x *fp.Element, a []fp.Element) {
			for range a {
				x.Square(x)
			}
		})
	table["bls12.fq.invert"], _ = each(
		func(out, a, _ []fp.Element) {
			for i := range out {
				out[i].Inverse(&a[i])
			}
		}, nil)
	table["bls12.fq.invert_vartime"] = table["bls12.fq.invert"]
	table["bls12.fq.sqrt"] = func(n int) (harness.Row, error) {
		a, out := drawBls12Fp(harness.StreamA, n), make([]fp.Element, n)
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
			return sumBls12Fp(out)
		}}, nil
	}
	return table
}
