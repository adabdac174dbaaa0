//! The binary form of proofs, and proofs that ask for too much.

use crate::proofs::{prove, shown, some_keys, verify};
use crate::vectors::{bytes, list, read};
use crate::witnesses::parse;
use crate::{Random, committer};
use frumious_curves::bandersnatch::{AffineElement, Element};
use frumious_verkle::tree::{
    Key, Place, Presence, Problem, StemStatus, Tree, TreeError, Value, VerkleProof,
};

#[test]
fn binary_form_refuses_what_is_broken() {
    let tree = Tree::from_entries(committer(), &Random(15).entries(30));
    let bytes = prove(&tree, &[[3; 32], [4; 32]]).to_bytes();
    let place = |bytes: &[u8]| match VerkleProof::from_bytes(bytes) {
        Err(TreeError::Malformed {
            place: Place::Byte(offset),
            problem,
        }) => (offset, problem),
        found => panic!("{found:?}"),
    };
    for length in 0..bytes.len() {
        let (_, problem) = place(&bytes[..length]);
        assert!(
            matches!(problem, Problem::Truncated { .. }),
            "{length}: {problem:?}"
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(place(&longer), (bytes.len(), Problem::Trailing(1)));
    // Counts that no memory has.
    let mut huge = bytes.clone();
    huge[..4].fill(0xff);
    let limit = 1 << 16;
    let found = u32::MAX as usize;
    assert_eq!(place(&huge), (0, Problem::TooMany { limit, found }));
    let mut many = bytes.clone();
    many[..4].copy_from_slice(&[0, 0, 1, 0]);
    assert!(matches!(place(&many), (4, Problem::Truncated { .. })));
    // The last scalar and the last point, not canonical.
    let mut scalar = bytes.clone();
    let offset = bytes.len() - 32;
    scalar[offset..].fill(0xff);
    assert_eq!(place(&scalar), (offset, Problem::Scalar));
    let mut point = bytes;
    point[offset - 32..offset].fill(0xff);
    assert!(matches!(place(&point), (o, Problem::Element(_)) if o == offset - 32));
}

/// The layout, from the fields of a witness in JSON (`verkle-trie/src/proof.rs` of rust-verkle, `VerkleProof::write`).
#[test]
fn binary_form_by_hand() {
    let Some(vector) = read("witness_valid_block_1.json") else {
        return;
    };
    let witness = parse(&vector["executionWitness"]).expect("well-formed");
    let proof = &vector["executionWitness"]["verkleProof"];
    let ipa = &proof["ipaProof"];
    let mut expected = vec![1, 0, 0, 0];
    expected.extend(bytes(&proof["otherStems"][0]));
    expected.extend([1, 0, 0, 0, 0x09, 1, 0, 0, 0]);
    expected.extend(bytes(&proof["commitmentsByPath"][0]));
    expected.extend(bytes(&proof["d"]));
    let terms = list(&ipa["cl"]).iter().chain(list(&ipa["cr"]));
    expected.extend(terms.flat_map(bytes));
    expected.extend(bytes(&ipa["finalEvaluation"]).iter().rev());
    assert!(witness.proof.to_bytes() == expected);
    assert_eq!(VerkleProof::from_bytes(&expected), Ok(witness.proof));
}

#[test]
fn every_changed_byte_is_refused() {
    let mut random = Random(16);
    let entries = random.entries(40);
    let tree = Tree::from_entries(committer(), &entries);
    let keys = some_keys(&mut random, &entries, 6);
    let shown = shown(&tree, &keys);
    let bytes = prove(&tree, &keys).to_bytes();
    assert_eq!(check(&bytes, &tree, &shown), Ok(true));
    for place in 0..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1 << random.below(8);
        assert_ne!(check(&wrong, &tree, &shown), Ok(true), "byte {place}");
    }
}

fn check(bytes: &[u8], tree: &Tree, shown: &[(Key, Option<Value>)]) -> Result<bool, TreeError> {
    verify(&VerkleProof::from_bytes(bytes)?, &tree.root(), shown)
}

/// Statuses that speak of more nodes than there are commitments are refused before the nodes are made.
#[test]
fn proofs_cannot_ask_for_memory() {
    let mut proof = prove(&Tree::new(), &[[0; 32]]);
    let entries = |stems: u32| -> Vec<(Key, Option<Value>)> {
        let key = |i: u32| core::array::from_fn(|j| i.to_be_bytes().get(j).copied().unwrap_or(0));
        (0..stems).map(|i| (key(i << 8), None)).collect()
    };
    let deep = StemStatus::new(Presence::AbsentEmpty, 31).expect("a depth");
    proof.statuses = vec![deep; 1 << 16];
    proof.commitments = vec![AffineElement::GENERATOR; 40];
    let error = |place, problem| Err(TreeError::Malformed { place, problem });
    let (expected, found) = (41, 40);
    assert_eq!(
        verify(&proof, &Element::IDENTITY, &entries(1 << 16)),
        error(Place::Commitments, Problem::Count { expected, found })
    );
    let (limit, found) = (1 << 16, (1 << 16) + 1);
    assert_eq!(
        verify(&proof, &Element::IDENTITY, &entries(found as u32)),
        error(Place::StateDiff, Problem::TooMany { limit, found })
    );
    proof.statuses.truncate(1);
    let (limit, found) = (33, 40);
    assert_eq!(
        verify(&proof, &Element::IDENTITY, &entries(1)),
        error(Place::Commitments, Problem::TooMany { limit, found })
    );
}
