//! Rows: a number times a word, added to another; and a step of Montgomery's reduction.
//!
//! There is one flag for carries, so a row is two chains. The first has the low words of all products, the second the
//! high words, a word further up. MUL and UMULH leave the flag as it is. They stand between the additions, ahead of
//! their use.
//!
//! Names of registers: words of the sum `t0, t1…`, of the number `a0, a1…`, of the modulus `p0, p1…`, of products
//! `h0, h1…`, and the word `top` above.

use super::same;
use crate::Modulus;
use core::arch::asm;

/// `a·b` for four words or six, and the word above. Time: constant.
#[inline(always)]
pub(super) fn multiply<const N: usize>(a: &[u64; N], b: u64) -> ([u64; N], u64) {
    if N == 4 {
        let (t, top) = multiply_four(same(a), b);
        (same(&t), top)
    } else {
        let (t, top) = multiply_six(same(a), b);
        (same(&t), top)
    }
}

/// `t + a·b` for four words or six, and the word above. Time: constant.
#[inline(always)]
pub(crate) fn add<const N: usize>(t: &[u64; N], a: &[u64; N], b: u64) -> ([u64; N], u64) {
    if N == 4 {
        let (t, top) = add_four(same(t), same(a), b);
        (same(&t), top)
    } else {
        let (t, top) = add_six(same(t), same(a), b);
        (same(&t), top)
    }
}

/// `(t + m·p)/2^64` for the `m` that makes it an integer: at most `p` for any `t`. Time: constant.
///
/// `m·p + t` has zeros in its lowest word, so the carry from there is one unless `t` has zeros there.
#[inline(always)]
pub(super) fn reduce<const N: usize>(t: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    if N == 4 {
        same(&reduce_four(same(t), same(&modulus.p), modulus.p_neg_inv))
    } else {
        same(&reduce_six(same(t), same(&modulus.p), modulus.p_neg_inv))
    }
}

/// As [`reduce`] with a word above `t`. The result must fit `N` words.
#[inline(always)]
pub(super) fn reduce_with_top<const N: usize>(
    t: &[u64; N],
    top: u64,
    modulus: &Modulus<N>,
) -> [u64; N] {
    let (p, p_neg_inv) = (&modulus.p, modulus.p_neg_inv);
    if N == 4 {
        same(&reduce_four_with_top(same(t), top, same(p), p_neg_inv))
    } else {
        same(&reduce_six_with_top(same(t), top, same(p), p_neg_inv))
    }
}

/// `a·b`, and the word above. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn multiply_four(a: [u64; 4], b: u64) -> ([u64; 4], u64) {
    let (t0, t1, t2, t3, top): (u64, u64, u64, u64, u64);
    // SAFETY: registers only.
    unsafe {
        asm!(
            "mul {t0}, {a0}, {b}", "umulh {h0}, {a0}, {b}", "mul {t1}, {a1}, {b}", "umulh {h1}, {a1}, {b}",
            "mul {t2}, {a2}, {b}", "umulh {h2}, {a2}, {b}", "mul {t3}, {a3}, {b}", "umulh {top}, {a3}, {b}",
            "adds {t1}, {t1}, {h0}", "adcs {t2}, {t2}, {h1}", "adcs {t3}, {t3}, {h2}", "adc {top}, {top}, xzr",
            a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3], b = in(reg) b,
            t0 = out(reg) t0, t1 = out(reg) t1, t2 = out(reg) t2, t3 = out(reg) t3, top = out(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    ([t0, t1, t2, t3], top)
}

/// `t + a·b`, and the word above. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn add_four(t: [u64; 4], a: [u64; 4], b: u64) -> ([u64; 4], u64) {
    let [mut t0, mut t1, mut t2, mut t3] = t;
    let top: u64;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "mul {h0}, {a0}, {b}", "mul {h1}, {a1}, {b}", "mul {h2}, {a2}, {b}", "mul {top}, {a3}, {b}",
            "adds {t0}, {t0}, {h0}", "umulh {h0}, {a0}, {b}", "adcs {t1}, {t1}, {h1}", "umulh {h1}, {a1}, {b}",
            "adcs {t2}, {t2}, {h2}", "umulh {h2}, {a2}, {b}", "adcs {t3}, {t3}, {top}", "umulh {top}, {a3}, {b}",
            "adc {top}, {top}, xzr", "adds {t1}, {t1}, {h0}", "adcs {t2}, {t2}, {h1}", "adcs {t3}, {t3}, {h2}",
            "adc {top}, {top}, xzr",
            a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3], b = in(reg) b,
            t0 = inout(reg) t0, t1 = inout(reg) t1, t2 = inout(reg) t2, t3 = inout(reg) t3, top = out(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    ([t0, t1, t2, t3], top)
}

