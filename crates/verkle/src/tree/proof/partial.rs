//! The shape of the part of a tree that a proof speaks of, without commitments.

use super::{MAX_COMMITMENTS_PER_STEM, MAX_STEMS, Presence, StemStatus, VerkleProof};
use crate::tree::node::{Inner, Leaf, Slot, Tree};
use crate::tree::{Key, Place, Problem, Stem, TreeError, Value, stem_of};

/// Entries of a proof, by stem.
pub(super) struct Groups<'a> {
    entries: &'a [(Key, Option<Value>)],
    stems: Vec<&'a [(Key, Option<Value>)]>,
}

impl<'a> Groups<'a> {
    /// Errors: no entries, not by ascending key, too many stems.
    pub(super) fn new(entries: &'a [(Key, Option<Value>)]) -> Result<Self, TreeError> {
        if entries.is_empty() {
            return Err(TreeError::NoKeys);
        }
        let stems: Vec<_> = entries.chunk_by(|a, b| a.0[..31] == b.0[..31]).collect();
        for (i, group) in stems.iter().enumerate() {
            if i > 0 && stems[i - 1][0].0 >= group[0].0 {
                return Err(Place::Stem(i).error(Problem::Order));
            }
            for j in 1..group.len() {
                if group[j - 1].0 >= group[j].0 {
                    return Err(Place::Suffix(i, j).error(Problem::Order));
                }
            }
        }
        check_limit(Place::StateDiff, stems.len(), MAX_STEMS)?;
        Ok(Self { entries, stems })
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &'a Key> {
        self.entries.iter().map(|(key, _)| key)
    }
}

/// The tree that the entries, statuses and other stems of a proof describe. Commitments are left neutral.
pub(super) fn shape(proof: &VerkleProof, groups: &Groups<'_>) -> Result<Tree, TreeError> {
    let stems = groups.stems.len();
    if proof.statuses.len() != stems {
        return Err(Place::Statuses.error(Problem::Count {
            expected: stems,
            found: proof.statuses.len(),
        }));
    }
    let limit = stems * MAX_COMMITMENTS_PER_STEM; // no overflow: at most 2^16 stems
    check_limit(Place::Commitments, proof.commitments.len(), limit)?;
    check_limit(Place::OtherStems, proof.other_stems.len(), stems)?;
    for i in 1..proof.other_stems.len() {
        if proof.other_stems[i - 1] >= proof.other_stems[i] {
            return Err(Place::OtherStem(i).error(Problem::Order));
        }
    }
    let mut shape = Shape {
        tree: Tree {
            inners: vec![Inner::empty(false)],
            leaves: Vec::new(),
        },
        nodes_left: proof.commitments.len(),
        commitments: proof.commitments.len(),
    };
    // First the present stems: they stand for other stems in the place of absent ones.
    let of_presence = |is_present: bool| {
        let pairs = groups.stems.iter().zip(&proof.statuses).enumerate();
        pairs.filter(move |(_, (_, status))| (status.presence() == Presence::Present) == is_present)
    };
    for (i, (group, status)) in of_presence(true) {
        shape.add_present(i, group, *status)?;
    }
    let mut other_stems = proof.other_stems.iter().enumerate();
    for (i, (group, status)) in of_presence(false) {
        if let Some(j) = group.iter().position(|(_, value)| value.is_some()) {
            return Err(Place::CurrentValue(i, j).error(Problem::ValueOfAbsent));
        }
        let stem = stem_of(&group[0].0);
        match status.presence() {
            Presence::AbsentOther => shape.add_other(i, &stem, *status, &mut other_stems)?,
            _ => shape.add_empty(i, &stem, *status)?,
        }
    }
    match other_stems.next() {
        Some((i, _)) => Err(Place::OtherStem(i).error(Problem::Unused)),
        None => Ok(shape.tree),
    }
}

/// A tree in the making.
struct Shape {
    tree: Tree,
    /// Nodes that there are commitments for; so the statuses cannot ask for more memory than the proof itself takes.
    nodes_left: usize,
    commitments: usize,
}

