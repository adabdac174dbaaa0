//! Nodes of a Verkle tree passed off as others: SECURITY.md, "Untrusted input".
//!
//! The forgeries are those of `crates/verkle/tests/tree/forgeries.rs`, which makes them and compares them with the
//! files.

use serde_json::Value;

use crate::support::Workplace;

const VALUE: &str = include_str!("../../../verkle/tests/data/forged_value.json");
const ABSENCE: &str = include_str!("../../../verkle/tests/data/forged_absence.json");

/// A folder with a forgery, and the command that verifies it.
fn with(forgery: &str) -> (Workplace, String) {
    let place = Workplace::new();
    place.write("block.json", forgery);
    let block: Value = serde_json::from_str(forgery).expect("it is JSON");
    let root = block["pre_state_root"].as_str().expect("a string");
    let line = format!("verkle witness verify block.json {root}");
    (place, line)
}

/// A value at a key that the tree does not have, below the leaf of a stem that was chosen. And a present key, told
/// absent.
#[test]
fn leaves_passed_off_as_inner_nodes_are_refused_over_any_keys() {
    for forgery in [VALUE, ABSENCE] {
        let (place, line) = with(forgery);
        let ending = place.end_with(2, &format!("{line} --any-keys"));
        assert_eq!(ending.stdout, "");
        assert_eq!(
            ending.stderr,
            "error: block.json: verkleProof.commitmentsByPath[0]: may be a leaf passed off as an inner node, as nothing opened of \
             it tells them apart (which matters unless all keys are hashes)\n"
        );
    }
}

/// Under EIP-6800 the first would cost 2^124 hashes; the second is what the format does not show. `--help` says so.
#[test]
fn what_the_format_takes_is_told() {
    for forgery in [VALUE, ABSENCE] {
        let (place, line) = with(forgery);
        place.succeed(&line);
    }
    let help = Workplace::new()
        .succeed("verkle witness verify --help")
        .stdout;
    for words in [
        "which are hashes",
        "as absent that are there",
        "--any-keys refuses",
    ] {
        assert!(help.contains(words), "{words}: {help}");
    }
}
