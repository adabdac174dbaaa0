//! Signed digits of eight scalars at a time, by the method of `recode`: one addition, and each digit is a bit field.

use crate::recode::{Centring, Window};
use frumious_field::Integer;
use frumious_field::prefetch;
use frumious_simd::{Kernel, LANES, MASK_52, Vector, limbs_of};

/// Eight digits: in the low 32 bits of each the absolute value, above them 1 if it is negative.
pub(super) type Codes = [u64; LANES];

/// The digits of `scalars[first + offsets[i]]`, `i < count`, in `windows`. The other offsets are of scalars that come
/// next.
///
/// Group `g` of eight offsets (the last filled up by repeating its last) and window `w` go to `codes[w·groups + g]`.
/// There are `groups` groups, at least one.
pub(super) struct Digits<'k, F> {
    pub(super) scalars: &'k [Integer<F>],
    pub(super) first: usize,
    pub(super) offsets: &'k [u16],
    pub(super) count: usize,
    pub(super) centring: &'k Centring,
    pub(super) windows: &'k [Window],
    pub(super) codes: &'k mut [Codes],
}

impl<F> Kernel for Digits<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let groups = self.count.div_ceil(LANES);
        let scalars = &self.scalars[self.first..];
        for g in 0..groups {
            let mut rows = [&[0; 4]; LANES];
            match neighbours(scalars, &self.offsets[g * LANES..self.count]) {
                Some(neighbours) => {
                    for k in 0..LANES {
                        rows[k] = neighbours[k].words();
                    }
                }
                None => {
                    for k in 0..LANES {
                        let i = g * LANES + k;
                        if let Some(ahead) = self.offsets.get(i + AHEAD) {
                            prefetch(&scalars[usize::from(*ahead)]);
                        }
                        rows[k] = scalars[usize::from(self.offsets[i.min(self.count - 1)])].words();
                    }
                }
            }
            let mut limbs = [[0; LANES]; LIMBS + 1];
            centred::<V>(cpu, rows, self.centring, &mut limbs);
            for (w, window) in self.windows.iter().enumerate() {
                let (limb, bit) = ((window.start / 52) as usize, window.start % 52);
                let low = V::load(cpu, &limbs[limb]).shr(bit);
                let high = V::load(cpu, &limbs[limb + 1]).shl(52 - bit);
                let field = low.or(high).and(V::splat(cpu, (1 << window.width) - 1));
                let digit = field.sub(V::splat(cpu, 1 << (window.width - 1)));
                let negative = digit.is_negative();
                let opposite = V::splat(cpu, 1 << 32).sub(digit); // |digit| and the mark
                digit
                    .select(opposite, negative)
                    .store(&mut self.codes[w * groups + g]);
            }
        }
    }
}

/// The scalars of the first eight offsets, if they follow one another.
#[inline(always)]
fn neighbours<'k, F>(
    scalars: &'k [Integer<F>],
    offsets: &[u16],
) -> Option<&'k [Integer<F>; LANES]> {
    let offsets = offsets.first_chunk::<LANES>()?;
    let mut expected = [offsets[0]; LANES];
    for k in 0..LANES {
        expected[k] = expected[k].wrapping_add(k as u16);
    }
    match *offsets == expected {
        true => scalars.get(usize::from(offsets[0])..)?.first_chunk(),
        false => None,
    }
}

/// Scalars ahead at which memory is asked for: without it half of the time is spent waiting.
const AHEAD: usize = 64;

/// Limbs of 52 bits of a 256-bit number.
const LIMBS: usize = 5;

/// `scalar - m·r + offset` for the `m` and the offset of [`Centring`]. The last limb is zero.
#[inline(always)]
fn centred<V: Vector>(
    cpu: V::Cpu,
    rows: [&[u64; 4]; LANES],
    centring: &Centring,
    limbs: &mut [[u64; LANES]; LIMBS + 1],
) {
    let [w0, w1, w2, w3] = V::load_rows_4(cpu, rows);
    let mask = V::splat(cpu, MASK_52);
    let mut offset = splat::<V>(cpu, &centring.offsets[0]);
    let top = w3.shr(1); // both halved, as the comparison is of signed numbers
    for (threshold, folded) in centring.thresholds.iter().zip(&centring.offsets[1..]) {
        let above = V::splat(cpu, threshold >> 1).sub(top).is_negative();
        if above.is_empty() {
            break;
        }
        let folded = splat::<V>(cpu, folded);
        for i in 0..LIMBS {
            offset[i] = offset[i].select(folded[i], above);
        }
    }
    let l0 = w0.and(mask).add(offset[0]);
    let l1 = w0.shr(52).or(w1.shl(12)).and(mask).add(offset[1]);
    let l2 = w1.shr(40).or(w2.shl(24)).and(mask).add(offset[2]);
    let l3 = w2.shr(28).or(w3.shl(36)).and(mask).add(offset[3]);
    let l4 = w3.shr(16).add(offset[4]);
    let l1 = l1.add(l0.shr(52));
    let l2 = l2.add(l1.shr(52));
    let l3 = l3.add(l2.shr(52));
    let l4 = l4.add(l3.shr(52)).and(V::splat(cpu, (1 << 48) - 1));
    l0.and(mask).store(&mut limbs[0]);
    l1.and(mask).store(&mut limbs[1]);
    l2.and(mask).store(&mut limbs[2]);
    l3.and(mask).store(&mut limbs[3]);
    l4.store(&mut limbs[4]);
}

#[inline(always)]
fn splat<V: Vector>(cpu: V::Cpu, words: &[u64; 4]) -> [V; LIMBS] {
    let limbs: [u64; LIMBS] = limbs_of(words);
    let mut vectors = [V::splat(cpu, 0); LIMBS];
    for i in 0..LIMBS {
        vectors[i] = V::splat(cpu, limbs[i]);
    }
    vectors
}
