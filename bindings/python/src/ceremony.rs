//! Contributions to keys and to powers of tau, and their verification.

use std::path::PathBuf;

use frumious_app::curve::PairingCurve;
use frumious_app::failure::Failure;
use frumious_app::phase2::{
    BEACON_EXPONENTS, BEACON_HASH_BYTES, Beacon, Circuit, Origin, Request, Verified,
};
use frumious_app::places::{Places, Role};
use frumious_app::{phase1, phase2};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::task::{Cancellation, run};

/// A contribution to be made.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Contributing {
    /// The key or the powers of tau.
    old: PathBuf,
    /// The file to be written.
    new: PathBuf,
    /// True for powers of tau.
    powers: bool,
    /// The contributor's name.
    name: Option<String>,
    /// Bytes to mix with the operating system's randomness.
    entropy: PyBackedBytes,
    /// The bytes of a public beacon and the logarithm of its iterations.
    beacon: Option<(Vec<u8>, u8)>,
    /// Replace whatever is there.
    replace: bool,
}

/// Makes a contribution: the hash to publish, the number of contributions, and the number of points that were
/// multiplied.
#[pyfunction]
pub fn contribute(
    py: Python<'_>,
    contributing: Contributing,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<u8>, usize, u64)> {
    run(py, cancellation, progress, |observer| {
        let Contributing { old, new, .. } = &contributing;
        let role = match contributing.powers {
            true => Role::Powers,
            false => Role::Key,
        };
        let places = Places::new(contributing.replace).input("old", role, old);
        places.output("new", role, new).check()?;
        let beacon = contributing.beacon.as_ref().map(beacon).transpose()?;
        let request = Request {
            old,
            new,
            name: contributing.name.as_deref(),
            origin: match &beacon {
                Some(beacon) => Origin::Beacon(beacon),
                None => Origin::Secret(&contributing.entropy),
            },
        };
        Ok(match contributing.powers {
            true => {
                let made = phase1::contribute(&request, observer)?;
                (made.response_hash.to_vec(), made.number, made.points)
            }
            false => {
                let made = phase2::contribute(&request, observer)?;
                let points = made.points as u64;
                (made.contribution_hash.to_vec(), made.number, points)
            }
        })
    })
}

fn beacon((hash, exponent): &(Vec<u8>, u8)) -> Result<Beacon, Failure> {
    if !BEACON_HASH_BYTES.contains(&hash.len()) {
        return Err(Failure::bad_input("beacon: 1 to 255 bytes are expected"));
    }
    if !BEACON_EXPONENTS.contains(exponent) {
        let words = "iterations_exp: a number from 10 to 63 is expected";
        return Err(Failure::bad_input(words));
    }
    Ok(Beacon {
        hash: hash.clone(),
        exponent: *exponent,
    })
}

/// A contribution that was verified: its hash, its name, and the bytes and the exponent of a beacon.
pub type Found = (Vec<u8>, Option<String>, Option<(Vec<u8>, u8)>);

/// Verifies a key against its circuit and powers of tau: the hash of the circuit, and the contributions.
///
/// `initial` is a key without contributions, in place of the circuit.
#[pyfunction]
pub fn verify_key(
    py: Python<'_>,
    files: (Option<PathBuf>, Option<PathBuf>, PathBuf, PathBuf),
    max_exponent: u8,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<u8>, Vec<Found>)> {
    let (r1cs, initial, powers, key) = files;
    run(py, cancellation, progress, |observer| {
        let places = Places::new(false);
        let (circuit, places) = match (&r1cs, &initial) {
            (Some(r1cs), None) => {
                let places = places.input("r1cs", Role::Circuit, r1cs);
                (Circuit::Constraints(r1cs), places)
            }
            (None, Some(initial)) => {
                let places = places.input("initial", Role::Key, initial);
                (Circuit::Initial(initial), places)
            }
            _ => return Err(Failure::bad_input("either r1cs or initial is expected")),
        };
        let places = places.input("powers", Role::Powers, &powers);
        places.input("key", Role::Key, &key).check()?;
        let chain = phase2::verify(&circuit, &powers, &key, max_exponent, observer)?;
        let contributions = chain.contributions.into_iter();
        let found = |Verified { hash, name, beacon }| (hash.to_vec(), name, beacon);
        Ok((
            chain.circuit_hash.to_vec(),
            contributions.map(found).collect(),
        ))
    })
}

/// Verifies powers of tau: their number as a logarithm, that of their ceremony, if they are prepared, the
/// contributions.
#[pyfunction]
pub fn verify_powers(
    py: Python<'_>,
    powers: PathBuf,
    max_exponent: u8,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(u32, u32, bool, Vec<Found>)> {
    run(py, cancellation, progress, |observer| {
        let places = Places::new(false).input("powers", Role::Powers, &powers);
        places.check()?;
        let found = phase1::verify(&powers, max_exponent, observer)?;
        let contributions = found.contributions.into_iter();
        let contributions = contributions.map(|it| (it.response_hash.to_vec(), it.name, it.beacon));
        Ok((
            found.power,
            found.ceremony_power,
            found.is_prepared,
            contributions.collect(),
        ))
    })
}

/// Writes powers of tau without a contribution.
#[pyfunction]
pub fn create_powers(
    py: Python<'_>,
    new: PathBuf,
    power: u32,
    curve: &str,
    replace: bool,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    run(py, cancellation, progress, |observer| {
        let curve = curve_of(curve)?;
        if !phase1::POWERS.contains(&power) {
            let (least, most) = (phase1::POWERS.start(), phase1::POWERS.end());
            let words = format!("power: a number from {least} to {most} is expected");
            return Err(Failure::bad_input(words));
        }
        Places::new(replace)
            .output("new", Role::Powers, &new)
            .check()?;
        phase1::create(curve, power, &new, observer).map(drop)
    })
}

/// Writes powers of tau with Lagrange bases, which setups need.
#[pyfunction]
pub fn prepare_powers(
    py: Python<'_>,
    files: (PathBuf, PathBuf),
    max_memory: Option<u64>,
    replace: bool,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    run(py, cancellation, progress, |observer| {
        let (old, new) = &files;
        let places = Places::new(replace).input("old", Role::Powers, old);
        places.output("new", Role::Powers, new).check()?;
        phase1::prepare(old, new, max_memory, observer)
    })
}

/// The curve of its name in snarkjs's files.
pub fn curve_of(name: &str) -> Result<PairingCurve, Failure> {
    match name {
        "bn128" => Ok(PairingCurve::Bn254),
        "bls12381" => Ok(PairingCurve::Bls12_381),
        _ => Err(Failure::bad_input("curve: bn128 or bls12381 is expected")),
    }
}
