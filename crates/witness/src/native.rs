//! circom's field routines on our fields, with values where the module has them: in its memory.
//!
//! A value is 40 bytes: a short signed value, a type, then 32 bytes of an integer or of its Montgomery form. Results
//! are written in Montgomery form, which every routine of circom's reads. circom's own routines choose between the
//! forms. So the module's own code may not look at one of ours: in the place of the short value ours have a *mark*. A
//! load from a marked value ends the run.

use frumious_field::Integer;
use frumious_tape::{Operation, TapeField, to_index_vartime};

/// A routine that has no answer of ours: the module has to run as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Halt {
    /// An address beyond the memory.
    #[error("an address beyond the memory")]
    Address,
    /// A result in the place of an operand, for which the answer depends on the steps of circom's routine.
    #[error("a result in the place of an operand")]
    Aliased,
    /// A division of integers by zero, which circom's routine does not survive in any defined way.
    #[error("a division by zero")]
    Division,
    /// A number that is not reduced.
    #[error("a number that is not reduced")]
    Unreduced,
    /// A field element that was read or written by something else than a routine.
    #[error("a field element that is not read by a routine")]
    RawAccess,
    /// A run that is too long for a tape.
    #[error("too many operations for a tape")]
    TooLong,
}

impl wasmi::errors::HostError for Halt {}

/// Size of a value.
pub(crate) const VALUE: usize = 40;

/// `to = operation(a, b)`.
pub(crate) fn apply<F: TapeField>(
    memory: &mut [u8],
    operation: Operation,
    [to, a, b]: [u32; 3],
) -> Result<(), Halt> {
    if overlap(to, a) || overlap(to, b) {
        return Err(Halt::Aliased);
    }
    let left = read::<F>(memory, a)?;
    let right = match operation.is_unary() {
        true => left,
        false => read(memory, b)?,
    };
    let result = operation.apply_vartime(left, right).ok_or(Halt::Division)?;
    write(memory, to, result)
}

/// `to = a/b`, zero for `b = 0`.
pub(crate) fn divide<F: TapeField>(memory: &mut [u8], [to, a, b]: [u32; 3]) -> Result<(), Halt> {
    if overlap(to, a) || overlap(to, b) {
        return Err(Halt::Aliased);
    }
    let inverse = read::<F>(memory, b)?.invert_vartime().unwrap_or(F::ZERO);
    let product = read::<F>(memory, a)? * inverse;
    write(memory, to, product)
}

pub(crate) fn is_true<F: TapeField>(memory: &[u8], a: u32) -> Result<bool, Halt> {
    Ok(!read::<F>(memory, a)?.is_zero_vartime())
}

pub(crate) fn to_index<F: TapeField>(memory: &[u8], a: u32) -> Result<u32, Halt> {
    Ok(to_index_vartime(read::<F>(memory, a)?))
}

pub(crate) fn equal<F: TapeField>(memory: &[u8], a: u32, b: u32) -> Result<bool, Halt> {
    Ok(read::<F>(memory, a)? == read(memory, b)?)
}

/// Writes the value in the form in which the module's interface reads it: an integer of 32 bytes.
pub(crate) fn to_long<F: TapeField>(memory: &mut [u8], a: u32) -> Result<(), Halt> {
    let value = Integer::from(read::<F>(memory, a)?);
    let place = place(memory, a)?;
    place[..8].copy_from_slice(&LONG.to_le_bytes());
    write_words(place, value.words());
    Ok(())
}

/// A load of `width` bytes by the module's own code.
pub(crate) fn load(memory: &[u8], address: u32, offset: u32, width: u32) -> Result<(), Halt> {
    let start = u64::from(address) + u64::from(offset);
    let end = start + u64::from(width);
    if end > memory.len() as u64 {
        return Ok(()); // the load will fail
    }
    // A value that holds one of these bytes begins at most nine cells before.
    let (first, end) = ((start as usize / CELL + 1) * CELL, end as usize);
    let mut heads = (first.saturating_sub(VALUE)..end).step_by(CELL);
    match heads.any(|head| memory.get(head..head + MARKED.len()) == Some(&MARKED)) {
        true => Err(Halt::RawAccess),
        false => Ok(()),
    }
}

/// The value at an address.
#[inline]
pub(crate) fn read<F: TapeField>(memory: &[u8], at: u32) -> Result<F, Halt> {
    let at = at as usize;
    let bytes = memory.get(at..at + VALUE).ok_or(Halt::Address)?;
    let (words, _) = bytes.as_chunks::<8>();
    let word = |i: usize| u64::from_le_bytes(words[i]);
    let head = word(0);
    if head & LONG == 0 {
        let value = i64::from(head as u32 as i32);
        let size = F::from_u64(value.unsigned_abs());
        return Ok(if value < 0 { -size } else { size });
    }
    let words = core::array::from_fn(|i| word(i + 1));
    let integer = Integer::new_vartime(words).ok_or(Halt::Unreduced)?;
    Ok(match head & MONTGOMERY != 0 {
        true => integer.to_element_of_form(),
        false => integer.to_element(),
    })
}

#[inline]
fn write<F: TapeField>(memory: &mut [u8], at: u32, value: F) -> Result<(), Halt> {
    if !at.is_multiple_of(CELL as u32) {
        return Err(Halt::RawAccess);
    }
    let place = place(memory, at)?;
    place[..8].copy_from_slice(&MARKED);
    write_words(place, &value.to_words());
    Ok(())
}

#[inline]
pub(crate) fn place(memory: &mut [u8], at: u32) -> Result<&mut [u8; VALUE], Halt> {
    let at = at as usize;
    let place = memory.get_mut(at..at + VALUE).ok_or(Halt::Address)?;
    place.try_into().map_err(|_| Halt::Address)
}

fn write_words(place: &mut [u8; VALUE], words: &[u64; 4]) {
    for (place, word) in place[8..].chunks_exact_mut(8).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

/// True if two values share a byte. circom's routines write some of the result before they have read everything.
pub(crate) fn overlap(a: u32, b: u32) -> bool {
    a.abs_diff(b) < VALUE as u32
}

/// The type of a long value, above the short value of 32 bits.
const LONG: u64 = 0x8000_0000 << 32;
/// Set in the type of a value in Montgomery form.
pub(crate) const MONTGOMERY: u64 = 0x4000_0000 << 32;
/// In the place of the short value, which values of other types do not have: any number that is not likely elsewhere.
const MARK: u32 = 0x9d2c_5680;
/// The first bytes of a value of ours.
const MARKED: [u8; 8] = (LONG | MONTGOMERY | MARK as u64).to_le_bytes();
/// Values begin at multiples of four bytes.
pub(crate) const CELL: usize = 4;
