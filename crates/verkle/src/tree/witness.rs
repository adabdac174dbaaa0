//! Execution witnesses: what a block read and wrote, with a proof of what was there before.

mod json;

use super::node::Tree;
use super::{HashedKey, Key, Place, Problem, Stem, TreeError, Value, VerkleProof, key_of};
use crate::{Committer, Prover, Verifier};
use frumious_curves::bandersnatch::Element;

/// The values that a block touched, before and after, and a proof of those before.
///
/// It may be false, but its elements are elements; its lists are checked by [`open`](Self::open).
///
/// Keys are taken to be those of EIP-6800, whose stems are hashes; for a tree with any other key there is
/// [`open_any_keys`](Self::open_any_keys).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionWitness {
    /// By ascending stem, without repetitions.
    pub state_diff: Vec<StemDiff>,
    /// Proof of all current values.
    pub proof: VerkleProof,
}

/// The touched values of one stem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StemDiff {
    /// The stem.
    pub stem: Stem,
    /// By ascending suffix, without repetitions, at least one.
    pub suffix_diffs: Vec<SuffixDiff>,
}

/// A touched value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuffixDiff {
    /// The suffix.
    pub suffix: u8,
    /// The value before the block, `None` if there was none.
    pub current_value: Option<Value>,
    /// The value that the block wrote, `None` if it wrote none.
    pub new_value: Option<Value>,
}

impl ExecutionWitness {
    /// The witness of reading all these keys in `tree` and writing the given values.
    ///
    /// `accesses`: in any order, a key with `None` is only read. Of those with the same key the last one counts. A
    /// written value that is there already counts as read, as in go-verkle.
    ///
    /// # Errors
    /// As [`Tree::prove`].
    pub fn new(
        prover: &mut Prover<'_>,
        tree: &Tree,
        accesses: &[(Key, Option<Value>)],
    ) -> Result<Self, TreeError> {
        let mut accesses: Vec<_> = accesses.iter().rev().copied().collect();
        accesses.sort_by_key(|access| access.0); // stable: of each key the last one is now the first
        accesses.dedup_by_key(|access| access.0);
        let keys: Vec<Key> = accesses.iter().map(|access| access.0).collect();
        let proof = tree.prove(prover, &keys)?;
        let mut state_diff = Vec::with_capacity(proof.statuses.len());
        for group in accesses.chunk_by(|a, b| a.0[..31] == b.0[..31]) {
            let suffix_diffs = group.iter().map(|(key, new)| {
                let current_value = tree.get(key)?;
                Ok(SuffixDiff {
                    suffix: key[31],
                    current_value,
                    new_value: new.filter(|_| *new != current_value),
                })
            });
            state_diff.push(StemDiff {
                stem: super::stem_of(&group[0].0),
                suffix_diffs: suffix_diffs.collect::<Result<_, TreeError>>()?,
            });
        }
        Ok(Self { state_diff, proof })
    }

    /// True if the tree with this root (32 bytes, canonical) has all current values.
    ///
    /// New values are only claims; see [`post_root`](Self::post_root). Absence in an empty place is not shown: see
    /// [`VerkleProof::verify_hashed`].
    ///
    /// # Errors
    /// Bytes that are no root; lists out of order; a proof that does not fit them, with the place in the JSON form.
    pub fn verify(
        &self,
        verifier: &mut Verifier<'_>,
        pre_root: &[u8; 32],
    ) -> Result<bool, TreeError> {
        Ok(self.open(verifier, pre_root)?.is_some())
    }

    /// The part of the tree that the witness shows, before the block, if the proof is true.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn open(
        &self,
        verifier: &mut Verifier<'_>,
        pre_root: &[u8; 32],
    ) -> Result<Option<Tree>, TreeError> {
        let root = self.checked_root(pre_root)?;
        // The state of EIP-6800 has no other keys, nor can a witness show of which accounts these are.
        let hashed = |(key, value)| (HashedKey::assume_hashed(key), value);
        let entries: Vec<_> = self.current_values().into_iter().map(hashed).collect();
        self.proof.open_hashed(verifier, &root, &entries)
    }

    /// As [`open`](Self::open), for trees whose keys may not be hashes. Presence and absence are shown in full, and a
    /// proof that leaves a doubt is refused.
    ///
    /// # Errors
    /// As [`verify`](Self::verify); [`Problem::Ambiguous`], see [`VerkleProof::verify`].
    pub fn open_any_keys(
        &self,
        verifier: &mut Verifier<'_>,
        pre_root: &[u8; 32],
    ) -> Result<Option<Tree>, TreeError> {
        let root = self.checked_root(pre_root)?;
        self.proof.open(verifier, &root, &self.current_values())
    }

    /// The root after the new values are written, if the proof is true: the block is right if its header has this root.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn post_root(
        &self,
        committer: &Committer,
        verifier: &mut Verifier<'_>,
        pre_root: &[u8; 32],
    ) -> Result<Option<[u8; 32]>, TreeError> {
        let Some(mut tree) = self.open(verifier, pre_root)? else {
            return Ok(None);
        };
        tree.update(committer, &self.new_values())?;
        Ok(Some(tree.root_bytes()))
    }

    /// All keys with their values before the block.
    pub fn current_values(&self) -> Vec<(Key, Option<Value>)> {
        self.diffs()
            .map(|(key, diff)| (key, diff.current_value))
            .collect()
    }

    /// The keys that the block wrote, with the values.
    pub fn new_values(&self) -> Vec<(Key, Value)> {
        self.diffs()
            .filter_map(|(key, diff)| Some((key, diff.new_value?)))
            .collect()
    }

    fn diffs(&self) -> impl Iterator<Item = (Key, &SuffixDiff)> {
        self.state_diff.iter().flat_map(|stem| {
            let diffs = stem.suffix_diffs.iter();
            diffs.map(|diff| (key_of(&stem.stem, diff.suffix), diff))
        })
    }

    /// The root, when the lists are in order; the rest of their order is seen in the list of keys.
    fn checked_root(&self, root: &[u8; 32]) -> Result<Element, TreeError> {
        for (i, diff) in self.state_diff.iter().enumerate() {
            if i > 0 && self.state_diff[i - 1].stem >= diff.stem {
                return Err(Place::Stem(i).error(Problem::Order));
            }
            if diff.suffix_diffs.is_empty() {
                return Err(Place::Suffixes(i).error(Problem::Empty));
            }
        }
        Element::from_bytes_vartime(root)
            .map_err(|error| Place::Root.error(Problem::Element(error)))
    }
}
