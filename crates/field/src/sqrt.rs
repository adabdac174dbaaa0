//! Square roots where `p - 1` is divisible by a large power of two, in constant time.

use crate::PrimeField;
use subtle::CtOption;

/// A square root of `value`, none for a non-residue; which of the two is not specified.
///
/// `exponent` is `(t - 1)/2` where `p - 1 = t·2^TWO_ADICITY` and `t` is odd, in little-endian words. Time: constant,
/// about `MODULUS_BITS + TWO_ADICITY²/2` squarings and products.
///
/// Source: Tonelli-Shanks in the constant-time form of RFC 9380, appendix I.4. With `a^((t-1)/2)` known, the square
/// root in the group of order `2^TWO_ADICITY` is found bit by bit. Every bit takes the same number of squarings.
pub fn sqrt_tonelli_shanks<F: PrimeField>(value: &F, exponent: &[u64]) -> CtOption<F> {
    let w = value.pow_vartime(exponent); // the exponent is public
    let mut root = w * *value; // a^((t+1)/2)
    let mut error = root * w; // a^t = root²/a, of order dividing 2^TWO_ADICITY
    let mut generator = F::ROOT_OF_UNITY;
    for order_log in (2..=F::TWO_ADICITY).rev() {
        // error has order dividing 2^(order_log - 1) if a is a square
        let mut probe = error;
        for _ in 0..order_log - 2 {
            probe = probe.square();
        }
        let correct = !probe.ct_eq(&F::ONE);
        root = F::conditional_select(&root, &(root * generator), correct);
        generator = generator.square();
        error = F::conditional_select(&error, &(error * generator), correct);
    }
    CtOption::new(root, root.square().ct_eq(value))
}
