//! Contributions: powers from others, each multiplied by its own power of new secrets.

use super::create::POWERS;
use super::resumable::ResumableHash;
use super::transcript::{ChallengeHash, first_challenge, hash_to_g2, response_hash};
use super::write::{
    PowersOutput, copied, head, read_back, section, section_start, windows, write_error,
};
use crate::encoding::compressed;
use crate::generic::{Points, Ptau, PublicKey, TauContribution, TauPublicKey};
use crate::groth16::check_in_ranges;
use crate::parameters::cut;
use crate::random::{self, Beacon, Random};
use frumious_circom::{Error as FileError, FileKind, Problem};
use frumious_curves::Group;
use frumious_curves::engine::{MontgomeryEncoding, PairingGroup, ResidueField};
use frumious_groth16::{Error, ProvingEngine, TauSecret, TauShare};
use frumious_msm::{Encoded, EncodedPoint, PointList, ScaledPoint};
use zeroize::Zeroizing;

/// A contribution that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributed {
    /// The hash to publish: of the response.
    pub response_hash: [u8; 64],
    /// The challenge of the next contributor.
    pub next_challenge: [u8; 64],
    /// Number of contributions, with this one.
    pub number: usize,
    /// Number of points that were multiplied.
    pub points: u64,
}

/// Writes `old` with a contribution of secrets that are drawn here, from the operating system's randomness and from
/// `entropy`, and wiped. A name of more than 64 UTF-16 units is cut, as snarkjs does. Lagrange bases are left out.
///
/// `progress` is told how much is done, from 0 to 1. Every point that is multiplied is checked to be in its group and
/// not at infinity: others would tell something of the secrets.
///
/// # Errors
/// [`Error::Source`] for powers that are malformed, were cut from a larger ceremony's, or have a point outside its
/// group, and when writing fails; [`Error::Randomness`].
pub fn contribute<E: ProvingEngine>(
    old: &Ptau<E>,
    name: Option<&str>,
    entropy: &[u8],
    out: impl PowersOutput,
    progress: &dyn Fn(f64),
) -> Result<Contributed, Error> {
    let mut random = random::seed(entropy)?;
    let drawn = |challenge: &[u8; 64]| draw::<E>(challenge, &mut random);
    write(old, (name, None), drawn, out, progress)
}

/// Writes `old` with the contribution of a beacon: the bytes that `snarkjs powersoftau beacon` writes.
///
/// # Errors
/// As [`contribute`].
///
/// # Panics
/// For a beacon outside its bounds.
pub fn contribute_beacon<E: ProvingEngine>(
    old: &Ptau<E>,
    name: Option<&str>,
    beacon: &Beacon,
    out: impl PowersOutput,
    progress: &dyn Fn(f64),
) -> Result<Contributed, Error> {
    let drawn = |challenge: &[u8; 64]| draw::<E>(challenge, &mut beacon.random());
    write(old, (name, Some(beacon)), drawn, out, progress)
}

/// Of what `draw` makes for the challenge.
fn write<E: ProvingEngine>(
    old: &Ptau<E>,
    (name, beacon): (Option<&str>, Option<&Beacon>),
    draw: impl FnOnce(&[u8; 64]) -> (TauShare<E>, TauPublicKey<E>),
    mut out: impl PowersOutput,
    progress: &dyn Fn(f64),
) -> Result<Contributed, Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(old.bytes()).into());
    refuse_reduced(old).map_err(source)?;
    let before = old.contributions().map_err(source)?;
    let challenge = match before.last() {
        Some(last) => last.next_challenge,
        None => first_challenge::<E>(old.power(), &|_| ()),
    };
    let (share, public_key) = draw(&challenge);

    let points = 5 << old.power();
    let mut writer = Writer {
        out: &mut out,
        share: &share,
        response: ResumableHash::new(),
        done: 0,
        progress: &|done| progress(0.9 * done as f64 / points as f64),
    };
    let written = writer.all(old, &challenge);
    let (values, response) = written.map_err(source)?;
    let response_state = response.to_bytes();
    let response_hash = response_hash(response, &public_key);
    let next_challenge = challenge_after::<E>(&mut out, old.power(), &response_hash);
    let contribution = TauContribution::<E> {
        tau_g1: values.tau_g1,
        tau_g2: values.tau_g2,
        alpha_g1: values.alpha_g1,
        beta_g1: values.beta_g1,
        beta_g2: values.beta_g2,
        public_key,
        response_state,
        next_challenge: next_challenge.map_err(source)?,
        is_beacon: beacon.is_some(),
        name: name.map(cut).filter(|name| !name.is_empty()),
        beacon: beacon.map(|beacon| (beacon.hash.clone(), beacon.exponent)),
    };
    write_records(old, &contribution, before.len() + 1, &mut out).map_err(source)?;
    progress(1.0);
    Ok(Contributed {
        response_hash,
        next_challenge: contribution.next_challenge,
        number: before.len() + 1,
        points,
    })
}

