//! Proving keys as JSON, and back.

use serde_json::Value;

use super::support::Workplace;

/// A workplace with `key.json`, of a key without contributions.
fn exported() -> Workplace {
    let place = Workplace::new();
    place.succeed("zkey export json mul.zkey key.json");
    place
}

#[test]
fn a_key_comes_back_from_json() {
    let place = Workplace::new();
    place.succeed("setup --dev mul.r1cs dev.zkey");
    place.succeed("zkey export json dev.zkey key.json");
    place.succeed("zkey import json key.json back.zkey");
    assert!(
        place.read("back.zkey") == place.read("dev.zkey"),
        "other bytes"
    );
    // JSON has no contributions: all else is there again, and makes the same proofs.
    place.copy_fixture("bls12_381/contributed.zkey", "other.zkey");
    for key in ["contributed", "other"] {
        place.succeed(&format!("zkey export json {key}.zkey first.json --force"));
        let ending = place.succeed("zkey import json first.json back.zkey --force --json");
        let curve = if key == "other" { "bls12381" } else { "bn128" };
        assert_eq!(ending.json()["curve"], curve);
        place.succeed("zkey export json back.zkey second.json --force");
        assert!(
            place.read("first.json") == place.read("second.json"),
            "{key}"
        );
        let found = place.succeed("inspect back.zkey --json").json();
        assert_eq!(found["contributions"], Value::Array(vec![]), "{key}");
    }
    place.succeed("zkey export json contributed.zkey first.json --force");
    place.succeed("zkey import json first.json back.zkey --force");
    place.succeed("prove back.zkey mul.wtns n.json s.json --no-zk");
    place.succeed("prove contributed.zkey mul.wtns m.json s.json --no-zk --force");
    assert!(
        place.read("n.json") == place.read("m.json"),
        "another proof"
    );
}

/// The JSON of a small key with one value changed.
fn changed(place: &Workplace, change: impl FnOnce(&mut Value)) -> String {
    let text = String::from_utf8(place.read("key.json")).expect("it is text");
    let mut json: Value = serde_json::from_str(&text).expect("it is JSON");
    change(&mut json);
    json.to_string()
}

#[test]
fn json_that_is_no_key_is_refused_with_its_place() {
    let place = exported();
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 20] = [
        ("$.A[2]", |json| json["A"][2] = "x".into()),
        ("$.A", |json| {
            json["A"].as_array_mut().expect("a list").pop();
        }),
        ("$.hExps[4]", |json| {
            let list = json["hExps"].as_array_mut().expect("a list");
            list.push(list[0].clone());
        }),
        ("$.A[1]", |json| {
            json["A"][1] = json["vk_alpha_1"]
                .clone()
                .as_array()
                .map_or(Value::Null, |point| {
                    Value::Array(vec![point[1].clone(), point[0].clone(), point[2].clone()])
                })
        }),
        ("$.B2[0]", |json| json["B2"][0] = json["A"][0].clone()),
        ("$.C[0]", |json| json["C"][0] = json["A"][0].clone()),
        ("$.IC", |json| json["IC"] = 5.into()),
        ("$.ccoefs[0].constraint", |json| {
            json["ccoefs"][0]["constraint"] = 4.into()
        }),
        ("$.ccoefs[0].signal", |json| {
            json["ccoefs"][0]["signal"] = (1_u64 << 32).into()
        }),
        ("$.ccoefs[1].matrix", |json| {
            json["ccoefs"][1]["matrix"] = 2.into()
        }),
        ("$.ccoefs[1].value", |json| {
            json["ccoefs"][1]["value"] = 1.into()
        }),
        ("$.ccoefs", |json| json["ccoefs"] = Value::Null),
        ("$.vk_delta_1", |json| {
            json["vk_delta_1"] = serde_json::json!(["0", "1", "0"])
        }),
        ("$.vk_beta_2", |json| {
            json["vk_beta_2"] = json["vk_beta_1"].clone()
        }),
        ("$.nPublic", |json| json["nPublic"] = json["nVars"].clone()),
        ("$.domainSize", |json| json["domainSize"] = 3.into()),
        ("$.nVars", |json| json["nVars"] = (-1).into()),
        ("$.protocol", |json| json["protocol"] = "groth17".into()),
        ("$.q", |json| json["q"] = json["r"].clone()),
        ("$.r", |json| json["r"] = "7".into()),
    ];
    for (path, change) in changes {
        place.write("bad.json", changed(&place, change));
        let ending = place.end_with(2, "zkey import json bad.json n.zkey");
        let told = ending.stderr.contains(&format!("at {path}"));
        assert!(
            told && ending.stderr.contains("bad.json"),
            "{path}: {}",
            ending.stderr
        );
        assert!(
            !place.names().contains(&"n.zkey".to_owned()),
            "{path}: a key is written"
        );
    }
    for (text, words) in [
        ("", "JSON"),
        ("{", "bad.json"),
        ("[]", "bad.json"),
        ("{}", "$.protocol"),
        (r#"{"r": "1", "r": "2"}"#, "r is there twice"),
        ("{}{}", "trailing"),
    ] {
        place.write("bad.json", text);
        let ending = place.end_with(2, "zkey import json bad.json n.zkey");
        assert!(ending.stderr.contains(words), "{text}: {}", ending.stderr);
    }
    let ending = place.end_with(2, "zkey import json mul.zkey n.zkey");
    assert!(
        ending.stderr.contains("mul.zkey is a proving key"),
        "{}",
        ending.stderr
    );
    assert!(!place.names().contains(&"n.zkey".to_owned()));
}
