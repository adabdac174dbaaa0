//! The header of an account as values of the tree, in both layouts; the one place with their byte orders.

use crate::tree::{TreeError, TreeIndex, Value};

/// Keccak-256 of nothing: the code hash of an account without code.
pub const EMPTY_CODE_HASH: [u8; 32] = [
    0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0,
    0xe5, 0x00, 0xb6, 0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
];

/// The header of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountHeader {
    /// Version of the header, 0 so far.
    pub version: u8,
    /// Number of transactions sent, or contracts made.
    pub nonce: u64,
    /// Balance in wei.
    pub balance: u128,
    /// Keccak-256 of the code.
    pub code_hash: [u8; 32],
    /// Length of the code in bytes.
    pub code_size: u32,
}

/// The layout of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderLayout {
    /// Two leaves, as in EIP-6800. Suffix 0 packs version, code size, nonce and balance, most significant bytes first,
    /// at bytes 0, 5, 8 and 16. Suffix 1 has the code's hash.
    Packed,
    /// Five leaves, as in the test networks up to Kaustinen 6. Suffixes 0 to 4 have version, balance, nonce, hash of
    /// the code and size of the code. Numbers have the least significant byte first. As geth wrote it, an account
    /// without code has no fifth leaf.
    FiveLeaves,
}

impl HeaderLayout {
    pub(super) const BASIC_DATA: u8 = 0;
    pub(super) const CODE_HASH: u8 = 1;
}

impl Default for AccountHeader {
    /// A new account without balance and code.
    fn default() -> Self {
        Self {
            version: 0,
            nonce: 0,
            balance: 0,
            code_hash: EMPTY_CODE_HASH,
            code_size: 0,
        }
    }
}

impl AccountHeader {
    /// The suffixes and values of the header.
    ///
    /// # Errors
    /// [`TreeError::CodeSize`], of `2^24` bytes or more in the packed layout.
    pub fn leaves(&self, layout: HeaderLayout) -> Result<Vec<(u8, Value)>, TreeError> {
        match layout {
            HeaderLayout::Packed => Ok(vec![
                (HeaderLayout::BASIC_DATA, self.basic_data()?),
                (HeaderLayout::CODE_HASH, self.code_hash),
            ]),
            HeaderLayout::FiveLeaves => {
                let mut leaves = vec![
                    (0, padded(&[self.version])),
                    (1, padded(&self.balance.to_le_bytes())),
                    (2, padded(&self.nonce.to_le_bytes())),
                    (3, self.code_hash),
                ];
                if self.code_hash != EMPTY_CODE_HASH {
                    leaves.push((4, padded(&self.code_size.to_le_bytes())));
                }
                Ok(leaves)
            }
        }
    }

    /// The first leaf of the packed layout; bytes 1 to 4 are reserved and zero.
    fn basic_data(&self) -> Result<Value, TreeError> {
        let [0, size @ ..] = self.code_size.to_be_bytes() else {
            return Err(TreeError::CodeSize(self.code_size));
        };
        let mut value = [0; 32];
        value[0] = self.version;
        value[5..8].copy_from_slice(&size);
        value[8..16].copy_from_slice(&self.nonce.to_be_bytes());
        value[16..].copy_from_slice(&self.balance.to_be_bytes());
        Ok(value)
    }
}

impl From<u64> for TreeIndex {
    fn from(index: u64) -> Self {
        Self(padded(&index.to_le_bytes()))
    }
}

/// The bytes, with zeros behind them.
fn padded(bytes: &[u8]) -> Value {
    core::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: AccountHeader = AccountHeader {
        version: 0x07,
        nonce: 0x0102_0304_0506_0708,
        balance: 0x1112_1314_1516_1718_191a_1b1c_1d1e_1f20,
        code_hash: [0xcc; 32],
        code_size: 0x00ab_cdef,
    };

    #[test]
    fn packed_layout_by_hand() {
        let mut basic = [0; 32];
        basic[0] = 7;
        basic[5..8].copy_from_slice(&[0xab, 0xcd, 0xef]);
        basic[8..16].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
        for i in 16..32u8 {
            basic[usize::from(i)] = i + 1;
        }
        let leaves = HEADER.leaves(HeaderLayout::Packed);
        assert_eq!(leaves, Ok(vec![(0, basic), (1, [0xcc; 32])]));
    }

    #[test]
    fn code_size_has_three_bytes() {
        let size = |code_size| {
            AccountHeader {
                code_size,
                ..HEADER
            }
            .leaves(HeaderLayout::Packed)
        };
        assert!(size(0x00ff_ffff).is_ok());
        assert_eq!(size(0x0100_0000), Err(TreeError::CodeSize(0x0100_0000)));
    }

    #[test]
    fn five_leaves_by_hand() {
        let leaves = HEADER.leaves(HeaderLayout::FiveLeaves).expect("no limits");
        let suffixes: Vec<u8> = leaves.iter().map(|leaf| leaf.0).collect();
        assert_eq!(suffixes, [0, 1, 2, 3, 4]);
        assert_eq!(leaves[0].1[..2], [7, 0]);
        assert_eq!(leaves[1].1[..3], [0x20, 0x1f, 0x1e]);
        assert_eq!(leaves[1].1[15..18], [0x11, 0, 0]);
        assert_eq!(leaves[2].1[..9], [8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(leaves[4].1[..4], [0xef, 0xcd, 0xab, 0]);
        let without_code = AccountHeader::default().leaves(HeaderLayout::FiveLeaves);
        assert_eq!(without_code.expect("no limits").len(), 4);
    }
}
