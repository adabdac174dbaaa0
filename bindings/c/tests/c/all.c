/* Every function of both headers, and every code: all.c KEY WITNESS OTHER_KEY VKEY PUBLIC UNFINISHED_VKEY BLS_KEY BLS_WITNESS BLS_VKEY */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "prover.h"
#include "verifier.h"

typedef unsigned long long size;

static const char *key_path, *other_path;
static struct bytes key, other, witness, vkey, public, unfinished, bls_key, bls_witness, bls_vkey;

static void check_proof(void *prover) {
  char proof[810], signals[1000];
  size proof_size = sizeof proof, public_size = sizeof signals;
  IS(PROVER_OK, groth16_prover_prove(prover, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
  assert(strlen(proof) == proof_size && strlen(signals) == public_size);
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, vkey.at, WORDS));
}

static void *many_proofs(void *prover) {
  for (int i = 0; i < (is_checked() ? 1 : 25); i++) check_proof(prover);
  return NULL;
}

static void proofs(void) {
  void *prover = NULL;
  IS(PROVER_OK, groth16_prover_create_zkey_file(&prover, key_path, WORDS));
  assert(prover);
  check_proof(prover);
  void *of_memory = NULL;
  IS(PROVER_OK, groth16_prover_create(&of_memory, key.at, key.length, WORDS));
  check_proof(of_memory);
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) assert(!pthread_create(&threads[i], NULL, many_proofs, i % 2 ? prover : of_memory));
  for (int i = 0; i < 8; i++) assert(!pthread_join(threads[i], NULL));
  groth16_prover_destroy(of_memory);

  char proof[810], signals[1000], wrong[1000];
  size proof_size = sizeof proof, public_size = sizeof signals;
  IS(PROVER_OK, groth16_prover(key.at, key.length, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, vkey.at, WORDS));
  proof_size = sizeof proof, public_size = sizeof signals;
  IS(PROVER_OK, groth16_prover_zkey_file(key_path, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, vkey.at, WORDS));
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, public.at, vkey.at, WORDS)); /* what snarkjs says */
  strcpy(wrong, "[\"1\"]");
  IS(VERIFIER_INVALID_PROOF, groth16_verify(proof, wrong, vkey.at, WORDS));
  IS(VERIFIER_ERROR, groth16_verify(proof, "[\"1\", \"2\"]", vkey.at, WORDS));
  IS(VERIFIER_ERROR, groth16_verify("{", signals, vkey.at, WORDS));
  IS(VERIFIER_ERROR, groth16_verify(proof, "", vkey.at, WORDS));
  IS(VERIFIER_ERROR, groth16_verify(proof, signals, "[]", WORDS));
  IS(VERIFIER_ERROR, groth16_verify(proof, signals, unfinished.at, WORDS));
  assert(strstr(words, "UNFINISHED"));
  setenv("FRUMIOUS_ALLOW_UNCONTRIBUTED", "1", 1);
  IS(VERIFIER_INVALID_PROOF, groth16_verify(proof, signals, unfinished.at, WORDS));
  unsetenv("FRUMIOUS_ALLOW_UNCONTRIBUTED");

  /* Buffers to the byte: with guards behind them. */
  size need_public = strlen(signals) + 1;
  for (int cut = 0; cut < 4; cut++) {
    char small_proof[900], small_public[900];
    memset(small_proof, 7, sizeof small_proof), memset(small_public, 7, sizeof small_public);
    proof_size = cut & 1 ? 10 : 810, public_size = cut & 2 ? need_public - 1 : need_public;
    int code = groth16_prover_prove(prover, witness.at, witness.length, small_proof, &proof_size, small_public, &public_size, WORDS);
    assert(code == (cut ? PROVER_ERROR_SHORT_BUFFER : PROVER_OK));
    if (cut) assert(small_proof[0] == 7 && small_public[0] == 7 && proof_size > 600 && proof_size <= 810 && public_size == need_public);
    assert(small_public[need_public] == 7 && small_proof[810] == 7);
  }
  /* A proof's length varies by some digits: what is said to be needed suffices for each. */
  for (int i = 0; i < 20; i++) {
    proof_size = i & 1 ? 0 : 600, public_size = need_public;
    IS(PROVER_ERROR_SHORT_BUFFER, groth16_prover_prove(prover, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
    assert(proof_size <= 810);
    char *exact = malloc(proof_size); /* for valgrind and AddressSanitizer */
    IS(PROVER_OK, groth16_prover_prove(prover, witness.at, witness.length, exact, &proof_size, signals, &public_size, WORDS));
    free(exact);
    public_size = need_public;
  }

  void *of_other = NULL;
  IS(PROVER_OK, groth16_prover_create(&of_other, other.at, other.length, WORDS));
  IS(PROVER_INVALID_WITNESS_LENGTH, groth16_prover_prove(of_other, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
  groth16_prover_destroy(of_other);

  char *last = witness.at + witness.length - 32;
  last[0] ^= 1;
  /* Buffers that are too short for any proof are told before a proof is tried. */
  for (int which = 0; which < 2; which++) {
    proof_size = which ? sizeof proof : 100, public_size = which ? need_public - 1 : sizeof signals;
    IS(PROVER_ERROR_SHORT_BUFFER, groth16_prover_prove(prover, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
    assert(proof_size > 600 && proof_size <= 810 && public_size == need_public);
  }
  proof_size = sizeof proof, public_size = sizeof signals;
  IS(PROVER_ERROR, groth16_prover_prove(prover, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
  last[0] ^= 1;
  for (size cut = 0; cut < witness.length; cut += 13)
    IS(PROVER_ERROR, groth16_prover_prove(prover, witness.at, cut, proof, &proof_size, signals, &public_size, WORDS));

  /* Destroyed, destroyed again, used afterwards, never made. */
  groth16_prover_destroy(prover);
  groth16_prover_destroy(prover);
  groth16_prover_destroy(NULL);
  groth16_prover_destroy(words);
  void *never[] = {prover, NULL, words};
  for (int i = 0; i < 3; i++)
    IS(PROVER_ERROR, groth16_prover_prove(never[i], witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
}

static void keys(void) {
  size length = 0;
  void *prover = NULL;
  IS(PROVER_OK, groth16_public_size_for_zkey_buf(key.at, key.length, &length, WORDS));
  assert(length == 82 + 4);
  length = 0;
  IS(PROVER_OK, groth16_public_size_for_zkey_file(key_path, &length, WORDS));
  assert(length == 82 + 4);
  groth16_proof_size(&length);
  assert(length == 810);
  groth16_proof_size(NULL);
  for (size cut = 0; cut < key.length; cut += 101) IS(PROVER_ERROR, groth16_prover_create(&prover, key.at, cut, WORDS));
  IS(PROVER_ERROR, groth16_prover_create(&prover, witness.at, witness.length, WORDS));
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, "/does/not/exist", WORDS));
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, "/", WORDS));
  IS(PROVER_ERROR, groth16_public_size_for_zkey_file("/dev/null", &length, WORDS));
  assert(prover == NULL);

  /* Words are cut to the room, and end with a zero. */
  char room[4] = {7, 7, 7, 7};
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, "/does/not/exist", room, 3));
  assert(strlen(room) == 2 && room[3] == 7);
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, "/does/not/exist", room, 1));
  assert(strlen(room) == 0 && room[1] != 7);
  room[0] = 7;
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, "/does/not/exist", room, 0));
  assert(room[0] == 7);
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, "/does/not/exist", NULL, 100));
}

