//! Challenges for contributors who have other programs, and their responses.
//!
//! A challenge is `hash of the response before | powers, uncompressed`, a response `hash of the challenge | powers,
//! compressed | public key, uncompressed`, as the ceremonies of Zcash had them. Powers are those of sections 2 to 6.

use super::contribute::{Contributed, Values, challenge_after, refuse_reduced, write_records};
use super::resumable::ResumableHash;
use super::transcript::{blank, first_challenge, response_hash};
use super::verdict::{Fault, Verdict};
use super::verify::fault_of;
use super::write::{
    PowersOutput, SECTIONS, counts, head, section_start, window, windows, write_error,
};
use crate::encoding::{decompressed, from_uncompressed, uncompressed};
use crate::generic::{Points, Ptau, PublicKey, TauContribution, TauPublicKey};
use crate::parameters::cut;
use blake2::{Blake2b512, Digest};
use frumious_circom::Error as FileError;
use frumious_curves::engine::{MontgomeryEncoding, PairingGroup, ResidueField};
use frumious_groth16::ProvingEngine;
use frumious_msm::ScaledPoint;
use std::io::Write;
use std::marker::PhantomData;

/// Writes the challenge of the next contributor: the bytes that `snarkjs powersoftau export challenge` writes. Returns
/// the hash of the response before, and that of the challenge.
///
/// # Errors
/// [`FileError::Malformed`] for a file without section 7 or one that does not parse; for powers that were cut, whose
/// challenge nobody has; when writing fails.
pub fn export_challenge<E: ProvingEngine>(
    ptau: &Ptau<E>,
    mut out: impl Write,
) -> Result<Verdict<[[u8; 64]; 2]>, FileError> {
    refuse_reduced(ptau)?;
    let contributions = ptau.contributions()?;
    let number = contributions.len();
    let (response, expected) = match contributions.last() {
        None => (blank(), first_challenge::<E>(ptau.power(), &|_| ())),
        Some(last) => match ResumableHash::from_bytes(&last.response_state) {
            Some(state) => (response_hash(state, &last.public_key), last.next_challenge),
            None => return Ok(Verdict::Invalid(Fault::State(number))),
        },
    };
    let mut hash = Blake2b512::new();
    let mut put = |bytes: &[u8]| {
        hash.update(bytes);
        out.write_all(bytes).map_err(write_error)
    };
    put(&response)?;
    fn put_all<P: PairingGroup>(
        points: Points<'_, P>,
        put: &mut dyn FnMut(&[u8]) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        windows(points, |_, points| {
            put(&uncompressed::<P>(points.as_bytes()))
        })
    }
    put_all(ptau.tau_g1(), &mut put)?;
    put_all(ptau.tau_g2(), &mut put)?;
    put_all(ptau.alpha_tau_g1(), &mut put)?;
    put_all(ptau.beta_tau_g1(), &mut put)?;
    put_all(ptau.points_of_beta_g2(), &mut put)?;
    let challenge: [u8; 64] = hash.finalize().into();
    out.flush().map_err(write_error)?;
    Ok(match challenge == expected {
        true => Verdict::Valid([response, challenge]),
        false => Verdict::Invalid(Fault::Challenge(number)),
    })
}

/// The outcome of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imported {
    /// The contribution of the response.
    Contribution(Contributed),
    /// The response has another length, in bytes, than one to these powers.
    Length {
        /// The length of a response.
        expected: u64,
        /// Its length.
        actual: u64,
    },
    /// It answers another challenge.
    OtherChallenge,
    /// It has something else than a point of the group at this byte, or in the points from there on.
    Point(u64),
    /// Its public key does not fit its powers.
    Invalid(Fault),
}

