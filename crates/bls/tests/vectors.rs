//! The vectors of Ethereum (`vectors/bls`), and those of EIP-2333 for keys.

use frumious_bls::{Error, PublicKey, SecretKey, Signature};
use frumious_curves::bls12_381::G1Affine;
use frumious_testing::hex::bytes as hex;
use serde_json::Value;

/// The cases in a folder of `vectors/bls`, by name; none if it is not there.
fn cases(folder: &str, count: usize) -> Vec<(String, Value)> {
    let Some(folder) = frumious_testing::shared(format!("vectors/bls/{folder}")) else {
        return vec![];
    };
    let cases = std::fs::read_dir(folder).expect("a folder").map(|entry| {
        let entry = entry.expect("an entry");
        let text = std::fs::read(entry.path()).expect("a file");
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&text).expect("JSON"))
    });
    let cases: Vec<_> = cases.collect();
    assert_eq!(cases.len(), count);
    cases
}

fn bytes(value: &Value) -> Vec<u8> {
    hex(value.as_str().expect("text"))
}

#[test]
fn sign() {
    for (name, case) in cases("sign", 10) {
        let input = &case["input"];
        let key = SecretKey::from_bytes(&bytes(&input["privkey"]));
        if case["output"].is_null() {
            assert_eq!(key, Err(Error::SecretKeyRange), "{name}");
            continue;
        }
        let key = key.expect("a key");
        assert_eq!(key.to_bytes()[..], bytes(&input["privkey"]));
        let signature = key.sign(&bytes(&input["message"]));
        assert_eq!(signature.to_bytes()[..], bytes(&case["output"]), "{name}");
    }
}

#[test]
fn verify() {
    let mut verdicts = [0; 2];
    for (name, case) in cases("verify", 29) {
        let input = &case["input"];
        let key = PublicKey::from_bytes(&bytes(&input["pubkey"]));
        let signature = Signature::from_bytes(&bytes(&input["signature"]));
        let verdict = match (key, signature) {
            (Ok(key), Ok(signature)) => key.verify(&bytes(&input["message"]), &signature),
            _ => false,
        };
        assert_eq!(Some(verdict), case["output"].as_bool(), "{name}");
        verdicts[usize::from(verdict)] += 1;
    }
    assert!(verdicts == [0, 0] || (verdicts[0] > 9 && verdicts[1] > 9));
}

#[test]
fn aggregate() {
    for (name, case) in cases("aggregate", 6) {
        let signatures = case["input"].as_array().expect("a list").iter();
        let signatures: Vec<Signature> = signatures
            .map(|signature| Signature::from_bytes(&bytes(signature)).expect("a signature"))
            .collect();
        let aggregate = Signature::aggregate(&signatures);
        if case["output"].is_null() {
            assert_eq!(aggregate, Err(Error::NoSignatures), "{name}");
        } else {
            let aggregate = aggregate.expect("an aggregate");
            assert_eq!(aggregate.to_bytes()[..], bytes(&case["output"]), "{name}");
        }
    }
}

/// These are of points, among which infinity is one; a key it is not.
#[test]
fn decoding() {
    for (name, case) in cases("deserialization_G1", 13) {
        let encoding = bytes(&case["input"]["pubkey"]);
        let point = <&[u8; 48]>::try_from(&encoding[..]).map(G1Affine::from_compressed);
        let expected = case["output"].as_bool().expect("true or false");
        assert_eq!(matches!(point, Ok(Ok(_))), expected, "{name}");
        let key = PublicKey::from_bytes(&encoding);
        if name.contains("succeeds_infinity") {
            assert_eq!(key, Err(Error::InfinitePublicKey));
        } else {
            assert_eq!(key.is_ok(), expected, "{name}");
        }
        if let Ok(key) = key {
            assert_eq!(key.to_bytes()[..], encoding);
        }
    }
}

/// The master keys of EIP-2333's test cases 0 to 3.
#[test]
fn key_generation() {
    for (seed, key) in [
        (
            "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04",
            "6083874454709270928345386274498605044986640685124978867557563392430687146096",
        ),
        (
            "3141592653589793238462643383279502884197169399375105820974944592",
            "29757020647961307431480504535336562678282505419141012933316116377660817309383",
        ),
        (
            "0099FF991111002299DD7744EE3355BBDD8844115566CC55663355668888CC00",
            "27580842291869792442942448775674722299803720648445448686099262467207037398656",
        ),
        (
            "d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
            "19022158461524446591288038168518313374041767046816487870552872741050760015818",
        ),
    ] {
        let generated = SecretKey::generate(&hex(seed), b"").expect("enough bytes");
        let key: frumious_testing::num_bigint::BigUint = key.parse().expect("a number");
        assert_eq!(generated.to_bytes()[..], key.to_bytes_be());
    }
}
