//! The chain of hashes as a constraint system, and its witness.
//!
//! Wires: 0 the constant one, 1 the digest (public output), 2 the key k (public input), 3 the secret (private input).
//! Then for each hash the t², t⁴, t⁶, t⁷ of each round, and the digest, unless it is the last, which is wire 1.
//! Constraints of a hash of x: four for each round, `t·t = t²`, `t²·t² = t⁴`, `t⁴·t² = t⁶`, `t⁶·t = t⁷` with the linear
//! `t = x + k + cᵢ`; and one, `(x₉₁ + x + 2k)·1 = digest`.

use frumious_circom::{Error, R1cs, R1csBuilder, Wtns};
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use zeroize::Zeroizing;

use super::mimc::{self, ROUNDS};

/// A chain of hashes: each hashes the digest of the one before, all under one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    hashes: u32,
}

impl Chain {
    /// The longest chain with at most `constraints` constraints; at least one hash.
    pub fn of_constraints(constraints: u32) -> Self {
        Self {
            hashes: (constraints / CONSTRAINTS_PER_HASH).max(1),
        }
    }

    /// The longest chain for a domain of 2^`log_n`, with `log_n` in 9..=24: the domain must be above constraints and
    /// public signals.
    pub fn filling_domain(log_n: u32) -> Self {
        Self::of_constraints((1 << log_n) - 1 - PUBLIC)
    }

    /// Length of the chain.
    pub fn hashes(self) -> u32 {
        self.hashes
    }

    /// Number of constraints.
    pub fn n_constraints(self) -> u32 {
        self.hashes * CONSTRAINTS_PER_HASH
    }

    /// The constraint system.
    pub fn constraints(self) -> R1cs {
        let constants = mimc::round_constants();
        let one = Fr::ONE;
        let mut builder = R1csBuilder::new(1, 1, 1);
        let mut x = SECRET;
        for hash in 1..=self.hashes {
            let mut state = x;
            for constant in constants {
                let [t2, t4, t6, t7] = std::array::from_fn(|_| builder.new_wire());
                let t = [(CONSTANT, constant), (KEY, one), (state, one)];
                builder.constraint(&t, &t, &[(t2, one)]);
                builder.constraint(&[(t2, one)], &[(t2, one)], &[(t4, one)]);
                builder.constraint(&[(t4, one)], &[(t2, one)], &[(t6, one)]);
                builder.constraint(&[(t6, one)], &t, &[(t7, one)]);
                state = t7;
            }
            let digest = match hash == self.hashes {
                true => DIGEST,
                false => builder.new_wire(),
            };
            builder.constraint(
                &[(KEY, one.double()), (x, one), (state, one)],
                &[(CONSTANT, one)],
                &[(digest, one)],
            );
            x = digest;
        }
        builder.build()
    }

    /// The values of all wires.
    pub fn witness(self, secret: Fr, key: Fr) -> Result<Wtns, Error> {
        let constants = mimc::round_constants();
        // Reserved at once, so that no copy of the values is left behind by a reallocation.
        let mut values = Zeroizing::new(Vec::with_capacity(self.wires()));
        values.extend([Fr::ONE, Fr::ZERO, key, secret]);
        let mut x = secret;
        for hash in 1..=self.hashes {
            x = mimc::hash(x, key, &constants, |round| {
                values.extend([round.t2, round.t4, round.t6, round.t7]);
            });
            match hash == self.hashes {
                true => values[DIGEST as usize] = x,
                false => values.push(x),
            }
        }
        Wtns::new(values.iter().copied().map(Integer::from).collect())
    }

    fn wires(self) -> usize {
        // The last digest is wire 1, not one of its own.
        4 + self.hashes as usize * (4 * ROUNDS + 1) - 1
    }
}

const CONSTANT: u32 = 0;
const DIGEST: u32 = 1;
const KEY: u32 = 2;
const SECRET: u32 = 3;

/// Digest and key.
const PUBLIC: u32 = 2;

const CONSTRAINTS_PER_HASH: u32 = 4 * ROUNDS as u32 + 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn witnesses_satisfy_the_constraints_and_nothing_else_does() {
        for hashes in [1, 2, 3] {
            let chain = Chain { hashes };
            let r1cs = chain.constraints();
            assert_eq!(r1cs.n_constraints(), hashes * CONSTRAINTS_PER_HASH);
            assert_eq!(r1cs.n_constraints(), chain.n_constraints());
            assert_eq!(r1cs.n_wires() as usize, chain.wires());
            let (secret, key) = (-Fr::from_u64(9), Fr::from_u64(4));
            let witness = chain.witness(secret, key).expect("it is a witness").to_fr();
            assert_eq!(r1cs.first_unsatisfied(&witness), None);
            for wire in 1..witness.len() {
                let mut wrong = witness.clone();
                wrong[wire] += Fr::ONE;
                assert!(
                    r1cs.first_unsatisfied(&wrong).is_some(),
                    "wire {wire} is free"
                );
            }
        }
    }

    #[test]
    fn the_public_signals_are_the_digest_and_the_key() {
        let (secret, key) = (Fr::from_u64(7), Fr::from_u64(11));
        let constants = mimc::round_constants();
        let digest = (0..3).fold(secret, |x, _| mimc::hash(x, key, &constants, |_| {}));
        let witness = Chain { hashes: 3 }
            .witness(secret, key)
            .expect("it is a witness");
        assert_eq!(witness.public(2), Some(vec![digest, key]));
    }

    #[test]
    fn chains_fill_their_domain() {
        for log_n in 9..=24 {
            let chain = Chain::filling_domain(log_n);
            let rows = chain.hashes * CONSTRAINTS_PER_HASH + PUBLIC;
            assert_eq!(rows.ilog2() + 1, log_n, "the domain has another size");
            assert!(
                rows + CONSTRAINTS_PER_HASH >= 1 << log_n,
                "a longer chain fits"
            );
        }
        assert_eq!(Chain::of_constraints(365).hashes(), 1);
        assert_eq!(Chain::of_constraints(729).hashes(), 1);
        assert_eq!(Chain::of_constraints(730).hashes(), 2);
    }
}
