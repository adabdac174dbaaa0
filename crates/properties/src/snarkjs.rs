//! The properties of these parsers.
//!
//! A parser returns. When it returns a value, using the value does not panic either, and what is written from it is
//! read back the same. Bytes are read over both curves: at most one takes them, and it is the one that is told.

use frumious_circom::FileKind;
use frumious_circom::generic::{R1cs, Wtns};
use frumious_curves::{Bls12_381, Bn254, PairingCurve, PairingEngine};
use frumious_groth16::ProvingEngine;
use frumious_snarkjs::curve_of;
use frumious_snarkjs::generic::{
    Fkey, KeyFile, Ptau, Zkey, public_from_json, public_to_json, write_fkey, write_zkey_json,
    zkey_from_json, zkey_json_curve,
};
use frumious_snarkjs::groth16::bellman::{self, MpcParams};
use frumious_snarkjs::groth16::{
    ByteLayout, calldata, proof_from_bytes, proof_from_json, proof_to_bytes, proof_to_json,
    public_from_bytes, public_to_bytes, sign_fkey_for_tests, solidity_verifier,
    statement_from_json, verifying_key_from_bytes, verifying_key_from_json, verifying_key_to_bytes,
    verifying_key_to_json,
};
use frumious_snarkjs::phase1;

/// Any bytes as a constraint system.
pub fn r1cs(bytes: &[u8]) {
    r1cs_over::<Bn254>(bytes);
    r1cs_over::<Bls12_381>(bytes);
}

/// Any bytes as a witness.
pub fn wtns(bytes: &[u8]) {
    wtns_over::<Bn254>(bytes);
    wtns_over::<Bls12_381>(bytes);
}

/// Any bytes as a proving key.
pub fn zkey(bytes: &[u8]) {
    if let Some(key) = zkey_over::<Bn254>(bytes) {
        solidity_verifier(&key);
    }
    if let Some(key) = zkey_over::<Bls12_381>(bytes) {
        solidity_verifier(&key);
    }
}

/// Any bytes as a proving key in the container of our own, also as if they had been written with the right digest.
pub fn fkey(bytes: &[u8]) {
    let mut signed = bytes.to_vec();
    sign_fkey_for_tests(&mut signed);
    for bytes in [bytes, &signed] {
        fkey_over::<Bn254>(bytes);
        fkey_over::<Bls12_381>(bytes);
    }
}

/// Any bytes as a proving key in JSON: a key that is written of it has the same JSON.
pub fn zkey_json(bytes: &[u8]) {
    let curve = zkey_json_curve(bytes);
    zkey_json_over::<Bn254>(bytes, curve);
    zkey_json_over::<Bls12_381>(bytes, curve);
}

fn zkey_json_over<E: PairingEngine>(bytes: &[u8], curve: Option<PairingCurve>) {
    if let Ok(written) = zkey_from_json::<E, _>(bytes, Vec::new()) {
        assert_eq!(curve, Some(E::CURVE));
        let key = Zkey::<E>::from_bytes(written.clone()).unwrap();
        let mut json = Vec::new();
        write_zkey_json(&key, &mut json).unwrap();
        assert_eq!(zkey_from_json::<E, _>(&json, Vec::new()).unwrap(), written);
    }
}

/// Any bytes as powers of tau.
pub fn ptau(bytes: &[u8]) {
    ptau_over::<Bn254>(bytes);
    ptau_over::<Bls12_381>(bytes);
}

/// Any bytes as a proof.
pub fn proof_json(bytes: &[u8]) {
    let _ = curve_of(FileKind::ProofJson, bytes);
    if let Ok(proof) = proof_from_json::<Bn254>(bytes) {
        assert_eq!(proof_from_json(proof_to_json(&proof)).unwrap(), proof);
        calldata(&proof, &[]);
    }
    if let Ok(proof) = proof_from_json::<Bls12_381>(bytes) {
        assert_eq!(proof_from_json(proof_to_json(&proof)).unwrap(), proof);
        calldata(&proof, &[]);
    }
}

/// Any bytes as a line of a batch: a proof with its public signals.
pub fn statement_json(bytes: &[u8]) {
    statement_over::<Bn254>(bytes);
    statement_over::<Bls12_381>(bytes);
}

fn statement_over<E: PairingEngine>(bytes: &[u8]) {
    if let Ok((proof, signals)) = statement_from_json::<E>(bytes) {
        let (proof, signals_json) = (proof_to_json(&proof), public_to_json(&signals));
        let written = format!("{{\"proof\":{proof},\"publicSignals\":{signals_json}}}");
        let again = statement_from_json::<E>(&written).unwrap();
        assert_eq!((proof_to_json(&again.0), again.1), (proof, signals));
    }
}

/// Any bytes as a key, a proof or signals of another library. Accepted ones are written as the same bytes, but for
/// parts of gnark's that ours leave out.
pub fn layouts(bytes: &[u8]) {
    layouts_over::<Bn254>(bytes);
    layouts_over::<Bls12_381>(bytes);
}

