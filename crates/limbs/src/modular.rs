//! Sum, difference, negation and last subtraction of residues at run time, in constant time after compilation too.
//!
//! LLVM is free to compile selections by a mask to jumps. So the mask is made opaque first, and on x86-64 and AArch64
//! four words and six take assembly. The `const` twins in [`crate::portable`] pass the mask through memory.

use crate::words;

/// `t mod p` for `t < 2p < 2^(64N)`.
#[inline(always)]
pub fn reduce_once<const N: usize>(t: &[u64; N], p: &[u64; N]) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::reduce_once(t, in_memory(p));
    }
    #[cfg(target_arch = "x86_64")]
    if N == 4 {
        return crate::x86_64::reduce_once(t, p);
    }
    #[cfg(target_arch = "x86_64")]
    if N == 6 {
        return crate::x86_64::six::reduce_once(t, p);
    }
    let (reduced, borrow) = words::sub(t, p);
    words::select_mask(&reduced, t, opaque(borrow.wrapping_neg()))
}

/// `a + b mod p` for residues `a, b` and `2p < 2^(64N)`.
#[inline(always)]
pub fn add<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::add(a, b, in_memory(p));
    }
    #[cfg(target_arch = "x86_64")]
    if N == 4 {
        return crate::x86_64::add(a, b, p);
    }
    #[cfg(target_arch = "x86_64")]
    if N == 6 {
        return crate::x86_64::six::add(a, b, p);
    }
    reduce_once(&words::add(a, b).0, p)
}

/// `a + b mod m` for `a, b` below any `m`: of which the double may be above `2^(64N)`.
#[inline(always)]
pub fn add_wide<const N: usize>(a: &[u64; N], b: &[u64; N], m: &[u64; N]) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 {
        return crate::aarch64::add_wide(a, b, in_memory(m));
    }
    #[cfg(target_arch = "x86_64")]
    if N == 4 {
        return crate::x86_64::add_wide(a, b, m);
    }
    let (sum, carry) = words::add(a, b);
    let (reduced, borrow) = words::sub(&sum, m);
    let is_below = borrow & !carry;
    words::select_mask(&reduced, &sum, opaque(is_below.wrapping_neg()))
}

/// `a - b mod p` for residues `a, b`.
#[inline(always)]
pub fn sub<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::sub(a, b, in_memory(p));
    }
    #[cfg(target_arch = "x86_64")]
    if N == 4 {
        return crate::x86_64::sub(a, b, p);
    }
    #[cfg(target_arch = "x86_64")]
    if N == 6 {
        return crate::x86_64::six::sub(a, b, p);
    }
    let (difference, borrow) = words::sub(a, b);
    let correction = words::select_mask(&[0; N], p, opaque(borrow.wrapping_neg()));
    words::add(&difference, &correction).0
}

/// `-a mod p` for a residue `a`; zero stays zero.
#[inline(always)]
pub fn neg<const N: usize>(a: &[u64; N], p: &[u64; N]) -> [u64; N] {
    #[cfg(target_arch = "x86_64")]
    if N == 4 {
        return crate::x86_64::neg(a, p);
    }
    #[cfg(target_arch = "x86_64")]
    if N == 6 {
        return crate::x86_64::six::neg(a, p);
    }
    sub(&[0; N], a, p)
}

/// `a/2 mod p` for a residue `a` of an odd `p` with `2p < 2^(64N)`.
#[inline(always)]
pub fn halve<const N: usize>(a: &[u64; N], p: &[u64; N]) -> [u64; N] {
    let correction = words::select_mask(&[0; N], p, opaque((a[0] & 1).wrapping_neg()));
    words::halve(&words::add(a, &correction).0)
}

/// Entry `index` of `table`, all of which is read; zeros if there is none. Time: depends on the length of the table
/// only.
#[inline(always)]
pub fn lookup<'a, const N: usize>(
    table: impl IntoIterator<Item = &'a [u64; N]>,
    index: u64,
) -> [u64; N] {
    let mut chosen = [0; N];
    for (entry, position) in table.into_iter().zip(0u64..) {
        let difference = position ^ index;
        let differs = (difference | difference.wrapping_neg()) >> 63;
        let mask = opaque(differs.wrapping_sub(1));
        for i in 0..N {
            chosen[i] |= entry[i] & mask;
        }
    }
    chosen
}

/// `mask`, of whose value the optimiser knows nothing afterwards.
#[inline(always)]
pub fn opaque(mask: u64) -> u64 {
    #[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
    {
        crate::registers::opaque(mask)
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
    {
        core::hint::black_box(mask)
    }
}

/// `value`, of whose contents the optimiser knows nothing afterwards. For a modulus that is a constant: its words are
/// then read where they lie, as operands of the multiplications. LLVM would build each in a register, by an instruction
/// of ten bytes. On x86-64, products of six words in plain Rust take 25.6 ns instead of 29.9.
#[inline(always)]
pub fn in_memory<T>(value: &T) -> &T {
    #[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
    {
        crate::registers::in_memory(value)
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
    {
        value
    }
}

/// Six words that a function wrote to memory, read word by word. Else LLVM copies them to their place by halves of 16
/// bytes, which wait until all are written (a failed store forwarding). Another backend's words take the same way
/// through memory.
#[inline(always)]
pub(crate) fn in_registers<const N: usize>(words: [u64; N]) -> [u64; N] {
    #[cfg(target_arch = "x86_64")]
    if N == 6 {
        return crate::x86_64::in_registers(words);
    }
    words
}
