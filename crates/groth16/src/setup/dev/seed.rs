//! Secrets from a seed, for keys that can be made again and setups that go on.
//!
//! With `H` = BLAKE2b-512 and `‖` of strings that are each preceded by their length in bytes, as 64 bits:
//!
//! ```text
//! root            = H("frumious development setup 1: root" ‖ r − 1 ‖ digest of the circuit ‖ seed)
//! value(name, k)  = H("frumious development setup 1: " name ‖ root ‖ k) as a number mod r,  k = 0, 1, …, in 32 bits
//! ```
//!
//! with the names `tau`, `alpha`, `beta`, `delta`; k is the first for which all four are good ([`Secrets::accepted`]).
//! Numbers are little-endian. 512 bits reduced are within 2^-250 of uniform. The digest of the circuit covers its sizes
//! and all terms in the order in which they are visited. A change here changes the keys of all seeds: it needs another
//! number than 1.

use super::secrets::Secrets;
use crate::Error;
use blake2::digest::consts::{U32, U64};
use blake2::{Blake2b, Blake2b512, Digest};
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::Integer;
use frumious_parallel::map_indices;
use frumious_r1cs::{CONSTRAINTS_PER_BLOCK, ConstraintBlocks, ConstraintSource};
use std::ops::RangeInclusive;
use zeroize::Zeroizing;

/// The length of a seed, in bytes.
pub const SEED_BYTES: RangeInclusive<usize> = 16..=4096;

/// A digest that tells seeds apart without telling them, unless they can be guessed. No key depends on it.
pub fn seed_digest(seed: &[u8]) -> [u8; 32] {
    let mut hash = Blake2b::<U32>::new();
    update(&mut hash, b"frumious development setup 1: name of a seed");
    update(&mut hash, seed);
    hash.finalize().into()
}

impl<F: ScalarField> Secrets<F> {
    /// The secrets of a seed for a circuit.
    ///
    /// Errors: [`Error::SeedLength`].
    pub(super) fn from_seed(
        seed: &[u8],
        circuit: &dyn ConstraintSource<F>,
        blocks: &dyn ConstraintBlocks<F>,
        domain: &Domain<F>,
    ) -> Result<Self, Error> {
        if !SEED_BYTES.contains(&seed.len()) {
            return Err(Error::SeedLength {
                actual: seed.len(),
                allowed: SEED_BYTES,
            });
        }
        let mut hash = Blake2b512::new();
        update(&mut hash, b"frumious development setup 1: root");
        update(&mut hash, &bytes_of(Integer::from(-F::ONE).words()));
        update(&mut hash, &circuit_digest(circuit, blocks));
        update(&mut hash, seed);
        let root = finish(hash);
        let mut attempts = 0_u32..;
        loop {
            let k = attempts.next().expect("2^32 refusals do not happen");
            let value = |name: &[u8]| {
                let mut hash = Blake2b512::new();
                update(
                    &mut hash,
                    &[b"frumious development setup 1: ", name].concat(),
                );
                update(&mut hash, &*root);
                update(&mut hash, &k.to_le_bytes());
                F::from_uniform_bytes(&finish(hash))
            };
            let names = [b"tau".as_slice(), b"alpha", b"beta", b"delta"];
            let values = Zeroizing::new(names.map(value));
            if let Some(secrets) = Self::accepted(&values, domain) {
                return Ok(secrets);
            }
        }
    }
}

/// A digest of the constraints. In parallel.
fn circuit_digest<F>(
    circuit: &dyn ConstraintSource<F>,
    blocks: &dyn ConstraintBlocks<F>,
) -> [u8; 32] {
    let of_block = |index| {
        let mut hash = Blake2b::<U32>::new();
        blocks.visit(index, &mut |_, matrices| {
            for terms in matrices {
                hash.update((terms.len() as u64).to_le_bytes());
                for term in terms {
                    hash.update(term.wire.to_le_bytes());
                    hash.update(bytes_of(term.coefficient.words()));
                }
            }
        });
        <[u8; 32]>::from(hash.finalize())
    };
    let n_blocks = (circuit.n_constraints() as usize).div_ceil(CONSTRAINTS_PER_BLOCK);
    let mut hash = Blake2b::<U32>::new();
    update(&mut hash, b"frumious development setup 1: circuit");
    update(&mut hash, &circuit.n_wires().to_le_bytes());
    update(&mut hash, &circuit.n_public().to_le_bytes());
    update(&mut hash, &circuit.n_constraints().to_le_bytes());
    update(&mut hash, map_indices(n_blocks, of_block).as_flattened());
    hash.finalize().into()
}

fn bytes_of(words: &[u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// A string with its length before it.
fn update(hash: &mut impl Digest, string: &[u8]) {
    hash.update((string.len() as u64).to_le_bytes());
    hash.update(string);
}

fn finish(hash: Blake2b<U64>) -> Zeroizing<[u8; 64]> {
    let mut bytes = Zeroizing::new([0; 64]);
    hash.finalize_into((&mut *bytes).into());
    bytes
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::{bls12_381, bn254};
    use frumious_r1cs::{BodyBuilder, Interface, SystemBuilder};

    #[test]
    fn reduced_numbers_are_right_for_any_bytes() {
        check::<bn254::Fr>();
        check::<bls12_381::Fr>();
        fn check<F: ScalarField>() {
            for seed in [[0; 64], [255; 64], core::array::from_fn(|i| (i * 37) as u8)] {
                let byte = |sum: F, byte: &u8| sum * F::from_u64(256) + F::from_u64((*byte).into());
                let expected = seed.iter().rev().fold(F::ZERO, byte);
                assert_eq!(F::from_uniform_bytes(&seed), expected);
            }
        }
    }

    /// One constraint: wire 1 times k or nothing is nothing or k; three wires besides the constant.
    fn digest(n_public: u32, k: u64, c: bool) -> [u8; 32] {
        let mut builder = SystemBuilder::<bn254::Fr>::new();
        let mut main = BodyBuilder::main();
        let (one, first) = (main.wire(0), main.own_wire());
        main.own_wires(2);
        let last = [(one, bn254::Fr::from_u64(k))];
        let (b, c) = if c {
            (&[][..], &last[..])
        } else {
            (&last[..], &[][..])
        };
        builder.constrain(&mut main, &[(first, bn254::Fr::ONE)], b, c);
        let interface = Interface {
            public_outputs: 0,
            public_inputs: n_public,
            private_inputs: 3 - n_public,
        };
        let system = builder.finish(main, interface);
        circuit_digest(&system, &*ConstraintSource::blocks(&system))
    }

    #[test]
    fn digests_tell_circuits_apart() {
        let digests = [
            digest(1, 7, true),
            digest(2, 7, true),
            digest(1, 8, true),
            digest(1, 7, false),
        ];
        for (i, digest) in digests.iter().enumerate() {
            assert!(!digests[..i].contains(digest), "{i}");
        }
        assert_eq!(digests[0], digest(1, 7, true));
    }
}
