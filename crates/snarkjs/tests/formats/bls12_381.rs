//! Reads what circom and snarkjs wrote for BLS12-381, and writes it again.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_circom::FileKind;
use frumious_circom::bls12_381::{R1cs, Wtns};
use frumious_circom::curve::curve_name;
use frumious_curves::PairingCurve;
use frumious_curves::bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_groth16::{PreparedVerifyingKey, Proof};
use frumious_snarkjs::bls12_381::{Ptau, Zkey, ZkeyWriter, open_public, public_to_json};
use frumious_snarkjs::bls12_381::{open_proof, open_verifying_key, proof_from_json};
use frumious_snarkjs::curve_of;
use frumious_snarkjs::groth16::{NoVerdict, Rejected, find_invalid_json, verify_json};
use frumious_snarkjs::groth16::{proof_to_json, verifying_key_to_json};
use std::path::{Path, PathBuf};

#[test]
fn the_witness_satisfies_the_constraints() {
    let r1cs = R1cs::open(data("mul.r1cs")).unwrap();
    assert_eq!((r1cs.n_wires(), r1cs.n_public()), (4, 1));
    let constraint = r1cs.constraints().next().unwrap();
    // circom writes (-a)·b = -c: a coefficient that only this field has.
    let term = constraint.a.terms().next().unwrap();
    assert_eq!((term.wire, term.coefficient.to_element()), (2, -Fr::ONE));
    let wtns = Wtns::open(data("mul.wtns")).unwrap();
    assert_eq!(r1cs.first_unsatisfied(&wtns.to_fr()), None);
    assert_eq!(wtns.public(1), Some(vec![Fr::from_u64(33)]));
    let mut written = Vec::new();
    wtns.write(&mut written).unwrap();
    assert_eq!(written, std::fs::read(data("mul.wtns")).unwrap());
    let mut written = Vec::new();
    r1cs.write(&mut written).unwrap();
    assert_eq!(R1cs::from_bytes(written).unwrap().n_terms(), [1, 1, 1]);
}

#[test]
fn the_proving_key_is_read_and_written_again() {
    let original = std::fs::read(data("contributed.zkey")).unwrap();
    let zkey = Zkey::from_bytes(original.clone()).unwrap();
    zkey.check().unwrap();
    let header = zkey.header();
    assert_eq!((header.n_wires, header.n_public), (4, 1));
    assert_eq!(header.domain_size, 4);
    assert_eq!(header.gamma_g2, G2Affine::GENERATOR);
    let record = zkey.contributions().unwrap().unwrap();
    assert_eq!(record.contributions.len(), 1);
    assert_eq!(record.contributions[0].name.as_deref(), Some("second"));
    assert_eq!(record.contributions[0].delta_after, header.delta_g1);
    // Stored times R², as over the other curve: R is 2^256 for scalars.
    let first = zkey.coefficients().get(0).unwrap();
    assert_eq!(first.value.to_element(), -Fr::ONE);

    let g1 = |points: frumious_snarkjs::bls12_381::G1Points<'_>| -> Vec<G1Affine> {
        (0..points.len()).map(|i| points.get(i).unwrap()).collect()
    };
    let coefficients: Vec<_> = zkey.coefficients().iter().map(Result::unwrap).collect();
    let b2: Vec<_> = (0..4).map(|i| zkey.b2().get(i).unwrap()).collect();
    let mut writer = ZkeyWriter::new(Vec::new(), header, coefficients.len() as u32).unwrap();
    writer.write_ic(&g1(zkey.ic())).unwrap();
    writer.write_coefficients(&coefficients).unwrap();
    writer.write_a(&g1(zkey.a())).unwrap();
    writer.write_b1(&g1(zkey.b1())).unwrap();
    writer.write_b2(&b2).unwrap();
    writer.write_c(&g1(zkey.c())).unwrap();
    writer.write_h(&g1(zkey.h())).unwrap();
    let written = writer.finish_with(zkey.contributions_bytes().unwrap());
    assert!(written.unwrap() == original);
}

#[test]
fn the_powers_of_tau_are_read() {
    let ptau = Ptau::open(data("pot2.ptau")).unwrap();
    assert_eq!(ptau.power(), 2);
    assert_eq!(ptau.tau_g1().get(0).unwrap(), G1Affine::GENERATOR);
    assert_eq!(ptau.tau_g2().get(0).unwrap(), G2Affine::GENERATOR);
    // The Lagrange polynomials of a domain sum to one.
    for log_n in 0..=2 {
        let points = ptau.lagrange_tau_g1(log_n).unwrap();
        let sum = (0..points.len()).fold(G1Projective::IDENTITY, |sum, i| {
            sum.add_affine(&points.get(i).unwrap())
        });
        assert_eq!(sum.to_affine(), G1Affine::GENERATOR);
        let points = ptau.lagrange_tau_g2(log_n).unwrap();
        let sum = (0..points.len()).fold(G2Projective::IDENTITY, |sum, i| {
            sum.add_affine(&points.get(i).unwrap())
        });
        assert_eq!(sum.to_affine(), G2Affine::GENERATOR);
    }
    // τ = Σ ωⁱ·L_i(τ), with the root of unity of snarkjs, of order four.
    let omega = Fr::NONRESIDUE_ROOT.pow_vartime(&[1 << 30]);
    let points = ptau.lagrange_tau_g1(2).unwrap();
    let tau = (0..4).fold(G1Projective::IDENTITY, |sum, i| {
        let point = G1Projective::from(points.get(i).unwrap());
        sum + point.mul(&omega.pow_vartime(&[i as u64]))
    });
    assert_eq!(tau.to_affine(), ptau.tau_g1().get(1).unwrap());
}

