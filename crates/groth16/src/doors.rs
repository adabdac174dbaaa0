//! The doors of this crate: setups and the prover, compiled once for each curve, here.
//!
//! A generic function is compiled by each crate that calls it. That took a tenth of the time to compile the command,
//! and a caller's options decided its speed.

use frumious_curves::{Bls12_381, Bn254, PairingEngine};
use frumious_r1cs::ConstraintSource;

use crate::prove::{prove_blinded, prove_fixed};
use crate::setup::{make, make_anew, make_from_seed};
use crate::{
    Error, KeySink, Powers, Proof, ProveOptions, ProvingEngine, ProvingKey, SetupOptions, Witness,
};

/// A curve whose functions are compiled in this crate.
pub trait Doors: PairingEngine {
    /// Those functions.
    fn functions() -> Functions<Self>
    where
        Self: ProvingEngine;
}

// A caller that inlined these would compile all of the functions.
impl Doors for Bn254 {
    #[inline(never)]
    fn functions() -> Functions<Self> {
        Functions::of()
    }
}

impl Doors for Bls12_381 {
    #[inline(never)]
    fn functions() -> Functions<Self> {
        Functions::of()
    }
}

/// A proof with its public signals.
type Proved<E> = Result<(Proof<E>, Vec<<E as PairingEngine>::Fr>), Error>;
type WitnessOf<'a, E> = Witness<'a, <E as PairingEngine>::Fr>;

/// The functions of one curve.
#[expect(
    clippy::type_complexity,
    reason = "each is the signature of a function"
)]
pub struct Functions<E: ProvingEngine> {
    /// As [`prove`](crate::prove()).
    pub(crate) prove: fn(&ProvingKey<E>, &WitnessOf<'_, E>, &ProveOptions) -> Proved<E>,
    /// As [`prove_with_randomness_for_tests`](crate::prove_with_randomness_for_tests), with r and s.
    pub(crate) prove_with:
        fn(&ProvingKey<E>, &WitnessOf<'_, E>, &ProveOptions, [E::Fr; 2]) -> Proved<E>,
    /// As [`setup`](crate::setup()).
    pub(crate) setup: fn(
        &dyn ConstraintSource<E::Fr>,
        &Powers<'_, E>,
        &mut dyn KeySink<E>,
        &SetupOptions<'_>,
    ) -> Result<(), Error>,
    /// As [`setup_dev`](crate::setup_dev).
    pub(crate) setup_dev: fn(
        &dyn ConstraintSource<E::Fr>,
        &mut dyn KeySink<E>,
        &SetupOptions<'_>,
    ) -> Result<(), Error>,
    /// As [`setup_dev_from_seed`](crate::setup_dev_from_seed).
    pub(crate) setup_from_seed: fn(
        &dyn ConstraintSource<E::Fr>,
        &[u8],
        &mut dyn KeySink<E>,
        &SetupOptions<'_>,
    ) -> Result<(), Error>,
}

impl<E: ProvingEngine> Functions<E> {
    fn of() -> Self {
        Self {
            prove: prove_blinded,
            prove_with: prove_fixed,
            setup: make,
            setup_dev: make_anew,
            setup_from_seed: make_from_seed,
        }
    }
}
