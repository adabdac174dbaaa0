//! Forged proofs: nodes of one kind passed off as another. What the format takes and what is refused.

use crate::committer;
use crate::proofs::{prove, verify, verify_hashed};
use frumious_curves::bandersnatch::{
    AffineElement, Element, Fr, batch_map_to_scalar_field_vartime,
};
use frumious_verkle::tree::{
    ExecutionWitness, Key, Place, Presence, Problem, Stem, StemDiff, StemStatus, SuffixDiff, Tree,
    TreeError, Value, VerkleProof,
};
use frumious_verkle::{Opening, Prover, Transcript, Values};

/// A proof from chosen openings.
fn forged(
    status: (Presence, u8),
    commitments: &[Element],
    openings: &[Opening<'_>],
) -> VerkleProof {
    let mut transcript = Transcript::new(b"vt");
    let multiproof = Prover::new(committer()).prove(&mut transcript, openings);
    VerkleProof {
        other_stems: Vec::new(),
        statuses: vec![StemStatus::new(status.0, status.1).expect("a depth")],
        commitments: commitments.iter().map(Element::to_affine).collect(),
        multiproof: multiproof.expect("openings"),
    }
}

/// A node as an untruthful prover sees it: a vector with its commitment.
struct Node {
    values: Box<Values>,
    commitment: Element,
}

impl Node {
    fn new(values: &[(u8, Fr)]) -> Self {
        let mut all = Box::new([Fr::ZERO; 256]);
        for (index, value) in values {
            all[usize::from(*index)] = *value;
        }
        let commitment = committer().commit_values(&all);
        Self {
            values: all,
            commitment,
        }
    }

    /// The half and the leaf of one value.
    fn leaf_of(key: &Key, value: &Value) -> [Self; 2] {
        let (half, index) = (2 + key[31] / 128, key[31] % 128 * 2);
        let [low, high] = value_scalars(value);
        let values = Self::new(&[(index, low), (index + 1, high)]);
        let leaf = [(0, Fr::ONE), (1, stem_scalar(key)), (half, values.hash())];
        let leaf = Self::new(&leaf);
        [values, leaf]
    }

    fn hash(&self) -> Fr {
        self.commitment.map_to_scalar_field()
    }

    fn open(&self, point: u8) -> Opening<'_> {
        Opening {
            commitment: self.commitment,
            polynomial: &self.values,
            point,
        }
    }
}

fn value_scalars(value: &Value) -> [Fr; 2] {
    let mut low = [0; 32];
    low[..16].copy_from_slice(&value[..16]);
    low[16] = 1;
    let mut high = [0; 32];
    high[..16].copy_from_slice(&value[16..]);
    [low, high].map(|bytes| Fr::from_bytes_reduced(&bytes))
}

fn stem_scalar(key: &Key) -> Fr {
    let mut stem = *key;
    stem[31] = 0;
    Fr::from_bytes_reduced(&stem)
}

fn ambiguous(commitment: usize) -> Result<bool, TreeError> {
    Err(TreeError::Malformed {
        place: Place::Commitment(commitment),
        problem: Problem::Ambiguous,
    })
}

/// The openings of a key that is there, from the leaf on.
fn of_present<'a>(key: &Key, half: &'a Node, leaf: &'a Node) -> Vec<Opening<'a>> {
    let (of_half, index) = (2 + key[31] / 128, key[31] % 128 * 2);
    vec![
        leaf.open(0),
        leaf.open(1),
        leaf.open(of_half),
        half.open(index),
        half.open(index + 1),
    ]
}

