//! Torsion: points of small order planted in a key. The pairing does not see them, and blinding does not hide them. A
//! proof that carried one would tell its reader a wire of the witness modulo that order.
//!
//! Every section of points, with every small prime order of every group that has one. These are `G1` and `G2` of
//! BLS12-381, and `G2` of BN254: the order of BN254's `G1` is prime.

mod points;

use crate::sections::section_mut;
use crate::support::Workplace;
use frumious_circom::generic::Wtns;
use frumious_curves::engine::PairingGroup;
use frumious_curves::{Bls12_381, Bn254, PairingEngine, bls12_381, bn254};
use frumious_groth16::Proof;
use frumious_groth16::{Error, PreparedVerifyingKey, ProofPoint, ProveOptions, ProvingEngine};
use frumious_snarkjs::generic::KeyFile;
use frumious_snarkjs::groth16::{check_key, prove, proving_key};
use points::{Torsion, plus, torsion};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn bls12_381_g1_in_every_section() {
    for &order in Torsion::BLS12_381_G1.small_orders {
        let point: bls12_381::G1Affine = torsion(&Torsion::BLS12_381_G1, order);
        for (section, seen_in) in [
            (5, Some(ProofPoint::A)),
            (6, None),
            (8, Some(ProofPoint::C)),
            (9, Some(ProofPoint::C)),
        ] {
            attack::<Bls12_381, _>("bls12_381/", section, &point, seen_in);
        }
    }
}

#[test]
fn bls12_381_g2() {
    for &order in Torsion::BLS12_381_G2.small_orders {
        let point: bls12_381::G2Affine = torsion(&Torsion::BLS12_381_G2, order);
        attack::<Bls12_381, _>("bls12_381/", 7, &point, Some(ProofPoint::B));
    }
}

#[test]
fn bn254_g2() {
    for &order in Torsion::BN254_G2.small_orders {
        let point: bn254::G2Affine = torsion(&Torsion::BN254_G2, order);
        attack::<Bn254, _>("", 7, &point, Some(ProofPoint::B));
    }
}

/// Adds `planted` to each point of a section in turn, and proves. Each proof is refused, for a point of the key, or has
/// all its points in their groups. For some entry it is refused, unless the section is never read. To verify the proof
/// makes no difference.
fn attack<E: ProvingEngine, P: PairingGroup>(
    folder: &str,
    section: u32,
    planted: &P,
    seen_in: Option<ProofPoint>,
) {
    let key = fs::read(data(folder).join("contributed.zkey")).expect("the key is there");
    let witness = Wtns::<E>::open(data(folder).join("mul.wtns")).expect("the witness is there");
    let entries = section_mut(&mut key.clone(), section).len() / P::BYTES;
    let mut refused = 0;
    for entry in 0..entries {
        let key = with_planted(&key, section, entry, planted);
        let key = KeyFile::<E>::from_bytes(key).expect("its header is as it was");
        assert!(check_key(&key).is_err(), "the full check sees it");
        let key = proving_key(key).expect("points are not checked here");
        for attempt in 0..4 {
            let options = ProveOptions {
                verify: attempt % 2 == 0,
                ..ProveOptions::default()
            };
            match prove(&key, &witness, &options) {
                Ok((proof, _)) => assert_in_groups(&proof),
                Err(Error::KeyOutsideGroup { point, .. }) => {
                    assert_eq!(Some(point), seen_in);
                    refused += 1;
                }
                Err(other) => panic!("section {section}, entry {entry}: {other}"),
            }
        }
    }
    assert_eq!(refused > 0, seen_in.is_some(), "section {section}");
}

fn assert_in_groups<E: PairingEngine>(proof: &Proof<E>) {
    fn decodes<P: PairingGroup>(point: &P) -> bool {
        P::from_montgomery_bytes(point.to_montgomery_bytes().as_ref()).is_ok()
    }
    assert!(decodes(&proof.a) && decodes(&proof.b) && decodes(&proof.c));
}

