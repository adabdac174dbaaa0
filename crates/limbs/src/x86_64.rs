//! Sum, difference, negation and last subtraction of four-word residues in plain x86-64 assembly, for any such CPU.
//!
//! LLVM sees through a selection by mask and may make it a jump on the borrow. That is neither constant time nor fast
//! on random values (measured 4.5 ns a sum against 1.6). CMOV written in assembly stays CMOV.

#![allow(unsafe_code)]

pub(crate) mod binary_gcd;
pub(crate) mod pseudo_mersenne;
pub(crate) mod six;

use core::arch::asm;

/// `t mod p` for `t < 2p < 2^256`. Time: constant.
#[inline(always)]
pub(crate) fn reduce_once<const N: usize>(t: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 4, "the assembly is for four words"); // decided at compile time
    let (mut r0, mut r1, mut r2, mut r3) = (t[0], t[1], t[2], t[3]);
    // SAFETY: reads the four words of `p`; otherwise registers only.
    unsafe {
        asm!(
            "mov {s0}, {r0}", "sub {s0}, [{p}]",
            "mov {s1}, {r1}", "sbb {s1}, [{p} + 8]",
            "mov {s2}, {r2}", "sbb {s2}, [{p} + 16]",
            "mov {s3}, {r3}", "sbb {s3}, [{p} + 24]",
            "cmovnc {r0}, {s0}", "cmovnc {r1}, {s1}", "cmovnc {r2}, {s2}", "cmovnc {r3}, {s3}",
            p = in(reg) p.as_ptr(),
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    four_words([r0, r1, r2, r3])
}

/// `a + b mod p` for residues `a, b` and `2p < 2^256`. Time: constant.
#[inline(always)]
pub(crate) fn add<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 4, "the assembly is for four words"); // decided at compile time
    let (mut r0, mut r1, mut r2, mut r3) = (a[0], a[1], a[2], a[3]);
    // SAFETY: reads the four words of `p`; otherwise registers only.
    unsafe {
        asm!(
            "add {r0}, {s0}", "adc {r1}, {s1}", "adc {r2}, {s2}", "adc {r3}, {s3}",
            "mov {s0}, {r0}", "sub {s0}, [{p}]",
            "mov {s1}, {r1}", "sbb {s1}, [{p} + 8]",
            "mov {s2}, {r2}", "sbb {s2}, [{p} + 16]",
            "mov {s3}, {r3}", "sbb {s3}, [{p} + 24]",
            "cmovnc {r0}, {s0}", "cmovnc {r1}, {s1}", "cmovnc {r2}, {s2}", "cmovnc {r3}, {s3}",
            p = in(reg) p.as_ptr(),
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            s0 = inout(reg) b[0] => _, s1 = inout(reg) b[1] => _, s2 = inout(reg) b[2] => _, s3 = inout(reg) b[3] => _,
            options(pure, readonly, nostack),
        );
    }
    four_words([r0, r1, r2, r3])
}

/// `a + b mod m` for `a, b` below any `m`. Time: constant. `a - m` does not wait for `b`, and the sum of both carries
/// unless it is below zero.
#[inline(always)]
pub(crate) fn add_wide<const N: usize>(a: &[u64; N], b: &[u64; N], m: &[u64; N]) -> [u64; N] {
    assert!(N == 4, "the assembly is for four words"); // decided at compile time
    let (mut r0, mut r1, mut r2, mut r3) = (a[0], a[1], a[2], a[3]);
    // SAFETY: reads the four words of `m`; otherwise registers only.
    unsafe {
        asm!(
            "mov {s0}, {r0}", "sub {s0}, [{m}]",
            "mov {s1}, {r1}", "sbb {s1}, [{m} + 8]",
            "mov {s2}, {r2}", "sbb {s2}, [{m} + 16]",
            "mov {s3}, {r3}", "sbb {s3}, [{m} + 24]",
            "add {r0}, {b0}", "adc {r1}, {b1}", "adc {r2}, {b2}", "adc {r3}, {b3}",
            "add {s0}, {b0}", "adc {s1}, {b1}", "adc {s2}, {b2}", "adc {s3}, {b3}",
            "cmovc {r0}, {s0}", "cmovc {r1}, {s1}", "cmovc {r2}, {s2}", "cmovc {r3}, {s3}",
            m = in(reg) m.as_ptr(),
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            b0 = in(reg) b[0], b1 = in(reg) b[1], b2 = in(reg) b[2], b3 = in(reg) b[3],
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    four_words([r0, r1, r2, r3])
}

/// `a - b mod p` for residues `a, b`. Time: constant. The difference and the difference plus `p` are formed side by
/// side, so the way through is one carry chain and a selection.
#[inline(always)]
pub(crate) fn sub<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 4, "the assembly is for four words"); // decided at compile time
    let (mut r0, mut r1, mut r2, mut r3) = (a[0], a[1], a[2], a[3]);
    // SAFETY: reads the four words of `p`; otherwise registers only.
    unsafe {
        asm!(
            "sub {r0}, {s0}", "sbb {r1}, {s1}", "sbb {r2}, {s2}", "sbb {r3}, {s3}",
            "sbb {borrow}, {borrow}",
            "mov {s0}, {r0}", "add {s0}, [{p}]",
            "mov {s1}, {r1}", "adc {s1}, [{p} + 8]",
            "mov {s2}, {r2}", "adc {s2}, [{p} + 16]",
            "mov {s3}, {r3}", "adc {s3}, [{p} + 24]",
            "test {borrow}, {borrow}",
            "cmovnz {r0}, {s0}", "cmovnz {r1}, {s1}", "cmovnz {r2}, {s2}", "cmovnz {r3}, {s3}",
            p = in(reg) p.as_ptr(), borrow = out(reg) _,
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            s0 = inout(reg) b[0] => _, s1 = inout(reg) b[1] => _, s2 = inout(reg) b[2] => _, s3 = inout(reg) b[3] => _,
            options(pure, readonly, nostack),
        );
    }
    four_words([r0, r1, r2, r3])
}

