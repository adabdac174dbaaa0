//! Forwarding from a field's newtype to the words and Montgomery arithmetic inside it.

/// Gives a `Copy` newtype over `[u64; N]` in Montgomery form the methods and traits that every prime field has.
///
/// The type must declare the associated constants `M: Modulus<N>`, `TWO_ADICITY`, `ROOT_OF_UNITY` by hand (see
/// `bn254::Fr`). What stands here is forwarding only: the arithmetic is in `frumious-limbs`.
///
/// A field of [`impl_word_field!`](crate::impl_word_field) names `batch_invert_words_vartime`, which knows lanes, as a fourth argument.
#[macro_export]
macro_rules! impl_montgomery_field {
    ($field:ident, $words:literal, $bytes:literal $(, $batch_invert:ident)?) => {
        impl $field {
            /// Zero.
            pub const ZERO: Self = Self([0; $words]);
            /// One.
            pub const ONE: Self = Self(Self::M.r);
            /// The modulus, as little-endian 64-bit words.
            pub const MODULUS: [u64; $words] = Self::M.p;

            /// The integer `value`.
            #[inline]
            pub const fn from_u64(value: u64) -> Self {
                let mut words = [0; $words];
                words[0] = value;
                Self(Self::M.to_montgomery(&words))
            }

            /// The residue of any number of that many words, in constants.
            pub const fn from_words_reduced(words: [u64; $words]) -> Self {
                Self(Self::M.to_montgomery(&words))
            }

            /// The element whose value is `words`; none unless that is below the modulus.
            #[inline]
            pub fn from_canonical_limbs(words: [u64; $words]) -> $crate::CtOption<Self> {
                let canonical = $crate::limbs::words::less_than(&words, &Self::MODULUS);
                $crate::CtOption::new(Self(Self::M.mul_any(&words, &Self::M.r2)), canonical)
            }

            /// The value, below the modulus.
            #[inline]
            pub fn to_canonical_limbs(&self) -> [u64; $words] {
                Self::M.from_montgomery(&self.0)
            }

            /// The element whose Montgomery form is `words`; none unless that is below the modulus.
            #[inline]
            pub fn from_montgomery_limbs(words: [u64; $words]) -> $crate::CtOption<Self> {
                $crate::CtOption::new(
                    Self(words),
                    $crate::limbs::words::less_than(&words, &Self::MODULUS),
                )
            }

            /// The element whose Montgomery form is `words`, which the caller has made sure is below the modulus:
            /// any other gives wrong results (but no undefined behaviour).
            #[inline(always)]
            pub const fn from_montgomery_limbs_unchecked(words: [u64; $words]) -> Self {
                Self(words)
            }

            /// The Montgomery form, below the modulus.
            #[inline(always)]
            pub const fn to_montgomery_limbs(&self) -> [u64; $words] {
                self.0
            }

            /// Montgomery product of the form of `self` with plain words: `self·words/R` as an element's form.
            /// With `self = x·R` it is the element `x·words`: one product where conversion would take two.
            #[inline(always)]
            pub fn montgomery_product_raw(&self, words: &[u64; $words]) -> Self {
                Self(Self::M.mul_any(words, &self.0))
            }

            /// From the value's bytes, least significant first; none unless below the modulus.
            pub fn from_le_bytes(bytes: &[u8; $bytes]) -> $crate::CtOption<Self> {
                Self::from_canonical_limbs($crate::limbs::words::from_le_bytes(bytes))
            }

            /// From the value's bytes, most significant first; none unless below the modulus.
            pub fn from_be_bytes(bytes: &[u8; $bytes]) -> $crate::CtOption<Self> {
                Self::from_canonical_limbs($crate::limbs::words::from_be_bytes(bytes))
            }

            /// The value's bytes, least significant first.
            pub fn to_le_bytes(&self) -> [u8; $bytes] {
                let words = self.to_canonical_limbs();
                core::array::from_fn(|i| (words[i / 8] >> (8 * (i % 8))) as u8)
            }

            /// The value's bytes, most significant first.
            pub fn to_be_bytes(&self) -> [u8; $bytes] {
                let words = self.to_canonical_limbs();
                core::array::from_fn(|i| {
                    let i = $bytes - 1 - i;
                    (words[i / 8] >> (8 * (i % 8))) as u8
                })
            }

            /// The residue of a number of twice the length, least significant byte first. From uniform bytes the
            /// result is within 2^-(bits of the surplus) of uniform.
            pub fn from_uniform_bytes(bytes: &[u8; 2 * $bytes]) -> Self {
                let low = $crate::limbs::words::from_le_bytes(&bytes[..$bytes]);
                let high = $crate::limbs::words::from_le_bytes(&bytes[$bytes..]);
                let low = Self(Self::M.mul_any(&low, &Self::M.r2)); // low·R
                let high = Self(Self::M.mul_any(&high, &Self::M.r2)); // high·R
                low.add(&Self(Self::M.mul(&high.0, &Self::M.r2))) // high·R·R is the form of high·R
            }

            /// From decimal digits without leading zeros; none unless below the modulus. For public values.
            pub fn from_decimal_vartime(text: &str) -> Option<Self> {
                $crate::limbs::decimal::from_decimal_vartime(text)
                    .and_then(|words| Self::from_canonical_limbs(words).into_option())
            }

            /// The value in decimal digits. For public values.
            pub fn to_decimal_vartime(&self) -> String {
                $crate::limbs::decimal::to_decimal_vartime(&self.to_canonical_limbs())
            }

            /// `self + other`.
            #[inline(always)]
            pub fn add(&self, other: &Self) -> Self {
                Self(Self::M.add(&self.0, &other.0))
            }

            /// `self - other`.
            #[inline(always)]
            pub fn sub(&self, other: &Self) -> Self {
                Self(Self::M.sub(&self.0, &other.0))
            }

            /// `-self`.
            #[inline(always)]
            pub fn neg(&self) -> Self {
                Self(Self::M.neg(&self.0))
            }

            /// `2·self`.
            #[inline(always)]
            pub fn double(&self) -> Self {
                self.add(self)
            }

            /// `self/2`.
            #[inline(always)]
            pub fn halve(&self) -> Self {
                Self(Self::M.halve(&self.0))
            }

            /// `self·other`.
            #[inline(always)]
            pub fn mul(&self, other: &Self) -> Self {
                Self(Self::M.mul(&self.0, &other.0))
            }

            /// `self²`.
            #[inline(always)]
            pub fn square(&self) -> Self {
                Self(Self::M.square(&self.0))
            }

            /// `a[0]·b[0] + … + a[K-1]·b[K-1]`, reduced once; `K <= 22`. Source: see `frumious_limbs::products`.
            #[inline(always)]
            pub fn sum_of_products<const K: usize>(a: [&Self; K], b: [&Self; K]) -> Self {
                Self(Self::M.sum_of_products(a.map(|a| &a.0), b.map(|b| &b.0)))
            }

            /// `factor·self + summand` for `factor < 16`.
            #[inline(always)]
            pub fn mul_small_add(&self, factor: u64, summand: &Self) -> Self {
                Self(Self::M.mul_small_add(&self.0, factor, &summand.0))
            }

            /// `1/self`, none for zero. Source: see `frumious_limbs::invert`.
            pub fn invert(&self) -> $crate::CtOption<Self> {
                $crate::CtOption::new(Self(Self::M.invert(&self.0)), !$crate::Field::is_zero(self))
            }

            /// `1/self`, none for zero; time depends on `self`.
            pub fn invert_vartime(&self) -> Option<Self> {
                (self.0 != [0; $words]).then(|| Self(Self::M.invert_vartime(&self.0)))
            }

            /// The Legendre symbol: 0 for zero, 1 for another square, -1 for a non-square. Time: constant.
            /// Source: see `frumious_limbs::legendre`.
            pub fn legendre(&self) -> i32 {
                Self::M.legendre(&self.0)
            }

            /// The Legendre symbol: 0 for zero, 1 for another square, -1 for a non-square; time depends on `self`.
            pub fn legendre_vartime(&self) -> i32 {
                Self::M.legendre_vartime(&self.0)
            }

            /// Whether `self` is a square; zero is one. Time: constant.
            pub fn is_square(&self) -> $crate::Choice {
                $crate::Choice::from((self.legendre() >= 0) as u8)
            }

            /// Whether `self` is a square; zero is one; time depends on `self`.
            pub fn is_square_vartime(&self) -> bool {
                self.legendre_vartime() >= 0
            }

            /// `self^(2^count)`. Time depends on `count` only.
            #[inline]
            pub fn square_repeated(&self, count: u32) -> Self {
                Self(Self::M.square_repeated(&self.0, count))
            }

            /// `self^exponent`, little-endian words; time depends on `exponent` only.
            pub fn pow_vartime(&self, exponent: &[u64]) -> Self {
                Self(Self::M.pow_vartime(&self.0, exponent))
            }

            /// The product in plain Rust, for constants.
            pub const fn mul_const(&self, other: &Self) -> Self {
                Self(Self::M.mul_const(&self.0, &other.0))
            }

            /// The sum, for constants.
            pub const fn add_const(&self, other: &Self) -> Self {
                Self(Self::M.add_const(&self.0, &other.0))
            }

            /// The negative, for constants.
            pub const fn neg_const(&self) -> Self {
                Self(Self::M.neg_const(&self.0))
            }

            /// `self^exponent` for constants.
            pub const fn pow_const_vartime<const E: usize>(&self, exponent: &[u64; E]) -> Self {
                Self(Self::M.pow_const_vartime(&self.0, exponent))
            }
        }

        $crate::impl_field_operators!($field);

        impl $crate::Field for $field {
            const ZERO: Self = Self::ZERO;
            const ONE: Self = Self::ONE;

            #[inline(always)]
            fn double(&self) -> Self {
                self.double()
            }

            #[inline(always)]
            fn square(&self) -> Self {
                self.square()
            }

            fn invert(&self) -> $crate::CtOption<Self> {
                self.invert()
            }

            fn invert_vartime(&self) -> Option<Self> {
                self.invert_vartime()
            }

            $(fn batch_invert_vartime(values: &mut [Self], scratch: &mut Vec<Self>) {
                $crate::batch::$batch_invert(values, scratch);
            })?

            fn pow_vartime(&self, exponent: &[u64]) -> Self {
                self.pow_vartime(exponent)
            }
        }

        impl $crate::PrimeField for $field {
            const MODULUS_BITS: u32 = Self::M.bits;
            const TWO_ADICITY: u32 = Self::TWO_ADICITY;
            const ROOT_OF_UNITY: Self = Self::ROOT_OF_UNITY;

            fn from_u64(value: u64) -> Self {
                Self::from_u64(value)
            }
        }

        impl $crate::ConstantTimeEq for $field {
            #[inline]
            fn ct_eq(&self, other: &Self) -> $crate::Choice {
                self.0[..].ct_eq(&other.0[..])
            }
        }

        impl PartialEq for $field {
            /// In constant time; the result is public.
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                let mut difference = 0;
                for i in 0..$words {
                    difference |= self.0[i] ^ other.0[i];
                }
                difference == 0
            }
        }

        impl Eq for $field {}

        impl $crate::ConditionallySelectable for $field {
            #[inline]
            fn conditional_select(a: &Self, b: &Self, choice: $crate::Choice) -> Self {
                Self($crate::limbs::words::select(&a.0, &b.0, choice))
            }
        }

        impl core::fmt::Debug for $field {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("0x")?;
                self.to_be_bytes()
                    .iter()
                    .try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    };
}

/// Lets a four-word field into kernels and lanes: [`WordField`](crate::WordField) by forwarding.
#[macro_export]
macro_rules! impl_word_field {
    ($field:ident) => {
        impl $crate::simd::Prime<5> for $field {
            const MODULUS: &'static $crate::simd::Modulus52<5> =
                &$crate::simd::Modulus52::new(&Self::M.p);
        }

        impl $crate::WordField for $field {
            const MODULUS_64: &'static $crate::limbs::Modulus<4> = &Self::M;

            #[inline(always)]
            fn to_words(self) -> [u64; 4] {
                self.0
            }

            #[inline(always)]
            fn from_words(words: [u64; 4]) -> Self {
                Self(words)
            }

            #[inline(always)]
            fn as_words(&self) -> &[u64; 4] {
                &self.0
            }

            #[inline(always)]
            fn as_words_mut(&mut self) -> &mut [u64; 4] {
                &mut self.0
            }
        }
    };
}
