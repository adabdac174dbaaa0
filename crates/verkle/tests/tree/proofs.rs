//! Proofs of many keys: they verify, against this root and these values only.

use crate::{Random, committer};
use frumious_curves::bandersnatch::Element;
use frumious_verkle::tree::{
    HashedKey, Key, Place, Presence, Problem, Tree, TreeError, Value, VerkleProof,
};
use frumious_verkle::{Prover, Verifier};

pub fn prove(tree: &Tree, keys: &[Key]) -> VerkleProof {
    tree.prove(&mut Prover::new(committer()), keys)
        .expect("keys of a whole tree")
}

pub fn verify(
    proof: &VerkleProof,
    root: &Element,
    entries: &[(Key, Option<Value>)],
) -> Result<bool, TreeError> {
    proof.verify(&mut Verifier::new(committer()), root, entries)
}

/// As if all keys were hashes.
pub fn verify_hashed(
    proof: &VerkleProof,
    root: &Element,
    entries: &[(Key, Option<Value>)],
) -> Result<bool, TreeError> {
    let verifier = &mut Verifier::new(committer());
    proof.verify_hashed(verifier, root, &hashed(entries))
}

fn hashed(entries: &[(Key, Option<Value>)]) -> Vec<(HashedKey, Option<Value>)> {
    let hashed = |(key, value): &(Key, _)| (HashedKey::assume_hashed(*key), *value);
    entries.iter().map(hashed).collect()
}

/// The keys, ascending and once each, with what the tree has there.
pub fn shown(tree: &Tree, keys: &[Key]) -> Vec<(Key, Option<Value>)> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    let value = |key: &Key| tree.get(key).expect("a whole tree");
    keys.iter().map(|key| (*key, value(key))).collect()
}

/// Keys of which about half are in the tree, some are other suffixes of its stems, some near its stems, some anywhere.
pub fn some_keys(random: &mut Random, entries: &[(Key, Value)], n: usize) -> Vec<Key> {
    (0..n)
        .map(|_| {
            let mut key = random.key();
            if entries.is_empty() {
                return key;
            }
            let known = entries[random.below(entries.len())].0;
            match random.below(5) {
                0 | 1 => known,
                2 => core::array::from_fn(|i| if i < 31 { known[i] } else { key[31] }),
                3 => {
                    let place = random.below(31);
                    key[..place].copy_from_slice(&known[..place]);
                    key
                }
                _ => key,
            }
        })
        .collect()
}

#[test]
fn random_proofs() {
    let mut random = Random(10);
    let mut presences = [0; 3];
    for (n, m) in [
        (0, 1),
        (0, 5),
        (1, 1),
        (1, 6),
        (5, 5),
        (40, 30),
        (300, 100),
        (300, 1),
    ] {
        let entries = random.entries(n);
        let tree = Tree::from_entries(committer(), &entries);
        let other_root = Tree::from_entries(committer(), &random.entries(n + 1)).root();
        let keys = some_keys(&mut random, &entries, m);
        let proof = prove(&tree, &keys);
        for status in &proof.statuses {
            presences[status.presence() as usize] += 1;
        }
        let shown = shown(&tree, &keys);
        assert_eq!(
            verify_hashed(&proof, &tree.root(), &shown),
            Ok(true),
            "{n} entries, {m} keys"
        );
        assert_eq!(
            verify_hashed(&proof, &other_root, &shown),
            Ok(false),
            "{n} entries, {m} keys"
        );
        assert_eq!(
            VerkleProof::from_bytes(&proof.to_bytes()),
            Ok(proof.clone())
        );
        wrong_values(&mut random, &tree, &proof, &shown);
        of_any_keys(&tree, &keys);
    }
    assert!(presences.iter().all(|&count| count > 10), "{presences:?}");
}

/// Each changed value is refused.
fn wrong_values(
    random: &mut Random,
    tree: &Tree,
    proof: &VerkleProof,
    shown: &[(Key, Option<Value>)],
) {
    for _ in 0..3 {
        let i = random.below(shown.len());
        let mut wrong = shown.to_vec();
        wrong[i].1 = match wrong[i].1 {
            Some(mut value) if random.below(2) == 0 => {
                value[random.below(32)] ^= 1 << random.below(8);
                Some(value)
            }
            Some(_) => None,
            None => Some([0; 32]),
        };
        let found = verify_hashed(proof, &tree.root(), &wrong);
        let of_absent = |error: &TreeError| {
            matches!(
                error,
                TreeError::Malformed {
                    problem: Problem::ValueOfAbsent,
                    ..
                }
            )
        };
        let is_refused = found.as_ref().map_or_else(of_absent, |is_true| !is_true);
        assert!(is_refused, "{found:?}");
    }
}

