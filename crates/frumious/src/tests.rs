//! serde: what is written is read again, and what is no element or point is refused.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use crate::curves::{bandersnatch, bls12_381, bn254, secp256k1};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// By text and by bytes.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, bytes: usize) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    let encoded = postcard::to_allocvec(value).unwrap();
    assert_eq!(encoded.len(), bytes);
    assert_eq!(&postcard::from_bytes::<T>(&encoded).unwrap(), value);
    assert!(postcard::from_bytes::<T>(&encoded[1..]).is_err());
}

macro_rules! field {
    ($($field:ty),+) => {
        $(for value in [<$field>::ZERO, <$field>::ONE, -<$field>::ONE, <$field>::random().unwrap()] {
            let text = format!("\"{value}\"");
            assert_eq!(serde_json::to_string(&value).unwrap(), text);
            round_trip(&value, size_of::<$field>());
            assert_eq!(postcard::to_allocvec(&value).unwrap(), value.to_le_bytes());
        }
        for wrong in ["5", "\"\"", "\"x\"", "null", "\"0x\"", "[]", &format!("\"{}\"", "9".repeat(120))] {
            assert!(serde_json::from_str::<$field>(wrong).is_err(), "{wrong}");
        }
        assert!(postcard::from_bytes::<$field>(&[0xff; size_of::<$field>()]).is_err());)+
    };
}

#[test]
fn elements_are_decimal_text_or_bytes() {
    field!(bn254::Fr, bn254::Fq, bls12_381::Fr, bls12_381::Fq);
    field!(bandersnatch::Fr, secp256k1::Fr, secp256k1::Fq);
}

macro_rules! group {
    ($curve:ident, $projective:ident, $bytes:literal) => {
        use $curve::$projective;
        for factor in [0, 1, 2, -1, 77] {
            let point = $projective::GENERATOR * $curve::Fr::from(factor);
            round_trip(&point, $bytes);
            round_trip(&point.to_affine(), $bytes);
        }
    };
}

#[test]
fn points_are_their_coordinates() {
    use bn254::G1Affine;
    group!(bn254, G1Projective, 64);
    group!(bn254, G2Projective, 128);
    assert_eq!(
        serde_json::to_string(&G1Affine::GENERATOR).unwrap(),
        r#"["1","2"]"#
    );
    for wrong in [
        r#"["1","3"]"#,
        r#"["1"]"#,
        r#"["1","2","3"]"#,
        r#"{"x":"1","y":"2"}"#,
        "[1,2]",
    ] {
        assert!(serde_json::from_str::<G1Affine>(wrong).is_err(), "{wrong}");
        assert!(
            serde_json::from_str::<G1Projective>(wrong).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn points_of_the_other_curves_too() {
    use bls12_381::G1Affine;
    group!(bls12_381, G1Projective, 96);
    group!(bls12_381, G2Projective, 192);
    let outside = outside_the_subgroup();
    assert!(bool::from(outside.is_on_curve()));
    let text = format!("[\"{}\",\"{}\"]", outside.x, outside.y);
    let error = serde_json::from_str::<G1Affine>(&text).unwrap_err();
    assert!(error.to_string().contains("not in the subgroup"), "{error}");
}

/// The point of BLS12-381's curve with the least `x` above 0 that has one; its order is not `r`.
fn outside_the_subgroup() -> bls12_381::G1Affine {
    let point = |x: bls12_381::Fq| {
        let y = (x * x * x + bls12_381::G1Affine::B).sqrt().into_option()?;
        Some(bls12_381::G1Affine { x, y })
    };
    (1..20).find_map(|x| point(bls12_381::Fq::from(x))).unwrap()
}

#[test]
fn points_of_secp256k1() {
    use secp256k1::Affine;
    group!(secp256k1, Projective, 64);
    let wrong = serde_json::from_str::<Affine>(r#"["1","1"]"#);
    assert!(wrong.is_err());
}

#[test]
fn elements_of_banderwagon_are_their_encoding() {
    for factor in [0, 1, -1, 77] {
        let element = bandersnatch::Element::GENERATOR * bandersnatch::Fr::from(factor);
        round_trip(&element, 32);
        round_trip(&element.to_affine(), 32);
        assert_eq!(
            serde_json::to_string(&element).unwrap(),
            format!("\"{element}\"")
        );
    }
    for wrong in [
        r#""0x00""#,
        r#""00""#,
        &format!("\"0x{}\"", "ff".repeat(32)),
    ] {
        assert!(
            serde_json::from_str::<bandersnatch::Element>(wrong).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn a_struct_of_them_derives_it() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Statement {
        public: Vec<bn254::Fr>,
        key: bn254::G2Affine,
    }
    let statement = Statement {
        public: vec![bn254::Fr::from(5), -bn254::Fr::ONE],
        key: bn254::G2Affine::GENERATOR,
    };
    round_trip(&statement, 1 + 2 * 32 + 128);
}
