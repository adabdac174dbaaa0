//! A witness of either curve.

use std::io;
use std::path::Path;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_field::{Field, Integer, PrimeField};

use crate::curve::{Bls12_381, Bn254};
use crate::failure::{About, Failure};
use crate::files;

/// The values of all wires.
pub enum AnyWitness {
    /// Over BN254.
    Bn254(Wtns<Bn254>),
    /// Over BLS12-381.
    Bls12_381(Wtns<Bls12_381>),
}

impl AnyWitness {
    /// Maps and checks the witness at `path`, over the curve of the key.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 with the place of the first fault.
    pub fn open(path: &Path, curve: PairingCurve) -> Result<Self, Failure> {
        if files::is_stream(path) {
            return Self::of(&files::read_secret(path)?, curve, path);
        }
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(Wtns::open(path).about(path)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(Wtns::open(path).about(path)?),
        })
    }

    /// Copies and checks the witness that these bytes are, over the curve of the key. `name` is for messages.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 with the place of the first fault.
    pub fn of(bytes: &[u8], curve: PairingCurve, name: &Path) -> Result<Self, Failure> {
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(Wtns::from_bytes(bytes).about(name)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(Wtns::from_bytes(bytes).about(name)?),
        })
    }

    /// Values of full length that belong to no circuit, for measurements.
    ///
    /// # Errors
    /// A [`Failure`] for no value.
    pub fn made_up(curve: PairingCurve, n_wires: usize) -> Result<Self, Failure> {
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(made_up(n_wires)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(made_up(n_wires)?),
        })
    }

    /// The curve.
    pub fn curve(&self) -> PairingCurve {
        match self {
            Self::Bn254(_) => PairingCurve::Bn254,
            Self::Bls12_381(_) => PairingCurve::Bls12_381,
        }
    }

    /// Number of values.
    pub fn n_wires(&self) -> usize {
        match self {
            Self::Bn254(witness) => witness.len(),
            Self::Bls12_381(witness) => witness.len(),
        }
    }

    /// Makes sure that any later change of the file is noticed, if there is one: `FileBytes::settle`.
    pub fn settle(&self) {
        let mapped = match self {
            Self::Bn254(witness) => witness.mapped(),
            Self::Bls12_381(witness) => witness.mapped(),
        };
        if let Some(file) = mapped {
            file.settle();
        }
    }

    /// Writes a `.wtns` file.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 when `out` fails.
    pub fn write(&self, out: impl io::Write) -> Result<(), Failure> {
        Ok(match self {
            Self::Bn254(witness) => witness.write(out),
            Self::Bls12_381(witness) => witness.write(out),
        }?)
    }
}

/// 1, 3, 3² + 1, (3² + 1)² + 1, …
pub(crate) fn made_up<E: PairingEngine>(n_wires: usize) -> Result<Wtns<E>, Failure> {
    let mut value = E::Fr::from_u64(3);
    let mut values = vec![Integer::from(E::Fr::ONE)];
    values.resize_with(n_wires.max(1), || {
        let this = Integer::from(value);
        value = value.square() + E::Fr::ONE;
        this
    });
    Ok(Wtns::new(values)?)
}
