/* Groth16 proofs by Frumious, with the functions and codes of rapidsnark's prover.h (version of 2025).
 *
 * Keys are .zkey or .fkey over BN254 or BLS12-381, witnesses .wtns. Proofs and public signals are JSON as snarkjs has
 * it, with a terminating zero. Every proof is verified before it is given.
 *
 * Every function may be called from any thread, and a prover may be used by many threads at once. No function ends the
 * process, whatever its arguments are: see README.md for the exceptions that C cannot rule out.
 */
#ifndef FRUMIOUS_PROVER_H
#define FRUMIOUS_PROVER_H

#ifdef __cplusplus
extern "C" {
#endif

#define PROVER_OK 0x0
#define PROVER_ERROR 0x1
#define PROVER_ERROR_SHORT_BUFFER 0x2
#define PROVER_INVALID_WITNESS_LENGTH 0x3

/* Errors: error_msg takes at most error_msg_maxsize bytes, the terminating zero included. It may be NULL.
 *
 * Sizes of buffers: *proof_size and *public_size are the sizes of the two buffers. On success they become the lengths
 * of the texts, without the terminating zero. If a buffer is too short, the code is PROVER_ERROR_SHORT_BUFFER, nothing
 * is written into the buffers, and both become sizes that suffice for every proof of this witness. */

/* A size that suffices for the public signals of this key. */
int groth16_public_size_for_zkey_buf(const void *zkey_buffer, unsigned long long zkey_size,
                                     unsigned long long *public_size, char *error_msg,
                                     unsigned long long error_msg_maxsize);
int groth16_public_size_for_zkey_file(const char *zkey_fname, unsigned long long *public_size, char *error_msg,
                                      unsigned long long error_msg_maxsize);

/* A size that suffices for a proof over BN254. */
void groth16_proof_size(unsigned long long *proof_size);

/* A prover for any number of proofs. The buffer is not copied: it must stay as it is until the prover is destroyed. */
int groth16_prover_create(void **prover_object, const void *zkey_buffer, unsigned long long zkey_size,
                          char *error_msg, unsigned long long error_msg_maxsize);
int groth16_prover_create_zkey_file(void **prover_object, const char *zkey_file_path, char *error_msg,
                                    unsigned long long error_msg_maxsize);

/* One proof. The code is PROVER_INVALID_WITNESS_LENGTH for a witness of another circuit's length. */
int groth16_prover_prove(void *prover_object, const void *wtns_buffer, unsigned long long wtns_size,
                         char *proof_buffer, unsigned long long *proof_size, char *public_buffer,
                         unsigned long long *public_size, char *error_msg, unsigned long long error_msg_maxsize);

/* NULL is allowed. No thread may be using the prover. */
void groth16_prover_destroy(void *prover_object);

/* Creates a prover, makes one proof, and destroys it. */
int groth16_prover(const void *zkey_buffer, unsigned long long zkey_size, const void *wtns_buffer,
                   unsigned long long wtns_size, char *proof_buffer, unsigned long long *proof_size,
                   char *public_buffer, unsigned long long *public_size, char *error_msg,
                   unsigned long long error_msg_maxsize);
int groth16_prover_zkey_file(const char *zkey_file_path, const void *wtns_buffer, unsigned long long wtns_size,
                             char *proof_buffer, unsigned long long *proof_size, char *public_buffer,
                             unsigned long long *public_size, char *error_msg,
                             unsigned long long error_msg_maxsize);

#ifdef __cplusplus
}
#endif

#endif
