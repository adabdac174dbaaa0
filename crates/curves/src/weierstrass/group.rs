//! Forwarding from the point types of a curve to the shared formulas.

/// As [`impl_weierstrass_law!`] with scalar multiplication by [`impl_glv_multiplication!`].
macro_rules! impl_weierstrass_group {
    ($affine:ident, $projective:ident, $base:ident, $scalar:ident $(, $lanes:ident)?) => {
        crate::weierstrass::impl_weierstrass_law!($affine, $projective, $base $(, $lanes)?);
        crate::weierstrass::impl_glv_multiplication!($projective, $base, $scalar);
    };
}
pub(crate) use impl_weierstrass_group;

/// Gives an affine type `{x, y}` (infinity is `(0, 0)`, never on a curve with `b ≠ 0`) and a projective type
/// `{x, y, z}` the group's methods and operators. The affine type must have the constants `B`, `GENERATOR`; the
/// projective one `fn mul_3b(Base) -> Base`. A module named as the last argument has `batch_to_affine_vartime(points)`,
/// which does that in lanes or returns none.
macro_rules! impl_weierstrass_law {
    ($affine:ident, $projective:ident, $base:ident $(, $lanes:ident)?) => {
        impl $affine {
            /// The point at infinity, encoded as `(0, 0)`.
            pub const IDENTITY: Self = Self {
                x: $base::ZERO,
                y: $base::ZERO,
            };

            /// True if it is the point at infinity.
            #[inline]
            pub fn is_identity(&self) -> Choice {
                self.x.is_zero() & self.y.is_zero()
            }

            /// As [`Self::is_identity`], to branch on.
            #[inline(always)]
            pub fn is_identity_vartime(&self) -> bool {
                self.x == $base::ZERO && self.y == $base::ZERO
            }

            /// True if the coordinates satisfy the curve's equation, or the point is at infinity.
            pub fn is_on_curve(&self) -> Choice {
                weierstrass::is_on_curve(self.x, self.y, Self::B) | self.is_identity()
            }

            /// `-self`.
            #[inline(always)]
            pub fn neg(&self) -> Self {
                Self {
                    x: self.x,
                    y: -self.y,
                }
            }
        }

        impl PartialEq for $affine {
            /// Time: constant.
            fn eq(&self, other: &Self) -> bool {
                self.ct_eq(other).into()
            }
        }

        impl Eq for $affine {}

        impl ConstantTimeEq for $affine {
            fn ct_eq(&self, other: &Self) -> Choice {
                self.x.ct_eq(&other.x) & self.y.ct_eq(&other.y)
            }
        }

        impl core::ops::Neg for $affine {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                $affine::neg(&self)
            }
        }

        impl ConditionallySelectable for $affine {
            fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
                Self {
                    x: $base::conditional_select(&a.x, &b.x, choice),
                    y: $base::conditional_select(&a.y, &b.y, choice),
                }
            }
        }

        impl $projective {
            /// The point at infinity, `(0 : 1 : 0)`.
            pub const IDENTITY: Self = Self {
                x: $base::ZERO,
                y: $base::ONE,
                z: $base::ZERO,
            };
            /// The generator of the group.
            pub const GENERATOR: Self = Self {
                x: $affine::GENERATOR.x,
                y: $affine::GENERATOR.y,
                z: $base::ONE,
            };

            /// True if it is the point at infinity.
            pub fn is_identity(&self) -> Choice {
                self.z.is_zero()
            }

            /// `self + other`, complete.
            pub fn add(&self, other: &Self) -> Self {
                Self::from_coordinates(weierstrass::add(
                    self.coordinates(),
                    other.coordinates(),
                    Self::mul_3b,
                ))
            }

            /// `self - other`, complete.
            #[inline]
            pub fn sub(&self, other: &Self) -> Self {
                self.add(&other.neg())
            }

            /// `-self`.
            #[inline]
            pub fn neg(&self) -> Self {
                Self {
                    x: self.x,
                    y: -self.y,
                    z: self.z,
                }
            }

            /// `2·self`.
            pub fn double(&self) -> Self {
                Self::from_coordinates(weierstrass::double(self.coordinates(), Self::mul_3b))
            }

            /// `self + other` for any affine point, infinity included.
            #[inline]
            pub fn add_affine(&self, other: &$affine) -> Self {
                Self::conditional_select(&self.add_finite(other), self, other.is_identity())
            }

            /// As [`Self::add_affine`] for an affine point that is not infinity.
            pub(crate) fn add_finite(&self, other: &$affine) -> Self {
                Self::from_coordinates(weierstrass::add_affine(
                    self.coordinates(),
                    [other.x, other.y],
                    Self::mul_3b,
                ))
            }

            /// As [`Self::add_affine`], branching on whether `other` is infinity.
            #[inline]
            pub fn add_affine_vartime(&self, other: &$affine) -> Self {
                if other.is_identity_vartime() {
                    return *self;
                }
                self.add_finite(other)
            }

            /// The affine form, infinity as `(0, 0)`. Cost: one inversion. Time: constant.
            pub fn to_affine(&self) -> $affine {
                let inverse = self.z.invert().unwrap_or($base::ZERO);
                $affine {
                    x: self.x * inverse,
                    y: self.y * inverse,
                }
            }

            /// The affine forms of many points with one inversion; time depends on where infinities are.
            pub fn batch_to_affine_vartime(points: &[Self]) -> Vec<$affine> {
                $(if let Some(affine) = $lanes::batch_to_affine_vartime(points) {
                    return affine;
                })?
                let mut inverses: Vec<$base> = points.iter().map(|point| point.z).collect();
                frumious_field::batch_invert_vartime(&mut inverses, &mut Vec::new());
                points
                    .iter()
                    .zip(&inverses)
                    .map(|(point, inverse)| $affine {
                        x: point.x * *inverse,
                        y: point.y * *inverse,
                    })
                    .collect()
            }

            #[inline(always)]
            fn coordinates(&self) -> [$base; 3] {
                [self.x, self.y, self.z]
            }

            #[inline(always)]
            fn from_coordinates([x, y, z]: [$base; 3]) -> Self {
                Self { x, y, z }
            }
        }

        frumious_field::impl_group_operators!($projective);
        crate::weierstrass::impl_point_traits!($affine, $projective);

        impl From<$affine> for $projective {
            fn from(point: $affine) -> Self {
                let finite = Self {
                    x: point.x,
                    y: point.y,
                    z: $base::ONE,
                };
                Self::conditional_select(&finite, &Self::IDENTITY, point.is_identity())
            }
        }

        impl Default for $projective {
            fn default() -> Self {
                Self::IDENTITY
            }
        }

        impl PartialEq for $projective {
            /// Equality of points, not of coordinates. Time: constant.
            fn eq(&self, other: &Self) -> bool {
                self.ct_eq(other).into()
            }
        }

        impl Eq for $projective {}

        impl ConstantTimeEq for $projective {
            fn ct_eq(&self, other: &Self) -> Choice {
                // infinity is (0 : 1 : 0), so cross products alone tell the points apart
                (self.x * other.z).ct_eq(&(other.x * self.z))
                    & (self.y * other.z).ct_eq(&(other.y * self.z))
                    & !(self.is_identity() ^ other.is_identity())
            }
        }

        impl ConditionallySelectable for $projective {
            #[inline]
            fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
                Self {
                    x: $base::conditional_select(&a.x, &b.x, choice),
                    y: $base::conditional_select(&a.y, &b.y, choice),
                    z: $base::conditional_select(&a.z, &b.z, choice),
                }
            }
        }
    };
}
pub(crate) use impl_weierstrass_law;

