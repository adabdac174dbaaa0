//! Methods that every extension field has in the same form, by its coefficients.

/// Gives a struct of coefficients, with inherent `const ZERO, ONE` and
/// `add, sub, mul, neg, double, square, invert, invert_vartime`, the operators, comparison, selection and
/// [`frumious_field::Field`].
macro_rules! impl_extension_field {
    ($field:ident, $($coefficient:ident),+) => {
        frumious_field::impl_field_operators!($field);
        crate::extension::impl_coefficients!($field, $($coefficient),+);

        impl frumious_field::ConstantTimeEq for $field {
            #[inline]
            fn ct_eq(&self, other: &Self) -> frumious_field::Choice {
                let all = frumious_field::Choice::from(1);
                $(let all = all & self.$coefficient.ct_eq(&other.$coefficient);)+
                all
            }
        }

        impl PartialEq for $field {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                frumious_field::ConstantTimeEq::ct_eq(self, other).into()
            }
        }

        impl Eq for $field {}

        impl frumious_field::ConditionallySelectable for $field {
            #[inline]
            fn conditional_select(a: &Self, b: &Self, choice: frumious_field::Choice) -> Self {
                Self {
                    $($coefficient: frumious_field::ConditionallySelectable::conditional_select(
                        &a.$coefficient,
                        &b.$coefficient,
                        choice,
                    ),)+
                }
            }
        }

        impl frumious_field::Field for $field {
            const ZERO: Self = Self::ZERO;
            const ONE: Self = Self::ONE;

            #[inline(always)]
            fn double(&self) -> Self {
                Self::double(self)
            }

            #[inline(always)]
            fn square(&self) -> Self {
                Self::square(self)
            }

            fn invert(&self) -> frumious_field::CtOption<Self> {
                Self::invert(self)
            }

            fn invert_vartime(&self) -> Option<Self> {
                Self::invert_vartime(self)
            }
        }
    };
}
pub(crate) use impl_extension_field;

/// Gives a struct of coefficients `Display` and `Hash`.
macro_rules! impl_coefficients {
    ($field:ident, $first:ident $(, $coefficient:ident)*) => {
        impl core::fmt::Display for $field {
            /// The coefficients in parentheses, that of 1 first. Time depends on the value.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "({}", self.$first)?;
                $(write!(f, ", {}", self.$coefficient)?;)*
                f.write_str(")")
            }
        }

        impl core::hash::Hash for $field {
            /// Time: the hasher's. Where a map puts a key, and how long it looks for it, depends on the value.
            #[inline]
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.$first.hash(state);
                $(self.$coefficient.hash(state);)*
            }
        }
    };
}
pub(crate) use impl_coefficients;
