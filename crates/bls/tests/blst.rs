//! Keys, signatures, hashes and encodings beside blst: the same bytes, and the same verdict on bytes of any kind.

use blst::min_pk::{
    AggregateSignature, PublicKey as BlstKey, SecretKey as BlstSecret, Signature as BlstSignature,
};
use blst::{BLST_ERROR, min_sig};
use frumious_bls::hash_to_curve::{encode_to_g1, hash_to_g1};
use frumious_bls::{
    ProvenKey, PublicKey, SecretKey, Signature, aggregate_verify, fast_aggregate_verify,
};
use frumious_curves::bls12_381::Fr;
use frumious_testing::field_suite::TestRng;

const SIGNATURES: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
const POSSESSION: &[u8] = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

fn bytes(rng: &mut TestRng, count: usize) -> Vec<u8> {
    (0..count).map(|_| rng.next_u64() as u8).collect()
}

/// A key here and there, from the same material.
fn keys(rng: &mut TestRng) -> (SecretKey, BlstSecret) {
    let length = 32 + rng.below(40) as usize;
    let (material, info) = (bytes(rng, length), bytes(rng, 7));
    let ours = SecretKey::generate(&material, &info).expect("enough material");
    let theirs = BlstSecret::key_gen(&material, &info).expect("enough material");
    (ours, theirs)
}

#[test]
fn keys_signatures_and_proofs_of_possession() {
    let mut rng = TestRng::new(1);
    for length in [0, 1, 31, 32, 33, 64, 100, 1000] {
        let (ours, theirs) = keys(&mut rng);
        assert_eq!(*ours.to_bytes(), theirs.to_bytes());
        let (key, their_key) = (ours.public_key(), theirs.sk_to_pk());
        assert_eq!(key.to_bytes(), their_key.to_bytes());
        assert_eq!(key.to_uncompressed(), their_key.serialize());
        let message = bytes(&mut rng, length);
        let signature = ours.sign(&message);
        let their_signature = theirs.sign(&message, SIGNATURES, &[]);
        assert_eq!(signature.to_bytes(), their_signature.to_bytes());
        assert_eq!(signature.to_uncompressed(), their_signature.serialize());
        let proof = theirs.sign(&key.to_bytes(), POSSESSION, &[]);
        assert_eq!(ours.prove_possession().to_bytes(), proof.to_bytes());

        let other = bytes(&mut rng, length + 1);
        for (message, signed) in [(&message, true), (&other, false)] {
            assert_eq!(key.verify(message, &signature), signed);
            let verdict = their_signature.verify(true, message, SIGNATURES, &[], &their_key, true);
            assert_eq!(verdict == BLST_ERROR::BLST_SUCCESS, signed);
        }
    }
}

/// Secret keys by number, those at the edges of the range and outside of it among them.
#[test]
fn secret_keys_of_any_bytes() {
    let mut rng = TestRng::new(2);
    let order = {
        let mut order = [0; 32];
        let words = Fr::MODULUS.iter().rev();
        for (bytes, word) in order.chunks_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        order
    };
    let mut below = order;
    below[31] -= 1;
    let mut cases = vec![[0; 32], order, below, [0xff; 32]];
    cases.extend((0..30).map(|_| -> [u8; 32] { bytes(&mut rng, 32).try_into().expect("32") }));
    for case in cases {
        let theirs = BlstSecret::from_bytes(&case);
        match SecretKey::from_bytes(&case) {
            Ok(ours) => {
                let theirs = theirs.expect("a key for us is one for blst").sk_to_pk();
                assert_eq!(ours.public_key().to_bytes(), theirs.to_bytes());
            }
            Err(_) => assert!(theirs.is_err()),
        }
    }
}

