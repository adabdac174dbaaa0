//! Commitments and multiproofs over Banderwagon in bytes, bit for bit go-ipa's and rust-verkle's.
//!
//! Scalars have 32 bytes, the least significant first; commitments 32, as go-ipa writes them; proofs
//! [`Multiproof::BYTES`]. Nothing is secret here: time depends on everything. The first call makes tables, which takes
//! a second and 128 MiB of memory. The environment variable `FRUMIOUS_VERKLE_MIB` sets another number of MiB, from 1 to
//! 65,535. Results are the same. Each call fails for a wrong number, and for tables that a limit of memory forbids.

use std::ffi::OsStr;
use std::sync::OnceLock;

use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_msm::fixed::{Banderwagon, FixedBase, Strategy};
pub use frumious_verkle::Multiproof;
use frumious_verkle::{
    Budget, Claim, Committer, DOMAIN, Opening, Preset, Prover, Transcript, Values, Verifier,
};

use crate::failure::{Code, Failure};
use crate::limits;

/// The basis with its tables, made at the first call.
static COMMITTER: OnceLock<Result<Committer, (Code, String)>> = OnceLock::new();

/// The environment variable that sets the memory of the tables.
const MIB: &str = "FRUMIOUS_VERKLE_MIB";

/// The commitment to at most 256 values.
///
/// # Errors
/// [`Failure::bad_input`] for more values, or malformed ones.
pub fn commit(values: &[u8]) -> Result<[u8; ELEMENT], Failure> {
    let values = scalars(values)?;
    let sum = committer()?.commit(&values);
    let sum = sum.map_err(|_| Failure::bad_input("values: at most 256 are expected"))?;
    Ok(sum.to_affine().to_bytes())
}

/// The commitment after a change of its values: places with the old and the new value of each.
///
/// # Errors
/// [`Failure::bad_input`] for malformed bytes, and other numbers of values than places.
pub fn update(
    commitment: &[u8],
    places: &[u8],
    old: &[u8],
    new: &[u8],
) -> Result<[u8; ELEMENT], Failure> {
    let (old, new) = (scalars(old)?, scalars(new)?);
    same("old values", old.len(), places.len())?;
    same("new values", new.len(), places.len())?;
    let changes = places.iter().zip(old).zip(new);
    let changes: Vec<_> = changes
        .map(|((place, old), new)| (usize::from(*place), old, new))
        .collect();
    let sum = committer()?.update(&element(0, commitment)?, &changes);
    let sum = sum.map_err(|error| Failure::bad_input(error.to_string()))?;
    Ok(sum.to_affine().to_bytes())
}

/// Openings to prove: commitment `i` is to the 256 values at `i`, of which the one at `places[i]` is shown.
pub struct Openings {
    elements: Vec<Element>,
    values: Vec<Fr>,
    places: Vec<u8>,
}

impl Openings {
    /// Reads openings.
    ///
    /// # Errors
    /// [`Failure::bad_input`] for malformed bytes, and other numbers of values and commitments than places.
    pub fn new(commitments: &[u8], values: &[u8], places: &[u8]) -> Result<Self, Failure> {
        let (elements, values) = (elements(commitments)?, scalars(values)?);
        same("commitments", elements.len(), places.len())?;
        same("values", values.len(), DOMAIN * places.len())?;
        Ok(Self {
            elements,
            values,
            places: places.to_vec(),
        })
    }

    /// The proof, by a transcript that begins with `label`.
    ///
    /// # Errors
    /// [`Failure::bad_input`] for no opening.
    pub fn prove(&self, label: &[u8]) -> Result<[u8; Multiproof::BYTES], Failure> {
        let (polynomials, _) = self.values.as_chunks::<DOMAIN>();
        let openings = self.elements.iter().zip(polynomials).zip(&self.places);
        let openings: Vec<Opening<'_>> = openings
            .map(|((commitment, polynomial), place)| Opening {
                commitment: *commitment,
                polynomial: polynomial as &Values,
                point: *place,
            })
            .collect();
        let proof = Prover::new(committer()?).prove(&mut Transcript::new(label), &openings);
        let proof = proof.map_err(|error| Failure::bad_input(error.to_string()))?;
        Ok(proof.to_bytes())
    }
}

/// Claims: commitment `i` has `values[i]` at `places[i]`.
pub struct Claims(Vec<Claim>);

impl Claims {
    /// Reads claims.
    ///
    /// # Errors
    /// [`Failure::bad_input`] for malformed bytes, and other numbers of values and commitments than places.
    pub fn new(commitments: &[u8], values: &[u8], places: &[u8]) -> Result<Self, Failure> {
        let (elements, values) = (elements(commitments)?, scalars(values)?);
        same("commitments", elements.len(), places.len())?;
        same("values", values.len(), places.len())?;
        let claims = elements.into_iter().zip(places).zip(values);
        let claim = |((commitment, place), value): ((_, &u8), _)| Claim {
            commitment,
            point: *place,
            value,
        };
        Ok(Self(claims.map(claim).collect()))
    }

    /// The verdict on a proof, by a transcript that begins with `label`.
    ///
    /// # Errors
    /// [`Failure::bad_input`] for no claim, and a malformed proof.
    pub fn verify(&self, label: &[u8], proof: &[u8]) -> Result<bool, Failure> {
        let bad = |error: &dyn std::fmt::Display| Failure::bad_input(format!("proof: {error}"));
        let proof = Multiproof::from_bytes(proof).map_err(|error| bad(&error))?;
        let mut verifier = Verifier::new(committer()?);
        let valid = verifier.verify(&mut Transcript::new(label), &self.0, &proof);
        valid.map_err(|error| Failure::bad_input(error.to_string()))
    }
}

