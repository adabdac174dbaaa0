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
    let wide = a as u128 * b as u128 + c as u128 + d as u128;
    (wide as u64, (wide >> 64) as u64)
}
