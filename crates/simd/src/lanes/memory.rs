//! Between words in memory, one element after the other, and limbs in lanes.
//!
//! Elements in memory are packed: `W` words of 64 bits, `x·2^(64W) mod p`. The lane form is `x·2^(52L)`, that is `2^s`
//! times as much, with the radix shift `s = 52L - 64W`: 4 bits for 4 words, 32 bits for 6. So no product is needed:
//!
//! - **In:** the words are cut into limbs `s` places higher. The value is then below `2^s·p`, which the headroom allows
//!   to multiply by a product at once.
//! - **Out:** a Montgomery step of `s` bits, `(x + m·p)/2^s` with `m = x·(-p⁻¹) mod 2^s`: an eighth of a product.
//!
//! [`Lanes::load_shifted`] and [`Lanes::store_shifted`] do both with a smaller `s`, for formulas that allow for a
//! factor. Of a point `(x, y)` they may hold `(x/4, y/8)`, which is on an isomorphic curve and below `4p` and `2p`.
//!
//! [`Lanes::load_words`] and [`Lanes::store_words`] move numbers as they are, for tables and buckets that stay in lane
//! form, and for products with a packed factor. `x·2^(52L)` times `y·2^(64W)` is `xy·2^(64W)`, packed already.
//!
//! Rows are transposed in registers. It takes 0.4 ns to load an element of four words from the first-level cache (Zen
//! 5), where a gather takes several times as much.

use super::{Lanes, carry, splat};
use crate::bound::Bound;
use crate::modulus::{MASK_52, Prime};
use crate::vector::{LANES, Vector};

impl<P: Prime<L>, V: Vector, const L: usize> Lanes<P, V, L> {
    /// Elements in packed form below `p`, one from each row, into lane form. Below `2^radix_shift·p`: 16p for 5 limbs,
    /// 2^32·p for 8.
    #[inline(always)]
    pub fn load_packed<const W: usize>(cpu: V::Cpu, rows: [&[u64; W]; LANES]) -> Self {
        let limbs = limbs_of_rows(cpu, rows, P::MODULUS.radix_shift);
        Self::new(limbs, Bound::below(1 << P::MODULUS.radix_shift)).verified()
    }

    /// Elements in packed form below `p`, one from each row, times `2^S`. Below `2^S·p`, for `S` up to `radix_shift`;
    /// with less than that, the lane form is that of the elements over `2^(radix_shift - S)`.
    #[inline(always)]
    pub fn load_shifted<const W: usize, const S: u32>(
        cpu: V::Cpu,
        rows: [&[u64; W]; LANES],
    ) -> Self {
        const { assert!(S <= P::MODULUS.radix_shift, "no more than the radix shift") };
        Self::new(limbs_of_rows(cpu, rows, S), Bound::below(1 << S)).verified()
    }

    /// The elements in packed form, below `p`, for values below `2^radix_shift·p`.
    #[inline(always)]
    pub fn store_packed<const W: usize>(self, rows: [&mut [u64; W]; LANES]) {
        self.divide_by_power_of_two(P::MODULUS.radix_shift)
            .reduce()
            .store_words(rows);
    }

    /// The inverse of [`Lanes::load_shifted`], for values below `2^S·p` and `1 ≤ S ≤ radix_shift`: the numbers over
    /// `2^S`, reduced.
    #[inline(always)]
    pub fn store_shifted<const W: usize, const S: u32>(self, rows: [&mut [u64; W]; LANES]) {
        const {
            assert!(
                S >= 1 && S <= P::MODULUS.radix_shift,
                "1 to the radix shift"
            )
        };
        self.divide_by_power_of_two(S).reduce().store_words(rows);
    }

    /// The numbers in the rows as they are, below `K·p`.
    #[inline(always)]
    pub fn load_words<const W: usize, const K: u64>(cpu: V::Cpu, rows: [&[u64; W]; LANES]) -> Self {
        Self::new(limbs_of_rows(cpu, rows, 0), Bound::below(K)).verified()
    }

    /// The numbers as they are, for values below `floor(2^(64W)/p)·p`. That is 5p for BN254, 2p for the scalar field of
    /// BLS12-381, 8p for that of Bandersnatch, 9p for the base field of BLS12-381.
    #[inline(always)]
    pub fn store_words<const W: usize>(self, rows: [&mut [u64; W]; LANES]) {
        self.bound.check(
            P::MODULUS.headroom >> P::MODULUS.radix_shift,
            "a value to store in words",
        );
        store_words(self.limbs, rows);
    }

