package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	cs "github.com/consensys/gnark/constraint/bn254"
	"github.com/consensys/gnark/logger"

	"frumious/harness"
)

// proveCircom proves a circuit of circom's files once for each line `prove` on standard input and answers `ok WALL_NS CPU_NS`; `solve` times that
// part of a proof which checks the witness, and which gnark cannot leave out. Every proof is verified, off the clock. The key is read from a file,
// or made and written there.
func proveCircom(r1csPath, wtnsPath, keyPath string) error {
	logger.Disable()
	system, err := readR1CS(r1csPath)
	if err != nil {
		return err
	}
	full, err := readWitness(wtnsPath, system)
	if err != nil {
		return err
	}
	public, err := full.Public()
	if err != nil {
		return err
	}
	pk, vk, err := keysOf(system, keyPath)
	if err != nil {
		return err
	}
	fmt.Println("ok", system.GetNbConstraints())

	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		var proof groth16.Proof
		wall, cpu := time.Now(), harness.CPUTime()
		switch requests.Text() {
		case "prove":
			proof, err = groth16.Prove(system, pk, full)
		case "solve":
			_, err = system.Solve(full)
		default:
			err = fmt.Errorf("no request: %s", requests.Text())
		}
		wallTime, cpuTime := time.Since(wall), harness.CPUTime()-cpu
		if err == nil && proof != nil {
			err = groth16.Verify(proof, vk, public)
		}
		if err != nil {
			return err
		}
		fmt.Println("ok", wallTime.Nanoseconds(), cpuTime.Nanoseconds())
	}
	return requests.Err()
}

func keysOf(system *cs.R1CS, path string) (groth16.ProvingKey, groth16.VerifyingKey, error) {
	pk, vk := groth16.NewProvingKey(ecc.BN254), groth16.NewVerifyingKey(ecc.BN254)
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		buffered := bufio.NewReaderSize(file, 1<<20)
		if _, err = pk.UnsafeReadFrom(buffered); err == nil {
			_, err = vk.UnsafeReadFrom(buffered)
		}
		return pk, vk, err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if pk, vk, err = groth16.Setup(system); err != nil {
		return nil, nil, err
	}
	return pk, vk, writeKeys(path, pk, vk)
}

// writeKeys gives the file its name when it is whole.
func writeKeys(path string, keys ...interface {
	WriteRawTo(io.Writer) (int64, error)
}) error {
	file, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(file, 1<<20)
	for _, key := range keys {
		if _, err := key.WriteRawTo(buffered); err != nil {
			return err
		}
	}
	if err := errors.Join(buffered.Flush(), file.Close()); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
