//! As the parent module, for residues modulo `p = 2^256 - c` that use all 256 bits: adding `c` takes `p` away.

use core::arch::asm;

/// `t + 2^256·carry mod p` where that is below `2p`; `carry` is 0 or 1. Time: constant.
#[inline(always)]
pub(crate) fn reduce_once(t: &[u64; 4], carry: u64, c: &[u64; 4]) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = *t;
    // SAFETY: reads the four words of `c`; otherwise registers only.
    unsafe {
        asm!(
            "mov {s0}, {r0}", "add {s0}, [{c}]",
            "mov {s1}, {r1}", "adc {s1}, [{c} + 8]",
            "mov {s2}, {r2}", "adc {s2}, [{c} + 16]",
            "mov {s3}, {r3}", "adc {s3}, [{c} + 24]",
            "adc {carry}, 0", // at least p: a carry of t, or one now
            "cmovnz {r0}, {s0}", "cmovnz {r1}, {s1}", "cmovnz {r2}, {s2}", "cmovnz {r3}, {s3}",
            c = in(reg) c.as_ptr(), carry = inout(reg) carry => _,
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
}

/// `a + b mod p` for residues `a, b`. Time: constant.
#[inline(always)]
pub(crate) fn add(a: &[u64; 4], b: &[u64; 4], c: &[u64; 4]) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = *a;
    // SAFETY: reads the four words of `c`; otherwise registers only.
    unsafe {
        asm!(
            "xor {carry:e}, {carry:e}",
            "add {r0}, {s0}", "adc {r1}, {s1}", "adc {r2}, {s2}", "adc {r3}, {s3}",
            "adc {carry}, 0",
            "mov {s0}, {r0}", "add {s0}, [{c}]",
            "mov {s1}, {r1}", "adc {s1}, [{c} + 8]",
            "mov {s2}, {r2}", "adc {s2}, [{c} + 16]",
            "mov {s3}, {r3}", "adc {s3}, [{c} + 24]",
            "adc {carry}, 0",
            "cmovnz {r0}, {s0}", "cmovnz {r1}, {s1}", "cmovnz {r2}, {s2}", "cmovnz {r3}, {s3}",
            c = in(reg) c.as_ptr(), carry = out(reg) _,
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            s0 = inout(reg) b[0] => _, s1 = inout(reg) b[1] => _, s2 = inout(reg) b[2] => _, s3 = inout(reg) b[3] => _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
}
