//! The Verkle tree of EIP-6800: keys, commitments of nodes, proofs of many keys, execution witnesses.
//!
//! A key is a stem of 31 bytes and a suffix of one. Values of one stem lie in one leaf node, whose commitment is
//! `C = 1·G₀ + stem·G₁ + h(C₁)·G₂ + h(C₂)·G₃`, with `C₁` and `C₂` for the suffixes below and from 128. A value `v` of suffix
//! `s` is two scalars at `2s` and `2s + 1` (modulo 256): its first 16 bytes plus `2^128`, its last 16 bytes; where there is
//! no value, both are zero. An inner node commits to `h(child)` at the child's index. A leaf sits at the first depth
//! where its stem has no other stem beside it, the root is always an inner node. `h` is
//! [`Element::map_to_scalar_field`](frumious_curves::bandersnatch::Element::map_to_scalar_field).
//!
//! [`Tree`] is in memory, whole or the part that a proof shows; it is not a database. [`VerkleProof`] shows values and
//! absences of keys below a root. [`ExecutionWitness`] is what blocks carry: the keys a block touched, with a proof of
//! their values before it, from which the root after it follows.
//!
//! What the format of the proofs does not show: an opened inner node is not proven to be one. An untruthful prover can
//! pass off a leaf as an inner node whose child at an index from 4 on is empty, and so "prove" absent a stem that is
//! there. Every verifier of this format accepts that, so bit-exactness leaves no choice: take an absence from a proof
//! only together with other knowledge (such as the root after the block, computed by a full node). See `tests/tree/limits.rs`.
//!
//! ```
//! use frumious_verkle::tree::{ExecutionWitness, Tree, TreeError};
//! use frumious_verkle::{Committer, Preset, Prover, Verifier};
//!
//! let committer = Committer::new(Preset::Verifier).expect("tables of a few MiB");
//! let mut tree = Tree::from_entries(&committer, &[([1; 32], [7; 32]), ([2; 32], [8; 32])]);
//!
//! // A block reads one key and writes another, which was not there.
//! let accesses = [([1; 32], None), ([3; 32], Some([9; 32]))];
//! let witness = ExecutionWitness::new(&mut Prover::new(&committer), &tree, &accesses)?;
//! let json = witness.to_json();
//!
//! // Who knows only the root before the block learns the root after it.
//! let witness = ExecutionWitness::from_json(json.as_bytes())?;
//! let verifier = &mut Verifier::new(&committer);
//! let after = witness.post_root(&committer, verifier, &tree.root_bytes())?;
//! tree.update(&committer, &[([3; 32], [9; 32])])?;
//! assert_eq!(after, Some(tree.root_bytes()));
//! # Ok::<(), TreeError>(())
//! ```
//!
//! Source: EIP-6800; the order of openings and the encodings are go-verkle's.

mod code;
mod embedding;
mod error;
mod keys;
mod node;
mod proof;
mod update;
mod witness;

pub use code::{CHUNK_BYTES, chunkify};
pub use embedding::{AccountHeader, AccountKeys, EMPTY_CODE_HASH, HeaderLayout};
pub use error::{Place, Problem, TreeError};
pub use keys::{TreeIndex, pedersen_hash, tree_key};
pub use node::Tree;
pub use proof::{Presence, StemStatus, VerkleProof};
pub use witness::{ExecutionWitness, StemDiff, SuffixDiff};

/// A key: stem, then suffix.
pub type Key = [u8; 32];

/// The first 31 bytes of a key: which leaf node.
pub type Stem = [u8; 31];

/// A value. Shorter ones are filled up with zeros at the end.
pub type Value = [u8; 32];

/// An account's address.
pub type Address = [u8; 20];

/// The stem of a key.
pub fn stem_of(key: &Key) -> Stem {
    core::array::from_fn(|i| key[i])
}

/// The key of a stem and a suffix.
pub fn key_of(stem: &Stem, suffix: u8) -> Key {
    core::array::from_fn(|i| stem.get(i).copied().unwrap_or(suffix))
}
