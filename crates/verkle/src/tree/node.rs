//! The tree in memory: its nodes, their commitments, and reading.

use super::{Key, Stem, TreeError, Value, stem_of};
use crate::Committer;
use frumious_curves::bandersnatch::{Element, Fr, batch_map_to_scalar_field_vartime};

/// A Verkle tree, whole or the part of it that a proof shows.
///
/// A whole tree is made by [`Tree::new`] or [`Tree::from_entries`] and answers for every key. The part that a proof
/// gives ([`VerkleProof::open`](super::VerkleProof::open)) answers for the keys of the proof, with
/// [`TreeError::NotCovered`] for others. A stem takes about 560 bytes of memory, each of its values 34. An inner node
/// takes 220 bytes, each of its children 12.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root is the first. Children refer to nodes by index; nothing is ever removed.
    pub(super) inners: Vec<Inner>,
    pub(super) leaves: Vec<Leaf>,
}

/// An inner node.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub(super) node: Node,
    /// By ascending index of the child.
    pub(super) children: Vec<(u8, Slot)>,
    /// True if a child that is not listed is known to be empty.
    pub(super) is_complete: bool,
    /// Children that changed since the commitment was computed, with their scalar in it; by ascending index.
    pub(super) pending: Vec<(u8, Fr)>,
}

/// Knowledge about the place of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Nothing is there. Only incomplete nodes list that.
    Empty,
    /// An inner node.
    Inner(u32),
    /// A leaf node.
    Leaf(u32),
}

/// A leaf node, the "extension and suffix tree" of the EIP.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) stem: Stem,
    pub(super) node: Node,
    /// `C₁` and `C₂`. In an incomplete leaf they are known only if a suffix of theirs is.
    pub(super) halves: [Node; 2],
    /// By ascending suffix; `None` for those known to be absent, which only incomplete leaves list.
    pub(super) values: Vec<(u8, Option<Value>)>,
    /// True if a suffix that is not listed is known to be absent.
    pub(super) is_complete: bool,
}

/// A commitment and what its parent commits to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) commitment: Element,
    /// `h(commitment)`.
    pub(super) hash: Fr,
}

impl Node {
    /// That of nothing.
    pub(super) const EMPTY: Self = Self {
        commitment: Element::IDENTITY,
        hash: Fr::ZERO,
    };
}

impl Inner {
    pub(super) const fn empty(is_complete: bool) -> Self {
        Self {
            node: Node::EMPTY,
            children: Vec::new(),
            is_complete,
            pending: Vec::new(),
        }
    }

    /// The value at this index, `None` if it is not known.
    pub(super) fn child(&self, index: u8) -> Option<Slot> {
        match self.children.binary_search_by_key(&index, |child| child.0) {
            Ok(place) => Some(self.children[place].1),
            Err(_) => self.is_complete.then_some(Slot::Empty),
        }
    }

    /// Puts a child at this index.
    pub(super) fn set_child(&mut self, index: u8, slot: Slot) {
        match self.children.binary_search_by_key(&index, |child| child.0) {
            Ok(place) => self.children[place].1 = slot,
            Err(place) => self.children.insert(place, (index, slot)),
        }
    }
}

impl Leaf {
    pub(super) const fn empty(stem: Stem, is_complete: bool) -> Self {
        Self {
            stem,
            node: Node::EMPTY,
            halves: [Node::EMPTY; 2],
            values: Vec::new(),
            is_complete,
        }
    }

    /// The value of this suffix, the outer `None` if it is not known whether there is one.
    pub(super) fn value(&self, suffix: u8) -> Option<Option<Value>> {
        match self.values.binary_search_by_key(&suffix, |entry| entry.0) {
            Ok(place) => Some(self.values[place].1),
            Err(_) => self.is_complete.then_some(None),
        }
    }

    /// Sets the value of this suffix; returns the one before, if it is known.
    pub(super) fn set_value(&mut self, suffix: u8, value: Option<Value>) -> Option<Value> {
        match self.values.binary_search_by_key(&suffix, |entry| entry.0) {
            Ok(place) => core::mem::replace(&mut self.values[place].1, value),
            Err(place) => {
                self.values.insert(place, (suffix, value));
                None
            }
        }
    }
}

impl Tree {
    /// The empty tree: a root without children, committed to by the neutral element.
    pub fn new() -> Self {
        Self {
            inners: vec![Inner::empty(true)],
            leaves: Vec::new(),
        }
    }

    /// The tree of these entries, in any order. Of entries with the same key the last one counts.
    ///
    /// Cost: some 100 additions of points for a stem with one value, 32 to 48 for each further one; parallel.
    #[expect(clippy::missing_panics_doc, reason = "a whole tree covers all keys")]
    pub fn from_entries(committer: &Committer, entries: &[(Key, Value)]) -> Self {
        let mut tree = Self::new();
        tree.update(committer, entries)
            .expect("a whole tree covers all keys");
        tree
    }

