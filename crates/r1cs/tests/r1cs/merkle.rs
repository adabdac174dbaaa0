//! Merkle trees with three hash functions: what is a member, what is not, and what an update makes.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::merkle::{MerkleHash, MerklePath, SparseTree};
use frumious_r1cs::gadgets::{mimc, poseidon};
use frumious_r1cs::{Circuit, Component, Inputs, LinearCombination, Names};
use sha2::{Digest, Sha256};

type Sum = LinearCombination<Fr>;
type Node = Vec<Fr>;

/// A hash function in a circuit and beside it.
struct Kind {
    gadget: fn(&mut Component<'_, Fr>) -> MerkleHash,
    native: fn(&Node, &Node) -> Node,
    width: usize,
    /// Constraints of a level.
    level: u64,
    /// A node for a number.
    node: fn(u64) -> Node,
}

fn kinds() -> [Kind; 3] {
    let number = |value| vec![Fr::from_u64(value)];
    [
        Kind {
            gadget: MerkleHash::poseidon,
            native: |left, right| vec![poseidon::hash_native(&[left[0], right[0]])],
            width: 1,
            level: 241,
            node: number,
        },
        Kind {
            gadget: MerkleHash::mimc_sponge,
            native: |left, right| mimc::sponge_native(&[left[0], right[0]], Fr::ZERO, 1),
            width: 1,
            level: 1318,
            node: number,
        },
        Kind {
            gadget: MerkleHash::sha256,
            native: |left, right| {
                let bits = [&left[..], right].concat();
                let byte = |bits: &[Fr]| {
                    bits.iter()
                        .fold(0, |byte, bit| byte << 1 | u8::from(*bit == Fr::ONE))
                };
                bits_of(&Sha256::digest(
                    bits.chunks(8).map(byte).collect::<Vec<u8>>(),
                ))
            },
            width: 256,
            level: 2 * 17_625 + 1 + 3 * 256,
            node: |value| bits_of(&Sha256::digest(value.to_le_bytes())),
        },
    ]
}

fn bits_of(bytes: &[u8]) -> Node {
    let bits = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1));
    bits.map(|bit| Fr::from_u64(bit.into())).collect()
}

/// Names of what both circuits take.
fn path_names(names: Names, kind: &Kind, depth: usize) -> Names {
    names
        .private_input("bits", depth as u32)
        .private_input("siblings", (depth * kind.width) as u32)
}

fn path_inputs(inputs: &mut Inputs<Fr>, place: u64, siblings: &[Node]) {
    let bits = (0..siblings.len()).map(|i| Fr::from_u64(place >> i & 1));
    inputs.set("bits", &bits.collect::<Vec<Fr>>());
    inputs.set("siblings", &siblings.concat());
}

fn sums(signals: &[frumious_r1cs::Signal]) -> Vec<Sum> {
    signals.iter().map(Sum::from).collect()
}

/// That a leaf is in the tree of a root.
fn membership(kind: &Kind, depth: usize) -> Circuit<Fr> {
    let width = kind.width as u32;
    let names = Names::new()
        .public_input("root", width)
        .private_input("leaf", width);
    Circuit::define(&path_names(names, kind, depth), |c, io| {
        let hash = (kind.gadget)(c);
        let path = MerklePath {
            bits: &io["bits"],
            siblings: &io["siblings"],
        };
        hash.assert_member(c, &sums(&io["leaf"]), path, &sums(&io["root"]));
    })
}

/// The roots before and after a leaf is replaced.
fn updates(kind: &Kind, depth: usize) -> Circuit<Fr> {
    let width = kind.width as u32;
    let names = Names::new()
        .public_output("roots", 2 * width)
        .private_input("old", width)
        .private_input("new", width);
    Circuit::define(&path_names(names, kind, depth), |c, io| {
        let hash = (kind.gadget)(c);
        let path = MerklePath {
            bits: &io["bits"],
            siblings: &io["siblings"],
        };
        let roots = hash.update(c, &sums(&io["old"]), &sums(&io["new"]), path);
        for (out, root) in io["roots"].iter().zip(roots.concat()) {
            c.define_linear(*out, root);
        }
    })
}

fn check(circuit: &Circuit<Fr>, inputs: &Inputs<Fr>) -> bool {
    let witness = circuit.witness(inputs).unwrap();
    circuit.check(&witness).is_ok()
}

#[test]
fn members_are_told_from_others() {
    for kind in kinds() {
        let depths: &[usize] = if kind.width == 1 { &[0, 1, 3] } else { &[2] };
        for &depth in depths {
            let circuit = membership(&kind, depth);
            let own = depth as u64 * kind.level + kind.width as u64;
            assert_eq!(circuit.system().n_constraints(), own);
            let mut tree = SparseTree::new(depth, (kind.node)(0), kind.native);
            for place in 0..1 << depth {
                tree.set(place, (kind.node)(100 + place));
            }
            for place in [0, (1 << depth) - 1, (1 << depth) / 3] {
                let mut inputs = Inputs::new();
                inputs.set("root", tree.root());
                inputs.set("leaf", tree.get(place));
                path_inputs(&mut inputs, place, &tree.path(place));
                assert!(check(&circuit, &inputs));
                if depth > 0 {
                    let mut elsewhere = inputs.clone();
                    path_inputs(&mut elsewhere, place ^ 1, &tree.path(place));
                    assert!(!check(&circuit, &elsewhere), "another place");
                    let mut siblings = tree.path(place);
                    siblings[depth - 1] = (kind.node)(7);
                    path_inputs(&mut elsewhere, place, &siblings);
                    assert!(!check(&circuit, &elsewhere), "another sibling");
                }
                inputs.set("leaf", &(kind.node)(99));
                assert!(!check(&circuit, &inputs), "another leaf");
            }
        }
    }
}

