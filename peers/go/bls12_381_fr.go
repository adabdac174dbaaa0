package main

// Code generated from field_fq.go by go generate. DO NOT EDIT.

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"frumious/harness"
)

// bls12FrRows measures the scalar field of BLS12-381. Written for the concrete type: Go's generics would call each method through a dictionary, which gnark-crypto's users do not pay.
// The scalar field's file is made from this one by `go generate`.
//
// SIZE is the number of independent elements: small enough for the first-level cache. Each pass pairs them anew, so that no branch predictor learns them.
// Latency rows (".latency") run a chain in which each operation needs the last result.
func bls12FrRows() map[string]harness.Builder {
	each := func(op func(out, a, b []fr.Element), chain func(x *fr.Element, a []fr.Element)) (throughput, latency harness.Builder) {
		throughput = func(n int) (harness.Row, error) {
			a, b, out := drawBls12Fr(harness.StreamA, n), drawBls12Fr(harness.StreamB, n), make([]fr.Element, n)
			twice, shift := append(b, b...), 0
			pass := func() {
				op(out, a, twice[shift:shift+n])
				shift = (shift + 1) % n
			}
			return harness.Row{Op: pass, Count: n, Check: func() string {
				op(out, a, b)
				return sumBls12Fr(out)
			}}, nil
		}
		latency = func(n int) (harness.Row, error) {
			x, a := drawBls12Fr(harness.StreamB, 1)[0], drawBls12Fr(harness.StreamA, n)
			return harness.Row{Op: func() { chain(&x, a) }, Count: n, Check: func() string {
				start := drawBls12Fr(harness.StreamB, 1)
				chain(&start[0], a)
				return sumBls12Fr(start)
			}}, nil
		}
		return throughput, latency
	}
	table := map[string]harness.Builder{}
	table["bls12.fr.add"], table["bls12.fr.add.latency"] = each(
		func(out, a, b []fr.Element) {
			for i := range out {
				out[i].Add(&a[i], &b[i])
			}
		},
		func(x *fr.Element, a []fr.Element) {
			for i := range a {
				x.Add(x, &a[i])
			}
		})
	table["bls12.fr.sub"], table["bls12.fr.sub.latency"] = each(
		func(out, a, b []fr.Element) {
			for i := range out {
				out[i].Sub(&a[i], &b[i])
			}
		},
		func(x *fr.Element, a []fr.Element) {
			for i := range a {
				x.Sub(x, &a[i])
			}
		})
	table["bls12.fr.neg"], _ = each(
		func(out, a, _ []fr.Element) {
			for i := range out {
				out[i].Neg(&a[i])
			}
		}, nil)
	table["bls12.fr.mul"], table["bls12.fr.mul.latency"] = each(
		func(out, a, b []fr.Element) {
			for i := range out {
				out[i].Mul(&a[i], &b[i])
			}
		},
		func(x *fr.Element, a []fr.Element) {
			for i := range a {
				x.Mul(x, &a[i])
			}
		})
	table["bls12.fr.square"], table["bls12.fr.square.latency"] = each(
		func(out, a, _ []fr.Element) {
			for i := range out {
				out[i].Square(&a[i])
			}
		},
		func(x *fr.Element, a []fr.Element) {
			for range a {
				x.Square(x)
			}
		})
	table["bls12.fr.invert"], _ = each(
		func(out, a, _ []fr.Element) {
			for i := range out {
				out[i].Inverse(&a[i])
			}
		}, nil)
	table["bls12.fr.invert_vartime"] = table["bls12.fr.invert"]
	table["bls12.fr.sqrt"] = func(n int) (harness.Row, error) {
		a, out := drawBls12Fr(harness.StreamA, n), make([]fr.Element, n)
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
			return sumBls12Fr(out)
		}}, nil
	}
	table["bls12.fr.mul.lanes"] = table["bls12.fr.mul"] // one by one: the best scalar code beside our lanes
	// The Vector methods: gnark-crypto's AVX-512 code, for products of whole arrays.
	table["bls12.fr.mul.array"] = func(n int) (harness.Row, error) {
		a, b, out := fr.Vector(drawBls12Fr(harness.StreamA, n)), fr.Vector(drawBls12Fr(harness.StreamB, n)), make(fr.Vector, n)
		return harness.Row{Op: func() { out.Mul(a, b) }, Count: n, Check: func() string {
			out.Mul(a, b)
			return sumBls12Fr(out)
		}}, nil
	}
	table["bls12.fr.invert.array"] = func(n int) (harness.Row, error) {
		a := drawBls12Fr(harness.StreamA, n)
		return harness.Row{Op: func() { fr.BatchInvert(a) }, Count: n, Check: func() string { return sumBls12Fr(fr.BatchInvert(a)) }}, nil
	}
	table["bls12.fr.sqrt_vartime"] = table["bls12.fr.sqrt"]
	return table
}
