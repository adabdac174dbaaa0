//! The text of the Solidity verifier. `interop/` compiles it and runs it in an EVM.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use std::collections::HashMap;

use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fq, G1Affine};
use frumious_groth16::VerifyingKey;
use frumious_snarkjs::groth16::solidity_verifier;
use frumious_snarkjs::verifying_key_from_json;

#[test]
fn the_constants_are_those_of_the_key() {
    let key = key();
    let source = solidity_verifier(&key);
    let constants: HashMap<&str, &str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("uint256 private constant "))
        .map(|line| line.trim_end_matches(';').split_once(" = ").unwrap())
        .collect();
    let is = |name: &str, value: Fq| assert_eq!(constants[name], value.to_decimal_vartime());
    is("ALPHA_X", key.alpha_g1.x);
    is("ALPHA_Y", key.alpha_g1.y);
    for (name, point) in [
        ("BETA", key.beta_g2),
        ("GAMMA", key.gamma_g2),
        ("DELTA", key.delta_g2),
    ] {
        is(&format!("{name}_X_RE"), point.x.c0);
        is(&format!("{name}_X_IM"), point.x.c1);
        is(&format!("{name}_Y_RE"), point.y.c0);
        is(&format!("{name}_Y_IM"), point.y.c1);
    }
    for (index, point) in key.ic.iter().enumerate() {
        is(&format!("IC{index}_X"), point.x);
        is(&format!("IC{index}_Y"), point.y);
    }
    // EIP-196 and EIP-197 give these in decimal.
    assert_eq!(
        constants["Q"],
        "0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"
    );
    assert_eq!(
        constants["R"],
        "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001"
    );
    assert_eq!(constants.len(), 2 + 2 + 3 * 4 + 2 * key.ic.len());
    // Each constant of the key is used once in the pairing or the sum.
    for name in constants.keys().filter(|name| name.len() > 1) {
        let uses = source.matches(name).count();
        assert_eq!(uses, 2, "{name}");
    }
}

#[test]
fn the_function_takes_as_many_signals_as_the_key() {
    let mut key = key();
    for n_public in [0, 1, 2, 300] {
        key.ic = vec![G1Affine::GENERATOR; n_public + 1];
        let source = solidity_verifier(&key);
        let argument = format!("uint256[{n_public}] calldata _pubSignals");
        // Solidity has no arrays of length zero.
        assert_eq!(source.contains(&argument), n_public > 0);
        assert_eq!(source.contains("_pubSignals"), n_public > 0);
        assert_eq!(source.matches("if (!accumulate(work").count(), n_public);
        assert_eq!(source.contains("function accumulate("), n_public > 0);
        assert_eq!(source.matches('{').count(), source.matches('}').count());
    }
}

fn key() -> VerifyingKey {
    verifying_key_from_json(include_str!("../data/verification_key.json")).unwrap()
}

/// The words of each point, in the order of EIP-2537: the real part before the imaginary one.
#[test]
fn the_constants_over_bls12_381_are_those_of_the_key() {
    let mut key = key_of_bls12_381();
    let source = solidity_verifier(&key);
    let constants: HashMap<&str, &str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("uint256 private constant "))
        .map(|line| line.trim_end_matches(';').split_once(" = ").unwrap())
        .collect();
    let is = |name: &str, value: bls12_381::Fq| {
        let digits = |half: &str| constants[&*format!("{name}_{half}")].trim_start_matches("0x");
        let (high, low) = (digits("HI"), digits("LO"));
        assert_eq!((high.len(), low.len()), (32, 64));
        let bytes = value.to_be_bytes();
        let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(format!("{high}{low}"), expected, "{name}");
    };
    is("ALPHA_X", key.alpha_g1.x);
    is("ALPHA_Y", key.alpha_g1.y);
    for (name, point) in [
        ("BETA", key.beta_g2),
        ("GAMMA", key.gamma_g2),
        ("DELTA", key.delta_g2),
    ] {
        is(&format!("{name}_X0"), point.x.c0);
        is(&format!("{name}_X1"), point.x.c1);
        is(&format!("{name}_Y0"), point.y.c0);
        is(&format!("{name}_Y1"), point.y.c1);
    }
    for (index, point) in key.ic.iter().enumerate() {
        is(&format!("IC{index}_X"), point.x);
        is(&format!("IC{index}_Y"), point.y);
    }
    // EIP-2537 gives these.
    assert_eq!(constants["Q_HI"], "0x1a0111ea397fe69a4b1ba7b6434bacd7");
    assert_eq!(
        constants["Q_LO"],
        "0x64774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"
    );
    assert_eq!(
        constants["R"],
        "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"
    );
    for n_public in [0, 1, 2, 300] {
        key.ic = vec![bls12_381::G1Affine::GENERATOR; n_public + 1];
        let source = solidity_verifier(&key);
        assert_eq!(source.contains("_pubSignals"), n_public > 0);
        assert_eq!(source.matches(" >= R) return false;").count(), n_public);
        assert_eq!(source.contains("0x0c, terms"), n_public > 0);
        assert_eq!(source.matches('{').count(), source.matches('}').count());
    }
}

fn key_of_bls12_381() -> VerifyingKey<frumious_curves::Bls12_381> {
    let json = include_str!("../data/bls12_381/verification_key.json");
    frumious_snarkjs::bls12_381::verifying_key_from_json(json).unwrap()
}