/// `-a mod p` for a residue `a`; zero stays zero. Time: constant.
#[inline(always)]
pub(crate) fn neg<const N: usize>(a: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 4, "the assembly is for four words"); // decided at compile time
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: reads the four words of `p`; otherwise registers only.
    unsafe {
        asm!(
            "mov {r0}, [{p}]", "sub {r0}, {a0}",
            "mov {r1}, [{p} + 8]", "sbb {r1}, {a1}",
            "mov {r2}, [{p} + 16]", "sbb {r2}, {a2}",
            "mov {r3}, [{p} + 24]", "sbb {r3}, {a3}",
            "mov {any}, {a0}", "or {any}, {a1}", "or {any}, {a2}", "or {any}, {a3}", // p - 0 must be 0
            "cmovz {r0}, {any}", "cmovz {r1}, {any}", "cmovz {r2}, {any}", "cmovz {r3}, {any}",
            p = in(reg) p.as_ptr(), any = out(reg) _,
            a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3],
            r0 = out(reg) r0, r1 = out(reg) r1, r2 = out(reg) r2, r3 = out(reg) r3,
            options(pure, readonly, nostack),
        );
    }
    four_words([r0, r1, r2, r3])
}

/// Four words as `N`, for code that is generic over `N` and calls assembly for four.
///
/// Written out: `core::array::from_fn` is five calls to inline for each word, and in large functions some are left as
/// calls. Without LTO a stage of an FFT then takes twice the instructions.
#[inline(always)]
pub(crate) fn four_words<const N: usize>([w0, w1, w2, w3]: [u64; 4]) -> [u64; N] {
    assert!(N == 4, "four words"); // decided at compile time
    let mut words = [0; N];
    (words[0], words[1], words[2], words[3]) = (w0, w1, w2, w3);
    words
}

/// Six words as `N`, as [`four_words`].
#[inline(always)]
pub(crate) fn six_words<const N: usize>([w0, w1, w2, w3, w4, w5]: [u64; 6]) -> [u64; N] {
    assert!(N == 6, "six words"); // decided at compile time
    let mut words = [0; N];
    (words[0], words[1], words[2]) = (w0, w1, w2);
    (words[3], words[4], words[5]) = (w3, w4, w5);
    words
}

/// See [`crate::modular::in_registers`].
#[inline(always)]
pub(crate) fn in_registers<const N: usize>(words: [u64; N]) -> [u64; N] {
    assert!(N == 6, "the assembly is for six words"); // decided at compile time
    let (mut r0, mut r1, mut r2) = (words[0], words[1], words[2]);
    let (mut r3, mut r4, mut r5) = (words[3], words[4], words[5]);
    // SAFETY: no instruction.
    unsafe {
        asm!(
            "/* {0} {1} {2} {3} {4} {5} */",
            inout(reg) r0, inout(reg) r1, inout(reg) r2, inout(reg) r3, inout(reg) r4, inout(reg) r5,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    six_words([r0, r1, r2, r3, r4, r5])
}
