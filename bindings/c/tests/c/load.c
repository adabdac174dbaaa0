/* Eight threads prove and verify with two circuits, and memory stays as it is:
 * load.c PROOFS KEY WITNESS VKEY OTHER_KEY OTHER_WITNESS OTHER_VKEY
 * Each thread makes PROOFS proofs of each circuit. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "prover.h"
#include "verifier.h"

enum { THREADS = 8, CIRCUITS = 2 };

static struct circuit {
  void *prover;
  struct bytes witness, vkey;
} circuits[CIRCUITS];
static int proofs;
static pthread_barrier_t warm;
static long resident_when_warm;

static long resident(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long all, pages;
  assert(file && fscanf(file, "%ld %ld", &all, &pages) == 2);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static void prove_once(struct circuit *circuit) {
  char proof[2000], signals[4096];
  unsigned long long proof_size = sizeof proof, public_size = sizeof signals;
  IS(PROVER_OK, groth16_prover_prove(circuit->prover, circuit->witness.at, circuit->witness.length, proof, &proof_size, signals, &public_size, WORDS));
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, circuit->vkey.at, WORDS));
}

static void *work(void *number) {
  for (int i = 0; i < proofs; i++) {
    if (i == proofs / 10) {
      if (pthread_barrier_wait(&warm) == PTHREAD_BARRIER_SERIAL_THREAD) resident_when_warm = resident();
      pthread_barrier_wait(&warm);
    }
    for (int j = 0; j < CIRCUITS; j++) prove_once(&circuits[(*(int *)number + j) % CIRCUITS]);
  }
  return NULL;
}

int main(int count, char **arguments) {
  assert(count == 2 + 3 * CIRCUITS);
  proofs = atoi(arguments[1]);
  assert(proofs > 0);
  for (int j = 0; j < CIRCUITS; j++) {
    char **files = arguments + 2 + 3 * j;
    IS(PROVER_OK, groth16_prover_create_zkey_file(&circuits[j].prover, files[0], WORDS));
    circuits[j].witness = read_file(files[1]), circuits[j].vkey = read_file(files[2]);
  }
  pthread_t threads[THREADS];
  int numbers[THREADS];
  assert(!pthread_barrier_init(&warm, NULL, THREADS));
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    assert(!pthread_create(&threads[i], NULL, work, &numbers[i]));
  }
  for (int i = 0; i < THREADS; i++) assert(!pthread_join(threads[i], NULL));
  long grown = resident() - resident_when_warm;
  fprintf(stderr, "%d proofs: %ld KB resident after a tenth, %ld KB more at the end\n", THREADS * CIRCUITS * proofs, resident_when_warm, grown);
  assert(is_checked() || grown < 2048); /* the checkers keep what was freed */
  for (int j = 0; j < CIRCUITS; j++) {
    groth16_prover_destroy(circuits[j].prover);
    free_file(circuits[j].witness), free_file(circuits[j].vkey);
  }
  puts("all is well");
  return 0;
}
