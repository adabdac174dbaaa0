//! New values for a tree: only what changed is committed to, and level by level.
//!
//! A commitment is linear, so a node's new one is the old one plus a commitment to the differences of its scalars.
//! First the shape changes: new leaves, and inner nodes where a new stem meets another. On the way each inner node
//! notes which children change, with their old scalars. Then the commitments, from the bottom: `C₁` and `C₂` of all
//! leaves, `C` of all leaves, the inner nodes of each level. Those of one step are independent of each other, and their
//! hashes share one inversion.
//!
//! The idea is go-verkle's (copy-on-write maps and `commitNodesAtLevel`). Here old hashes are kept in the nodes, so
//! nothing is mapped twice, and values of a leaf take part in the batches too.

use super::node::{
    Inner, Leaf, Node, Slot, Tree, commit_sparse, hash_all, map_parallel, stem_scalar,
    value_scalars,
};
use super::{Key, Stem, TreeError, Value, stem_of};
use crate::Committer;
use frumious_curves::bandersnatch::{Element, Fr};

/// A leaf to be committed to again.
struct ChangedLeaf {
    leaf: u32,
    is_new: bool,
    /// The gains of the scalars of `C₁` and of `C₂`, by index.
    differences: [Vec<(usize, Fr)>; 2],
}

/// The values to be committed to.
#[derive(Default)]
struct Work {
    leaves: Vec<ChangedLeaf>,
    /// Inner nodes with pending children, by depth.
    levels: Vec<Vec<u32>>,
}

impl Tree {
    /// Sets the values, and computes the commitments anew. Of entries with the same key the last one counts.
    ///
    /// Cost: two scalars of 16 bytes for each new value, one of 32 bytes for each changed stem and inner node up to the
    /// root. Each level takes one inversion. Parallel. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// [`TreeError::NotCovered`] if this is a part of a tree without one of the keys; then nothing has changed.
    pub fn update(
        &mut self,
        committer: &Committer,
        entries: &[(Key, Value)],
    ) -> Result<(), TreeError> {
        let entries = sorted(entries);
        for (key, _) in &entries {
            self.get(key)?;
        }
        let mut work = Work::default();
        for group in entries.chunk_by(|a, b| a.0[..31] == b.0[..31]) {
            self.set_values(group, &mut work);
        }
        self.commit_leaves(committer, &work.leaves);
        for level in work.levels.iter().rev() {
            self.commit_level(committer, level);
        }
        Ok(())
    }

    /// Sets the values of one stem, and notes what that changes.
    fn set_values(&mut self, entries: &[(Key, Value)], work: &mut Work) {
        let (leaf, is_new) = self.leaf_for(&stem_of(&entries[0].0), work);
        let node = &mut self.leaves[leaf as usize];
        let mut differences = [Vec::new(), Vec::new()];
        for (key, value) in entries {
            let suffix = key[31];
            let old = node.set_value(suffix, Some(*value));
            if old == Some(*value) {
                continue;
            }
            let (half, index) = suffix_position(suffix);
            let old = value_scalars(old.as_ref());
            let new = value_scalars(Some(value));
            for i in 0..2 {
                differences[half].push((index + i, new[i] - old[i]));
            }
        }
        work.leaves.push(ChangedLeaf {
            leaf,
            is_new,
            differences,
        });
    }

    /// The leaf of a stem, and whether it had to be made. All nodes above it note that their child changes.
    fn leaf_for(&mut self, stem: &Stem, work: &mut Work) -> (u32, bool) {
        let mut inner = 0;
        for (depth, &index) in stem.iter().enumerate() {
            self.note(inner, depth, index, work);
            match self.inners[inner as usize].child(index) {
                Some(Slot::Inner(child)) => inner = child,
                Some(Slot::Leaf(leaf)) => {
                    let other = self.leaves[leaf as usize].stem;
                    if other == *stem {
                        return (leaf, false);
                    }
                    // One level down; the loop goes on until the two stems part.
                    let child = self.push_inner(Inner::empty(true));
                    self.inners[inner as usize].set_child(index, Slot::Inner(child));
                    let place = other[depth + 1];
                    self.inners[child as usize].set_child(place, Slot::Leaf(leaf));
                    self.note_new(child, depth + 1, place, work);
                    inner = child;
                }
                // Not known would be an error found before the first change.
                Some(Slot::Empty) | None => {
                    let leaf = self.push_leaf(Leaf::empty(*stem, true));
                    self.inners[inner as usize].set_child(index, Slot::Leaf(leaf));
                    return (leaf, true);
                }
            }
        }
        unreachable!("different stems part within 31 bytes")
    }

    /// Notes that a child changes, with the scalar that the node has committed to for it.
    fn note(&mut self, inner: u32, depth: usize, index: u8, work: &mut Work) {
        let slot = self.inners[inner as usize].child(index);
        let old = slot.map_or(Fr::ZERO, |slot| self.slot_hash(slot));
        self.note_old(inner, depth, (index, old), work);
    }

