//! Banderwagon: entries `(x, y, d·x·y)`, sums in extended coordinates, eight products an addition.

mod check;
mod lanes;

use super::FixedBase;
use super::group::{Accumulator, EntryForm, FixedGroup, LaneTables, read_words, write_words};
use super::terms::Terms;
use core::marker::PhantomData;
use frumious_curves::bandersnatch::{AffineElement, Element, Fq, TableEntry};
use frumious_curves::edwards::{Entry, Extended};
use frumious_field::kernel::Multiplier;
use frumious_field::{Choice, ConditionallySelectable, KernelField, Reduced, dispatch_kernel};
use frumious_simd::{Block, Vector};

/// The group of Verkle commitments; see [`frumious_curves::bandersnatch`].
pub type Banderwagon = AffineElement;

impl FixedGroup for AffineElement {
    type Entry = TableEntry;
    type Accumulator<T: Multiplier> = Sum<T>;

    const NAME: &'static str = "banderwagon";

    fn encode(point: &AffineElement) -> Vec<u8> {
        point.to_bytes().to_vec()
    }

    fn first_wrong_sum_vartime(
        pairs: &[(TableEntry, TableEntry)],
        sums: &[TableEntry],
    ) -> Option<usize> {
        let blocks = pairs.chunks(check::BLOCK).zip(sums.chunks(check::BLOCK));
        blocks.enumerate().find_map(|(block, (pairs, sums))| {
            check::first_wrong_sum_vartime(pairs, sums).map(|place| block * check::BLOCK + place)
        })
    }

    fn powers_vartime(point: &AffineElement, count: usize) -> Vec<TableEntry> {
        let powers: Vec<Element> =
            core::iter::successors(Some(Element::from(*point)), |last| Some(last.double()))
                .take(count)
                .collect();
        frumious_curves::bandersnatch::batch_to_affine_vartime(&powers)
            .into_iter()
            .map(TableEntry::from)
            .collect()
    }

    fn sums_vartime(pairs: &[(TableEntry, TableEntry)], sums: &mut Vec<TableEntry>) {
        dispatch_kernel!(cpu => sums_vartime::<Reduced<Fq, _>>(cpu, pairs, sums));
    }

    #[inline(never)]
    fn sum_vartime(table: &FixedBase<Self>, terms: Terms<'_, Self>) -> Element {
        table.sum(terms)
    }
}

impl EntryForm for TableEntry {
    const BYTES: usize = 96;
    const IDENTITY: Self = Self::IDENTITY;

    fn opposite(&self) -> Self {
        self.neg()
    }

    fn write(&self, bytes: &mut [u8]) {
        for (value, bytes) in [self.x, self.y, self.dxy]
            .iter()
            .zip(bytes.chunks_exact_mut(32))
        {
            write_words(&value.to_montgomery_limbs(), bytes);
        }
    }

    #[inline(always)]
    fn read(bytes: &[u8]) -> Self {
        let bytes: &[u8; 96] = bytes.first_chunk().expect("an entry has 96 bytes");
        let value = |start| Fq::from_montgomery_limbs_unchecked(read_words(&bytes[start..]));
        Self {
            x: value(0),
            y: value(32),
            dxy: value(64),
        }
    }

    fn read_checked(bytes: &[u8]) -> Option<Self> {
        let entry = Self::read(bytes);
        let is_reduced = |value: &Fq| {
            let words = value.to_montgomery_limbs();
            bool::from(Fq::from_montgomery_limbs(words).is_some())
        };
        let values = [entry.x, entry.y, entry.dxy];
        values.iter().all(is_reduced).then_some(entry)
    }
}

impl LaneTables for AffineElement {
    type LaneSum<V: Vector> = lanes::Sums<V>;
    type LaneBlocks = [Block<5>; 4];
    type EntryWords = [[u64; 4]; 3];

    const IDENTITY_WORDS: &'static [[u64; 4]; 3] = &[[0; 4], Fq::ONE.to_montgomery_limbs(), [0; 4]];
    const ZERO_BLOCKS: [Block<5>; 4] = [Block::ZERO; 4];

    #[inline]
    fn rows(words: &[u64]) -> &[[[u64; 4]; 3]] {
        words.as_chunks().0.as_chunks().0
    }
}

