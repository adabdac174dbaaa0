//! The circuit's phase of a ceremony: a new key, contributions, a beacon, verification. Files are paths.

use std::path::{Path, PathBuf};

use frumious_app::bellman;
use frumious_app::failure::{Code, Failure};
use frumious_app::observer::Observer;
use frumious_app::phase2::{
    self, BEACON_EXPONENTS, BEACON_HASH_BYTES, Beacon, Circuit, MAX_BEACON_EXPONENT, Origin,
};
use frumious_app::places::{Places, Role};
use frumious_app::setup::{self, Source};
use frumious_curves::PairingCurve;
use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;
use zeroize::Zeroizing;

use crate::task::{Canceller, Progress, Work, promise};

/// As snarkjs's functions, these replace a file; only not one that they read.
const REPLACES: bool = true;

/// Writes a circuit's key before any contribution: its circuit hash.
#[napi]
pub fn new_key(
    r1cs: String,
    powers: String,
    key: String,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<Buffer>> {
    promise(canceller, progress, move |observer| {
        let [r1cs, powers, key] = [&r1cs, &powers, &key].map(Path::new);
        let places = Places::new(REPLACES).input("r1cs", Role::Circuit, r1cs);
        let places = places.input("ptau", Role::Powers, powers);
        places.output("zkey", Role::Key, key).check()?;
        let request = setup::Request {
            r1cs,
            source: Source::Ceremony(powers),
            key,
            max_memory: None,
        };
        setup::setup(&request, observer)?;
        Ok(phase2::circuit_hash(key)?.to_vec().into())
    })
}

/// Writes a key with one contribution more: its hash. `entropy` is mixed with the system's randomness.
#[napi]
pub fn contribute(
    old: String,
    new: String,
    name: Option<String>,
    entropy: String,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<Buffer>> {
    let entropy = Zeroizing::new(entropy);
    promise(canceller, progress, move |observer| {
        let origin = Origin::Secret(entropy.as_bytes());
        contributed(&old, &new, name.as_deref(), origin, observer)
    })
}

/// Writes a key with the contribution of a public beacon: its hash.
#[napi]
pub fn beacon(
    old: String,
    new: String,
    name: Option<String>,
    hash: Buffer,
    exponent: u32,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<Buffer>> {
    let hash = hash.to_vec();
    promise(canceller, progress, move |observer| {
        let beacon = beacon_of(hash, exponent)?;
        contributed(
            &old,
            &new,
            name.as_deref(),
            Origin::Beacon(&beacon),
            observer,
        )
    })
}

/// Verifies that a key is the circuit's, with valid contributions. `circuit` is its constraints, or its key before any
/// contribution if it `is_key`.
#[napi]
pub fn verify_key(
    circuit: String,
    is_key: bool,
    powers: String,
    key: String,
    max_exponent: Option<u8>,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<bool>> {
    promise(canceller, progress, move |observer| {
        let [circuit, powers, key] = [circuit, powers, key].map(PathBuf::from);
        let circuit = match is_key {
            true => Circuit::Initial(&circuit),
            false => Circuit::Constraints(&circuit),
        };
        verdict(phase2::verify(
            &circuit,
            &powers,
            &key,
            max_exponent.unwrap_or(MAX_BEACON_EXPONENT),
            observer,
        ))
    })
}

/// Writes the parameters of a key in bellman's form.
#[napi]
pub fn export_bellman(
    key: String,
    parameters: String,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<()>> {
    promise(canceller, progress, move |observer| {
        let [key, parameters] = [&key, &parameters].map(Path::new);
        let places = Places::new(REPLACES).input("zkey", Role::Key, key);
        let places = places.output("mpcparams", Role::Parameters, parameters);
        places.check()?;
        bellman::export(key, parameters, observer).map(drop)
    })
}

/// Writes the key that parameters in bellman's form lead to. False if they are not those of the key with valid
/// contributions.
#[napi]
pub fn import_bellman(
    old: String,
    parameters: String,
    new: String,
    name: Option<String>,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<bool>> {
    promise(canceller, progress, move |observer| {
        let [old, parameters, new] = [&old, &parameters, &new].map(Path::new);
        let places = Places::new(REPLACES).input("zkeyOld", Role::Key, old);
        let places = places.input("mpcparams", Role::Parameters, parameters);
        places.output("zkeyNew", Role::Key, new).check()?;
        verdict(bellman::import(
            (old, parameters, new),
            name.as_deref(),
            observer,
        ))
    })
}

/// Writes parameters in bellman's form with one contribution more: its hash. `curve` is `bn128` or `bls12381`.
#[napi]
pub fn contribute_bellman(
    old: String,
    new: String,
    curve: String,
    entropy: String,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<Buffer>> {
    let entropy = Zeroizing::new(entropy);
    promise(canceller, progress, move |observer| {
        let [old, new] = [&old, &new].map(Path::new);
        let places = Places::new(REPLACES).input("challenge", Role::Parameters, old);
        places.output("response", Role::Parameters, new).check()?;
        let curve = match &curve[..] {
            "bn128" => PairingCurve::Bn254,
            "bls12381" => PairingCurve::Bls12_381,
            _ => return Err(Failure::bad_input("curve: bn128 or bls12381 is expected")),
        };
        let made = bellman::contribute(curve, (old, new), entropy.as_bytes(), observer)?;
        Ok(made.contribution_hash.to_vec().into())
    })
}

/// False for what is rejected.
fn verdict<T>(checked: Result<T, Failure>) -> Result<bool, Failure> {
    match checked {
        Ok(_) => Ok(true),
        Err(failure) if failure.code() == Code::Rejected => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// The hash of a contribution that is made.
fn contributed(
    old: &str,
    new: &str,
    name: Option<&str>,
    origin: Origin<'_>,
    observer: &dyn Observer,
) -> Result<Buffer, Failure> {
    let [old, new] = [old, new].map(Path::new);
    let places = Places::new(REPLACES).input("zkeyOld", Role::Key, old);
    places.output("zkeyNew", Role::Key, new).check()?;
    let request = phase2::Request {
        old,
        new,
        name,
        origin,
    };
    let made = phase2::contribute(&request, observer)?;
    Ok(made.contribution_hash.to_vec().into())
}

/// A beacon within its bounds.
fn beacon_of(hash: Vec<u8>, exponent: u32) -> Result<Beacon, Failure> {
    if !BEACON_HASH_BYTES.contains(&hash.len()) {
        let (least, most) = (BEACON_HASH_BYTES.start(), BEACON_HASH_BYTES.end());
        return Err(Failure::bad_input(format!(
            "the beacon's hash has {} bytes, not {least} to {most}",
            hash.len()
        )));
    }
    match u8::try_from(exponent) {
        Ok(exponent) if BEACON_EXPONENTS.contains(&exponent) => Ok(Beacon { hash, exponent }),
        _ => {
            let (least, most) = (BEACON_EXPONENTS.start(), BEACON_EXPONENTS.end());
            Err(Failure::bad_input(format!(
                "the beacon has 2^{exponent} iterations, not 2^{least} to 2^{most}"
            )))
        }
    }
}
