//! Compressed points: x, which of both y it is, or infinity.
//!
//! | library, curve | bytes of x | bits | y is the smaller | the larger | infinity |
//! |---|---|---|---|---|---|
//! | arkworks, BN254 | least significant first, real part first | the two highest of the last byte | 00 | 10 | 01 |
//! | gnark, BN254 | most significant first, imaginary part first | the two highest of the first byte | 10 | 11 | 01 |
//! | both, BLS12-381 | as gnark's | the three highest of the first byte | 100 | 101 | 110 |
//!
//! y is the larger one if it is larger than -y, in G2 by the imaginary part unless that is zero. The last row is the
//! form of Zcash.

use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_curves::{EncodingError, PairingCurve};

use super::ByteLayout;
use crate::big_endian::{Decoder, is_larger};

/// The bits that say which point of an x it is.
#[derive(Clone, Copy)]
struct Flags {
    /// All of them, in the byte where they are.
    mask: u8,
    smaller: u8,
    larger: u8,
    infinity: u8,
    /// True if the least significant byte, and the real part, come first.
    is_reversed: bool,
}

impl Flags {
    fn of(layout: ByteLayout, curve: PairingCurve) -> Self {
        let (mask, [smaller, larger, infinity], is_reversed) = match (curve, layout) {
            (PairingCurve::Bls12_381, _) => (0xe0, [0x80, 0xa0, 0xc0], false),
            (PairingCurve::Bn254, ByteLayout::Gnark) => (0xc0, [0x80, 0xc0, 0x40], false),
            (PairingCurve::Bn254, _) => (0xc0, [0, 0x80, 0x40], true),
        };
        Self {
            mask,
            smaller,
            larger,
            infinity,
            is_reversed,
        }
    }
}

/// Writes a point.
pub(super) fn append<P: PairingGroup<Base: ResidueField>>(
    bytes: &mut Vec<u8>,
    point: &P,
    layout: ByteLayout,
    curve: PairingCurve,
) {
    let flags = Flags::of(layout, curve);
    let coefficients = point.coefficients();
    let (x, y) = coefficients.split_at(P::DEGREE);
    let mut written: Vec<u8> = x.iter().rev().flat_map(ResidueField::to_be_bytes).collect();
    written[0] |= match (*point == P::default(), is_larger(y)) {
        (true, _) => flags.infinity,
        (false, true) => flags.larger,
        (false, false) => flags.smaller,
    };
    if flags.is_reversed {
        written.reverse();
    }
    bytes.extend(written);
}

/// Reads a point of all of `bytes`.
pub(super) fn read<P: PairingGroup<Base: ResidueField>>(
    bytes: &[u8],
    layout: ByteLayout,
    curve: PairingCurve,
) -> Result<P, EncodingError> {
    let flags = Flags::of(layout, curve);
    let mut bytes = bytes.to_vec();
    if flags.is_reversed {
        bytes.reverse();
    }
    let found = bytes[0] & flags.mask;
    bytes[0] &= !flags.mask;
    if found == flags.infinity {
        return match bytes.iter().all(|byte| *byte == 0) {
            true => Ok(P::default()),
            false => Err(EncodingError::InvalidFlags),
        };
    }
    let is_larger = found == flags.larger;
    if !is_larger && found != flags.smaller {
        return Err(EncodingError::InvalidFlags);
    }
    let x = Decoder::<P::Base>::new().coefficients(&bytes, P::DEGREE);
    let x = x.ok_or(EncodingError::NonCanonical)?;
    let point = P::lift_x_vartime(&x, is_larger).ok_or(EncodingError::NotOnCurve)?;
    // Again from bytes, which checks the group.
    P::from_montgomery_bytes(point.to_montgomery_bytes().as_ref())
}

/// Writes a number, most significant byte first or last.
pub(super) fn append_number<F: ResidueField>(bytes: &mut Vec<u8>, value: &F, big_endian: bool) {
    let mut number = value.to_be_bytes();
    if !big_endian {
        number.reverse();
    }
    bytes.extend(number);
}
