//! Which curve a command works over: that of its first file. The others must be of the same, and are read as such.

use std::path::Path;

use frumious_circom::FileKind;
use frumious_curves::PairingCurve;
use frumious_mapping::FileBytes;
use frumious_snarkjs::curve_of;

use crate::failure::{About, Failure};

/// The engine of a curve, as the type `$engine` in `$body`.
macro_rules! over_curve {
    ($curve:expr, $engine:ident => $body:expr) => {
        match $curve {
            frumious_curves::PairingCurve::Bn254 => {
                type $engine = frumious_curves::Bn254;
                $body
            }
            frumious_curves::PairingCurve::Bls12_381 => {
                type $engine = frumious_curves::Bls12_381;
                $body
            }
        }
    };
}
pub(crate) use over_curve;

/// The curve of the file at `path`, whose bytes these are.
pub fn of(kind: FileKind, bytes: &FileBytes, path: &Path) -> Result<PairingCurve, Failure> {
    curve_of(kind, &bytes[..])
        .map_err(|error| error.in_file(path))
        .about(path)
}

/// Refuses a curve that Solidity verifiers are not made for.
pub fn expect_bn254(curve: PairingCurve, path: &Path) -> Result<(), Failure> {
    match curve {
        PairingCurve::Bn254 => Ok(()),
        other => Err(Failure::BadInput(format!(
            "{}: it is for {other}, and Solidity verifiers are made for BN254 only",
            path.display()
        ))),
    }
}
