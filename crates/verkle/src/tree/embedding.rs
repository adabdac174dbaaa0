//! Where an account's fields, storage and code lie in the tree, and how its header is written.
//!
//! Source: EIP-6800, "Tree embedding"; for the old header, its version of the test networks up to Kaustinen 6.

mod header;

pub use header::{AccountHeader, EMPTY_CODE_HASH, HeaderLayout};

use super::code::chunkify;
use super::keys::{TreeIndex, address_part, index_hashes};
use super::node::hash_all;
use super::{Address, HashedKey, Stem, Value, stem_of};
use crate::Committer;
use frumious_curves::bandersnatch::{Element, Fr};

/// The keys of an account. The part that depends on the address alone is computed once.
#[derive(Clone, Debug)]
pub struct AccountKeys {
    address_part: Element,
    header: Stem,
}

/// The sub-index of the first storage slot in the header's group.
const HEADER_STORAGE_OFFSET: u8 = 64;

/// The position of the first chunk of code.
const CODE_OFFSET: u64 = 128;

/// Storage slots below this are in the header's group, the others from position `256^31` on.
const HEADER_SLOTS: u8 = 64;

impl AccountKeys {
    /// For the account with this address. Cost: a commitment to three values and an inversion.
    pub fn new(committer: &Committer, address: &Address) -> Self {
        let part = address_part(committer, &widened(address));
        Self::from_part(part, &part.map_to_scalar_field())
    }

    /// For each of the addresses, with one inversion.
    pub fn batch(committer: &Committer, addresses: &[Address]) -> Vec<Self> {
        let parts: Vec<Element> = addresses
            .iter()
            .map(|address| address_part(committer, &widened(address)))
            .collect();
        let hashes = hash_all(&parts);
        let pairs = parts.into_iter().zip(&hashes);
        pairs
            .map(|(part, hash)| Self::from_part(part, hash))
            .collect()
    }

    /// The header's tree index is zero, so the address's part is its whole commitment.
    fn from_part(address_part: Element, hash: &Fr) -> Self {
        Self {
            address_part,
            header: stem_of(&hash.to_bytes()),
        }
    }

    /// The stem of the header, the first 64 storage slots and the first 128 chunks of code.
    pub fn header_stem(&self) -> &Stem {
        &self.header
    }

    /// The key of a leaf of the header; see [`AccountHeader::leaves`].
    pub fn header(&self, suffix: u8) -> HashedKey {
        HashedKey::new(&self.header, suffix)
    }

    /// The key of version, code size, nonce and balance in the packed layout.
    pub fn basic_data(&self) -> HashedKey {
        self.header(HeaderLayout::BASIC_DATA)
    }

    /// The key of the code's hash in the packed layout.
    pub fn code_hash(&self) -> HashedKey {
        self.header(HeaderLayout::CODE_HASH)
    }

    /// The keys of a header's leaves, with their values.
    ///
    /// # Errors
    /// As [`AccountHeader::leaves`].
    pub fn header_entries(
        &self,
        header: &AccountHeader,
        layout: HeaderLayout,
    ) -> Result<Vec<(HashedKey, Value)>, super::TreeError> {
        let leaves = header.leaves(layout)?.into_iter();
        Ok(leaves
            .map(|(suffix, value)| (self.header(suffix), value))
            .collect())
    }

    /// The key of a storage slot; `slot` is its number, most significant byte first, as the EVM writes it.
    pub fn storage(&self, committer: &Committer, slot: &[u8; 32]) -> HashedKey {
        self.position(committer, storage_position(slot))
    }

    /// The keys of many storage slots, with one inversion.
    pub fn storage_batch(&self, committer: &Committer, slots: &[[u8; 32]]) -> Vec<HashedKey> {
        let positions: Vec<_> = slots.iter().map(storage_position).collect();
        self.positions(committer, &positions)
    }

    /// The key of a chunk of code.
    pub fn code_chunk(&self, committer: &Committer, chunk: u32) -> HashedKey {
        self.position(committer, code_position(chunk))
    }

    /// The keys of the chunks of code, with their values. Cost: a commitment for each 256 chunks, one inversion.
    pub fn code_entries(&self, committer: &Committer, code: &[u8]) -> Vec<(HashedKey, Value)> {
        let values = chunkify(code);
        let positions: Vec<_> = (0..).take(values.len()).map(code_position).collect();
        let keys = self.positions(committer, &positions);
        keys.into_iter().zip(values).collect()
    }

    fn position(&self, committer: &Committer, position: (TreeIndex, u8)) -> HashedKey {
        self.positions(committer, &[position])[0]
    }

    /// The keys of the positions; those with the same index behind each other share the work.
    fn positions(&self, committer: &Committer, positions: &[(TreeIndex, u8)]) -> Vec<HashedKey> {
        let mut indices: Vec<TreeIndex> = positions
            .iter()
            .map(|(index, _)| *index)
            .filter(|index| *index != TreeIndex::HEADER)
            .collect();
        indices.dedup();
        let hashes = index_hashes(committer, &self.address_part, &indices);
        let mut stems = indices
            .into_iter()
            .zip(hashes.iter().map(stem_of))
            .peekable();
        let mut current = (TreeIndex::HEADER, self.header);
        let keys = positions.iter().map(|(index, sub_index)| {
            if *index == TreeIndex::HEADER {
                return HashedKey::new(&self.header, *sub_index);
            }
            if *index != current.0 {
                current = stems.next().expect("each run of equal indices has a stem");
            }
            HashedKey::new(&current.1, *sub_index)
        });
        keys.collect()
    }
}

/// An address in 32 bytes.
fn widened(address: &Address) -> [u8; 32] {
    core::array::from_fn(|i| if i < 12 { 0 } else { address[i - 12] })
}

/// Slots below 64 lie in the header's group; slot `k` from there on at position `256^31 + k`.
///
/// The index is `2^240 + floor(k/256)`, computed without the sum of the position, which may exceed `2^256`.
fn storage_position(slot: &[u8; 32]) -> (TreeIndex, u8) {
    let (number, last) = (&slot[..31], slot[31]);
    if last < HEADER_SLOTS && number.iter().all(|&byte| byte == 0) {
        return (TreeIndex::HEADER, HEADER_STORAGE_OFFSET + last);
    }
    // floor(k/256) has 31 bytes; the least significant is to come first.
    let mut index: [u8; 32] = core::array::from_fn(|i| if i < 31 { number[30 - i] } else { 0 });
    let (sum, carry) = index[30].overflowing_add(1); // 2^240 = 256^30
    index[30] = sum;
    index[31] = carry.into();
    (TreeIndex(index), last)
}

/// Chunk `c` lies at position `128 + c`.
fn code_position(chunk: u32) -> (TreeIndex, u8) {
    let position = CODE_OFFSET + u64::from(chunk);
    (TreeIndex::from(position / 256), (position % 256) as u8)
}
