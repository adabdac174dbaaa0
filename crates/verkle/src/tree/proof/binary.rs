//! The binary form of a proof, that of rust-verkle (`VerkleProof::write`).
//!
//! Three lists follow each other: other stems of 31 bytes, status bytes, and commitments of 32 bytes. Before each
//! stands its number of items as a 32-bit integer, the least significant byte first. The 576 bytes of the multiproof
//! come last.

use super::{MAX_COMMITMENTS_PER_STEM, MAX_STEMS, StemStatus, VerkleProof, decode_all};
use crate::tree::{Place, Problem, Stem, TreeError};
use crate::{Error, Multiproof};
use frumious_curves::bandersnatch::{AffineElement, BatchError};

impl VerkleProof {
    /// The binary form.
    #[expect(clippy::missing_panics_doc, reason = "memory ends before 2^32 items")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let count = |n: usize| {
            let n = u32::try_from(n).expect("memory ends before 2^32 items of 31 bytes");
            n.to_le_bytes()
        };
        bytes.extend(count(self.other_stems.len()));
        bytes.extend(self.other_stems.iter().flatten());
        bytes.extend(count(self.statuses.len()));
        bytes.extend(self.statuses.iter().map(StemStatus::to_byte));
        bytes.extend(count(self.commitments.len()));
        bytes.extend(self.commitments.iter().flat_map(AffineElement::to_bytes));
        bytes.extend(self.multiproof.to_bytes());
        bytes
    }

    /// The proof with this binary form.
    ///
    /// # Errors
    /// With the byte:
    /// - too few or too many bytes
    /// - more items than [`ExecutionWitness`](crate::tree::ExecutionWitness) may have
    /// - bytes that are no status, or no canonical encoding of an element or of a scalar
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TreeError> {
        let mut reader = Reader { bytes, offset: 0 };
        let (_, other_stems) = reader.list::<31>(MAX_STEMS)?;
        let (offset, statuses) = reader.list::<1>(MAX_STEMS)?;
        let statuses = statuses
            .iter()
            .enumerate()
            .map(|(i, [byte])| {
                let problem = Problem::Status(*byte);
                StemStatus::from_byte(*byte).ok_or(Place::Byte(offset + i).error(problem))
            })
            .collect::<Result<Vec<StemStatus>, TreeError>>()?;
        let limit = MAX_COMMITMENTS_PER_STEM * MAX_STEMS;
        let (offset, commitments) = reader.list::<32>(limit)?;
        let commitments = decode_all(&commitments).map_err(|BatchError { index, error }| {
            Place::Byte(offset + 32 * index).error(Problem::Element(error))
        })?;
        let offset = reader.offset;
        let multiproof = reader.take(Multiproof::BYTES)?;
        let multiproof = Multiproof::from_bytes(multiproof).map_err(|error| match error {
            Error::ProofElement {
                offset: at, error, ..
            } => Place::Byte(offset + at).error(Problem::Element(error)),
            Error::ProofScalar { offset: at } => Place::Byte(offset + at).error(Problem::Scalar),
            error => error.into(),
        })?;
        reader.finish()?;
        Ok(Self {
            other_stems,
            statuses,
            commitments,
            multiproof,
        })
    }
}

/// Bytes that are left, and where they are.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, needed: usize) -> Result<&'a [u8], TreeError> {
        let Some((taken, rest)) = self.bytes.split_at_checked(needed) else {
            return Err(Place::Byte(self.offset).error(Problem::Truncated {
                needed,
                available: self.bytes.len(),
            }));
        };
        self.bytes = rest;
        self.offset += needed;
        Ok(taken)
    }

    /// A list of at most `limit` items of `N` bytes, and where its first item is.
    fn list<const N: usize>(&mut self, limit: usize) -> Result<(usize, Vec<[u8; N]>), TreeError> {
        let place = Place::Byte(self.offset);
        let count = self.take(4)?.try_into().expect("four bytes were taken");
        // Not below `limit` if it does not fit.
        let found = usize::try_from(u32::from_le_bytes(count)).unwrap_or(usize::MAX);
        if found > limit {
            return Err(place.error(Problem::TooMany { limit, found }));
        }
        let offset = self.offset;
        let items = self.take(found * N)?.chunks_exact(N);
        let item = |bytes: &[u8]| -> [u8; N] { core::array::from_fn(|i| bytes[i]) };
        Ok((offset, items.map(item).collect()))
    }

    fn finish(self) -> Result<(), TreeError> {
        match self.bytes.len() {
            0 => Ok(()),
            left => Err(Place::Byte(self.offset).error(Problem::Trailing(left))),
        }
    }
}

/// Stems are read as arrays of their length.
const _: () = assert!(size_of::<Stem>() == 31);
