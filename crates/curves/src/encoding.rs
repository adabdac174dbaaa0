//! Errors in the bytes of a point or a field element.

/// The reason that bytes are no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// A coordinate is not below the modulus of its field.
    #[error("a coordinate is not below the field's modulus")]
    NonCanonical,
    /// The coordinates do not satisfy the curve's equation.
    #[error("the point is not on the curve")]
    NotOnCurve,
    /// The point is on the curve but not in the subgroup of prime order.
    #[error("the point is not in the subgroup of prime order")]
    NotInSubgroup,
    /// The flag bits of a compressed point are no combination in use.
    #[error("the flag bits of the compressed point are invalid")]
    InvalidFlags,
    /// No encoding has that length.
    #[error("the length is that of no encoding of a point")]
    InvalidLength,
}