/// A made-up leaf for `key`, the value of which nobody wrote, whose hash is a stem that begins as the key does; with
/// its half.
fn leaf_that_hashes_to_a_stem(key: &Key, value: &Value) -> ([Node; 2], Stem, usize) {
    let [half, first] = Node::leaf_of(key, value);
    // The hash of the other half is not opened, so any number will do there, and each costs one addition.
    let other = 3 - key[31] / 128;
    let step = Node::new(&[(other, Fr::ONE)]).commitment;
    let mut commitments = vec![first.commitment];
    let mut tries = 0;
    loop {
        for _ in 1..1024 {
            commitments.push(commitments[commitments.len() - 1] + step);
        }
        for hash in batch_map_to_scalar_field_vartime(&commitments) {
            let bytes = hash.to_bytes();
            if bytes[31] == 0 && bytes[0] == key[0] {
                let number = Fr::from_u64(tries as u64);
                let mut values = first.values.clone();
                values[usize::from(other)] = number;
                let commitment = committer().commit_values(&values);
                assert_eq!(commitment.map_to_scalar_field(), hash);
                let stem = core::array::from_fn(|i| bytes[i]);
                return ([half, Node { values, commitment }], stem, tries);
            }
            tries += 1;
        }
        commitments = vec![commitments[commitments.len() - 1] + step];
    }
}

/// The means of an attacker.
struct Forgery {
    tree: Tree,
    key: Key,
    value: Option<Value>,
    proof: VerkleProof,
}

impl Forgery {
    /// As other clients read it: a block that read the one key and wrote nothing.
    fn to_json(&self) -> String {
        let suffix_diffs = vec![SuffixDiff {
            suffix: self.key[31],
            current_value: self.value,
            new_value: None,
        }];
        let witness = ExecutionWitness {
            state_diff: vec![StemDiff {
                stem: core::array::from_fn(|i| self.key[i]),
                suffix_diffs,
            }],
            proof: self.proof.clone(),
        };
        let root: String = self
            .tree
            .root_bytes()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let witness = witness.to_json();
        format!("{{\"pre_state_root\": \"0x{root}\",\n\"executionWitness\": {witness}}}\n")
    }
}

/// The forgeries in `tests/data`, which other clients, the command and `interop/` read. With `FRUMIOUS_WRITE_SEEDS=1`
/// they are written.
#[test]
fn forgeries_for_others() {
    for (name, forgery) in [("value", made_up()), ("absence", hidden(200, 200))] {
        let path = format!(
            "{}/tests/data/forged_{name}.json",
            env!("CARGO_MANIFEST_DIR")
        );
        let json = forgery.to_json();
        if std::env::var_os("FRUMIOUS_WRITE_SEEDS").is_some() {
            std::fs::write(path, json).expect("it can be written");
        } else {
            let found = std::fs::read_to_string(path).expect("it is there");
            assert_eq!(found, json, "{name}");
        }
    }
}

/// A tree with a stem that was chosen, and a "proof" of a value at another key, which the tree does not have.
fn made_up() -> Forgery {
    let (mut key, value) = ([77; 32], [0xee; 32]);
    key[1] = 1; // where a leaf has its stem
    let ([half, leaf], stem, tries) = leaf_that_hashes_to_a_stem(&key, &value);
    assert!(tries < 1 << 17, "2^13 on average: {tries}");
    // The attacker's own entry, beside some of others.
    let mut own: Key = [0; 32];
    own[..31].copy_from_slice(&stem);
    let entries = [(own, [1; 32]), ([5; 32], [2; 32]), ([6; 32], [3; 32])];
    let tree = Tree::from_entries(committer(), &entries);
    let leaves = entries.map(|(key, value)| Node::leaf_of(&key, &value));
    let root: Vec<(u8, Fr)> = entries
        .iter()
        .zip(&leaves)
        .map(|((key, _), [_, leaf])| (key[0], leaf.hash()))
        .collect();
    let root = Node::new(&root);
    assert_eq!(root.commitment, tree.root());
    let [_, passed_off] = &leaves[0];
    let mut openings = vec![root.open(77), passed_off.open(1)];
    openings.extend(of_present(&key, &half, &leaf));
    let commitments = [passed_off, &leaf, &half].map(|node| node.commitment);
    let proof = forged((Presence::Present, 2), &commitments, &openings);
    Forgery {
        tree,
        key,
        value: Some(value),
        proof,
    }
}

