//! Hashing to the curve: the vectors of RFC 9380 and of the drafts before it.

use frumious_bls::hash_to_curve::{
    encode_to_g1, encode_to_g2, expand_message_xmd, hash_to_fq, hash_to_fq2, hash_to_g1, hash_to_g2,
};
use frumious_curves::bls12_381::{Fq, Fq2, G1Affine, G2Affine};
use frumious_testing::hex::bytes as hex;
use frumious_testing::num_bigint::BigUint;
use serde_json::Value;
use std::hint::black_box;

fn fq(text: &str) -> Fq {
    let bytes = hex(text.trim()).try_into().expect("48 bytes");
    Fq::from_be_bytes(&bytes).expect("below the modulus")
}

fn fq2(text: &str) -> Fq2 {
    let (c0, c1) = text.split_once(',').expect("two parts");
    Fq2::new(fq(c0), fq(c1))
}

fn json(path: &str) -> Option<Value> {
    let path = frumious_testing::shared(path)?;
    let text = std::fs::read_to_string(path).expect("a file");
    Some(serde_json::from_str(&text).expect("JSON"))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// Elements and points of a suite's file in `vectors/hash-to-curve`.
macro_rules! suite {
    ($name:ident, $file:literal, $hash:ident, $to_field:ident, $affine:ident, $read:ident) => {
        #[test]
        fn $name() {
            let Some(file) = json(concat!("vectors/hash-to-curve/", $file)) else {
                return;
            };
            let tag = text(&file["dst"]).as_bytes();
            let cases = file["vectors"].as_array().expect("a list");
            assert_eq!(cases.len(), 5);
            for case in cases {
                let message = text(&case["msg"]).as_bytes();
                let elements = case["u"].as_array().expect("a list");
                let elements = elements.iter().map(|u| $read(text(u))).collect::<Vec<_>>();
                assert_eq!($to_field::<2>(message, tag)[..], elements);
                let point = $affine {
                    x: $read(text(&case["P"]["x"])),
                    y: $read(text(&case["P"]["y"])),
                };
                assert_eq!($hash(message, tag).to_affine(), point);
            }
        }
    };
}
suite!(
    vectors_g1,
    "tv_h2c_v8_BLS12_381_hash_to_G1_SHA256_SSWU_RO.json",
    hash_to_g1,
    hash_to_fq,
    G1Affine,
    fq
);
suite!(
    vectors_g2,
    "tv_h2c_v8_BLS12_381_hash_to_G2_SHA256_SSWU_RO.json",
    hash_to_g2,
    hash_to_fq2,
    G2Affine,
    fq2
);

#[test]
fn ethereum_vectors_g2() {
    let Some(folder) = frumious_testing::shared("vectors/bls/hash_to_G2") else {
        return;
    };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let case: Value = serde_json::from_slice(&bytes).expect("JSON");
        let message = text(&case["input"]["msg"]).as_bytes();
        let tag = b"QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_";
        let point = G2Affine {
            x: fq2(text(&case["output"]["x"])),
            y: fq2(text(&case["output"]["y"])),
        };
        assert_eq!(hash_to_g2(message, tag).to_affine(), point);
        count += 1;
    }
    assert_eq!(count, 4);
}

/// RFC 9380, appendix J.9.2.
#[test]
fn encodings_to_g1() {
    let tag = b"QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_NU_";
    for (message, x, y) in [
        (
            "",
            "184bb665c37ff561a89ec2122dd343f20e0f4cbcaec84e3c3052ea81d1834e192c426074b02ed3dca4e7676ce4ce48ba",
            "04407b8d35af4dacc809927071fc0405218f1401a6d15af775810e4e460064bcc9468beeba82fdc751be70476c888bf3",
        ),
        (
            "abc",
            "009769f3ab59bfd551d53a5f846b9984c59b97d6842b20a2c565baa167945e3d026a3755b6345df8ec7e6acb6868ae6d",
            "1532c00cf61aa3d0ce3e5aa20c3b531a2abd2c770a790a2613818303c6b830ffc0ecf6c357af3317b9575c567f11cd2c",
        ),
        (
            "abcdef0123456789",
            "1974dbb8e6b5d20b84df7e625e2fbfecb2cdb5f77d5eae5fb2955e5ce7313cae8364bc2fff520a6c25619739c6bdcb6a",
            "15f9897e11c6441eaa676de141c8d83c37aab8667173cbe1dfd6de74d11861b961dccebcd9d289ac633455dfcc7013a3",
        ),
    ] {
        let (x, y) = (fq(x), fq(y));
        let point = encode_to_g1(message.as_bytes(), tag).to_affine();
        assert_eq!(point, G1Affine { x, y });
    }
}