static void nulls(void) {
  void *prover = NULL;
  IS(PROVER_OK, groth16_prover_create(&prover, key.at, key.length, WORDS));
  char proof[810], signals[1000];
  for (int which = 0; which < 6; which++) {
    size proof_size = sizeof proof, public_size = sizeof signals;
    memset(words, 0, sizeof words);
    IS(which < 5 ? PROVER_ERROR : PROVER_OK,
       groth16_prover_prove(prover, which == 0 ? NULL : witness.at, witness.length, which == 1 ? NULL : proof,
                            which == 2 ? NULL : &proof_size, which == 3 ? NULL : signals,
                            which == 4 ? NULL : &public_size, WORDS));
    assert(which == 5 || strstr(words, "null"));
  }
  size length = sizeof proof;
  IS(PROVER_ERROR, groth16_prover_create(NULL, key.at, key.length, WORDS));
  IS(PROVER_ERROR, groth16_prover_create(&prover, NULL, key.length, WORDS));
  IS(PROVER_ERROR, groth16_prover_create(&prover, key.at, ~0ULL, WORDS));
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(NULL, key_path, WORDS));
  IS(PROVER_ERROR, groth16_prover_create_zkey_file(&prover, NULL, WORDS));
  IS(PROVER_ERROR, groth16_public_size_for_zkey_buf(NULL, 1, &length, WORDS));
  IS(PROVER_ERROR, groth16_public_size_for_zkey_buf(key.at, key.length, NULL, WORDS));
  IS(PROVER_ERROR, groth16_public_size_for_zkey_file(NULL, &length, WORDS));
  IS(PROVER_ERROR, groth16_public_size_for_zkey_file(key_path, NULL, WORDS));
  IS(PROVER_ERROR, groth16_prover(NULL, 1, witness.at, witness.length, proof, &length, signals, &length, WORDS));
  IS(PROVER_ERROR, groth16_prover(key.at, key.length, NULL, 1, proof, &length, signals, &length, WORDS));
  IS(PROVER_ERROR, groth16_prover_zkey_file(NULL, witness.at, witness.length, proof, &length, signals, &length, WORDS));
  IS(PROVER_ERROR, groth16_prover_zkey_file(key_path, NULL, 1, proof, &length, signals, &length, WORDS));
  for (int which = 0; which < 3; which++)
    IS(VERIFIER_ERROR, groth16_verify(which == 0 ? NULL : "{}", which == 1 ? NULL : "[]", which == 2 ? NULL : "{}", WORDS));
  IS(VERIFIER_ERROR, groth16_verify(NULL, NULL, NULL, NULL, 0));
  groth16_prover_destroy(prover);
}

