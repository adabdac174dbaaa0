package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	multiproof "github.com/crate-crypto/go-ipa"
	"github.com/crate-crypto/go-ipa/bandersnatch/fp"
	"github.com/crate-crypto/go-ipa/bandersnatch/fr"
	"github.com/crate-crypto/go-ipa/banderwagon"
	"github.com/crate-crypto/go-ipa/common"

	"frumious/harness"
)

// Verdicts on a statement or a string of bytes.
const (
	accepted  = "accepted"
	refused   = "refused"
	malformed = "malformed"
	panicked  = "panicked"
)

// crossings answer the driver's cross-checks (peers/driver/cross_check.py). Cases are drawn from a seed by the same rules as in
// rust/src/ours/verkle/cross.rs; what one library proves goes to the other as bytes.
func crossings() map[string]harness.Crossing {
	return map[string]harness.Crossing{
		"verkle.group":        seeded(crossGroup),
		"verkle.decode":       crossDecode,
		"verkle.prove":        seeded(crossProve),
		"verkle.verify":       crossVerify,
		"verkle.tree.witness": seeded(crossWitness),
		"verkle.tree.verify":  crossVerifyWitness,
	}
}

// seeded gives a crossing whose only argument is the seed of its case.
func seeded(run func(source *harness.SplitMix) (string, error)) harness.Crossing {
	return func(arguments []string) (string, error) {
		if len(arguments) != 1 {
			return "", errors.New("one seed is wanted")
		}
		seed, err := strconv.ParseUint(arguments[0], 10, 64)
		if err != nil {
			return "", err
		}
		source := harness.NewSplitMix(seed)
		return run(&source)
	}
}

// crossGroup: a commitment to 1..256 scalars at random places, a multiple of the generator and a sum, encoded and mapped to scalars; Legendre symbol and
// the smaller square root of a random element.
func crossGroup(source *harness.SplitMix) (string, error) {
	var values [width]fr.Element
	for range 1 + source.Next()%width {
		at := source.Next() % width
		values[at] = drawScalar(source)
	}
	commitment := settings().Commit(values[:])
	factor := drawScalar(source)
	var multiple, sum banderwagon.Element
	multiple.ScalarMul(&banderwagon.Generator, &factor)
	sum.Double(&commitment)
	sum.Add(&sum, &multiple)
	out := ""
	for _, point := range []*banderwagon.Element{&commitment, &multiple, &sum} {
		var mapped fr.Element
		point.MapToScalarField(&mapped)
		encoded, scalar := point.Bytes(), mapped.BytesLE()
		out += hex.EncodeToString(encoded[:]) + ":" + hex.EncodeToString(scalar[:]) + ":"
	}
	x := drawBase(source)
	root := "none"
	if y := fp.SqrtPrecomp(&x); y != nil {
		if y.LexicographicallyLargest() {
			y.Neg(y)
		}
		b := y.Bytes()
		root = hex.EncodeToString(b[:])
	}
	return out + strconv.Itoa(x.Legendre()) + ":" + root, nil
}

// crossDecode: 32 bytes compressed or 64 bytes uncompressed, both as untrusted; the canonical encoding, or "refused".
func crossDecode(arguments []string) (string, error) {
	raw, err := one(arguments)
	if err != nil {
		return "", err
	}
	var point banderwagon.Element
	switch len(raw) {
	case banderwagon.CompressedSize:
		err = point.SetBytes(raw)
	case banderwagon.UncompressedSize:
		err = point.SetBytesUncompressed(raw, false)
	default:
		return "", errors.New("32 or 64 bytes are wanted")
	}
	if err != nil {
		return refused, nil
	}
	encoded := point.Bytes()
	return hex.EncodeToString(encoded[:]), nil
}

func one(arguments []string) ([]byte, error) {
	if len(arguments) != 1 {
		return nil, errors.New("one string of hex is wanted")
	}
	return hex.DecodeString(arguments[0])
}

// crossProve: a random multiproof, as statement (number of openings as four bytes little-endian; commitment, point, value of each) and proof, in hex.
func crossProve(source *harness.SplitMix) (string, error) {
	polynomials := drawPolynomials(source)
	commitments := make([]banderwagon.Element, len(polynomials))
	for i := range polynomials {
		commitments[i] = settings().Commit(polynomials[i])
	}
	var opened []*banderwagon.Element
	var fs [][]fr.Element
	var values []*fr.Element
	var points []uint8
	for range openingsCount(source, len(polynomials)) {
		which := source.Next() % uint64(len(polynomials))
		point := uint8(source.Next())
		if source.Next()%2 == 0 {
			point %= 4 // so that points repeat
		}
		opened, fs = append(opened, &commitments[which]), append(fs, polynomials[which])
		points, values = append(points, point), append(values, &polynomials[which][point])
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(points)))
	for i := range points {
		encoded, value := opened[i].Bytes(), values[i].BytesLE()
		out = append(append(append(out, encoded[:]...), points[i]), value[:]...)
	}
	out = append(out, proofBytes(prove(opened, fs, points))...)
	return hex.EncodeToString(out), nil
}

// drawPolynomials: 1..32 polynomials: one in sixteen is zero, a quarter has eight values at most, a quarter has values of 64 bits, the others are dense.
func drawPolynomials(source *harness.SplitMix) [][]fr.Element {
	out := make([][]fr.Element, 1+source.Next()%32)
	for i := range out {
		out[i] = make([]fr.Element, width)
		switch kind := source.Next() % 16; {
		case kind == 0:
		case kind < 5:
			for range 8 {
				at := source.Next() % width
				out[i][at] = drawScalar(source)
			}
		case kind < 9:
			for j := range out[i] {
				out[i][j].SetUint64(source.Next())
			}
		default:
			for j := range out[i] {
				out[i][j] = drawScalar(source)
			}
		}
	}
	return out
}

// openingsCount: mostly some dozens, sometimes some hundreds.
func openingsCount(source *harness.SplitMix, polynomials int) int {
	if source.Next()%32 == 0 {
		return 200 + int(source.Next()%300)
	}
	return 1 + int(source.Next()%uint64(2*polynomials))
}

// crossVerify judges a statement and proof in the form of crossProve.
func crossVerify(arguments []string) (string, error) {
	raw, err := one(arguments)
	if err != nil {
		return "", err
	}
	in := bytes.NewReader(raw)
	var count uint32
	if err := binary.Read(in, binary.LittleEndian, &count); err != nil {
		return "", err
	}
	var commitments []*banderwagon.Element
	var values []*fr.Element
	var points []uint8
	for range count {
		commitment, err := common.ReadPoint(in)
		if err != nil {
			return malformed, nil
		}
		point, err := in.ReadByte()
		if err != nil {
			return malformed, nil
		}
		value, err := common.ReadScalar(in)
		if err != nil {
			return malformed, nil
		}
		commitments, points, values = append(commitments, commitment), append(points, point), append(values, value)
	}
	var proof multiproof.MultiProof
	if err := proof.Read(in); err != nil {
		return malformed, nil
	}
	ok, err := multiproof.CheckMultiProof(common.NewTranscript(label), settings(), &proof, commitments, values, points)
	if err != nil {
		return "", fmt.Errorf("checking a well-formed proof: %w", err)
	}
	if ok {
		return accepted, nil
	}
	return refused, nil
}
