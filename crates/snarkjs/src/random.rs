//! The generator of ffjavascript 0.3.1, and what snarkjs draws from it in both phases of a ceremony.
//!
//! It is ChaCha with 20 rounds, a nonce of zero and a counter from zero on. The key is the first 32 bytes of a hash, as
//! eight words, most significant byte first. A number of 64 bits takes two words, the higher first. An element takes as
//! many such numbers as it has words, the lowest first. They are cut to the bits of the modulus, and drawn again
//! unless below it. The result is taken as Montgomery form. Source: observed of ffjavascript 0.3.1. A test of `cli` has
//! a beacon's key that snarkjs drew.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use frumious_curves::engine::{PointFromX, ResidueField};
use frumious_msm::Choices;
use sha2::{Digest, Sha256};
use std::ops::RangeInclusive;
use zeroize::{Zeroize, Zeroizing};

/// The generator. Its state is wiped when dropped.
pub(crate) struct Random(ChaCha20);

impl Random {
    /// Seeded by the first 32 bytes of a hash.
    pub(crate) fn from_hash(hash: &[u8]) -> Self {
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(&hash[..32]);
        for word in key.as_chunks_mut::<4>().0 {
            word.reverse();
        }
        Self(ChaCha20::new((&*key).into(), &[0; 12].into()))
    }

    /// Seeded by a beacon: SHA-256 of its hash, again and again, 2^`exponent` times.
    ///
    /// Takes some minutes for exponents above 30.
    pub(crate) fn from_beacon(beacon_hash: &[u8], exponent: u8) -> Self {
        let mut hash: [u8; 32] = Sha256::digest(beacon_hash).into();
        for round in 1..1_u64 << exponent {
            hash = Sha256::digest(hash).into();
            if round.is_multiple_of(1 << 16) {
                frumious_parallel::check_cancelled();
            }
        }
        Self::from_hash(&hash)
    }

    fn u32(&mut self) -> u32 {
        let mut word = [0; 4];
        self.0.apply_keystream(&mut word);
        u32::from_le_bytes(word)
    }

    fn u64(&mut self) -> u64 {
        u64::from(self.u32()) << 32 | u64::from(self.u32())
    }

    /// An element of a prime field.
    pub(crate) fn element<F: ResidueField>(&mut self) -> F {
        let modulus = F::MODULUS_WORDS;
        let highest = modulus[modulus.len() - 1];
        let mask = u64::MAX >> highest.leading_zeros();
        let mut words = Zeroizing::new(vec![0; modulus.len()]);
        loop {
            for word in words.iter_mut() {
                *word = self.u64();
            }
            if let Some(last) = words.last_mut() {
                *last &= mask;
            }
            if words.iter().rev().lt(modulus.iter().rev()) {
                return F::from_montgomery_words_unchecked(&words);
            }
        }
    }

    /// A point of a group: of an x, the point with the larger or the smaller y, times the cofactor.
    pub(crate) fn point<P: PointFromX<Base: ResidueField>>(&mut self) -> P {
        loop {
            let x: Vec<P::Base> = (0..P::DEGREE).map(|_| self.element()).collect();
            let larger = self.u32() & 1 == 1;
            if let Some(point) = P::from_x_vartime(&x, larger) {
                return point;
            }
        }
    }
}

/// A seed from the operating system, mixed with what somebody typed, as snarkjs does.
///
/// # Errors
/// [`RandomError`](frumious_curves::RandomError) if the operating system gives no random bytes.
pub(crate) fn seed(entropy: &[u8]) -> Result<Random, frumious_curves::RandomError> {
    use blake2::Blake2b512;
    let mut bytes = Zeroizing::new([0; 64]);
    getrandom::fill(&mut *bytes).map_err(|_| frumious_curves::RandomError)?;
    let mut hash = Blake2b512::new();
    hash.update(*bytes);
    hash.update(entropy);
    let mut digest = Zeroizing::new([0; 64]);
    hash.finalize_into((&mut *digest).into());
    let random = Random::from_hash(&*digest);
    bytes.zeroize();
    Ok(random)
}

/// Random bits for so many points, unless the operating system gives none.
pub(crate) fn choices(points: usize) -> Option<Vec<Choices>> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).ok()?;
    let mut choices = vec![Choices::default(); points];
    ChaCha20::new(&seed.into(), &[0; 12].into()).apply_keystream(choices.as_flattened_mut());
    Some(choices)
}

/// A public source of randomness that nobody could foresee, for a ceremony's last contribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beacon {
    /// Its bytes, of a number in [`BEACON_HASH_BYTES`].
    pub hash: Vec<u8>,
    /// The binary logarithm of how often SHA-256 is applied, in [`BEACON_EXPONENTS`].
    pub exponent: u8,
}

impl Beacon {
    /// The generator that the beacon seeds.
    ///
    /// # Panics
    /// For a beacon outside its bounds.
    pub(crate) fn random(&self) -> Random {
        assert!(
            BEACON_HASH_BYTES.contains(&self.hash.len()),
            "length of the hash"
        );
        assert!(BEACON_EXPONENTS.contains(&self.exponent), "exponent");
        Random::from_beacon(&self.hash, self.exponent)
    }
}

/// The logarithms of the number of iterations that a beacon may have.
pub const BEACON_EXPONENTS: RangeInclusive<u8> = 10..=63;

/// The lengths of a beacon's hash.
pub const BEACON_HASH_BYTES: RangeInclusive<usize> = 1..=255;

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, section 2.3.2, has the state's order; this is the stream of a key of zeros (RFC 7539, A.1, vector 1).
    #[test]
    fn the_stream_is_chachas() {
        let mut random = Random::from_hash(&[0; 64]);
        assert_eq!([random.u32(), random.u32()], [0xade0_b876, 0x903d_f1a0]);
    }
}
