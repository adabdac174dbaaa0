//! Forwarding from a field's newtype to arithmetic by folds.

/// Gives a `Copy` newtype over `[u64; 4]`, plain residues modulo a prime just below 2^256, the methods and traits that
/// every prime field has.
///
/// The type must declare the associated constants `M: PseudoMersenne<…>`, `TWO_ADICITY`, `ROOT_OF_UNITY` by hand (see
/// `secp256k1::Fq`). What stands here is forwarding only: the arithmetic is in `frumious_limbs::pseudo_mersenne`.
#[macro_export]
macro_rules! impl_folded_field {
    ($field:ident) => {
        impl $field {
            /// One.
            pub const ONE: Self = Self([1, 0, 0, 0]);
            /// The modulus, as little-endian 64-bit words.
            pub const MODULUS: [u64; 4] = Self::M.modulus();

            /// The integer `value`.
            #[inline]
            pub const fn from_u64(value: u64) -> Self {
                Self([value, 0, 0, 0])
            }

            /// The residue of any number of four words, in constants.
            pub const fn from_words_reduced(words: [u64; 4]) -> Self {
                Self(Self::M.reduce_words_const(&words))
            }

            /// The residue of any number of four words. Time: constant.
            #[inline]
            pub fn from_words_mod(words: &[u64; 4]) -> Self {
                Self(Self::M.reduce_words(words))
            }

            /// The element whose value is `words`; none unless that is below the modulus.
            #[inline]
            pub fn from_canonical_limbs(words: [u64; 4]) -> $crate::CtOption<Self> {
                $crate::CtOption::new(
                    Self(words),
                    $crate::layers::limbs::words::less_than(&words, &Self::MODULUS),
                )
            }

            /// The value, below the modulus.
            #[inline(always)]
            pub const fn to_canonical_limbs(&self) -> [u64; 4] {
                self.0
            }

            /// The residue of a number of twice the length, least significant byte first. From uniform bytes the
            /// result is within 2^-256 of uniform.
            pub fn from_uniform_bytes(bytes: &[u8; 64]) -> Self {
                Self(Self::M.reduce(&$crate::layers::limbs::words::from_le_bytes(bytes)))
            }

            /// `factor·self` for `factor < 2^31`.
            #[inline(always)]
            pub fn mul_small(&self, factor: u32) -> Self {
                Self(Self::M.mul_small(&self.0, factor))
            }
        }

        $crate::impl_prime_field!($field, 4, 32);
    };
}
