/* Reads a key by the library as a release has it: in C99 and later, and in C++. */
#include <prover.h>
#include <verifier.h>
#include <frumious.h>
#include <stdio.h>

int main(int count, char **names) {
  frumious_key key;
  frumious_key_info info;
  char error[256];
  if (count != 2 || frumious_key_open_file(&key, names[1], error, sizeof error)) return 1;
  if (frumious_key_describe(key, &info, error, sizeof error)) return 1;
  frumious_key_close(key);
  frumious_key_close(key); /* nothing is closed twice */
  if (frumious_key_describe(key, &info, error, sizeof error) != FRUMIOUS_ARGUMENT) return 1;
  return printf("%d wires\n", (int)info.wires) < 0;
}
