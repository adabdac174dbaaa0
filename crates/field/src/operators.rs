//! Operator forwarding: from inherent `add`, `sub`, `mul`, `neg` by reference to `+ - * -` by value.

/// Implements `+ - *`, negation and their assigning forms for a `Copy` type that has inherent
/// `const`-or-not methods `add(&self, &Self)`, `sub(&self, &Self)`, `mul(&self, &Self)`, `neg(&self)`.
#[macro_export]
macro_rules! impl_field_operators {
    ($field:ty) => {
        $crate::impl_group_operators!($field);

        impl core::ops::Mul for $field {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                <$field>::mul(&self, &other)
            }
        }

        impl core::ops::MulAssign for $field {
            #[inline(always)]
            fn mul_assign(&mut self, other: Self) {
                *self = <$field>::mul(self, &other);
            }
        }
    };
}

/// Implements `+ -`, negation and their assigning forms as [`impl_field_operators!`](crate::impl_field_operators) does.
#[macro_export]
macro_rules! impl_group_operators {
    ($group:ty) => {
        impl core::ops::Add for $group {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                <$group>::add(&self, &other)
            }
        }

        impl core::ops::Sub for $group {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                <$group>::sub(&self, &other)
            }
        }

        impl core::ops::Neg for $group {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                <$group>::neg(&self)
            }
        }

        impl core::ops::AddAssign for $group {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = <$group>::add(self, &other);
            }
        }

        impl core::ops::SubAssign for $group {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = <$group>::sub(self, &other);
            }
        }
    };
}
