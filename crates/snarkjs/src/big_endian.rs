//! Coordinates as numbers, most significant byte first, and the larger of two opposite ones.

use frumious_curves::engine::ResidueField;

/// Reads elements, most significant byte first.
pub(crate) struct Decoder<F> {
    /// R, of which words in Montgomery form lack the factor.
    radix: F,
}

impl<F: ResidueField> Decoder<F> {
    pub(crate) fn new() -> Self {
        let bits = 64 * F::MODULUS_WORDS.len();
        let radix = (0..bits).fold(F::ONE, |power, _| power.double());
        Self { radix }
    }

    /// The `degree` coefficients of a coordinate, the last one first; none unless below the modulus.
    pub(crate) fn coefficients(&self, bytes: &[u8], degree: usize) -> Option<Vec<F>> {
        let parts = bytes.rchunks_exact(bytes.len() / degree);
        parts.map(|part| self.element(part)).collect()
    }

    /// An element of as many bytes as the modulus has; none unless below it.
    pub(crate) fn element(&self, bytes: &[u8]) -> Option<F> {
        let words: Vec<u64> = bytes
            .rchunks_exact(8)
            .map(|word| {
                word.iter()
                    .fold(0, |word, byte| word << 8 | u64::from(*byte))
            })
            .collect();
        let is_below = words.iter().rev().lt(F::MODULUS_WORDS.iter().rev());
        is_below.then(|| F::from_montgomery_words_unchecked(&words) * self.radix)
    }
}

/// True if y is larger than -y, coefficient by coefficient from the last.
pub(crate) fn is_larger<F: ResidueField>(y: &[F]) -> bool {
    let last = y.iter().rev().find(|coefficient| **coefficient != F::ZERO);
    last.is_some_and(|coefficient| coefficient.to_be_bytes() > (-*coefficient).to_be_bytes())
}
