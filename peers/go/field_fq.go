package main

//go:generate sh generate.sh

import (
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"

	"frumious/harness"
)

// fqRows measures the base field. Written for the concrete type: Go's generics would call each method through a dictionary, which gnark-crypto's users do not pay.
// The scalar field's file is made from this one by `go generate`.
//
// SIZE is the number of independent elements: small enough for the first-level cache. Each pass pairs them anew, so that no branch predictor learns them.
// Latency rows (".latency") run a chain in which each operation needs the last result.
func fqRows() map[string]harness.Builder {
	each := func(op func(out, a, b []fp.Element), chain func(x *fp.Element, a []fp.Element)) (throughput, latency harness.Builder) {
		throughput = func(n int) (harness.Row, error) {
			a, b, out := drawFp(harness.StreamA, n), drawFp(harness.StreamB, n), make([]fp.Element, n)
			twice, shift := append(b, b...), 0
			pass := func() {
				op(out, a, twice[shift:shift+n])
				shift = (shift + 1) % n
			}
			return harness.Row{Op: pass, Count: n, Check: func() string {
				op(out, a, b)
				return sumFp(out)
			}}, nil
		}
		latency = func(n int) (harness.Row, error) {
			x, a := drawFp(harness.StreamB, 1)[0], drawFp(harness.StreamA, n)
			return harness.Row{Op: func() { chain(&x, a) }, Count: n, Check: func() string {
				start := drawFp(harness.StreamB, 1)
				chain(&start[0], a)
				return sumFp(start)
			}}, nil
		}
		return throughput, latency
	}
	table := map[string]harness.Builder{}
	table["fq.add"], table["fq.add.latency"] = each(
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
	table["fq.sub"], table["fq.sub.latency"] = each(
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
	table["fq.neg"], _ = each(
		func(out, a, _ []fp.Element) {
			for i := range out {
				out[i].Neg(&a[i])
			}
		}, nil)
	table["fq.mul"], table["fq.mul.latency"] = each(
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
	table["fq.square"], table["fq.square.latency"] = each(
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
	table["fq.invert"], _ = each(
		func(out, a, _ []fp.Element) {
			for i := range out {
				out[i].Inverse(&a[i])
			}
		}, nil)
	table["fq.invert_vartime"] = table["fq.invert"]
	table["fq.sqrt"] = func(n int) (harness.Row, error) {
		a, out := drawFp(harness.StreamA, n), make([]fp.Element, n)
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
			return sumFp(out)
		}}, nil
	}
	table["fq.mul.lanes"] = table["fq.mul"] // one by one: the best scalar code beside our lanes
	// The Vector methods: gnark-crypto's AVX-512 code, for products of whole arrays.
	table["fq.mul.array"] = func(n int) (harness.Row, error) {
		a, b, out := fp.Vector(drawFp(harness.StreamA, n)), fp.Vector(drawFp(harness.StreamB, n)), make(fp.Vector, n)
		return harness.Row{Op: func() { out.Mul(a, b) }, Count: n, Check: func() string {
			out.Mul(a, b)
			return sumFp(out)
		}}, nil
	}
	table["fq.invert.array"] = func(n int) (harness.Row, error) {
		a := drawFp(harness.StreamA, n)
		return harness.Row{Op: func() { fp.BatchInvert(a) }, Count: n, Check: func() string { return sumFp(fp.BatchInvert(a)) }}, nil
	}
	return table
}