/// The command ends with exit code 2 and names the key, with or without verification, and writes nothing.
#[test]
fn the_command_names_the_key() {
    let place = Workplace::new();
    let g1: bls12_381::G1Affine = torsion(&Torsion::BLS12_381_G1, 10_177);
    let g2: bls12_381::G2Affine = torsion(&Torsion::BLS12_381_G2, 13);
    let bn_g2: bn254::G2Affine = torsion(&Torsion::BN254_G2, 10_069);
    let bls = fs::read(data("bls12_381/").join("contributed.zkey")).expect("the key is there");
    let bn = fs::read(data("").join("contributed.zkey")).expect("the key is there");
    place.copy_fixture("bls12_381/mul.wtns", "bls.wtns");
    // Wire 2 is 3, wire 3 is 11: neither a multiple of an order above.
    for (key, witness, point) in [
        (with_planted(&bls, 5, 2, &g1), "bls.wtns", "A"),
        (with_planted(&bls, 7, 3, &g2), "bls.wtns", "B"),
        (with_planted(&bls, 8, 0, &g1), "bls.wtns", "C"),
        (with_planted(&bn, 7, 3, &bn_g2), "mul.wtns", "B"),
    ] {
        place.write("hostile.zkey", key);
        for flags in ["", "--no-verify", "--no-zk"] {
            let line = format!("prove {flags} hostile.zkey {witness} p.json s.json");
            let ending = place.end_with(2, &line);
            for expected in ["hostile.zkey: ", "corrupt or hostile", &format!("({point}")] {
                assert!(ending.stderr.contains(expected), "{}", ending.stderr);
            }
            assert!(!place.path("p.json").exists() && !place.path("s.json").exists());
        }
        let checked = place.end_with(
            2,
            &format!("prove --check hostile.zkey {witness} p.json s.json"),
        );
        assert!(checked.stderr.contains("section"), "{}", checked.stderr);
    }
}

/// Points off every curve that matters, in each section: refused as well, never a proof.
#[test]
fn points_off_the_curve_give_no_proof() {
    let key = fs::read(data("").join("contributed.zkey")).expect("the key is there");
    let witness = Wtns::<Bn254>::open(data("").join("mul.wtns")).expect("the witness is there");
    for (section, entry) in [(5, 2), (6, 3), (7, 3), (8, 0), (9, 0)] {
        let mut key = key.clone();
        let bytes = match section {
            7 => 128,
            _ => 64,
        };
        section_mut(&mut key, section)[entry * bytes..][..8].copy_from_slice(&[1; 8]);
        let key = proving_key(KeyFile::<Bn254>::from_bytes(key).expect("a key")).expect("a key");
        for verify in [true, false] {
            let options = ProveOptions {
                verify,
                ..ProveOptions::default()
            };
            match prove(&key, &witness, &options) {
                Ok((proof, _)) if section == 6 => assert_in_groups(&proof), // it is not read
                Err(Error::KeyOutsideGroup { .. }) => {}
                _ => panic!("section {section}"),
            }
        }
    }
}

