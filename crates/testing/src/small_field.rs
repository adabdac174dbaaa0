//! A field of at most 31 bits, reduced by `%`: small enough to try everything, slow enough to be plain.

use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use frumious_field::{
    Choice, ConditionallySelectable, ConstantTimeEq, CtOption, Field, KernelField, PrimeField,
    TransformField,
};

/// Integers modulo the prime `P < 2^31`, with `P - 1` divisible by 2^`S` and generator `G`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Small<const P: u64, const S: u32, const G: u64>(u64);

/// `15·2^27 + 1`: room for transforms of every size a test can afford.
pub type BabyBear = Small<2_013_265_921, 27, 31>;
/// `3·2^12 + 1`: its largest domain is small enough to fill.
pub type Tiny = Small<12_289, 12, 11>;

impl<const P: u64, const S: u32, const G: u64> Add for Small<P, S, G> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0) % P)
    }
}

impl<const P: u64, const S: u32, const G: u64> Sub for Small<P, S, G> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self((self.0 + P - other.0) % P)
    }
}

impl<const P: u64, const S: u32, const G: u64> Mul for Small<P, S, G> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0 % P)
    }
}

impl<const P: u64, const S: u32, const G: u64> Neg for Small<P, S, G> {
    type Output = Self;
    fn neg(self) -> Self {
        Self((P - self.0) % P)
    }
}

impl<const P: u64, const S: u32, const G: u64> AddAssign for Small<P, S, G> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const P: u64, const S: u32, const G: u64> SubAssign for Small<P, S, G> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const P: u64, const S: u32, const G: u64> MulAssign for Small<P, S, G> {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl<const P: u64, const S: u32, const G: u64> ConstantTimeEq for Small<P, S, G> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl<const P: u64, const S: u32, const G: u64> ConditionallySelectable for Small<P, S, G> {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self(u64::conditional_select(&a.0, &b.0, choice))
    }
}

impl<const P: u64, const S: u32, const G: u64> Field for Small<P, S, G> {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);

    fn double(&self) -> Self {
        *self + *self
    }

    fn square(&self) -> Self {
        *self * *self
    }

    fn invert(&self) -> CtOption<Self> {
        CtOption::new(self.pow_vartime(&[P - 2]), !self.is_zero())
    }

    fn invert_vartime(&self) -> Option<Self> {
        self.invert().into()
    }
}

impl<const P: u64, const S: u32, const G: u64> PrimeField for Small<P, S, G> {
    const MODULUS_BITS: u32 = P.ilog2() + 1;
    const TWO_ADICITY: u32 = S;
    const ROOT_OF_UNITY: Self = Self(power(G, (P - 1) >> S, P));

    fn from_u64(value: u64) -> Self {
        Self(value % P)
    }
}

impl<const P: u64, const S: u32, const G: u64> Small<P, S, G> {
    /// The residue as an integer below `P`.
    pub const fn value(&self) -> u64 {
        self.0
    }
}

impl<const P: u64, const S: u32, const G: u64> KernelField for Small<P, S, G> {
    type Scalar = Self;
    type Cpu = ();

    fn load((): (), value: Self) -> Self {
        value
    }

    fn store(self) -> Self {
        self
    }
}

impl<const P: u64, const S: u32, const G: u64> TransformField for Small<P, S, G> {
    type Factor = Self;

    fn factor((): (), value: Self) -> Self {
        value
    }

    fn times(self, factor: &Self) -> Self {
        self * *factor
    }
}

const fn power(base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let (mut result, mut square) = (1, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roots_have_their_orders() {
        fn check<F: PrimeField>() {
            let half = (1..F::TWO_ADICITY).fold(F::ROOT_OF_UNITY, |root, _| root.square());
            assert_eq!(half, -F::ONE);
        }
        check::<BabyBear>();
        check::<Tiny>();
    }
}
