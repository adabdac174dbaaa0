// prove LIBRARY ZKEY WTNS PROOF PUBLIC: rapidsnark's own prover, as a program of its own for peers/provers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As its prover.h has it.
typedef int (*prover)(const char *zkey, const void *wtns, unsigned long wtns_size, char *proof, unsigned long *proof_size,
                      char *public, unsigned long *public_size, char *error, unsigned long error_size);

enum { PROOF_SIZE = 1 << 16, PUBLIC_SIZE = 1 << 24 };

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static char *read_all(const char *path, unsigned long *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail(path, "cannot be read");
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    if (!bytes || fread(bytes, 1, *size, file) != *size) fail(path, "cannot be read");
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file)) fail(path, "cannot be written");
}

int main(int count, char **arguments) {
    if (count != 6) fail("usage", "prove LIBRARY ZKEY WTNS PROOF PUBLIC");
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) fail(arguments[1], dlerror());
    prover prove = (prover)dlsym(library, "groth16_prover_zkey_file");
    if (!prove) fail(arguments[1], "has no prover");

    unsigned long wtns_size, proof_size = PROOF_SIZE, public_size = PUBLIC_SIZE;
    char *wtns = read_all(arguments[3], &wtns_size);
    char *proof = calloc(1, PROOF_SIZE), *public = calloc(1, PUBLIC_SIZE), error[256] = "";
    if (!proof || !public) fail("memory", "none");
    if (prove(arguments[2], wtns, wtns_size, proof, &proof_size, public, &public_size, error, sizeof error)) fail("rapidsnark", error);
    write_all(arguments[4], proof);
    write_all(arguments[5], public);
    fflush(NULL);
    _Exit(0); // the library's threads and destructors are no part of this
}
