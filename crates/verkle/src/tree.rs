//! The Verkle tree of EIP-6800: keys, commitments of nodes, proofs of many keys, execution witnesses.
//!
//! A key is a stem of 31 bytes and a suffix of one. Values of one stem lie in one leaf node, whose commitment is
//! `C = 1·G₀ + stem·G₁ + h(C₁)·G₂ + h(C₂)·G₃`, with `C₁` and `C₂` for the suffixes below and from 128. A value `v` of
//! suffix `s` is two scalars at `2s` and `2s + 1` (modulo 256): its first 16 bytes plus `2^128`, its last 16 bytes.
//! Where there is no value, both are zero. An inner node commits to `h(child)` at the child's index. A leaf sits at the
//! first depth where its stem has no other stem beside it, the root is always an inner node. `h` is
//! [`Element::map_to_scalar_field`](frumious_curves::bandersnatch::Element::map_to_scalar_field).
//!
//! [`Tree`] is in memory, whole or the part that a proof shows; it is not a database. [`VerkleProof`] shows values and
//! absences of keys below a root. [`ExecutionWitness`] is what blocks carry: the keys a block touched, with a proof of
//! their values before it, from which the root after it follows.
//!
//! # What a proof shows
//!
//! Nothing in this format says whether a commitment is an inner node, a leaf, or a half of one (`C₁`, `C₂`). An
//! untruthful prover can pass off one as another where its values allow it:
//!
//! | passed off | shows | tries |
//! |---|---|---|
//! | a leaf as an inner node, empty at an index from 4 on | a stem that is there seems absent | 1 |
//! | a half as an inner node too, empty at a suffix without a value | the same, at indices 2 and 3 | 1 |
//! | a leaf as an inner node, its stem as the hash of a made-up leaf at index 1 | any value at any key that is not there and lies below the leaf's place, then 1 | about `2^(5 + 8d)` at depth `d`, with one stem chosen for it; `2^124` if stems are hashes |
//! | a half as an inner node, 16 bytes of a value as the hash of a made-up leaf | the same below other places | `2^124` |
//! | an inner node as a leaf | any value below its place | `2^252`: a child's hash would have to be 1 |
//! | a half as a leaf | | cannot be: its index 0 is never 1 |
//!
//! - [`VerkleProof::verify`] and [`open`](VerkleProof::open) hold for **any keys**. They refuse a proof with a node
//!   that may be a leaf passed off as an inner node ([`Problem::Ambiguous`]). A proof that they accept shows presence,
//!   values and absence. Few honest proofs of present keys are refused, but most of absences below the root's children.
//!   A prover avoids that with [`Tree::unambiguous_keys`].
//! - [`VerkleProof::verify_hashed`], [`open_hashed`](VerkleProof::open_hashed) and [`ExecutionWitness`] are for trees
//!   in which **every stem is a hash**, as under EIP-6800 ([`HashedKey`]). They accept what go-verkle and rust-verkle
//!   accept. They show values. They show absence of three kinds: suffixes of a present stem, stems whose place another
//!   stem has, stems in an empty place of the root. Absence in any other empty place is **not** shown. Bit-exactness
//!   leaves no choice: take it only together with other knowledge, as the root after the block, computed by a full
//!   node.
//!
//! go-verkle v0.2.2 and rust-verkle (its WebAssembly build) take both forgeries, absent and present, over any keys. See
//! `tests/tree/forgeries.rs`.
//!
//! ```
//! # mod frumious { pub use ::frumious_verkle as verkle; }
//! use frumious::verkle::tree::{AccountKeys, ExecutionWitness, Tree, TreeError};
//! use frumious::verkle::{Committer, Preset, Prover, Verifier};
//!
//! let committer = Committer::new(Preset::Verifier).expect("tables of a few MiB");
//! let account = AccountKeys::new(&committer, &[7; 20]);
//! let slot = |number: u8| account.storage(&committer, &[number; 32]).to_bytes();
//! let mut tree = Tree::from_entries(&committer, &[(slot(1), [7; 32]), (slot(2), [8; 32])]);
//!
//! // A block reads one key and writes another, which was not there.
//! let accesses = [(slot(1), None), (slot(3), Some([9; 32]))];
//! let witness = ExecutionWitness::new(&mut Prover::new(&committer), &tree, &accesses)?;
//! let json = witness.to_json();
//!
//! // Who knows only the root before the block learns the root after it.
//! let witness = ExecutionWitness::from_json(json.as_bytes())?;
//! let verifier = &mut Verifier::new(&committer);
//! let after = witness.post_root(&committer, verifier, &tree.root_bytes())?;
//! tree.update(&committer, &[(slot(3), [9; 32])])?;
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
pub use keys::{HashedKey, TreeIndex, pedersen_hash, tree_key};
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
