package main

// Code generated from field_fq.go by go generate. DO NOT EDIT.

import (
	"github.com/crate-crypto/go-ipa/bandersnatch/fr"

	"frumious/harness"
)

// scalarRows measures the scalar field of Bandersnatch. Written for the concrete type: Go's generics would call each method through a dictionary, which gnark-crypto's users do not pay.
// The scalar field's file is made from this one by `go generate`.
//
// SIZE is the number of independent elements: small enough for the first-level cache. Each pass pairs them anew, so that no branch predictor learns them.
// Latency rows (".latency") run a chain in which each operation needs the last result.
func scalarRows() map[string]harness.Builder {
	each := func(op func(out, a, b []fr.Element), chain func(x *fr.Element, a []fr.Element)) (throughput, latency harness.Builder) {
		throughput = func(n int) (harness.Row, error) {
			a, b, out := drawScalars(harness.StreamA, n), drawScalars(harness.StreamB, n), make([]fr.Element, n)
			twice, shift := append(b, b...), 0
			pass := func() {
				op(out, a, twice[shift:shift+n])
				shift = (shift + 1) % n
			}
			return harness.Row{Op: pass, Count: n, Check: func() string {
				op(out, a, b)
				return sumScalars(out)
			}}, nil
		}
		latency = func(n int) (harness.Row, error) {
			x, a := drawScalars(harness.StreamB, 1)[0], drawScalars(harness.StreamA, n)
			return harness.Row{Op: func() { chain(&x, a) }, Count: n, Check: func() string {
				start := drawScalars(harness.StreamB, 1)
				chain(&start[0], a)
				return sumScalars(start)
			}}, nil
		}
		return throughput, latency
	}
	table := map[string]harness.Builder{}
	table["bander.fr.add"], table["bander.fr.add.latency"] = each(
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
	table["bander.fr.sub"], table["bander.fr.sub.latency"] = each(
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
	table["bander.fr.neg"], _ = each(
		func(out, a, _ []fr.Element) {
			for i := range out {
				out[i].Neg(&a[i])
			}
		}, nil)
	table["bander.fr.mul"], table["bander.fr.mul.latency"] = each(
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
	table["bander.fr.square"], table["bander.fr.square.latency"] = each(
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
	table["bander.fr.invert"], _ = each(
		func(out, a, _ []fr.Element) {
			for i := range out {
				out[i].Inverse(&a[i])
			}
		}, nil)
	table["bander.fr.invert_vartime"] = table["bander.fr.invert"]
	table["bander.fr.sqrt"] = func(n int) (harness.Row, error) {
		a, out := drawScalars(harness.StreamA, n), make([]fr.Element, n)
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
			return sumScalars(out)
		}}, nil
	}
	return table
}
