//! Errors of callers.

/// Errors of [`Domain`](crate::Domain).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The field has no subgroup of order 2^`log_size`, or this machine's addresses do not reach that far.
    #[error("no transform of size 2^{log_size}: the largest is 2^{maximum}")]
    DomainTooLarge {
        /// Binary logarithm of the size asked for.
        log_size: u32,
        /// Largest binary logarithm that works.
        maximum: u32,
    },
    /// The slice does not have one element for each element of the domain.
    #[error("a transform over {expected} elements was given {actual}")]
    LengthMismatch {
        /// Size of the domain, in elements.
        expected: usize,
        /// Length of the slice, in elements.
        actual: usize,
    },
    /// The element is no root of unity of order 2^`TWO_ADICITY`.
    #[error("not a root of unity of the order that the field's two-adicity says")]
    NotARootOfUnity,
    /// Zero does not shift a subgroup to a coset.
    #[error("the shift of a coset is zero")]
    ZeroShift,
}
