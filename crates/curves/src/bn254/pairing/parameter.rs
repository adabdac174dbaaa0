//! The parameter `x` of the curve, and the signed digits of the Miller loop's length `6x + 2`.

/// The parameter: `p` and `r` are its polynomials (see `bn254`).
pub(super) const X: u64 = 4_965_661_367_192_848_881;

/// Doublings of the Miller loop.
pub(super) const DOUBLINGS: usize = 64;

/// Digits of `6x + 2` below the leading one, which stands at place 64; least significant first.
///
/// The non-adjacent form has 66 digits and begins with `1, 0, -1`; the equal `1, 1` saves a doubling.
pub(super) const LOOP_DIGITS: [i8; DOUBLINGS] = {
    let mut rest = 6 * X as u128 + 2;
    let mut digits = [0i8; DOUBLINGS + 2];
    let mut i = 0;
    while rest > 0 {
        if rest & 1 == 1 {
            digits[i] = 2 - (rest & 3) as i8;
            rest = if digits[i] > 0 { rest - 1 } else { rest + 1 };
        }
        rest >>= 1;
        i += 1;
    }
    assert!(
        digits[65] == 1 && digits[64] == 0 && digits[63] == -1,
        "the form to be shortened"
    );
    digits[63] = 1;
    let mut kept = [0; DOUBLINGS];
    let mut i = 0;
    while i < DOUBLINGS {
        kept[i] = digits[i];
        i += 1;
    }
    kept
};

/// Number of lines of the loop: one for each doubling, each non-zero digit, and the two Frobenius images.
pub(super) const LINES: usize = {
    let mut lines = DOUBLINGS + 2;
    let mut i = 0;
    while i < DOUBLINGS {
        lines += (LOOP_DIGITS[i] != 0) as usize;
        i += 1;
    }
    lines
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_sum_to_the_length_of_the_loop() {
        let sum = LOOP_DIGITS
            .iter()
            .rev()
            .fold(1i128, |sum, &digit| 2 * sum + i128::from(digit));
        assert_eq!(sum, 6 * i128::from(X) + 2);
        assert_eq!(LINES, 87);
    }
}