/// Writes `old` with the contribution of a response.
///
/// Proofs of knowledge are verified, and every point is in its group; that the points are powers is verified by
/// [`verify_powers`](super::verify_powers). `progress` is told how much is done.
///
/// # Errors
/// [`FileError::Malformed`] for powers that do not parse or were cut; when writing fails.
pub fn import_response<E: ProvingEngine>(
    old: &Ptau<E>,
    response: &[u8],
    name: Option<&str>,
    mut out: impl PowersOutput,
    progress: &dyn Fn(f64),
) -> Result<Imported, FileError> {
    refuse_reduced(old)?;
    let before = old.contributions()?;
    let (challenge, values) = match before.last() {
        Some(last) => (last.next_challenge, Values::after(last)),
        None => (first_challenge::<E>(old.power(), &|_| ()), Values::FIRST),
    };
    let sizes = [E::G1::BYTES as u64 / 2, E::G2::BYTES as u64 / 2];
    let size = |is_g2: bool| sizes[usize::from(is_g2)];
    let lengths = SECTIONS.into_iter().zip(counts(old.power()));
    let powers: u64 = lengths
        .map(|((_, is_g2, _), count)| count * size(is_g2))
        .sum();
    let expected = 64 + powers + 12 * sizes[0] + 6 * sizes[1];
    let actual = response.len() as u64;
    if actual != expected {
        return Ok(Imported::Length { expected, actual });
    }
    if response[..64] != challenge {
        return Ok(Imported::OtherChallenge);
    }
    let mut reader = Reader::<E, _> {
        response,
        at: 64,
        hash: ResumableHash::new(),
        out: &mut out,
        end: 64 + powers as usize,
        progress,
        engine: PhantomData,
    };
    reader.hash.update(&challenge);
    head::<E>(reader.out, 7, old.power(), old.ceremony_power())?;
    let after = match reader.sections(old.power())? {
        Ok(values) => values,
        Err(place) => return Ok(Imported::Point(place)),
    };
    let (hash, at) = (reader.hash, reader.at);
    let Some(public_key) = read_key::<E>(&response[at..]) else {
        return Ok(Imported::Point(at as u64));
    };
    let response_state = hash.to_bytes();
    let response_hash = response_hash(hash, &public_key);
    let next_challenge = challenge_after::<E>(&mut out, old.power(), &response_hash)?;
    let contribution = TauContribution::<E> {
        tau_g1: after.tau_g1,
        tau_g2: after.tau_g2,
        alpha_g1: after.alpha_g1,
        beta_g1: after.beta_g1,
        beta_g2: after.beta_g2,
        public_key,
        response_state,
        next_challenge,
        is_beacon: false,
        name: name.map(cut).filter(|name| !name.is_empty()),
        beacon: None,
    };
    let number = before.len() + 1;
    if let Some(fault) = fault_of(&contribution, &challenge, &values, number) {
        return Ok(Imported::Invalid(fault));
    }
    write_records(old, &contribution, number, &mut out)?;
    progress(1.0);
    Ok(Imported::Contribution(Contributed {
        response_hash,
        next_challenge,
        number,
        points: 5 << old.power(),
    }))
}

/// Reads the powers of a response, and writes them as sections.
struct Reader<'a, E, W> {
    response: &'a [u8],
    /// Bytes that are read.
    at: usize,
    hash: ResumableHash,
    out: &'a mut W,
    /// Where the powers end.
    end: usize,
    progress: &'a dyn Fn(f64),
    engine: PhantomData<E>,
}

/// A section's first two points, or the place of points of which one is none.
type Firsts<P> = Result<[P; 2], u64>;

impl<E: ProvingEngine, W: Write> Reader<'_, E, W> {
    /// The sections 2 to 6. The values after the contribution, or the place of points of which one is none.
    fn sections(&mut self, power: u32) -> Result<Result<Values<E>, u64>, FileError> {
        let [tau_g1, tau_g2, alpha, beta, one] = counts(power);
        macro_rules! read {
            ($group:ty, $id:literal, $count:expr) => {
                match self.section::<$group>($id, $count)? {
                    Ok(firsts) => firsts,
                    Err(place) => return Ok(Err(place)),
                }
            };
        }
        Ok(Ok(Values {
            tau_g1: read!(E::G1, 2, tau_g1)[1],
            tau_g2: read!(E::G2, 3, tau_g2)[1],
            alpha_g1: read!(E::G1, 4, alpha)[0],
            beta_g1: read!(E::G1, 5, beta)[0],
            beta_g2: read!(E::G2, 6, one)[0],
        }))
    }

    fn section<P: PairingGroup<Base: ResidueField> + ScaledPoint>(
        &mut self,
        id: u32,
        count: u64,
    ) -> Result<Firsts<P>, FileError> {
        section_start(self.out, id, count * P::BYTES as u64)?;
        let size = P::BYTES / 2;
        let bytes = &self.response[self.at..self.at + count as usize * size];
        self.hash.update(bytes); // all at once: see `resumable`
        let mut firsts = Vec::new();
        for bytes in bytes.chunks(window(P::BYTES) * size) {
            frumious_parallel::check_cancelled();
            let Some(points) = decompressed::<P>(bytes) else {
                return Ok(Err(self.at as u64));
            };
            for point in points.chunks_exact(P::BYTES).take(2 - firsts.len()) {
                firsts.push(P::from_montgomery_bytes_unchecked(point));
            }
            self.out.write_all(&points).map_err(write_error)?;
            self.at += bytes.len();
            (self.progress)(0.9 * self.at as f64 / self.end as f64);
        }
        firsts.resize(2, P::default());
        Ok(Ok([firsts[0], firsts[1]]))
    }
}

