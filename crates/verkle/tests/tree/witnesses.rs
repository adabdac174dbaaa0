//! Execution witnesses: those of test networks, and our own.

use crate::proofs::some_keys;
use crate::vectors::{array, read};
use crate::{Random, committer};
use frumious_verkle::tree::{ExecutionWitness, Key, Tree, TreeError, Value};
use frumious_verkle::{Prover, Verifier};
use serde_json::Value as Json;

pub fn parse(json: &Json) -> Result<ExecutionWitness, TreeError> {
    ExecutionWitness::from_json(json.to_string().as_bytes())
}

pub fn post_root(
    witness: &ExecutionWitness,
    pre_root: &[u8; 32],
) -> Result<Option<[u8; 32]>, TreeError> {
    witness.post_root(committer(), &mut Verifier::new(committer()), pre_root)
}

/// The root after block 1 by its witness, as go-verkle v0.2.2 computes it too. It is not the root in the block's
/// header: that network's witnesses did not yet have all that the first block wrote.
const AFTER_BLOCK_1: &str = "08d888db1a5f3f6f1a9e72f5fcfd508c4dd166de74c98e87462cba4b74710176";

#[test]
fn valid_blocks() {
    for file in ["witness_valid_block_1.json", "witness_valid_block_72.json"] {
        let Some(vector) = read(file) else { return };
        let witness = parse(&vector["executionWitness"]).expect("well-formed");
        let pre_root = array(&vector["pre_state_root"]);
        let verifier = &mut Verifier::new(committer());
        assert_eq!(witness.verify(verifier, &pre_root), Ok(true), "{file}");
        let state_root = &vector["header"]["stateRoot"];
        let expected: [u8; 32] = match file {
            "witness_valid_block_1.json" => array(&Json::from(AFTER_BLOCK_1)),
            _ => array(state_root),
        };
        assert_eq!(post_root(&witness, &pre_root), Ok(Some(expected)), "{file}");
        // Against another root, and another way round.
        assert_eq!(
            witness.verify(verifier, &array(state_root)),
            Ok(false),
            "{file}"
        );
        assert_eq!(post_root(&witness, &array(state_root)), Ok(None), "{file}");
        // What is read is written again, to the letter.
        assert_eq!(
            parse_text(&witness.to_json()),
            vector["executionWitness"],
            "{file}"
        );
    }
}

#[test]
fn invalid_block() {
    let Some(vector) = read("witness_invalid_block_72.json") else {
        return;
    };
    let witness = parse(&vector["executionWitness"]).expect("well-formed");
    let pre_root = array(&vector["pre_state_root"]);
    assert_eq!(
        witness.verify(&mut Verifier::new(committer()), &pre_root),
        Ok(false)
    );
}

/// Block 72 as another client serves it. It has no parent root of its own; it is the one of the vector above.
#[test]
fn block_of_another_client() {
    let (Some(vector), Some(valid)) = (
        read("ethjs_kaustinen6Block72.json"),
        read("witness_valid_block_72.json"),
    ) else {
        return;
    };
    let block = &vector["block"];
    let witness = parse(&block["executionWitness"]).expect("well-formed");
    let state_root: [u8; 32] = array(&block["header"]["stateRoot"]);
    let found = post_root(&witness, &array(&valid["pre_state_root"]));
    assert_eq!(found, Ok(Some(state_root)));
}

fn parse_text(text: &str) -> Json {
    serde_json::from_str(text).expect("JSON")
}

/// Accesses of keys of all kinds, a third of them written.
fn accesses(random: &mut Random, entries: &[(Key, Value)], n: usize) -> Vec<(Key, Option<Value>)> {
    let keys = some_keys(random, entries, n);
    let access = |key: &Key| (*key, (random.below(3) == 0).then(|| random.value()));
    keys.iter().map(access).collect()
}

#[test]
fn own_witnesses() {
    let mut random = Random(20);
    for (n, m) in [(0, 1), (0, 10), (1, 5), (30, 30), (400, 80)] {
        let entries = random.entries(n);
        let mut tree = Tree::from_entries(committer(), &entries);
        for _ in 0..3 {
            let accesses = accesses(&mut random, &entries, m);
            let prover = &mut Prover::new(committer());
            let witness = ExecutionWitness::new(prover, &tree, &accesses).expect("a whole tree");
            let pre_root = tree.root_bytes();
            let json = witness.to_json();
            assert_eq!(
                ExecutionWitness::from_json(json.as_bytes()),
                Ok(witness.clone())
            );

            let written: Vec<(Key, Value)> = accesses
                .iter()
                .enumerate()
                // Only the last access to a key counts, also when it does not write.
                .filter(|(i, access)| accesses[i + 1..].iter().all(|later| later.0 != access.0))
                .filter_map(|(_, (key, value))| Some((*key, (*value)?)))
                .collect();
            tree.update(committer(), &written).expect("a whole tree");
            let found = post_root(&witness, &pre_root);
            assert_eq!(
                found,
                Ok(Some(tree.root_bytes())),
                "{n} entries, {m} accesses"
            );
            let verifier = &mut Verifier::new(committer());
            let is_unchanged = tree.root_bytes() == pre_root;
            assert_eq!(
                witness.verify(verifier, &tree.root_bytes()),
                Ok(is_unchanged)
            );
        }
    }
}

#[test]
fn writing_what_is_there_is_reading() {
    let tree = Tree::from_entries(committer(), &[([1; 32], [2; 32])]);
    let accesses = [([1; 32], Some([2; 32]))];
    let witness = ExecutionWitness::new(&mut Prover::new(committer()), &tree, &accesses);
    let witness = witness.expect("a whole tree");
    assert_eq!(witness.new_values(), []);
    assert_eq!(witness.current_values(), [([1; 32], Some([2; 32]))]);
}

/// go-verkle refuses arrays where an object stands, and what serde derives for a struct takes them.
#[test]
fn objects_are_not_arrays() {
    let tree = Tree::from_entries(committer(), &[([1; 32], [2; 32])]);
    let accesses = [([1; 32], Some([3; 32]))];
    let witness = ExecutionWitness::new(&mut Prover::new(committer()), &tree, &accesses);
    let json = parse_text(&witness.expect("a whole tree").to_json());
    assert!(parse(&json).is_ok());
    let paths = [
        ("", ["stateDiff", "verkleProof"].as_slice()),
        ("/stateDiff/0", &["stem", "suffixDiffs"]),
        (
            "/stateDiff/0/suffixDiffs/0",
            &["suffix", "currentValue", "newValue"],
        ),
        (
            "/verkleProof",
            &[
                "otherStems",
                "depthExtensionPresent",
                "commitmentsByPath",
                "d",
                "ipaProof",
            ],
        ),
        ("/verkleProof/ipaProof", &["cl", "cr", "finalEvaluation"]),
    ];
    for (path, keys) in paths {
        let mut array = json.clone();
        let object = array.pointer_mut(path).expect("an object");
        *object = keys.iter().map(|key| object[key].clone()).collect();
        let Err(TreeError::Json { message, .. }) = parse(&array) else {
            panic!("an array at {path}");
        };
        assert_eq!(message, "invalid type: sequence, expected an object");
    }
}

#[test]
fn messages_are_short_whatever_the_text() {
    for unit in ["9", "é", "\u{1b}"] {
        let text = Json::from(unit.repeat(100_000)).to_string();
        let Err(TreeError::Json { message, .. }) = ExecutionWitness::from_json(text.as_bytes())
        else {
            panic!("a string");
        };
        assert!(message.starts_with("invalid type: string"), "{message}");
        assert!(message.chars().count() <= 201, "{message}");
    }
}
