//! Field elements from the integers of the language.

/// Gives a prime field of more than 128 bits `From` for `bool` and for integers of up to 128 bits. Time: constant.
///
/// Signed ones are there so that a literal needs no suffix; a negative one gives the negative of its magnitude.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_from_integers {
    ($field:ident, $words:literal) => {
        impl From<u128> for $field {
            /// The integer `value`. Time: constant.
            #[inline]
            fn from(value: u128) -> Self {
                let mut words = [0; $words];
                words[0] = value as u64;
                words[1] = (value >> 64) as u64;
                Self::from_canonical_limbs(words).unwrap_or(Self::ZERO) // any modulus is above
            }
        }

        $crate::impl_from_integers!(@unsigned $field: bool u8 u16 u32 u64 usize);
        $crate::impl_from_integers!(@signed $field: i8 i16 i32 i64 i128 isize);
    };
    (@unsigned $field:ident: $($integer:ident)+) => {
        $(impl From<$integer> for $field {
            /// The integer `value`. Time: constant.
            #[inline]
            fn from(value: $integer) -> Self {
                Self::from(value as u128)
            }
        })+
    };
    (@signed $field:ident: $($integer:ident)+) => {
        $(impl From<$integer> for $field {
            /// The integer `value`; of a negative one the element whose sum with the magnitude is zero. Time: constant.
            #[inline]
            fn from(value: $integer) -> Self {
                let value = value as i128;
                let magnitude = Self::from(value.unsigned_abs());
                let is_negative = $crate::Choice::from((value >> 127) as u8 & 1);
                $crate::ConditionallySelectable::conditional_select(
                    &magnitude,
                    &-magnitude,
                    is_negative,
                )
            }
        })+
    };
}