// The chains of a reduction of four words, with the instruction that takes the carry of the low words to `top`.
macro_rules! reduce_four {
    ($top:literal) => {
        concat!(
            "cmp {t0}, #1\n mul {t0}, {t0}, {k}\n mul {h1}, {p1}, {t0}\n mul {h2}, {p2}, {t0}\n",
            "mul {h3}, {p3}, {t0}\n",
            "umulh {h0}, {p0}, {t0}\n adcs {t1}, {t1}, {h1}\n umulh {h1}, {p1}, {t0}\n",
            "adcs {t2}, {t2}, {h2}\n umulh {h2}, {p2}, {t0}\n adcs {t3}, {t3}, {h3}\n",
            "umulh {h3}, {p3}, {t0}\n",
            $top,
            "adds {t1}, {t1}, {h0}\n adcs {t2}, {t2}, {h1}\n adcs {t3}, {t3}, {h2}\n",
            "adc {top}, {top}, {h3}\n",
        )
    };
}

/// `(t + m·p)/2^64` for the `m` that makes it an integer. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn reduce_four(t: [u64; 4], p: [u64; 4], p_neg_inv: u64) -> [u64; 4] {
    let [_, mut t1, mut t2, mut t3] = t;
    let top: u64;
    // SAFETY: registers only.
    unsafe {
        asm!(
            reduce_four!("adc {top}, xzr, xzr\n"),
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3], k = in(reg) p_neg_inv,
            t0 = inout(reg) t[0] => _, t1 = inout(reg) t1, t2 = inout(reg) t2, t3 = inout(reg) t3,
            top = out(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _, h3 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t1, t2, t3, top]
}

/// `(t + top·2^256 + m·p)/2^64`, which must fit four words, for the `m` that makes it an integer. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn reduce_four_with_top(t: [u64; 4], mut top: u64, p: [u64; 4], p_neg_inv: u64) -> [u64; 4] {
    let [_, mut t1, mut t2, mut t3] = t;
    // SAFETY: registers only.
    unsafe {
        asm!(
            reduce_four!("adc {top}, {top}, xzr\n"),
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3], k = in(reg) p_neg_inv,
            t0 = inout(reg) t[0] => _, t1 = inout(reg) t1, t2 = inout(reg) t2, t3 = inout(reg) t3,
            top = inout(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _, h3 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t1, t2, t3, top]
}

/// `a·b`, and the word above. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn multiply_six(a: [u64; 6], b: u64) -> ([u64; 6], u64) {
    let (t0, t1, t2, t3, t4, t5, top): (u64, u64, u64, u64, u64, u64, u64);
    // SAFETY: registers only.
    unsafe {
        asm!(
            "mul {t0}, {a0}, {b}", "umulh {h0}, {a0}, {b}", "mul {t1}, {a1}, {b}", "umulh {h1}, {a1}, {b}",
            "mul {t2}, {a2}, {b}", "umulh {h2}, {a2}, {b}", "mul {t3}, {a3}, {b}", "umulh {h3}, {a3}, {b}",
            "mul {t4}, {a4}, {b}", "umulh {h4}, {a4}, {b}", "mul {t5}, {a5}, {b}", "umulh {top}, {a5}, {b}",
            "adds {t1}, {t1}, {h0}", "adcs {t2}, {t2}, {h1}", "adcs {t3}, {t3}, {h2}", "adcs {t4}, {t4}, {h3}",
            "adcs {t5}, {t5}, {h4}", "adc {top}, {top}, xzr",
            a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3], a4 = in(reg) a[4],
            a5 = in(reg) a[5], b = in(reg) b,
            t0 = out(reg) t0, t1 = out(reg) t1, t2 = out(reg) t2, t3 = out(reg) t3, t4 = out(reg) t4,
            t5 = out(reg) t5, top = out(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _, h3 = out(reg) _, h4 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    ([t0, t1, t2, t3, t4, t5], top)
}

/// `t + a·b`, and the word above. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn add_six(t: [u64; 6], a: [u64; 6], b: u64) -> ([u64; 6], u64) {
    let [mut t0, mut t1, mut t2, mut t3, mut t4, mut t5] = t;
    let top: u64;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "mul {h0}, {a0}, {b}", "mul {h1}, {a1}, {b}", "mul {h2}, {a2}, {b}", "mul {h3}, {a3}, {b}",
            "mul {h4}, {a4}, {b}", "mul {top}, {a5}, {b}",
            "adds {t0}, {t0}, {h0}", "umulh {h0}, {a0}, {b}", "adcs {t1}, {t1}, {h1}", "umulh {h1}, {a1}, {b}",
            "adcs {t2}, {t2}, {h2}", "umulh {h2}, {a2}, {b}", "adcs {t3}, {t3}, {h3}", "umulh {h3}, {a3}, {b}",
            "adcs {t4}, {t4}, {h4}", "umulh {h4}, {a4}, {b}", "adcs {t5}, {t5}, {top}", "umulh {top}, {a5}, {b}",
            "adc {top}, {top}, xzr", "adds {t1}, {t1}, {h0}", "adcs {t2}, {t2}, {h1}", "adcs {t3}, {t3}, {h2}",
            "adcs {t4}, {t4}, {h3}", "adcs {t5}, {t5}, {h4}", "adc {top}, {top}, xzr",
            a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3], a4 = in(reg) a[4],
            a5 = in(reg) a[5], b = in(reg) b,
            t0 = inout(reg) t0, t1 = inout(reg) t1, t2 = inout(reg) t2, t3 = inout(reg) t3, t4 = inout(reg) t4,
            t5 = inout(reg) t5, top = out(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _, h3 = out(reg) _, h4 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    ([t0, t1, t2, t3, t4, t5], top)
}