    /// `self/2^shift`, for values below `2^shift·p` and a shift from 1 to `radix_shift`. Below `2p`.
    ///
    /// With `s` the shift, `x + m·p < 2^s·p + (2^s - 1)·p`, which the headroom (at least `2^(radix_shift + 1)`) allows.
    #[inline(always)]
    fn divide_by_power_of_two(self, shift: u32) -> Self {
        self.bound.check(1 << shift, "a value to pack");
        let cpu = self.cpu();
        let zero = V::splat(cpu, 0);
        let p: [V; L] = splat(cpu, &P::MODULUS.p);
        let m = zero
            .madd52lo(self.limbs[0], V::splat(cpu, P::MODULUS.p_neg_inv))
            .and(V::splat(cpu, (1 << shift) - 1));
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].madd52lo(m, p[i]);
        });
        each!(i in 1..L => {
            limbs[i] = limbs[i].madd52hi(m, p[i - 1]);
        });
        let limbs = carry(limbs);
        let mask = V::splat(cpu, MASK_52);
        let mut shifted = limbs;
        each!(i in 0..L - 1 => {
            shifted[i] = limbs[i]
                .shr(shift)
                .or(limbs[i + 1].shl(52 - shift))
                .and(mask);
        });
        shifted[L - 1] = limbs[L - 1].shr(shift);
        Self::new(shifted, Bound::below(2))
    }
}

apart! {
/// The numbers in the rows times `2^shift`, in limbs, for a product below `2^(52L)` and `shift < 52`.
fn limbs_of_rows[V: Vector, const W: usize, const L: usize](
    cpu: V::Cpu,
    rows: [&[u64; W]; LANES],
    shift: u32,
) -> [V; L] {
    let words: [V; W] = load_rows(cpu, rows);
    let mask = V::splat(cpu, MASK_52);
    let mut limbs = [V::splat(cpu, 0); L];
    limbs[0] = words[0].shl(shift).and(mask);
    each!(i in 1..L => {
        // Limb i holds the bits from 52i - shift.
        let start = 52 * i - shift as usize;
        let (word, bit) = (start / 64, (start % 64) as u32);
        if word < W {
            limbs[i] = words[word].shr(bit);
        }
        if bit > 12 && word + 1 < W {
            limbs[i] = limbs[i].or(words[word + 1].shl(64 - bit));
        }
        limbs[i] = limbs[i].and(mask);
    });
    limbs
}
}

apart! {
fn store_words[V: Vector, const W: usize, const L: usize](limbs: [V; L], rows: [&mut [u64; W]; LANES]) {
    let zero = V::splat(limbs[0].cpu(), 0);
    let mut words = [zero; W];
    each!(i in 0..W => {
        // Word i holds the bits from 64i, of two limbs or of three.
        let (limb, bit) = (64 * i / 52, (64 * i % 52) as u32);
        words[i] = limbs[limb].shr(bit);
        if limb + 1 < L {
            words[i] = words[i].or(limbs[limb + 1].shl(52 - bit));
        }
        if bit > 40 && limb + 2 < L {
            words[i] = words[i].or(limbs[limb + 2].shl(104 - bit));
        }
    });
    store_rows(words, rows);
}
}

/// Word j of each row into vector j. `W` is 4 or 6.
#[inline(always)]
fn load_rows<V: Vector, const W: usize>(cpu: V::Cpu, rows: [&[u64; W]; LANES]) -> [V; W] {
    const { assert!(W == 4 || W == 6, "rows of four or six words") };
    let mut words = [V::splat(cpu, 0); W];
    let mut fours = [&[0; 4]; LANES];
    each!(i in 0..LANES => {
        fours[i] = rows[i].first_chunk().expect("four words at least");
    });
    // By name: `copy_from_slice` is not always inlined.
    [words[0], words[1], words[2], words[3]] = V::load_rows_4(cpu, fours);
    if W == 6 {
        let mut twos = [&[0; 2]; LANES];
        each!(i in 0..LANES => {
            twos[i] = rows[i].last_chunk().expect("six words");
        });
        [words[W - 2], words[W - 1]] = V::load_rows_2(cpu, twos);
    }
    words
}

/// Vector j into word j of each row. `W` is 4 or 6.
#[inline(always)]
fn store_rows<V: Vector, const W: usize>(words: [V; W], rows: [&mut [u64; W]; LANES]) {
    const { assert!(W == 4 || W == 6, "rows of four or six words") };
    // By name and not by `array::map`, which is not always inlined.
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    let ((a0, b0), (a1, b1), (a2, b2), (a3, b3)) = (split(r0), split(r1), split(r2), split(r3));
    let ((a4, b4), (a5, b5), (a6, b6), (a7, b7)) = (split(r4), split(r5), split(r6), split(r7));
    let fours = [words[0], words[1], words[2], words[3]];
    V::store_rows_4(fours, [a0, a1, a2, a3, a4, a5, a6, a7]);
    if W == 6 {
        let (b0, b1, b2, b3) = (two(b0), two(b1), two(b2), two(b3));
        let (b4, b5, b6, b7) = (two(b4), two(b5), two(b6), two(b7));
        V::store_rows_2(
            [words[W - 2], words[W - 1]],
            [b0, b1, b2, b3, b4, b5, b6, b7],
        );
    }
}

#[inline(always)]
fn split<const W: usize>(row: &mut [u64; W]) -> (&mut [u64; 4], &mut [u64]) {
    row.split_first_chunk_mut().expect("four words at least")
}

#[inline(always)]
fn two(row: &mut [u64]) -> &mut [u64; 2] {
    row.first_chunk_mut().expect("two words after four of six")
}
