//! One proof over several machines, in bytes: pieces of it, and the proof that is put together of their results.
//!
//! A machine has the ranges of a `.zkey` that its pieces need. The file has its full length: other ranges may be holes.
//! [`layout`] tells where ranges are. Numbers have 32 bytes, the least significant first. Points are as in a `.zkey`.
//! Whatever another machine has computed is checked: numbers are below the modulus, points in their groups, and the
//! proof is verified.

use frumious_circom::generic::Wtns;
use frumious_curves::engine::{MontgomeryEncoding, ScalarField};
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_field::Integer;
use frumious_groth16::{
    Part, PartialSum, ProveOptions, ProvingEngine, QuotientSide, ShardSums,
    assemble_with_randomness_for_tests, prove_with_randomness_for_tests, quotient_scalars,
};
use frumious_snarkjs::generic::{KeyFile, public_to_json};
use frumious_snarkjs::groth16::{proof_to_json, values};
use zeroize::Zeroizing;

use crate::failure::{About, Failure};
use crate::key::{AnyKey, Key};
use crate::over_curve;
use crate::witness::AnyWitness;

/// A part of a key that is placed in ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPlace {
    /// Its name: `a`, `b1`, `b2`, `c` or `h`, of which ranges are summed, or `coefficients`.
    pub name: &'static str,
    /// Offset of the first entry in the file.
    pub offset: u64,
    /// Number of entries.
    pub entries: u64,
    /// Bytes of an entry.
    pub entry_bytes: u64,
}

/// Places of the parts. The rest of the file is small, and every machine needs it.
///
/// # Errors
/// A [`Failure`] of exit code 2 for an `.fkey`, which leaves out entries.
pub fn layout(key: &AnyKey) -> Result<Vec<PartPlace>, Failure> {
    match key {
        AnyKey::Bn254(key) => layout_over(key),
        AnyKey::Bls12_381(key) => layout_over(key),
    }
}

/// `Σ scalars[i]·P[first + i]` over entries of a part: one point.
///
/// # Errors
/// A [`Failure`] of exit code 2 for another name, for scalars that are no numbers below r, and for entries that the
/// part has not.
pub fn partial_sum_vartime(
    key: &AnyKey,
    part: &str,
    first: u64,
    scalars: &[u8],
) -> Result<Vec<u8>, Failure> {
    match key {
        AnyKey::Bn254(key) => sum_over(key, part, first, scalars),
        AnyKey::Bls12_381(key) => sum_over(key, part, first, scalars),
    }
}

/// One of the vectors `a`, `b` and `c` that make the quotient: a number for each element of the domain. It is secret.
///
/// # Errors
/// A [`Failure`] of exit code 2 for another name, or a witness of another circuit.
pub fn quotient_vector(
    key: &AnyKey,
    witness: &AnyWitness,
    name: &str,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    match (key, witness) {
        (AnyKey::Bn254(key), AnyWitness::Bn254(witness)) => vector_over(key, witness, name),
        (AnyKey::Bls12_381(key), AnyWitness::Bls12_381(witness)) => vector_over(key, witness, name),
        _ => Err(Failure::bad_input(
            "the witness is over another curve than the key",
        )),
    }
}

/// The scalars of entries of part H, of the same range of `a`, `b` and `c`. They are secret.
///
/// # Errors
/// A [`Failure`] of exit code 2 for what is no number below r, or ranges of different lengths.
pub fn scalars_of_h(
    curve: PairingCurve,
    vectors: [&[u8]; 3],
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    over_curve!(curve, E => h_over::<<E as PairingEngine>::Fr>(vectors))
}

/// Results of pieces: sums of ranges that make up each part, in any order.
#[derive(Clone, Copy)]
pub struct Results<'a> {
    /// The public signals: a number each.
    pub public: &'a [u8],
    /// Points of part A, one after the other.
    pub a: &'a [u8],
    /// Points of part B1; none unless `randomness` is given.
    pub b1: &'a [u8],
    /// Points of part B2.
    pub b2: &'a [u8],
    /// Points of part C.
    pub c: &'a [u8],
    /// Points of part H.
    pub h: &'a [u8],
    /// r and s, for tests that compare proofs: such a proof is not zero-knowledge.
    pub randomness: Option<&'a [u8]>,
}

