//! Random weights, with which many equations are checked as one.

use frumious_curves::engine::ScalarField;
use frumious_curves::{Endomorphism, RandomError};
use frumious_field::{Integer, PrimeField};

/// `n` independent uniform integers below 2^128.
pub(crate) fn random_weights<F: ScalarField>(n: usize) -> Result<Vec<Integer<F>>, RandomError> {
    let mut bytes = vec![0_u8; 16 * n];
    getrandom::fill(&mut bytes).map_err(|_| RandomError)?;
    let weights = bytes.as_chunks::<16>().0.iter().map(|bytes| {
        let integer = u128::from_le_bytes(*bytes);
        // Below 2^128, hence below r.
        let words = [integer as u64, (integer >> 64) as u64, 0, 0];
        Integer::from_words_unchecked(words)
    });
    Ok(weights.collect())
}

/// `n` independent scalars, each uniform among 2^128 of them: `a + b·λ` with a and b below 2^64. A point times one
/// takes half the time of a point times an integer below 2^128.
///
/// No two pairs (a, b) give one scalar: a test of `curves` has the reason. So an equation that is false holds for at
/// most one of the 2^128 weights, as with integers.
pub(crate) fn short_weights<P: Endomorphism>(n: usize) -> Result<Vec<P::Scalar>, RandomError> {
    let mut bytes = vec![0_u8; 16 * n];
    getrandom::fill(&mut bytes).map_err(|_| RandomError)?;
    let lambda = P::lambda();
    let weights = bytes.as_chunks::<16>().0.iter().map(|bytes| {
        let both = u128::from_le_bytes(*bytes);
        let [a, b] = [both as u64, (both >> 64) as u64].map(P::Scalar::from_u64);
        a + b * lambda
    });
    Ok(weights.collect())
}
