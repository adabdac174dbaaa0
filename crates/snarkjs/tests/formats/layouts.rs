//! Keys, proofs and signals in the byte layouts of other libraries. arkworks reads ours and writes the same. Malformed
//! bytes are refused with their place. gnark itself reads ours in `interop/`.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use ark_ec::pairing::Pairing;
use ark_groth16::{Groth16, prepare_verifying_key};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use frumious_circom::{Error, Place};
use frumious_curves::{Bls12_381, Bn254, Group, PairingEngine};
use frumious_field::Field;
use frumious_groth16::{Proof, VerifyingKey};
use frumious_snarkjs::generic::public_from_json;
use frumious_snarkjs::groth16::{
    ByteLayout, proof_from_bytes, proof_from_json, proof_to_bytes, public_from_bytes,
    public_to_bytes, verifying_key_from_bytes, verifying_key_from_json, verifying_key_to_bytes,
};

const LAYOUTS: [ByteLayout; 3] = [ByteLayout::Arkworks, ByteLayout::Gnark, ByteLayout::Sui];

struct Statement<E: PairingEngine> {
    key: VerifyingKey<E>,
    proof: Proof<E>,
    public: Vec<E::Fr>,
}

macro_rules! statement {
    ($folder:literal) => {
        Statement {
            key: verifying_key_from_json(include_str!(concat!(
                "../data/",
                $folder,
                "verification_key.json"
            )))
            .unwrap(),
            proof: proof_from_json(include_str!(concat!("../data/", $folder, "proof.json")))
                .unwrap(),
            public: public_from_json(include_str!(concat!("../data/", $folder, "public.json")))
                .unwrap(),
        }
    };
}

fn bn254() -> Statement<Bn254> {
    statement!("")
}

fn bls12_381() -> Statement<Bls12_381> {
    statement!("bls12_381/")
}

/// Statements with points of either y, and of infinity where it may be.
fn variants<E: PairingEngine>(first: Statement<E>) -> Vec<Statement<E>> {
    let opposite = Statement {
        key: VerifyingKey {
            alpha_g1: -first.key.alpha_g1,
            beta_g2: -first.key.beta_g2,
            gamma_g2: -first.key.gamma_g2,
            delta_g2: -first.key.delta_g2,
            ic: first.key.ic.iter().map(|point| -*point).collect(),
        },
        proof: Proof {
            a: -first.proof.a,
            b: -first.proof.b,
            c: -first.proof.c,
        },
        public: vec![-E::Fr::ONE, E::Fr::ZERO, E::Fr::ONE],
    };
    let mut infinite = Statement {
        key: first.key.clone(),
        proof: Proof {
            a: E::G1::default(),
            b: E::G2::default(),
            c: E::G1::default(),
        },
        public: Vec::new(),
    };
    infinite.key.ic[0] = E::G1::default();
    vec![first, opposite, infinite]
}

#[test]
fn what_is_written_is_read_back() {
    fn check<E: PairingEngine>(first: Statement<E>) {
        for Statement { key, proof, public } in variants(first) {
            for layout in LAYOUTS {
                for in_g1 in [None, Some([E::G1::GENERATOR, -E::G1::GENERATOR])] {
                    let bytes = verifying_key_to_bytes(&key, in_g1, layout);
                    assert_eq!(verifying_key_from_bytes(&bytes, layout).unwrap(), key);
                }
                let bytes = proof_to_bytes(&proof, layout);
                assert_eq!(proof_from_bytes(&bytes, layout).unwrap(), proof);
                let bytes = public_to_bytes(&public, layout);
                assert_eq!(public_from_bytes::<E>(&bytes, layout).unwrap(), public);
            }
        }
    }
    check(bn254());
    check(bls12_381());
}

/// arkworks takes the proof for its signals and for no others, and writes what it has read as it was.
#[test]
fn arkworks_reads_and_verifies_and_writes_the_same() {
    fn check<E: PairingEngine, A: Pairing>(first: Statement<E>) {
        fn same<T: CanonicalSerialize + CanonicalDeserialize>(bytes: &[u8]) -> T {
            let value = T::deserialize_compressed(bytes).unwrap();
            let mut again = Vec::new();
            value.serialize_compressed(&mut again).unwrap();
            assert_eq!(again, bytes);
            value
        }
        for (index, Statement { key, proof, public }) in variants(first).into_iter().enumerate() {
            let layout = ByteLayout::Arkworks;
            let key = verifying_key_to_bytes(&key, None, layout);
            let key: ark_groth16::VerifyingKey<A> = same(&key);
            let proof: ark_groth16::Proof<A> = same(&proof_to_bytes(&proof, layout));
            let mut signals: Vec<A::ScalarField> = same(&public_to_bytes(&public, layout));
            if index > 0 {
                continue; // of signs and infinity only
            }
            let key = prepare_verifying_key(&key);
            assert!(Groth16::<A>::verify_proof(&key, &proof, &signals).unwrap());
            signals[0] += A::ScalarField::from(1_u64);
            assert!(!Groth16::<A>::verify_proof(&key, &proof, &signals).unwrap());
        }
    }
    check::<_, ark_bn254::Bn254>(bn254());
    check::<_, ark_bls12_381::Bls12_381>(bls12_381());
}

