//! Curves in files: by the primes in a header, or by name.

use frumious_curves::engine::ResidueField;
use frumious_curves::{Bls12_381, Bn254, PairingCurve, PairingEngine};

/// The two primes of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modulus {
    /// Of the coordinates: q.
    Base,
    /// The order of the groups: r.
    Scalar,
}

impl Modulus {
    /// A name for people.
    pub fn name(self) -> &'static str {
        match self {
            Modulus::Base => "base field q",
            Modulus::Scalar => "scalar field r",
        }
    }
}

/// A modulus of `E` as headers have it: as many bytes as its words, the least significant first.
pub fn modulus_bytes<E: PairingEngine>(modulus: Modulus) -> Vec<u8> {
    let words = match modulus {
        Modulus::Base => E::Fq::MODULUS_WORDS,
        Modulus::Scalar => E::Fr::MODULUS_WORDS,
    };
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The curve of a field's description, `n8 u32 | prime[n8]`, at the start of `bytes`.
pub fn of_prime(bytes: &[u8]) -> Option<PairingCurve> {
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
pub fn of_name(name: &str) -> Option<PairingCurve> {
    match name {
        "bn128" | "bn254" | "altbn128" => Some(PairingCurve::Bn254),
        "bls12381" | "bls12-381" => Some(PairingCurve::Bls12_381),
        _ => None,
    }
}
