//! The roots of all arithmetic here: one-word operations with carry, as `const fn`
//! (the standard library's own are not `const` yet).

/// `a + b + carry` and the carry out.
#[inline(always)]
pub const fn adc(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(carry as u64);
    (sum, first | second)
}

/// `a - b - borrow` and the borrow out.
#[inline(always)]
pub const fn sbb(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(borrow as u64);
    (difference, first | second)
}

/// Low and high word of `a·b + c + d`, which is at most `(2^64 - 1)² + 2·(2^64 - 1) = 2^128 - 1`.
#[inline(always)]
pub const fn mac(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    if cfg!(target_arch = "wasm32") {
        return mac_by_halves(a, b, c, d);
    }
    let wide = a as u128 * b as u128 + c as u128 + d as u128;
    (wide as u64, (wide >> 64) as u64)
}

/// As [`mac`], for CPUs without a product of 128 bits: LLVM would call a function for it. A product of halves and two
/// halves more fit 64 bits, as there.
#[inline(always)]
const fn mac_by_halves(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    const LOW: u64 = 0xffff_ffff;
    let first = (a & LOW) * (b & LOW) + (c & LOW) + (d & LOW);
    let second = (a >> 32) * (b & LOW) + (c >> 32) + (first >> 32);
    let third = (a & LOW) * (b >> 32) + (d >> 32) + (second & LOW);
    let high = (a >> 32) * (b >> 32) + (second >> 32) + (third >> 32);
    ((first & LOW) | (third << 32), high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_give_the_same() {
        let edges = [
            0,
            1,
            0xffff_ffff,
            1 << 32,
            u64::MAX - 1,
            u64::MAX,
            0x0123_4567_89ab_cdef,
        ];
        for a in edges {
            for b in edges {
                for c in edges {
                    for d in edges {
                        let wide = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
                        assert_eq!(
                            mac_by_halves(a, b, c, d),
                            (wide as u64, (wide >> 64) as u64)
                        );
                    }
                }
            }
        }
    }
}
