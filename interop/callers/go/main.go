// The program `caller KEY WITNESS VKEY PROOF PUBLIC EACH` proves by both packages, verifies, and writes one proof of
// each: PROOF and PROOF.older. Eight goroutines make EACH proofs more by one prover.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"frumious/interop/callers/newer"
	"frumious/interop/callers/older"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(paths []string) error {
	if len(paths) != 6 {
		return fmt.Errorf("a key, a witness, a verification key, a proof, public signals, and how many proofs")
	}
	each, err := strconv.Atoi(paths[5])
	if err != nil {
		return err
	}
	var files [3][]byte
	for i := range files {
		if files[i], err = os.ReadFile(paths[i]); err != nil {
			return err
		}
	}
	key, witness, vkey := files[0], files[1], string(files[2])

	proof, public, grown, err := older.Prove(key, witness)
	if err != nil {
		return err
	}
	if grown == 0 {
		return fmt.Errorf("a proof fits into 512 bytes")
	}
	if err := os.WriteFile(paths[3]+".older", []byte(proof), 0o644); err != nil {
		return err
	}
	fmt.Println(verdict(proof, public, vkey))
	digit := strings.Index(public, `"`) + 1
	fmt.Println(verdict(proof, public[:digit]+public[digit+1:], vkey))
	_, _, _, err = older.Prove(key, witness[:len(witness)-32])
	fmt.Println(err)

	prover, err := newer.Open(paths[0])
	if err != nil {
		return err
	}
	defer prover.Close()
	const goroutines = 8
	results := make(chan error, goroutines)
	for i := 0; i < goroutines; i++ {
		go func() {
			for j := 0; j < each; j++ {
				proof, signals, err := prover.Prove(witness)
				if err == nil && (signals != public || verdict(proof, signals, vkey) != "valid") {
					err = fmt.Errorf("a wrong proof: %s %s", proof, signals)
				}
				if err != nil {
					results <- err
					return
				}
			}
			results <- nil
		}()
	}
	for i := 0; i < goroutines; i++ {
		if err := <-results; err != nil {
			return err
		}
	}
	if proof, public, err = prover.Prove(witness); err != nil {
		return err
	}
	if err := os.WriteFile(paths[3], []byte(proof), 0o644); err != nil {
		return err
	}
	return os.WriteFile(paths[4], []byte(public), 0o644)
}

func verdict(proof, public, vkey string) string {
	valid, err := older.Verify(proof, public, vkey)
	switch {
	case err != nil:
		return err.Error()
	case valid:
		return "valid"
	default:
		return "invalid"
	}
}
