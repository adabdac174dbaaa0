//! The two flag bits of compressed points.

use crate::EncodingError;

/// Which point with the given x; the values are the two top bits of the first byte.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Flag {
    /// The point at infinity.
    Infinity = 0b01 << 6,
    /// The smaller of `y`, `-y`.
    Smallest = 0b10 << 6,
    /// The larger one.
    Largest = 0b11 << 6,
}

/// Takes the flag out of the first byte.
pub(super) fn read_flag(byte: &mut u8) -> Result<Flag, EncodingError> {
    let flag = match *byte >> 6 {
        0b01 => Flag::Infinity,
        0b10 => Flag::Smallest,
        0b11 => Flag::Largest,
        _ => return Err(EncodingError::InvalidFlags),
    };
    *byte &= 0b0011_1111;
    Ok(flag)
}
