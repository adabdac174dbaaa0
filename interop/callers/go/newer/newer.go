// Package newer keeps a prover of a key's file, by the header that the library comes with.
package newer

// #cgo LDFLAGS: -lrapidsnark
// #include <stdlib.h>
// #include <prover.h>
import "C"

import (
	"fmt"
	"unsafe"
)

// A Prover may be used by many goroutines at once.
type Prover struct {
	object     unsafe.Pointer
	proofSize  C.ulonglong
	publicSize C.ulonglong
}

func failed(code C.int, words *[256]C.char) error {
	if code == C.PROVER_OK {
		return nil
	}
	return fmt.Errorf("code %d: %s", code, C.GoString(&words[0]))
}

// Open makes a prover; Close ends it.
func Open(path string) (*Prover, error) {
	var words [256]C.char
	var prover Prover
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	C.groth16_proof_size(&prover.proofSize)
	code := C.groth16_public_size_for_zkey_file(name, &prover.publicSize, &words[0], C.ulonglong(len(words)))
	if err := failed(code, &words); err != nil {
		return nil, err
	}
	code = C.groth16_prover_create_zkey_file(&prover.object, name, &words[0], C.ulonglong(len(words)))
	return &prover, failed(code, &words)
}

// Prove gives a proof and its public signals, in buffers of the sizes that the library told for the key.
func (prover *Prover) Prove(witness []byte) (proof, public string, err error) {
	var words [256]C.char
	proofSize, publicSize := prover.proofSize, prover.publicSize
	proofs, publics := make([]byte, proofSize), make([]byte, publicSize)
	code := C.groth16_prover_prove(prover.object, unsafe.Pointer(&witness[0]), C.ulonglong(len(witness)),
		(*C.char)(unsafe.Pointer(&proofs[0])), &proofSize,
		(*C.char)(unsafe.Pointer(&publics[0])), &publicSize, &words[0], C.ulonglong(len(words)))
	if err := failed(code, &words); err != nil {
		return "", "", err
	}
	return string(proofs[:proofSize]), string(publics[:publicSize]), nil
}

// Close ends the prover.
func (prover *Prover) Close() {
	C.groth16_prover_destroy(prover.object)
}
