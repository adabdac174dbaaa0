//! Commitments and multiproofs over Banderwagon, bit for bit go-ipa's and rust-verkle's.
//!
//! Scalars have 32 bytes, least significant first; elements 32, as go-ipa writes them. Nothing is secret here: time
//! depends on all of it.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{c_char, c_int, c_void};

use frumious_app::failure::{Code, Failure};
use frumious_app::verkle::{Claims, ELEMENT, Multiproof, Openings, commit, update};

use super::tasks::{self, Task};
use super::{INTERNAL, OK, argument, failed};
use crate::buffers::{Refusal, answer, bytes, bytes_mut, text};

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
            let values = bytes(values, values_size, "values").map_err(argument)?;
            let out = bytes_mut(commitment, ELEMENT as u64, "commitment").map_err(argument)?;
            out.copy_from_slice(&commit(values).map_err(malformed)?);
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
            let old = bytes(old_values, size, "old values").map_err(argument)?;
            let new = bytes(new_values, size, "new values").map_err(argument)?;
            let updated = update(commitment, places, old, new).map_err(malformed)?;
            commitment.copy_from_slice(&updated);
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
            let values = bytes(values, sized(SCALAR * 256), "values").map_err(argument)?;
            let places = bytes(places, count, "places").map_err(argument)?;
            let out = bytes_mut(proof, Multiproof::BYTES as u64, "proof").map_err(argument)?;
            let openings = Openings::new(commitments, values, places).map_err(malformed)?;
            out.copy_from_slice(&tasks::run(task, |_, _| openings.prove(label.to_bytes()))?);
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
            let values = bytes(values, sized(SCALAR), "values").map_err(argument)?;
            let places = bytes(places, count, "places").map_err(argument)?;
            let proof = bytes(proof, Multiproof::BYTES as u64, "proof").map_err(argument)?;
            let claims = Claims::new(commitments, values, places).map_err(malformed)?;
            match claims.verify(label.to_bytes(), proof).map_err(malformed)? {
                true => Ok(OK),
                false => Ok(INVALID),
            }
        })
    }
}

/// The refusal of malformed bytes is one of an argument.
fn malformed(failure: Failure) -> Refusal {
    match failure.code() {
        Code::BadInput => argument(failure.message()),
        _ => failed(failure),
    }
}

/// Bytes of a value.
const SCALAR: usize = 32;
