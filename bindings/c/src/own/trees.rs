//! Commitments and multiproofs over Banderwagon, bit for bit go-ipa's and rust-verkle's.
//!
//! Scalars have 32 bytes, least significant first; elements 32, as go-ipa writes them. Nothing is secret here: time
//! depends on all of it.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{c_char, c_int, c_void};
use std::sync::LazyLock;

use frumious_app::failure::Failure;
use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_verkle::{
    Claim, Committer, DOMAIN, Multiproof, Opening, Preset, Prover, Transcript, Values, Verifier,
};

use super::tasks::{self, Task};
use super::{INTERNAL, OK, argument};
use crate::buffers::{Refusal, answer, bytes, bytes_mut, text};

/// The basis with tables of some 80 MiB, made at the first call.
static COMMITTER: LazyLock<Result<Committer, String>> =
    LazyLock::new(|| Committer::new(Preset::Default).map_err(|error| error.to_string()));

/// The proof is not valid.
const INVALID: c_int = 1;

/// Commits to at most 256 values.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_verkle_commit(
    values: *const c_void,
    values_size: u64,
    commitment: *mut c_void,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let values = scalars(bytes(values, values_size, "values").map_err(argument)?)?;
            let out = bytes_mut(commitment, ELEMENT as u64, "commitment").map_err(argument)?;
            let sum = committer()?.commit(&values);
            let sum = sum.map_err(|_| argument("values: at most 256 are expected"))?;
            out.copy_from_slice(&sum.to_affine().to_bytes());
            Ok(OK)
        })
    }
}

/// Changes a commitment as its values change: `count` places with the old and the new value of each.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_verkle_update(
    commitment: *mut c_void,
    places: *const c_void,
    old_values: *const c_void,
    new_values: *const c_void,
    count: u64,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let commitment =
                bytes_mut(commitment, ELEMENT as u64, "commitment").map_err(argument)?;
            let places = bytes(places, count, "places").map_err(argument)?;
            let size = count.saturating_mul(SCALAR as u64);
            let old = scalars(bytes(old_values, size, "old values").map_err(argument)?)?;
            let new = scalars(bytes(new_values, size, "new values").map_err(argument)?)?;
            let changes = places.iter().zip(old).zip(new);
            let changes: Vec<_> = changes
                .map(|((place, old), new)| (usize::from(*place), old, new))
                .collect();
            let sum = committer()?.update(&element(commitment, 0)?, &changes);
            let sum = sum.map_err(|error| argument(error.to_string()))?;
            commitment.copy_from_slice(&sum.to_affine().to_bytes());
            Ok(OK)
        })
    }
}

/// Proves openings: commitment `i` is to the 256 values at `i`, of which the one at `places[i]` is shown.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_verkle_prove(
    label: *const c_char,
    commitments: *const c_void,
    values: *const c_void,
    places: *const c_void,
    count: u64,
    task: *const Task,
    proof: *mut c_void,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let label = text(label, "label").map_err(argument)?;
            let sized = |size: usize| count.saturating_mul(size as u64);
            let commitments =
                bytes(commitments, sized(ELEMENT), "commitments").map_err(argument)?;
            let values = bytes(values, sized(SCALAR * DOMAIN), "values").map_err(argument)?;
            let places = bytes(places, count, "places").map_err(argument)?;
            let out = bytes_mut(proof, Multiproof::BYTES as u64, "proof").map_err(argument)?;
            let values = scalars(values)?;
            let (polynomials, _) = values.as_chunks::<DOMAIN>();
            let elements = elements(commitments)?;
            let openings: Vec<Opening<'_>> = (elements.iter().zip(polynomials).zip(places))
                .map(|((commitment, polynomial), place)| Opening {
                    commitment: *commitment,
                    polynomial: polynomial as &Values,
                    point: *place,
                })
                .collect();
            let committer = committer()?;
            let proof = tasks::run(task, |_, _| {
                let mut transcript = Transcript::new(label.to_bytes());
                let proof = Prover::new(committer).prove(&mut transcript, &openings);
                proof.map_err(|error| Failure::bad_input(error.to_string()))
            })?;
            out.copy_from_slice(&proof.to_bytes());
            Ok(OK)
        })
    }
}

/// Verifies a multiproof: commitment `i` has `values[i]` at `places[i]`.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_verkle_verify(
    label: *const c_char,
    commitments: *const c_void,
    values: *const c_void,
    places: *const c_void,
    count: u64,
    proof: *const c_void,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let label = text(label, "label").map_err(argument)?;
            let sized = |size: usize| count.saturating_mul(size as u64);
            let commitments =
                bytes(commitments, sized(ELEMENT), "commitments").map_err(argument)?;
            let values = scalars(bytes(values, sized(SCALAR), "values").map_err(argument)?)?;
            let places = bytes(places, count, "places").map_err(argument)?;
            let proof = bytes(proof, Multiproof::BYTES as u64, "proof").map_err(argument)?;
            let proof =
                Multiproof::from_bytes(proof).map_err(|error| argument(error.to_string()))?;
            let elements = elements(commitments)?;
            let claims: Vec<Claim> = (elements.iter().zip(places).zip(values))
                .map(|((commitment, place), value)| Claim {
                    commitment: *commitment,
                    point: *place,
                    value,
                })
                .collect();
            let mut transcript = Transcript::new(label.to_bytes());
            let valid = Verifier::new(committer()?).verify(&mut transcript, &claims, &proof);
            match valid.map_err(|error| argument(error.to_string()))? {
                true => Ok(OK),
                false => Ok(INVALID),
            }
        })
    }
}

fn committer() -> Result<&'static Committer, Refusal> {
    COMMITTER.as_ref().map_err(|words| Refusal {
        code: INTERNAL,
        words: words.clone(),
    })
}

fn scalars(bytes: &[u8]) -> Result<Vec<Fr>, Refusal> {
    let (scalars, rest) = bytes.as_chunks::<SCALAR>();
    if !rest.is_empty() {
        return Err(argument("values: 32 bytes each are expected"));
    }
    let scalar = |(place, bytes): (usize, &[u8; SCALAR])| {
        Option::from(Fr::from_le_bytes(bytes))
            .ok_or_else(|| argument(format!("value {place}: not below the group's order")))
    };
    scalars.iter().enumerate().map(scalar).collect()
}

fn elements(bytes: &[u8]) -> Result<Vec<Element>, Refusal> {
    let elements = bytes.chunks_exact(ELEMENT).enumerate();
    elements
        .map(|(place, bytes)| element(bytes, place))
        .collect()
}

fn element(bytes: &[u8], place: usize) -> Result<Element, Refusal> {
    let bad = |what: &str| argument(format!("commitment {place}: {what}"));
    let bytes = bytes.try_into().map_err(|_| bad("32 bytes are expected"))?;
    let element = AffineElement::from_bytes(bytes).map_err(|error| bad(&error.to_string()))?;
    Ok(Element::from_affine(&element))
}

const SCALAR: usize = 32;
const ELEMENT: usize = 32;
