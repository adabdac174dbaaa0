//! The traits of points that are the same for every curve: operators with affine points and scalars, text, hashes.

/// Gives an affine type `{x, y}` and its projective one `+ -` of both, `Display` and `Hash`.
macro_rules! impl_point_traits {
    ($affine:ident, $projective:ident) => {
        frumious_field::impl_operator!(
            Add add AddAssign add_assign, $projective, $affine, <$projective>::add_affine
        );
        frumious_field::impl_operator!(
            Sub sub SubAssign sub_assign, $projective, $affine,
            |point: &$projective, other: &$affine| point.add_affine(&other.neg())
        );

        impl core::ops::Neg for &$affine {
            type Output = $affine;
            #[inline(always)]
            fn neg(self) -> $affine {
                $affine::neg(self)
            }
        }

        impl core::fmt::Display for $affine {
            /// `(x, y)`, or `infinity`. Time depends on the point.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                if self.is_identity_vartime() {
                    return f.pad("infinity");
                }
                write!(f, "({}, {})", self.x, self.y)
            }
        }

        impl core::fmt::Display for $projective {
            /// As the affine point. Cost: one inversion. Time depends on the point.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&self.to_affine(), f)
            }
        }

        impl core::hash::Hash for $affine {
            /// Time: the hasher's. Where a map puts a key, and how long it looks for it, depends on the point.
            #[inline]
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.x.hash(state);
                self.y.hash(state);
            }
        }

        impl core::hash::Hash for $projective {
            /// That of the affine point, as equal points may differ in coordinates. Cost: one inversion.
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.to_affine().hash(state);
            }
        }
    };
}
pub(crate) use impl_point_traits;

/// Gives a projective type `point * scalar`, in constant time, by its inherent `mul`.
macro_rules! impl_scalar_operator {
    ($projective:ident, $scalar:ty) => {
        frumious_field::impl_operator!(
            Mul mul MulAssign mul_assign, $projective, $scalar, <$projective>::mul
        );
    };
}
pub(crate) use impl_scalar_operator;
