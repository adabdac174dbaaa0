package main

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/crate-crypto/go-ipa/bandersnatch/fp"
	"github.com/crate-crypto/go-ipa/bandersnatch/fr"
	"github.com/crate-crypto/go-ipa/banderwagon"

	"frumious/harness"
)

// drawScalar reduces the stream's integer, which may be above the group's order.
func drawScalar(source *harness.SplitMix) (out fr.Element) {
	be := source.Integer()
	out.SetBytes(be[:])
	return out
}

func drawScalars(stream uint64, n int) []fr.Element {
	source, out := harness.NewSplitMix(stream), make([]fr.Element, n)
	for i := range out {
		out[i] = drawScalar(&source)
	}
	return out
}

// sumScalars is the sum, canonical, big-endian, in hex.
func sumScalars(values []fr.Element) string {
	var sum fr.Element
	for i := range values {
		sum.Add(&sum, &values[i])
	}
	b := sum.Bytes()
	return hex.EncodeToString(b[:])
}

// drawBase draws an element of the base field; the stream's integers are below its modulus.
func drawBase(source *harness.SplitMix) (out fp.Element) {
	be := source.Integer()
	out.SetBytes(be[:])
	return out
}

func drawBases(stream uint64, n int) []fp.Element {
	source, out := harness.NewSplitMix(stream), make([]fp.Element, n)
	for i := range out {
		out[i] = drawBase(&source)
	}
	return out
}

// drawPoints gives the chain P0 = s·G, P[i+1] = 2·P[i] + t·G in projective coordinates, as they come from additions.
func drawPoints(n int) []banderwagon.Element {
	source := harness.NewSplitMix(harness.StreamPoints)
	first, step := drawScalar(&source), drawScalar(&source)
	var p, t banderwagon.Element
	p.ScalarMul(&banderwagon.Generator, &first)
	t.ScalarMul(&banderwagon.Generator, &step)
	out := make([]banderwagon.Element, n)
	for i := range out {
		out[i] = p
		p.Double(&p)
		p.Add(&p, &t)
	}
	return out
}

// pointersTo gives the form that go-ipa's batch functions take.
func pointersTo[T any](values []T) []*T {
	out := make([]*T, len(values))
	for i := range values {
		out[i] = &values[i]
	}
	return out
}

// digest is the SHA-256 of the parts, in hex.
func digest(parts ...[32]byte) string {
	hash := sha256.New()
	for i := range parts {
		hash.Write(parts[i][:])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// digestScalars is the digest of canonical little-endian bytes.
func digestScalars(values []fr.Element) string {
	parts := make([][32]byte, len(values))
	for i := range values {
		parts[i] = values[i].BytesLE()
	}
	return digest(parts...)
}
