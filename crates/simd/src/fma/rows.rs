//! Rows of words in memory into columns in registers, and back, four at a time.

use core::arch::x86_64::*;

/// Four rows of four words into four columns, and back.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
pub(super) unsafe fn transpose([r0, r1, r2, r3]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: AVX2 by the caller.
    unsafe {
        let (even0, odd0) = (_mm256_unpacklo_epi64(r0, r1), _mm256_unpackhi_epi64(r0, r1));
        let (even1, odd1) = (_mm256_unpacklo_epi64(r2, r3), _mm256_unpackhi_epi64(r2, r3));
        [
            _mm256_permute2x128_si256::<0x20>(even0, even1),
            _mm256_permute2x128_si256::<0x20>(odd0, odd1),
            _mm256_permute2x128_si256::<0x31>(even0, even1),
            _mm256_permute2x128_si256::<0x31>(odd0, odd1),
        ]
    }
}

/// # Safety
/// The CPU must have AVX.
#[inline(always)]
pub(super) unsafe fn load_four(row: &[u64; 4]) -> __m256i {
    // SAFETY: AVX by the caller; the reference is to 32 readable bytes, of any alignment.
    unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
}

/// # Safety
/// The CPU must have AVX.
#[inline(always)]
pub(super) unsafe fn store_fours(fours: [__m256i; 4], rows: [&mut [u64; 4]; 4]) {
    for (four, row) in fours.into_iter().zip(rows) {
        // SAFETY: AVX by the caller; the reference is to 32 writable bytes, of any alignment.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), four) };
    }
}

/// Word 0 and word 1 of four rows of two.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
pub(super) unsafe fn load_two(
    r0: &[u64; 2],
    r1: &[u64; 2],
    r2: &[u64; 2],
    r3: &[u64; 2],
) -> [__m256i; 2] {
    // SAFETY: AVX2 by the caller; each reference is to 16 readable bytes, of any alignment.
    unsafe {
        let pair = |low: &[u64; 2], high: &[u64; 2]| {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(low.as_ptr().cast()));
            _mm256_inserti128_si256::<1>(low, _mm_loadu_si128(high.as_ptr().cast()))
        };
        let (a, b) = (pair(r0, r2), pair(r1, r3));
        [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)]
    }
}

/// The inverse of [`load_two`].
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
pub(super) unsafe fn store_twos(c0: __m256i, c1: __m256i, [r0, r1, r2, r3]: [&mut [u64; 2]; 4]) {
    // SAFETY: AVX2 by the caller; each reference is to 16 writable bytes, of any alignment.
    unsafe {
        let (a, b) = (_mm256_unpacklo_epi64(c0, c1), _mm256_unpackhi_epi64(c0, c1)); // rows 0 and 2, 1 and 3
        _mm_storeu_si128(r0.as_mut_ptr().cast(), _mm256_castsi256_si128(a));
        _mm_storeu_si128(r1.as_mut_ptr().cast(), _mm256_castsi256_si128(b));
        _mm_storeu_si128(r2.as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(a));
        _mm_storeu_si128(r3.as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(b));
    }
}