/// Sui's keys and proofs are arkworks'; its signals are these without their number.
#[test]
fn sui_takes_what_arkworks_writes() {
    let Statement { key, proof, public } = bn254();
    let [ark, sui] = [ByteLayout::Arkworks, ByteLayout::Sui];
    assert_eq!(
        verifying_key_to_bytes(&key, None, ark),
        verifying_key_to_bytes(&key, None, sui)
    );
    assert_eq!(proof_to_bytes(&proof, ark), proof_to_bytes(&proof, sui));
    assert_eq!(
        public_to_bytes(&public, ark)[8..],
        public_to_bytes(&public, sui)
    );
    assert_eq!(public_to_bytes(&public, sui)[..2], [33, 0]);
}

fn offset<T: std::fmt::Debug>(result: Result<T, Error>) -> u64 {
    match result.unwrap_err() {
        Error::Malformed {
            place: Place::Byte { offset },
            ..
        } => offset,
        other => panic!("{other}"),
    }
}

/// Any end, any bit of a flag, any number that is too large: an error at that place, never a value.
#[test]
fn malformed_bytes_are_refused_with_their_place() {
    fn check<E: PairingEngine>(first: Statement<E>, g1: usize, is_bls: bool) {
        for layout in LAYOUTS {
            let key = verifying_key_to_bytes(&first.key, None, layout);
            let proof = proof_to_bytes(&first.proof, layout);
            for length in 0..key.len() {
                let at = offset(verifying_key_from_bytes::<E>(&key[..length], layout));
                assert!(at <= length as u64, "{length}: {at}");
            }
            for length in 0..proof.len() {
                let at = offset(proof_from_bytes::<E>(&proof[..length], layout));
                assert!(at <= length as u64, "{length}: {at}");
            }
            let longer = [&proof[..], &[0]].concat();
            assert_eq!(
                offset(proof_from_bytes::<E>(&longer, layout)),
                proof.len() as u64
            );
            let longer = [&key[..], &[0]].concat();
            assert_eq!(
                offset(verifying_key_from_bytes::<E>(&longer, layout)),
                key.len() as u64
            );

            // A, B and C in turn: infinity with an x, flags of nothing, x above q.
            let little = !is_bls && layout != ByteLayout::Gnark;
            for (start, size) in [(0, g1), (g1, 2 * g1), (3 * g1, g1)] {
                let byte = if little { start + size - 1 } else { start };
                let mut changes = vec![0x40 | proof[byte] & 0x3f, 0xc0 | proof[byte] & 0x3f | 0x3f];
                if !little {
                    changes.push(proof[byte] & 0x1f);
                }
                for change in changes {
                    let mut proof = proof.clone();
                    proof[byte] = change;
                    assert_eq!(offset(proof_from_bytes::<E>(&proof, layout)), start as u64);
                }
            }
            // α at infinity.
            let mut infinite = first.key.clone();
            infinite.alpha_g1 = E::G1::default();
            let bytes = verifying_key_to_bytes(&infinite, None, layout);
            assert_eq!(offset(verifying_key_from_bytes::<E>(&bytes, layout)), 0);
            infinite = first.key.clone();
            infinite.ic.clear();
            let bytes = verifying_key_to_bytes(&infinite, None, layout);
            offset(verifying_key_from_bytes::<E>(&bytes, layout));
            // A signal of all ones.
            let mut signals = public_to_bytes(&first.public, layout);
            let start = signals.len() - 32;
            signals[start..].fill(0xff);
            assert_eq!(
                offset(public_from_bytes::<E>(&signals, layout)),
                start as u64
            );
            offset(public_from_bytes::<E>(
                &signals[..signals.len() - 1],
                layout,
            ));
        }
    }
    check(bn254(), 32, false);
    check(bls12_381(), 48, true);
}

#[test]
fn what_only_gnark_has_is_refused() {
    let Statement { key, proof, public } = bn254();
    let layout = ByteLayout::Gnark;
    let mut bytes = proof_to_bytes(&proof, layout);
    assert_eq!(bytes.len(), 4 * 32 + 4 + 32);
    bytes[131] = 1; // one commitment
    assert_eq!(offset(proof_from_bytes::<Bn254>(&bytes, layout)), 128);
    let mut bytes = verifying_key_to_bytes(&key, None, layout);
    let last = bytes.len() - 1;
    bytes[last] = 1;
    assert_eq!(
        offset(verifying_key_from_bytes::<Bn254>(&bytes, layout)),
        last as u64 - 3
    );
    let mut bytes = public_to_bytes(&public, layout);
    bytes[7] = 1; // a secret signal
    assert_eq!(offset(public_from_bytes::<Bn254>(&bytes, layout)), 4);
    // Numbers of entries that no file holds take no memory.
    bytes[0] = 0xff;
    assert_eq!(offset(public_from_bytes::<Bn254>(&bytes, layout)), 0);
    let mut bytes = verifying_key_to_bytes(&key, None, ByteLayout::Arkworks);
    bytes[32 + 3 * 64..][..8].fill(0xff);
    let at = offset(verifying_key_from_bytes::<Bn254>(
        &bytes,
        ByteLayout::Arkworks,
    ));
    assert_eq!(at, 32 + 3 * 64);
}
