//! The two flag bits of compressed points.

use crate::EncodingError;
use frumious_field::{Choice, ConditionallySelectable};

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

/// The bits for a point whose y is the larger one or not, or that is the one at infinity. Time: constant.
pub(super) fn flag_bits(largest: Choice, infinity: Choice) -> u8 {
    let [smallest, larger] = [Flag::Smallest as u8, Flag::Largest as u8];
    let sign = u8::conditional_select(&smallest, &larger, largest);
    u8::conditional_select(&sign, &(Flag::Infinity as u8), infinity)
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
