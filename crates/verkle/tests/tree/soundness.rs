//! Witnesses with a change anywhere are refused, with an error that names the place or as false; none of them panics.

use crate::committer;
use crate::vectors::{array, read};
use crate::witnesses::{parse, post_root};
use frumious_verkle::Verifier;
use frumious_verkle::tree::{ExecutionWitness, Place, Problem, Tree, TreeError};
use serde_json::{Value as Json, json};

/// A witness with all kinds of absence, and its root: stems at depths 1 and 2, one with both halves, other stems.
fn example() -> (Json, [u8; 32]) {
    let (json, tree) = example_of_tree();
    (json, tree.root_bytes())
}

fn example_of_tree() -> (Json, Tree) {
    let stem = |bytes: [u8; 3], suffix: u8| -> [u8; 32] {
        core::array::from_fn(|i| match i {
            0..3 => bytes[i],
            31 => suffix,
            _ => 9,
        })
    };
    let entries = [
        (stem([1, 1, 0], 0), [1; 32]),
        (stem([1, 1, 0], 200), [2; 32]),
        (stem([1, 2, 0], 3), [3; 32]),
        (stem([5, 0, 0], 4), [4; 32]),
        (stem([6, 0, 0], 5), [5; 32]),
    ];
    let tree = Tree::from_entries(committer(), &entries);
    let accesses = [
        (stem([1, 1, 0], 0), Some([7; 32])), // present
        (stem([1, 1, 0], 1), None),          // present stem, absent suffix
        (stem([1, 1, 0], 200), None),
        (stem([1, 2, 5], 3), Some([8; 32])), // other stem, not among the keys
        (stem([1, 9, 0], 0), None),          // empty, depth 2
        (stem([5, 0, 0], 4), None),
        (stem([5, 0, 1], 4), None), // other stem, among the keys
        (stem([6, 1, 1], 0), None), // other stem, not among the keys
        (stem([6, 1, 1], 1), None),
        (stem([9, 0, 0], 0), Some([6; 32])), // empty, depth 1
    ];
    let prover = &mut frumious_verkle::Prover::new(committer());
    let witness = ExecutionWitness::new(prover, &tree, &accesses).expect("a whole tree");
    let json = serde_json::from_str(&witness.to_json()).expect("JSON");
    (json, tree)
}

fn refused(json: &Json, root: &[u8; 32]) -> Result<bool, TreeError> {
    let witness = parse(json)?;
    let is_true = witness.verify(&mut Verifier::new(committer()), root)?;
    assert_eq!(post_root(&witness, root)?.is_some(), is_true);
    Ok(is_true)
}

/// The paths of all values in a document.
fn leaves(json: &Json, path: &str, found: &mut Vec<String>) {
    match json {
        Json::Object(object) => {
            for (key, value) in object {
                leaves(value, &format!("{path}/{key}"), found);
            }
        }
        Json::Array(array) => {
            for (i, value) in array.iter().enumerate() {
                leaves(value, &format!("{path}/{i}"), found);
            }
        }
        _ => found.push(path.into()),
    }
}

/// Values of the proof, changed in some ways each, make it false.
#[test]
fn every_changed_value_of_a_proof_is_refused() {
    let mut cases = vec![example()];
    for file in ["witness_valid_block_1.json", "witness_valid_block_72.json"] {
        if let Some(vector) = read(file) {
            let witness = vector["executionWitness"].clone();
            cases.push((witness, array(&vector["pre_state_root"])));
        }
    }
    for (original, root) in cases {
        assert_eq!(refused(&original, &root), Ok(true));
        for (path, json) in changed(&original, "/verkleProof") {
            assert_ne!(refused(&json, &root), Ok(true), "{path}");
        }
    }
}

/// Changed values of the statement are refused unless the statement is still true: absent stems have absent neighbours.
#[test]
fn every_changed_value_of_a_statement_is_refused() {
    let (original, tree) = example_of_tree();
    let root = tree.root_bytes();
    let post_root = |json: &Json| post_root(&parse(json)?, &root);
    let (mut still_true, mut refusals) = (0, 0);
    for (path, json) in changed(&original, "/stateDiff") {
        let result = refused(&json, &root);
        if path.ends_with("newValue") {
            // Not proven: it only decides on the root after the block.
            assert!(
                result.is_err() || post_root(&json) != post_root(&original),
                "{path}"
            );
        } else if result == Ok(true) {
            let entries = parse(&json).expect("well-formed").current_values();
            assert!(
                entries
                    .iter()
                    .all(|(key, value)| tree.get(key) == Ok(*value)),
                "{path}"
            );
            still_true += 1;
        } else {
            refusals += 1;
        }
    }
    assert!(still_true > 0 && refusals > 150, "{still_true}, {refusals}");
}