    /// Notes the child of a node that has not committed to anything.
    fn note_new(&mut self, inner: u32, depth: usize, index: u8, work: &mut Work) {
        self.note_old(inner, depth, (index, Fr::ZERO), work);
    }

    fn note_old(&mut self, inner: u32, depth: usize, child: (u8, Fr), work: &mut Work) {
        let pending = &mut self.inners[inner as usize].pending;
        if pending.is_empty() {
            if work.levels.len() <= depth {
                work.levels.resize_with(depth + 1, Vec::new);
            }
            work.levels[depth].push(inner);
        }
        // The first scalar is the one committed to.
        if let Err(place) = pending.binary_search_by_key(&child.0, |entry| entry.0) {
            pending.insert(place, child);
        }
    }

    /// Commits to all changed leaves: first their halves, then themselves.
    fn commit_leaves(&mut self, committer: &Committer, changed: &[ChangedLeaf]) {
        let halves: Vec<(&ChangedLeaf, usize)> = changed
            .iter()
            .flat_map(|change| [(change, 0), (change, 1)])
            .filter(|(change, half)| !change.differences[*half].is_empty())
            .collect();
        let nodes = nodes(halves.len(), |i| {
            let (change, half) = halves[i];
            let old = &self.leaves[change.leaf as usize].halves[half];
            old.commitment + commit_sparse(committer, &change.differences[half])
        });
        let mut new_halves: Vec<[Node; 2]> = changed
            .iter()
            .map(|change| self.leaves[change.leaf as usize].halves)
            .collect();
        let mut nodes = nodes.into_iter();
        for (change, target) in changed.iter().zip(&mut new_halves) {
            for half in 0..2 {
                if !change.differences[half].is_empty() {
                    target[half] = nodes.next().expect("one for each changed half");
                }
            }
        }
        let new_leaves = self.leaf_nodes(committer, changed, &new_halves);
        for ((change, halves), node) in changed.iter().zip(new_halves).zip(new_leaves) {
            let leaf = &mut self.leaves[change.leaf as usize];
            leaf.halves = halves;
            leaf.node = node;
        }
    }

    /// The new commitments to the changed leaves with these halves.
    fn leaf_nodes(
        &self,
        committer: &Committer,
        changed: &[ChangedLeaf],
        new_halves: &[[Node; 2]],
    ) -> Vec<Node> {
        nodes(changed.len(), |i| {
            let leaf = &self.leaves[changed[i].leaf as usize];
            let mut terms = Vec::with_capacity(4);
            if changed[i].is_new {
                terms.extend([(0, Fr::ONE), (1, stem_scalar(&leaf.stem))]);
            }
            for half in 0..2 {
                let difference = new_halves[i][half].hash - leaf.halves[half].hash;
                terms.push((2 + half, difference));
            }
            leaf.node.commitment + commit_sparse(committer, &terms)
        })
    }

    /// Commits to inner nodes whose children are all committed to.
    fn commit_level(&mut self, committer: &Committer, level: &[u32]) {
        let nodes = nodes(level.len(), |i| {
            let inner = &self.inners[level[i] as usize];
            let differences: Vec<(usize, Fr)> = inner
                .pending
                .iter()
                .map(|(index, old)| {
                    let slot = inner.child(*index).unwrap_or(Slot::Empty);
                    (usize::from(*index), self.slot_hash(slot) - *old)
                })
                .collect();
            inner.node.commitment + commit_sparse(committer, &differences)
        });
        for (&inner, node) in level.iter().zip(nodes) {
            let inner = &mut self.inners[inner as usize];
            inner.node = node;
            inner.pending = Vec::new();
        }
    }
}

/// Which half of a leaf a suffix belongs to, and the first of its two indices there.
pub(super) fn suffix_position(suffix: u8) -> (usize, usize) {
    let suffix = usize::from(suffix);
    (suffix / 128, 2 * (suffix % 128))
}

/// The entries by ascending key, the last one of each key.
fn sorted(entries: &[(Key, Value)]) -> Vec<(Key, Value)> {
    let mut sorted = entries.to_vec();
    // Stable, and reversed: the last of each key comes first and stays.
    sorted.reverse();
    sorted.sort_by_key(|entry| entry.0);
    sorted.dedup_by(|later, first| later.0 == first.0);
    sorted
}

/// Commitments with their hashes.
fn nodes(n: usize, commitment: impl Fn(usize) -> Element + Send + Sync) -> Vec<Node> {
    let commitments = map_parallel(n, commitment);
    let hashes = hash_all(&commitments);
    let pairs = commitments.into_iter().zip(hashes);
    pairs
        .map(|(commitment, hash)| Node { commitment, hash })
        .collect()
}
