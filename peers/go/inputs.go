package main

import (
	"encoding/hex"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"frumious/harness"
)

func drawFp(stream uint64, n int) []fp.Element {
	source, out := harness.NewSplitMix(stream), make([]fp.Element, n)
	for i := range out {
		be := source.Integer()
		out[i].SetBytes(be[:])
	}
	return out
}

func drawFr(stream uint64, n int) []fr.Element {
	source, out := harness.NewSplitMix(stream), make([]fr.Element, n)
	for i := range out {
		be := source.Integer()
		out[i].SetBytes(be[:])
	}
	return out
}

// drawWitness draws scalars as provers meet them.
func drawWitness(n int, next func(*harness.SplitMix) [32]byte) []fr.Element {
	source, out := harness.NewSplitMix(harness.StreamWitness), make([]fr.Element, n)
	for i := range out {
		be := next(&source)
		out[i].SetBytes(be[:])
	}
	return out
}

func drawBig(source *harness.SplitMix) *big.Int {
	be := source.Integer()
	return new(big.Int).SetBytes(be[:])
}

// drawG1 gives the chain P0 = s·G, P[i+1] = 2·P[i] + t·G: cheap to make, and without the coincidences of an arithmetic progression, in
// which many pairs of points have the same sum.
func drawG1(n int) []bn254.G1Affine {
	source := harness.NewSplitMix(harness.StreamPoints)
	generator, _, _, _ := bn254.Generators()
	var p, step bn254.G1Jac
	p.ScalarMultiplication(&generator, drawBig(&source))
	step.ScalarMultiplication(&generator, drawBig(&source))
	chain := make([]bn254.G1Jac, n)
	for i := range chain {
		chain[i] = p
		p.DoubleAssign()
		p.AddAssign(&step)
	}
	return bn254.BatchJacobianToAffineG1(chain)
}

// drawG2 is drawG1 in the other group.
func drawG2(n int) []bn254.G2Affine {
	source := harness.NewSplitMix(harness.StreamPoints)
	_, generator, _, _ := bn254.Generators()
	var p, step bn254.G2Jac
	p.ScalarMultiplication(&generator, drawBig(&source))
	step.ScalarMultiplication(&generator, drawBig(&source))
	out := make([]bn254.G2Affine, n)
	for i := range out {
		out[i].FromJacobian(&p)
		p.DoubleAssign()
		p.AddAssign(&step)
	}
	return out
}

// sumFp is the sum of the values, canonical, big-endian, in hex.
func sumFp(values []fp.Element) string {
	var sum fp.Element
	for i := range values {
		sum.Add(&sum, &values[i])
	}
	b := sum.Bytes()
	return hex.EncodeToString(b[:])
}

// sumFr is sumFp over the scalar field.
func sumFr(values []fr.Element) string {
	var sum fr.Element
	for i := range values {
		sum.Add(&sum, &values[i])
	}
	b := sum.Bytes()
	return hex.EncodeToString(b[:])
}

// canonicalG1 is x and y, big-endian, in hex.
func canonicalG1(p *bn254.G1Affine) string {
	x, y := p.X.Bytes(), p.Y.Bytes()
	return hex.EncodeToString(x[:]) + hex.EncodeToString(y[:])
}

// canonicalG2 is x.c0, x.c1, y.c0, y.c1, big-endian, in hex.
func canonicalG2(p *bn254.G2Affine) string {
	out := ""
	for _, c := range []*fp.Element{&p.X.A0, &p.X.A1, &p.Y.A0, &p.Y.A1} {
		b := c.Bytes()
		out += hex.EncodeToString(b[:])
	}
	return out
}
