//! Vectors of go-ethereum, and pairs whose product is known.

use frumious_curves::EncodingError;
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_precompiles::{Error, Precompile, bn254, ec_recover};
use frumious_testing::shared;
use serde_json::Value;

fn hex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}

/// Runs every case of a file; says how many.
fn check(precompile: Precompile, file: &str) -> Option<usize> {
    let path = shared(format!("vectors/evm/{file}.json"))?;
    let text = std::fs::read_to_string(path).expect("readable");
    let cases: Value = serde_json::from_str(&text).expect("JSON");
    let cases = cases.as_array().expect("cases");
    for case in cases {
        let input = hex(case["Input"].as_str().expect("input"));
        let expected = hex(case["Expected"].as_str().expect("output"));
        assert_eq!(precompile.run(&input), Ok(expected), "{}", case["Name"]);
        assert_eq!(case["Gas"], precompile.gas(&input), "{}", case["Name"]);
    }
    Some(cases.len())
}

#[test]
fn vectors_of_go_ethereum() {
    for (precompile, file, number) in [
        (Precompile::EcRecover, "ecRecover", 5),
        (Precompile::Bn254Add, "bn256Add", 16),
        (Precompile::Bn254Mul, "bn256ScalarMul", 19),
    ] {
        if let Some(found) = check(precompile, file) {
            assert_eq!(found, number, "{file}");
        }
    }
}

#[test]
fn addresses() {
    let known: Vec<_> = (0..=0x20).filter_map(Precompile::at).collect();
    assert_eq!(known, Precompile::ALL);
    for precompile in known {
        assert_eq!(Precompile::at(precompile.address()), Some(precompile));
    }
}

#[test]
fn ec_recover_gives_nothing_for_broken_input() {
    // the valid case of go-ethereum's ecRecover.json
    let good = hex(
        "18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c\
         000000000000000000000000000000000000000000000000000000000000001c\
         73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f\
         eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549",
    );
    let address = hex("000000000000000000000000a94f5374fce5edbc8e2a8697c15331677e6ebf0b");
    assert_eq!(ec_recover::ec_recover(&good).map(Vec::from), Some(address));
    // the upper bytes of v count, and so do its values
    for (at, byte) in [
        (32, 1),
        (62, 1),
        (63, 0),
        (63, 26),
        (63, 29),
        (63, 30),
        (63, 255),
    ] {
        let mut bad = good.clone();
        bad[at] = byte;
        assert_eq!(ec_recover::ec_recover(&bad), None, "{at}: {byte}");
    }
    for at in [64, 96] {
        for byte in [0, 0xff] {
            let mut bad = good.clone();
            bad[at..at + 32].fill(byte);
            assert_eq!(ec_recover::ec_recover(&bad), None);
        }
    }
    assert_eq!(ec_recover::ec_recover(&[]), None);
    let mut long = good.clone();
    long.extend([0xff; 40]);
    assert_eq!(ec_recover::ec_recover(&long), ec_recover::ec_recover(&good));
}

fn g1(scalar: Fr) -> [u8; 64] {
    let point = G1Projective::GENERATOR.mul(&scalar);
    point.to_affine().to_eip197_bytes()
}

fn g2(scalar: Fr) -> [u8; 128] {
    let point = G2Projective::GENERATOR.mul(&scalar);
    point.to_affine().to_eip197_bytes()
}

/// Pairs `(aᵢ·G1, bᵢ·G2)`: the product is one just if `Σ aᵢ·bᵢ` is zero.
fn pairs(factors: &[(Fr, Fr)]) -> Vec<u8> {
    let pair = |(a, b): &(Fr, Fr)| [&g1(*a)[..], &g2(*b)[..]].concat();
    factors.iter().flat_map(pair).collect()
}

fn number(value: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[31] = value;
    bytes
}