fn committer() -> Result<&'static Committer, Failure> {
    // A call that is cancelled here panics: a `LazyLock` would stay poisoned, but the next call tries again.
    let committer = COMMITTER.get_or_init(|| {
        let built = budget(std::env::var_os(MIB).as_deref()).and_then(build);
        built.map_err(|failure| (failure.code(), failure.message()))
    });
    let committer = committer.as_ref();
    committer.map_err(|(code, words)| Failure::new(*code, words.clone()))
}

/// The basis with tables that the budget allows. Memory: a quarter more than the tables while they are made.
///
/// # Errors
/// [`Failure::bad_input`] for a budget too small for any table; [`Code::MemoryLimit`] if a limit of the process's
/// groups is too low.
pub fn build(budget: impl Into<Budget>) -> Result<Committer, Failure> {
    let budget = budget.into();
    let cannot = |error: &dyn std::fmt::Display| Failure::bad_input(format!("tables: {error}"));
    let strategies = budget.strategies::<Banderwagon>(DOMAIN);
    let bytes = table_bytes(&strategies.map_err(|error| cannot(&error))?) as u64;
    limits::require(bytes + bytes / 4)?;
    Committer::new(budget).map_err(|error| cannot(&error))
}

/// Bytes of the tables of these strategies, for the points of the basis; more than any limit if they cannot be.
pub fn table_bytes(strategies: &[Strategy]) -> usize {
    let entries = |strategy: &Strategy| strategy.entries::<Banderwagon>(DOMAIN);
    let entries = strategies.iter().map(entries);
    let all = entries.fold(0, |sum: usize, entries| {
        sum.saturating_add(entries.unwrap_or(usize::MAX))
    });
    all.saturating_mul(FixedBase::<Banderwagon>::ENTRY_BYTES)
}

/// The memory of the tables for a value of [`MIB`].
fn budget(value: Option<&OsStr>) -> Result<Budget, Failure> {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return Ok(Preset::Default.into());
    };
    let mib = value.to_str().and_then(|text| text.parse::<u16>().ok());
    mib.map(|mib| Budget::mib(mib.into())).ok_or_else(|| {
        let value = value.display();
        Failure::bad_input(format!("{MIB}: a number of MiB is expected, not {value}"))
    })
}

fn same(name: &str, actual: usize, expected: usize) -> Result<(), Failure> {
    match actual == expected {
        true => Ok(()),
        false => Err(Failure::bad_input(format!(
            "{name}: {expected} are expected, not {actual}"
        ))),
    }
}

fn scalars(bytes: &[u8]) -> Result<Vec<Fr>, Failure> {
    let (scalars, rest) = bytes.as_chunks::<SCALAR>();
    if !rest.is_empty() {
        return Err(Failure::bad_input("values: 32 bytes each are expected"));
    }
    let scalar = |(place, bytes): (usize, &[u8; SCALAR])| {
        let bad = || Failure::bad_input(format!("value {place}: not below the group's order"));
        Option::from(Fr::from_le_bytes(bytes)).ok_or_else(bad)
    };
    scalars.iter().enumerate().map(scalar).collect()
}

fn elements(bytes: &[u8]) -> Result<Vec<Element>, Failure> {
    let elements = bytes.chunks(ELEMENT).enumerate(); // a short one at the end is refused
    elements
        .map(|(place, bytes)| element(place, bytes))
        .collect()
}

fn element(place: usize, bytes: &[u8]) -> Result<Element, Failure> {
    let bad = |what: &str| Failure::bad_input(format!("commitment {place}: {what}"));
    let bytes = bytes.try_into().map_err(|_| bad("32 bytes are expected"))?;
    let element = AffineElement::from_bytes(bytes).map_err(|error| bad(&error.to_string()))?;
    Ok(Element::from_affine(&element))
}

const SCALAR: usize = 32;

/// Bytes of a commitment.
pub const ELEMENT: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_things_must_agree() {
        let nothing: &[u8] = &[];
        assert!(Claims::new(nothing, nothing, nothing).is_ok());
        assert!(Claims::new(nothing, &[0; SCALAR], &[7]).is_err());
        assert!(Openings::new(nothing, nothing, &[7]).is_err());
        assert!(Openings::new(nothing, &[0; SCALAR], nothing).is_err());
        assert!(elements(&[0; ELEMENT - 1]).is_err());
        assert!(scalars(&[0xff; SCALAR]).is_err());
    }

    #[test]
    fn the_memory_of_tables_is_a_number_of_mib() {
        let budget = |text: &str| budget(Some(text.as_ref()));
        assert_eq!(super::budget(None).ok(), Some(Preset::Default.into()));
        assert_eq!(budget("").ok(), Some(Preset::Default.into()));
        assert_eq!(budget("4").ok(), Some(Budget::mib(4)));
        let values = [[7; SCALAR], [9; SCALAR]].concat();
        let few = build(Budget::mib(4)).expect("tables that small");
        let sum = few.commit(&scalars(&values).expect("they are reduced"));
        let bytes = sum.expect("two values").to_affine().to_bytes();
        assert_eq!(commit(&values).ok(), Some(bytes));
        assert!(build(Budget::mib(1)).is_ok());
        let failure = build(Budget::mib(0)).expect_err("no table");
        assert_eq!(failure.code(), Code::BadInput);
        for wrong in ["-1", "4 MiB", "1e3", "65536"] {
            let failure = budget(wrong).expect_err(wrong);
            assert_eq!(failure.code(), Code::BadInput);
            let words = failure.message();
            assert!(words.starts_with("FRUMIOUS_VERKLE_MIB: "), "{words}");
        }
    }
}