fn layouts_over<E: PairingEngine>(bytes: &[u8]) {
    for layout in [ByteLayout::Arkworks, ByteLayout::Gnark, ByteLayout::Sui] {
        let is_gnark = layout == ByteLayout::Gnark;
        if let Ok(key) = verifying_key_from_bytes::<E>(bytes, layout) {
            let written = verifying_key_to_bytes(&key, None, layout);
            assert!(is_gnark || written == bytes);
            assert_eq!(verifying_key_from_bytes(&written, layout).unwrap(), key);
        }
        if let Ok(proof) = proof_from_bytes::<E>(bytes, layout) {
            let written = proof_to_bytes(&proof, layout);
            assert!(is_gnark || written == bytes);
            assert_eq!(proof_from_bytes(&written, layout).unwrap(), proof);
        }
        if let Ok(signals) = public_from_bytes::<E>(bytes, layout) {
            assert_eq!(public_to_bytes(&signals, layout), bytes);
        }
    }
}

/// Any bytes as a challenge of a ceremony: its response is longer by the proofs of knowledge.
pub fn challenge(bytes: &[u8]) {
    challenge_over::<Bn254>(bytes);
    challenge_over::<Bls12_381>(bytes);
}

fn challenge_over<E: ProvingEngine>(bytes: &[u8]) {
    let mut response = Vec::new();
    match phase1::answer_challenge::<E>(bytes, b"", &mut response, &|_| {}).unwrap() {
        phase1::Answered::Response { points, .. } => assert!(points > 0 && !response.is_empty()),
        phase1::Answered::Length(length) => assert_eq!(length, bytes.len() as u64),
        phase1::Answered::Point(place) => assert!((64..bytes.len() as u64).contains(&place)),
    }
}

/// Any bytes as parameters of a ceremony in bellman's form: one contribution more makes a file that is read back.
pub fn mpc_params(bytes: &[u8]) {
    mpc_params_over::<Bn254>(bytes);
    mpc_params_over::<Bls12_381>(bytes);
}

fn mpc_params_over<E: ProvingEngine>(bytes: &[u8]) {
    let Ok(params) = MpcParams::<E>::from_bytes(bytes.to_vec()) else {
        return;
    };
    let mut next = Vec::new();
    let made = bellman::contribute(&params, b"", &mut next, &|_| {});
    if params.check().is_ok() {
        let number = made.unwrap().number;
        let next = MpcParams::<E>::from_bytes(next).unwrap();
        assert_eq!(next.contributions().contributions.len(), number);
        next.check().unwrap();
    }
}

/// Any bytes as a verification key.
pub fn vkey_json(bytes: &[u8]) {
    let _ = curve_of(FileKind::VerifyingKeyJson, bytes);
    if let Ok(key) = verifying_key_from_json::<Bn254>(bytes) {
        assert_eq!(
            verifying_key_from_json(verifying_key_to_json(&key)).unwrap(),
            key
        );
        solidity_verifier(&key);
    }
    if let Ok(key) = verifying_key_from_json::<Bls12_381>(bytes) {
        assert_eq!(
            verifying_key_from_json(verifying_key_to_json(&key)).unwrap(),
            key
        );
        solidity_verifier(&key);
    }
}

/// Any bytes as public signals.
pub fn public_json(bytes: &[u8]) {
    public_over::<Bn254>(bytes);
    public_over::<Bls12_381>(bytes);
}

fn r1cs_over<E: PairingEngine>(bytes: &[u8]) {
    let Ok(r1cs) = R1cs::<E>::from_bytes(bytes.to_vec()) else {
        return;
    };
    assert_eq!(curve_of(FileKind::R1cs, bytes).unwrap(), E::CURVE);
    let mut terms = [0; 3];
    for constraint in r1cs.constraints() {
        for (count, lc) in terms
            .iter_mut()
            .zip([constraint.a, constraint.b, constraint.c])
        {
            *count += lc.terms().filter(|term| term.wire < r1cs.n_wires()).count() as u64;
        }
    }
    assert_eq!(terms, r1cs.n_terms());
    assert!(r1cs.n_public() < r1cs.n_wires());
    let mut written = Vec::new();
    r1cs.write(&mut written).unwrap();
    let again = R1cs::<E>::from_bytes(written).unwrap();
    assert_eq!(again.n_terms(), terms);
}

fn wtns_over<E: PairingEngine>(bytes: &[u8]) {
    let Ok(wtns) = Wtns::<E>::from_bytes(bytes) else {
        return;
    };
    assert_eq!(curve_of(FileKind::Wtns, bytes).unwrap(), E::CURVE);
    assert_eq!(wtns.get(0).words(), &[1, 0, 0, 0]);
    let mut written = Vec::new();
    wtns.write(&mut written).unwrap();
    let again = Wtns::<E>::from_bytes(&written).unwrap();
    assert_eq!(again.to_values(), wtns.to_values());
}

