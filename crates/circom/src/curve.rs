//! Which curve a file is for, by the primes in its header or by the name in its JSON.

use frumious_curves::engine::ResidueField;
use frumious_curves::{Bls12_381, Bn254, PairingCurve, PairingEngine};

use crate::container::{Container, Cursor};
use crate::error::{Error, FileKind, Problem};
use crate::fkey;
use crate::json::Document;

/// The curve of a file, by its first sections or its key "curve"; what else is in it is not looked at.
///
/// JSON without the key is BN254's, as rapidsnark writes it; public signals alone do not tell, and count as BN254's.
///
/// # Errors
/// [`Error::Malformed`] for a bad frame, a header that is missing, repeated or too short, text that is not JSON, and for a curve that is
/// none of [`PairingCurve`].
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
        FileKind::PublicJson => return Ok(PairingCurve::Bn254),
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

/// The two primes of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modulus {
    /// Of the coordinates: q.
    Base,
    /// The order of the groups: r.
    Scalar,
}

impl Modulus {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Modulus::Base => "base field q",
            Modulus::Scalar => "scalar field r",
        }
    }
}

/// A modulus of `E` as headers have it: as many bytes as its words, the least significant first.
pub(crate) fn modulus_bytes<E: PairingEngine>(modulus: Modulus) -> Vec<u8> {
    let words = match modulus {
        Modulus::Base => E::Fq::MODULUS_WORDS,
        Modulus::Scalar => E::Fr::MODULUS_WORDS,
    };
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The curve of a field's description, `n8 u32 | prime[n8]`, at the start of `bytes`.
pub(crate) fn of_prime(bytes: &[u8]) -> Option<PairingCurve> {
    let (n8, rest) = bytes.split_first_chunk::<4>()?;
    let prime = rest.get(..u32::from_le_bytes(*n8).try_into().ok()?)?;
    let is_of = |primes: [Vec<u8>; 2]| primes.iter().any(|known| known == prime);
    if is_of([Modulus::Base, Modulus::Scalar].map(modulus_bytes::<Bn254>)) {
        return Some(PairingCurve::Bn254);
    }
    is_of([Modulus::Base, Modulus::Scalar].map(modulus_bytes::<Bls12_381>))
        .then_some(PairingCurve::Bls12_381)
}

/// The name of a curve in circom's and snarkjs' files.
pub fn curve_name(curve: PairingCurve) -> &'static str {
    match curve {
        PairingCurve::Bn254 => "bn128",
        PairingCurve::Bls12_381 => "bls12381",
    }
}

/// The curve of a name that snarkjs knows.
pub(crate) fn of_name(name: &str) -> Option<PairingCurve> {
    match name {
        "bn128" | "bn254" | "altbn128" => Some(PairingCurve::Bn254),
        "bls12381" | "bls12-381" => Some(PairingCurve::Bls12_381),
        _ => None,
    }
}
