//! Squares of double length: products of different words once, then doubled, then the squares of words.
//!
//! A chain takes one product for each word, of whichever row, so six words have five chains. None carries out of its
//! last word. That is the high word of a product, below 2^64 - 1, and nothing was added to it before.

use super::same;
use core::arch::asm;

/// `a²` in two halves, of four words or six. Time: constant.
#[inline(always)]
pub(crate) fn wide_square<const N: usize>(a: &[u64; N]) -> ([u64; N], [u64; N]) {
    if N == 4 {
        let (low, high) = square_four(same(a));
        (same(&low), same(&high))
    } else {
        let (low, high) = square_six(same(a));
        (same(&low), same(&high))
    }
}

/// `a²`, the low words first. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn square_four(a: [u64; 4]) -> ([u64; 4], [u64; 4]) {
    let [t0, t1, t2, t3]: [u64; 4];
    let [t4, t5, t6, t7]: [u64; 4];
    // SAFETY: registers only.
    unsafe {
        asm!(
            "mul {t1}, {a0}, {a1}", "umulh {t2}, {a0}, {a1}", "mul {s0}, {a0}, {a2}", "umulh {t3}, {a0}, {a2}",
            "mul {s1}, {a0}, {a3}", "umulh {t4}, {a0}, {a3}",
            "mul {s2}, {a1}, {a2}", "adds {t2}, {t2}, {s0}", "mul {s3}, {a1}, {a3}", "adcs {t3}, {t3}, {s1}",
            "umulh {t5}, {a1}, {a3}", "adc {t4}, {t4}, xzr",
            "umulh {s0}, {a1}, {a2}", "adds {t3}, {t3}, {s2}", "mul {s1}, {a2}, {a3}", "adcs {t4}, {t4}, {s3}",
            "umulh {t6}, {a2}, {a3}", "adc {t5}, {t5}, xzr",
            "adds {t4}, {t4}, {s0}", "adcs {t5}, {t5}, {s1}", "adc {t6}, {t6}, xzr",
            "adds {t1}, {t1}, {t1}", "mul {t0}, {a0}, {a0}", "adcs {t2}, {t2}, {t2}", "umulh {s0}, {a0}, {a0}",
            "adcs {t3}, {t3}, {t3}", "mul {s1}, {a1}, {a1}", "adcs {t4}, {t4}, {t4}", "umulh {s2}, {a1}, {a1}",
            "adcs {t5}, {t5}, {t5}", "mul {s3}, {a2}, {a2}", "adcs {t6}, {t6}, {t6}", "adc {t7}, xzr, xzr",
            "adds {t1}, {t1}, {s0}", "umulh {s0}, {a2}, {a2}", "adcs {t2}, {t2}, {s1}", "mul {s1}, {a3}, {a3}",
            "adcs {t3}, {t3}, {s2}", "umulh {s2}, {a3}, {a3}", "adcs {t4}, {t4}, {s3}", "adcs {t5}, {t5}, {s0}",
            "adcs {t6}, {t6}, {s1}", "adc {t7}, {t7}, {s2}",
            a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3],
            t0 = out(reg) t0, t1 = out(reg) t1, t2 = out(reg) t2, t3 = out(reg) t3, t4 = out(reg) t4,
            t5 = out(reg) t5, t6 = out(reg) t6, t7 = out(reg) t7,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    ([t0, t1, t2, t3], [t4, t5, t6, t7])
}

