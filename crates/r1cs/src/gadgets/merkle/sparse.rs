//! Merkle trees most of whose leaves are alike.

use std::collections::HashMap;

/// A tree of `2^depth` leaves, with its nodes in memory as far as they differ from those of a tree of equal leaves.
#[derive(Clone, Debug)]
pub struct SparseTree<N, H> {
    hash: H,
    /// For each height, from the leaves to the root, the node below which all leaves are the default one.
    defaults: Vec<N>,
    /// By height and place.
    nodes: HashMap<(usize, u64), N>,
}

impl<N: Clone, H: Fn(&N, &N) -> N> SparseTree<N, H> {
    /// All leaves are `leaf`.
    ///
    /// # Panics
    /// For a depth above 63.
    #[track_caller]
    pub fn new(depth: usize, leaf: N, hash: H) -> Self {
        assert!(depth < 64, "`depth` is {depth}, and must be below 64");
        let defaults = core::iter::successors(Some(leaf), |node| Some(hash(node, node)));
        let defaults = defaults.take(depth + 1).collect();
        Self {
            hash,
            defaults,
            nodes: HashMap::new(),
        }
    }

    /// Levels between leaves and root.
    pub fn depth(&self) -> usize {
        self.defaults.len() - 1
    }

    /// The root.
    pub fn root(&self) -> &N {
        self.node(self.depth(), 0)
    }

    /// The leaf at a place.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn get(&self, place: u64) -> &N {
        self.assert_place(place);
        self.node(0, place)
    }

    /// Replaces the leaf at a place: `depth` hashes.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn set(&mut self, place: u64, leaf: N) {
        self.assert_place(place);
        let mut node = leaf;
        for height in 0..self.depth() {
            let at = place >> height;
            let sibling = self.node(height, at ^ 1);
            let parent = if at & 1 == 0 {
                (self.hash)(&node, sibling)
            } else {
                (self.hash)(sibling, &node)
            };
            self.nodes.insert((height, at), node);
            node = parent;
        }
        self.nodes.insert((self.depth(), 0), node);
    }

    /// The siblings from the leaf's level up.
    ///
    /// # Panics
    /// When there are not so many leaves.
    pub fn path(&self, place: u64) -> Vec<N> {
        self.assert_place(place);
        (0..self.depth())
            .map(|height| self.node(height, place >> height ^ 1).clone())
            .collect()
    }

    fn node(&self, height: usize, place: u64) -> &N {
        self.nodes
            .get(&(height, place))
            .unwrap_or(&self.defaults[height])
    }

    #[track_caller]
    fn assert_place(&self, place: u64) {
        let depth = self.depth();
        assert!(
            place >> depth == 0,
            "`place` is {place}, and a tree of depth {depth} has 2^{depth} leaves"
        );
    }
}
