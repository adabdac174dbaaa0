//! Scalar multiplication through an endomorphism that multiplies by a known `λ`.
//!
//! On `y² = x³ + b` it is `(x, y) → (βx, y)` with `λ` a cube root of unity, on Bandersnatch a map of degree 2 with
//! `λ² = -2`. A scalar `k` is written `k₁ + k₂·λ` with halves of half the length, and both halves share their
//! doublings. Source: Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient
//! endomorphisms", CRYPTO 2001, sections 3-4.

use crate::endomorphism::ScalarDigits;
use frumious_field::Choice;
use frumious_limbs::primitives::mac;
use frumious_limbs::words;

/// A point that can be multiplied.
pub trait GlvPoint: Copy {
    /// The neutral element.
    const IDENTITY: Self;
    /// Short vectors for `λ`.
    const LATTICE: Lattice;
    /// `self + other`.
    fn add(&self, other: &Self) -> Self;
    /// `2·self`.
    fn double(&self) -> Self;
    /// `table[index]`, all of which is read. Time: depends on the table's length only.
    fn lookup(table: &[Self], index: u64) -> Self;
    /// `-self` if `choice`, else `self`.
    fn negate_if(&self, choice: Choice) -> Self;
    /// `λ·self`.
    fn endomorphism(&self) -> Self;
    /// `2^5·self`.
    fn double_window(&self) -> Self {
        (0..WINDOW).fold(*self, |point, _| point.double())
    }
}

/// Two short vectors `(aᵢ, bᵢ)` with `aᵢ + bᵢ·λ = 0 mod r`, as 256-bit two's complement numbers, of determinant
/// `-r`, with `-b₂ >= 0` and `b₁ >= 0`.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// First vector.
    pub v1: ([u64; 4], [u64; 4]),
    /// Second vector.
    pub v2: ([u64; 4], [u64; 4]),
    /// `⌊2^320·(-b₂)/r⌋` and `⌊2^320·b₁/r⌋`.
    pub reciprocals: [[u64; 4]; 2],
}

/// A signed number of at most 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// Magnitude, low word first.
    pub magnitude: [u64; 2],
    /// True if it is negative.
    pub negative: Choice,
}

impl Lattice {
    /// `(k₁, k₂)` with `k = k₁ + k₂·λ mod r`, for `k < r`. Time: constant.
    ///
    /// With quotients rounded to nearest, `(k₁, k₂) = f₁·v₁ + f₂·v₂` for `|fᵢ| < 1/2 + 2^-60`, so each half is
    /// below `max(|a₁| + |a₂|, |b₁| + |b₂|)·(1/2 + 2^-60)`, which must be below 2^128.
    pub fn split(&self, k: &[u64; 4]) -> [Half; 2] {
        let c1 = rounded_high_words(k, &self.reciprocals[0]);
        let c2 = rounded_high_words(k, &self.reciprocals[1]);
        let combine = |start: &[u64; 4], x: &[u64; 4], y: &[u64; 4]| {
            let after_first = words::sub(start, &low_words(&c1, x)).0;
            words::sub(&after_first, &low_words(&c2, y)).0
        };
        [
            combine(k, &self.v1.0, &self.v2.0),
            combine(&[0; 4], &self.v1.1, &self.v2.1),
        ]
        .map(|value| {
            let sign = (value[3] >> 63).wrapping_neg();
            let flipped = value.map(|word| word ^ sign);
            let (magnitude, _) = words::add(&flipped, &[sign & 1, 0, 0, 0]);
            debug_assert!(
                magnitude[2] == 0 && magnitude[3] == 0,
                "halves fit into 128 bits"
            );
            Half {
                magnitude: [magnitude[0], magnitude[1]],
                negative: Choice::from((sign & 1) as u8),
            }
        })
    }
}

/// Bits of a window of the constant-time method.
pub(crate) const WINDOW: usize = 5;
const WINDOWS: usize = 26; // 5·26 = 130 bits hold any half, recoded

/// `scalar·point` for a scalar below the group order, in constant time. It takes 130 doublings and 52 additions from
/// two tables of 17 multiples, of the point and of its image. Tables are read whole each time.
pub fn multiply<P: GlvPoint>(point: &P, scalar: &[u64; 4]) -> P {
    let halves = P::LATTICE.split(scalar);
    let mut table = [P::IDENTITY; (1 << (WINDOW - 1)) + 1];
    table[1] = *point;
    for i in 2..table.len() {
        table[i] = table[i - 1].add(point);
    }
    let tables = [table, table.map(|multiple| multiple.endomorphism())];
    let digits = halves.map(|half| signed_windows(&half.magnitude));
    let mut sum = P::IDENTITY;
    for window in (0..WINDOWS).rev() {
        if window != WINDOWS - 1 {
            sum = sum.double_window();
        }
        for half in 0..2 {
            let digit = digits[half][window];
            sum = sum.add(&lookup(&tables[half], digit, halves[half].negative));
        }
    }
    sum
}

