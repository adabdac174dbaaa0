package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	multiproof "github.com/crate-crypto/go-ipa"
	"github.com/crate-crypto/go-ipa/bandersnatch/fr"
	"github.com/crate-crypto/go-ipa/banderwagon"
	"github.com/crate-crypto/go-ipa/common"

	"frumious/harness"
)

// width is the number of values of a polynomial.
const width = 256

// replaced is the number of values in which a polynomial of the measured multiproofs differs from the one before it. All values are full-sized and lie
// in memory of their own, which is what a prover sees; the commitment follows by a difference of so few terms, where a full one for each of 128,000
// polynomials would take minutes.
const replaced = 4

// openings are the inputs of the measured multiproofs: prefixes of one sequence, which grows as larger sizes ask for it.
type openings struct {
	source      harness.SplitMix
	commitments []banderwagon.Element // normalised
	polynomials [][]fr.Element
	points      []uint8
}

var shared *openings

func forgetOpenings() { shared = nil }

// openingsOf gives at least n openings.
func openingsOf(n int) *openings {
	if shared == nil {
		shared = &openings{source: harness.NewSplitMix(harness.StreamOpenings)}
	}
	shared.grow(n)
	return shared
}

func (o *openings) grow(n int) {
	from := len(o.points)
	for i := from; i < n; i++ {
		o.points = append(o.points, uint8(o.source.Next()>>56))
		polynomial := make([]fr.Element, width)
		if i == 0 {
			for j := range polynomial {
				polynomial[j] = drawScalar(&o.source)
			}
			o.polynomials, o.commitments = append(o.polynomials, polynomial), append(o.commitments, settings().Commit(polynomial))
			continue
		}
		copy(polynomial, o.polynomials[i-1])
		var difference [width]fr.Element
		for j := range replaced {
			at := (replaced*i + j) % width
			polynomial[at] = drawScalar(&o.source)
			difference[at].Sub(&polynomial[at], &o.polynomials[i-1][at])
		}
		commitment := settings().Commit(difference[:])
		commitment.Add(&commitment, &o.commitments[i-1])
		o.polynomials, o.commitments = append(o.polynomials, polynomial), append(o.commitments, commitment)
	}
	if err := banderwagon.BatchNormalize(pointersTo(o.commitments[from:])); err != nil {
		panic(err)
	}
}

// multiproofRows measures proofs of SIZE openings of different polynomials, at points spread over the domain.
func multiproofRows() map[string]harness.Builder {
	return map[string]harness.Builder{
		"verkle.prove": func(n int) (harness.Row, error) {
			o := openingsOf(n)
			commitments, polynomials, points := pointersTo(o.commitments[:n]), o.polynomials[:n], o.points[:n]
			var proof *multiproof.MultiProof
			op := func() { proof = prove(commitments, polynomials, points) }
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				return hex.EncodeToString(proofBytes(proof))
			}}, nil
		},
		"verkle.verify": func(n int) (harness.Row, error) {
			o := openingsOf(n)
			commitments, points, values := pointersTo(o.commitments[:n]), o.points[:n], make([]*fr.Element, n)
			for i := range values {
				values[i] = &o.polynomials[i][points[i]]
			}
			proof := prove(commitments, o.polynomials[:n], points)
			op := func() {
				if !verify(proof, commitments, values, points) {
					panic("a proof of go-ipa is refused by go-ipa")
				}
			}
			return harness.Row{Op: op, Count: 1, Check: func() string {
				op()
				wrong := append([]*fr.Element(nil), values...)
				wrong[n-1] = new(fr.Element).Add(values[n-1], new(fr.Element).SetUint64(1))
				if verify(proof, commitments, wrong, points) {
					panic("go-ipa takes a proof of a wrong value")
				}
				return statementDigest(commitments, values, points)
			}}, nil
		},
	}
}

func prove(commitments []*banderwagon.Element, polynomials [][]fr.Element, points []uint8) *multiproof.MultiProof {
	return harness.Must(multiproof.CreateMultiProof(common.NewTranscript(label), settings(), commitments, polynomials, points))
}

func verify(proof *multiproof.MultiProof, commitments []*banderwagon.Element, values []*fr.Element, points []uint8) bool {
	return harness.Must(multiproof.CheckMultiProof(common.NewTranscript(label), settings(), proof, commitments, values, points))
}

func proofBytes(proof *multiproof.MultiProof) []byte {
	var out bytes.Buffer
	if err := proof.Write(&out); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// statementDigest is the SHA-256 of commitment, point and value of each opening.
func statementDigest(commitments []*banderwagon.Element, values []*fr.Element, points []uint8) string {
	hash := sha256.New()
	for i, encoded := range banderwagon.ElementsToBytes(commitments...) {
		value := values[i].BytesLE()
		hash.Write(encoded[:])
		hash.Write([]byte{points[i]})
		hash.Write(value[:])
	}
	return hex.EncodeToString(hash.Sum(nil))
}
