//! Verification of a chain of contributions to powers of tau, of the powers at its end, and of Lagrange bases.
//!
//! Checked are, in this order:
//!
//! 1. the chain: proofs of knowledge of each contribution's secrets for its challenge, the values after it, beacons
//!    ([`verify_chain`]);
//! 2. the powers ([`verify_powers`]): every point is in its group, and each is τ times the one before it. The first
//!    ones, and the hashes of all, are those of the last contribution;
//! 3. the Lagrange bases, if there are any ([`verify_bases`]).
//!
//! Powers are checked all at once, and so are bases (`at_once`). Only if that fails is each section and each domain
//! checked by itself, in order, for the fault and its place.
//!
//! Of a file that breaks a rule of its format an error tells the place. Anything else that is wrong is a [`Fault`].

use super::at_once::{bases_hold, list, powers_hold, wrong_first};
use super::contribute::{Values, draw};
use super::create::POWERS;
use super::resumable::ResumableHash;
use super::transcript::{ChallengeHash, first_challenge, hash_to_g2, response_hash};
use super::verdict::{Fault, Verdict, Verified};
use super::write::windows;
use crate::encoding::{shortened, uncompressed};
use crate::generic::{Points, Ptau, TauContribution};
use crate::groth16::check_in_ranges;
use crate::random::{BEACON_EXPONENTS, BEACON_HASH_BYTES, Random};
use frumious_circom::{Error as FileError, FileKind, Problem};
use frumious_curves::Group;
use frumious_curves::engine::{PairingGroup, ResidueField, ScalarField};
use frumious_field::PrimeField;
use frumious_groth16::{
    Error, ProvingEngine, TauSecret, bases_bytes, is_lagrange_basis, is_lagrange_basis_of_more,
    same_multiples, same_ratio, successive,
};
use frumious_msm::{EncodedPoint, ScaledPoint};

/// Verifies the contributions. Each is by somebody who knew its secrets, and builds on those before it.
///
/// A beacon of 2^k iterations takes as many hashes of SHA-256. The challenge of the first contributor is a hash over
/// as many points as the ceremony had, of which `progress` is told.
///
/// # Errors
/// [`FileError::Malformed`] for
/// - a file without section 7, or one that does not parse, with points outside their groups included;
/// - a ceremony of fewer powers than there are, or of more than [`POWERS`] allow.
pub fn verify_chain<E: ProvingEngine>(
    ptau: &Ptau<E>,
    progress: &dyn Fn(f64),
) -> Result<Verdict<Vec<Verified>>, FileError> {
    let (power, ceremony_power) = (ptau.power(), ptau.ceremony_power());
    if ceremony_power < power || ceremony_power > *POWERS.end() {
        let problem = Problem::OutOfRange {
            what: "power of the ceremony",
            value: ceremony_power.into(),
            bound: u64::from(*POWERS.end()) + 1,
        };
        let error = FileError::section(FileKind::Ptau, 1, 0, problem);
        return Err(error.in_file_of(ptau.bytes()));
    }
    let contributions = ptau.contributions()?;
    if contributions.is_empty() {
        return Ok(Verdict::Invalid(Fault::NoContribution));
    }
    let mut challenge = first_challenge::<E>(ceremony_power, progress);
    let mut before = Values::FIRST;
    let mut verified = Vec::new();
    for (index, contribution) in contributions.iter().enumerate() {
        frumious_parallel::check_cancelled();
        let number = index + 1;
        if let Some(fault) = fault_of(contribution, &challenge, &before, number) {
            return Ok(Verdict::Invalid(fault));
        }
        let Some(state) = ResumableHash::from_bytes(&contribution.response_state) else {
            return Ok(Verdict::Invalid(Fault::State(number)));
        };
        verified.push(Verified {
            challenge,
            response_hash: response_hash(state, &contribution.public_key),
            next_challenge: contribution.next_challenge,
            name: contribution.name.clone(),
            beacon: contribution
                .beacon
                .clone()
                .filter(|_| contribution.is_beacon),
        });
        challenge = contribution.next_challenge;
        before = Values::after(contribution);
    }
    Ok(Verdict::Valid(verified))
}