/// Gives the projective type scalar multiplication through its endomorphism. It must have the constant `BETA`, by which
/// multiplying x multiplies the point by the `λ` of `LATTICE`, which must be in scope.
macro_rules! impl_glv_multiplication {
    ($projective:ident, $base:ident, $scalar:ident) => {
        impl $projective {
            /// `scalar·self` in constant time, through the endomorphism.
            pub fn mul(&self, scalar: &$scalar) -> Self {
                glv::multiply(self, &scalar.to_canonical_limbs())
            }

            /// `scalar·self`; time depends on the scalar.
            pub fn mul_vartime(&self, scalar: &$scalar) -> Self {
                glv::multiply_vartime(self, &scalar.to_canonical_limbs())
            }
        }

        crate::weierstrass::impl_scalar_operator!($projective, $scalar);
        crate::weierstrass::impl_glv_point!($projective, $base);
    };
}
pub(crate) use impl_glv_multiplication;

/// What [`impl_glv_multiplication!`] needs of the type, for curves with methods of their own.
macro_rules! impl_glv_point {
    ($projective:ident, $base:ident) => {
        impl glv::GlvPoint for $projective {
            const IDENTITY: Self = Self::IDENTITY;
            const LATTICE: glv::Lattice = LATTICE;

            fn add(&self, other: &Self) -> Self {
                self.add(other)
            }

            fn double(&self) -> Self {
                self.double()
            }

            fn negate_if(&self, choice: Choice) -> Self {
                Self {
                    x: self.x,
                    y: $base::conditional_select(&self.y, &-self.y, choice),
                    z: self.z,
                }
            }

            fn endomorphism(&self) -> Self {
                Self {
                    x: self.x * Self::BETA,
                    y: self.y,
                    z: self.z,
                }
            }

            fn lookup(table: &[Self], index: u64) -> Self {
                Self {
                    x: $base::select_entry(table.iter().map(|point| &point.x), index),
                    y: $base::select_entry(table.iter().map(|point| &point.y), index),
                    z: $base::select_entry(table.iter().map(|point| &point.z), index),
                }
            }

            fn double_window(&self) -> Self {
                let coordinates = self.coordinates();
                let multiple =
                    weierstrass::double_repeated(coordinates, glv::WINDOW as u32, Self::mul_3b);
                Self::from_coordinates(multiple)
            }
        }
    };
}
pub(crate) use impl_glv_point;
