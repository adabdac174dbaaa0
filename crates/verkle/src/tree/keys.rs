//! Keys from addresses and positions: Pedersen hashes of 64 bytes.
//!
//! The 64 bytes are four integers of 16 bytes. With the constant `2 + 256·64` before them they are five scalars, and
//! the hash is that of their commitment. A key is the hash of an account's address, in 32 bytes, and of a tree index.
//! Its last byte is replaced by a sub-index. Source: EIP-6800, `pedersen_hash` and `get_tree_key`.

use super::node::{commit, hash_all, scalar};
use super::{Key, Stem, key_of, stem_of};
use crate::Committer;
use frumious_curves::bandersnatch::{Element, Fr};

/// Domain separation by version and length of the input, `2 + 256·64`.
const PREFIX: Fr = Fr::from_u64(2 + 256 * 64);

/// Which group of 256 values of an account: an integer below `2^256`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeIndex(pub(super) [u8; 32]);

impl TreeIndex {
    /// The group of the account's header.
    pub const HEADER: Self = Self([0; 32]);

    /// The integer with these bytes, the least significant first.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The scalars of the two halves.
    fn scalars(&self) -> [Fr; 2] {
        halves(&self.0)
    }
}

/// A key whose stem is a Pedersen hash, as those of all keys of EIP-6800 are: nobody can choose it.
///
/// Made by [`tree_key`] and [`AccountKeys`](super::AccountKeys).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HashedKey(Key);

impl HashedKey {
    /// The key of these bytes, whose stem the caller knows to be a hash: for instance, because it is from a block.
    pub const fn assume_hashed(key: Key) -> Self {
        Self(key)
    }

    /// The bytes.
    pub const fn to_bytes(self) -> Key {
        self.0
    }

    /// Of a stem that is a hash.
    pub(super) fn new(stem: &Stem, suffix: u8) -> Self {
        Self(key_of(stem, suffix))
    }
}

impl From<HashedKey> for Key {
    fn from(key: HashedKey) -> Self {
        key.0
    }
}

/// The hash of 64 bytes. Only a hash of such a length is defined. Cost: a commitment to five values and an inversion.
pub fn pedersen_hash(committer: &Committer, input: &[u8; 64]) -> [u8; 32] {
    let (first, second) = input.split_at(32);
    let part = |bytes: &[u8]| halves(&core::array::from_fn(|i| bytes[i]));
    let ([a, b], [c, d]) = (part(first), part(second));
    commit(committer, &[PREFIX, a, b, c, d])
        .map_to_scalar_field()
        .to_bytes()
}

/// The key of a position of an account, whose address has 32 bytes here; one of 20 gets twelve zeros before it.
///
/// For many keys of an account, [`AccountKeys`](super::AccountKeys) is cheaper.
pub fn tree_key(
    committer: &Committer,
    address: &[u8; 32],
    index: &TreeIndex,
    sub_index: u8,
) -> HashedKey {
    let input = core::array::from_fn(|i| if i < 32 { address[i] } else { index.0[i - 32] });
    HashedKey::new(&stem_of(&pedersen_hash(committer, &input)), sub_index)
}

/// The part of the commitment that an address determines.
pub(super) fn address_part(committer: &Committer, address: &[u8; 32]) -> Element {
    let [low, high] = halves(address);
    commit(committer, &[PREFIX, low, high])
}

/// The hashes, one for each index, of the account with this part of the commitments.
pub(super) fn index_hashes(
    committer: &Committer,
    address_part: &Element,
    indices: &[TreeIndex],
) -> Vec<[u8; 32]> {
    let commitments: Vec<Element> = indices
        .iter()
        .map(|index| {
            let [low, high] = index.scalars();
            *address_part + commit(committer, &[Fr::ZERO, Fr::ZERO, Fr::ZERO, low, high])
        })
        .collect();
    hash_all(&commitments).iter().map(Fr::to_bytes).collect()
}

/// The integers of the first and the last 16 bytes, the least significant byte first.
pub(super) fn halves(bytes: &[u8; 32]) -> [Fr; 2] {
    let (low, high) = bytes.split_at(16);
    [scalar(low), scalar(high)]
}