/// The public key at the end of a response; none if it has a point outside its group.
fn read_key<E: ProvingEngine>(bytes: &[u8]) -> Option<TauPublicKey<E>> {
    let (in_g1, in_g2) = bytes.split_at(6 * E::G1::BYTES);
    let in_g1: Option<Vec<E::G1>> = in_g1
        .chunks(E::G1::BYTES)
        .map(from_uncompressed::<E::G1>)
        .collect();
    let in_g2: Option<Vec<E::G2>> = in_g2
        .chunks(E::G2::BYTES)
        .map(from_uncompressed::<E::G2>)
        .collect();
    let (in_g1, in_g2) = (in_g1?, in_g2?);
    let key = |at: usize| PublicKey {
        g1_s: in_g1[2 * at],
        g1_sx: in_g1[2 * at + 1],
        g2_spx: in_g2[at],
    };
    Some(TauPublicKey {
        tau: key(0),
        alpha: key(1),
        beta: key(2),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::encoding::compressed;
    use crate::phase1::transcript::key_bytes;
    use crate::phase1::{contribute, create};
    use frumious_curves::{Bls12_381, Bn254};
    use frumious_groth16::TauSecret;
    use std::io::Cursor;

    /// The response that led to a file.
    fn response_of<E: ProvingEngine>(ptau: &Ptau<E>, challenge: &[u8; 64]) -> Vec<u8> {
        let last = ptau.contributions().unwrap().pop().unwrap();
        [
            &challenge[..],
            &compressed::<E::G1>(ptau.tau_g1().as_bytes()),
            &compressed::<E::G2>(ptau.tau_g2().as_bytes()),
            &compressed::<E::G1>(ptau.alpha_tau_g1().as_bytes()),
            &compressed::<E::G1>(ptau.beta_tau_g1().as_bytes()),
            &compressed::<E::G2>(ptau.points_of_beta_g2().as_bytes()),
            &key_bytes(&last.public_key),
        ]
        .concat()
    }

    fn check<E: ProvingEngine>(power: u32) {
        let mut old = Vec::new();
        create::<E>(power, &mut old, &|_| ()).unwrap();
        for number in 1..3 {
            let before = Ptau::<E>::from_bytes(old.clone()).unwrap();
            let mut challenge = Vec::new();
            let exported = export_challenge(&before, &mut challenge).unwrap();
            let Verdict::Valid([response_before, challenge_hash]) = exported else {
                panic!("{exported:?}");
            };
            assert_eq!(challenge[..64], response_before);
            assert_eq!(
                <[u8; 64]>::from(Blake2b512::digest(&challenge)),
                challenge_hash
            );

            let mut new = Cursor::new(Vec::new());
            let made = contribute(&before, Some("a name"), b"", &mut new, &|_| ()).unwrap();
            let new = new.into_inner();
            let after = Ptau::<E>::from_bytes(new.clone()).unwrap();
            let response = response_of(&after, &challenge_hash);
            assert_eq!(
                <[u8; 64]>::from(Blake2b512::digest(&response)),
                made.response_hash
            );
            let import = |response: &[u8]| {
                let mut out = Cursor::new(Vec::new());
                let name = Some("a name");
                let made = import_response(&before, response, name, &mut out, &|_| ()).unwrap();
                (made, out.into_inner())
            };
            assert_eq!(made.number, number);
            assert_eq!(
                import(&response),
                (Imported::Contribution(made), new.clone())
            );

            let altered = |at: usize, bytes: &[u8]| {
                let mut response = response.clone();
                response[at..at + bytes.len()].copy_from_slice(bytes);
                import(&response).0
            };
            assert_eq!(altered(3, &[!response[3]]), Imported::OtherChallenge);
            let length = import(&response[1..]).0;
            assert!(matches!(length, Imported::Length { .. }), "{length:?}");
            assert_eq!(altered(64, &[0x7f; 32]), Imported::Point(64));
            let key = response.len() - 6 * E::G1::BYTES - 3 * E::G2::BYTES;
            assert_eq!(
                altered(key + 5, &[!response[key + 5]]),
                Imported::Point(key as u64)
            );
            // The second power with the other sign; S in the place of s·S.
            let second = 64 + E::G1::BYTES / 2;
            let fault = altered(second, &[response[second] ^ 0x80]);
            let expected = Fault::After(number, "tau in G1");
            assert_eq!(fault, Imported::Invalid(expected));
            let s = response[key..key + E::G1::BYTES].to_vec();
            let fault = altered(key + E::G1::BYTES, &s);
            let expected = Fault::Knowledge(number, TauSecret::Tau);
            assert_eq!(fault, Imported::Invalid(expected));
            old = new;
        }
    }

    #[test]
    fn responses_make_the_files_that_they_are_of() {
        check::<Bn254>(1);
        check::<Bn254>(4);
        check::<Bls12_381>(3);
    }
}
