//! Errors in the bytes of a point or a field element.

/// The reason that bytes are no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodingError {
    /// A coordinate is not below the modulus of its field.
    NonCanonical,
    /// The coordinates do not satisfy the curve's equation.
    NotOnCurve,
    /// The point is on the curve but not in the subgroup of prime order.
    NotInSubgroup,
    /// The flag bits of a compressed point are no combination in use.
    InvalidFlags,
    /// No encoding has that length.
    InvalidLength,
}

// By hand, here and for the other two errors of this crate: whoever uses one field need not compile `thiserror`.
impl core::fmt::Display for EncodingError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NonCanonical => "a coordinate is not below the field's modulus",
            Self::NotOnCurve => "the point is not on the curve",
            Self::NotInSubgroup => "the point is not in the subgroup of prime order",
            Self::InvalidFlags => "the flag bits of the compressed point are invalid",
            Self::InvalidLength => "the length is that of no encoding of a point",
        })
    }
}

impl core::error::Error for EncodingError {}
