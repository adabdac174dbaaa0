//! The order of a proof: the one walk through the tree that prover and verifier share.
//!
//! Openings go by ascending path of the node, and by index within a node, each once:
//!
//! - of an inner node, the children on the paths of the keys
//! - of a leaf, 0 (the constant 1) and 1 (its stem)
//! - of a leaf whose stem is among the keys, also 2 and 3 for `C₁` and `C₂`, as suffixes need them
//! - of `C₁` and `C₂`, the two scalars of each suffix; their paths are the leaf's with a byte 2 or 3 more

use super::status::{Presence, StemStatus};
use crate::tree::node::{Inner, Leaf, Node, Slot, Tree};
use crate::tree::update::suffix_position;
use crate::tree::{Key, Stem, TreeError};

/// A commitment in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeId {
    Inner(u32),
    Leaf(u32),
    /// One of the halves of a leaf.
    Half(u32, usize),
}

/// The parts of a proof of some keys.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) openings: Vec<(NodeId, u8)>,
    /// The nodes but for the root, by ascending path.
    pub(super) commitments: Vec<NodeId>,
    pub(super) statuses: Vec<StemStatus>,
    pub(super) other_stems: Vec<Stem>,
}

impl NodeId {
    /// The commitment of this node.
    pub(super) fn node(self, tree: &Tree) -> &Node {
        match self {
            Self::Inner(inner) => &tree.inners[inner as usize].node,
            Self::Leaf(leaf) => &tree.leaves[leaf as usize].node,
            Self::Half(leaf, half) => &tree.leaves[leaf as usize].halves[half],
        }
    }

    /// As [`node`](Self::node), to be changed.
    pub(super) fn node_mut(self, tree: &mut Tree) -> &mut Node {
        match self {
            Self::Inner(inner) => &mut tree.inners[inner as usize].node,
            Self::Leaf(leaf) => &mut tree.leaves[leaf as usize].node,
            Self::Half(leaf, half) => &mut tree.leaves[leaf as usize].halves[half],
        }
    }
}

/// The parts of a proof of these keys, which ascend without repetitions.
///
/// Errors: [`TreeError::NotCovered`], in a part of a tree.
pub(super) fn walk<'a>(
    tree: &Tree,
    keys: impl IntoIterator<Item = &'a Key>,
) -> Result<Shown, TreeError> {
    let keys: Vec<&Key> = keys.into_iter().collect();
    let mut shown = Shown::default();
    shown.inner(tree, 0, &keys, 0)?;
    Ok(shown)
}

impl Shown {
    /// An inner node at this depth, and what is below it. All keys have the node's path as prefix.
    fn inner(&mut self, tree: &Tree, id: u32, keys: &[&Key], depth: u8) -> Result<(), TreeError> {
        let node: &Inner = &tree.inners[id as usize];
        let by_child = || keys.chunk_by(|a, b| a[usize::from(depth)] == b[usize::from(depth)]);
        for group in by_child() {
            self.openings
                .push((NodeId::Inner(id), group[0][usize::from(depth)]));
        }
        for group in by_child() {
            let child = node.child(group[0][usize::from(depth)]);
            match child.ok_or(TreeError::NotCovered { key: *group[0] })? {
                Slot::Empty => {
                    for _ in by_stem(group) {
                        self.status(Presence::AbsentEmpty, depth + 1);
                    }
                }
                Slot::Inner(child) => {
                    self.commitments.push(NodeId::Inner(child));
                    self.inner(tree, child, group, depth + 1)?;
                }
                Slot::Leaf(child) => {
                    self.commitments.push(NodeId::Leaf(child));
                    self.leaf(child, &tree.leaves[child as usize], group, depth + 1);
                }
            }
        }
        Ok(())
    }

    /// A leaf at this depth.
    fn leaf(&mut self, id: u32, leaf: &Leaf, keys: &[&Key], depth: u8) {
        self.openings.push((NodeId::Leaf(id), 0));
        self.openings.push((NodeId::Leaf(id), 1));
        let mut is_present = false;
        for group in by_stem(keys) {
            if group[0][..31] == leaf.stem {
                is_present = true;
                self.status(Presence::Present, depth);
                self.halves(id, group);
            } else {
                self.status(Presence::AbsentOther, depth);
            }
        }
        if !is_present {
            self.other_stems.push(leaf.stem);
        }
    }

    /// The suffixes of the present stem, of which the keys are.
    fn halves(&mut self, id: u32, keys: &[&Key]) {
        let half_of = |key: &Key| suffix_position(key[31]).0;
        let by_half = || keys.chunk_by(|a, b| half_of(a) == half_of(b));
        for group in by_half() {
            let half = half_of(group[0]);
            self.commitments.push(NodeId::Half(id, half));
            self.openings.push((NodeId::Leaf(id), 2 + half as u8));
        }
        for key in keys {
            let (half, index) = suffix_position(key[31]);
            // An index is at most 254.
            self.openings.push((NodeId::Half(id, half), index as u8));
            self.openings
                .push((NodeId::Half(id, half), index as u8 + 1));
        }
    }

    fn status(&mut self, presence: Presence, depth: u8) {
        let status = StemStatus::new(presence, depth);
        self.statuses
            .push(status.expect("paths have 1 to 31 bytes"));
    }
}

/// The keys of each stem.
fn by_stem<'a, 'k>(keys: &'a [&'k Key]) -> impl Iterator<Item = &'a [&'k Key]> {
    keys.chunk_by(|a, b| a[..31] == b[..31])
}