/// RFC 9380, appendix J.10.2.
#[test]
fn encodings_to_g2() {
    let tag = b"QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_NU_";
    for (message, x, y) in [
        (
            "",
            "00e7f4568a82b4b7dc1f14c6aaa055edf51502319c723c4dc2688c7fe5944c213f510328082396515734b6612c4e7bb7,\
             126b855e9e69b1f691f816e48ac6977664d24d99f8724868a184186469ddfd4617367e94527d4b74fc86413483afb35b",
            "0caead0fd7b6176c01436833c79d305c78be307da5f6af6c133c47311def6ff1e0babf57a0fb5539fce7ee12407b0a42,\
             1498aadcf7ae2b345243e281ae076df6de84455d766ab6fcdaad71fab60abb2e8b980a440043cd305db09d283c895e3d",
        ),
        (
            "abc",
            "108ed59fd9fae381abfd1d6bce2fd2fa220990f0f837fa30e0f27914ed6e1454db0d1ee957b219f61da6ff8be0d6441f,\
             0296238ea82c6d4adb3c838ee3cb2346049c90b96d602d7bb1b469b905c9228be25c627bffee872def773d5b2a2eb57d",
            "033f90f6057aadacae7963b0a0b379dd46750c1c94a6357c99b65f63b79e321ff50fe3053330911c56b6ceea08fee656,\
             153606c417e59fb331b7ae6bce4fbf7c5190c33ce9402b5ebe2b70e44fca614f3f1382a3625ed5493843d0b0a652fc3f",
        ),
    ] {
        let (x, y) = (fq2(x), fq2(y));
        let point = encode_to_g2(message.as_bytes(), tag).to_affine();
        assert_eq!(point, G2Affine { x, y });
    }
}

/// RFC 9380, appendices K.1 and K.2 (a tag that is too long to be used as it is).
#[test]
fn expansions() {
    let tag = b"QUUX-V01-CS02-with-expander-SHA256-128".as_slice();
    let long_tag = format!(
        "{}-long-DST-{}",
        str::from_utf8(tag).expect("text"),
        "1".repeat(208)
    );
    assert_eq!(long_tag.len(), 256);
    let long_tag = long_tag.as_bytes();
    let sixteen = "abcdef0123456789";
    let q128 = format!("q128_{}", "q".repeat(128));
    let a512 = format!("a512_{}", "a".repeat(512));
    for (tag, message, expected) in [
        (
            tag,
            "",
            "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235",
        ),
        (
            tag,
            "abc",
            "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615",
        ),
        (
            tag,
            sixteen,
            "eff31487c770a893cfb36f912fbfcbff40d5661771ca4b2cb4eafe524333f5c1",
        ),
        (
            tag,
            &q128,
            "b23a1d2b4d97b2ef7785562a7e8bac7eed54ed6e97e29aa51bfe3f12ddad1ff9",
        ),
        (
            tag,
            &a512,
            "4623227bcc01293b8c130bf771da8c298dede7383243dc0993d2d94823958c4c",
        ),
        (
            tag,
            "",
            "af84c27ccfd45d41914fdff5df25293e221afc53d8ad2ac06d5e3e29485dadbee0d121587713a3e0dd4d5e69e93eb7cd\
             4f5df4cd103e188cf60cb02edc3edf18eda8576c412b18ffb658e3dd6ec849469b979d444cf7b26911a08e63cf31f9dc\
             c541708d3491184472c2c29bb749d4286b004ceb5ee6b9a7fa5b646c993f0ced",
        ),
        (
            tag,
            &a512,
            "546aff5444b5b79aa6148bd81728704c32decb73a3ba76e9e75885cad9def1d06d6792f8a7d12794e90efed817d96920\
             d728896a4510864370c207f99bd4a608ea121700ef01ed879745ee3e4ceef777eda6d9e5e38b90c86ea6fb0b36504ba4\
             a45d22e86f6db5dd43d98a294bebb9125d5b794e9d2a81181066eb954966a487",
        ),
        (
            long_tag,
            "",
            "e8dc0c8b686b7ef2074086fbdd2f30e3f8bfbd3bdf177f73f04b97ce618a3ed3",
        ),
        (
            long_tag,
            &q128,
            "01b637612bb18e840028be900a833a74414140dde0c4754c198532c3a0ba42bc",
        ),
        (
            long_tag,
            "abc",
            "1a30a5e36fbdb87077552b9d18b9f0aee16e80181d5b951d0471d55b66684914aef87dbb3626eaabf5ded8cd0686567e5\
             03853e5c84c259ba0efc37f71c839da2129fe81afdaec7fbdc0ccd4c794727a17c0d20ff0ea55e1389d6982d1241cb8d\
             165762dbc39fb0cee4474d2cbbd468a835ae5b2f20e4f959f56ab24cd6fe267",
        ),
    ] {
        let expected = hex(expected);
        let mut output = vec![0; expected.len()];
        expand_message_xmd(message.as_bytes(), tag, &mut output);
        assert_eq!(output, expected, "{message}");
    }
}