/// A sum in extended coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Sum<T: Multiplier>(Extended<Reduced<Fq, T>>, PhantomData<T>);

impl<T: Multiplier> Accumulator for Sum<T> {
    type Group = Banderwagon;
    type Cpu = T;

    #[inline(always)]
    fn start(cpu: T, entry: &TableEntry, negative: bool) -> Self {
        let entry = signed::<T>(cpu, entry, negative);
        Self(Extended::from_affine(cpu, entry.x, entry.y), PhantomData)
    }

    #[inline(always)]
    fn add(self, cpu: T, entry: &TableEntry, negative: bool) -> Self {
        let entry = signed::<T>(cpu, entry, negative);
        Self(self.0.add_entry(entry), PhantomData)
    }

    #[inline(always)]
    fn add_and_double(self, cpu: T, entry: &TableEntry, negative: bool) -> Self {
        let entry = signed::<T>(cpu, entry, negative);
        Self(self.0.add_entry_last(entry).double_extended(), PhantomData)
    }

    #[inline(always)]
    fn double(self) -> Self {
        Self(self.0.double(), PhantomData)
    }

    #[inline(always)]
    fn join(self, cpu: T, other: Self) -> Self {
        let d = Reduced::load(cpu, AffineElement::D);
        Self(self.0.add(other.0, d), PhantomData)
    }

    fn finish(self) -> Element {
        Element::from_kernel_unchecked(self.0)
    }
}

/// `±entry`, by selection: signs are as good as random, and a branch would be mispredicted half of the time.
#[inline(always)]
fn signed<T: Multiplier>(cpu: T, entry: &TableEntry, negative: bool) -> Entry<Reduced<Fq, T>> {
    let sign = [Choice::from(0), Choice::from(1)][usize::from(negative)];
    let select = |value: Fq| Fq::conditional_select(&value, &-value, sign);
    TableEntry {
        x: select(entry.x),
        y: entry.y,
        dxy: select(entry.dxy),
    }
    .to_kernel(cpu)
}

/// Affine additions with one inversion, 15 products each: with `δ = d·x₁x₂y₁y₂`,
///
/// ```text
/// x₃ = (x₁y₂ + y₁x₂)/(1 + δ)      y₃ = (y₁y₂ + 5·x₁x₂)/(1 − δ)
/// ```
///
/// and only `(1 + δ)(1 − δ)`, which is never zero as the law is complete on the group, goes into the shared product.
/// Source: Bernstein, Birkner, Joye, Lange, Peters, "Twisted Edwards curves", eprint 2008/013, section 6; Montgomery
/// 1987, 10.3.1.
fn sums_vartime<V: KernelField<Scalar = Fq>>(
    cpu: V::Cpu,
    pairs: &[(TableEntry, TableEntry)],
    sums: &mut Vec<TableEntry>,
) {
    let one = V::load(cpu, Fq::ONE);
    let d = V::load(cpu, AffineElement::D);
    let mut product = one;
    // (numerators over the common denominator, that denominator, the product of those before)
    let mut terms: Vec<(V, V, V, V)> = Vec::with_capacity(pairs.len());
    for (left, right) in pairs {
        let left: Entry<V> = left.to_kernel(cpu);
        let right: Entry<V> = right.to_kernel(cpu);
        let a = left.x * right.x;
        let b = left.y * right.y;
        let e = (left.x + left.y) * (right.x + right.y) - a - b;
        let h = b + a.double().double() + a;
        let delta = left.dxy * (right.x * right.y);
        let denominator = one - delta.square();
        terms.push((e * (one - delta), h * (one + delta), denominator, product));
        product = product * denominator;
    }
    let inverse = product.store().invert_vartime();
    let mut inverse = V::load(
        cpu,
        inverse.expect("denominators are not zero in the group"),
    );
    let first = sums.len();
    for (x, y, denominator, before) in terms.into_iter().rev() {
        let own = inverse * before;
        inverse = inverse * denominator;
        let (x, y) = (x * own, y * own);
        sums.push(TableEntry {
            x: x.store(),
            y: y.store(),
            dxy: (d * x * y).store(),
        });
    }
    sums[first..].reverse();
}
