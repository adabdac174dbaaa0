//! Sum, difference and last subtraction of residues of four words and six, selected by CSEL.

use super::same;
use core::arch::asm;

/// `t mod p` for `t < 2p < 2^(64N)`. Time: constant. `N` must be 4 or 6.
#[inline(always)]
pub(crate) fn reduce_once<const N: usize>(t: &[u64; N], p: &[u64; N]) -> [u64; N] {
    if N == 4 {
        same(&reduce_once_four(same(t), same(p)))
    } else {
        same(&reduce_once_six(same(t), same(p)))
    }
}

/// `a + b mod p` for residues `a, b` and `2p < 2^(64N)`. Time: constant. `N` must be 4 or 6.
#[inline(always)]
pub(crate) fn add<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    if N == 4 {
        same(&add_four(same(a), same(b), same(p)))
    } else {
        same(&add_six(same(a), same(b), same(p)))
    }
}

/// `a + b mod m` for `a, b` below any `m`. Time: constant. `N` must be 4.
#[inline(always)]
pub(crate) fn add_wide<const N: usize>(a: &[u64; N], b: &[u64; N], m: &[u64; N]) -> [u64; N] {
    same(&add_wide_four(same(a), same(b), same(m)))
}

/// `a - b mod p` for residues `a, b`. Time: constant. `N` must be 4 or 6.
#[inline(always)]
pub(crate) fn sub<const N: usize>(a: &[u64; N], b: &[u64; N], p: &[u64; N]) -> [u64; N] {
    if N == 4 {
        same(&sub_four(same(a), same(b), same(p)))
    } else {
        same(&sub_six(same(a), same(b), same(p)))
    }
}

/// `t mod p` for `t < 2p < 2^256`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn reduce_once_four(t: [u64; 4], p: [u64; 4]) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = t;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "subs {s0}, {r0}, {p0}", "sbcs {s1}, {r1}, {p1}", "sbcs {s2}, {r2}, {p2}", "sbcs {s3}, {r3}, {p3}",
            "csel {r0}, {s0}, {r0}, hs", "csel {r1}, {s1}, {r1}, hs", "csel {r2}, {s2}, {r2}, hs",
            "csel {r3}, {s3}, {r3}, hs",
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3],
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3]
}

/// `a + b mod p` for residues `a, b` and `2p < 2^256`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn add_four(a: [u64; 4], b: [u64; 4], p: [u64; 4]) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = a;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "adds {r0}, {r0}, {b0}", "adcs {r1}, {r1}, {b1}", "adcs {r2}, {r2}, {b2}", "adc {r3}, {r3}, {b3}",
            "subs {b0}, {r0}, {p0}", "sbcs {b1}, {r1}, {p1}", "sbcs {b2}, {r2}, {p2}", "sbcs {b3}, {r3}, {p3}",
            "csel {r0}, {b0}, {r0}, hs", "csel {r1}, {b1}, {r1}, hs", "csel {r2}, {b2}, {r2}, hs",
            "csel {r3}, {b3}, {r3}, hs",
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3],
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            b0 = inout(reg) b[0] => _, b1 = inout(reg) b[1] => _, b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3]
}

/// `a + b mod m` for `a, b` below any `m`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn add_wide_four(a: [u64; 4], b: [u64; 4], m: [u64; 4]) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = a;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "adds {r0}, {r0}, {b0}", "adcs {r1}, {r1}, {b1}", "adcs {r2}, {r2}, {b2}", "adcs {r3}, {r3}, {b3}",
            "adc {top}, xzr, xzr",
            "subs {b0}, {r0}, {m0}", "sbcs {b1}, {r1}, {m1}", "sbcs {b2}, {r2}, {m2}", "sbcs {b3}, {r3}, {m3}",
            "sbcs xzr, {top}, xzr",
            "csel {r0}, {b0}, {r0}, hs", "csel {r1}, {b1}, {r1}, hs", "csel {r2}, {b2}, {r2}, hs",
            "csel {r3}, {b3}, {r3}, hs",
            m0 = in(reg) m[0], m1 = in(reg) m[1], m2 = in(reg) m[2], m3 = in(reg) m[3], top = out(reg) _,
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            b0 = inout(reg) b[0] => _, b1 = inout(reg) b[1] => _, b2 = inout(reg) b[2] => _, b3 = inout(reg) b[3] => _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3]
}

