//! Groups that have fixed-base tables.

use super::FixedBase;
use super::terms::Terms;
use frumious_curves::Group;
use frumious_field::kernel::Multiplier;
use frumious_simd::{LANES, Mask, Vector};

/// A group of an order of 253 to 255 bits, above `2^252.76` and below `0.93·2^bits`. Its points have a form that is
/// cheap to add from a table. No other crate can add one.
///
/// Two groups are really used: Banderwagon by the Verkle protocols and BN254's G1 by commitments over that curve.
pub trait FixedGroup: LaneTables {
    /// Points as tables have them: affine, possibly with a product that saves time in additions.
    type Entry: EntryForm + From<Self>;
    /// The sum of a commitment, in a kernel's form.
    type Accumulator<T: Multiplier>: Accumulator<Group = Self, Cpu = T>;

    /// Name of the group in table files, at most 16 ASCII characters.
    const NAME: &'static str;

    /// An unambiguous encoding of the element, for digests.
    fn encode(point: &Self) -> Vec<u8>;

    /// The first place where `sums` does not have the sum of the pair there; none if all are right. In lanes where
    /// there are some.
    ///
    /// `pairs`: points of the group; one that is not may make wrong sums at the same place look right. `sums`: as
    /// `EntryForm::read_checked` gives them, as many.
    fn first_wrong_sum_vartime(
        pairs: &[(Self::Entry, Self::Entry)],
        sums: &[Self::Entry],
    ) -> Option<usize>;

    /// `[P, 2·P, 4·P, …, 2^(count−1)·P]`.
    fn powers_vartime(point: &Self, count: usize) -> Vec<Self::Entry>;

    /// Appends the sum of each pair to `sums`, with one inversion for all.
    fn sums_vartime(pairs: &[(Self::Entry, Self::Entry)], sums: &mut Vec<Self::Entry>);

    /// The sum that a table is asked for, compiled for this group in this crate, and not again by all who have a table.
    #[doc(hidden)]
    fn sum_vartime(table: &FixedBase<Self>, terms: Terms<'_, Self>) -> Self::Projective;
}

/// A point as a table has it, and its bytes.
pub trait EntryForm: Copy + Send + Sync {
    /// Length as bytes, a multiple of 32.
    const BYTES: usize;
    /// The neutral element.
    const IDENTITY: Self;

    /// The opposite.
    fn opposite(&self) -> Self;

    /// The entry as bytes; `bytes` has [`BYTES`](Self::BYTES).
    fn write(&self, bytes: &mut [u8]);

    /// The entry of bytes that [`write`](Self::write) wrote; any other lead to no panic, but to wrong sums.
    fn read(bytes: &[u8]) -> Self;

    /// The entry of any bytes, whether its numbers are those of a point or not; none if one is not below the modulus.
    fn read_checked(bytes: &[u8]) -> Option<Self>;
}

/// A group's tables as lanes read them, and its sums in lanes.
pub trait LaneTables: Group {
    /// Eight sums, in lanes.
    type LaneSum<V: Vector>: LaneSum<V, Group = Self>;
    /// The same in memory.
    type LaneBlocks: Copy;
    /// An entry as `EntryForm::write` writes it, in words: numbers of four words in packed Montgomery form.
    type EntryWords: Copy + Send + Sync + 'static;

    /// The entry of the neutral element.
    const IDENTITY_WORDS: &'static Self::EntryWords;
    /// Room for eight sums.
    const ZERO_BLOCKS: Self::LaneBlocks;

    /// Whole entries from the first word on.
    fn rows(words: &[u64]) -> &[Self::EntryWords];
}

/// A sum that entries are added to. Complete: any entry may be added to any sum.
pub trait Accumulator: Copy {
    /// The group.
    type Group: FixedGroup;
    /// The proof that this CPU can do the arithmetic.
    type Cpu: Copy;

    /// The entry, or its opposite, as a sum.
    fn start(cpu: Self::Cpu, entry: &<Self::Group as FixedGroup>::Entry, negative: bool) -> Self;

    /// `self ± entry`.
    fn add(
        self,
        cpu: Self::Cpu,
        entry: &<Self::Group as FixedGroup>::Entry,
        negative: bool,
    ) -> Self;

    /// `2·(self ± entry)`.
    fn add_and_double(
        self,
        cpu: Self::Cpu,
        entry: &<Self::Group as FixedGroup>::Entry,
        negative: bool,
    ) -> Self;

    /// `2·self`.
    fn double(self) -> Self;

    /// `self + other`.
    fn join(self, cpu: Self::Cpu, other: Self) -> Self;

    /// The element.
    fn finish(self) -> <Self::Group as Group>::Projective;
}

/// Eight sums side by side, each complete as [`Accumulator`]s are. All functions are `#[inline(always)]`.
pub trait LaneSum<V: Vector>: Copy {
    /// The group.
    type Group: LaneTables;

    /// The entries, or their opposites in the lanes of `negative`, as sums.
    fn start(
        cpu: V::Cpu,
        entries: [&<Self::Group as LaneTables>::EntryWords; LANES],
        negative: Mask,
    ) -> Self;

    /// In each lane `self + entry`, in those of `negative` `self - entry`.
    fn add(
        self,
        entries: [&<Self::Group as LaneTables>::EntryWords; LANES],
        negative: Mask,
    ) -> Self;

    /// In each lane `2·self`.
    fn double(self) -> Self;

    /// In each lane `self + other`.
    fn join(self, other: Self) -> Self;

    /// The sum of lane `(i + by) mod 8` in lane i.
    fn rotate(self, by: usize) -> Self;

    /// What [`store`](Self::store) wrote.
    fn load(cpu: V::Cpu, blocks: &<Self::Group as LaneTables>::LaneBlocks) -> Self;

    /// The sums in memory.
    fn store(self, blocks: &mut <Self::Group as LaneTables>::LaneBlocks);

    /// The elements.
    fn elements(self) -> [<Self::Group as Group>::Projective; LANES];
}

/// Four little-endian words from bytes.
#[inline(always)]
pub(super) fn read_words(bytes: &[u8]) -> [u64; 4] {
    core::array::from_fn(|word| {
        let bytes = bytes[8 * word..].first_chunk().expect("32 bytes");
        u64::from_le_bytes(*bytes)
    })
}

/// The inverse of [`read_words`].
pub(super) fn write_words(words: &[u64; 4], bytes: &mut [u8]) {
    for (word, bytes) in words.iter().zip(bytes.chunks_exact_mut(8)) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
}