impl Shape {
    /// A stem with a leaf of its own.
    fn add_present(
        &mut self,
        i: usize,
        group: &[(Key, Option<Value>)],
        status: StemStatus,
    ) -> Result<(), TreeError> {
        let stem = stem_of(&group[0].0);
        let mut leaf = Leaf::empty(stem, false);
        leaf.values = group.iter().map(|(key, value)| (key[31], *value)).collect();
        let (parent, index, slot) = self.end(i, &stem, status)?;
        match slot {
            None => self.put_leaf(parent, index, leaf),
            Some(_) => Err(Place::Status(i).error(Problem::Path)),
        }
    }

    /// A stem whose place is taken by another one, shown as present or the next of `others`.
    fn add_other<'s>(
        &mut self,
        i: usize,
        stem: &Stem,
        status: StemStatus,
        others: &mut impl Iterator<Item = (usize, &'s Stem)>,
    ) -> Result<(), TreeError> {
        let (parent, index, slot) = self.end(i, stem, status)?;
        match slot {
            Some(Slot::Leaf(leaf)) if self.tree.leaves[leaf as usize].stem != *stem => Ok(()),
            Some(_) => Err(Place::Status(i).error(Problem::Path)),
            None => {
                let (place, other) = others
                    .next()
                    .ok_or(Place::Status(i).error(Problem::MissingOtherStem))?;
                let prefix = ..status.depth();
                if other == stem || other[prefix] != stem[prefix] {
                    return Err(Place::OtherStem(place).error(Problem::OtherStem));
                }
                self.put_leaf(parent, index, Leaf::empty(*other, false))
            }
        }
    }

    /// A stem in whose place there is nothing.
    fn add_empty(&mut self, i: usize, stem: &Stem, status: StemStatus) -> Result<(), TreeError> {
        let (parent, index, slot) = self.end(i, stem, status)?;
        match slot {
            Some(Slot::Empty) => Ok(()),
            Some(_) => Err(Place::Status(i).error(Problem::Path)),
            None => {
                self.tree.inners[parent as usize].set_child(index, Slot::Empty);
                Ok(())
            }
        }
    }

    /// The end of a stem's path: the inner node, the index in it, and what is known to be there. Inner nodes are made
    /// on the way.
    fn end(
        &mut self,
        i: usize,
        stem: &Stem,
        status: StemStatus,
    ) -> Result<(u32, u8, Option<Slot>), TreeError> {
        let last = status.depth() - 1;
        let mut inner = 0;
        for &index in &stem[..last] {
            inner = match self.tree.inners[inner as usize].child(index) {
                Some(Slot::Inner(child)) => child,
                Some(_) => return Err(Place::Status(i).error(Problem::Path)),
                None => {
                    self.count_node()?;
                    let child = self.tree.push_inner(Inner::empty(false));
                    self.tree.inners[inner as usize].set_child(index, Slot::Inner(child));
                    child
                }
            };
        }
        let slot = self.tree.inners[inner as usize].child(stem[last]);
        Ok((inner, stem[last], slot))
    }

    fn put_leaf(&mut self, parent: u32, index: u8, leaf: Leaf) -> Result<(), TreeError> {
        self.count_node()?;
        let leaf = self.tree.push_leaf(leaf);
        self.tree.inners[parent as usize].set_child(index, Slot::Leaf(leaf));
        Ok(())
    }

    fn count_node(&mut self) -> Result<(), TreeError> {
        let left = self.nodes_left.checked_sub(1);
        self.nodes_left = left.ok_or(Place::Commitments.error(Problem::Count {
            expected: self.commitments + 1,
            found: self.commitments,
        }))?;
        Ok(())
    }
}

/// Errors: more than there may be.
pub(in crate::tree) fn check_limit(
    place: Place,
    found: usize,
    limit: usize,
) -> Result<(), TreeError> {
    if found > limit {
        return Err(place.error(Problem::TooMany { limit, found }));
    }
    Ok(())
}