/// The first thing that is wrong with a contribution.
pub(super) fn fault_of<E: ProvingEngine>(
    contribution: &TauContribution<E>,
    challenge: &[u8; 64],
    before: &Values<E>,
    number: usize,
) -> Option<Fault> {
    let after = Values::after(contribution);
    let key = &contribution.public_key;
    let in_g1 = [
        (TauSecret::Tau, "tau in G1", before.tau_g1, after.tau_g1),
        (
            TauSecret::Alpha,
            "alpha in G1",
            before.alpha_g1,
            after.alpha_g1,
        ),
        (TauSecret::Beta, "beta in G1", before.beta_g1, after.beta_g1),
    ];
    for ((secret, value, old, new), key) in in_g1.iter().zip(key.all()) {
        let (s, sx) = (&key.g1_s, &key.g1_sx);
        let g2_sp = hash_to_g2::<E>(*secret, challenge, s, sx);
        if !same_ratio::<E>((s, sx), (&g2_sp, &key.g2_spx)) {
            return Some(Fault::Knowledge(number, *secret));
        }
        if !same_ratio::<E>((old, new), (&g2_sp, &key.g2_spx)) {
            return Some(Fault::After(number, value));
        }
    }
    let in_g2 = [
        ("tau in G2", &key.tau, before.tau_g2, after.tau_g2),
        ("beta in G2", &key.beta, before.beta_g2, after.beta_g2),
    ];
    for (value, key, old, new) in in_g2 {
        if !same_ratio::<E>((&key.g1_s, &key.g1_sx), (&old, &new)) {
            return Some(Fault::After(number, value));
        }
    }
    if contribution.is_beacon && !is_of_beacon(contribution, challenge) {
        return Some(Fault::Beacon(number));
    }
    None
}

/// True if the contribution's public key is the one that its beacon gives.
fn is_of_beacon<E: ProvingEngine>(contribution: &TauContribution<E>, challenge: &[u8; 64]) -> bool {
    let Some((hash, exponent)) = &contribution.beacon else {
        return false;
    };
    if !BEACON_EXPONENTS.contains(exponent) || !BEACON_HASH_BYTES.contains(&hash.len()) {
        return false;
    }
    let mut random = Random::from_beacon(hash, *exponent);
    draw::<E>(challenge, &mut random).1 == contribution.public_key
}

/// Verifies that the powers are those that the last of the contributions led to. They are the file's, and
/// [verified](verify_chain). `progress` is told how much is done.
///
/// Powers that were cut from a larger ceremony's lack what its hashes are of: for them hashes are not checked.
///
/// # Errors
/// [`Error::Source`] for a point outside its group or at infinity; [`Error::Randomness`].
///
/// # Panics
/// Without any contribution.
#[track_caller]
pub fn verify_powers<'a, E: ProvingEngine>(
    ptau: &'a Ptau<E>,
    verified: &[Verified],
    progress: &dyn Fn(f64),
) -> Result<Verdict<VerifiedPowers<'a, E>>, Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(ptau.bytes()).into());
    let contributions = ptau.contributions().map_err(source)?;
    let (Some(last), Some(summary)) = (contributions.last(), verified.last()) else {
        panic!("there is no contribution");
    };
    // A list of one power is too short for what is checked at once.
    let is_long = ptau.power() > 0;
    if !(is_long && powers_hold(ptau, last, progress)?) {
        let fault = fault_of_powers(ptau, last, progress)?;
        // Good powers hold, so these are false, whatever random weights let pass the second time.
        if let Some(fault) = fault.or(is_long.then_some(Fault::Powers(2))) {
            return Ok(Verdict::Invalid(fault));
        }
    }
    progress(0.75);
    if ptau.power() == ptau.ceremony_power() {
        let number = contributions.len();
        let (response, challenge) = hashes_of(ptau, summary).map_err(source)?;
        if response_hash(response, &last.public_key) != summary.response_hash {
            return Ok(Verdict::Invalid(Fault::Response(number)));
        }
        if challenge != last.next_challenge {
            return Ok(Verdict::Invalid(Fault::Challenge(number)));
        }
    }
    if ptau
        .lacks_contribution()
        .map_err(|error| Error::Source(error.into()))?
    {
        return Ok(Verdict::Invalid(Fault::NoContribution));
    }
    progress(1.0);
    Ok(Verdict::Valid(VerifiedPowers(ptau)))
}