/// A leaf passed off as an inner node: its stem is the "hash" of a child. Who may choose a stem makes up a leaf for
/// any key below its place, until its hash is a stem, and writes that stem. Then any value is shown at a key that is
/// not there.
///
/// go-verkle v0.2.2 and rust-verkle take this proof; `peers/run --cross-check verkle` and `interop/` have both do it.
#[test]
fn a_value_can_be_made_up_where_a_stem_may_be_chosen() {
    let Forgery {
        tree,
        key,
        value,
        proof,
    } = made_up();
    assert_eq!(tree.get(&key), Ok(None));
    let entries = [(key, value)];
    assert_eq!(verify(&proof, &tree.root(), &entries), ambiguous(0));
    // What follows from the name: with stems that are no hashes this is no proof.
    assert_eq!(verify_hashed(&proof, &tree.root(), &entries), Ok(true));
}

/// An inner node cannot pass as a leaf: it would need the value 1 at index 0. That is no child's hash unless one is
/// found in 2^252 tries.
#[test]
fn an_inner_node_is_no_leaf() {
    // Two stems below one child of the root, at its indices 0 and 1; the hash of the latter is a stem below that child too.
    let (mut a, mut b) = ([9; 32], [9; 32]);
    (a[1], b[1]) = (0, 1);
    let is_stem = |hash: [u8; 32]| hash[31] == 0 && hash[0] == 9;
    let value = (0..1 << 17).map(|number: u32| {
        let bytes = number.to_le_bytes();
        core::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
    });
    let (value, key) = value
        .map(|value| (value, Node::leaf_of(&b, &value)[1].hash().to_bytes()))
        .find(|(_, hash)| is_stem(*hash))
        .expect("one of 2^13 on average");
    let entries = [(a, [1; 32]), (b, value)];
    let tree = Tree::from_entries(committer(), &entries);
    let leaves = entries.map(|(key, value)| Node::leaf_of(&key, &value)[1].hash());
    let inner = Node::new(&[(0, leaves[0]), (1, leaves[1])]);
    let root = Node::new(&[(9, inner.hash())]);
    assert_eq!(root.commitment, tree.root());
    let proof = |inner: &Node, root: &Node| {
        let half = Node::new(&[]);
        let mut openings = vec![root.open(9)];
        openings.extend(of_present(&key, &half, inner));
        let commitments = [inner, &half].map(|node| node.commitment);
        forged((Presence::Present, 1), &commitments, &openings)
    };
    let entries = [(key, None)];
    let found = proof(&inner, &root);
    assert_eq!(verify(&found, &tree.root(), &entries), Ok(false));
    assert_eq!(verify_hashed(&found, &tree.root(), &entries), Ok(false));
    // Index 0 alone is what stops it: with 1 there it would be taken.
    let inner = Node::new(&[(0, Fr::ONE), (1, leaves[1])]);
    let root = Node::new(&[(9, inner.hash())]);
    let found = proof(&inner, &root);
    assert_eq!(verify(&found, &root.commitment, &entries), Ok(true));
}

/// A half passed off as a leaf: its index 0 is 0 or has the bit that says that there is a value.
#[test]
fn a_half_is_no_leaf() {
    let mut key = [9; 32];
    key[31] = 0;
    for value in [[0; 32], [1; 32]] {
        let tree = Tree::from_entries(committer(), &[(key, value)]);
        let [half, leaf] = Node::leaf_of(&key, &value);
        let root = Node::new(&[(9, leaf.hash())]);
        assert_eq!(root.commitment, tree.root());
        // The stem that the half's index 1 would be, below the leaf's index 2.
        let mut shown: Key = [0; 32];
        shown[..16].copy_from_slice(&value[16..]);
        (shown[0], shown[1], shown[31]) = (9, 2, 0);
        let empty = Node::new(&[]);
        let mut openings = vec![root.open(9), leaf.open(2)];
        openings.extend(of_present(&shown, &empty, &half));
        let commitments = [&leaf, &half, &empty].map(|node| node.commitment);
        let proof = forged((Presence::Present, 2), &commitments, &openings);
        let entries = [(shown, None)];
        // Not even in doubt: what has a 1 at index 0 is no half, so what it hangs below is no leaf.
        assert_eq!(verify(&proof, &tree.root(), &entries), Ok(false));
        assert_eq!(verify_hashed(&proof, &tree.root(), &entries), Ok(false));
    }
}

