/* prove KEY WITNESS PROOFS: seconds of each proof under a key that stays open, a line each. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prover.h"

static char error[256];

static void must(int code, const char *what) {
  if (code == 0) return;
  fprintf(stderr, "%s: %d %s\n", what, code, error);
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  FILE *file = fopen(arguments[2], "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return 2;
  unsigned long long size = ftell(file);
  rewind(file);
  void *witness = malloc(size), *prover;
  if (!witness || fread(witness, 1, size, file) != size) return 2;
  must(groth16_prover_create_zkey_file(&prover, arguments[1], error, sizeof error), "key");
  for (int i = atoi(arguments[3]); i > 0; i--) {
    char proof[810], public[65536];
    unsigned long long proof_size = sizeof proof, public_size = sizeof public;
    double start = seconds();
    must(groth16_prover_prove(prover, witness, size, proof, &proof_size, public, &public_size, error, sizeof error),
         "proof");
    printf("%.6f\n", seconds() - start);
  }
  groth16_prover_destroy(prover);
  return 0;
}