/// An honest proof over any keys: taken, unless in doubt; and with the keys that leave no doubt, taken always. Returns
/// whether in doubt.
fn of_any_keys(tree: &Tree, keys: &[Key]) -> bool {
    let more = tree.unambiguous_keys(keys).expect("a whole tree");
    let added = more.iter().filter(|key| !keys.contains(key)).count();
    assert!(keys.iter().all(|key| more.contains(key)) && more.is_sorted());
    assert_eq!(tree.unambiguous_keys(&more).as_ref(), Ok(&more));
    let found = verify(&prove(tree, keys), &tree.root(), &shown(tree, keys));
    let is_ambiguous = |error: &TreeError| {
        matches!(
            error,
            TreeError::Malformed {
                problem: Problem::Ambiguous,
                ..
            }
        )
    };
    let in_doubt = found.as_ref().is_err_and(is_ambiguous);
    assert!(in_doubt || found == Ok(true), "{found:?}");
    assert_eq!(in_doubt, added > 0);
    if in_doubt {
        let found = verify(&prove(tree, &more), &tree.root(), &shown(tree, &more));
        assert_eq!(found, Ok(true));
    }
    in_doubt
}

/// Proofs of one key leave the least to tell nodes by: only absences in empty places do not.
#[test]
fn honest_proofs_over_any_keys() {
    let mut random = Random(15);
    let entries = random.entries(300);
    let tree = Tree::from_entries(committer(), &entries);
    let mut doubts = 0;
    for key in some_keys(&mut random, &entries, 60) {
        let is_empty = prove(&tree, &[key]).statuses[0].presence() == Presence::AbsentEmpty;
        let in_doubt = of_any_keys(&tree, &[key]);
        assert!(is_empty || !in_doubt, "{key:02x?}");
        doubts += usize::from(in_doubt);
    }
    assert!(doubts > 5, "{doubts}");
}

/// Two stems that differ in their last byte only: the leaves are 31 levels below the root.
#[test]
fn the_longest_paths() {
    let (mut a, mut b, mut c) = ([7; 32], [7; 32], [7; 32]);
    (a[30], b[30], c[30]) = (0, 255, 3);
    let tree = Tree::from_entries(committer(), &[(a, [1; 32]), (b, [2; 32])]);
    let keys = [a, b, c];
    let proof = prove(&tree, &keys);
    let statuses: Vec<(Presence, usize)> = proof
        .statuses
        .iter()
        .map(|status| (status.presence(), status.depth()))
        .collect();
    let (present, absent) = (Presence::Present, Presence::AbsentEmpty);
    assert_eq!(statuses, [(present, 31), (absent, 31), (present, 31)]);
    assert_eq!(proof.commitments.len(), 30 + 2 + 2);
    let entries = [(a, Some([1; 32])), (c, None), (b, Some([2; 32]))];
    assert_eq!(verify(&proof, &tree.root(), &entries), Ok(true));
    // The part of the tree can be written to: the absent stem, and one that splits a leaf cannot be there.
    let part = proof.open(&mut Verifier::new(committer()), &tree.root(), &entries);
    let mut part = part.expect("well-formed").expect("true");
    part.update(committer(), &[(c, [3; 32])]).expect("covered");
    let whole = [(a, [1; 32]), (b, [2; 32]), (c, [3; 32])];
    assert_eq!(part.root(), Tree::from_entries(committer(), &whole).root());
}