#[test]
fn json_is_written_as_it_was_read() {
    let text = |name: &str| std::fs::read_to_string(data(name)).unwrap();
    let proof = open_proof(data("proof.json")).unwrap();
    assert_eq!(proof_to_json(&proof), text("proof.json"));
    let public = open_public(data("public.json")).unwrap();
    assert_eq!(public, [Fr::from_u64(33)]);
    assert_eq!(public_to_json(&public), text("public.json"));
    let key = open_verifying_key(data("verification_key.json")).unwrap();
    assert_eq!(verifying_key_to_json(&key), text("verification_key.json"));
    let zkey = Zkey::open(data("contributed.zkey")).unwrap();
    assert_eq!(zkey.verifying_key().unwrap(), key);
    let infinity = Proof {
        a: G1Affine::IDENTITY,
        b: G2Affine::IDENTITY,
        c: G1Affine::GENERATOR,
    };
    assert_eq!(proof_from_json(proof_to_json(&infinity)).unwrap(), infinity);
}

#[test]
fn the_curve_of_json_is_checked() {
    let text = std::fs::read_to_string(data("proof.json")).unwrap();
    let named = |name: &str| text.replace("bls12381", name);
    for (name, expected) in [
        ("bls12381", Some(PairingCurve::Bls12_381)),
        ("bls12-381", Some(PairingCurve::Bls12_381)),
        ("bn128", Some(PairingCurve::Bn254)),
        ("bn254", Some(PairingCurve::Bn254)),
        ("bls12377", None),
    ] {
        let curve = curve_of(FileKind::ProofJson, named(name)).ok();
        assert_eq!(curve, expected, "{name}");
        let ours = expected == Some(PairingCurve::Bls12_381);
        assert_eq!(proof_from_json(named(name)).is_ok(), ours, "{name}");
    }
    let message = proof_from_json(named("bn128")).unwrap_err().to_string();
    assert_eq!(message, "proof file, at $.curve: expected \"bls12381\"");
    let message = frumious_snarkjs::proof_from_json(&text).unwrap_err();
    let expected = "proof file, at $.curve: expected \"bn128\"";
    assert_eq!(message.to_string(), expected);
    let unknown = curve_of(FileKind::ProofJson, named("mnt4753")).unwrap_err();
    assert!(unknown.to_string().contains("at $.curve: expected"));
    assert_eq!(curve_name(PairingCurve::Bls12_381), "bls12381");

    let message = proof_from_json(outside(&text)).unwrap_err().to_string();
    assert_eq!(message, OUTSIDE);
}

const OUTSIDE: &str = "proof file, at $.pi_a: the point is not in the subgroup of prime order";

/// The proof with a point A of the curve that is not in G1: (0, 2) has order 3.
fn outside(proof: &str) -> String {
    let outside = proof.replacen(&first_number(proof), "0", 1);
    let y = first_number(&outside[outside.find("\"0\"").unwrap() + 3..]);
    outside.replacen(&y, "2", 1)
}

/// A verdict, and refusals with the words of who reads a proof alone.
#[test]
fn a_proof_in_json_is_judged() {
    let text = std::fs::read_to_string(data("proof.json")).unwrap();
    let key = open_verifying_key(data("verification_key.json")).unwrap();
    let key = PreparedVerifyingKey::new(&key).unwrap();
    let judge = |public: u64, proof: &str| {
        let judged = verify_json(&key, &[Fr::from_u64(public)], proof.as_bytes());
        judged.map(|judged| (judged.is_valid, proof_to_json(&judged.proof)))
    };
    assert_eq!(judge(33, &text).unwrap(), (true, text.clone()));
    assert_eq!(judge(34, &text).unwrap(), (false, text.clone()));
    for bad in [outside(&text), text.replacen("pi_b", "pi_d", 1)] {
        let expected = proof_from_json(&bad).unwrap_err().to_string();
        match judge(33, &bad) {
            Err(NoVerdict::Proof(error)) => assert_eq!(error.to_string(), expected),
            other => panic!("{other:?}"),
        }
    }
    let none = verify_json(&key, &[], text.as_bytes());
    assert!(matches!(none, Err(NoVerdict::Verification(_))));

    let line = |proof: &str, public: &str| {
        format!(r#"{{"proof":{proof},"publicSignals":["{public}"]}}"#).replace('\n', "")
    };
    let (valid, elsewhere) = (line(&text, "33"), line(&outside(&text), "33"));
    let lines = [&valid, &line(&text, "34"), &elsewhere, &valid, &"{}".into()];
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    let found = find_invalid_json(&key, &lines).unwrap();
    let told: Vec<(usize, String)> = (found.iter())
        .map(|(index, rejected)| match rejected {
            Rejected::Malformed(error) => (*index, error.to_string()),
            Rejected::Refused(refused) => (*index, refused.to_string()),
        })
        .collect();
    assert_eq!(told[0], (1, "the proof is not valid".into()));
    assert_eq!(told[1], (2, OUTSIDE.replace("$.", "$.proof.")));
    assert_eq!((told.len(), told[2].0), (3, 4));
}

/// The first run of digits of at least 20.
fn first_number(text: &str) -> String {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.find(|digits| digits.len() >= 20).unwrap().into()
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/bls12_381")
        .join(name)
}
