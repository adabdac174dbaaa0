//! Forwarding from a field's newtype to the words and Montgomery arithmetic inside it.

/// Gives a `Copy` newtype over `[u64; N]` in Montgomery form the methods and traits that every prime field has.
///
/// The type must declare the associated constants `M: Modulus<N>`, `TWO_ADICITY`, `ROOT_OF_UNITY` by hand (see
/// `bn254::Fr`). What stands here is forwarding only: the arithmetic is in `frumious-limbs`.
///
/// A field of [`impl_word_field!`](crate::impl_word_field) names `batch_invert_words_vartime`, which knows lanes, as a
/// fourth argument.
#[macro_export]
macro_rules! impl_montgomery_field {
    ($field:ident, $words:literal, $bytes:literal $(, $batch_invert:ident)?) => {
        impl $field {
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
                let canonical = $crate::layers::limbs::words::less_than(&words, &Self::MODULUS);
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
                    $crate::layers::limbs::words::less_than(&words, &Self::MODULUS),
                )
            }

            /// The element whose Montgomery form is `words`, which the caller has made sure is below the modulus. Any
            /// other gives wrong results (but no undefined behaviour and no panic).
            #[inline(always)]
            pub const fn from_montgomery_limbs_unchecked(words: [u64; $words]) -> Self {
                // A mapped file may change after its points were checked, and products assert their bounds.
                #[cfg(debug_assertions)]
                if !$crate::layers::limbs::words::less_than_vartime(&words, &Self::MODULUS) {
                    return Self([0; $words]);
                }
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

            /// The residue of a number of twice the length, least significant byte first. From uniform bytes the
            /// result is within 2^-(bits of the surplus) of uniform.
            pub fn from_uniform_bytes(bytes: &[u8; 2 * $bytes]) -> Self {
                let low = $crate::layers::limbs::words::from_le_bytes(&bytes[..$bytes]);
                let high = $crate::layers::limbs::words::from_le_bytes(&bytes[$bytes..]);
                let low = Self(Self::M.mul_any(&low, &Self::M.r2)); // low·R
                let high = Self(Self::M.mul_any(&high, &Self::M.r2)); // high·R
                low.add(&Self(Self::M.mul(&high.0, &Self::M.r2))) // high·R·R is the form of high·R
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
        }

        $crate::impl_prime_field!($field, $words, $bytes $(, $batch_invert)?);
    };
}

/// Lets a four-word field into kernels and lanes: [`WordField`](crate::WordField) by forwarding.
///
/// A field with but one spare bit names [`Reduced`](crate::Reduced) twice more: the form that its kernels compute with,
/// and that of its transforms.
#[macro_export]
macro_rules! impl_word_field {
    ($field:ident) => {
        $crate::impl_word_field!($field, Lazy, Loose);
    };
    ($field:ident, $kernel:ident, $transform:ident) => {
        impl $crate::layers::simd::Prime<5> for $field {
            const MODULUS: &'static $crate::layers::simd::Modulus52<5> =
                &$crate::layers::simd::Modulus52::new(&Self::M.p);
        }

        impl $crate::WordField for $field {
            type Kernel<T: $crate::kernel::Multiplier> = $crate::$kernel<Self, T>;
            type Transform<T: $crate::kernel::Multiplier> = $crate::$transform<Self, T>;

            const MODULUS_64: &'static $crate::layers::limbs::Modulus<4> = &Self::M;

            #[inline(always)]
            fn to_words(self) -> [u64; 4] {
                self.0
            }

            #[inline(always)]
            fn from_words(words: [u64; 4]) -> Self {
                Self(words)
            }
        }

        $crate::impl_packed_words!($field, 4);
    };
}

/// Gives a newtype over `[u64; W]` [`PackedWords`](crate::PackedWords).
#[macro_export]
macro_rules! impl_packed_words {
    ($field:ident, $words:literal) => {
        impl $crate::PackedWords<$words> for $field {
            #[inline(always)]
            fn as_words(&self) -> &[u64; $words] {
                &self.0
            }

            #[inline(always)]
            fn as_words_mut(&mut self) -> &mut [u64; $words] {
                &mut self.0
            }
        }
    };
}
