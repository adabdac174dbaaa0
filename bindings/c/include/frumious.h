/* Frumious: Groth16 proofs with keys that stay open, progress and cancellation; witnesses; sums over groups and
 * transforms; commitments and multiproofs of Verkle trees.
 *
 * Every function may be called from any thread. What is open may be used by many threads at once. No function ends the
 * process, whatever its arguments are: see README.md for the exceptions that C cannot rule out. In a process that was
 * forked from one that had used the library, work is done by the calling thread alone.
 *
 * Functions return FRUMIOUS_OK or another code below, and write words about a failure to message: at most message_size
 * bytes, the terminating zero included. It may be NULL.
 */
#ifndef FRUMIOUS_H
#define FRUMIOUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FRUMIOUS_OK 0
#define FRUMIOUS_INVALID_PROOF 1
#define FRUMIOUS_UNSATISFIED 2
#define FRUMIOUS_REJECTED 3
#define FRUMIOUS_USAGE 4
#define FRUMIOUS_WRONG_KIND 5
#define FRUMIOUS_NOT_FOUND 6
#define FRUMIOUS_WOULD_REPLACE 7
#define FRUMIOUS_UNCONTRIBUTED 8
#define FRUMIOUS_BAD_INPUT 9
#define FRUMIOUS_NO_SPACE 10
#define FRUMIOUS_PERMISSION 11
#define FRUMIOUS_MEMORY_LIMIT 12
#define FRUMIOUS_TIME_LIMIT 13
#define FRUMIOUS_BUSY 14
#define FRUMIOUS_CHANGED 15
#define FRUMIOUS_INTERRUPTED 16
/* A buffer is too short; its size is now the one that is needed. */
#define FRUMIOUS_SHORT_BUFFER 100
/* An argument is NULL, malformed, or a handle of nothing that is open. */
#define FRUMIOUS_ARGUMENT 101
/* A fault of this library. */
#define FRUMIOUS_INTERNAL 102

/* Handles are numbers. That of something closed, or of nothing, is an error and no crash. */
typedef size_t frumious_key;
typedef size_t frumious_canceller;

/* ---- Tasks ---- */

/* NULL for a task means no progress, no cancellation, and no limit. */
typedef struct {
  /* Called from any thread with the name of a phase and the part of it that is done, 0 to 1. May be NULL. It returns:
   * no exception and no longjmp may leave it. */
  void (*progress)(void *user, const char *phase, double done);
  void *user;
  /* 0 for none. */
  frumious_canceller canceller;
  /* Bytes of private memory that a proof may take; 0 for no limit. */
  uint64_t max_memory;
  /* Folder of recorded runs, by which a module's later witnesses are computed faster. NULL or "" for none. It must be
   * its user's alone. A recorded run has no value of a witness, but tells which decisions a run took. */
  const char *cache;
} frumious_task;

/* A canceller stops one task within 0.2 s: it ends with FRUMIOUS_INTERRUPTED. */
int frumious_canceller_new(frumious_canceller *canceller, char *message, uint64_t message_size);
void frumious_canceller_cancel(frumious_canceller canceller);
void frumious_canceller_free(frumious_canceller canceller);

/* ---- Keys: .zkey and .fkey, over BN254 and BLS12-381 ---- */

typedef struct {
  int curve; /* 0: BN254, 1: BLS12-381 */
  int contributed; /* 0 for a key that nobody contributed to: anyone can forge proofs under it */
  uint64_t wires;
  uint64_t public_signals;
  uint64_t domain_size;
} frumious_key_info;

/* A file is mapped, and must not change while the key is open. */
int frumious_key_open_file(frumious_key *key, const char *path, char *message, uint64_t message_size);
/* The content is not copied: it must stay as it is until the key is closed and every proof with it has ended. */
int frumious_key_open_memory(frumious_key *key, const void *content, uint64_t content_size, char *message,
                             uint64_t message_size);
