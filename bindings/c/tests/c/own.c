/* Every function of frumious.h: own.c KEY WITNESS VKEY GRAPH GRAPH_INPUTS */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "frumious.h"
#include "verifier.h"

static const char *key_path, *graph;
static struct bytes key_bytes, witness, vkey, inputs;

static void check_proof(frumious_key key, const frumious_task *task) {
  char proof[1000], signals[1000];
  uint64_t proof_size = sizeof proof, public_size = sizeof signals;
  IS(FRUMIOUS_OK, frumious_prove(key, witness.at, witness.length, task, proof, &proof_size, signals, &public_size, WORDS));
  assert(strlen(proof) == proof_size && strlen(signals) == public_size);
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, vkey.at, WORDS));
}

static void *many_proofs(void *key) {
  for (int i = 0; i < (is_checked() ? 1 : 10); i++) check_proof((frumious_key)(uintptr_t)key, NULL);
  return NULL;
}

static int calls;
static void count_calls(void *user, const char *phase, double done) {
  assert(user == &calls && strlen(phase) > 0 && done >= 0 && done <= 1);
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

static void keys_and_proofs(void) {
  frumious_key by_path = 0, by_memory = 0, by_descriptor = 0;
  IS(FRUMIOUS_OK, frumious_key_open_file(&by_path, key_path, WORDS));
  IS(FRUMIOUS_OK, frumious_key_open_memory(&by_memory, key_bytes.at, key_bytes.length, WORDS));
  int descriptor = open(key_path, O_RDONLY);
  IS(FRUMIOUS_OK, frumious_key_open_descriptor(&by_descriptor, descriptor, WORDS));
  close(descriptor);
  check_proof(by_path, NULL), check_proof(by_memory, NULL), check_proof(by_descriptor, NULL);

  frumious_key_info info;
  IS(FRUMIOUS_OK, frumious_key_describe(by_path, &info, WORDS));
  assert(info.curve == 0 && info.contributed == 1 && info.public_signals == 1 && info.wires == witness.length / 32 - 2 && info.domain_size >= 2);

  pthread_t threads[8];
  for (int i = 0; i < 8; i++) assert(!pthread_create(&threads[i], NULL, many_proofs, (void *)(uintptr_t)(i % 2 ? by_path : by_memory)));
  for (int i = 0; i < 8; i++) assert(!pthread_join(threads[i], NULL));

  /* Progress, a canceller that is not used, and one that was. */
  frumious_task task = {count_calls, &calls, 0, 0, NULL};
  IS(FRUMIOUS_OK, frumious_canceller_new(&task.canceller, WORDS));
  check_proof(by_path, &task);
  assert(calls > 3);
  frumious_canceller_cancel(task.canceller);
  char proof[1000], signals[1000];
  uint64_t proof_size = sizeof proof, public_size = sizeof signals;
  IS(FRUMIOUS_INTERRUPTED, frumious_prove(by_path, witness.at, witness.length, &task, proof, &proof_size, signals, &public_size, WORDS));
  frumious_canceller_free(task.canceller), frumious_canceller_free(task.canceller), frumious_canceller_cancel(task.canceller);
  IS(FRUMIOUS_ARGUMENT, frumious_prove(by_path, witness.at, witness.length, &task, proof, &proof_size, signals, &public_size, WORDS));
  task.canceller = 0, task.max_memory = 1;
  IS(FRUMIOUS_MEMORY_LIMIT, frumious_prove(by_path, witness.at, witness.length, &task, proof, &proof_size, signals, &public_size, WORDS));

  /* Buffers to the byte. */
  proof_size = 10, public_size = sizeof signals;
  IS(FRUMIOUS_SHORT_BUFFER, frumious_prove(by_path, witness.at, witness.length, NULL, proof, &proof_size, signals, &public_size, WORDS));
  assert(proof_size > 600 && proof_size < 1000 && public_size < 100);
  public_size -= 1, proof_size = sizeof proof;
  IS(FRUMIOUS_SHORT_BUFFER, frumious_prove(by_path, witness.at, witness.length, NULL, proof, &proof_size, signals, &public_size, WORDS));

  /* Bad witnesses. */
  proof_size = sizeof proof, public_size = sizeof signals;
  witness.at[witness.length - 32] ^= 1;
  IS(FRUMIOUS_UNSATISFIED, frumious_prove(by_path, witness.at, witness.length, NULL, proof, &proof_size, signals, &public_size, WORDS));
  proof_size = 0; /* told before a proof is tried */
  IS(FRUMIOUS_SHORT_BUFFER, frumious_prove(by_path, witness.at, witness.length, NULL, proof, &proof_size, signals, &public_size, WORDS));
  witness.at[witness.length - 32] ^= 1;
  IS(FRUMIOUS_BAD_INPUT, frumious_prove(by_path, witness.at, witness.length - 1, NULL, proof, &proof_size, signals, &public_size, WORDS));

  /* Closed, closed again, never open, null. */
  frumious_key_close(by_path), frumious_key_close(by_path), frumious_key_close(0), frumious_key_close(12345678);
  frumious_key never[] = {by_path, 0, 2, 12345678};
  for (int i = 0; i < 4; i++) {
    IS(FRUMIOUS_ARGUMENT, frumious_prove(never[i], witness.at, witness.length, NULL, proof, &proof_size, signals, &public_size, WORDS));
    IS(FRUMIOUS_ARGUMENT, frumious_key_describe(never[i], &info, WORDS));
  }
  IS(FRUMIOUS_ARGUMENT, frumious_key_describe(by_memory, NULL, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_key_open_file(NULL, key_path, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_key_open_file(&by_path, NULL, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_key_open_memory(&by_path, NULL, 10, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_key_open_memory(&by_path, key_bytes.at, UINT64_MAX, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_key_open_descriptor(&by_path, -1, WORDS));
  IS(FRUMIOUS_BAD_INPUT, frumious_key_open_descriptor(&by_path, 1000, WORDS));
  IS(FRUMIOUS_NOT_FOUND, frumious_key_open_file(&by_path, "/does/not/exist", WORDS));
  IS(FRUMIOUS_WRONG_KIND, frumious_key_open_memory(&by_path, witness.at, witness.length, WORDS));
  for (int which = 0; which < 5; which++)
    IS(FRUMIOUS_ARGUMENT, frumious_prove(by_memory, which == 0 ? NULL : witness.at, witness.length, NULL, which == 1 ? NULL : proof,
                                         which == 2 ? NULL : &proof_size, which == 3 ? NULL : signals, which == 4 ? NULL : &public_size, NULL, 0));
  frumious_key_close(by_memory), frumious_key_close(by_descriptor);
}

static void witnesses(void) {
  uint64_t size = 0;
  char one[1];
  IS(FRUMIOUS_SHORT_BUFFER, frumious_witness(graph, inputs.at, "/none", NULL, one, &size, WORDS));
  assert(size > 76 + 32);
  char *room = malloc(size); /* for valgrind and AddressSanitizer */
  IS(FRUMIOUS_OK, frumious_witness(graph, inputs.at, "/none", NULL, room, &size, WORDS));
  assert(memcmp(room, "wtns", 4) == 0);
  size -= 1;
  IS(FRUMIOUS_SHORT_BUFFER, frumious_witness(graph, inputs.at, "/none", NULL, room, &size, WORDS));
  IS(FRUMIOUS_BAD_INPUT, frumious_witness(graph, "{", "/none", NULL, room, &size, WORDS));
  IS(FRUMIOUS_NOT_FOUND, frumious_witness("/does/not/exist", inputs.at, "/none", NULL, room, &size, WORDS));
  for (int which = 0; which < 5; which++)
    IS(FRUMIOUS_ARGUMENT, frumious_witness(which == 0 ? NULL : graph, which == 1 ? NULL : inputs.at, which == 2 ? NULL : "/none", NULL,
                                           which == 3 ? NULL : room, which == 4 ? NULL : &size, WORDS));
  free(room);
  /* The graph is of the key's circuit. */
  frumious_key key;
  char proof[1000], signals[1000];
  uint64_t proof_size = sizeof proof, public_size = sizeof signals;
  IS(FRUMIOUS_OK, frumious_key_open_file(&key, key_path, WORDS));
  IS(FRUMIOUS_OK, frumious_prove_inputs(key, graph, inputs.at, "/none", NULL, proof, &proof_size, signals, &public_size, WORDS));
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, vkey.at, WORDS));
  IS(FRUMIOUS_BAD_INPUT, frumious_prove_inputs(key, graph, "{\"a\": 1}", "/none", NULL, proof, &proof_size, signals, &public_size, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_prove_inputs(0, graph, inputs.at, "/none", NULL, proof, &proof_size, signals, &public_size, WORDS));
  frumious_key_close(key);
}

static void algebra(void) {
  /* (1, 2) is BN254's generator. 2·G + G is 3·G, and with (r - 1)·G nothing is left of G. */
  unsigned char points[3 * 64] = {0}, scalars[3 * 32] = {0}, sum[64], other[64];
  points[31] = 1, points[63] = 2, points[64 + 31] = 1, points[64 + 63] = 2;
  scalars[31] = 2, scalars[63] = 1, scalars[95] = 9; /* nine times infinity */
  IS(FRUMIOUS_OK, frumious_msm_vartime(0, points, 192, scalars, 96, NULL, sum, 64, WORDS));
  unsigned char three[32] = {0};
  three[31] = 3;
  IS(FRUMIOUS_OK, frumious_msm_vartime(0, points, 64, three, 32, NULL, other, 64, WORDS));
  assert(memcmp(sum, other, 64) == 0 && sum[0] != 0);
  static const unsigned char order_less_one[32] = {
      0x30, 0x64, 0x4e, 0x72, 0xe1, 0x31, 0xa0, 0x29, 0xb8, 0x50, 0x45, 0xb6, 0x81, 0x81, 0x58, 0x5d,
      0x28, 0x33, 0xe8, 0x48, 0x79, 0xb9, 0x70, 0x91, 0x43, 0xe1, 0xf5, 0x93, 0xf0, 0x00, 0x00, 0x00};
  memcpy(scalars, order_less_one, 32);
  IS(FRUMIOUS_OK, frumious_msm_vartime(0, points, 128, scalars, 64, NULL, sum, 64, WORDS));
  for (int i = 0; i < 64; i++) assert(sum[i] == 0);
  IS(FRUMIOUS_OK, frumious_msm_vartime(0, points, 0, scalars, 0, NULL, sum, 64, WORDS));
  scalars[31] += 1; /* the order */
  IS(FRUMIOUS_BAD_INPUT, frumious_msm_vartime(0, points, 64, scalars, 32, NULL, sum, 64, WORDS));
  points[63] = 3; /* off the curve */
  IS(FRUMIOUS_BAD_INPUT, frumious_msm_vartime(0, points, 64, three, 32, NULL, sum, 64, WORDS));
  memset(points, 0xff, 32); /* not below the modulus */
  IS(FRUMIOUS_BAD_INPUT, frumious_msm_vartime(0, points, 64, three, 32, NULL, sum, 64, WORDS));
  IS(FRUMIOUS_BAD_INPUT, frumious_msm_vartime(0, points, 63, three, 32, NULL, sum, 64, WORDS));
  IS(FRUMIOUS_BAD_INPUT, frumious_msm_vartime(0, points + 128, 64, three, 31, NULL, sum, 64, WORDS));
  IS(FRUMIOUS_BAD_INPUT, frumious_msm_vartime(0, points + 128, 64, scalars, 64, NULL, sum, 64, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_msm_vartime(0, points + 128, 64, three, 32, NULL, sum, 63, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_msm_vartime(4, points + 128, 64, three, 32, NULL, sum, 64, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_msm_vartime(-1, points + 128, 64, three, 32, NULL, sum, 64, WORDS));
  for (int which = 0; which < 3; which++)
    IS(FRUMIOUS_ARGUMENT, frumious_msm_vartime(0, which == 0 ? NULL : points, 64, which == 1 ? NULL : three, 32, NULL, which == 2 ? NULL : sum, 64, WORDS));
  static const int point_bytes[] = {64, 128, 96, 192};
  for (int group = 0; group < 4; group++) { /* infinity, of each group */
    unsigned char infinity[192] = {0}, out[192];
    IS(FRUMIOUS_OK, frumious_msm_vartime(group, infinity, point_bytes[group], three, 32, NULL, out, point_bytes[group], WORDS));
    assert(memcmp(infinity, out, point_bytes[group]) == 0);
  }

  for (int field = 0; field < 2; field++) {
    unsigned char values[8 * 32] = {0}, before[8 * 32];
    values[31] = 1;
    IS(FRUMIOUS_OK, frumious_fft(field, 0, values, sizeof values, NULL, WORDS)); /* the polynomial 1 is 1 everywhere */
    for (int i = 0; i < 8 * 32; i++) assert(values[i] == (i % 32 == 31));
    for (int i = 0; i < 8; i++) values[32 * i + 30] = (unsigned char)(7 * i + 1);
    memcpy(before, values, sizeof values);
    IS(FRUMIOUS_OK, frumious_fft(field, 0, values, sizeof values, NULL, WORDS));
    assert(memcmp(before, values, sizeof values) != 0);
    IS(FRUMIOUS_OK, frumious_fft(field, 1, values, sizeof values, NULL, WORDS));
    assert(memcmp(before, values, sizeof values) == 0);
    IS(FRUMIOUS_BAD_INPUT, frumious_fft(field, 0, values, 3 * 32, NULL, WORDS));
    IS(FRUMIOUS_BAD_INPUT, frumious_fft(field, 0, values, 0, NULL, WORDS));
    IS(FRUMIOUS_BAD_INPUT, frumious_fft(field, 0, values, 33, NULL, WORDS));
    memset(values, 0xff, 32);
    IS(FRUMIOUS_BAD_INPUT, frumious_fft(field, 0, values, 64, NULL, WORDS));
  }
  IS(FRUMIOUS_ARGUMENT, frumious_fft(2, 0, points, 64, NULL, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_fft(0, 0, NULL, 64, NULL, WORDS));
}

static void trees(void) {
  static unsigned char values[2 * 256 * 32], shown[64], commitments[64], proof[576];
  for (int i = 0; i < 512; i++) values[32 * i] = (unsigned char)(i + 1), values[32 * i + 1] = (unsigned char)(i >> 7);
  for (int i = 0; i < 2; i++) IS(FRUMIOUS_OK, frumious_verkle_commit(values + 8192 * i, 8192, commitments + 32 * i, WORDS));
  unsigned char places[2] = {7, 255}, changed[32];
  for (int i = 0; i < 2; i++) memcpy(shown + 32 * i, values + 8192 * i + 32 * places[i], 32);
  IS(FRUMIOUS_OK, frumious_verkle_prove("test", commitments, values, places, 2, NULL, proof, WORDS));
  IS(FRUMIOUS_OK, frumious_verkle_verify("test", commitments, shown, places, 2, proof, WORDS));
  IS(FRUMIOUS_INVALID_PROOF, frumious_verkle_verify("other", commitments, shown, places, 2, proof, WORDS));
  shown[0] ^= 1;
  IS(FRUMIOUS_INVALID_PROOF, frumious_verkle_verify("test", commitments, shown, places, 2, proof, WORDS));
  shown[0] ^= 1;

  /* An update is the commitment to the new values. */
  memcpy(changed, commitments, 32);
  unsigned char fresh[32] = {42};
  IS(FRUMIOUS_OK, frumious_verkle_update(changed, places, shown, fresh, 1, WORDS));
  memcpy(values + 32 * places[0], fresh, 32);
  unsigned char anew[32];
  IS(FRUMIOUS_OK, frumious_verkle_commit(values, 8192, anew, WORDS));
  assert(memcmp(anew, changed, 32) == 0 && memcmp(anew, commitments, 32) != 0);

  IS(FRUMIOUS_ARGUMENT, frumious_verkle_commit(values, 257 * 32, anew, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_commit(values, 31, anew, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_commit(NULL, 32, anew, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_commit(values, 32, NULL, WORDS));
  IS(FRUMIOUS_BAD_INPUT, frumious_verkle_prove("test", commitments, values, places, 0, NULL, proof, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_prove("test", commitments, values, places, UINT64_MAX / 2, NULL, proof, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_verify("test", commitments, shown, places, 0, proof, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_verify(NULL, commitments, shown, places, 2, proof, WORDS));
  commitments[0] = 0xff;
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_verify("test", commitments, shown, places, 2, proof, WORDS));
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_update(commitments, places, shown, fresh, 1, WORDS));
  memset(values, 0xff, 32);
  IS(FRUMIOUS_ARGUMENT, frumious_verkle_commit(values, 32, anew, WORDS));
}

int main(int count, char **arguments) {
  assert(count == 6);
  key_path = arguments[1], graph = arguments[4];
  key_bytes = read_file(key_path), witness = read_file(arguments[2]), vkey = read_file(arguments[3]), inputs = read_file(arguments[5]);
  keys_and_proofs();
  witnesses();
  algebra();
  trees();
  free_file(key_bytes), free_file(witness), free_file(vkey), free_file(inputs);
  puts("all is well");
  return 0;
}
