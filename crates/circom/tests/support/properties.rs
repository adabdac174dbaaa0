//! What must hold for any bytes whatever: shared by the mutation test on stable and by the fuzz targets.
//!
//! A parser returns; when it returns a value, using the value does not panic either, and what is written from it is read
//! back the same.

use frumious_circom::{
    Proof, Ptau, R1cs, VerifyingKey, Wtns, Zkey, calldata, public_from_json, public_to_json,
    solidity_verifier,
};

/// Any bytes as a constraint system.
pub fn r1cs(bytes: &[u8]) {
    let Ok(r1cs) = R1cs::from_bytes(bytes.to_vec()) else {
        return;
    };
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
    let again = R1cs::from_bytes(written).unwrap();
    assert_eq!(again.n_terms(), terms);
}

/// Any bytes as a witness.
pub fn wtns(bytes: &[u8]) {
    let Ok(wtns) = Wtns::from_bytes(bytes) else {
        return;
    };
    assert_eq!(wtns.values()[0], [1, 0, 0, 0]);
    let mut written = Vec::new();
    wtns.write(&mut written).unwrap();
    assert_eq!(Wtns::from_bytes(&written).unwrap().values(), wtns.values());
}

/// Any bytes as a proving key.
pub fn zkey(bytes: &[u8]) {
    let Ok(zkey) = Zkey::from_bytes(bytes.to_vec()) else {
        return;
    };
    let header = zkey.header();
    assert_eq!(zkey.ic().len(), header.n_public as usize + 1);
    assert_eq!(zkey.c().len() + zkey.ic().len(), header.n_vars as usize);
    assert_eq!(1 << header.log_domain_size(), header.domain_size);
    for coefficient in zkey.coefficients().iter().flatten() {
        assert!(coefficient.signal < header.n_vars && coefficient.constraint < header.domain_size);
    }
    let _ = zkey.contributions();
    if zkey.check().is_ok() {
        solidity_verifier(&zkey.verifying_key().unwrap());
    }
}

/// Any bytes as powers of tau.
pub fn ptau(bytes: &[u8]) {
    let Ok(ptau) = Ptau::from_bytes(bytes.to_vec()) else {
        return;
    };
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
}

/// Any bytes as a proof.
pub fn proof_json(bytes: &[u8]) {
    if let Ok(proof) = Proof::from_json(bytes) {
        assert_eq!(Proof::from_json(proof.to_json()).unwrap(), proof);
        calldata(&proof, &[]);
    }
}

/// Any bytes as a verification key.
pub fn vkey_json(bytes: &[u8]) {
    if let Ok(key) = VerifyingKey::from_json(bytes) {
        assert_eq!(VerifyingKey::from_json(key.to_json()).unwrap(), key);
        solidity_verifier(&key);
    }
}

/// Any bytes as public signals.
pub fn public_json(bytes: &[u8]) {
    if let Ok(public) = public_from_json(bytes) {
        assert_eq!(public_from_json(public_to_json(&public)).unwrap(), public);
    }
}
