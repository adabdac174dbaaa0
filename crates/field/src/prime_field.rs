//! Forwarding from a field's newtype to the words inside it: what does not depend on their form.

/// Gives a `Copy` newtype over `[u64; N]` the methods and traits that every prime field has, whatever the form of its
/// words.
///
/// The part that [`impl_montgomery_field!`](crate::impl_montgomery_field) and
/// [`impl_folded_field!`](crate::impl_folded_field) share. They give the type its conversions; `M`, its arithmetic from
/// `frumious-limbs`, has methods of the same names in both.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_prime_field {
    ($field:ident, $words:literal, $bytes:literal $(, $batch_invert:ident)?) => {
        impl $field {
            /// Zero.
            pub const ZERO: Self = Self([0; $words]);

            /// Entry `index`, all of them being read; zero if there is none. Time: depends on the number of entries
            /// only.
            #[inline(always)]
            pub fn select_entry<'a>(
                entries: impl IntoIterator<Item = &'a Self>,
                index: u64,
            ) -> Self {
                let words = entries.into_iter().map(|entry| &entry.0);
                Self($crate::layers::limbs::modular::lookup(words, index))
            }

            /// From the value's bytes, least significant first; none unless below the modulus.
            pub fn from_le_bytes(bytes: &[u8; $bytes]) -> $crate::CtOption<Self> {
                Self::from_canonical_limbs($crate::layers::limbs::words::from_le_bytes(bytes))
            }

            /// From the value's bytes, most significant first; none unless below the modulus.
            pub fn from_be_bytes(bytes: &[u8; $bytes]) -> $crate::CtOption<Self> {
                Self::from_canonical_limbs($crate::layers::limbs::words::from_be_bytes(bytes))
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

            /// From decimal digits without leading zeros; none unless below the modulus. For public values.
            pub fn from_decimal_vartime(text: &str) -> Option<Self> {
                $crate::layers::limbs::decimal::from_decimal_vartime(text)
                    .and_then(|words| Self::from_canonical_limbs(words).into_option())
            }

            /// The value in decimal digits. For public values.
            pub fn to_decimal_vartime(&self) -> String {
                $crate::layers::limbs::decimal::to_decimal_vartime(&self.to_canonical_limbs())
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

            /// `1/self`, none for zero. Source: see `frumious_limbs::invert`.
            pub fn invert(&self) -> $crate::CtOption<Self> {
                $crate::CtOption::new(Self(Self::M.invert(&self.0)), !$crate::Field::is_zero(self))
            }

            /// `1/self`, none for zero; time depends on `self`.
            pub fn invert_vartime(&self) -> Option<Self> {
                (self.0 != [0; $words]).then(|| Self(Self::M.invert_vartime(&self.0)))
            }

            /// `self^(2^count)`. Time depends on `count` only.
            #[inline]
            pub fn square_repeated(&self, count: u32) -> Self {
                Self(Self::M.square_repeated(&self.0, count))
            }

            /// `self^exponent`, little-endian words. Time depends on the number of words only.
            pub fn pow(&self, exponent: &[u64]) -> Self {
                $crate::Field::pow(self, exponent)
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
        $crate::impl_from_integers!($field, $words);
        $crate::impl_notation!($field);
        $crate::impl_serde!($field, $bytes);

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
            const MODULUS_BITS: u32 = $crate::layers::limbs::words::bit_length_vartime(&Self::MODULUS);
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
                Self($crate::layers::limbs::words::select(&a.0, &b.0, choice))
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