#[test]
fn updates_are_the_trees() {
    for kind in kinds() {
        let depth = if kind.width == 1 { 20 } else { 1 };
        let circuit = updates(&kind, depth);
        let own = 2 * depth as u64 * kind.level + 2 * kind.width as u64;
        assert_eq!(circuit.system().n_constraints(), own);
        let mut tree = SparseTree::new(depth, (kind.node)(0), kind.native);
        for (place, value) in [0, 1, (1 << depth) - 1, 1, 0].into_iter().zip(1..) {
            let place = place % (1 << depth);
            let (old, root) = (tree.get(place).clone(), tree.root().clone());
            tree.set(place, (kind.node)(value));
            let mut inputs = Inputs::new();
            inputs.set("old", &old);
            inputs.set("new", tree.get(place));
            path_inputs(&mut inputs, place, &tree.path(place));
            let witness = circuit.witness(&inputs).unwrap();
            circuit.check(&witness).unwrap();
            assert_eq!(
                witness[1..1 + 2 * kind.width],
                [root, tree.root().clone()].concat()
            );
        }
    }
}

#[test]
fn every_wire_counts() {
    let kind = &kinds()[0];
    let circuit = updates(kind, 3);
    let tree = SparseTree::new(3, (kind.node)(5), kind.native);
    let mut inputs = Inputs::new();
    inputs.set("old", tree.get(6));
    inputs.set("new", &[Fr::from_u64(8)]);
    path_inputs(&mut inputs, 6, &tree.path(6));
    let mut witness = circuit.witness(&inputs).unwrap().to_vec();
    circuit.check(&witness).unwrap();
    for wire in 1..witness.len() {
        witness[wire] += Fr::ONE;
        assert!(circuit.check(&witness).is_err(), "wire {wire}");
        witness[wire] -= Fr::ONE;
    }
}

/// An update of a tree of depth 24, again and again.
#[test]
fn updates_take_little_memory() {
    let kind = &kinds()[0];
    let names = Names::new().private_input("leaf", 1);
    let circuit = Circuit::<Fr>::define(&path_names(names, kind, 24), |c, io| {
        let hash = (kind.gadget)(c);
        let path = MerklePath {
            bits: &io["bits"],
            siblings: &io["siblings"],
        };
        let mut leaf = sums(&io["leaf"]);
        for _ in 0..40 {
            let [_, root] = hash.update(c, &leaf, &leaf, path);
            leaf = sums(&root);
        }
    });
    let (rows, bytes) = (circuit.system().n_constraints(), circuit.system().bytes());
    println!("{rows} constraints in {bytes} bytes");
    assert!(
        bytes as u64 * 4 < rows,
        "{bytes} bytes for {rows} constraints"
    );
}

/// The sparse tree beside all of its nodes.
#[test]
fn sparse_trees_are_trees() {
    let hash = |left: &u64, right: &u64| {
        left.wrapping_mul(31)
            .wrapping_add(right.rotate_left(7))
            .wrapping_add(1)
    };
    for depth in 0..5 {
        let mut tree = SparseTree::new(depth, 9, hash);
        let mut leaves = vec![9; 1 << depth];
        for step in 0..2 * leaves.len() as u64 {
            let mut levels = vec![leaves.clone()];
            while levels[levels.len() - 1].len() > 1 {
                let below = &levels[levels.len() - 1];
                levels.push(
                    below
                        .chunks(2)
                        .map(|pair| hash(&pair[0], &pair[1]))
                        .collect(),
                );
            }
            assert_eq!(tree.depth(), depth);
            assert_eq!(*tree.root(), levels[depth][0]);
            for place in 0..leaves.len() {
                assert_eq!(*tree.get(place as u64), leaves[place]);
                let path: Vec<u64> = (0..depth)
                    .map(|height| levels[height][place >> height ^ 1])
                    .collect();
                assert_eq!(tree.path(place as u64), path);
            }
            let place = step * 5 % leaves.len() as u64;
            leaves[place as usize] = 1000 + step;
            tree.set(place, 1000 + step);
        }
    }
}

#[test]
#[should_panic(expected = "`place` is 4, and a tree of depth 2 has 2^2 leaves")]
fn places_beyond_the_tree_are_refused() {
    SparseTree::new(2, 0, |_: &u64, _: &u64| 0).get(4);
}

#[test]
#[should_panic(expected = "signals of siblings, and")]
fn paths_have_as_many_siblings_as_bits() {
    let kind = &kinds()[0];
    let names = Names::new().private_input("x", 2);
    Circuit::<Fr>::define(&names, |c, io| {
        let hash = (kind.gadget)(c);
        let path = MerklePath {
            bits: &io["x"],
            siblings: &io["x"][..1],
        };
        hash.root(c, &sums(&io["x"][..1]), path);
    });
}
