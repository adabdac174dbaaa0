package main

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bn254"
)

// readR1CS makes gnark's constraint system of circom's: the same rows over the same wires, all of which are given (public or secret) and none solved for.
func readR1CS(path string) (*cs.R1CS, error) {
	sections, err := readSections(path, "r1cs")
	if err != nil {
		return nil, err
	}
	header := sections[1]
	elementSize := header.u32()
	if elementSize != fr.Bytes {
		return nil, fmt.Errorf("%s: elements of %d bytes are not BN254's", path, elementSize)
	}
	header.skip(fr.Bytes)
	wires := header.u32()
	public := header.u32() + header.u32()
	header.skip(4 + 8)
	rows := header.u32()

	system := cs.NewR1CS(int(rows))
	for range 1 + public { // the constant one is public
		system.AddPublicVariable("")
	}
	for range wires - 1 - public {
		system.AddSecretVariable("")
	}
	blueprint := system.AddBlueprint(&constraint.BlueprintGenericR1C{})
	body := sections[2]
	for range rows {
		var row constraint.R1C
		for _, sum := range []*constraint.LinearExpression{&row.L, &row.R, &row.O} {
			for range body.u32() {
				wire := body.u32()
				coefficient, err := body.element()
				if err != nil {
					return nil, fmt.Errorf("%s: %w", path, err)
				}
				var words constraint.U64
				copy(words[:], coefficient[:])
				*sum = append(*sum, system.MakeTerm(words, int(wire)))
			}
		}
		system.AddR1C(row, blueprint)
	}
	return system, nil
}

// readWitness gives the values of a .wtns file as a full witness for the system.
func readWitness(path string, system *cs.R1CS) (witness.Witness, error) {
	sections, err := readSections(path, "wtns")
	if err != nil {
		return nil, err
	}
	header, body := sections[1], sections[2]
	header.skip(4 + fr.Bytes)
	given := int(header.u32())
	public, secret := system.GetNbPublicVariables()-1, system.GetNbSecretVariables()
	if given != 1+public+secret {
		return nil, fmt.Errorf("%s: %d values for %d wires", path, given, 1+public+secret)
	}
	body.skip(fr.Bytes) // the constant one, which gnark adds itself
	full, err := witness.New(ecc.BN254.ScalarField())
	if err != nil {
		return nil, err
	}
	values := make(chan any)
	go func() {
		defer close(values)
		for range public + secret {
			value, _ := body.element() // gnark finds out what a wrong one does
			values <- value
		}
	}()
	return full, full.Fill(public, secret, values)
}

// section is what is left to read of one.
type section struct{ bytes []byte }

func (s *section) skip(n int) { s.bytes = s.bytes[n:] }

func (s *section) u32() uint32 {
	value := binary.LittleEndian.Uint32(s.bytes)
	s.skip(4)
	return value
}

func (s *section) element() (fr.Element, error) {
	bytes := [fr.Bytes]byte(s.bytes)
	s.skip(fr.Bytes)
	return fr.LittleEndian.Element(&bytes)
}

// readSections reads a file of circom's container: magic, version, number of sections; each with its type and its size.
func readSections(path, magic string) (map[uint32]*section, error) {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(bytes) < 12 || string(bytes[:4]) != magic {
		return nil, fmt.Errorf("%s is no .%s", path, magic)
	}
	file := section{bytes[8:]}
	sections := map[uint32]*section{}
	for range file.u32() {
		kind := file.u32()
		size := binary.LittleEndian.Uint64(file.bytes)
		file.skip(8)
		sections[kind] = &section{file.bytes[:size]}
		file.skip(int(size))
	}
	return sections, nil
}
