//! Bytes of points as zcash and the IETF drafts write them: coordinates most significant byte first. The first byte has
//! three flag bits, which a coordinate of 381 bits leaves free.
//!
//! ```text
//! 0x80  compressed: only x follows
//! 0x40  the point at infinity: all other bits but the former are zero
//! 0x20  compressed and finite, and y is the larger of y and -y
//! ```
//! G1 takes 48 and 96 bytes, G2 96 and 192, of which the imaginary part `c1` comes first. Source:
//! draft-irtf-cfrg-pairing-friendly-curves-11, appendix C; zcash protocol specification, sections 5.4.9.1 and 5.4.9.2.

use super::{Fq, Fq2, G1Affine, G2Affine};
use crate::EncodingError;

const COMPRESSED: u8 = 0x80;
const INFINITY: u8 = 0x40;
const LARGEST: u8 = 0x20;
const FLAGS: u8 = COMPRESSED | INFINITY | LARGEST;

/// 48 bytes of a coordinate, canonical.
fn read_fq(bytes: &[u8]) -> Result<Fq, EncodingError> {
    let bytes: &[u8; 48] = bytes.try_into().expect("48 bytes");
    Fq::from_be_bytes(bytes)
        .into_option()
        .ok_or(EncodingError::NonCanonical)
}

/// 96 bytes of a coordinate, canonical.
fn read_fq2(bytes: &[u8]) -> Result<Fq2, EncodingError> {
    Ok(Fq2 {
        c1: read_fq(&bytes[..48])?,
        c0: read_fq(&bytes[48..])?,
    })
}

fn write_fq(coordinate: &Fq, bytes: &mut [u8]) {
    bytes.copy_from_slice(&coordinate.to_be_bytes());
}

fn write_fq2(coordinate: &Fq2, bytes: &mut [u8]) {
    write_fq(&coordinate.c1, &mut bytes[..48]);
    write_fq(&coordinate.c0, &mut bytes[48..]);
}

macro_rules! impl_encoding {
    ($affine:ident, $base:ident, $read:ident, $write:ident, $length:literal) => {
        impl $affine {
            /// x and the sign of y.
            pub fn to_compressed(&self) -> [u8; $length] {
                let mut bytes = [0; $length];
                $write(&self.x, &mut bytes);
                bytes[0] |= COMPRESSED;
                let sign = LARGEST * self.y.is_lexicographically_largest().unwrap_u8();
                bytes[0] |= sign | INFINITY * self.is_identity().unwrap_u8(); // y of infinity is 0, which is not the largest
                bytes
            }

            /// The inverse of [`Self::to_compressed`]. Cost: a square root and a subgroup check. Time depends on the
            /// bytes.
            ///
            /// # Errors
            /// Other flags, a coordinate not below `p`, no point with that x, a point outside the group of order `r`,
            /// infinity with other bits set.
            pub fn from_compressed(bytes: &[u8; $length]) -> Result<Self, EncodingError> {
                let flags = bytes[0] & FLAGS;
                let mut plain = *bytes;
                plain[0] &= !FLAGS;
                if flags & COMPRESSED == 0 {
                    return Err(EncodingError::InvalidFlags);
                }
                if flags & INFINITY != 0 {
                    return identity(flags == COMPRESSED | INFINITY, &plain);
                }
                let x = $read(&plain)?;
                let y = (x.square() * x + Self::B)
                    .sqrt()
                    .into_option()
                    .ok_or(EncodingError::NotOnCurve)?;
                let largest = bool::from(y.is_lexicographically_largest());
                let y = if largest == (flags & LARGEST != 0) {
                    y
                } else {
                    -y
                };
                Self { x, y }.in_subgroup()
            }

            /// x and y.
            pub fn to_uncompressed(&self) -> [u8; 2 * $length] {
                let mut bytes = [0; 2 * $length];
                $write(&self.x, &mut bytes[..$length]);
                $write(&self.y, &mut bytes[$length..]);
                bytes[0] |= INFINITY * self.is_identity().unwrap_u8();
                bytes
            }

            /// x and y without flags; infinity is all zeros. EIP-197's form of BN254's points, which snarkjs hashes for
            /// this curve too.
            pub fn to_big_endian_bytes(&self) -> [u8; 2 * $length] {
                let mut bytes = self.to_uncompressed();
                bytes[0] &= !FLAGS;
                bytes
            }

            /// The inverse of [`Self::to_uncompressed`]. Cost: a subgroup check. Time depends on the bytes.
            ///
            /// # Errors
            /// Other flags, a coordinate not below `p`, a point off the curve or outside the group of order `r`,
            /// infinity with other bits set.
            pub fn from_uncompressed(bytes: &[u8; 2 * $length]) -> Result<Self, EncodingError> {
                let flags = bytes[0] & FLAGS;
                let mut plain = *bytes;
                plain[0] &= !FLAGS;
                if flags & INFINITY != 0 {
                    return identity(flags == INFINITY, &plain);
                }
                if flags != 0 {
                    return Err(EncodingError::InvalidFlags);
                }
                let point = Self {
                    x: $read(&plain[..$length])?,
                    y: $read(&plain[$length..])?,
                };
                // (0, 0) stands for infinity here, but these bytes do not say so
                if point.is_identity_vartime() || !bool::from(point.is_on_curve()) {
                    return Err(EncodingError::NotOnCurve);
                }
                point.in_subgroup()
            }

            pub(super) fn in_subgroup(self) -> Result<Self, EncodingError> {
                if bool::from(self.is_in_subgroup()) {
                    Ok(self)
                } else {
                    Err(EncodingError::NotInSubgroup)
                }
            }
        }

        impl Identity for $affine {
            const IDENTITY: Self = Self::IDENTITY;
        }
    };
}

impl_encoding!(G1Affine, Fq, read_fq, write_fq, 48);
impl_encoding!(G2Affine, Fq2, read_fq2, write_fq2, 96);

trait Identity {
    const IDENTITY: Self;
}

/// Infinity, if the flags are the right ones and nothing else is there.
fn identity<P: Identity>(flags_are_right: bool, rest: &[u8]) -> Result<P, EncodingError> {
    if flags_are_right && rest.iter().all(|byte| *byte == 0) {
        Ok(P::IDENTITY)
    } else {
        Err(EncodingError::InvalidFlags)
    }
}