/// The values that a contribution multiplies.
#[derive(Clone, Copy)]
pub(super) struct Values<E: ProvingEngine> {
    pub tau_g1: E::G1,
    pub tau_g2: E::G2,
    pub alpha_g1: E::G1,
    pub beta_g1: E::G1,
    pub beta_g2: E::G2,
}

impl<E: ProvingEngine> Values<E> {
    /// Before the first contribution.
    pub const FIRST: Self = Self {
        tau_g1: E::G1::GENERATOR,
        tau_g2: E::G2::GENERATOR,
        alpha_g1: E::G1::GENERATOR,
        beta_g1: E::G1::GENERATOR,
        beta_g2: E::G2::GENERATOR,
    };

    /// After a contribution.
    pub fn after(contribution: &TauContribution<E>) -> Self {
        Self {
            tau_g1: contribution.tau_g1,
            tau_g2: contribution.tau_g2,
            alpha_g1: contribution.alpha_g1,
            beta_g1: contribution.beta_g1,
            beta_g2: contribution.beta_g2,
        }
    }
}

/// Powers that were cut from a larger ceremony's are not what its contributions led to.
pub(super) fn refuse_reduced<E: ProvingEngine>(old: &Ptau<E>) -> Result<(), FileError> {
    match old.power() == old.ceremony_power() && POWERS.contains(&old.power()) {
        true => Ok(()),
        false => {
            let problem = Problem::Expected(
                "as many powers as the ceremony had, 2 to 2^28: powers that were cut take no contribution",
            );
            Err(FileError::section(FileKind::Ptau, 1, 0, problem))
        }
    }
}

/// Secrets, and the public key that proves to know them.
pub(super) fn draw<E: ProvingEngine>(
    challenge: &[u8; 64],
    random: &mut Random,
) -> (TauShare<E>, TauPublicKey<E>) {
    let share = loop {
        let secrets = Zeroizing::new([(); 3].map(|()| random.element::<E::Fr>()));
        let [tau, alpha, beta] = *secrets;
        // Zero comes once in 2^254 times; snarkjs would write powers of no use.
        if let Some(share) = TauShare::new(tau, alpha, beta) {
            break share;
        }
    };
    let public_key = prove(&share, challenge, random);
    (share, public_key)
}

/// The public key that proves to know the secrets of a share.
fn prove<E: ProvingEngine>(
    share: &TauShare<E>,
    challenge: &[u8; 64],
    random: &mut Random,
) -> TauPublicKey<E> {
    let mut key = |secret| {
        let g1_s: E::G1 = random.point();
        let g1_sx = share.multiply(secret, &g1_s);
        let g2_sp = hash_to_g2::<E>(secret, challenge, &g1_s, &g1_sx);
        PublicKey {
            g1_s,
            g1_sx,
            g2_spx: share.multiply(secret, &g2_sp),
        }
    };
    TauPublicKey {
        tau: key(TauSecret::Tau),
        alpha: key(TauSecret::Alpha),
        beta: key(TauSecret::Beta),
    }
}

/// The challenge after the powers that are written to `out`, and after that response. `out` is at its end.
pub(super) fn challenge_after<E: ProvingEngine>(
    out: &mut impl PowersOutput,
    power: u32,
    response: &[u8; 64],
) -> Result<[u8; 64], FileError> {
    let mut hash = ChallengeHash::new(response);
    let start = (FRAMES_BEFORE_POINTS + E::G1::BYTES / 2) as u64;
    let sizes = [E::G1::BYTES, E::G2::BYTES];
    read_back(out, start, (power, sizes), |is_g2, bytes| match is_g2 {
        false => hash.update::<E::G1>(bytes),
        true => hash.update::<E::G2>(bytes),
    })?;
    Ok(hash.finalize())
}

/// Writes section 7, the last one, with one contribution more.
pub(super) fn write_records<E: ProvingEngine>(
    old: &Ptau<E>,
    contribution: &TauContribution<E>,
    number: usize,
    out: &mut impl PowersOutput,
) -> Result<(), FileError> {
    let records = old.section_bytes(7).unwrap_or_default();
    let record = contribution.to_bytes();
    section_start(out, 7, (records.len() + record.len()) as u64)?;
    copied(out, &(number as u32).to_le_bytes())?;
    copied(out, &records[4..])?;
    copied(out, &record)?;
    out.flush().map_err(write_error)
}

