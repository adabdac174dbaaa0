// A circuit's operations, one a line: circom's C++ with arithmetic that notes what it is asked to do.
//
//   trace DAT > TRACE
//
// Linked with what circom wrote (its main renamed, its assertions taken out) and --wrap for each function below. An
// element that depends on the inputs has the number of a node in place of its value; all others are computed by
// circom's own routines. A circuit that branches or indexes by its inputs has no such graph, and ends with an error.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

#include "calcwit.hpp"
#include "circom.hpp"
#include "fr.hpp"

static const uint32_t NODE = 0x12345678; // no type that circom has
static uint32_t nodes = 0;

static bool is_node(const FrElement *a) { return a->type == NODE; }

static void set_node(FrElement *r) {
  memset(r, 0, sizeof *r);
  r->type = NODE;
  r->shortVal = (int32_t)nodes++;
}

// The number of the node of an element, a new one for a constant.
static uint32_t number(const FrElement *a) {
  if (is_node(a)) return (uint32_t)a->shortVal;
  FrElement copy = *a, value;
  Fr_toLongNormal(&value, &copy);
  char text[65];
  for (int i = 0; i < 4; i++) snprintf(text + 16 * i, 17, "%016llx", (unsigned long long)value.longVal[3 - i]);
  static std::unordered_map<std::string, uint32_t> known;
  auto found = known.find(text);
  if (found != known.end()) return found->second;
  printf("constant %s\n", text);
  known.emplace(text, nodes);
  return nodes++;
}

static void note(const char *operation, FrElement *r, const FrElement *a, const FrElement *b) {
  uint32_t left = number(a), right = b ? number(b) : left;
  printf("%s %u %u\n", operation, left, right);
  set_node(r);
}

#define TWO(name, real, wrap)                                            \
  extern "C" void real(PFrElement r, PFrElement a, PFrElement b);        \
  extern "C" void wrap(PFrElement r, PFrElement a, PFrElement b) {       \
    if (is_node(a) || is_node(b)) note(#name, r, a, b);                  \
    else real(r, a, b);                                                  \
  }
#define ONE(name, real, wrap)                                            \
  extern "C" void real(PFrElement r, PFrElement a);                      \
  extern "C" void wrap(PFrElement r, PFrElement a) {                     \
    if (is_node(a)) note(#name, r, a, nullptr);                          \
    else real(r, a);                                                     \
  }
#define ASM_TWO(name) TWO(name, __real_Fr_##name, __wrap_Fr_##name)
#define ASM_ONE(name) ONE(name, __real_Fr_##name, __wrap_Fr_##name)
ASM_TWO(add) ASM_TWO(sub) ASM_TWO(mul) ASM_TWO(band) ASM_TWO(bor) ASM_TWO(bxor) ASM_TWO(shl) ASM_TWO(shr)
ASM_TWO(eq) ASM_TWO(neq) ASM_TWO(lt) ASM_TWO(gt) ASM_TWO(leq) ASM_TWO(geq) ASM_TWO(land) ASM_TWO(lor)
ASM_ONE(neg) ASM_ONE(bnot) ASM_ONE(lnot)
// Functions of C++, by their mangled names.
TWO(idiv, __real__Z7Fr_idivP9FrElementS0_S0_, __wrap__Z7Fr_idivP9FrElementS0_S0_)
TWO(mod, __real__Z6Fr_modP9FrElementS0_S0_, __wrap__Z6Fr_modP9FrElementS0_S0_)
TWO(div, __real__Z6Fr_divP9FrElementS0_S0_, __wrap__Z6Fr_divP9FrElementS0_S0_)
TWO(pow, __real__Z6Fr_powP9FrElementS0_S0_, __wrap__Z6Fr_powP9FrElementS0_S0_)
extern "C" char *__wrap__Z14Fr_element2strP9FrElement(PFrElement) { return strcpy(new char[2], "?"); }

static int decided(const char *by) {
  fprintf(stderr, "the circuit %s by its inputs: it has no graph\n", by);
  exit(3);
}
extern "C" int __real_Fr_isTrue(PFrElement a);
extern "C" int __wrap_Fr_isTrue(PFrElement a) { return is_node(a) ? decided("branches") : __real_Fr_isTrue(a); }
extern "C" int __real_Fr_toInt(PFrElement a);
extern "C" int __wrap_Fr_toInt(PFrElement a) { return is_node(a) ? decided("indexes") : __real_Fr_toInt(a); }

Circom_Circuit *loadCircuit(std::string const &name);

int main(int, char **arguments) {
  Circom_Circuit *circuit = loadCircuit(arguments[1]);
  Circom_CalcWit *calculator = new Circom_CalcWit(circuit);
  for (uint i = 0; i < get_size_of_input_hashmap(); i++) {
    HashSignalInfo &signal = circuit->InputHashMap[i];
    if (signal.hash == 0) continue;
    printf("signal %llu %llu %llu\n", (unsigned long long)signal.hash, (unsigned long long)signal.signalid, (unsigned long long)signal.signalsize);
  }
  // The last input makes the circuit run, so all others are noted before.
  for (uint i = 0; i < get_size_of_input_hashmap(); i++) {
    HashSignalInfo &signal = circuit->InputHashMap[i];
    for (uint at = 0; signal.hash != 0 && at < signal.signalsize; at++) {
      printf("input %llu\n", (unsigned long long)(signal.signalid + at));
      FrElement element;
      set_node(&element);
      calculator->setInputSignal(signal.hash, at, element);
    }
  }
  if (get_main_input_signal_no() == 0) calculator->tryRunCircuit();
  for (uint i = 0; i < get_size_of_witness(); i++) {
    FrElement value;
    calculator->getWitness(i, &value);
    uint32_t of = number(&value);
    printf("wire %u\n", of);
  }
}
