/* Verification of Groth16 proofs by Frumious, with the function and codes of rapidsnark's verifier.h. */
#ifndef FRUMIOUS_VERIFIER_H
#define FRUMIOUS_VERIFIER_H

#ifdef __cplusplus
extern "C" {
#endif

#define VERIFIER_VALID_PROOF 0x0
#define VERIFIER_INVALID_PROOF 0x1
#define VERIFIER_ERROR 0x2

/* proof, inputs and verification_key are JSON as snarkjs has it, each with a terminating zero. inputs are the public
 * signals.
 *
 * A key without a contribution, by which anyone can forge proofs, is VERIFIER_ERROR. Tests may set the environment
 * variable FRUMIOUS_ALLOW_UNCONTRIBUTED to 1. rapidsnark does not look. */
int groth16_verify(const char *proof, const char *inputs, const char *verification_key, char *error_msg,
                   unsigned long error_msg_maxsize);

#ifdef __cplusplus
}
#endif

#endif
