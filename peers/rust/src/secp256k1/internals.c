/* Loops over libsecp256k1's field functions, which are static: arrays of independent operations, and chains.
 *
 * Products and squares take and give values of magnitude one, as its group formulas do; sums and differences are normalised weakly, for ours
 * are reduced. Inverses and roots are followed by no normalisation. */
#include <stddef.h>
#include <stdint.h>

#include "assumptions.h"
#include "util.h"
#include "hash_impl.h"
#include "int128_impl.h"
#include "field_impl.h"
#include "scalar_impl.h"

typedef rustsecp256k1_v0_14_fe fe;
typedef rustsecp256k1_v0_14_scalar sc;

#define FE(name) rustsecp256k1_v0_14_fe_##name
#define SC(name) rustsecp256k1_v0_14_scalar_##name

static void fe_add_(fe *r, const fe *a, const fe *b) { *r = *a; FE(add)(r, b); FE(normalize_weak)(r); }
static void fe_sub_(fe *r, const fe *a, const fe *b) { fe m; FE(negate)(&m, b, 1); *r = *a; FE(add)(r, &m); FE(normalize_weak)(r); }
static void fe_neg_(fe *r, const fe *a, const fe *b) { (void)b; FE(negate)(r, a, 1); FE(normalize_weak)(r); }
static void fe_mul_(fe *r, const fe *a, const fe *b) { FE(mul)(r, a, b); }
static void fe_square_(fe *r, const fe *a, const fe *b) { (void)b; FE(sqr)(r, a); }
static void fe_invert_(fe *r, const fe *a, const fe *b) { (void)b; FE(inv)(r, a); }
static void fe_invert_vartime_(fe *r, const fe *a, const fe *b) { (void)b; FE(inv_var)(r, a); }
static void fe_sqrt_(fe *r, const fe *a, const fe *b) { (void)b; fe t = *a; FE(sqrt)(r, &t); }

static void sc_add_(sc *r, const sc *a, const sc *b) { SC(add)(r, a, b); }
static void sc_neg_(sc *r, const sc *a, const sc *b) { (void)b; SC(negate)(r, a); }
static void sc_mul_(sc *r, const sc *a, const sc *b) { SC(mul)(r, a, b); }
static void sc_invert_(sc *r, const sc *a, const sc *b) { (void)b; SC(inverse)(r, a); }
static void sc_invert_vartime_(sc *r, const sc *a, const sc *b) { (void)b; SC(inverse_var)(r, a); }

#define LOOPS(type, operation) \
    void peers_##operation(type *out, const type *a, const type *b, size_t n) { \
        for (size_t i = 0; i < n; i++) operation##_(&out[i], &a[i], &b[i]); \
    } \
    void peers_##operation##_chain(type *x, const type *a, size_t n) { \
        type t = *x; \
        for (size_t i = 0; i < n; i++) { type u; operation##_(&u, &t, &a[i]); t = u; } \
        *x = t; \
    }

LOOPS(fe, fe_add)
LOOPS(fe, fe_sub)
LOOPS(fe, fe_neg)
LOOPS(fe, fe_mul)
LOOPS(fe, fe_square)
LOOPS(fe, fe_invert)
LOOPS(fe, fe_invert_vartime)
LOOPS(fe, fe_sqrt)
LOOPS(sc, sc_add)
LOOPS(sc, sc_neg)
LOOPS(sc, sc_mul)
LOOPS(sc, sc_invert)
LOOPS(sc, sc_invert_vartime)

int peers_fe_read(fe *r, const unsigned char *bytes) { return FE(set_b32_limit)(r, bytes); }
void peers_fe_write(unsigned char *bytes, const fe *a) { fe t = *a; FE(normalize)(&t); FE(get_b32)(bytes, &t); }
int peers_sc_read(sc *r, const unsigned char *bytes) { int overflow; SC(set_b32)(r, bytes, &overflow); return !overflow; }
void peers_sc_write(unsigned char *bytes, const sc *a) { SC(get_b32)(bytes, a); }
