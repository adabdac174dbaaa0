//! Random weights, with which many equations are checked as one.

use frumious_curves::RandomError;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;

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