/// `scalar·point` for a scalar below the group order; time depends on the scalar.
///
/// Interleaved non-adjacent forms of width 5: about 127 doublings and 43 additions, tables of 8 odd multiples.
pub fn multiply_vartime<P: GlvPoint>(point: &P, scalar: &[u64; 4]) -> P {
    let halves = P::LATTICE.split(scalar);
    let twice = point.double();
    let mut odd_multiples = [*point; 1 << (WINDOW - 2)];
    for i in 1..odd_multiples.len() {
        odd_multiples[i] = odd_multiples[i - 1].add(&twice);
    }
    let tables = [
        odd_multiples,
        odd_multiples.map(|multiple| multiple.endomorphism()),
    ];
    let digits = halves.map(|half| non_adjacent_form_vartime(&half.magnitude, WINDOW as u32));
    let mut sum = P::IDENTITY;
    let length = digits
        .iter()
        .flat_map(|form| form.iter().rposition(|digit| *digit != 0))
        .max();
    for bit in (0..length.map_or(0, |last| last + 1)).rev() {
        sum = sum.double();
        for half in 0..2 {
            let digit = digits[half][bit];
            if digit != 0 {
                let multiple = tables[half][digit.unsigned_abs() as usize / 2];
                let negative = halves[half].negative ^ Choice::from((digit < 0) as u8);
                sum = sum.add(&multiple.negate_if(negative));
            }
        }
    }
    sum
}

/// The digits of both halves of a scalar below the group order, with their signs, in non-adjacent forms of `width`.
pub(crate) fn digits_vartime<P: GlvPoint>(scalar: &[u64; 4], width: u32) -> ScalarDigits {
    let mut digits = [0; size_of::<ScalarDigits>()];
    let length = digits.len() / 2;
    for (half, digits) in (P::LATTICE.split(scalar).iter()).zip(digits.chunks_exact_mut(length)) {
        let form = non_adjacent_form_vartime(&half.magnitude, width);
        let negative = bool::from(half.negative);
        for (digit, of_form) in digits.iter_mut().zip(form) {
            *digit = if negative { -of_form } else { of_form } as i8;
        }
    }
    digits
}

/// `±table[|digit|]`, reading every entry.
fn lookup<P: GlvPoint>(table: &[P], digit: i64, negative: Choice) -> P {
    let sign = digit >> 63;
    let magnitude = ((digit ^ sign) - sign) as u64;
    P::lookup(table, magnitude).negate_if(negative ^ Choice::from((sign & 1) as u8))
}

/// Digits in `-16..16` of base 32: adding 16 to every window first makes each digit its window minus 16.
fn signed_windows(magnitude: &[u64; 2]) -> [i64; WINDOWS] {
    const OFFSET: [u64; 3] = {
        let mut offset = [0u64; 3];
        let mut window = 0;
        while window < WINDOWS {
            let bit = WINDOW * window + WINDOW - 1;
            offset[bit / 64] |= 1 << (bit % 64);
            window += 1;
        }
        offset
    };
    let (shifted, _) = words::add(&[magnitude[0], magnitude[1], 0], &OFFSET);
    core::array::from_fn(|window| {
        let bit = WINDOW * window;
        let (word, shift) = (bit / 64, bit % 64);
        let above = if word + 1 < 3 {
            (shifted[word + 1] << 1) << (63 - shift)
        } else {
            0
        };
        ((shifted[word] >> shift | above) & 31) as i64 - 16
    })
}

/// Digits of the non-adjacent form of that width: zero or odd between `-2^(width - 1)` and `2^(width - 1)`, at most one
/// non-zero in `width`. `width` is in `2..=14`.
pub(crate) fn non_adjacent_form_vartime(magnitude: &[u64; 2], width: u32) -> [i16; 130] {
    let mut digits = [0i16; 130];
    let mut rest = magnitude[0] as u128 | (magnitude[1] as u128) << 64;
    let mut bit = 0;
    let mut carry = 0u128;
    let mask = (1u128 << width) - 1;
    // `rest + carry` is what is left, shifted down as digits are taken
    while rest != 0 || carry != 0 {
        // With a carry the sum is even when the lowest bit is one: the carry moves on.
        let even = if carry == 0 {
            rest.trailing_zeros()
        } else {
            rest.trailing_ones()
        };
        rest = rest.checked_shr(even).unwrap_or(0);
        bit += even as usize;
        let low = ((rest & mask) + carry) as i16; // odd, so no carry out of it
        let negative = low >> (width - 1) & 1; // a carry that ends at bit 128 leaves one digit there
        digits[bit] = low - (negative << width);
        carry = negative as u128;
        rest >>= width;
        bit += width as usize;
    }
    digits
}

/// `a·b / 2^320`, rounded to nearest, for a result of at most three words.
fn rounded_high_words(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut product = [0u64; 8];
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 {
            (product[i + j], carry) = mac(a[i], b[j], product[i + j], carry);
        }
        product[i + 4] = carry;
    }
    let half = product[4] >> 63;
    words::add(&[product[5], product[6], product[7], 0], &[half, 0, 0, 0]).0
}

/// `a·b mod 2^256`.
pub(crate) fn low_words(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut product = [0u64; 4];
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 - i {
            (product[i + j], carry) = mac(a[i], b[j], product[i + j], carry);
        }
    }
    product
}
