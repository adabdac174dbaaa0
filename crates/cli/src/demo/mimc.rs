//! MiMC-7 over BN254's scalar field, as a hash of one element.
//!
//! The permutation with key k: 91 times `x ← (x + k + cᵢ)⁷`, then `x ← x + k`. The exponent 7 is prime to r − 1, so
//! each round is a bijection; 91 = ⌈254·ln 2 / ln 7⌉ rounds make the degree exceed r. The hash is that permutation in
//! the mode of Miyaguchi and Preneel, `H(x) = E_k(x) + x + k`, with a public key. Source: Albrecht, Grassi, Rechberger,
//! Roy, Tiessen 2016, "MiMC", eprint 2016/492, sections 2.1 and 5.1.
//!
//! The constants are our own, as the demonstration need not agree with anybody. c₀ = 0, and cᵢ is the BLAKE2b-512 hash
//! of `"frumious demo MiMC-7"` and i (four bytes, little-endian). It is read as a little-endian integer and reduced
//! modulo r.

use blake2::{Blake2b512, Digest};
use frumious_curves::bn254::Fr;

/// Number of rounds.
pub const ROUNDS: usize = 91;

/// The constants of the rounds.
pub fn round_constants() -> [Fr; ROUNDS] {
    std::array::from_fn(|i| match i {
        0 => Fr::ZERO,
        _ => {
            let mut hash = Blake2b512::new();
            hash.update(b"frumious demo MiMC-7");
            hash.update((i as u32).to_le_bytes());
            Fr::from_uniform_bytes(&hash.finalize().into())
        }
    })
}

/// The values inside a round: `t = x + k + cᵢ` and its powers, of which the last is the next x.
#[derive(Clone, Copy)]
pub struct Round {
    pub t2: Fr,
    pub t4: Fr,
    pub t6: Fr,
    pub t7: Fr,
}

impl Round {
    /// The round at `t`.
    pub fn at(t: Fr) -> Self {
        let t2 = t.square();
        let t4 = t2.square();
        let t6 = t4 * t2;
        Self {
            t2,
            t4,
            t6,
            t7: t6 * t,
        }
    }
}

/// The hash of `x` under `key`; `record` sees each round.
pub fn hash(x: Fr, key: Fr, constants: &[Fr; ROUNDS], mut record: impl FnMut(&Round)) -> Fr {
    let last = constants.iter().fold(x, |state, constant| {
        let round = Round::at(state + key + *constant);
        record(&round);
        round.t7
    });
    last + key + x + key // E_k(x) = last + k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_bijections_of_enough_degree() {
        // r mod 7 by words, the most significant first: 2^64 mod 7 = 2.
        let remainder = Fr::MODULUS
            .iter()
            .rev()
            .fold(0, |sum, word| (sum * 2 + word % 7) % 7);
        assert_ne!(remainder, 1, "7 divides r - 1");
        assert_eq!(
            (254.0 * 2.0_f64.ln() / 7.0_f64.ln()).ceil() as usize,
            ROUNDS
        );
    }

    #[test]
    fn the_hash_is_its_definition() {
        let constants = round_constants();
        let (x, key) = (Fr::from_u64(3), -Fr::from_u64(5));
        let mut rounds = 0;
        let digest = hash(x, key, &constants, |_| rounds += 1);
        let mut state = x;
        for constant in constants {
            state = (state + key + constant).pow_vartime(&[7]);
        }
        assert_eq!(digest, state + key + x + key);
        assert_eq!(rounds, ROUNDS);
    }

    #[test]
    fn constants_are_pinned_and_differ() {
        let constants = round_constants();
        assert_eq!(constants[0], Fr::ZERO);
        for (i, constant) in constants.iter().enumerate() {
            assert!(!constants[..i].contains(constant));
        }
        // BLAKE2b-512 by Python's hashlib: int.from_bytes(blake2b(b"frumious demo MiMC-7\x01\0\0\0").digest(),
        // "little") % r
        assert_eq!(constants[1].to_decimal_vartime(), FIRST_CONSTANT);
    }

    const FIRST_CONSTANT: &str =
        "2524893990526698440070522456693364158571657901243388562367365940259458898838";
}