/// `a²`, the low words first. Time: constant.
#[inline(always)]
#[rustfmt::skip]
fn square_six(a: [u64; 6]) -> ([u64; 6], [u64; 6]) {
    let [t0, t1, t2, t3, t4, t5]: [u64; 6];
    let [t6, t7, t8, t9, t10, t11]: [u64; 6];
    // SAFETY: registers only.
    unsafe {
        asm!(
            "mul {t1}, {a0}, {a1}", "umulh {t2}, {a0}, {a1}", "mul {s0}, {a0}, {a2}", "umulh {t3}, {a0}, {a2}",
            "mul {s1}, {a0}, {a3}", "umulh {t4}, {a0}, {a3}", "mul {s2}, {a0}, {a4}", "umulh {t5}, {a0}, {a4}",
            "mul {s3}, {a0}, {a5}", "umulh {t6}, {a0}, {a5}",
            "adds {t2}, {t2}, {s0}", "mul {s0}, {a1}, {a2}", "adcs {t3}, {t3}, {s1}", "mul {s1}, {a1}, {a3}",
            "adcs {t4}, {t4}, {s2}", "mul {s2}, {a1}, {a4}", "adcs {t5}, {t5}, {s3}", "mul {s3}, {a1}, {a5}",
            "adc {t6}, {t6}, xzr", "umulh {t7}, {a1}, {a5}",
            "adds {t3}, {t3}, {s0}", "umulh {s0}, {a1}, {a2}", "adcs {t4}, {t4}, {s1}", "umulh {s1}, {a1}, {a3}",
            "adcs {t5}, {t5}, {s2}", "umulh {s2}, {a1}, {a4}", "adcs {t6}, {t6}, {s3}", "mul {s3}, {a2}, {a5}",
            "adc {t7}, {t7}, xzr", "umulh {t8}, {a2}, {a5}",
            "adds {t4}, {t4}, {s0}", "mul {s0}, {a2}, {a3}", "adcs {t5}, {t5}, {s1}", "mul {s1}, {a2}, {a4}",
            "adcs {t6}, {t6}, {s2}", "mul {s2}, {a3}, {a4}", "adcs {t7}, {t7}, {s3}", "mul {s3}, {a3}, {a5}",
            "adc {t8}, {t8}, xzr", "umulh {t9}, {a3}, {a5}",
            "adds {t5}, {t5}, {s0}", "umulh {s0}, {a2}, {a3}", "adcs {t6}, {t6}, {s1}", "umulh {s1}, {a2}, {a4}",
            "adcs {t7}, {t7}, {s2}", "umulh {s2}, {a3}, {a4}", "adcs {t8}, {t8}, {s3}", "mul {s3}, {a4}, {a5}",
            "adc {t9}, {t9}, xzr", "umulh {t10}, {a4}, {a5}",
            "adds {t6}, {t6}, {s0}", "adcs {t7}, {t7}, {s1}", "adcs {t8}, {t8}, {s2}", "adcs {t9}, {t9}, {s3}",
            "adc {t10}, {t10}, xzr",
            "adds {t1}, {t1}, {t1}", "mul {t0}, {a0}, {a0}", "adcs {t2}, {t2}, {t2}", "umulh {s0}, {a0}, {a0}",
            "adcs {t3}, {t3}, {t3}", "mul {s1}, {a1}, {a1}", "adcs {t4}, {t4}, {t4}", "umulh {s2}, {a1}, {a1}",
            "adcs {t5}, {t5}, {t5}", "mul {s3}, {a2}, {a2}", "adcs {t6}, {t6}, {t6}", "adcs {t7}, {t7}, {t7}",
            "adcs {t8}, {t8}, {t8}", "adcs {t9}, {t9}, {t9}", "adcs {t10}, {t10}, {t10}", "adc {t11}, xzr, xzr",
            "adds {t1}, {t1}, {s0}", "umulh {s0}, {a2}, {a2}", "adcs {t2}, {t2}, {s1}", "mul {s1}, {a3}, {a3}",
            "adcs {t3}, {t3}, {s2}", "umulh {s2}, {a3}, {a3}", "adcs {t4}, {t4}, {s3}", "mul {s3}, {a4}, {a4}",
            "adcs {t5}, {t5}, {s0}", "umulh {s0}, {a4}, {a4}", "adcs {t6}, {t6}, {s1}", "mul {s1}, {a5}, {a5}",
            "adcs {t7}, {t7}, {s2}", "umulh {s2}, {a5}, {a5}", "adcs {t8}, {t8}, {s3}", "adcs {t9}, {t9}, {s0}",
            "adcs {t10}, {t10}, {s1}", "adc {t11}, {t11}, {s2}",
            a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3], a4 = in(reg) a[4],
            a5 = in(reg) a[5],
            t0 = out(reg) t0, t1 = out(reg) t1, t2 = out(reg) t2, t3 = out(reg) t3, t4 = out(reg) t4,
            t5 = out(reg) t5, t6 = out(reg) t6, t7 = out(reg) t7, t8 = out(reg) t8, t9 = out(reg) t9,
            t10 = out(reg) t10, t11 = out(reg) t11,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    ([t0, t1, t2, t3, t4, t5], [t6, t7, t8, t9, t10, t11])
}
