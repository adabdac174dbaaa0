//! Promises of signatures, and attempts of forgers.

use frumious_bls::{
    Error, ProofOfPossession, ProvenKey, PublicKey, SecretKey, Signature, aggregate_verify,
    fast_aggregate_verify, verify_batch,
};
use frumious_curves::EncodingError;
use frumious_curves::bls12_381::{Fr, G1Projective, G2Affine, G2Projective};
use frumious_testing::hex::bytes as hex;

/// The same keys on every run.
fn keys(count: u8) -> Vec<SecretKey> {
    let key = |i| SecretKey::generate(&[i; 32], b"tests").expect("enough bytes");
    (0..count).map(key).collect()
}

fn proven(keys: &[SecretKey]) -> Vec<ProvenKey> {
    let prove = |key: &SecretKey| ProvenKey::new(key.public_key(), &key.prove_possession());
    keys.iter()
        .map(|key| prove(key).expect("a proof"))
        .collect()
}

fn signatures(keys: &[SecretKey], messages: &[&[u8]]) -> Vec<Signature> {
    keys.iter()
        .zip(messages)
        .map(|(key, message)| key.sign(message))
        .collect()
}

/// The signature with `point` added.
fn shifted(signature: &Signature, point: &G2Projective) -> Signature {
    let sum = G2Projective::from(*signature.as_point()) + *point;
    Signature::from_uncompressed(&sum.to_affine().to_uncompressed()).expect("a point of G2")
}

fn public_key(point: &G1Projective) -> PublicKey {
    PublicKey::from_uncompressed(&point.to_affine().to_uncompressed()).expect("a key")
}

#[test]
fn one_signature() {
    let [signer, other] = keys(2).try_into().expect("two");
    for message in [&b""[..], b"message", &[0; 1000]] {
        let signature = signer.sign(message);
        assert!(signer.public_key().verify(message, &signature));
        assert!(!other.public_key().verify(message, &signature));
        assert!(!signer.public_key().verify(b"another", &signature));
        assert!(
            !signer
                .public_key()
                .verify(message, &shifted(&signature, &G2Projective::GENERATOR))
        );
        let negative = -*signature.as_point();
        let negative = Signature::from_bytes(&negative.to_compressed()).expect("a point");
        assert!(!signer.public_key().verify(message, &negative));
        let infinity = Signature::from_bytes(&G2Affine::IDENTITY.to_compressed()).expect("a point");
        assert!(!signer.public_key().verify(message, &infinity));
    }
}

/// `e(key, H(m)) = e(G, signature)` by scalars: the signature is the hash times the key, and the key the generator
/// times it.
#[test]
fn keys_and_signatures_are_multiples() {
    for secret in [Fr::ONE, Fr::from_u64(2), -Fr::ONE, Fr::from_u64(u64::MAX)] {
        let key = SecretKey::from_bytes(&secret.to_be_bytes()).expect("in range");
        let expected = G1Projective::GENERATOR.mul_vartime(&secret).to_affine();
        assert_eq!(*key.public_key().as_point(), expected);
        let tag = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
        let hash = frumious_bls::hash_to_curve::hash_to_g2(b"message", tag);
        let expected = hash.mul_vartime(&secret).to_affine();
        assert_eq!(*key.sign(b"message").as_point(), expected);
    }
}

#[test]
fn aggregates() {
    let secrets = keys(40); // more than one Miller loop takes
    let proven = proven(&secrets);
    let texts: Vec<String> = (0..40).map(|i| format!("message {}", i / 2)).collect(); // some are equal
    let messages: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    let signatures = signatures(&secrets, &messages);
    for count in [1, 2, 31, 32, 33, 40] {
        let signed: Vec<_> = proven
            .iter()
            .copied()
            .zip(messages.iter().copied())
            .collect();
        let aggregate = Signature::aggregate(&signatures[..count]).expect("some");
        assert!(aggregate_verify(&signed[..count], &aggregate));
        // one message, one key, one signature too many or too few, another message
        assert!(!aggregate_verify(&signed[..count - 1], &aggregate));
        let mut wrong = signed[..count].to_vec();
        wrong[count - 1].1 = b"another";
        assert!(!aggregate_verify(&wrong, &aggregate));
        wrong = signed[..count].to_vec();
        wrong[0].0 = proven[39];
        assert!(!aggregate_verify(&wrong, &aggregate));
    }
    // the order of signatures is nobody's business
    let mut reversed = signatures.clone();
    reversed.reverse();
    assert_eq!(
        Signature::aggregate(&reversed),
        Signature::aggregate(&signatures)
    );
}

#[test]
fn aggregates_of_nothing() {
    let infinity = Signature::from_bytes(&G2Affine::IDENTITY.to_compressed()).expect("a point");
    assert_eq!(Signature::aggregate(&[]), Err(Error::NoSignatures));
    assert!(!aggregate_verify(&[], &infinity));
    assert!(!fast_aggregate_verify(&[], b"message", &infinity));
    assert_eq!(verify_batch(&[]), Ok(true));
}

