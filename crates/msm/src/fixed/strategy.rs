//! The kinds of table, by their parameters.

use frumious_curves::Group;
use frumious_field::WordField;

/// A table and the way it is used. Sizes are given for Banderwagon: 253 bits, 96 bytes an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Each of the first `points` points has, for each of `count` windows of its scalar, the multiples by `1 … 2^(w−1)`
    /// of its power at the window. Digits are signed, so that half of the multiples do.
    ///
    /// An addition for each window that a scalar reaches, no doublings. The widths `w` of windows differ by at most
    /// one: 32 windows of 8 bits (three of 7) are 366 KiB a point.
    Windows {
        /// Number of points, from the first.
        points: usize,
        /// Number of windows, of 4 to 24 bits each.
        count: usize,
    },
    /// The tables of Herold's "Notes on MSMs with Precomputation" (2023) with the knobs `t` and `b`.
    ///
    /// In round `i` each scalar gives every `t`-th bit from bit `i` on: `s = ⌈253/t⌉` bits a scalar. These bits of all
    /// scalars, one after another, are cut into blocks of `b` bits. Each block has a table of the sums that its bits
    /// can mean. So a commitment takes `t` rounds of one addition for each block, with a doubling between rounds.
    Comb {
        /// `t`, the number of rounds.
        rounds: usize,
        /// `b`, bits in a block; 1 to 24.
        bits: usize,
        /// The way from bits to digits and blocks.
        digits: Digits,
    },
}

/// The order in which a comb reads bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Digits {
    /// As in the notes: digits 0 and 1, and blocks of exactly `b` bits with `2^b − 1` entries each. Blocks wrap from
    /// one point to the next, and the last is shorter. A block whose bits are all zero is skipped.
    Unsigned,
    /// Digits −1 and 1, so that half of the sums are the opposites of the others: `2^(b−1)` entries a block. A block
    /// has whole points, or a point whole blocks, `b` bits at most. Blocks without a scalar are skipped.
    ///
    /// Source of the digits: Hamburg, "Fast and compact elliptic-curve cryptography", eprint 2012/309, section 3.3.
    Signed {
        /// Which points share a block.
        order: Order,
    },
}

/// Which points share a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// Neighbours: good where scalars fill ranges.
    Consecutive,
    /// Points that lie as many apart as there are blocks: good where every second or fourth scalar is zero.
    Strided,
}

/// Bit length of the order of `G`.
pub(super) const fn order_bits<G: Group>() -> usize {
    256 - G::Scalar::MODULUS_64.p[3].leading_zeros() as usize
}

/// The widest window or block: 2^24 entries are 1.5 GiB.
pub(super) const MAX_BITS: usize = 24;

/// More tables than anybody has use for.
pub(super) const MAX_TABLES: usize = 64;
