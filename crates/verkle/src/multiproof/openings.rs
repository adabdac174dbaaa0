//! The statement in the transcript: all openings in order, and the powers of the challenge they are summed with.

use super::Claim;
use crate::Transcript;
use frumious_curves::bandersnatch::{
    AffineElement, Element, Fr, batch_encode_affine_into_vartime, batch_to_affine_into_vartime,
};
use frumious_field::{Integer, vector};
use frumious_parallel::{for_each_chunk_mut, join};

/// Openings that one task prepares, with one inversion.
const BATCH: usize = 256;

/// Openings for which a small part of the working memory is enough: to clear all of it takes two microseconds.
const FEW: usize = 16;

/// Batches that are hashed while the next are prepared.
const HASHED: usize = 16;

/// Powers of the challenge that one task computes.
const POWERS: usize = 4096;

/// A label and an encoding: of the commitment, of the point, of the value.
type Record = [u8; 3 * (1 + 32)];

/// Buffers for openings in the form that is hashed.
#[derive(Debug, Default)]
pub(super) struct Statement {
    batches: Vec<Batch>,
}

/// Openings one after the other: [`BATCH`] of them, but fewer in the last.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    commitments: [AffineElement; BATCH],
    records: [Record; BATCH],
    len: usize,
}

impl Statement {
    /// Appends the openings 0, 1, …, `count - 1` to the transcript; the challenge that they are summed with.
    ///
    /// One thread hashes what is ready, while others prepare what comes next; `visit` gets all batches in order, and
    /// runs at the same time.
    pub(super) fn append(
        &mut self,
        transcript: &mut Transcript,
        count: usize,
        claim: impl Fn(usize) -> Claim + Send + Sync,
        mut visit: impl FnMut(&Batch) + Send,
    ) -> Fr {
        transcript.domain_separator(b"multiproof");
        self.batches.resize(count.div_ceil(BATCH), Batch::EMPTY);
        let mut ready: &[Batch] = &[];
        let mut first = 0;
        for batches in self.batches.chunks_mut(HASHED) {
            let prepare = || {
                for_each_chunk_mut(batches, 1, |i, batch| {
                    let start = first + i * BATCH;
                    batch[0].len = BATCH.min(count - start);
                    batch[0].prepare(|i| claim(start + i));
                });
            };
            join(|| take(ready, transcript, &mut visit), prepare);
            first += batches.len() * BATCH;
            ready = batches;
        }
        take(ready, transcript, &mut visit);
        transcript.challenge(b"r")
    }
}

/// Hashes the batches, and visits them, possibly at once.
fn take(batches: &[Batch], transcript: &mut Transcript, visit: &mut (impl FnMut(&Batch) + Send)) {
    let hash = || {
        for batch in batches {
            transcript.append_record(batch.records[..batch.len].as_flattened());
        }
    };
    join(hash, || batches.iter().for_each(visit));
}

impl Batch {
    const EMPTY: Self = Self {
        commitments: [AffineElement::IDENTITY; BATCH],
        records: [[0; 99]; BATCH],
        len: 0,
    };

    /// The commitments, each with its canonical encoding.
    pub(super) fn commitments(&self) -> impl Iterator<Item = (&AffineElement, &[u8; 32])> {
        let records = self.records[..self.len].iter();
        let encodings = records.map(|record| record[1..].first_chunk().expect("32 of 98 bytes"));
        self.commitments.iter().zip(encodings)
    }

    /// Fills in the openings `claim(0)`, `claim(1)`, …
    fn prepare(&mut self, claim: impl Fn(usize) -> Claim) {
        if self.len <= FEW {
            self.prepare_in::<FEW>(claim);
        } else {
            self.prepare_in::<BATCH>(claim);
        }
    }

    /// As [`prepare`](Self::prepare), with room for `ROOM` openings, as many as there are at least.
    fn prepare_in<const ROOM: usize>(&mut self, claim: impl Fn(usize) -> Claim) {
        let len = self.len;
        let mut elements = [Element::IDENTITY; ROOM];
        let mut values = [Fr::ZERO; ROOM];
        let mut places = [0; ROOM];
        // values come from all over the memory: read in a loop of its own, many at a time
        for i in 0..len {
            let claim = claim(i);
            elements[i] = claim.commitment;
            values[i] = claim.value;
            places[i] = claim.point;
        }
        let commitments = &mut self.commitments[..len];
        batch_to_affine_into_vartime(&elements[..len], commitments);
        let mut encodings = [[0; 32]; ROOM];
        batch_encode_affine_into_vartime(commitments, &mut encodings[..len]);
        let mut integers = [Integer::ZERO; ROOM];
        vector::to_integers(&values[..len], &mut integers[..len]);
        for (i, record) in self.records[..len].iter_mut().enumerate() {
            record[0] = b'C';
            record[1..33].copy_from_slice(&encodings[i]);
            record[33] = b'z';
            record[34..66].fill(0); // the point as a scalar: one byte, least significant first
            record[34] = places[i];
            record[66] = b'y';
            for (bytes, word) in record[67..]
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(integers[i].words())
            {
                *bytes = word.to_le_bytes();
            }
        }
    }
}

/// `1, r, r², …`
pub(super) fn powers(targets: &mut Vec<Fr>, count: usize, r: &Fr) {
    targets.resize(count, Fr::ZERO);
    for_each_chunk_mut(targets, POWERS, |chunk, targets| {
        let first = r.pow_vartime(&[(chunk * POWERS) as u64]);
        vector::powers(targets, &first, r);
    });
}
