package main

import (
	"encoding/hex"

	"github.com/crate-crypto/go-ipa/bandersnatch/fp"

	"frumious/harness"
)

// fieldRows measures the base field, that is gnark-crypto's BLS12-381 scalar field with go-ipa's square root; SIZE is the number of different elements.
func fieldRows() map[string]harness.Builder {
	sum := func(values []fp.Element) string {
		var sum fp.Element
		for i := range values {
			sum.Add(&sum, &values[i])
		}
		b := sum.Bytes()
		return hex.EncodeToString(b[:])
	}
	each := func(prepare func(*fp.Element), op func(out, a *fp.Element), judge func(*fp.Element)) harness.Builder {
		return func(n int) (harness.Row, error) {
			a, out := drawBases(harness.StreamA, n), make([]fp.Element, n)
			for i := range a {
				prepare(&a[i])
			}
			pass := func() {
				for i := range a {
					op(&out[i], &a[i])
				}
			}
			return harness.Row{Op: pass, Count: n, Check: func() string {
				pass()
				for i := range out {
					judge(&out[i])
				}
				return sum(out)
			}}, nil
		}
	}
	asDrawn := func(*fp.Element) {}
	square := func(a *fp.Element) { a.Square(a) } // either root is right
	return map[string]harness.Builder{
		"verkle.fq.sqrt":   each(square, func(out, a *fp.Element) { *out = *fp.SqrtPrecomp(a) }, square),
		"verkle.fq.invert": each(asDrawn, func(out, a *fp.Element) { out.Inverse(a) }, asDrawn),
		"verkle.fq.legendre": each(asDrawn, func(out, a *fp.Element) {
			out.SetInt64(int64(a.Legendre()))
		}, asDrawn),
	}
}