/// `a - b mod p` for residues `a, b`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn sub_four(a: [u64; 4], b: [u64; 4], p: [u64; 4]) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = a;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "subs {r0}, {r0}, {b0}", "sbcs {r1}, {r1}, {b1}", "sbcs {r2}, {r2}, {b2}", "sbcs {r3}, {r3}, {b3}",
            // zeros unless it borrowed
            "csel {b0}, {p0}, xzr, lo", "csel {b1}, {p1}, xzr, lo", "csel {b2}, {p2}, xzr, lo",
            "csel {b3}, {p3}, xzr, lo",
            "adds {r0}, {r0}, {b0}", "adcs {r1}, {r1}, {b1}", "adcs {r2}, {r2}, {b2}", "adc {r3}, {r3}, {b3}",
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3],
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            b0 = inout(reg) b[0] => _, b1 = inout(reg) b[1] => _, b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3]
}

/// `t mod p` for `t < 2p < 2^384`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn reduce_once_six(t: [u64; 6], p: [u64; 6]) -> [u64; 6] {
    let [mut r0, mut r1, mut r2, mut r3, mut r4, mut r5] = t;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "subs {s0}, {r0}, {p0}", "sbcs {s1}, {r1}, {p1}", "sbcs {s2}, {r2}, {p2}", "sbcs {s3}, {r3}, {p3}",
            "sbcs {s4}, {r4}, {p4}", "sbcs {s5}, {r5}, {p5}",
            "csel {r0}, {s0}, {r0}, hs", "csel {r1}, {s1}, {r1}, hs", "csel {r2}, {s2}, {r2}, hs",
            "csel {r3}, {s3}, {r3}, hs", "csel {r4}, {s4}, {r4}, hs", "csel {r5}, {s5}, {r5}, hs",
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3], p4 = in(reg) p[4],
            p5 = in(reg) p[5],
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3, r4 = inout(reg) r4,
            r5 = inout(reg) r5,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _, s4 = out(reg) _, s5 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3, r4, r5]
}

/// `a + b mod p` for residues `a, b` and `2p < 2^384`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn add_six(a: [u64; 6], b: [u64; 6], p: [u64; 6]) -> [u64; 6] {
    let [mut r0, mut r1, mut r2, mut r3, mut r4, mut r5] = a;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "adds {r0}, {r0}, {b0}", "adcs {r1}, {r1}, {b1}", "adcs {r2}, {r2}, {b2}", "adcs {r3}, {r3}, {b3}",
            "adcs {r4}, {r4}, {b4}", "adc {r5}, {r5}, {b5}",
            "subs {b0}, {r0}, {p0}", "sbcs {b1}, {r1}, {p1}", "sbcs {b2}, {r2}, {p2}", "sbcs {b3}, {r3}, {p3}",
            "sbcs {b4}, {r4}, {p4}", "sbcs {b5}, {r5}, {p5}",
            "csel {r0}, {b0}, {r0}, hs", "csel {r1}, {b1}, {r1}, hs", "csel {r2}, {b2}, {r2}, hs",
            "csel {r3}, {b3}, {r3}, hs", "csel {r4}, {b4}, {r4}, hs", "csel {r5}, {b5}, {r5}, hs",
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3], p4 = in(reg) p[4],
            p5 = in(reg) p[5],
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3, r4 = inout(reg) r4,
            r5 = inout(reg) r5,
            b0 = inout(reg) b[0] => _, b1 = inout(reg) b[1] => _, b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _, b4 = inout(reg) b[4] => _, b5 = inout(reg) b[5] => _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3, r4, r5]
}

/// `a - b mod p` for residues `a, b`. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn sub_six(a: [u64; 6], b: [u64; 6], p: [u64; 6]) -> [u64; 6] {
    let [mut r0, mut r1, mut r2, mut r3, mut r4, mut r5] = a;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "subs {r0}, {r0}, {b0}", "sbcs {r1}, {r1}, {b1}", "sbcs {r2}, {r2}, {b2}", "sbcs {r3}, {r3}, {b3}",
            "sbcs {r4}, {r4}, {b4}", "sbcs {r5}, {r5}, {b5}",
            // zeros unless it borrowed
            "csel {b0}, {p0}, xzr, lo", "csel {b1}, {p1}, xzr, lo", "csel {b2}, {p2}, xzr, lo",
            "csel {b3}, {p3}, xzr, lo", "csel {b4}, {p4}, xzr, lo", "csel {b5}, {p5}, xzr, lo",
            "adds {r0}, {r0}, {b0}", "adcs {r1}, {r1}, {b1}", "adcs {r2}, {r2}, {b2}", "adcs {r3}, {r3}, {b3}",
            "adcs {r4}, {r4}, {b4}", "adc {r5}, {r5}, {b5}",
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3], p4 = in(reg) p[4],
            p5 = in(reg) p[5],
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3, r4 = inout(reg) r4,
            r5 = inout(reg) r5,
            b0 = inout(reg) b[0] => _, b1 = inout(reg) b[1] => _, b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _, b4 = inout(reg) b[4] => _, b5 = inout(reg) b[5] => _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3, r4, r5]
}