/// The document with each value below `part` changed.
fn changed(original: &Json, part: &str) -> Vec<(String, Json)> {
    let mut paths = Vec::new();
    leaves(&original[&part[1..]], part, &mut paths);
    assert!(paths.len() > 2);
    let mut found = Vec::new();
    for path in paths {
        for wrong in mutations(original.pointer(&path).expect("a path of it")) {
            let mut json = original.clone();
            *json.pointer_mut(&path).expect("a path of it") = wrong;
            found.push((path.clone(), json));
        }
    }
    found
}

fn mutations(value: &Json) -> Vec<Json> {
    match value {
        Json::String(text) => {
            let flipped = |place: usize| {
                let mut bytes = text.clone().into_bytes();
                bytes[place] = if bytes[place] == b'1' { b'2' } else { b'1' };
                json!(String::from_utf8(bytes).expect("ASCII"))
            };
            let digits = &text[2..];
            vec![
                flipped(2),
                flipped(text.len() / 2),
                flipped(text.len() - 1),
                json!(format!("0x{}", "f".repeat(digits.len()))),
                json!(format!("0x{}", "0".repeat(digits.len()))),
                json!(format!("0x{}", &digits[2..])),
                json!(format!("{text}00")),
                json!(format!("{text}0")),
                json!("0x"),
                json!(""),
                json!(format!("0X{digits}")),
                json!(format!("0x{}é", &digits[2..])),
                json!(7),
                json!([text]),
            ]
        }
        Json::Number(_) => vec![
            json!(77),
            json!(255),
            json!(256),
            json!(-1),
            json!(0.5),
            json!("1"),
        ],
        Json::Null => vec![
            json!("0x".to_owned() + &"0".repeat(64)),
            json!("0x".to_owned() + &"7".repeat(64)),
            json!(0),
            json!(""),
        ],
        _ => unreachable!("leaves are no lists"),
    }
}

/// Each list shortened, with a repeated, a swapped and a foreign item, and without its key.
#[test]
fn every_changed_list_is_refused() {
    let (original, root) = example();
    let lists = [
        "/stateDiff",
        "/stateDiff/0/suffixDiffs",
        "/stateDiff/4/suffixDiffs",
        "/verkleProof/otherStems",
        "/verkleProof/commitmentsByPath",
        "/verkleProof/ipaProof/cl",
        "/verkleProof/ipaProof/cr",
    ];
    for path in lists {
        let list = original
            .pointer(path)
            .and_then(Json::as_array)
            .expect("a list");
        let n = list.len();
        let mut changed = vec![Vec::new()];
        for i in 0..n {
            let without = [&list[..i], &list[i + 1..]].concat();
            let twice = [&list[..=i], &list[i..]].concat();
            let mut swapped = list.clone();
            swapped.swap(i, (i + 1) % n);
            changed.extend([without, twice]);
            if swapped != *list {
                changed.push(swapped);
            }
        }
        changed.push([list.as_slice(), list].concat());
        for list in changed {
            let mut json = original.clone();
            *json.pointer_mut(path).expect("a path of it") = json!(list);
            let result = refused(&json, &root);
            assert_ne!(result, Ok(true), "{path}: {} of {n} items", list.len());
        }
    }
}

