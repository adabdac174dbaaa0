//! The curve of a task: that of its first file. The others must be of the same, and are read as such.

use std::path::Path;

use frumious_circom::FileKind;
#[doc(no_inline)]
pub use frumious_curves::{Bls12_381, Bn254, PairingCurve};
use frumious_mapping::FileBytes;
use frumious_snarkjs::curve_of;

use crate::failure::{About, Failure};

/// The engine of a curve, as the type `$engine` in `$body`.
#[macro_export]
macro_rules! over_curve {
    ($curve:expr, $engine:ident => $body:expr) => {
        match $curve {
            $crate::curve::PairingCurve::Bn254 => {
                type $engine = $crate::curve::Bn254;
                $body
            }
            $crate::curve::PairingCurve::Bls12_381 => {
                type $engine = $crate::curve::Bls12_381;
                $body
            }
        }
    };
}

/// The curve of the file at `path`, whose bytes these are.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a file of another kind or curve.
pub fn of(kind: FileKind, bytes: &FileBytes, path: &Path) -> Result<PairingCurve, Failure> {
    curve_of(kind, &bytes[..])
        .map_err(|error| error.in_file(path))
        .about(path)
}
