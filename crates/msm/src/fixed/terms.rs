//! The scalars of a commitment, with the places of their points: as they are given, and as integers.

use super::machine::Machine;
use super::scratch::with_scratch;
use frumious_curves::Group;
use frumious_field::{Field, Integer, vector};

/// Scalars by place, or pairs of place and scalar; the places of pairs rise.
pub enum Terms<'a, G: Group> {
    /// The scalar of each point, from the first.
    Dense(&'a [G::Scalar]),
    /// Places, strictly increasing, and scalars.
    Sparse(&'a [(usize, G::Scalar)]),
}

impl<G: Group> Clone for Terms<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Group> Copy for Terms<'_, G> {}

/// A scalar that is not zero.
#[derive(Clone, Copy)]
pub(super) struct PointScalar {
    /// Which point.
    pub(super) point: usize,
    /// The scalar's value in little-endian words, below the order.
    pub(super) value: [u64; 4],
}

impl<G: Group> Terms<'_, G> {
    /// Calls `f` with the scalars that are not zero, in the order of their places.
    #[inline]
    pub(super) fn with_values<R>(self, f: impl FnOnce(&[PointScalar]) -> R) -> R {
        let most = match self {
            Self::Dense(scalars) => scalars.len(),
            Self::Sparse(terms) => terms.len(),
        };
        let zero = PointScalar {
            point: 0,
            value: [0; 4],
        };
        // On the stack up to 257 points, the basis of Verkle trees and Q: 10 KiB.
        with_scratch::<8, 257, PointScalar, _>(most, zero, |terms| {
            let mut count = 0;
            let mut push = |point, value: Integer<G::Scalar>| {
                let value = *value.words();
                terms[count] = PointScalar { point, value };
                count += 1;
            };
            match self {
                Self::Dense(scalars) => {
                    let in_lanes = Machine::active() == Machine::Lanes;
                    for (index, chunk) in scalars.chunks(CHUNK).enumerate() {
                        if !in_lanes || chunk.len() < CHUNK {
                            // one by one zeros cost nothing
                            for (place, scalar) in chunk.iter().enumerate() {
                                if !scalar.is_zero_vartime() {
                                    push(CHUNK * index + place, Integer::from(*scalar));
                                }
                            }
                            continue;
                        }
                        let mut values = [Integer::ZERO; CHUNK];
                        vector::to_integers(chunk, &mut values);
                        for (place, value) in values.iter().enumerate() {
                            if *value != Integer::ZERO {
                                push(CHUNK * index + place, *value);
                            }
                        }
                    }
                }
                Self::Sparse(pairs) => {
                    for (point, scalar) in pairs {
                        if !scalar.is_zero_vartime() {
                            push(*point, Integer::from(*scalar));
                        }
                    }
                }
            }
            f(&terms[..count])
        })
    }
}

/// So many scalars become integers at a time in lanes.
const CHUNK: usize = 32;