/// Nothing, the most that can be asked for, and lengths that are no multiple of a digest; the length is part of what is
/// hashed.
#[test]
fn expansions_of_any_length() {
    let tag = b"a tag of sixteen";
    expand_message_xmd(b"", tag, &mut []);
    let mut outputs: Vec<Vec<u8>> = vec![];
    for length in [1, 31, 32, 33, 63, 64, 65, 8159, 8160] {
        let mut output = vec![0; length];
        expand_message_xmd(b"message", tag, &mut output);
        assert!(length < 31 || output[length - 31..].iter().any(|byte| *byte != 0));
        assert!(
            outputs
                .iter()
                .all(|other| other[0..1] != output[0..1] || other.len() == 1)
        );
        outputs.push(output);
    }
}

#[test]
#[should_panic(expected = "and must have 8160 at most")]
fn longer_expansions_are_refused() {
    expand_message_xmd(b"message", b"tag", &mut vec![0; 8161]);
}

/// RFC 9380, section 3.1: "Tags MUST have nonzero length." One byte is enough for these functions.
#[test]
fn empty_tags_are_refused() {
    let uses: [fn(&[u8]); 7] = [
        |tag| _ = black_box(hash_to_g1(b"message", tag)),
        |tag| _ = black_box(hash_to_g2(b"message", tag)),
        |tag| _ = black_box(encode_to_g1(b"message", tag)),
        |tag| _ = black_box(encode_to_g2(b"message", tag)),
        |tag| _ = black_box(hash_to_fq::<2>(b"message", tag)),
        |tag| _ = black_box(hash_to_fq2::<2>(b"message", tag)),
        |tag| expand_message_xmd(b"message", tag, &mut [0; 32]),
    ];
    for (place, hash) in uses.into_iter().enumerate() {
        hash(b"t");
        let panic = std::panic::catch_unwind(|| hash(b"")).expect_err("an empty tag");
        let message = panic.downcast_ref::<&str>();
        assert_eq!(
            message,
            Some(&"a domain separation tag has at least one byte: `tag` is empty"),
            "function {place}"
        );
    }
}

/// Elements are the integers of 64 bytes modulo p, by another library's division.
#[test]
fn elements_are_residues() {
    let modulus = BigUint::from_bytes_be(&hex(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    ));
    for i in 0..20u8 {
        let mut bytes = [0; 128];
        expand_message_xmd(&[i], b"a tag of sixteen", &mut bytes);
        let elements: [Fq; 2] = hash_to_fq(&[i], b"a tag of sixteen");
        let [pair]: [Fq2; 1] = hash_to_fq2(&[i], b"a tag of sixteen");
        assert_eq!([pair.c0, pair.c1], elements);
        for (bytes, element) in bytes.chunks(64).zip(elements) {
            let residue = BigUint::from_bytes_be(bytes) % &modulus;
            assert_eq!(BigUint::from_bytes_be(&element.to_be_bytes()), residue);
        }
    }
}
