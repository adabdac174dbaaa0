//! The reason for which a call fails.

use frumious_curves::EncodingError;

/// The reason for which a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input is no whole number of items.
    #[error("{found} bytes of input, not a multiple of {item}")]
    Length {
        /// Bytes given.
        found: usize,
        /// Bytes of an item.
        item: usize,
    },
    /// Bytes that encode no point of the group.
    #[error("no point of the group: {0}")]
    Point(#[from] EncodingError),
    /// A failure over BLS12-381.
    #[error(transparent)]
    Bls12_381(#[from] crate::bls12_381::Error),
}
