//! The recorded runs of a module, over either curve.

use frumious_curves::PairingCurve;
use frumious_witness::Tapes;

use crate::cache::{ModuleId, TapeCache};
use crate::curve::{Bls12_381, Bn254};

/// The recorded runs of a module, over its curve.
pub(super) enum Loaded {
    Bn254(Tapes<Bn254>),
    Bls12_381(Tapes<Bls12_381>),
}

impl Loaded {
    /// Runs that are kept of a module.
    pub(super) const MOST: usize = Tapes::<Bn254>::MOST;

    pub(super) fn of((cache, id): (&TapeCache, &ModuleId)) -> Self {
        let tapes = cache.load::<Bn254>(id);
        match tapes.is_empty() {
            false => Self::Bn254(tapes),
            true => Self::Bls12_381(cache.load(id)),
        }
    }

    /// None if there are no runs.
    pub(super) fn curve(&self) -> Option<PairingCurve> {
        (!self.is_empty()).then_some(match self {
            Self::Bn254(_) => PairingCurve::Bn254,
            Self::Bls12_381(_) => PairingCurve::Bls12_381,
        })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bn254(tapes) => tapes.len(),
            Self::Bls12_381(tapes) => tapes.len(),
        }
    }

    pub(super) fn cost_more_than(&self, steps: usize) -> bool {
        match self {
            Self::Bn254(tapes) => tapes.cost_more_than(steps),
            Self::Bls12_381(tapes) => tapes.cost_more_than(steps),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
