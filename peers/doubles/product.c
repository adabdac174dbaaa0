/* A Montgomery product of BN254's base field in doubles, for CPUs with AVX2 and FMA and without AVX-512: how long it
 * takes, and that it is right. A prototype: nothing of the product uses it. See ../record/2026-11-28-doubles.md.
 *
 *   gcc -O3 -mavx2 -mfma -mtune=znver3 product.c -o product && ./product
 *
 * Five limbs of 51 bits, R = 2^255, four elements side by side. A product of limbs below 2^51 is below 2^102. Added to
 * 2^103 it is rounded to a multiple of 2^51, its high part. The rest is the low part, from -2^50 to 2^50. Both stand in
 * the low bits of doubles with known exponents, and are added up as integers.
 * Source: Emmart, Zheng, Weems, "Faster modular exponentiation using double precision floating point arithmetic on the
 * GPU", ARITH 2018. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef unsigned __int128 u128;
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 5")
#define MASK ((1ULL << 51) - 1)

static const double HIGH = 0x1p103, LOW = 0x1.8p52;
static const uint64_t P_WORDS[4] = {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029};
static uint64_t p[5], negative_inverse; /* -1/p modulo 2^51 */
static __m256d p_lanes[5], negative_inverse_lanes;
/* What columns begin with: the constants' bits are taken away, and no column is negative before it is carried. */
static int64_t start[11];

INLINE __m256d to_double(__m256i limb) {
    __m256i bits = _mm256_or_si256(limb, _mm256_set1_epi64x(0x4330000000000000));
    return _mm256_sub_pd(_mm256_castsi256_pd(bits), _mm256_set1_pd(0x1p52));
}

INLINE __m256d low_part(__m256d a, __m256d b, __m256d high) {
    return _mm256_fmadd_pd(a, b, _mm256_sub_pd(_mm256_set1_pd(HIGH + LOW), high));
}

INLINE void add_product(__m256i *columns, __m256d a, __m256d b) {
    __m256d high = _mm256_fmadd_pd(a, b, _mm256_set1_pd(HIGH));
    columns[0] = _mm256_add_epi64(columns[0], _mm256_castpd_si256(low_part(a, b, high)));
    columns[1] = _mm256_add_epi64(columns[1], _mm256_castpd_si256(high));
}

INLINE void add_row(__m256i *columns, __m256i limb, const __m256d *b) {
    __m256d a = to_double(limb);
    UNROLL for (int j = 0; j < 5; j++) add_product(columns + j, a, b[j]);
}

/* The multiple of p that makes the lowest column divisible by 2^51. */
INLINE __m256d quotient(const __m256i *columns) {
    const __m256i mask = _mm256_set1_epi64x(MASK);
    __m256d lowest = to_double(_mm256_and_si256(columns[0], mask));
    __m256d high = _mm256_fmadd_pd(lowest, negative_inverse_lanes, _mm256_set1_pd(HIGH));
    __m256d low = low_part(lowest, negative_inverse_lanes, high);
    return to_double(_mm256_and_si256(_mm256_castpd_si256(low), mask));
}

INLINE void reduce(__m256i *columns, __m256d q) {
    UNROLL for (int j = 0; j < 5; j++) add_product(columns + j, q, p_lanes[j]);
    columns[1] = _mm256_add_epi64(columns[1], _mm256_srli_epi64(columns[0], 51));
}

INLINE void carry(__m256i *limbs, const __m256i *columns) {
    __m256i carry = _mm256_setzero_si256();
    UNROLL for (int k = 0; k < 5; k++) {
        __m256i sum = _mm256_add_epi64(columns[k], carry);
        limbs[k] = k < 4 ? _mm256_and_si256(sum, _mm256_set1_epi64x(MASK)) : sum;
        carry = _mm256_srli_epi64(sum, 51);
    }
}

/* x = x*y and X = X*Y. The first is a row ahead: its quotient is found while the other multiplies. */
INLINE void multiply_two(__m256i *x, const __m256i *y, __m256i *X, const __m256i *Y) {
    __m256d b[5], B[5];
    __m256i columns[11], Columns[11];
    UNROLL for (int i = 0; i < 5; i++) b[i] = to_double(y[i]), B[i] = to_double(Y[i]);
    for (int k = 0; k < 10; k++) columns[k] = Columns[k] = _mm256_set1_epi64x(start[k]);
    add_row(columns, x[0], b);
    UNROLL for (int i = 0; i < 5; i++) {
        __m256d q = quotient(columns + i);
        add_row(Columns + i, X[i], B);
        reduce(columns + i, q);
        __m256d Q = quotient(Columns + i);
        if (i < 4) add_row(columns + i + 1, x[i + 1], b);
        reduce(Columns + i, Q);
    }
    carry(x, columns + 5);
    carry(X, Columns + 5);
}