/// Writes the powers, and hashes the response as it goes.
struct Writer<'a, E: ProvingEngine, W> {
    out: &'a mut W,
    share: &'a TauShare<E>,
    response: ResumableHash,
    /// Points that are written.
    done: u64,
    progress: &'a dyn Fn(u64),
}

impl<E: ProvingEngine, W: PowersOutput> Writer<'_, E, W> {
    /// Everything before section 7. Returns the values after the contribution, and the state of the response's hash.
    fn all(
        &mut self,
        old: &Ptau<E>,
        challenge: &[u8; 64],
    ) -> Result<(Values<E>, ResumableHash), FileError> {
        self.response.update(challenge);
        head::<E>(self.out, 7, old.power(), old.ceremony_power())?;
        let [_, tau_g1] = self.section(2, None, old.tau_g1())?;
        let [_, tau_g2] = self.section(3, None, old.tau_g2())?;
        let [alpha_g1, _] = self.section(4, Some(TauSecret::Alpha), old.alpha_tau_g1())?;
        let [beta_g1, _] = self.section(5, Some(TauSecret::Beta), old.beta_tau_g1())?;
        let beta_g2 = self.share.multiply(TauSecret::Beta, &old.beta_g2()?);
        let bytes = beta_g2.to_montgomery_bytes();
        section(self.out, 6, bytes.as_ref())?;
        self.response.update(&compressed::<E::G2>(bytes.as_ref()));
        let values = Values {
            tau_g1,
            tau_g2,
            alpha_g1,
            beta_g1,
            beta_g2,
        };
        Ok((values, self.response.clone()))
    }

    /// A section of powers, its first two points.
    fn section<P>(
        &mut self,
        id: u32,
        secret: Option<TauSecret>,
        points: Points<'_, P>,
    ) -> Result<[P; 2], FileError>
    where
        P: EncodedPoint + ScaledPoint + PairingGroup<Base: ResidueField> + Group<Scalar = E::Fr>,
    {
        section_start(self.out, id, points.as_bytes().len() as u64)?;
        let mut firsts = [P::default(); 2];
        windows(points, |start, points| {
            check_in_ranges(points.len(), |range| points.check_finite(range))?;
            let list = PointList::Encoded(Encoded::new(points.as_bytes()));
            let raised = self.share.raise_vartime(secret, start, list);
            if start == 0 {
                for (first, point) in firsts.iter_mut().zip(&raised) {
                    *first = *point;
                }
            }
            let mut bytes = Vec::with_capacity(points.as_bytes().len());
            for point in &raised {
                bytes.extend(point.to_montgomery_bytes().as_ref());
            }
            self.response.update(&compressed::<P>(&bytes));
            self.out.write_all(&bytes).map_err(write_error)?;
            self.done += points.len() as u64;
            (self.progress)(self.done);
            Ok(())
        })?;
        Ok(firsts)
    }
}

/// Bytes before section 2's frame, but for the modulus: the preamble, a frame, three counts.
const FRAMES_BEFORE_POINTS: usize = 12 + 12 + 12;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::phase1::{Fault, Verdict, create, verify_chain, verify_powers};
    use frumious_curves::Bn254;
    use frumious_curves::bn254::Fr;
    use std::io::Cursor;

    /// Everyone knows 1 and -1.
    #[test]
    fn contributions_without_a_secret_are_none() {
        let mut first = Vec::new();
        create::<Bn254>(2, &mut first, &|_| ()).unwrap();
        let first = Ptau::<Bn254>::from_bytes(first).unwrap();
        let (one, secret) = (Fr::ONE, Fr::from_u64(0x5ec2e7));
        for (secrets, is_one) in [
            ([one; 3], false),
            ([secret, -one, secret], false),
            ([secret, secret, one], false),
            ([secret; 3], true),
        ] {
            let [tau, alpha, beta] = secrets;
            let drawn = |challenge: &[u8; 64]| {
                let share = TauShare::new(tau, alpha, beta).unwrap();
                let key = prove(&share, challenge, &mut random::seed(b"").unwrap());
                (share, key)
            };
            let mut powers = Cursor::new(Vec::new());
            write(&first, (None, None), drawn, &mut powers, &|_| ()).unwrap();
            let powers = Ptau::<Bn254>::from_bytes(powers.into_inner()).unwrap();
            let chain = verify_chain(&powers, &|_| ()).unwrap();
            let Verdict::Valid(chain) = chain else {
                panic!("{chain:?}");
            };
            match (verify_powers(&powers, &chain, &|_| ()).unwrap(), is_one) {
                (Verdict::Invalid(Fault::NoContribution), false) | (Verdict::Valid(_), true) => {}
                _ => panic!("{secrets:?}"),
            }
        }
    }
}
