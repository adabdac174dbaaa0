// Reads, verifies and writes Groth16 files in gnark's own layout, for the interoperability tests.
//
//	gnark verify CURVE VKEY PROOF PUBLIC   reads all three with gnark, verifies, and checks that it writes the same bytes
//	gnark make CURVE FOLDER                writes vkey.bin, proof.bin and public.bin of a small circuit
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"
)

func main() {
	logger.Disable()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(words []string) error {
	curves := map[string]ecc.ID{"bn128": ecc.BN254, "bls12381": ecc.BLS12_381}
	if len(words) < 3 || curves[words[1]] == ecc.UNKNOWN {
		return fmt.Errorf("usage: gnark verify CURVE VKEY PROOF PUBLIC | make CURVE FOLDER")
	}
	curve := curves[words[1]]
	switch {
	case words[0] == "verify" && len(words) == 5:
		return verify(curve, words[2], words[3], words[4])
	case words[0] == "make" && len(words) == 3:
		return makeFiles(curve, words[2])
	}
	return fmt.Errorf("no such command")
}

func verify(curve ecc.ID, vkeyPath, proofPath, publicPath string) error {
	vkey, proof := groth16.NewVerifyingKey(curve), groth16.NewProof(curve)
	if err := read(vkeyPath, vkey); err != nil {
		return err
	}
	if err := read(proofPath, proof); err != nil {
		return err
	}
	public, err := witness.New(curve.ScalarField())
	if err != nil {
		return err
	}
	bytesOfPublic, err := os.ReadFile(publicPath)
	if err != nil {
		return err
	}
	if err := public.UnmarshalBinary(bytesOfPublic); err != nil {
		return fmt.Errorf("%s: %w", publicPath, err)
	}
	again, err := public.MarshalBinary()
	if err != nil || !bytes.Equal(again, bytesOfPublic) {
		return fmt.Errorf("%s: gnark writes other bytes", publicPath)
	}
	return groth16.Verify(proof, vkey, public)
}

// codec is what keys and proofs of gnark can do.
type codec interface {
	io.ReaderFrom
	io.WriterTo
}

// read reads a file with gnark, and makes sure that gnark writes it the same.
func read(path string, value codec) error {
	given, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n, err := value.ReadFrom(bytes.NewReader(given))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if n != int64(len(given)) {
		return fmt.Errorf("%s: gnark reads %d of %d bytes", path, n, len(given))
	}
	var again bytes.Buffer
	if _, err := value.WriteTo(&again); err != nil {
		return err
	}
	if !bytes.Equal(again.Bytes(), given) {
		return fmt.Errorf("%s: gnark writes other bytes", path)
	}
	return nil
}

// product is the circuit A·B = C and C·C = D, with C and D public.
type product struct {
	A, B frontend.Variable
	C, D frontend.Variable `gnark:",public"`
}

func (c *product) Define(api frontend.API) error {
	api.AssertIsEqual(api.Mul(c.A, c.B), c.C)
	api.AssertIsEqual(api.Mul(c.C, c.C), c.D)
	return nil
}

func makeFiles(curve ecc.ID, folder string) error {
	system, err := frontend.Compile(curve.ScalarField(), r1cs.NewBuilder, &product{})
	if err != nil {
		return err
	}
	pkey, vkey, err := groth16.Setup(system)
	if err != nil {
		return err
	}
	all, err := frontend.NewWitness(&product{A: 3, B: 11, C: 33, D: 1089}, curve.ScalarField())
	if err != nil {
		return err
	}
	proof, err := groth16.Prove(system, pkey, all)
	if err != nil {
		return err
	}
	public, err := all.Public()
	if err != nil {
		return err
	}
	signals, err := public.MarshalBinary()
	if err != nil {
		return err
	}
	var key, proved bytes.Buffer
	if _, err := vkey.WriteTo(&key); err != nil {
		return err
	}
	if _, err := proof.WriteTo(&proved); err != nil {
		return err
	}
	for name, content := range map[string][]byte{"vkey.bin": key.Bytes(), "proof.bin": proved.Bytes(), "public.bin": signals} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