#[test]
fn fast_aggregates() {
    let secrets = keys(5);
    let proven = proven(&secrets);
    let signatures: Vec<_> = secrets.iter().map(|key| key.sign(b"message")).collect();
    for count in 1..=5 {
        let aggregate = Signature::aggregate(&signatures[..count]).expect("some");
        assert!(fast_aggregate_verify(
            &proven[..count],
            b"message",
            &aggregate
        ));
        assert!(!fast_aggregate_verify(
            &proven[..count - 1],
            b"message",
            &aggregate
        ));
        assert!(!fast_aggregate_verify(
            &proven[..count],
            b"another",
            &aggregate
        ));
    }
    // twice the same signer counts twice
    let twice = Signature::aggregate(&[signatures[0], signatures[0]]).expect("some");
    assert!(fast_aggregate_verify(
        &[proven[0], proven[0]],
        b"message",
        &twice
    ));
    assert!(!fast_aggregate_verify(&[proven[0]], b"message", &twice));
}

/// Keys that cancel each other sign anything with infinity, unless that is refused.
#[test]
fn opposite_keys_sign_nothing() {
    let secret = Fr::from_u64(12345);
    let pair = [secret, -secret]
        .map(|secret| SecretKey::from_bytes(&secret.to_be_bytes()).expect("in range"));
    let proven = proven(&pair);
    let signatures: Vec<_> = pair.iter().map(|key| key.sign(b"message")).collect();
    let aggregate = Signature::aggregate(&signatures).expect("some");
    assert_eq!(*aggregate.as_point(), G2Affine::IDENTITY);
    assert!(!fast_aggregate_verify(&proven, b"message", &aggregate));
}

/// The attack that proofs of possession are for: a key minus another's, of which nobody knows the secret.
#[test]
fn rogue_keys_have_no_proof() {
    let [victim, attacker] = keys(2).try_into().expect("two");
    let difference = G1Projective::from(*attacker.public_key().as_point())
        - G1Projective::from(*victim.public_key().as_point());
    let rogue = public_key(&difference);
    let forged = attacker.sign(b"both of us");
    // would it enter an aggregate, it would sign for the victim
    let keys = [
        ProvenKey::assume_proven(victim.public_key()),
        ProvenKey::assume_proven(rogue),
    ];
    assert!(fast_aggregate_verify(&keys, b"both of us", &forged));
    // but no proof that the attacker can make is right for it
    for secret in [&attacker, &victim] {
        assert_eq!(ProvenKey::new(rogue, &secret.prove_possession()), None);
    }
    // nor is a signature of the key's bytes, which the attacker could ask the victim for, a proof
    let signature = victim.sign(&victim.public_key().to_bytes());
    let proof = ProofOfPossession::from_bytes(&signature.to_bytes()).expect("a point");
    assert_eq!(ProvenKey::new(victim.public_key(), &proof), None);
    let proof = victim.prove_possession();
    assert_eq!(ProofOfPossession::from_bytes(&proof.to_bytes()), Ok(proof));
    assert_eq!(
        *ProvenKey::new(victim.public_key(), &proof)
            .expect("right")
            .key(),
        victim.public_key()
    );
}

#[test]
fn batches() {
    let secrets = keys(6);
    let messages: [&[u8]; 6] = [b"a", b"b", b"a", b"", b"c", b"a"];
    let signatures = signatures(&secrets, &messages);
    let batch: Vec<(PublicKey, &[u8], Signature)> = (0..6)
        .map(|i| (secrets[i].public_key(), messages[i], signatures[i]))
        .collect();
    for count in 1..=6 {
        assert_eq!(verify_batch(&batch[..count]), Ok(true));
    }
    assert_eq!(verify_batch(&[batch[1], batch[1]]), Ok(true));
    for i in 0..6 {
        let mut wrong = batch.clone();
        wrong[i].2 = shifted(&signatures[i], &G2Projective::GENERATOR);
        assert_eq!(verify_batch(&wrong), Ok(false));
        wrong = batch.clone();
        wrong[i].1 = b"d";
        assert_eq!(verify_batch(&wrong), Ok(false));
        wrong = batch.clone();
        wrong[i].0 = secrets[(i + 1) % 6].public_key();
        assert_eq!(verify_batch(&wrong), Ok(false));
    }
}