/// The first thing that is wrong with the powers. Each section is checked by itself.
fn fault_of_powers<E: ProvingEngine>(
    ptau: &Ptau<E>,
    last: &TauContribution<E>,
    progress: &dyn Fn(f64),
) -> Result<Option<Fault>, Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(ptau.bytes()).into());
    let [tau_g1, alpha, beta] = [ptau.tau_g1(), ptau.alpha_tau_g1(), ptau.beta_tau_g1()];
    let tau_g2 = ptau.tau_g2();
    check_all(ptau, progress).map_err(source)?;

    if let Some(id) = wrong_first(ptau, last).map_err(source)? {
        return Ok(Some(Fault::First(id)));
    }
    let (g2, tau) = (E::G2::GENERATOR, last.tau_g2);
    for (id, points, share) in [(2, tau_g1, 0.55), (4, alpha, 0.6), (5, beta, 0.65)] {
        let pairs = points.len() - 1;
        let (before, after) = (points.slice(0..pairs), points.slice(1..pairs + 1));
        if !same_multiples::<E>((list(before), &tau), (list(after), &g2))? {
            return Ok(Some(Fault::Powers(id)));
        }
        progress(share);
    }
    if !successive::<E>(list(tau_g2), &last.tau_g1)? {
        return Ok(Some(Fault::Powers(3)));
    }
    Ok(None)
}

/// Powers of tau that are [verified](verify_powers): the points of sections 2 to 6 are in their groups.
#[derive(Debug)]
pub struct VerifiedPowers<'a, E: ProvingEngine>(&'a Ptau<E>);

/// Checks that every point of the powers is in its group, and none at infinity.
fn check_all<E: ProvingEngine>(ptau: &Ptau<E>, progress: &dyn Fn(f64)) -> Result<(), FileError> {
    fn check<P: PairingGroup + ScaledPoint>(points: Points<'_, P>) -> Result<(), FileError> {
        windows(points, |_, points| {
            check_in_ranges(points.len(), |range| points.check_finite(range))
        })
    }
    check(ptau.tau_g1())?;
    progress(0.1);
    check(ptau.tau_g2())?;
    progress(0.4);
    check(ptau.alpha_tau_g1())?;
    check(ptau.beta_tau_g1())?;
    progress(0.5);
    check(ptau.points_of_beta_g2())
}

/// The state of the hash of the response that has these powers, and the challenge of these powers after that of
/// `summary`. Points are converted once for both, and the hashes are made side by side.
fn hashes_of<E: ProvingEngine>(
    ptau: &Ptau<E>,
    summary: &Verified,
) -> Result<(ResumableHash, [u8; 64]), FileError> {
    fn update<P: PairingGroup<Base: ResidueField>>(
        (response, challenge): (&mut ResumableHash, &mut ChallengeHash),
        points: Points<'_, P>,
    ) -> Result<(), FileError> {
        windows(points, |_, points| {
            let points = uncompressed::<P>(points.as_bytes());
            frumious_parallel::join(
                || response.update(&shortened::<P>(&points)),
                || challenge.update_uncompressed(&points),
            );
            Ok(())
        })
    }
    let mut response = ResumableHash::new();
    response.update(&summary.challenge);
    let mut challenge = ChallengeHash::new(&summary.response_hash);
    update((&mut response, &mut challenge), ptau.tau_g1())?;
    update((&mut response, &mut challenge), ptau.tau_g2())?;
    update((&mut response, &mut challenge), ptau.alpha_tau_g1())?;
    update((&mut response, &mut challenge), ptau.beta_tau_g1())?;
    update((&mut response, &mut challenge), ptau.points_of_beta_g2())?;
    Ok((response, challenge.finalize()))
}

