//! The numbers in graphs: variable-length integers, protobuf's fields, elements.

use frumious_curves::{PairingCurve, bls12_381, bn254};
use frumious_parallel::check_cancelled;
use frumious_tape::TapeField;

/// The bytes are no graph that can be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad graph: {problem} ({section}, byte {offset})")]
pub struct BadGraph {
    /// The problem.
    pub problem: String,
    /// The part of the file.
    pub section: &'static str,
    /// The offset in this part.
    pub offset: usize,
}

/// Bytes between two looks for a cancellation: some milliseconds, as each element has one at least.
const BETWEEN_LOOKS: usize = 1 << 18;

/// Bytes that are read from the front. Reading stops when its work is cancelled.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    section: &'static str,
    offset: usize,
}

/// The value of a protobuf field.
pub(super) enum Field<'a> {
    Number(u64),
    Bytes(Reader<'a>),
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], section: &'static str) -> Self {
        Self {
            bytes,
            section,
            offset: 0,
        }
    }

    /// An error at the present place.
    pub(super) fn bad(&self, problem: impl Into<String>) -> BadGraph {
        BadGraph {
            problem: problem.into(),
            section: self.section,
            offset: self.offset,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Number of bytes before the present place.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// Number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    /// The rest.
    pub(super) fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes;
        self.offset += rest.len();
        self.bytes = &[];
        rest
    }

    pub(super) fn take(&mut self, count: u64) -> Result<&'a [u8], BadGraph> {
        let taken = usize::try_from(count).ok();
        let taken = taken.and_then(|count| self.bytes.split_at_checked(count));
        let (taken, rest) = taken.ok_or_else(|| self.bad("it ends early"))?;
        let end = self.offset + taken.len();
        if self.offset / BETWEEN_LOOKS != end / BETWEEN_LOOKS {
            check_cancelled();
        }
        self.bytes = rest;
        self.offset = end;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], BadGraph> {
        let taken = self.take(N as u64)?;
        Ok(core::array::from_fn(|i| taken[i]))
    }

    /// A part of its own, `count` bytes long.
    pub(super) fn part(&mut self, count: u64) -> Result<Self, BadGraph> {
        let offset = self.offset;
        let bytes = self.take(count)?;
        Ok(Self {
            bytes,
            section: self.section,
            offset,
        })
    }

    pub(super) fn byte(&mut self) -> Result<u8, BadGraph> {
        Ok(self.array::<1>()?[0])
    }

    /// Four bytes, little-endian.
    pub(super) fn word(&mut self) -> Result<u32, BadGraph> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Seven bits a byte, the least significant first; the highest bit tells that another byte follows.
    pub(super) fn varint(&mut self) -> Result<u64, BadGraph> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.bad("a number has more than 64 bits"))
    }

    /// A variable-length integer of 32 bits.
    pub(super) fn index(&mut self) -> Result<u32, BadGraph> {
        let value = self.varint()?;
        u32::try_from(value).map_err(|_| self.bad("a number has more than 32 bits"))
    }

    /// A count of things that take `bytes` each or more, so that there cannot be more than the rest holds.
    pub(super) fn count(&mut self, bytes: usize) -> Result<usize, BadGraph> {
        let count = self.varint()?;
        self.bounded(count, bytes)
    }

    /// The same of a count that was read in another form.
    pub(super) fn bounded(&self, count: u64, bytes: usize) -> Result<usize, BadGraph> {
        let count = usize::try_from(count).ok();
        let fits = |count: &usize| {
            count
                .checked_mul(bytes)
                .is_some_and(|size| size <= self.bytes.len())
        };
        count.filter(fits).ok_or_else(|| self.bad("it ends early"))
    }

    pub(super) fn text(&mut self, length: u64) -> Result<&'a str, BadGraph> {
        let bytes = self.take(length)?;
        str::from_utf8(bytes).map_err(|_| self.bad("a name is not UTF-8"))
    }

    /// The next field of a protobuf message, with its number; none at the end.
    pub(super) fn field(&mut self) -> Result<Option<(u64, Field<'a>)>, BadGraph> {
        if self.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let field = match tag & 7 {
            0 => Field::Number(self.varint()?),
            2 => {
                let length = self.varint()?;
                Field::Bytes(self.part(length)?)
            }
            _ => return Err(self.bad("a field is of a kind that graphs do not have")),
        };
        Ok(Some((tag >> 3, field)))
    }

    /// An integer in all that is left, least significant byte first.
    pub(super) fn integer(mut self) -> Result<[u64; 4], BadGraph> {
        let bytes = self.rest();
        let significant = bytes.iter().rposition(|byte| *byte != 0);
        let significant = &bytes[..significant.map_or(0, |last| last + 1)];
        let mut padded = [0; 32];
        let room = padded.get_mut(..significant.len());
        let room = room.ok_or_else(|| self.bad("an integer has more than 256 bits"))?;
        room.copy_from_slice(significant);
        Ok(words(&padded))
    }
}

/// Four words of 32 bytes, both least significant first.
pub(super) fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// The prime of a curve's scalar field.
pub(super) fn modulus(curve: PairingCurve) -> [u64; 4] {
    fn of<F: TapeField>() -> [u64; 4] {
        F::MODULUS_64.p
    }
    match curve {
        PairingCurve::Bn254 => of::<bn254::Fr>(),
        PairingCurve::Bls12_381 => of::<bls12_381::Fr>(),
    }
}