/// The proof, blinded and verified, and the public signals: as snarkjs writes them.
///
/// # Errors
/// A [`Failure`] of exit code 1 if a sum is wrong or the witness does not satisfy the circuit. One of exit code 2 for
/// what is no number, or no point of its group.
pub fn assemble(key: &AnyKey, results: &Results<'_>) -> Result<(String, String), Failure> {
    match key {
        AnyKey::Bn254(key) => assemble_over(key, results),
        AnyKey::Bls12_381(key) => assemble_over(key, results),
    }
}

/// A proof on one machine with r and s given, as JSON: to compare others with. It is not zero-knowledge.
#[doc(hidden)]
pub fn prove_alone_for_tests(
    key: &AnyKey,
    witness: &AnyWitness,
    randomness: &[u8],
) -> Result<String, Failure> {
    match (key, witness) {
        (AnyKey::Bn254(key), AnyWitness::Bn254(witness)) => alone_over(key, witness, randomness),
        (AnyKey::Bls12_381(key), AnyWitness::Bls12_381(witness)) => {
            alone_over(key, witness, randomness)
        }
        _ => Err(Failure::bad_input(
            "the witness is over another curve than the key",
        )),
    }
}

fn alone_over<E: ProvingEngine>(
    key: &Key<E>,
    witness: &Wtns<E>,
    randomness: &[u8],
) -> Result<String, Failure> {
    let [r, s] = elements::<E::Fr>(randomness)?[..] else {
        return Err(Failure::bad_input("r and s are expected"));
    };
    let options = ProveOptions::default();
    let proved = prove_with_randomness_for_tests(key.proving(), &values(witness), &options, r, s);
    Ok(proof_to_json(&proved?.0))
}

fn layout_over<E: ProvingEngine>(key: &Key<E>) -> Result<Vec<PartPlace>, Failure> {
    let KeyFile::Zkey(zkey) = key.file() else {
        let message = "an .fkey leaves out points: its ranges cannot be placed apart";
        return Err(Failure::bad_input(message)
            .hinting("Next: frumious convert it to a .zkey.")
            .about(key.path()));
    };
    let coefficients = zkey.coefficients();
    let parts = [
        (
            "coefficients",
            coefficients.bytes(0..coefficients.len()),
            COEFFICIENT_BYTES,
        ),
        ("a", zkey.a().as_bytes(), E::G1::BYTES),
        ("b1", zkey.b1().as_bytes(), E::G1::BYTES),
        ("b2", zkey.b2().as_bytes(), E::G2::BYTES),
        ("c", zkey.c().as_bytes(), E::G1::BYTES),
        ("h", zkey.h().as_bytes(), E::G1::BYTES),
    ];
    let start = zkey.bytes().as_ptr().addr();
    Ok(parts
        .map(|(name, bytes, entry_bytes)| PartPlace {
            name,
            offset: (bytes.as_ptr().addr() - start) as u64,
            entries: (bytes.len() / entry_bytes) as u64,
            entry_bytes: entry_bytes as u64,
        })
        .to_vec())
}

fn sum_over<E: ProvingEngine>(
    key: &Key<E>,
    part: &str,
    first: u64,
    scalars: &[u8],
) -> Result<Vec<u8>, Failure> {
    let part = match part {
        "a" => Part::A,
        "b1" => Part::B1,
        "b2" => Part::B2,
        "c" => Part::C,
        "h" => Part::H,
        _ => return Err(Failure::bad_input("part: a, b1, b2, c or h is expected")),
    };
    let scalars = numbers(scalars)?;
    if scalars
        .iter()
        .any(|bytes| integer::<E::Fr>(bytes).is_none())
    {
        return Err(not_below());
    }
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    let sum = key.proving().partial_sum_vartime(part, first, scalars);
    Ok(match sum.map_err(Failure::from).about(key.path())? {
        PartialSum::G1(sum) => sum.to_montgomery_bytes().as_ref().to_vec(),
        PartialSum::G2(sum) => sum.to_montgomery_bytes().as_ref().to_vec(),
    })
}

