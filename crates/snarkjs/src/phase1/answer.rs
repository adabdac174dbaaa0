//! The response to a challenge, for a contributor who has but the challenge.

use super::contribute::draw;
use super::create::POWERS;
use super::transcript::key_bytes;
use super::write::{SECTIONS, counts, window, write_error};
use crate::big_endian::Decoder;
use crate::encoding::{compressed, from_uncompressed_by, uncompressed_on_curve};
use crate::points::are_all_in_group;
use crate::random;
use blake2::{Blake2b512, Digest};
use frumious_circom::Error as FileError;
use frumious_curves::Group;
use frumious_curves::engine::{MontgomeryEncoding, PairingGroup, ResidueField};
use frumious_groth16::{Error, ProvingEngine, TauSecret, TauShare};
use frumious_msm::{Encoded, EncodedPoint, PointList, ScaledPoint};
use frumious_parallel::{check_cancelled, map_indices};
use std::io::Write;

/// The outcome of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The response was written.
    Response {
        /// The hash of the challenge.
        challenge: [u8; 64],
        /// The hash to publish: of the response.
        response_hash: [u8; 64],
        /// Number of points that were multiplied.
        points: u64,
    },
    /// No challenge has this length in bytes.
    Length(u64),
    /// The challenge has something else than a finite point of the group at this byte.
    Point(u64),
}

/// Writes the response to a challenge, by secrets that are drawn here, from the operating system's randomness and from
/// `entropy`, and wiped. It is as that of `snarkjs powersoftau challenge contribute`.
///
/// `progress` is told how much is done, from 0 to 1. Every point that is multiplied is checked to be in its group and
/// not at infinity: others would tell something of the secrets. That the challenge has powers of one τ is not checked.
///
/// # Errors
/// [`Error::Source`] when writing fails; [`Error::Randomness`].
pub fn answer_challenge<E: ProvingEngine>(
    challenge: &[u8],
    entropy: &[u8],
    mut out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<Answered, Error> {
    let Some(power) = power_of::<E>(challenge.len() as u64) else {
        return Ok(Answered::Length(challenge.len() as u64));
    };
    let mut hash = Blake2b512::new();
    for part in challenge.chunks(1 << 20) {
        check_cancelled();
        hash.update(part);
    }
    let challenge_hash: [u8; 64] = hash.finalize().into();
    let mut random = random::seed(entropy)?;
    let (share, public_key) = draw::<E>(&challenge_hash, &mut random);
    drop(random);

    let mut writer = Writer {
        challenge,
        at: 64,
        share: &share,
        hash: Blake2b512::new(),
        out: &mut out,
        progress,
    };
    let written = writer.all(power, &challenge_hash, &key_bytes(&public_key));
    let written = written.map_err(|error| Error::Source(error.into()))?;
    let response_hash = writer.hash.finalize().into();
    Ok(match written {
        Ok(()) => Answered::Response {
            challenge: challenge_hash,
            response_hash,
            points: counts(power).iter().sum(),
        },
        Err(place) => Answered::Point(place),
    })
}

/// The power of a challenge of this length, none if there is no such.
fn power_of<E: ProvingEngine>(length: u64) -> Option<u32> {
    let size = |is_g2: bool| match is_g2 {
        true => E::G2::BYTES as u64,
        false => E::G1::BYTES as u64,
    };
    POWERS.into_iter().find(|power| {
        let sections = SECTIONS.into_iter().zip(counts(*power));
        let points: u64 = sections
            .map(|((_, is_g2, _), count)| count * size(is_g2))
            .sum();
        length == 64 + points
    })
}

/// Reads a challenge, and writes and hashes the response.
struct Writer<'a, E: ProvingEngine, W> {
    challenge: &'a [u8],
    /// Bytes that are read.
    at: usize,
    share: &'a TauShare<E>,
    hash: Blake2b512,
    out: &'a mut W,
    progress: &'a dyn Fn(f64),
}

impl<E: ProvingEngine, W: Write> Writer<'_, E, W> {
    /// The whole response, or the place of a point that is none.
    fn all(
        &mut self,
        power: u32,
        challenge: &[u8; 64],
        public_key: &[u8],
    ) -> Result<Result<(), u64>, FileError> {
        self.put(challenge)?;
        for ((_, is_g2, secret), count) in SECTIONS.into_iter().zip(counts(power)) {
            let written = match is_g2 {
                false => self.section::<E::G1>(secret, count)?,
                true => self.section::<E::G2>(secret, count)?,
            };
            if written.is_err() {
                return Ok(written);
            }
        }
        self.put(public_key)?;
        self.out.flush().map_err(write_error)?;
        (self.progress)(1.0);
        Ok(Ok(()))
    }

    fn section<P>(
        &mut self,
        secret: Option<TauSecret>,
        count: u64,
    ) -> Result<Result<(), u64>, FileError>
    where
        P: EncodedPoint + ScaledPoint + PairingGroup<Base: ResidueField> + Group<Scalar = E::Fr>,
    {
        let end = self.at + count as usize * P::BYTES;
        let mut start = 0;
        while self.at < end {
            check_cancelled();
            let bytes = &self.challenge[self.at..end.min(self.at + window(P::BYTES) * P::BYTES)];
            let points = match decoded::<P>(bytes) {
                Ok(points) => points,
                Err(index) => return Ok(Err((self.at + index * P::BYTES) as u64)),
            };
            let list = PointList::<P>::Encoded(Encoded::new(&points));
            let raised = self.share.raise_vartime(secret, start, list);
            let mut written = Vec::with_capacity(points.len());
            for point in &raised {
                written.extend(point.to_montgomery_bytes().as_ref());
            }
            self.put(&compressed::<P>(&written))?;
            start += raised.len() as u64;
            self.at += bytes.len();
            (self.progress)(self.at as f64 / self.challenge.len() as f64);
        }
        Ok(Ok(()))
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.hash.update(bytes);
        self.out.write_all(bytes).map_err(write_error)
    }
}

