/* What programs do that use the library: hosts.c KEY WITNESS VKEY MODULE */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "frumious.h"
#include "prover.h"
#include "verifier.h"

static struct bytes witness, vkey;

static void check_proof(frumious_key key) {
  char proof[1000], signals[1000];
  uint64_t proof_size = sizeof proof, public_size = sizeof signals;
  IS(FRUMIOUS_OK, frumious_prove(key, witness.at, witness.length, NULL, proof, &proof_size, signals, &public_size, WORDS));
  IS(VERIFIER_VALID_PROOF, groth16_verify(proof, signals, vkey.at, WORDS));
}

/* A process that was forked has none of its parent's threads. */
static void forked(frumious_key key) {
  check_proof(key);
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    alarm(300);
    check_proof(key);
    _exit(0);
  }
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  check_proof(key);
}

/* A file that this process has open and could not open again. */
static void descriptors(const char *path) {
  struct bytes key = read_file(path);
  char name[] = "/tmp/frumious-XXXXXX";
  int descriptor = mkstemp(name);
  assert(descriptor >= 0 && write(descriptor, key.at, key.length) == (ssize_t)key.length);
  assert(fchmod(descriptor, 0) == 0);
  int is_root = geteuid() == 0;
  if (is_root) assert(seteuid(65534) == 0);
  frumious_key open = 0;
  IS(FRUMIOUS_OK, frumious_key_open_descriptor(&open, descriptor, WORDS));
  if (is_root) assert(seteuid(0) == 0);
  close(descriptor), unlink(name);
  check_proof(open);
  frumious_key_close(open);
  free_file(key);
}

/* The number of one kind is none of another. */
static void kinds(frumious_key key, const char *path) {
  void *prover;
  frumious_key_info info;
  IS(PROVER_OK, groth16_prover_create_zkey_file(&prover, path, WORDS));
  groth16_prover_destroy((void *)(uintptr_t)key);
  IS(FRUMIOUS_OK, frumious_key_describe(key, &info, WORDS));
  frumious_key_close((frumious_key)(uintptr_t)prover);
  char proof[1000], signals[1000];
  unsigned long long proof_size = sizeof proof, public_size = sizeof signals;
  IS(PROVER_OK, groth16_prover_prove(prover, witness.at, witness.length, proof, &proof_size, signals, &public_size, WORDS));
  groth16_prover_destroy(prover);
}

/* A program that is none of ours ends without a word, and before it has read the module. SIGPIPE would end this one. */
static void another_program(const char *module) {
  char room[1000];
  uint64_t size = sizeof room;
  signal(SIGPIPE, SIG_DFL);
  for (int i = 0; i < 3; i++) assert(frumious_witness(module, "{}", "/bin/true", NULL, room, &size, WORDS) != FRUMIOUS_OK);
}

/* Runs are recorded where a task says so, and nowhere else. */
static void records(void) {
  char folder[1000], room[1000];
  uint64_t size = sizeof room;
  snprintf(folder, sizeof folder, "%s/frumious", getenv("XDG_CACHE_HOME"));
  assert(access(folder, F_OK) != 0);
  frumious_task task = {.cache = "\xff"};
  IS(FRUMIOUS_ARGUMENT, frumious_witness("none.wasm", "{}", "/bin/true", &task, room, &size, WORDS));
}

static void *small(void *path) {
  frumious_key key = 0;
  IS(FRUMIOUS_OK, frumious_key_open_file(&key, path, WORDS));
  check_proof(key);
  frumious_key_close(key);
  return NULL;
}

/* A stack that README.md says is enough. */
static void stacks(char *path) {
  pthread_attr_t attributes;
  pthread_t thread;
  assert(!pthread_attr_init(&attributes) && !pthread_attr_setstacksize(&attributes, 1 << 20));
  assert(!pthread_create(&thread, &attributes, small, path) && !pthread_join(thread, NULL));
}

int main(int count, char **arguments) {
  assert(count == 5);
  witness = read_file(arguments[2]), vkey = read_file(arguments[3]);
  frumious_key key = 0;
  IS(FRUMIOUS_OK, frumious_key_open_file(&key, arguments[1], WORDS));
  if (!is_checked()) forked(key); /* what belonged to the parent's threads counts as leaked */
  descriptors(arguments[1]);
  kinds(key, arguments[1]);
  another_program(arguments[4]);
  records();
  if (!is_checked()) stacks(arguments[1]); /* whose code has larger frames */
  frumious_key_close(key);
  free_file(witness), free_file(vkey);
  puts("all is well");
  return 0;
}