#[test]
fn pairing_checks() {
    let f = Fr::from_u64;
    assert_eq!(bn254::pairing(&[]), Ok(number(1)));
    assert_eq!(bn254::pairing(&pairs(&[(f(1), f(1))])), Ok(number(0)));
    assert_eq!(bn254::pairing(&pairs(&[(f(0), f(1))])), Ok(number(1)));
    assert_eq!(bn254::pairing(&pairs(&[(f(1), f(0))])), Ok(number(1)));
    let balanced = [(f(6), f(7)), (-f(2), f(21))];
    assert_eq!(bn254::pairing(&pairs(&balanced)), Ok(number(1)));
    let not = [(f(6), f(7)), (-f(2), f(22))];
    assert_eq!(bn254::pairing(&pairs(&not)), Ok(number(0)));
    // more than are taken at once
    let mut many: Vec<(Fr, Fr)> = (1..=20).map(|k| (f(k), f(k + 3))).collect();
    assert_eq!(bn254::pairing(&pairs(&many)), Ok(number(0)));
    let sum = many.iter().fold(Fr::ZERO, |sum, (a, b)| sum + *a * *b);
    many.push((-sum, f(1)));
    let input = pairs(&many);
    assert_eq!(bn254::pairing(&input), Ok(number(1)));
    assert_eq!(bn254::pairing_gas(&input), 45_000 + 21 * 34_000);
}

#[test]
fn broken_inputs_are_named() {
    let good = pairs(&[(Fr::ONE, Fr::ONE), (-Fr::ONE, Fr::ONE)]);
    assert_eq!(bn254::pairing(&good), Ok(number(1)));
    for length in [1, 191, 193, 383] {
        let expected = Error::Length {
            found: length,
            item: 192,
        };
        assert_eq!(bn254::pairing(&good[..length]), Err(expected));
    }
    // a coordinate of all ones is not below p, and one more leaves the curve
    for at in (0..384).step_by(32) {
        let mut bad = good.clone();
        bad[at..at + 32].fill(0xff);
        let expected = Err(EncodingError::NonCanonical.into());
        assert_eq!(bn254::pairing(&bad), expected);
        let mut bad = good.clone();
        bad[at + 31] ^= 1;
        assert_eq!(bn254::pairing(&bad), Err(EncodingError::NotOnCurve.into()));
    }
    // (0, 2) in the second pair: on the twist's equation with x = 0 there may be no point, so search one outside G2
    let outside = (1..50)
        .find_map(|k| {
            let x = frumious_curves::bn254::Fq2 {
                c0: frumious_curves::bn254::Fq::from_u64(k),
                c1: frumious_curves::bn254::Fq::ONE,
            };
            let y = (x.square() * x + G2Affine::B).sqrt().into_option()?;
            Some(G2Affine { x, y })
        })
        .expect("half of all x have a point");
    let mut bad = good.clone();
    bad[64..192].copy_from_slice(&outside.to_eip197_bytes());
    assert_eq!(
        bn254::pairing(&bad),
        Err(EncodingError::NotInSubgroup.into())
    );

    let point = G1Affine::GENERATOR.to_eip197_bytes();
    for (at, expected) in [
        (31, EncodingError::NotOnCurve),
        (0, EncodingError::NonCanonical),
    ] {
        let mut bad = point;
        bad[at] = if at == 0 { 0xff } else { bad[at] ^ 4 };
        assert_eq!(bn254::add(&bad), Err(expected.into()));
        assert_eq!(bn254::add(&[point, bad].concat()), Err(expected.into()));
        assert_eq!(bn254::mul(&bad), Err(expected.into()));
    }
    // short inputs are padded: a point plus infinity, a point times zero
    assert_eq!(bn254::add(&point), Ok(point));
    assert_eq!(bn254::mul(&point), Ok([0; 64]));
    assert_eq!(bn254::add(&[]), Ok([0; 64]));
}

#[test]
fn seeds_are_what_is_described() {
    // a pairing check that holds, and the valid case of ecRecover
    let seed = include_bytes!("data/bn254_pairing.bin");
    assert_eq!(bn254::pairing(seed), Ok(number(1)));
    assert!(ec_recover::ec_recover(include_bytes!("data/ec_recover.bin")).is_some());
}