/// Points in Montgomery form; the index of one that is none of the group, or infinity. In parallel.
fn decoded<P: PairingGroup<Base: ResidueField> + ScaledPoint>(
    bytes: &[u8],
) -> Result<Vec<u8>, usize> {
    let points: Vec<&[u8]> = bytes.chunks_exact(P::BYTES).collect();
    let decoder = Decoder::new();
    let parts = map_indices(points.len().div_ceil(POINTS_PER_TASK), |task| {
        let start = task * POINTS_PER_TASK;
        let end = points.len().min(start + POINTS_PER_TASK);
        let decoded = (start..end).map(|index| {
            let point = uncompressed_on_curve(&decoder, points[index]).ok();
            point.filter(|point| *point != P::default()).ok_or(index)
        });
        decoded.collect::<Result<Vec<P>, usize>>()
    });
    let parts: Result<Vec<Vec<P>>, usize> = parts.into_iter().collect();
    let decoded = parts?.concat();
    if !are_all_in_group(&decoded) {
        let is_outside = |bytes: &&[u8]| from_uncompressed_by::<P>(&decoder, bytes).is_none();
        let outside = points.iter().position(is_outside);
        return Err(outside.unwrap_or_default());
    }
    let mut bytes = Vec::with_capacity(points.len() * P::BYTES);
    for point in &decoded {
        bytes.extend_from_slice(point.to_montgomery_bytes().as_ref());
    }
    Ok(bytes)
}

const POINTS_PER_TASK: usize = 1 << 9;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::generic::Ptau;
    use crate::phase1::{
        Imported, Verdict, create, export_challenge, import_response, verify_chain, verify_powers,
    };
    use frumious_curves::{Bls12_381, Bn254};
    use std::io::Cursor;

    /// The response to a challenge is imported, and the powers are valid; other bytes are refused with their place.
    fn check<E: ProvingEngine>(power: u32) {
        let mut old = Vec::new();
        create::<E>(power, &mut old, &|_| ()).unwrap();
        let old = Ptau::<E>::from_bytes(old).unwrap();
        let mut challenge = Vec::new();
        export_challenge(&old, &mut challenge).unwrap();
        let mut response = Vec::new();
        let answered = answer_challenge::<E>(&challenge, b"text", &mut response, &|_| ()).unwrap();
        let Answered::Response {
            response_hash,
            points,
            ..
        } = answered
        else {
            panic!("{answered:?}");
        };
        assert_eq!(points, 5 << power);
        let mut new = Cursor::new(Vec::new());
        let imported = import_response(&old, &response, None, &mut new, &|_| ()).unwrap();
        let Imported::Contribution(made) = imported else {
            panic!("{imported:?}");
        };
        assert_eq!(made.response_hash, response_hash);
        let new = Ptau::<E>::from_bytes(new.into_inner()).unwrap();
        let Verdict::Valid(chain) = verify_chain(&new, &|_| ()).unwrap() else {
            panic!("a fault");
        };
        let verdict = verify_powers(&new, &chain, &|_| ()).unwrap();
        assert!(matches!(verdict, Verdict::Valid(_)));

        // No two are the same, and no secret is of what was typed alone.
        let mut other = Vec::new();
        answer_challenge::<E>(&challenge, b"text", &mut other, &|_| ()).unwrap();
        assert_ne!(other, response);

        let answer = |challenge: &[u8]| {
            answer_challenge::<E>(challenge, b"", &mut Vec::new(), &|_| ()).unwrap()
        };
        let length = challenge.len();
        for length in [0, 64, length - 1] {
            assert_eq!(
                answer(&challenge[..length]),
                Answered::Length(length as u64)
            );
        }
        for index in [0, 1, (2 << power) - 2] {
            let place = 64 + index * E::G1::BYTES;
            let mut off = challenge.clone();
            off[place + E::G1::BYTES - 1] ^= 1;
            assert_eq!(answer(&off), Answered::Point(place as u64));
            off[place..place + E::G1::BYTES].fill(0); // infinity
            assert_eq!(answer(&off), Answered::Point(place as u64));
        }
        let place = length - E::G2::BYTES;
        challenge[place..].fill(0xff);
        assert_eq!(answer(&challenge), Answered::Point(place as u64));
    }

    #[test]
    fn responses_are_imported_and_bad_challenges_refused() {
        check::<Bn254>(1);
        check::<Bn254>(4);
        check::<Bls12_381>(3);
    }
}
