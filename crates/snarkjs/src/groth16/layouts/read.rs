//! Reads bytes in their order, and names the byte of what is wrong.

use frumious_circom::{Error, FileKind, Problem};
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_curves::{PairingCurve, PairingEngine};

use super::{ByteLayout, SIGNAL_BYTES, point};
use crate::big_endian::Decoder;

/// Bytes that are read from their start to their end.
pub(super) struct Reader<'a> {
    file: FileKind,
    bytes: &'a [u8],
    position: usize,
    layout: ByteLayout,
    curve: PairingCurve,
}

impl<'a> Reader<'a> {
    pub(super) fn new<E: PairingEngine>(
        file: FileKind,
        bytes: &'a [u8],
        layout: ByteLayout,
    ) -> Self {
        Self {
            file,
            bytes,
            position: 0,
            layout,
            curve: E::CURVE,
        }
    }

    /// A broken rule so many bytes before.
    pub(super) fn error_before(&self, length: usize, problem: Problem) -> Error {
        Error::byte(self.file, (self.position - length) as u64, problem)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let rest = &self.bytes[self.position..];
        let taken = rest.get(..length).ok_or_else(|| {
            let problem = Problem::Truncated {
                needed: length as u64,
                available: rest.len() as u64,
            };
            self.error_before(0, problem)
        })?;
        self.position += length;
        Ok(taken)
    }

    /// Bytes of a point.
    pub(super) fn point_bytes<P: PairingGroup>(&self) -> usize {
        P::BYTES / 2
    }

    /// The next point, checked to be in its group.
    pub(super) fn point<P: PairingGroup<Base: ResidueField>>(&mut self) -> Result<P, Error> {
        let length = self.point_bytes::<P>();
        let bytes = self.take(length)?;
        point::read(bytes, self.layout, self.curve)
            .map_err(|reason| self.error_before(length, Problem::Point(reason)))
    }

    /// The same, and not at infinity.
    pub(super) fn finite_point<P: PairingGroup<Base: ResidueField>>(&mut self) -> Result<P, Error> {
        let point: P = self.point()?;
        match point == P::default() {
            true => Err(self.error_before(self.point_bytes::<P>(), Problem::Infinity)),
            false => Ok(point),
        }
    }

    /// The next number of entries, each of which takes so many bytes: no more than there can be.
    pub(super) fn count(&mut self, entry: usize) -> Result<usize, Error> {
        let (count, length) = match self.layout {
            ByteLayout::Gnark => {
                let bytes = self.take(4)?;
                (bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)), 4)
            }
            ByteLayout::Arkworks | ByteLayout::Sui => {
                let bytes = self.take(8)?.iter().rev();
                (bytes.fold(0, |n, byte| n << 8 | u64::from(*byte)), 8)
            }
        };
        let left = (self.bytes.len() - self.position) as u64;
        match count.checked_mul(entry as u64) {
            Some(needed) if needed <= left => Ok(count as usize),
            needed => {
                let problem = Problem::Truncated {
                    needed: needed.unwrap_or(u64::MAX),
                    available: left,
                };
                Err(self.error_before(length, problem))
            }
        }
    }

    /// A number of commitments of gnark, which is zero.
    pub(super) fn no_commitments(&mut self) -> Result<(), Error> {
        match self.take(4)? {
            [0, 0, 0, 0] => Ok(()),
            _ => {
                let problem = Problem::Expected("no commitment, which only gnark's verifier knows");
                Err(self.error_before(4, problem))
            }
        }
    }

    /// The next signal.
    pub(super) fn number<F: ResidueField>(&mut self) -> Result<F, Error> {
        let mut bytes = self.take(SIGNAL_BYTES)?.to_vec();
        if self.layout != ByteLayout::Gnark {
            bytes.reverse();
        }
        let number = Decoder::new().element(&bytes);
        number.ok_or_else(|| self.error_before(SIGNAL_BYTES, Problem::NotCanonical))
    }

    /// The end of the bytes.
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.position == self.bytes.len() {
            true => Ok(()),
            false => Err(self.error_before(0, Problem::Expected("the end of the file"))),
        }
    }
}