/* The descriptor stays the caller's, and may be closed when the function returns. It need not be one of a path. */
int frumious_key_open_descriptor(frumious_key *key, int descriptor, char *message, uint64_t message_size);
int frumious_key_describe(frumious_key key, frumious_key_info *info, char *message, uint64_t message_size);
/* Proofs that are under way end as they would. */
void frumious_key_close(frumious_key key);

/* ---- Proofs ----
 *
 * A proof is verified before it is given. Proof and public signals are JSON as snarkjs has it, with a terminating zero.
 * *proof_size and *public_size are the sizes of the buffers; then the lengths of the texts, without the zero, or with
 * FRUMIOUS_SHORT_BUFFER sizes that suffice for every proof of this witness. */

/* The witness is the content of a .wtns file. */
int frumious_prove(frumious_key key, const void *witness, uint64_t witness_size, const frumious_task *task,
                   char *proof, uint64_t *proof_size, char *public_signals, uint64_t *public_size, char *message,
                   uint64_t message_size);

/* generator: path of circom's .wasm, its C++ program, or a graph. inputs: the text of input.json. program: path of the
 * program frumious, which runs generators in a process of its own. The witness is never written. */
int frumious_prove_inputs(frumious_key key, const char *generator, const char *inputs, const char *program,
                          const frumious_task *task, char *proof, uint64_t *proof_size, char *public_signals,
                          uint64_t *public_size, char *message, uint64_t message_size);

/* The witness as a .wtns file: SECRET. *witness_size is the size of the buffer, then that of the witness. */
int frumious_witness(const char *generator, const char *inputs, const char *program, const frumious_task *task,
                     void *witness, uint64_t *witness_size, char *message, uint64_t message_size);

/* Verification: groth16_verify of verifier.h. */

/* ---- Sums and transforms ----
 *
 * Numbers have 32 bytes, or 48 in coordinates of BLS12-381, the most significant first, and are below their modulus.
 * Points are x and y, in G2 the imaginary part of a coordinate first; infinity is all zeros. Points outside their group
 * are refused. */

/* group 0: BN254 G1, points of 64 bytes; 1: BN254 G2, 128; 2: BLS12-381 G1, 96; 3: BLS12-381 G2, 192.
 * out is one point. Time depends on scalars and points. */
int frumious_msm_vartime(int group, const void *points, uint64_t points_size, const void *scalars,
                         uint64_t scalars_size, const frumious_task *task, void *out, uint64_t out_size,
                         char *message, uint64_t message_size);

/* field 0: BN254, 1: BLS12-381. values: a power of two of numbers of 32 bytes, coefficients that become values at the
 * powers of a root of unity, in natural order; back with inverse. */
int frumious_fft(int field, int inverse, void *values, uint64_t values_size, const frumious_task *task,
                 char *message, uint64_t message_size);

/* ---- Verkle: bit for bit go-ipa and rust-verkle ----
 *
 * Scalars have 32 bytes, the least significant first; commitments 32, as go-ipa writes them; a proof 576. Nothing is
 * secret: time depends on all of it. The first call takes a second, and makes tables of 128 MiB. The environment
 * variable FRUMIOUS_VERKLE_MIB sets another number, from 1 on. */

/* At most 256 values of 32 bytes. */
int frumious_verkle_commit(const void *values, uint64_t values_size, void *commitment, char *message,
                           uint64_t message_size);
/* The value at places[i], a byte, changes from old_values[i] to new_values[i]. */
int frumious_verkle_update(void *commitment, const void *places, const void *old_values, const void *new_values,
                           uint64_t count, char *message, uint64_t message_size);
/* Opening i shows the value at places[i] of the 256 values that commitment i is to. label: of the transcript. */
int frumious_verkle_prove(const char *label, const void *commitments, const void *values, const void *places,
                          uint64_t count, const frumious_task *task, void *proof, char *message,
                          uint64_t message_size);
/* Claim i: commitment i has values[i] at places[i]. FRUMIOUS_OK, or FRUMIOUS_INVALID_PROOF. */
int frumious_verkle_verify(const char *label, const void *commitments, const void *values, const void *places,
                           uint64_t count, const void *proof, char *message, uint64_t message_size);

#ifdef __cplusplus
}
#endif

#endif