/// Verification does not rest on where its arguments come from.
#[test]
fn verifiers_refuse_points_outside_of_their_groups() {
    let g1: bls12_381::G1Affine = torsion(&Torsion::BLS12_381_G1, 3);
    let g2: bls12_381::G2Affine = torsion(&Torsion::BLS12_381_G2, 23);
    let folder = data("bls12_381/");
    let key = frumious_snarkjs::bls12_381::open_verifying_key(folder.join("verification_key.json"))
        .expect("the key is there");
    let proof =
        frumious_snarkjs::bls12_381::open_proof(folder.join("proof.json")).expect("a proof");
    let public =
        frumious_snarkjs::bls12_381::open_public(folder.join("public.json")).expect("signals");
    let verifier = PreparedVerifyingKey::new(&key).expect("a good key");
    assert!(verifier.verify(&public, &proof).expect("a proof"));
    let good = proof;
    let mut hostile = [proof; 3];
    hostile[0].a = plus(&proof.a, &g1);
    hostile[1].b = plus(&proof.b, &g2);
    hostile[2].c = plus(&proof.c, &g1);
    for (proof, at) in hostile
        .iter()
        .zip([ProofPoint::A, ProofPoint::B, ProofPoint::C])
    {
        let refused =
            |result| matches!(result, Err(Error::ProofPoint { point, .. }) if point == at);
        assert!(refused(verifier.verify(&public, proof)));
        assert!(refused(verifier.verify_batch(&[(&public, proof)])));
        let batch = [(&public[..], &good), (&public[..], proof)];
        let named = verifier.find_invalid(&batch).expect("randomness");
        assert!(named.len() == 1 && named[0].0 == 1, "{named:?}");
        assert!(refused(frumious_groth16::verify(&key, &public, proof)));
    }
    for change in 0..5 {
        let mut key = key.clone();
        match change {
            0 => key.alpha_g1 = plus(&key.alpha_g1, &g1),
            1 => key.beta_g2 = plus(&key.beta_g2, &g2),
            2 => key.gamma_g2 = plus(&key.gamma_g2, &g2),
            3 => key.delta_g2 = plus(&key.delta_g2, &g2),
            _ => key.ic[1] = plus(&key.ic[1], &g1),
        }
        let result = PreparedVerifyingKey::new(&key);
        assert!(
            matches!(result, Err(Error::VerifyingKeyPoint { .. })),
            "{change}"
        );
    }
}

/// Powers of tau: every point that a setup uses is checked, and the error names the file and the section.
#[test]
fn setups_refuse_powers_of_tau_outside_of_their_groups() {
    let place = Workplace::new();
    let g1: bls12_381::G1Affine = torsion(&Torsion::BLS12_381_G1, 11);
    let g2: bls12_381::G2Affine = torsion(&Torsion::BLS12_381_G2, 13);
    let bn_g2: bn254::G2Affine = torsion(&Torsion::BN254_G2, 10_069);
    let bls = fs::read(data("bls12_381/").join("pot2.ptau")).expect("the powers are there");
    let bn = fs::read(data("").join("pot2.ptau")).expect("the powers are there");
    place.copy_fixture("bls12_381/mul.r1cs", "bls.r1cs");
    // The circuit has a domain of 4: its blocks begin at point 3, that of the doubled domain at point 7.
    for (circuit, section, powers) in [
        ("bls.r1cs", 4, with_planted(&bls, 4, 0, &g1)),
        ("bls.r1cs", 5, with_planted(&bls, 5, 0, &g1)),
        ("bls.r1cs", 6, with_planted(&bls, 6, 0, &g2)),
        ("bls.r1cs", 12, with_planted(&bls, 12, 3, &g1)),
        ("bls.r1cs", 12, with_planted(&bls, 12, 8, &g1)),
        ("bls.r1cs", 13, with_planted(&bls, 13, 4, &g2)),
        ("bls.r1cs", 14, with_planted(&bls, 14, 5, &g1)),
        ("bls.r1cs", 15, with_planted(&bls, 15, 6, &g1)),
        ("mul.r1cs", 6, with_planted(&bn, 6, 0, &bn_g2)),
        ("mul.r1cs", 13, with_planted(&bn, 13, 4, &bn_g2)),
    ] {
        place.write("hostile.ptau", powers);
        let ending = place.end_with(2, &format!("setup {circuit} hostile.ptau new.zkey"));
        let named = format!("section {section}");
        assert!(ending.stderr.contains(&named), "{}", ending.stderr);
        assert!(ending.stderr.contains("hostile.ptau"), "{}", ending.stderr);
        assert!(!place.path("new.zkey").exists());
    }
}

/// The file `bytes` with `planted` added to one point of a section.
fn with_planted<P: PairingGroup>(bytes: &[u8], section: u32, entry: usize, planted: &P) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let payload = section_mut(&mut bytes, section);
    let at = &mut payload[entry * P::BYTES..][..P::BYTES];
    let sum = plus(&P::from_montgomery_bytes_unchecked(at), planted);
    at.copy_from_slice(sum.to_montgomery_bytes().as_ref());
    bytes
}

fn data(folder: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data");
    tests.join(folder)
}
