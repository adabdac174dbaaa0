//! Operator forwarding: from inherent `add`, `sub`, `mul`, `neg` by reference to `+ - * -` in every form.

/// Implements `+ - *`, negation, their assigning forms, `Sum` and `Product`, over values and references.
///
/// For a `Copy` type that has `Default` for zero, `ONE`, and inherent methods `add(&self, &Self)`, `sub(&self, &Self)`,
/// `mul(&self, &Self)`, `neg(&self)`, `const` or not.
#[macro_export]
macro_rules! impl_field_operators {
    ($field:ty) => {
        $crate::impl_group_operators!($field);
        $crate::impl_operator!(Mul mul MulAssign mul_assign, $field, $field, <$field>::mul);

        impl core::iter::Product for $field {
            #[inline]
            fn product<I: Iterator<Item = Self>>(factors: I) -> Self {
                factors.fold(Self::ONE, |product, factor| product * factor)
            }
        }

        impl<'a> core::iter::Product<&'a $field> for $field {
            #[inline]
            fn product<I: Iterator<Item = &'a Self>>(factors: I) -> Self {
                factors.copied().product()
            }
        }
    };
}

/// Implements `+ -`, negation, their assigning forms and `Sum` as
/// [`impl_field_operators!`](crate::impl_field_operators) does.
#[macro_export]
macro_rules! impl_group_operators {
    ($group:ty) => {
        $crate::impl_operator!(Add add AddAssign add_assign, $group, $group, <$group>::add);
        $crate::impl_operator!(Sub sub SubAssign sub_assign, $group, $group, <$group>::sub);

        impl core::ops::Neg for $group {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                <$group>::neg(&self)
            }
        }

        impl core::ops::Neg for &$group {
            type Output = $group;
            #[inline(always)]
            fn neg(self) -> $group {
                <$group>::neg(self)
            }
        }

        impl core::iter::Sum for $group {
            #[inline]
            fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
                terms.fold(<$group>::default(), |sum, term| sum + term)
            }
        }

        impl<'a> core::iter::Sum<&'a $group> for $group {
            #[inline]
            fn sum<I: Iterator<Item = &'a Self>>(terms: I) -> Self {
                terms.copied().sum()
            }
        }
    };
}

/// Implements one operator and its assigning form, over values and references, by `$function(&left, &right)`.
#[macro_export]
macro_rules! impl_operator {
    ($operator:ident $method:ident $assign:ident $assigns:ident, $left:ty, $right:ty, $function:expr) => {
        impl core::ops::$operator<$right> for $left {
            type Output = $left;
            #[inline(always)]
            fn $method(self, other: $right) -> $left {
                $function(&self, &other)
            }
        }

        impl core::ops::$operator<&$right> for $left {
            type Output = $left;
            #[inline(always)]
            fn $method(self, other: &$right) -> $left {
                $function(&self, other)
            }
        }

        impl core::ops::$operator<$right> for &$left {
            type Output = $left;
            #[inline(always)]
            fn $method(self, other: $right) -> $left {
                $function(self, &other)
            }
        }

        impl core::ops::$operator<&$right> for &$left {
            type Output = $left;
            #[inline(always)]
            fn $method(self, other: &$right) -> $left {
                $function(self, other)
            }
        }

        impl core::ops::$assign<$right> for $left {
            #[inline(always)]
            fn $assigns(&mut self, other: $right) {
                *self = $function(self, &other);
            }
        }

        impl core::ops::$assign<&$right> for $left {
            #[inline(always)]
            fn $assigns(&mut self, other: &$right) {
                *self = $function(self, other);
            }
        }
    };
}
