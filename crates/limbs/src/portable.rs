//! Montgomery product in plain Rust, `const` so that constants are computed with the same code.

use crate::primitives::mac;
use crate::words::{select_mask, sub};
use core::hint::black_box;

/// Montgomery product `a·b·2^(-64N) mod p`, for constants.
///
/// Input: `a < 2^(64N)`, `b < p`, `p` odd with its top word below 2^63 - 1, `p_neg_inv = -p⁻¹ mod 2^64`.
/// Output: below `p`.
pub const fn mul_const<const N: usize>(
    a: &[u64; N],
    b: &[u64; N],
    p: &[u64; N],
    p_neg_inv: u64,
) -> [u64; N] {
    reduce_once_const(&mul_lazy(a, b, p, p_neg_inv), p)
}

/// Montgomery product without the last subtraction, `a·b·2^(-64N)` modulo `p`. Time: constant. Input:
/// `a·b < 2^(64N)·p`, `b < 2^(64N-1)`. Output: below `2p`. With `4p < 2^(64N)` factors below `2p` are allowed, since
/// then `(a·b + m·p)/2^(64N) < (4p² + 2^(64N)·p)/2^(64N) < 2p`. Source: Acar 1996 section 2.3.2 (CIOS) with the "no
/// carry" shortcut. While the top word of `p` is below 2^63 - 1, the two running carries of a row add without overflow
/// (gnark-crypto, "faster modular multiplication").
#[inline(always)]
pub const fn mul_lazy<const N: usize>(
    a: &[u64; N],
    b: &[u64; N],
    p: &[u64; N],
    p_neg_inv: u64,
) -> [u64; N] {
    let mut t = [0u64; N];
    let mut i = 0;
    while i < N {
        let mut carry = 0;
        let mut j = 0;
        while j < N {
            (t[j], carry) = mac(a[i], b[j], t[j], carry);
            j += 1;
        }
        let m = t[0].wrapping_mul(p_neg_inv);
        let (_, mut carry_p) = mac(m, p[0], t[0], 0);
        let mut j = 1;
        while j < N {
            (t[j - 1], carry_p) = mac(m, p[j], t[j], carry_p);
            j += 1;
        }
        t[N - 1] = carry.wrapping_add(carry_p); // no overflow: both carries are below 2^63
        i += 1;
    }
    t
}

/// `t mod p` for `t < 2p`, for constants; at run time [`crate::modular::reduce_once`] is faster. The optimiser is to
/// know nothing of the mask, or it makes a jump of the selection.
pub const fn reduce_once_const<const N: usize>(t: &[u64; N], p: &[u64; N]) -> [u64; N] {
    let (reduced, borrow) = sub(t, p);
    select_mask(&reduced, t, black_box(borrow.wrapping_neg()))
}
