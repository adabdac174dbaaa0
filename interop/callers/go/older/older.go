// Package older calls groth16_prover as programs written for rapidsnark's first header do: sizes are unsigned long,
// the key is in memory, and buffers grow while they are too short.
package older

/*
#cgo LDFLAGS: -lrapidsnark
#include <stdlib.h>

int groth16_prover(const void *zkey_buffer, unsigned long zkey_size, const void *wtns_buffer, unsigned long wtns_size,
                   char *proof_buffer, unsigned long *proof_size, char *public_buffer, unsigned long *public_size,
                   char *error_msg, unsigned long error_msg_maxsize);
int groth16_verify(const char *proof, const char *inputs, const char *verification_key, char *error_msg,
                   unsigned long error_msg_maxsize);
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

const shortBuffer = 2

// Prove gives a proof and its public signals, and how often the buffers were too short.
func Prove(key, witness []byte) (proof, public string, grown int, err error) {
	var words [256]C.char
	// Too short for a proof, so that they grow.
	for size := 512; size < 1<<24; size *= 2 {
		proofs, publics := (*C.char)(C.calloc(C.size_t(size), 1)), (*C.char)(C.calloc(C.size_t(size), 1))
		defer C.free(unsafe.Pointer(proofs))
		defer C.free(unsafe.Pointer(publics))
		proofSize, publicSize := C.ulong(size), C.ulong(size)
		code := C.groth16_prover(unsafe.Pointer(&key[0]), C.ulong(len(key)),
			unsafe.Pointer(&witness[0]), C.ulong(len(witness)),
			proofs, &proofSize, publics, &publicSize, &words[0], C.ulong(len(words)))
		switch code {
		case 0:
			return C.GoString(proofs), C.GoString(publics), grown, nil
		case shortBuffer:
			if C.GoString(proofs) != "" || C.GoString(publics) != "" {
				return "", "", grown, errors.New("something is in a buffer that was too short")
			}
			grown++
		default:
			return "", "", grown, fmt.Errorf("code %d: %s", code, C.GoString(&words[0]))
		}
	}
	return "", "", grown, errors.New("no buffer is large enough")
}

// Verify is true for a proof of these public signals.
func Verify(proof, public, key string) (bool, error) {
	var words [256]C.char
	texts := [3]*C.char{C.CString(proof), C.CString(public), C.CString(key)}
	for _, text := range texts {
		defer C.free(unsafe.Pointer(text))
	}
	switch code := C.groth16_verify(texts[0], texts[1], texts[2], &words[0], C.ulong(len(words))); code {
	case 0, 1:
		return code == 0, nil
	default:
		return false, fmt.Errorf("code %d: %s", code, C.GoString(&words[0]))
	}
}