/// Broken rules, and the place that the error names.
#[test]
fn errors_name_the_place() {
    let (original, root) = example();
    let stem = |i: usize| original["stateDiff"][i]["stem"].clone();
    let zeros = json!("0x".to_owned() + &"0".repeat(64));
    let all = json!("0x".to_owned() + &"f".repeat(64));
    let cases = [
        ("/stateDiff/1/stem", stem(0), "stateDiff[1].stem"),
        ("/stateDiff/3/stem", stem(5), "stateDiff[4].stem"),
        (
            "/stateDiff/0/suffixDiffs/1/suffix",
            json!(0),
            "stateDiff[0].suffixDiffs[1].suffix",
        ),
        (
            "/stateDiff/2/suffixDiffs",
            json!([]),
            "stateDiff[2].suffixDiffs",
        ),
        (
            "/stateDiff/5/suffixDiffs/1/currentValue",
            zeros.clone(),
            "stateDiff[5].suffixDiffs[1].currentValue",
        ),
        (
            "/stateDiff/0/suffixDiffs/2/newValue",
            json!("0x12"),
            "stateDiff[0].suffixDiffs[2].newValue",
        ),
        (
            "/stateDiff/0/suffixDiffs/2/currentValue",
            json!("zz"),
            "stateDiff[0].suffixDiffs[2].currentValue",
        ),
        // Status bytes of the example: depth 2 present, other, empty; depth 1 present, other, other, empty.
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x1211100a0909"),
            "depthExtensionPresent: 6 given, 7 expected",
        ),
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x1311100a090908"),
            "depthExtensionPresent, byte 0",
        ),
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x1211100a090900"),
            "depthExtensionPresent, byte 6",
        ),
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x1211100a09090c"),
            "depthExtensionPresent, byte 6",
        ),
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x12110a0a090908"),
            "depthExtensionPresent, byte 2",
        ),
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x121110080909 8"),
            "depthExtensionPresent",
        ),
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x12111008090908"),
            "stateDiff[3].suffixDiffs[0].currentValue",
        ),
        (
            "/verkleProof/depthExtensionPresent",
            json!("0x120910 0a090908".replace(' ', "")),
            "depthExtensionPresent, byte 1",
        ),
        ("/verkleProof/otherStems/0", stem(1), "otherStems[0]"),
        ("/verkleProof/otherStems/1", stem(5), "otherStems[1]"),
        (
            "/verkleProof/otherStems/1",
            original["verkleProof"]["otherStems"][0].clone(),
            "otherStems[1]",
        ),
        (
            "/verkleProof/otherStems",
            json!([original["verkleProof"]["otherStems"][0]]),
            "depthExtensionPresent, byte 5",
        ),
        (
            "/verkleProof/otherStems",
            json!([
                original["verkleProof"]["otherStems"][0],
                original["verkleProof"]["otherStems"][1],
                "0x".to_owned() + &"ee".repeat(31)
            ]),
            "otherStems[2]",
        ),
        (
            "/verkleProof/commitmentsByPath/0",
            zeros,
            "commitmentsByPath[0]",
        ),
        (
            "/verkleProof/commitmentsByPath/3",
            all.clone(),
            "commitmentsByPath[3]",
        ),
        ("/verkleProof/d", all.clone(), "verkleProof.d"),
        ("/verkleProof/ipaProof/cl/7", all.clone(), "ipaProof.cl[7]"),
        ("/verkleProof/ipaProof/cr/0", all.clone(), "ipaProof.cr[0]"),
        (
            "/verkleProof/ipaProof/cr",
            json!([]),
            "ipaProof.cr: 0 given, 8 expected",
        ),
        (
            "/verkleProof/ipaProof/finalEvaluation",
            all,
            "finalEvaluation",
        ),
        ("/verkleProof/ipaProof/finalEvaluation", json!(5), "line 1"),
    ];
    let mut failures = Vec::new();
    for (path, wrong, expected) in cases {
        let mut json = original.clone();
        *json.pointer_mut(path).expect("a path of it") = wrong.clone();
        let found = refused(&json, &root).map_err(|error| error.to_string());
        if !found.as_ref().is_err_and(|error| error.contains(expected)) {
            failures.push(format!("{path} = {wrong}: {found:?} lacks {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_root_must_be_an_element() {
    let witness = parse(&example().0).expect("well-formed");
    let found = witness.verify(&mut Verifier::new(committer()), &[0xff; 32]);
    let is_named =
        |place, problem: &Problem| place == Place::Root && matches!(problem, Problem::Element(_));
    assert!(
        matches!(found, Err(TreeError::Malformed { place, problem }) if is_named(place, &problem))
    );
    assert_eq!(
        witness.verify(&mut Verifier::new(committer()), &[0; 32]),
        Ok(false)
    );
}

#[test]
fn text_that_is_no_witness() {
    let texts: [&[u8]; 8] = [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"{\"stateDiff\":[]}",
        b"\xff\xfe",
        b"{\"stateDiff\":[],\"stateDiff\":[]}",
        &b"[".repeat(100_000),
    ];
    for text in texts {
        let found = ExecutionWitness::from_json(text);
        assert!(matches!(found, Err(TreeError::Json { .. })), "{found:?}");
    }
    let (mut json, root) = example();
    json["stateDiff"] = json!([]);
    json["verkleProof"]["depthExtensionPresent"] = json!("0x");
    json["verkleProof"]["otherStems"] = json!([]);
    json["verkleProof"]["commitmentsByPath"] = json!([]);
    assert_eq!(refused(&json, &root), Err(TreeError::NoKeys));
}

#[test]
fn hexadecimal_with_and_without_prefix_in_either_case() {
    let (original, root) = example();
    let mut json = original.clone();
    for i in 0..original["stateDiff"].as_array().map_or(0, Vec::len) {
        let stem = &mut json["stateDiff"][i]["stem"];
        *stem = json!(stem.as_str().expect("a string")[2..].to_uppercase());
    }
    json["comment"] = json!({"clients": ["add", "keys"]});
    // A value that is not there may be left out.
    let diff = json["stateDiff"][1]["suffixDiffs"][0]
        .as_object_mut()
        .expect("an object");
    assert_eq!(diff.remove("currentValue"), Some(Json::Null));
    assert_eq!(refused(&json, &root), Ok(true));
    assert_eq!(parse(&json), parse(&original));
}