#[test]
fn aggregates() {
    let mut rng = TestRng::new(3);
    let pairs: Vec<_> = (0..5).map(|_| keys(&mut rng)).collect();
    let messages: Vec<_> = (0..5).map(|i| bytes(&mut rng, 3 * i)).collect();
    for same in [false, true] {
        let message = |i: usize| &messages[if same { 0 } else { i }][..];
        let ours: Vec<_> = (0..5).map(|i| pairs[i].0.sign(message(i))).collect();
        let theirs: Vec<_> = (0..5)
            .map(|i| pairs[i].1.sign(message(i), SIGNATURES, &[]))
            .collect();
        let sum = Signature::aggregate(&ours).expect("some signatures");
        let references: Vec<_> = theirs.iter().collect();
        let their_sum = AggregateSignature::aggregate(&references, true).expect("signatures");
        let their_sum = their_sum.to_signature();
        assert_eq!(sum.to_bytes(), their_sum.to_bytes());

        let proven: Vec<_> = pairs
            .iter()
            .map(|(key, _)| ProvenKey::new(key.public_key(), &key.prove_possession()))
            .map(|key| key.expect("a proof"))
            .collect();
        let signed: Vec<_> = proven
            .iter()
            .zip(0..)
            .map(|(key, i)| (*key, message(i)))
            .collect();
        assert!(aggregate_verify(&signed, &sum));
        assert!(!aggregate_verify(&signed[1..], &sum));
        assert_eq!(fast_aggregate_verify(&proven, message(0), &sum), same);
        let keys: Vec<_> = pairs.iter().map(|(_, key)| key.sk_to_pk()).collect();
        let keys: Vec<_> = keys.iter().collect();
        let verdict = their_sum.fast_aggregate_verify(true, message(0), SIGNATURES, &keys);
        assert_eq!(verdict == BLST_ERROR::BLST_SUCCESS, same);
    }
}

/// Hashing to G1, which blst's other scheme signs with; and that encoding to it, which none signs with, is something
/// else.
#[test]
fn hashing_to_g1() {
    let mut rng = TestRng::new(4);
    for length in [0, 5, 48, 200] {
        let message = bytes(&mut rng, length);
        let tag = bytes(&mut rng, 1 + length);
        let key: [u8; 32] = {
            // below 2^248, so a key
            let mut key = bytes(&mut rng, 32);
            key[0] = 0;
            key.try_into().expect("32 bytes")
        };
        let theirs = min_sig::SecretKey::from_bytes(&key).expect("in range");
        let scalar = Fr::from_be_bytes(&key).into_option().expect("in range");
        let hash = hash_to_g1(&message, &tag);
        let ours = hash.mul(&scalar).to_affine();
        let signature = theirs.sign(&message, &tag, &[]);
        assert_eq!(ours.to_compressed(), signature.to_bytes());
        assert_ne!(encode_to_g1(&message, &tag), hash);
    }
}

/// Encodings with a byte changed or a flag: both take them, or neither does.
#[test]
fn encodings_of_any_kind() {
    let mut rng = TestRng::new(5);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..60 {
        let (secret, _) = keys(&mut rng);
        let key = secret.public_key();
        let signature = secret.sign(b"");
        let short = round % 2 == 0;
        let mut key = if short {
            key.to_bytes().to_vec()
        } else {
            key.to_uncompressed().to_vec()
        };
        let mut signature = if short {
            signature.to_bytes().to_vec()
        } else {
            signature.to_uncompressed().to_vec()
        };
        for bytes in [&mut key, &mut signature] {
            match round % 6 {
                0 | 1 => {}
                2 => bytes[0] ^= 1 << (rng.next_u64() % 8),
                3 => bytes.fill(0),
                4 => {
                    bytes.fill(0);
                    bytes[0] = 0xc0; // infinity
                }
                _ => {
                    let place = rng.below(bytes.len() as u64) as usize;
                    bytes[place] ^= 1 << (rng.next_u64() % 8);
                }
            }
        }
        let our_key = if short {
            PublicKey::from_bytes(&key)
        } else {
            PublicKey::from_uncompressed(&key)
        };
        let their_key = BlstKey::key_validate(&key);
        assert_eq!(our_key.is_ok(), their_key.is_ok(), "key {key:x?}");
        let our_signature = if short {
            Signature::from_bytes(&signature)
        } else {
            Signature::from_uncompressed(&signature)
        };
        let their_signature = BlstSignature::sig_validate(&signature, false);
        assert_eq!(
            our_signature.is_ok(),
            their_signature.is_ok(),
            "signature {signature:x?}"
        );
        if let (Ok(ours), Ok(theirs)) = (our_signature, their_signature) {
            assert_eq!(ours.to_bytes(), theirs.to_bytes());
            taken += 1;
        } else {
            refused += 1;
        }
    }
    assert!(taken >= 20 && refused >= 20, "{taken} {refused}");
}
