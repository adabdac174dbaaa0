//! Membership in Merkle trees and updates of them, with any hash function of two nodes.
//!
//! A node is one signal, or as many as the hash has. A level is an instance of one template. Its inputs are a node, the
//! bit that says on which side it stands, and its sibling; its output is their parent. [`SparseTree`] has the values.

mod sparse;

use frumious_curves::bn254::Fr;
use frumious_curves::engine::ScalarField;

use super::{bits, mimc, poseidon, sha256};
use crate::{Component, Label, LinearCombination, Signal, Template};

pub use sparse::SparseTree;

type Sum<F> = LinearCombination<F>;

/// The hash function of a kind of tree, as templates of a circuit.
#[derive(Clone, Copy, Debug)]
pub struct MerkleHash {
    /// From a node, a bit and a sibling to the parent.
    level: Template,
    /// From two nodes at the same place, a bit and a sibling to both parents.
    update: Template,
    /// Signals of a node.
    width: usize,
}

/// The way from a leaf to the root: from the leaf's level up.
#[derive(Clone, Copy, Debug)]
pub struct MerklePath<'p> {
    /// Binary digits of the leaf's place, the least significant first: one where the node is the right one of two.
    /// Boolean, which is taken for granted.
    pub bits: &'p [Signal],
    /// The other node of each level, one after the other.
    pub siblings: &'p [Signal],
}

impl MerkleHash {
    /// A hash function of two nodes of `width` signals, `define_hash(component, parent, [left, right])`, which gives
    /// the parent's signals their values.
    ///
    /// `name` tells everything that `define_hash` depends on.
    pub fn new<F: ScalarField>(
        component: &mut Component<'_, F>,
        name: &str,
        width: usize,
        define_hash: impl FnOnce(&mut Component<'_, F>, &[Signal], [&[Sum<F>]; 2]),
    ) -> Self {
        let ports = width as u32;
        let level = component.template(name, 2 * ports + 1, ports, |t, inputs, parent| {
            let (node, rest) = inputs.split_at(width);
            let (bit, sibling) = rest.split_at(1);
            let sides = node
                .iter()
                .zip(sibling)
                .map(|(node, sibling)| bits::switch(t, bit[0], node, sibling));
            let (left, right): (Vec<_>, Vec<_>) = sides.map(|[left, right]| (left, right)).unzip();
            define_hash(t, parent, [&left, &right]);
        });
        let name = format!("{name}_update");
        let update = component.template(&name, 3 * ports + 1, 2 * ports, |t, inputs, parents| {
            let (nodes, rest) = inputs.split_at(2 * width);
            let nodes = nodes.chunks_exact(width).zip(parents.chunks_exact(width));
            for ((node, parent), label) in nodes.zip(["old", "new"]) {
                t.define_instance(&level, Label::new(label), &[node, rest].concat(), parent);
            }
        });
        Self {
            level,
            update,
            width,
        }
    }

    /// Poseidon: a node is its hash, and a level takes 241 constraints.
    pub fn poseidon(component: &mut Component<'_, Fr>) -> Self {
        Self::new(
            component,
            "merkle_poseidon",
            1,
            |t, parent, [left, right]| {
                poseidon::define_hash(t, parent[0], &[left, right].concat());
            },
        )
    }

    /// MiMC's sponge with key zero: 1318 constraints a level.
    pub fn mimc_sponge(component: &mut Component<'_, Fr>) -> Self {
        Self::new(
            component,
            "merkle_mimc_sponge",
            1,
            |t, parent, [left, right]| {
                mimc::define_sponge(t, parent, &[left, right].concat(), Sum::ZERO);
            },
        )
    }

    /// SHA-256: a node has 256 bits. Two blocks a level, 768 constraints for the sides, and one.
    ///
    /// Leaves and siblings are boolean, which is taken for granted.
    pub fn sha256<F: ScalarField>(component: &mut Component<'_, F>) -> Self {
        sha256::block(component);
        Self::new(
            component,
            "merkle_sha256",
            256,
            |t, parent, [left, right]| {
                let message = left.iter().chain(right).map(|bit| t.signal(bit));
                let message: Vec<Signal> = message.collect();
                sha256::define_hash(t, parent, &message);
            },
        )
    }

    /// The root of the tree that has `leaf` at a place.
    ///
    /// # Panics
    /// For a leaf of another width, or not as many siblings as bits.
    #[track_caller]
    pub fn root<F: ScalarField>(
        &self,
        component: &mut Component<'_, F>,
        leaf: &[Sum<F>],
        path: MerklePath<'_>,
    ) -> Vec<Signal> {
        self.assert_width("leaf", leaf.len());
        self.climb(component, &self.level, leaf, path)
    }

    /// Constrains the tree of a root to one that has `leaf` at a place. A constraint for each signal of a node beside
    /// those of [`MerkleHash::root`].
    ///
    /// # Panics
    /// As [`MerkleHash::root`], or for a root of another width.
    #[track_caller]
    pub fn assert_member<F: ScalarField>(
        &self,
        component: &mut Component<'_, F>,
        leaf: &[Sum<F>],
        path: MerklePath<'_>,
        root: &[Sum<F>],
    ) {
        self.assert_width("root", root.len());
        let found = self.root(component, leaf, path);
        for (found, root) in found.into_iter().zip(root) {
            component.assert_equal(found, root);
        }
    }

    /// The roots of the tree before and after the leaf at a place is replaced. As many constraints as twice
    /// [`MerkleHash::root`], in half as many instances.
    ///
    /// # Panics
    /// As [`MerkleHash::root`].
    #[track_caller]
    pub fn update<F: ScalarField>(
        &self,
        component: &mut Component<'_, F>,
        old: &[Sum<F>],
        new: &[Sum<F>],
        path: MerklePath<'_>,
    ) -> [Vec<Signal>; 2] {
        self.assert_width("old", old.len());
        self.assert_width("new", new.len());
        let both = self.climb(component, &self.update, &[old, new].concat(), path);
        let (old, new) = both.split_at(self.width);
        [old.to_vec(), new.to_vec()]
    }

    #[track_caller]
    fn assert_width(&self, argument: &str, given: usize) {
        let width = self.width;
        assert!(
            given == width,
            "`{argument}` has {given} signals, and a node of this tree has {width}"
        );
    }

    #[track_caller]
    fn climb<F: ScalarField>(
        &self,
        component: &mut Component<'_, F>,
        level: &Template,
        nodes: &[Sum<F>],
        path: MerklePath<'_>,
    ) -> Vec<Signal> {
        let n_siblings = path.bits.len() * self.width;
        assert!(
            path.siblings.len() == n_siblings,
            "`path` has {} bits and so {n_siblings} signals of siblings, and {} were given",
            path.bits.len(),
            path.siblings.len()
        );
        let mut nodes: Vec<Signal> = nodes.iter().map(|node| component.signal(node)).collect();
        let siblings = path.siblings.chunks_exact(self.width);
        for ((bit, sibling), height) in path.bits.iter().zip(siblings).zip(0..) {
            let inputs = nodes.iter().chain([bit]).chain(sibling);
            let inputs: Vec<Sum<F>> = inputs.map(Sum::from).collect();
            nodes = component.instance(level, Label::indexed("level", height), &inputs);
        }
        nodes
    }
}