    /// The commitment to the root.
    pub fn root(&self) -> Element {
        self.inners[0].node.commitment
    }

    /// The state root: the bytes of the commitment to the root.
    pub fn root_bytes(&self) -> [u8; 32] {
        self.root().to_bytes()
    }

    /// The value at a key, `None` if there is none.
    ///
    /// # Errors
    /// [`TreeError::NotCovered`], in a part of a tree.
    pub fn get(&self, key: &Key) -> Result<Option<Value>, TreeError> {
        self.lookup(key).ok_or(TreeError::NotCovered { key: *key })
    }

    /// As [`get`](Self::get); the outer `None` if it is not known.
    pub(super) fn lookup(&self, key: &Key) -> Option<Option<Value>> {
        let mut inner = &self.inners[0];
        for &index in &key[..31] {
            match inner.child(index)? {
                Slot::Empty => return Some(None),
                Slot::Inner(child) => inner = &self.inners[child as usize],
                Slot::Leaf(child) => {
                    let leaf = &self.leaves[child as usize];
                    return if leaf.stem == stem_of(key) {
                        leaf.value(key[31])
                    } else {
                        Some(None)
                    };
                }
            }
        }
        unreachable!("the parent of a leaf is at most 30 levels below the root")
    }

    /// The scalar that a parent commits to for this child.
    pub(super) fn slot_hash(&self, slot: Slot) -> Fr {
        match slot {
            Slot::Empty => Fr::ZERO,
            Slot::Inner(child) => self.inners[child as usize].node.hash,
            Slot::Leaf(child) => self.leaves[child as usize].node.hash,
        }
    }

    /// Adds a node; its index.
    pub(super) fn push_inner(&mut self, inner: Inner) -> u32 {
        self.inners.push(inner);
        index_of(self.inners.len() - 1)
    }

    /// Adds a leaf; its index.
    pub(super) fn push_leaf(&mut self, leaf: Leaf) -> u32 {
        self.leaves.push(leaf);
        index_of(self.leaves.len() - 1)
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

/// The two scalars of a value, where there is one.
///
/// The first says by `2^128` that there is a value, so that zero is not the same as none.
pub(super) fn value_scalars(value: Option<&Value>) -> [Fr; 2] {
    let Some(value) = value else {
        return [Fr::ZERO; 2];
    };
    let mut low = [0; 17];
    low[..16].copy_from_slice(&value[..16]);
    low[16] = 1;
    [scalar(&low), scalar(&value[16..])]
}

/// The scalar of a stem in its leaf's commitment.
pub(super) fn stem_scalar(stem: &Stem) -> Fr {
    scalar(stem)
}

/// The integer of at most 31 bytes, the least significant first, which is also the order of a scalar's bytes.
pub(super) fn scalar(bytes: &[u8]) -> Fr {
    debug_assert!(bytes.len() < 32);
    Fr::from_bytes_reduced(&core::array::from_fn(|i| {
        bytes.get(i).copied().unwrap_or(0)
    }))
}

/// The commitment to these first values.
pub(super) fn commit(committer: &Committer, scalars: &[Fr]) -> Element {
    committer.commit(scalars).expect("at most 256 values")
}

/// The commitment to values at these indices, all below 256, and zeros elsewhere.
pub(super) fn commit_sparse(committer: &Committer, terms: &[(usize, Fr)]) -> Element {
    committer.commit_sparse(terms).expect("indices below 256")
}

/// `h` of each commitment: one inversion, or one for each thread when there are many.
pub(super) fn hash_all(commitments: &[Element]) -> Vec<Fr> {
    // An inversion costs about as much as mapping this many.
    const MIN_SHARE: usize = 128;
    let share = commitments
        .len()
        .div_ceil(frumious_parallel::current_num_threads())
        .max(MIN_SHARE);
    if commitments.len() <= share {
        return batch_map_to_scalar_field_vartime(commitments);
    }
    let shares: Vec<&[Element]> = commitments.chunks(share).collect();
    frumious_parallel::map_indices(shares.len(), |i| {
        batch_map_to_scalar_field_vartime(shares[i])
    })
    .concat()
}

/// `[f(0), f(1), …]`, in parallel for calls that cost microseconds.
pub(super) fn map_parallel<T: Send>(n: usize, f: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    // Handing work to another thread costs some microseconds.
    const GROUP: usize = 16;
    if n <= GROUP {
        return (0..n).map(f).collect();
    }
    let groups = frumious_parallel::map_indices(n.div_ceil(GROUP), |group| {
        let start = group * GROUP;
        (start..n.min(start + GROUP)).map(&f).collect::<Vec<T>>()
    });
    groups.into_iter().flatten().collect()
}

/// The index of a node.
fn index_of(index: usize) -> u32 {
    u32::try_from(index).expect("memory ends long before 2^32 nodes")
}
