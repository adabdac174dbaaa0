//! Parts of products, four at a time, by doubles.

use core::arch::asm;
use core::arch::x86_64::*;

/// The number at which products are rounded: high parts are multiples of 2^52.
pub(super) const HIGH: f64 = (1u128 << 104) as f64;
/// [`HIGH`] less `1.5·2^52`. Less a rounded product it is exact: a multiple of 2^51, and below 2^104 in absolute value.
/// For a product is at most `(2^52 - 1)²`, which is rounded to `2^104 - 2^53`.
const LESS: f64 = ((1u128 << 104) - (3 << 51)) as f64;
/// The number that low parts are added to. With one from -2^51 to 2^51 it is between -2^53 and -2^52, so its bits are
/// `LOW.to_bits()` less the low part.
pub(super) const LOW: f64 = -((3u64 << 51) as f64);

/// Numbers below 2^52 as doubles.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
pub(super) unsafe fn to_double(x: __m256i) -> __m256d {
    const EXPONENT: f64 = (1u64 << 52) as f64;
    // SAFETY: AVX2 by the caller.
    unsafe {
        let exponent = _mm256_set1_pd(EXPONENT);
        _mm256_sub_pd(_mm256_or_pd(_mm256_castsi256_pd(x), exponent), exponent)
    }
}

/// As [`Vector::low_product`]. A negative low part lacks 2^52.
///
/// # Safety
/// The CPU must have AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn low_product(a: __m256d, b: __m256d) -> __m256d {
    // SAFETY: the features by the caller.
    unsafe {
        let exponent = _mm256_set1_pd(HIGH);
        let high = _mm256_fmadd_pd(a, b, exponent);
        let low = _mm256_fmadd_pd(a, b, _mm256_sub_pd(exponent, high));
        let negative = _mm256_cmp_pd::<_CMP_LT_OQ>(low, _mm256_setzero_pd());
        _mm256_add_pd(
            low,
            _mm256_and_pd(negative, _mm256_set1_pd((1u64 << 52) as f64)),
        )
    }
}

/// As [`Vector::add_product`], in assembly: the compiler would keep the high parts for later, and spill them.
///
/// # Safety
/// The CPU must have AVX2 and FMA.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn add_product(
    [mut low0, mut low1]: [__m256i; 2],
    [mut high0, mut high1]: [__m256i; 2],
    [a0, a1]: [__m256d; 2],
    [b0, b1]: [__m256d; 2],
) -> ([__m256i; 2], [__m256i; 2]) {
    // SAFETY: the features by the caller; reads and writes registers only.
    unsafe {
        asm!(
            "vmovapd {h0}, {exponent}",
            "vmovapd {h1}, {exponent}",
            "vfmadd231pd {h0}, {a0}, {b0}",
            "vfmadd231pd {h1}, {a1}, {b1}",
            "vsubpd {l0}, {less}, {h0}",
            "vsubpd {l1}, {less}, {h1}",
            "vfmadd231pd {l0}, {a0}, {b0}",
            "vfmadd231pd {l1}, {a1}, {b1}",
            "vpaddq {high0}, {high0}, {h0}",
            "vpaddq {high1}, {high1}, {h1}",
            "vpsubq {low0}, {low0}, {l0}",
            "vpsubq {low1}, {low1}, {l1}",
            a0 = in(ymm_reg) a0,
            a1 = in(ymm_reg) a1,
            b0 = in(ymm_reg) b0,
            b1 = in(ymm_reg) b1,
            exponent = in(ymm_reg) _mm256_set1_pd(HIGH),
            less = in(ymm_reg) _mm256_set1_pd(LESS),
            low0 = inout(ymm_reg) low0,
            low1 = inout(ymm_reg) low1,
            high0 = inout(ymm_reg) high0,
            high1 = inout(ymm_reg) high1,
            h0 = out(ymm_reg) _,
            h1 = out(ymm_reg) _,
            l0 = out(ymm_reg) _,
            l1 = out(ymm_reg) _,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    ([low0, low1], [high0, high1])
}
