//! The statement in the transcript: all openings in order, and the powers of the challenge they are summed with.

use super::Claim;
use crate::{DOMAIN, Transcript};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, batch_to_affine_into_vartime};

/// Openings that one task prepares, with one inversion.
const BATCH: usize = 256;

/// Powers of the challenge that one task computes.
const POWERS: usize = 4096;

/// A label and an encoding: of the commitment, of the point, of the value.
const RECORD: usize = 3 * (1 + 32);

/// An opening as the transcript and the sums need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prepared {
    pub(super) commitment: AffineElement,
    record: [u8; RECORD],
}

impl Prepared {
    const EMPTY: Self = Self {
        commitment: AffineElement::IDENTITY,
        record: [0; RECORD],
    };

    /// The canonical encoding of the commitment.
    pub(super) fn encoding(&self) -> &[u8; 32] {
        self.record[1..].first_chunk().expect("32 of 98 bytes")
    }
}

/// Brings all openings into the form that is hashed, possibly many at once.
pub(super) fn prepare(
    targets: &mut Vec<Prepared>,
    count: usize,
    claim: impl Fn(usize) -> Claim + Send + Sync,
) {
    let points: [[u8; 32]; DOMAIN] = core::array::from_fn(|z| Fr::from_u64(z as u64).to_bytes());
    targets.clear();
    targets.resize(count, Prepared::EMPTY);
    frumious_parallel::for_each_chunk_mut(targets, BATCH, |batch, targets| {
        let mut elements = [Element::IDENTITY; BATCH];
        let mut evaluations = [(0, Fr::ZERO); BATCH];
        // values come from all over the memory: read in a loop of its own, many at a time
        for (i, (element, evaluation)) in (elements.iter_mut().zip(&mut evaluations))
            .enumerate()
            .take(targets.len())
        {
            let claim = claim(batch * BATCH + i);
            *element = claim.commitment;
            *evaluation = (claim.point, claim.value);
        }
        let mut commitments = [AffineElement::IDENTITY; BATCH];
        let commitments = &mut commitments[..targets.len()];
        batch_to_affine_into_vartime(&elements[..targets.len()], commitments);
        for ((target, commitment), (point, value)) in
            targets.iter_mut().zip(commitments).zip(&evaluations)
        {
            target.commitment = *commitment;
            let fields = [
                (b'C', &commitment.to_bytes()),
                (b'z', &points[usize::from(*point)]),
                (b'y', &value.to_bytes()),
            ];
            for (field, (label, encoding)) in target.record.chunks_exact_mut(33).zip(fields) {
                field[0] = label;
                field[1..].copy_from_slice(encoding);
            }
        }
    });
}

/// Appends all openings; the challenge that they are summed with.
pub(super) fn append(transcript: &mut Transcript, openings: &[Prepared]) -> Fr {
    transcript.domain_separator(b"multiproof");
    for opening in openings {
        transcript.append_record(&opening.record);
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
