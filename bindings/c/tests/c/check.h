/* What the test programs share: files, and calls that must give a code. */
#ifndef CHECK_H
#define CHECK_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct bytes {
  char *at;
  unsigned long length;
};

/* The file's bytes at an odd address, and a zero behind them. */
static inline struct bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  assert(file && fseek(file, 0, SEEK_END) == 0);
  struct bytes bytes = {NULL, (unsigned long)ftell(file)};
  rewind(file);
  char *room = malloc(bytes.length + 2);
  assert(room && fread(room + 1, 1, bytes.length, file) == bytes.length);
  bytes.at = room + 1;
  bytes.at[bytes.length] = 0;
  fclose(file);
  return bytes;
}

static inline void free_file(struct bytes bytes) { free(bytes.at - 1); }

/* The message of a thread's last call. */
static _Thread_local char words[200];
#define WORDS words, sizeof words

#define IS(code, call)                                                             \
  do {                                                                             \
    int got = (call);                                                              \
    if (got != (code)) {                                                           \
      fprintf(stderr, "%d: %s gave %d: %s\n", __LINE__, #call, got, words);        \
      exit(1);                                                                     \
    }                                                                              \
  } while (0)

/* AddressSanitizer or valgrind looks on: it finds what leaks by itself, and all takes longer. */
static inline int is_checked(void) { return getenv("FRUMIOUS_C_CHECK") != NULL; }

#endif