static void prepare(void) {
    uint64_t high_bits, low_bits, inverse = 1;
    for (int i = 0; i < 5; i++) {
        int bit = 51 * i, word = bit / 64, shift = bit % 64;
        u128 pair = P_WORDS[word] | (u128)(word < 3 ? P_WORDS[word + 1] : 0) << 64;
        p[i] = (uint64_t)(pair >> shift) & MASK;
        p_lanes[i] = _mm256_set1_pd((double)p[i]);
    }
    for (int i = 0; i < 6; i++) inverse *= 2 - P_WORDS[0] * inverse;
    negative_inverse = -inverse & MASK;
    negative_inverse_lanes = _mm256_set1_pd((double)negative_inverse);
    memcpy(&high_bits, &HIGH, 8);
    memcpy(&low_bits, &LOW, 8);
    for (int k = 0; k < 10; k++) {
        uint64_t lows = 0, highs = 0;
        for (int i = 0; i < 5; i++) lows += k - i >= 0 && k - i < 5, highs += k - 1 - i >= 0 && k - 1 - i < 5;
        start[k] = (int64_t)(-2 * lows * low_bits - 2 * highs * high_bits);
        start[k] += (k < 9 ? 1LL << 60 : 0) - (k > 0 ? 1LL << 9 : 0); /* an offset, and that of the column below */
    }
}

static uint64_t state = 88172645463325252;
static uint64_t random_limb(int bits) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state >> (64 - bits);
}

/* The number of limbs that differ from those by words of 64 bits, of 200,000 pairs of products. */
static int wrong(void) {
    int wrong = 0;
    for (int round = 0; round < 200000; round++) {
        uint64_t a[5], b[5];
        for (int i = 0; i < 5; i++) {
            int bits = i < 4 ? 51 : 50;
            uint64_t most = (1ULL << bits) - 1;
            a[i] = round < 64 && round & 1 ? (round & 2 ? most : 0) : random_limb(bits);
            b[i] = round < 64 && round & 4 ? (round & 8 ? most : p[i]) : random_limb(bits);
        }
        __m256i x[5], y[5], X[5], Y[5];
        for (int i = 0; i < 5; i++) x[i] = Y[i] = _mm256_set1_epi64x(a[i]), y[i] = X[i] = _mm256_set1_epi64x(b[i]);
        multiply_two(x, y, X, Y);
        u128 columns[10] = {0}, carry = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++) columns[i + j] += (u128)a[i] * b[j];
        for (int i = 0; i < 5; i++) {
            uint64_t q = (uint64_t)columns[i] * negative_inverse & MASK;
            for (int j = 0; j < 5; j++) columns[i + j] += (u128)q * p[j];
            columns[i + 1] += columns[i] >> 51;
        }
        for (int k = 0; k < 5; k++) {
            u128 sum = columns[k + 5] + carry;
            uint64_t expected = k < 4 ? (uint64_t)sum & MASK : (uint64_t)sum, lanes[2][4];
            _mm256_storeu_si256((__m256i *)lanes[0], x[k]);
            _mm256_storeu_si256((__m256i *)lanes[1], X[k]);
            for (int lane = 0; lane < 8; lane++) wrong += lanes[lane / 4][lane % 4] != expected;
            carry = sum >> 51;
        }
    }
    return wrong;
}

static double cpu_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(void) {
    enum { COUNT = 64, TURNS = 2000 };
    static __m256i x[COUNT][5], y[COUNT][5];
    prepare();
    int faults = wrong();
    printf("wrong limbs: %d\n", faults);
    for (int n = 0; n < COUNT; n++)
        for (int i = 0; i < 5; i++)
            x[n][i] = _mm256_set1_epi64x(random_limb(50)), y[n][i] = _mm256_set1_epi64x(random_limb(50));
    double least = 1e9;
    for (int round = 0; round < 40; round++) {
        double before = cpu_nanoseconds();
        for (int turn = 0; turn < TURNS; turn++) {
            for (int n = 0; n < COUNT; n += 2) multiply_two(x[n], y[n], x[n + 1], y[n + 1]);
            __asm__ volatile("" ::: "memory");
        }
        double each = (cpu_nanoseconds() - before) / ((double)TURNS * COUNT * 4);
        if (each < least) least = each;
    }
    printf("%.2f ns a product\n", least);
    return faults != 0;
}
