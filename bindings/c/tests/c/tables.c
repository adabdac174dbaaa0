/* A commitment, with tables of FRUMIOUS_VERKLE_MIB: tables.c CODE COMMITMENT (in hexadecimal, or what the error has) */
#include <string.h>

#include "check.h"
#include "frumious.h"

int main(int count, char **arguments) {
  assert(count == 3);
  static unsigned char values[64], commitment[32];
  char text[65] = "";
  values[0] = 7, values[32] = 9;
  IS(atoi(arguments[1]), frumious_verkle_commit(values, sizeof values, commitment, WORDS));
  for (int i = 0; i < 32; i++) sprintf(text + 2 * i, "%02x", commitment[i]);
  assert(strstr(atoi(arguments[1]) ? words : text, arguments[2]));
  puts("all is well");
  return 0;
}