/// The verification key, if everything in the key is right.
fn zkey_over<E: ProvingEngine>(bytes: &[u8]) -> Option<frumious_groth16::VerifyingKey<E>> {
    let zkey = Zkey::<E>::from_bytes(bytes.to_vec()).ok()?;
    assert_eq!(curve_of(FileKind::Zkey, bytes).unwrap(), E::CURVE);
    let header = zkey.header();
    assert_eq!(zkey.ic().len(), header.n_public as usize + 1);
    assert_eq!(zkey.c().len() + zkey.ic().len(), header.n_wires as usize);
    assert_eq!(1 << header.log_domain_size(), header.domain_size);
    for coefficient in zkey.coefficients().iter().flatten() {
        assert!(coefficient.wire < header.n_wires && coefficient.row < header.domain_size);
    }
    let _ = zkey.contributions();
    zkey.check().ok()?;
    Some(zkey.verifying_key().unwrap())
}

fn fkey_over<E: ProvingEngine>(bytes: &[u8]) {
    let Ok(fkey) = Fkey::<E>::from_bytes(bytes.to_vec()) else {
        return;
    };
    assert_eq!(curve_of(FileKind::Fkey, bytes).unwrap(), E::CURVE);
    let _ = fkey.check_blocks(0..fkey.blocks());
    let key = KeyFile::from(fkey.clone());
    let wires = key.header().n_wires as usize;
    assert_eq!([key.a().len(), key.b2().len()], [wires; 2]);
    let _ = (key.contributions(), key.verifying_key());
    // A bit stands for a point: what is written may be much longer.
    if wires > bytes.len() {
        return;
    }
    for points in [key.a(), key.b1(), key.c()] {
        let entries: Vec<usize> = match points.entries() {
            Some(entries) => entries.collect(),
            None => (0..points.len()).collect(),
        };
        assert_eq!(entries.len(), points.present().len());
        assert!(entries.iter().all(|entry| *entry < points.len()));
        let _ = points.present().check(0..entries.len());
    }
    let _ = key.check_infinities(0..wires);
    let mut zkey = Vec::new();
    if fkey.write_zkey(&mut zkey).is_err() {
        return;
    }
    assert_eq!(zkey.len() as u64, fkey.zkey_length());
    let Ok(zkey) = Zkey::<E>::from_bytes(zkey) else {
        return; // sections of equal and unknown type, or too many
    };
    let mut again = Vec::new();
    write_fkey(&zkey, &mut again).unwrap();
    let again = Fkey::<E>::from_bytes(again).unwrap();
    again.check_blocks(0..again.blocks()).unwrap();
    let mut back = Vec::new();
    again.write_zkey(&mut back).unwrap();
    assert!(back == zkey.bytes()[..]);
}

fn ptau_over<E: ProvingEngine>(bytes: &[u8]) {
    let Ok(ptau) = Ptau::<E>::from_bytes(bytes.to_vec()) else {
        return;
    };
    assert_eq!(curve_of(FileKind::Ptau, bytes).unwrap(), E::CURVE);
    let _ = ptau.beta_g2();
    for points in [ptau.tau_g1(), ptau.alpha_tau_g1(), ptau.beta_tau_g1()] {
        let _ = points.check(0..points.len());
    }
    for log_n in 0..40 {
        let blocks = [
            ptau.lagrange_tau_g1(log_n),
            ptau.lagrange_alpha_tau_g1(log_n),
            ptau.lagrange_beta_tau_g1(log_n),
        ];
        for block in blocks.into_iter().flatten() {
            assert_eq!(block.len(), 1 << log_n);
            let _ = block.get(block.len() - 1);
        }
        if let Ok(block) = ptau.lagrange_tau_g2(log_n) {
            let _ = block.get(0);
        }
    }
    // Larger ceremonies and beacons of more iterations take their time.
    let is_short = |beacon: &Option<(Vec<u8>, u8)>| beacon.as_ref().is_none_or(|it| it.1 <= 10);
    let is_small = ptau.ceremony_power() <= 4;
    let Ok(contributions) = ptau.contributions() else {
        return;
    };
    if is_small && contributions.iter().all(|it| is_short(&it.beacon)) {
        let verdict = phase1::verify_chain(&ptau, &|_| ());
        if let Ok(phase1::Verdict::Valid(verified)) = verdict {
            assert_eq!(verified.len(), contributions.len());
            let verdict = phase1::verify_powers(&ptau, &verified, &|_| ());
            if let Ok(phase1::Verdict::Valid(powers)) = verdict {
                let _ = phase1::verify_bases(powers, &|_| ());
            }
        }
    }
}

fn public_over<E: PairingEngine>(bytes: &[u8]) {
    if let Ok(public) = public_from_json::<E::Fr>(bytes) {
        let again = public_from_json::<E::Fr>(public_to_json(&public));
        assert_eq!(again.unwrap(), public);
    }
}
