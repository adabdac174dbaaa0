//! As the parent module, for six words.

use super::six_words;
use core::arch::asm;

// The words in registers r0..r5 less p, unless that borrows, with s0..s5 to spare.
#[rustfmt::skip]
macro_rules! subtract_p {
    () => {
        concat!(
            "mov {s0}, {r0}\n sub {s0}, [{p}]\n",
            "mov {s1}, {r1}\n sbb {s1}, [{p} + 8]\n",
            "mov {s2}, {r2}\n sbb {s2}, [{p} + 16]\n",
            "mov {s3}, {r3}\n sbb {s3}, [{p} + 24]\n",
            "mov {s4}, {r4}\n sbb {s4}, [{p} + 32]\n",
            "mov {s5}, {r5}\n sbb {s5}, [{p} + 40]\n",
            "cmovnc {r0}, {s0}\n cmovnc {r1}, {s1}\n cmovnc {r2}, {s2}\n",
            "cmovnc {r3}, {s3}\n cmovnc {r4}, {s4}\n cmovnc {r5}, {s5}\n",
        )
    };
}

/// `t mod p` for `t < 2p < 2^384`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn reduce_once<const N: usize>(t: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 6, "the assembly is for six words"); // decided at compile time
    let (mut r0, mut r1, mut r2, mut r3, mut r4, mut r5) = (t[0], t[1], t[2], t[3], t[4], t[5]);
    // SAFETY: reads the six words of `p`; otherwise registers only.
    unsafe {
        asm!(
            subtract_p!(),
            p = in(reg) p.as_ptr(),
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3, r4 = inout(reg) r4, r5 = inout(reg) r5,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _, s4 = out(reg) _, s5 = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    six_words([r0, r1, r2, r3, r4, r5])
}

/// `a + b mod p` for residues `a, b` and `2p < 2^384`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn add<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 6, "the assembly is for six words"); // decided at compile time
    let (mut r0, mut r1, mut r2, mut r3, mut r4, mut r5) = (a[0], a[1], a[2], a[3], a[4], a[5]);
    // SAFETY: reads the six words of `p`; otherwise registers only.
    unsafe {
        asm!(
            "add {r0}, {s0}", "adc {r1}, {s1}", "adc {r2}, {s2}", "adc {r3}, {s3}", "adc {r4}, {s4}", "adc {r5}, {s5}",
            subtract_p!(),
            p = in(reg) p.as_ptr(),
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3, r4 = inout(reg) r4, r5 = inout(reg) r5,
            s0 = inout(reg) b[0] => _, s1 = inout(reg) b[1] => _, s2 = inout(reg) b[2] => _,
            s3 = inout(reg) b[3] => _, s4 = inout(reg) b[4] => _, s5 = inout(reg) b[5] => _,
            options(pure, readonly, nostack),
        );
    }
    six_words([r0, r1, r2, r3, r4, r5])
}

/// `a - b mod p` for residues `a, b`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn sub<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 6, "the assembly is for six words"); // decided at compile time
    let (mut r0, mut r1, mut r2, mut r3, mut r4, mut r5) = (a[0], a[1], a[2], a[3], a[4], a[5]);
    // SAFETY: reads the six words of `p`; otherwise registers only.
    unsafe {
        asm!(
            "sub {r0}, {s0}", "sbb {r1}, {s1}", "sbb {r2}, {s2}", "sbb {r3}, {s3}", "sbb {r4}, {s4}", "sbb {r5}, {s5}",
            "sbb {s0}, {s0}", // all ones if it borrowed
            "mov {s1}, [{p} + 8]", "and {s1}, {s0}", "mov {s2}, [{p} + 16]", "and {s2}, {s0}",
            "mov {s3}, [{p} + 24]", "and {s3}, {s0}", "mov {s4}, [{p} + 32]", "and {s4}, {s0}",
            "mov {s5}, [{p} + 40]", "and {s5}, {s0}", "and {s0}, [{p}]",
            "add {r0}, {s0}", "adc {r1}, {s1}", "adc {r2}, {s2}", "adc {r3}, {s3}", "adc {r4}, {s4}", "adc {r5}, {s5}",
            p = in(reg) p.as_ptr(),
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3, r4 = inout(reg) r4, r5 = inout(reg) r5,
            s0 = inout(reg) b[0] => _, s1 = inout(reg) b[1] => _, s2 = inout(reg) b[2] => _,
            s3 = inout(reg) b[3] => _, s4 = inout(reg) b[4] => _, s5 = inout(reg) b[5] => _,
            options(pure, readonly, nostack),
        );
    }
    six_words([r0, r1, r2, r3, r4, r5])
}

/// `-a mod p` for a residue `a`; zero stays zero. Time: constant.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn neg<const N: usize>(a: &[u64; N], p: &[u64; N]) -> [u64; N] {
    assert!(N == 6, "the assembly is for six words"); // decided at compile time
    let (r0, r1, r2, r3, r4, r5): (u64, u64, u64, u64, u64, u64);
    // SAFETY: reads the six words of `p` and of `a`; otherwise registers only.
    unsafe {
        asm!(
            "mov {any}, [{a}]", "or {any}, [{a} + 8]", "or {any}, [{a} + 16]", // p - 0 must be 0
            "or {any}, [{a} + 24]", "or {any}, [{a} + 32]", "or {any}, [{a} + 40]",
            "mov {r0}, [{p}]", "sub {r0}, [{a}]",
            "mov {r1}, [{p} + 8]", "sbb {r1}, [{a} + 8]",
            "mov {r2}, [{p} + 16]", "sbb {r2}, [{a} + 16]",
            "mov {r3}, [{p} + 24]", "sbb {r3}, [{a} + 24]",
            "mov {r4}, [{p} + 32]", "sbb {r4}, [{a} + 32]",
            "mov {r5}, [{p} + 40]", "sbb {r5}, [{a} + 40]",
            "test {any}, {any}",
            "cmovz {r0}, {any}", "cmovz {r1}, {any}", "cmovz {r2}, {any}",
            "cmovz {r3}, {any}", "cmovz {r4}, {any}", "cmovz {r5}, {any}",
            p = in(reg) p.as_ptr(), a = in(reg) a.as_ptr(), any = out(reg) _,
            r0 = out(reg) r0, r1 = out(reg) r1, r2 = out(reg) r2, r3 = out(reg) r3, r4 = out(reg) r4, r5 = out(reg) r5,
            options(pure, readonly, nostack),
        );
    }
    six_words([r0, r1, r2, r3, r4, r5])
}