fn vector_over<E: ProvingEngine>(
    key: &Key<E>,
    witness: &Wtns<E>,
    name: &str,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let side = match name {
        "a" => QuotientSide::A,
        "b" => QuotientSide::B,
        "c" => QuotientSide::Products,
        _ => return Err(Failure::bad_input("vector: a, b or c is expected")),
    };
    let vector = key.proving().quotient_vector(&values(witness), side);
    let vector = vector.map_err(Failure::from).about(key.path())?;
    Ok(bytes_of(
        vector.len(),
        vector.iter().copied().map(Integer::from),
    ))
}

fn h_over<F: ScalarField>(vectors: [&[u8]; 3]) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let [a, b, c] = vectors.map(elements::<F>);
    let (a, b, c) = (a?, b?, c?);
    if a.len() != b.len() || b.len() != c.len() {
        return Err(Failure::bad_input("ranges of one length are expected"));
    }
    let scalars = quotient_scalars(a, &b, &c);
    Ok(bytes_of(scalars.len(), scalars.iter().copied()))
}

fn assemble_over<E: ProvingEngine>(
    key: &Key<E>,
    results: &Results<'_>,
) -> Result<(String, String), Failure> {
    let public = elements::<E::Fr>(results.public)?;
    let sums = ShardSums::<E> {
        a: points(results.a, "a")?,
        b1: points(results.b1, "b1")?,
        b2: points(results.b2, "b2")?,
        c: points(results.c, "c")?,
        h: points(results.h, "h")?,
    };
    let key = key.proving();
    let proof = match results.randomness {
        None => key.assemble(&public, &sums),
        Some(given) => match elements::<E::Fr>(given)?[..] {
            [r, s] => assemble_with_randomness_for_tests(key, &public, &sums, r, s),
            _ => return Err(Failure::bad_input("r and s are expected")),
        },
    }?;
    Ok((proof_to_json(&proof), public_to_json(&public)))
}

/// Points that are on their curve and in their group.
fn points<P: MontgomeryEncoding>(bytes: &[u8], part: &str) -> Result<Vec<P>, Failure> {
    if !bytes.len().is_multiple_of(P::BYTES) || bytes.len() > MOST_POINTS * P::BYTES {
        return Err(Failure::bad_input(format!(
            "sums of part {part}: whole points, at most {MOST_POINTS}, are expected"
        )));
    }
    let points = bytes.chunks_exact(P::BYTES).map(P::from_montgomery_bytes);
    let points: Result<_, _> = points.collect();
    points.map_err(|error| Failure::bad_input(format!("a sum of part {part}: {error}")))
}

fn numbers(bytes: &[u8]) -> Result<&[[u8; NUMBER_BYTES]], Failure> {
    let (numbers, rest) = bytes.as_chunks();
    match rest.is_empty() {
        true => Ok(numbers),
        false => Err(Failure::bad_input("numbers of 32 bytes are expected")),
    }
}

fn elements<F: ScalarField>(bytes: &[u8]) -> Result<Zeroizing<Vec<F>>, Failure> {
    let numbers = numbers(bytes)?;
    let mut elements = Zeroizing::new(Vec::with_capacity(numbers.len()));
    for bytes in numbers {
        let integer = integer::<F>(bytes).ok_or_else(not_below)?;
        elements.push(integer.to_element());
    }
    Ok(elements)
}

fn integer<F: ScalarField>(bytes: &[u8; NUMBER_BYTES]) -> Option<Integer<F>> {
    let (words, _) = bytes.as_chunks::<8>();
    Integer::new_vartime(std::array::from_fn(|i| u64::from_le_bytes(words[i])))
}

fn bytes_of<F: ScalarField>(
    len: usize,
    integers: impl Iterator<Item = Integer<F>>,
) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(len * NUMBER_BYTES));
    for integer in integers {
        for word in integer.words() {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
    }
    bytes
}

fn not_below() -> Failure {
    Failure::bad_input("a number is not below the order of the group")
}

const NUMBER_BYTES: usize = 32;

/// Matrix, row and wire in four bytes each, and a number.
const COEFFICIENT_BYTES: usize = 12 + NUMBER_BYTES;

/// More ranges of a part than any fleet has nodes.
const MOST_POINTS: usize = 1 << 16;

#[cfg(test)]
mod tests;
