//! The statement in the transcript: all openings in order, and the powers of the challenge they are summed with.

use super::Claim;
use crate::{DOMAIN, Transcript};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, batch_to_affine_vartime};

/// Openings that share an inversion.
const BATCH: usize = 256;

/// Powers of the challenge that one task computes.
const POWERS: usize = 4096;

/// A label, the encoding of the commitment; a label, the point; a label, the value.
const RECORD: usize = 3 * (1 + 32);

/// A commitment in the two forms that are needed of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Normalized {
    pub(super) element: AffineElement,
    pub(super) encoding: [u8; 32],
}

/// The commitments in affine coordinates, with one inversion a batch, the batches possibly at once.
pub(super) fn normalize(
    targets: &mut Vec<Normalized>,
    count: usize,
    commitment: impl Fn(usize) -> Element + Send + Sync,
) {
    targets.clear();
    targets.resize(count, Normalized::default());
    frumious_parallel::for_each_chunk_mut(targets, BATCH, |batch, targets| {
        let mut elements = [Element::IDENTITY; BATCH];
        let elements = &mut elements[..targets.len()];
        for (i, element) in elements.iter_mut().enumerate() {
            *element = commitment(batch * BATCH + i);
        }
        for (target, element) in targets.iter_mut().zip(batch_to_affine_vartime(elements)) {
            *target = Normalized {
                element,
                encoding: element.to_bytes(),
            };
        }
    });
}

/// Appends all openings; the challenge that they are summed with.
pub(super) fn append(
    transcript: &mut Transcript,
    commitments: &[Normalized],
    claim: impl Fn(usize) -> (u8, Fr),
) -> Fr {
    let points: [[u8; 32]; DOMAIN] = core::array::from_fn(|z| Fr::from_u64(z as u64).to_bytes());
    transcript.domain_separator(b"multiproof");
    let mut records = [0; RECORD * BATCH];
    for (batch, commitments) in commitments.chunks(BATCH).enumerate() {
        let records = &mut records[..RECORD * commitments.len()];
        for (i, (record, commitment)) in records
            .chunks_exact_mut(RECORD)
            .zip(commitments)
            .enumerate()
        {
            let (point, value) = claim(batch * BATCH + i);
            let fields = [
                (b'C', commitment.encoding),
                (b'z', points[usize::from(point)]),
                (b'y', value.to_bytes()),
            ];
            for (target, (label, encoding)) in record.chunks_exact_mut(33).zip(fields) {
                target[0] = label;
                target[1..].copy_from_slice(&encoding);
            }
        }
        transcript.append_records(records);
    }
    transcript.challenge(b"r")
}

/// `1, r, r², …`
pub(super) fn powers(targets: &mut Vec<Fr>, count: usize, r: &Fr) {
    targets.clear();
    targets.resize(count, Fr::ZERO);
    frumious_parallel::for_each_chunk_mut(targets, POWERS, |chunk, targets| {
        let mut power = r.pow_vartime(&[(chunk * POWERS) as u64]);
        for target in targets {
            *target = power;
            power *= *r;
        }
    });
}

impl Claim {
    /// Point and value.
    pub(super) fn evaluation(&self) -> (u8, Fr) {
        (self.point, self.value)
    }
}