#[test]
fn part_of_a_tree_knows_what_it_does_not_know() {
    let mut random = Random(11);
    let entries = random.entries(100);
    let tree = Tree::from_entries(committer(), &entries);
    let keys = some_keys(&mut random, &entries, 20);
    let shown = shown(&tree, &keys);
    let verifier = &mut Verifier::new(committer());
    let part = prove(&tree, &keys).open_hashed(verifier, &tree.root(), &hashed(&shown));
    let mut part = part.expect("well-formed").expect("true");
    let mut unknown = 0;
    for (key, value) in entries.iter().chain(&random.entries(100)) {
        match part.get(key) {
            Ok(found) => assert_eq!(Ok(found), tree.get(key)),
            Err(error) => {
                assert_eq!(error, TreeError::NotCovered { key: *key });
                // Nothing is written, not even the keys that are covered.
                let before = part.root();
                let update = part.update(committer(), &[(shown[0].0, [9; 32]), (*key, *value)]);
                assert_eq!(update, Err(error));
                assert_eq!(part.get(&shown[0].0), Ok(shown[0].1));
                assert_eq!(part.root(), before);
                unknown += 1;
            }
        }
    }
    assert!(unknown > 50);
    // It lacks what a prover needs.
    let proof = part.prove(&mut Prover::new(committer()), &[shown[0].0]);
    assert!(matches!(proof, Err(TreeError::NotCovered { .. })));
}

#[test]
fn updates_of_a_part_give_the_root_of_the_whole() {
    let mut random = Random(12);
    for n in [0, 1, 2, 20, 200] {
        let entries = random.entries(n);
        let mut tree = Tree::from_entries(committer(), &entries);
        let keys = some_keys(&mut random, &entries, 40);
        let shown = shown(&tree, &keys);
        let verifier = &mut Verifier::new(committer());
        let part = prove(&tree, &keys).open_hashed(verifier, &tree.root(), &hashed(&shown));
        let mut part = part.expect("well-formed").expect("true");
        for _ in 0..3 {
            let changes: Vec<(Key, Value)> = (0..15)
                .map(|_| (shown[random.below(shown.len())].0, random.value()))
                .collect();
            part.update(committer(), &changes).expect("covered");
            tree.update(committer(), &changes).expect("a whole tree");
            assert_eq!(part.root_bytes(), tree.root_bytes(), "{n} entries");
            for (key, _) in &changes {
                assert_eq!(part.get(key), tree.get(key));
            }
        }
    }
}

#[test]
fn entries_must_be_in_order() {
    let tree = Tree::from_entries(committer(), &Random(13).entries(20));
    let (mut a, mut b) = ([0; 32], [0; 32]);
    (a[0], b[31]) = (1, 1);
    let proof = prove(&tree, &[[0; 32], b, a]);
    let check = |keys: &[Key]| {
        let entries: Vec<_> = keys.iter().map(|key| (*key, None)).collect();
        verify(&proof, &tree.root(), &entries)
    };
    assert_eq!(check(&[[0; 32], b, a]), Ok(true));
    let error = |place, problem| Err(TreeError::Malformed { place, problem });
    assert_eq!(check(&[a, b, a]), error(Place::Stem(1), Problem::Order));
    assert_eq!(
        check(&[b, [0; 32], a]),
        error(Place::Suffix(0, 1), Problem::Order)
    );
    assert_eq!(
        check(&[b, b, a]),
        error(Place::Suffix(0, 1), Problem::Order)
    );
    assert_eq!(
        check(&[[0; 32], b, a, a]),
        error(Place::Suffix(1, 1), Problem::Order)
    );
    assert_eq!(check(&[]), Err(TreeError::NoKeys));
    let count = Problem::Count {
        expected: 1,
        found: 2,
    };
    assert_eq!(check(&[a]), error(Place::Statuses, count));
    assert_eq!(
        tree.prove(&mut Prover::new(committer()), &[]),
        Err(TreeError::NoKeys)
    );
    // No reader would take a proof of more stems.
    let key = |stem: u32| {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&stem.to_be_bytes());
        key
    };
    let keys: Vec<Key> = (0..=1 << 16).map(key).collect();
    let (limit, found) = (1 << 16, (1 << 16) + 1);
    let proved = tree.prove(&mut Prover::new(committer()), &keys);
    let problem = Problem::TooMany { limit, found };
    assert_eq!(proved.map(|_| true), error(Place::StateDiff, problem));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mut random = Random(14);
    let entries = random.entries(200);
    let tree = Tree::from_entries(committer(), &entries);
    let keys = some_keys(&mut random, &entries, 60);
    let proof = || prove(&tree, &keys).to_bytes();
    let expected = frumious_parallel::with_threads(1, proof).expect("a thread");
    for threads in [2, 5] {
        let found = frumious_parallel::with_threads(threads, proof).expect("threads");
        assert!(found == expected, "{threads} threads");
    }
}