/// A tree of one stem whose second byte is `index`, and a "proof" that it is absent: its leaf passed off as an inner
/// node.
fn hidden(index: u8, suffix: u8) -> Forgery {
    let (mut key, value) = ([index; 32], [1; 32]);
    (key[2], key[31]) = (7, suffix);
    let tree = Tree::from_entries(committer(), &[(key, value)]);
    let [half, leaf] = Node::leaf_of(&key, &value);
    let root = Node::new(&[(index, leaf.hash())]);
    assert_eq!(root.commitment, tree.root());
    assert_eq!(tree.get(&key), Ok(Some(value)));
    let mut openings = vec![root.open(index), leaf.open(index)];
    let mut commitments = vec![leaf.commitment];
    // At indices 2 and 3 a leaf has its halves; if the one has values, it is passed off as an inner node in turn.
    if index == 2 + suffix / 128 {
        openings.push(half.open(7));
        commitments.push(half.commitment);
    }
    let depth = commitments.len() as u8 + 1;
    let proof = forged((Presence::AbsentEmpty, depth), &commitments, &openings);
    Forgery {
        tree,
        key,
        value: None,
        proof,
    }
}

/// A leaf passed off as an inner node, with a child asked for where the leaf commits to zero. The stem that is in it
/// seems to be absent.
///
/// go-verkle v0.2.2 and rust-verkle take these proofs too. Over any keys they are refused. Where all are hashes, the
/// format has no opening by which a verifier of honest proofs could tell. So absences in empty places deserve no trust.
#[test]
fn a_present_stem_can_be_shown_absent() {
    for index in [2, 3, 4, 200, 255] {
        for suffix in [0, 127, 128, 255] {
            let forgery = hidden(index, suffix);
            let (root, entries) = (forgery.tree.root(), [(forgery.key, None)]);
            assert_eq!(verify(&forgery.proof, &root, &entries), ambiguous(0));
            assert_eq!(verify_hashed(&forgery.proof, &root, &entries), Ok(true));
        }
    }
}

/// The neutral element passed off as an inner node in an empty place. A new leaf would be put deeper than it belongs,
/// and the root after the block would be wrong. This can be told, as no honest node but an empty half has this
/// commitment.
#[test]
fn empty_inner_nodes_are_refused() {
    let tree = Tree::from_entries(committer(), &[([1; 32], [1; 32])]);
    let leaf = prove(&tree, &[[1; 32]]).commitments[0];
    let root = Node::new(&[(1, leaf.map_to_scalar_field())]);
    let key = [200; 32];
    let empty = Node::new(&[]);
    assert_eq!(empty.commitment.to_affine(), AffineElement::IDENTITY);
    let openings = [root.open(200), empty.open(200)];
    let proof = forged((Presence::AbsentEmpty, 2), &[empty.commitment], &openings);
    let refused = Err(TreeError::Malformed {
        place: Place::Commitment(0),
        problem: Problem::Neutral,
    });
    assert_eq!(verify(&proof, &tree.root(), &[(key, None)]), refused);
    assert_eq!(verify_hashed(&proof, &tree.root(), &[(key, None)]), refused);
    // The honest one, at depth 1.
    let proof = forged((Presence::AbsentEmpty, 1), &[], &openings[..1]);
    assert_eq!(verify(&proof, &tree.root(), &[(key, None)]), Ok(true));
}
