//! EIP-2537: the vectors of go-ethereum, and what they leave out.

use frumious_curves::bls12_381::{Fq, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_precompiles::Precompile;
use frumious_precompiles::bls12_381::{
    Error, g1_add, g1_msm, g2_add, g2_msm, map_fp_to_g1, map_fp2_to_g2, pairing_check,
};
use serde_json::Value;

fn hex(digits: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// Runs a contract over the cases of a file in `vectors/evm`; their errors are compared as text, their gas where it is
/// there.
fn check(file: &str, count: usize, contract: Precompile) {
    let Some(path) = frumious_testing::shared(format!("vectors/evm/{file}.json")) else {
        return;
    };
    let bytes = std::fs::read(path).expect("a file");
    let cases: Vec<Value> = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(cases.len(), count);
    for case in cases {
        let text = |key: &str| case[key].as_str();
        let input = hex(text("Input").expect("an input"));
        let output = contract.run(&input);
        let name = text("Name");
        match text("ExpectedError") {
            Some(expected) => {
                let error = output.expect_err("an error").to_string();
                assert_eq!(error, expected, "{name:?}");
            }
            None => {
                let expected = hex(text("Expected").expect("an output"));
                assert_eq!(output.expect("an output"), expected, "{name:?}");
                if file != "mul_G2_bls" {
                    assert_eq!(case["Gas"], contract.gas(&input), "{name:?}"); // that file has the price of an earlier draft
                }
            }
        }
    }
}

#[test]
fn sums() {
    check("add_G1_bls", 9, Precompile::Bls12G1Add);
    check("add_G2_bls", 9, Precompile::Bls12G2Add);
    check("fail-add_G1_bls", 6, Precompile::Bls12G1Add);
    check("fail-add_G2_bls", 6, Precompile::Bls12G2Add);
}

/// Products by one scalar are sums of one product: the contracts for them alone did not come.
#[test]
fn products() {
    check("mul_G1_bls", 11, Precompile::Bls12G1Msm);
    check("mul_G2_bls", 11, Precompile::Bls12G2Msm);
    check("multiexp_G1_bls", 13, Precompile::Bls12G1Msm);
    check("multiexp_G2_bls", 14, Precompile::Bls12G2Msm);
    check("fail-mul_G1_bls", 7, Precompile::Bls12G1Msm);
}

#[test]
fn pairings() {
    check("pairing_check_bls", 10, Precompile::Bls12PairingCheck);
    check("fail-pairing_check_bls", 22, Precompile::Bls12PairingCheck);
}

#[test]
fn maps() {
    check("map_fp_to_G1_bls", 5, Precompile::Bls12MapFpToG1);
    check("map_fp2_to_G2_bls", 5, Precompile::Bls12MapFp2ToG2);
    check("fail-map_fp_to_G1_bls", 5, Precompile::Bls12MapFpToG1);
}

/// 64 bytes of a coordinate.
fn coordinate(element: &Fq) -> Vec<u8> {
    [&[0; 16][..], &element.to_be_bytes()].concat()
}

fn g1(point: &G1Affine) -> Vec<u8> {
    [coordinate(&point.x), coordinate(&point.y)].concat()
}

fn g2(point: &G2Affine) -> Vec<u8> {
    let elements = [point.x.c0, point.x.c1, point.y.c0, point.y.c1];
    elements.iter().flat_map(coordinate).collect()
}

/// Lengths one off, none, and of more or less than whole pairs.
#[test]
fn wrong_lengths() {
    let zeros = vec![0; 4096];
    for length in 0..1200 {
        let input = &zeros[..length];
        let refused = |is_right: bool, error: Option<Error>| {
            assert_eq!(error == Some(Error::InputLength), !is_right, "{length}");
        };
        refused(length == 256, g1_add(input).err());
        refused(length == 512, g2_add(input).err());
        refused(length > 0 && length % 160 == 0, g1_msm(input).err());
        refused(length > 0 && length % 288 == 0, g2_msm(input).err());
        refused(length > 0 && length % 384 == 0, pairing_check(input).err());
        refused(length == 64, map_fp_to_g1(input).err());
        refused(length == 128, map_fp2_to_g2(input).err());
    }
}

/// Errors that the vectors have not: of G2's sums, and of its map; the first error of several counts.
#[test]
fn errors_of_g2() {
    let generator = g2(&G2Affine::GENERATOR);
    let outside = G2Projective::map_to_curve(&frumious_curves::bls12_381::Fq2::ONE).to_affine();
    let pair = |point: &[u8]| [point, &[1; 32]].concat();
    assert_eq!(g2_msm(&pair(&g2(&outside))), Err(Error::NotInG2));
    let twice = [pair(&generator), pair(&g2(&outside))].concat();
    assert_eq!(g2_msm(&twice), Err(Error::NotInG2));
    assert!(g2_add(&[g2(&outside), generator.clone()].concat()).is_ok());
    let mut off = generator.clone();
    off[255] ^= 1;
    assert_eq!(g2_msm(&pair(&off)), Err(Error::NotOnCurve));
    assert_eq!(
        g2_add(&[generator.clone(), off.clone()].concat()),
        Err(Error::NotOnCurve)
    );
    let mut top = generator.clone();
    top[64] = 1; // of the imaginary part
    assert_eq!(g2_msm(&pair(&top)), Err(Error::TopBytes));
    assert_eq!(map_fp2_to_g2(&top[..128]), Err(Error::TopBytes));
    let mut large = generator.clone();
    large[16..64].fill(0xff);
    assert_eq!(g2_msm(&pair(&large)), Err(Error::NonCanonical));
    assert_eq!(map_fp2_to_g2(&large[..128]), Err(Error::NonCanonical));
    assert_eq!(
        g2_msm(&[pair(&off), pair(&large)].concat()),
        Err(Error::NotOnCurve)
    );
    // of a pair both points are read before either is looked for in its group
    let outside_g1 = G1Projective::map_to_curve(&Fq::ONE).to_affine();
    assert_eq!(
        pairing_check(&[g1(&outside_g1), off].concat()),
        Err(Error::NotOnCurve)
    );
    let both_outside = [g1(&outside_g1), g2(&outside)].concat();
    assert_eq!(pairing_check(&both_outside), Err(Error::NotInG1));
}

/// Scalars beyond the order, and sums of more than one product, against the group's own arithmetic.
#[test]
fn scalars_of_any_size() {
    let mut order = frumious_curves::bls12_381::Fr::MODULUS;
    let bytes = |words: &[u64; 4]| {
        words
            .iter()
            .rev()
            .flat_map(|word| word.to_be_bytes())
            .collect::<Vec<u8>>()
    };
    let generator = g1(&G1Affine::GENERATOR);
    let infinity = Ok([0; 128]);
    assert_eq!(
        g1_msm(&[generator.clone(), bytes(&order)].concat()),
        infinity
    );
    order[0] += 2;
    let twice = G1Projective::GENERATOR.double().to_affine();
    let product = g1_msm(&[generator.clone(), bytes(&order)].concat()).expect("a point");
    assert_eq!(product[..], g1(&twice));
    let largest = [generator.clone(), vec![0xff; 32]].concat();
    let scalar = (0..256).fold(G1Projective::IDENTITY, |sum, _| {
        sum.double() + G1Projective::GENERATOR
    });
    assert_eq!(
        g1_msm(&largest).expect("a point")[..],
        g1(&scalar.to_affine())
    );
    let sum = g1_msm(&[largest.clone(), largest].concat()).expect("a point");
    assert_eq!(sum[..], g1(&scalar.double().to_affine()));
    let opposite = g1(&-G1Affine::GENERATOR);
    let cancelling = [generator, vec![7; 32], opposite, vec![7; 32]].concat();
    assert_eq!(g1_msm(&cancelling), infinity);
}

#[test]
fn seeds_are_what_is_described() {
    assert!(pairing_check(include_bytes!("data/bls12_pairing_check.bin")).is_ok());
    assert!(g1_msm(include_bytes!("data/bls12_g1_msm.bin")).is_ok());
    assert!(g2_msm(include_bytes!("data/bls12_g2_msm.bin")).is_ok());
    assert!(map_fp2_to_g2(include_bytes!("data/bls12_map_fp2_to_g2.bin")).is_ok());
}

/// The ends of the tables of discounts.
#[test]
fn gas_of_many_pairs() {
    let gas = |contract: Precompile, length| contract.gas(&vec![0; length]);
    for (pairs, g1, g2) in [
        (0, 0, 0),
        (1, 12_000, 22_500),
        (2, 2 * 12_000 * 949 / 1000, 2 * 22_500),
        (127, 127 * 12_000 * 520 / 1000, 127 * 22_500 * 524 / 1000),
        (128, 128 * 12_000 * 519 / 1000, 128 * 22_500 * 524 / 1000),
        (300, 300 * 12_000 * 519 / 1000, 300 * 22_500 * 524 / 1000),
    ] {
        assert_eq!(gas(Precompile::Bls12G1Msm, 160 * pairs + 1), g1);
        assert_eq!(gas(Precompile::Bls12G2Msm, 288 * pairs), g2);
    }
    assert_eq!(gas(Precompile::Bls12PairingCheck, 384 * 3), 135_500);
}
