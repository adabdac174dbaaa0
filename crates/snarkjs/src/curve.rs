//! The curve of a file, by the primes in its header or by the name in its JSON.

use frumious_circom::container::{Container, Cursor};
use frumious_circom::curve::{Modulus, of_name};
use frumious_circom::{Error, FileKind, Problem};
use frumious_curves::PairingCurve;

use crate::groth16::fkey;
use crate::json::Document;

/// The curve of a file, by its first sections or its key "curve"; what else is in it is not looked at.
///
/// JSON without the key is BN254's, as rapidsnark writes it. Public signals and `.mpcparams` do not tell, and count as
/// BN254's.
///
/// # Errors
/// [`Error::Malformed`] for
/// - a bad frame or text that is not JSON;
/// - a header that is missing, repeated or too short;
/// - a curve that is none of [`PairingCurve`].
pub fn curve_of(file: FileKind, bytes: impl AsRef<[u8]>) -> Result<PairingCurve, Error> {
    let bytes = bytes.as_ref();
    let (section, modulus) = match file {
        FileKind::R1cs | FileKind::Wtns => (1, Modulus::Scalar),
        FileKind::Ptau => (1, Modulus::Base),
        FileKind::Zkey => (2, Modulus::Base),
        FileKind::Fkey => (2, Modulus::Base),
        FileKind::ProofJson | FileKind::VerifyingKeyJson => {
            return match Document::parse(file, bytes)?.root().optional_key("curve")? {
                Some(name) => of_name(name.text()?)
                    .ok_or_else(|| name.error(Problem::Expected("\"bn128\" or \"bls12381\""))),
                None => Ok(PairingCurve::Bn254),
            };
        }
        FileKind::PublicJson | FileKind::MpcParams => return Ok(PairingCurve::Bn254),
    };
    let container = match file {
        FileKind::Fkey => fkey::container(bytes)?,
        _ => Container::parse(bytes, file)?,
    };
    let mut header = Cursor::new(container.section(bytes, section)?);
    match header.curve() {
        Some(curve) => Ok(curve),
        None => {
            header.u32()?;
            Err(header.error_before(4, Problem::UnknownPrime(modulus.name())))
        }
    }
}
