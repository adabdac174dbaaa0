//! Multiples of the generator in constant time, from a table of 86 KiB of which every window is read whole.
//!
//! A scalar `k` is written with digits ±1: `k = Σ (2·bᵢ - 1)·2^i` for the bits `bᵢ` of `(k + 2^258 - 1)/2 mod n`. Six
//! of them make an odd digit between -63 and 63, never zero; so 43 windows take 43 complete additions and no doubling.
//! Source: Hamburg, "Fast and compact elliptic-curve cryptography", eprint 2012/309, section 3.3 (signed digits).

use super::{Affine, Fq, Fr, Projective};
use frumious_limbs::modular;
use std::sync::OnceLock;
use zeroize::Zeroizing;

const WINDOW: usize = 6;
const WINDOWS: usize = 43;
const ENTRIES: usize = 1 << (WINDOW - 1);

/// The words of `x` and `y` of `1, 3, …, 63` times a point.
type Entries = [[u64; 8]; ENTRIES];

impl Projective {
    /// `scalar·G` in constant time.
    pub fn mul_generator(scalar: &Fr) -> Self {
        // (2^258 - 1) mod n
        const OFFSET: Fr = Fr::from_u64(2)
            .pow_const_vartime(&[258])
            .add_const(&Fr::ONE.neg_const());
        let bits = Zeroizing::new(scalar.add(&OFFSET).halve().to_canonical_limbs());
        let mut sum = Self::IDENTITY;
        for (window, table) in table().iter().enumerate() {
            sum = sum.add_finite(&lookup(table, window_of(&bits, window)));
        }
        sum
    }
}

/// The six bits of that window.
#[inline(always)]
fn window_of(bits: &[u64; 4], window: usize) -> u64 {
    let (word, shift) = (WINDOW * window / 64, WINDOW * window % 64);
    let above = if word + 1 < 4 { bits[word + 1] } else { 0 };
    (bits[word] >> shift | (above << 1) << (63 - shift)) & (2 * ENTRIES as u64 - 1)
}

/// `(2·window - 63)` times the base of that table.
#[inline(always)]
fn lookup(table: &Entries, window: u64) -> Affine {
    let positive = window >> (WINDOW - 1); // 32 + i is the digit 2i + 1, 31 - i its negative
    let index = (window ^ positive.wrapping_sub(1)) & (ENTRIES as u64 - 1);
    let [x0, x1, x2, x3, y0, y1, y2, y3] = modular::lookup(table, index);
    let y = Fq::from_words_unchecked([y0, y1, y2, y3]);
    Affine {
        x: Fq::from_words_unchecked([x0, x1, x2, x3]),
        y: y.negate_if(1 - positive),
    }
}

/// Tables of `2^(6·window)·G`, computed when first asked for (about a quarter of a millisecond).
fn table() -> &'static [Entries; WINDOWS] {
    static TABLE: OnceLock<Box<[Entries; WINDOWS]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut base = Projective::GENERATOR;
        let tables: Vec<Entries> = (0..WINDOWS)
            .map(|_| {
                let mut multiples = odd_multiples(&base, ENTRIES);
                base = (0..WINDOW).fold(base, |point, _| point.double());
                core::array::from_fn(|_| {
                    let Affine { x, y } = multiples.next().expect("an entry");
                    let (x, y) = (x.to_canonical_limbs(), y.to_canonical_limbs());
                    core::array::from_fn(|i| if i < 4 { x[i] } else { y[i - 4] })
                })
            })
            .collect();
        tables.try_into().expect("a table for each window")
    })
}

/// `1, 3, 5, …` times a public point, so many, with one inversion.
pub(super) fn odd_multiples(
    base: &Projective,
    count: usize,
) -> impl Iterator<Item = Affine> + use<> {
    let twice = base.double();
    let multiples: Vec<Projective> =
        core::iter::successors(Some(*base), |multiple| Some(*multiple + twice))
            .take(count)
            .collect();
    Projective::batch_to_affine_vartime(&multiples).into_iter()
}