/* Over BLS12-381 proofs are longer than rapidsnark's constant. */
static void the_other_curve(void) {
  char proof[2000], signals[1000];
  size proof_size = 810, public_size = sizeof signals;
  IS(PROVER_ERROR_SHORT_BUFFER, groth16_prover(bls_key.at, bls_key.length, bls_witness.at, bls_witness.length, proof, &proof_size, signals, &public_size, WORDS));
  assert(proof_size > 810 && proof_size < sizeof proof);
  public_size = sizeof signals;
  IS(PROVER_OK, groth16_prover(bls_key.at, bls_key.length, bls_witness.at, bls_witness.length, proof, &proof_size, signals, &public_size, WORDS));
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, bls_vkey.at, WORDS));
  IS(VERIFIER_ERROR, groth16_verify(proof, signals, vkey.at, WORDS));
  IS(PROVER_ERROR, groth16_prover(bls_key.at, bls_key.length, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
}

/* A key whose file changes while it is mapped: an error, or a proof that is valid. */
static void changed_key(void) {
  char path[] = "/tmp/frumious-key-XXXXXX", proof[810], signals[1000];
  int file = mkstemp(path), refused = 0;
  assert(file >= 0 && write(file, key.at, key.length) == (ssize_t)key.length);
  void *prover = NULL;
  IS(PROVER_OK, groth16_prover_create_zkey_file(&prover, path, WORDS));
  check_proof(prover);
  for (unsigned long at = 0; at < key.length; at += is_checked() ? 1009 : 61) {
    char changed = ~key.at[at];
    assert(pwrite(file, &changed, 1, at) == 1);
    size proof_size = sizeof proof, public_size = sizeof signals;
    int code = groth16_prover_prove(prover, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS);
    if (code == PROVER_OK) IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, vkey.at, WORDS));
    refused += code != PROVER_OK;
    assert(pwrite(file, &key.at[at], 1, at) == 1);
  }
  assert(refused > 0);
  groth16_prover_destroy(prover);
  assert(close(file) == 0 && unlink(path) == 0);
}

int main(int count, char **arguments) {
  assert(count == 10);
  key_path = arguments[1], other_path = arguments[3];
  struct bytes *all[] = {&key, &witness, &other, &vkey, &public, &unfinished, &bls_key, &bls_witness, &bls_vkey};
  for (int i = 0; i < 9; i++) *all[i] = read_file(arguments[i + 1]);
  keys();
  nulls();
  proofs();
  changed_key();
  the_other_curve();
  for (int i = 0; i < 9; i++) free_file(*all[i]);
  puts("all is well");
  return 0;
}
