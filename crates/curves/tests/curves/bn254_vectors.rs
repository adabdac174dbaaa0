//! BN254 against published vectors: the EVM's addition and multiplication (EIP-196).

use frumious_curves::bn254::{Fr, G1Affine, G1Projective};

/// Input and expected output of each case, as bytes.
fn cases(file: &str) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let path = frumious_testing::shared(format!("vectors/evm/{file}"))?;
    let text = std::fs::read_to_string(path).expect("readable");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let bytes = |value: &serde_json::Value| -> Vec<u8> {
        let hex = value.as_str().expect("a hex string");
        (0..hex.len() / 2)
            .map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex"))
            .collect()
    };
    Some(
        json.as_array()
            .expect("a list")
            .iter()
            .map(|case| (bytes(&case["Input"]), bytes(&case["Expected"])))
            .collect(),
    )
}

/// The EVM pads short input with zeros and ignores what is too long.
fn padded<const N: usize>(input: &[u8]) -> [u8; N] {
    core::array::from_fn(|i| input.get(i).copied().unwrap_or(0))
}

fn point(bytes: &[u8]) -> G1Projective {
    G1Affine::from_eip197_bytes(bytes.try_into().expect("64 bytes"))
        .expect("a point")
        .into()
}

fn add(input: &[u8]) -> [u8; 64] {
    let input: [u8; 128] = padded(input);
    (point(&input[..64]) + point(&input[64..]))
        .to_affine()
        .to_eip197_bytes()
}

fn mul(input: &[u8]) -> [u8; 64] {
    let input: [u8; 96] = padded(input);
    // the EVM's scalar is any 256-bit number
    let mut wide = [0; 64];
    for (i, byte) in input[64..].iter().rev().enumerate() {
        wide[i] = *byte;
    }
    let scalar = Fr::from_uniform_bytes(&wide);
    let product = point(&input[..64]).mul(&scalar);
    assert_eq!(product, point(&input[..64]).mul_vartime(&scalar));
    product.to_affine().to_eip197_bytes()
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex"))
        .collect()
}

/// go-ethereum core/vm/testdata/precompiles, `bn256Add.json` chfast1 and `bn256ScalarMul.json` chfast1.
#[test]
fn known_answers() {
    let sum = add(&hex(concat!(
        "18b18acfb4c2c30276db5411368e7185b311dd124691610c5d3b74034e093dc9",
        "063c909c4720840cb5134cb9f59fa749755796819658d32efc0d288198f37266",
        "07c2b7f58a84bd6145f00c9c2bc0bb1a187f20ff2c92963a88019e7c6a014eed",
        "06614e20c147e940f2d70da3f74c9a17df361706a4485c742bd6788478fa17d7",
    )));
    let expected = hex(concat!(
        "2243525c5efd4b9c3d3c45ac0ca3fe4dd85e830a4ce6b65fa1eeaee202839703",
        "301d1d33be6da8e509df21cc35964723180eed7532537db9ae5e7d48f195c915",
    ));
    assert_eq!(sum.to_vec(), expected);
    let product = mul(&hex(concat!(
        "2bd3e6d0f3b142924f5ca7b49ce5b9d54c4703d7ae5648e61d02268b1a0a9fb7",
        "21611ce0a6af85915e2f1d70300909ce2e49dfad4a4619c8390cae66cefdb204",
        "00000000000000000000000000000000000000000000000011138ce750fa15c2",
    )));
    let expected = hex(concat!(
        "070a8d6a982153cae4be29d434e8faef8a47b274a053f5a4ee2a6c9c13c31e5c",
        "031b8ce914eba3a9ffb989f9cdd5b0f01943074bf4f0f315690ec3cec6981afc",
    ));
    assert_eq!(product.to_vec(), expected);
}

#[test]
fn evm_addition() {
    let Some(cases) = cases("bn256Add.json") else {
        return;
    };
    assert!(cases.len() >= 16);
    for (input, expected) in cases {
        assert_eq!(add(&input).to_vec(), expected);
    }
}

#[test]
fn evm_multiplication() {
    let Some(cases) = cases("bn256ScalarMul.json") else {
        return;
    };
    assert!(cases.len() >= 19);
    for (input, expected) in cases {
        assert_eq!(mul(&input).to_vec(), expected);
    }
}