// The chains of a reduction of six words, with the instruction that takes the carry of the low words to `top`.
macro_rules! reduce_six {
    ($top:literal) => {
        concat!(
            "cmp {t0}, #1\n mul {t0}, {t0}, {k}\n mul {h1}, {p1}, {t0}\n mul {h2}, {p2}, {t0}\n",
            "mul {h3}, {p3}, {t0}\n mul {h4}, {p4}, {t0}\n mul {h5}, {p5}, {t0}\n",
            "umulh {h0}, {p0}, {t0}\n adcs {t1}, {t1}, {h1}\n umulh {h1}, {p1}, {t0}\n",
            "adcs {t2}, {t2}, {h2}\n umulh {h2}, {p2}, {t0}\n adcs {t3}, {t3}, {h3}\n",
            "umulh {h3}, {p3}, {t0}\n adcs {t4}, {t4}, {h4}\n umulh {h4}, {p4}, {t0}\n",
            "adcs {t5}, {t5}, {h5}\n umulh {h5}, {p5}, {t0}\n",
            $top,
            "adds {t1}, {t1}, {h0}\n adcs {t2}, {t2}, {h1}\n adcs {t3}, {t3}, {h2}\n",
            "adcs {t4}, {t4}, {h3}\n adcs {t5}, {t5}, {h4}\n adc {top}, {top}, {h5}\n",
        )
    };
}

/// `(t + m·p)/2^64` for the `m` that makes it an integer. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn reduce_six(t: [u64; 6], p: [u64; 6], p_neg_inv: u64) -> [u64; 6] {
    let [_, mut t1, mut t2, mut t3, mut t4, mut t5] = t;
    let top: u64;
    // SAFETY: registers only.
    unsafe {
        asm!(
            reduce_six!("adc {top}, xzr, xzr\n"),
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3], p4 = in(reg) p[4],
            p5 = in(reg) p[5], k = in(reg) p_neg_inv,
            t0 = inout(reg) t[0] => _, t1 = inout(reg) t1, t2 = inout(reg) t2, t3 = inout(reg) t3,
            t4 = inout(reg) t4, t5 = inout(reg) t5, top = out(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _, h3 = out(reg) _, h4 = out(reg) _, h5 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t1, t2, t3, t4, t5, top]
}

/// `(t + top·2^384 + m·p)/2^64`, which must fit six words, for the `m` that makes it an integer. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn reduce_six_with_top(t: [u64; 6], mut top: u64, p: [u64; 6], p_neg_inv: u64) -> [u64; 6] {
    let [_, mut t1, mut t2, mut t3, mut t4, mut t5] = t;
    // SAFETY: registers only.
    unsafe {
        asm!(
            reduce_six!("adc {top}, {top}, xzr\n"),
            p0 = in(reg) p[0], p1 = in(reg) p[1], p2 = in(reg) p[2], p3 = in(reg) p[3], p4 = in(reg) p[4],
            p5 = in(reg) p[5], k = in(reg) p_neg_inv,
            t0 = inout(reg) t[0] => _, t1 = inout(reg) t1, t2 = inout(reg) t2, t3 = inout(reg) t3,
            t4 = inout(reg) t4, t5 = inout(reg) t5, top = inout(reg) top,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _, h3 = out(reg) _, h4 = out(reg) _, h5 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t1, t2, t3, t4, t5, top]
}