/// Verifies the Lagrange bases in sections 12 to 15 against the powers. `progress` is told how much is done.
/// Memory: [`verify_bases_bytes`].
///
/// # Errors
/// - [`Error::Source`] for a file that is not prepared, for a point outside its group, for a domain that has no root of
///   unity
/// - [`Error::Randomness`]
pub fn verify_bases<E: ProvingEngine>(
    VerifiedPowers(ptau): VerifiedPowers<'_, E>,
    progress: &dyn Fn(f64),
) -> Result<Verdict<()>, Error> {
    let power = ptau.power();
    check_bases_power(ptau)?;
    let is_long = power > 0; // as in verify_powers
    if is_long && bases_hold(ptau, progress)? {
        return Ok(Verdict::Valid(()));
    }
    let checks: [(u32, u32, f64); 4] = [
        (12, power + 1, 0.2),
        (13, power, 0.8),
        (14, power, 0.9),
        (15, power, 1.0),
    ];
    for (id, last, share) in checks {
        for log_n in 0..=last {
            let is_right = match id {
                12 if log_n > power => is_largest_basis(ptau),
                12 => is_basis(ptau, ptau.tau_g1(), ptau.lagrange_tau_g1(log_n)),
                13 => is_basis(ptau, ptau.tau_g2(), ptau.lagrange_tau_g2(log_n)),
                14 => is_basis(ptau, ptau.alpha_tau_g1(), ptau.lagrange_alpha_tau_g1(log_n)),
                _ => is_basis(ptau, ptau.beta_tau_g1(), ptau.lagrange_beta_tau_g1(log_n)),
            };
            if !is_right? {
                return Ok(Verdict::Invalid(Fault::Basis(id, log_n)));
            }
        }
        progress(share);
    }
    match is_long {
        true => Ok(Verdict::Invalid(Fault::Basis(12, 0))),
        false => Ok(Verdict::Valid(())),
    }
}

/// That powers are so few that their bases [can be verified](verify_bases), before the hours that all else takes.
///
/// # Errors
/// [`Error::Source`] for a domain that has no root of unity.
pub fn check_bases_power<E: ProvingEngine>(ptau: &Ptau<E>) -> Result<(), Error> {
    let power = ptau.power();
    if power < E::Fr::TWO_ADICITY {
        return Ok(());
    }
    let problem = Problem::OutOfRange {
        what: "power of bases to be verified",
        value: power.into(),
        bound: E::Fr::TWO_ADICITY.into(),
    };
    let error = FileError::section(FileKind::Ptau, 1, 0, problem);
    Err(Error::Source(error.in_file_of(ptau.bytes()).into()))
}

/// Memory that [`verify_bases`] takes beside mapped files and sums of points.
pub fn verify_bases_bytes(power: u32) -> u64 {
    bases_bytes(power)
}

/// The basis of the largest domain, of which one power is missing.
fn is_largest_basis<E: ProvingEngine>(ptau: &Ptau<E>) -> Result<bool, Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(ptau.bytes()).into());
    let basis = ptau.lagrange_tau_g1(ptau.power() + 1).map_err(source)?;
    check_groups(basis).map_err(source)?;
    let powers = list(ptau.tau_g1());
    match ptau.power() < ptau.ceremony_power() {
        false => is_lagrange_basis(powers, list(basis)),
        true => {
            let contributions = ptau.contributions().map_err(source)?;
            let tau = contributions
                .last()
                .map_or(E::G2::GENERATOR, |last| last.tau_g2);
            is_lagrange_basis_of_more::<E>(powers, list(basis), &tau)
        }
    }
}

fn check_groups<P: PairingGroup + ScaledPoint>(points: Points<'_, P>) -> Result<(), FileError> {
    windows(points, |_, points| {
        check_in_ranges(points.len(), |range| points.check(range))
    })
}

fn is_basis<E: ProvingEngine, P>(
    ptau: &Ptau<E>,
    powers: Points<'_, P>,
    basis: Result<Points<'_, P>, FileError>,
) -> Result<bool, Error>
where
    P: EncodedPoint + ScaledPoint + PairingGroup + Group<Scalar: ScalarField>,
{
    let source = |error: FileError| Error::Source(error.in_file_of(ptau.bytes()).into());
    let basis = basis.map_err(source)?;
    check_groups(basis).map_err(source)?;
    let powers = powers.slice(0..powers.len().min(basis.len()));
    is_lagrange_basis(list(powers), list(basis))
}