/// Two false signatures whose sum is right: an aggregate would accept them.
#[test]
fn forgeries_that_cancel_are_found_in_batches() {
    let secrets = keys(2);
    let proven = proven(&secrets);
    for messages in [[&b"a"[..], b"b"], [b"a", b"a"]] {
        let right = signatures(&secrets, &messages);
        let forged = [
            shifted(&right[0], &G2Projective::GENERATOR),
            shifted(&right[1], &-G2Projective::GENERATOR),
        ];
        let signed = [(proven[0], messages[0]), (proven[1], messages[1])];
        let aggregate = Signature::aggregate(&forged).expect("some");
        assert!(aggregate_verify(&signed, &aggregate));
        let batch: Vec<_> = (0..2)
            .map(|i| (secrets[i].public_key(), messages[i], forged[i]))
            .collect();
        assert_eq!(verify_batch(&batch), Ok(false));
        // nor do swapped signatures of one message, or of two
        let batch: Vec<_> = (0..2)
            .map(|i| (secrets[i].public_key(), messages[i], right[1 - i]))
            .collect();
        assert_eq!(verify_batch(&batch), Ok(false));
    }
}

#[test]
fn secret_keys_are_in_range_and_not_printed() {
    let above_order = [[0x73, 0xed, 0xa7, 0x53]; 8].concat();
    assert_eq!(SecretKey::from_bytes(&[0; 32]), Err(Error::SecretKeyRange));
    assert_eq!(
        SecretKey::from_bytes(&[0xff; 32]),
        Err(Error::SecretKeyRange)
    );
    assert_eq!(
        SecretKey::from_bytes(&above_order),
        Err(Error::SecretKeyRange)
    );
    let mut modulus = (-Fr::ONE).to_be_bytes();
    let largest = SecretKey::from_bytes(&modulus).expect("in range");
    assert_eq!(*largest.to_bytes(), modulus);
    modulus[31] += 1;
    assert_eq!(SecretKey::from_bytes(&modulus), Err(Error::SecretKeyRange));
    for length in [0, 31, 33] {
        let expected = Err(Error::Length {
            found: length,
            expected: 32,
        });
        assert_eq!(SecretKey::from_bytes(&vec![1; length]), expected);
    }
    assert_eq!(format!("{largest:?}"), "SecretKey(..)");
}

#[test]
fn keys_follow_from_their_material() {
    let generate =
        |material: &[u8], info: &[u8]| SecretKey::generate(material, info).expect("enough");
    assert_eq!(generate(&[1; 32], b""), generate(&[1; 32], b""));
    assert_ne!(generate(&[1; 32], b""), generate(&[1; 33], b""));
    assert_ne!(generate(&[1; 32], b""), generate(&[1; 32], b"info"));
    let salted = SecretKey::generate_with_salt(&[1; 32], b"salt", b"").expect("enough");
    assert_ne!(salted, generate(&[1; 32], b""));
    assert_eq!(
        SecretKey::generate(&[1; 31], b""),
        Err(Error::ShortKeyMaterial { found: 31 })
    );
    assert_ne!(
        SecretKey::random().expect("random"),
        SecretKey::random().expect("random")
    );
}

/// EIP-2333, test case 0: the master key is `KeyGen` of the seed.
#[test]
fn known_key_of_a_seed() {
    let seed = hex(
        "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04",
    );
    let key = SecretKey::generate(&seed, b"").expect("64 bytes");
    let expected = hex("0d7359d57963ab8fbbde1852dcf553fedbc31f464d80ee7d40ae683122b45070");
    assert_eq!(key.to_bytes()[..], expected);
}

#[test]
fn encodings() {
    let secret = &keys(1)[0];
    let (key, signature) = (secret.public_key(), secret.sign(b"message"));
    assert_eq!(PublicKey::from_bytes(&key.to_bytes()), Ok(key));
    assert_eq!(
        PublicKey::from_uncompressed(&key.to_uncompressed()),
        Ok(key)
    );
    assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
    assert_eq!(
        Signature::from_uncompressed(&signature.to_uncompressed()),
        Ok(signature)
    );
    let expected = Err(Error::Length {
        found: 96,
        expected: 48,
    });
    assert_eq!(PublicKey::from_bytes(&key.to_uncompressed()), expected);
    let expected = Err(Error::Length {
        found: 0,
        expected: 96,
    });
    assert_eq!(Signature::from_bytes(&[]), expected);
    // of the curves but not of the groups
    let outside = G1Projective::map_to_curve(&frumious_curves::bls12_381::Fq::ONE).to_affine();
    let expected = Err(Error::Point(EncodingError::NotInSubgroup));
    assert_eq!(PublicKey::from_bytes(&outside.to_compressed()), expected);
    assert_eq!(
        PublicKey::from_uncompressed(&outside.to_uncompressed()),
        expected
    );
    let outside = G2Projective::map_to_curve(&frumious_curves::bls12_381::Fq2::ONE).to_affine();
    let expected = Err(Error::Point(EncodingError::NotInSubgroup));
    assert_eq!(Signature::from_bytes(&outside.to_compressed()), expected);
    let mut infinity = [0; 96];
    infinity[0] = 0x40;
    assert_eq!(
        PublicKey::from_uncompressed(&infinity),
        Err(Error::InfinitePublicKey)
    );
}
