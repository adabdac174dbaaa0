//! Square roots in Fq2 and the sign that compressed points carry.
//!
//! The "complex" method: Adj and Rodríguez-Henríquez 2012 (eprint 2012/685), algorithm 8. The two candidates and the
//! division are folded into one exponentiation, as in Scott 2020 (eprint 2020/1497).

use crate::bls12_381::{Fq, Fq2};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption, Field};

impl Fq2 {
    /// A square root of `self`, none if there is none. Which of the two roots is unspecified.
    ///
    /// Cost: two exponentiations in Fq.
    pub fn sqrt(&self) -> CtOption<Self> {
        let norm = self.norm();
        let norm_root = norm.inverse_sqrt_candidate() * norm;
        let root = root_of_fraction(self, &norm_root, &Fq::ONE);
        CtOption::new(root, root.square().ct_eq(self))
    }

    /// `(1, sqrt(numerator/denominator))`, or `(0, sqrt(z·numerator/denominator))` of a non-square, for a denominator
    /// other than zero and a non-square `z` of norm `-(root_of_minus_norm)²`.
    ///
    /// Cost: two exponentiations in Fq, as [`Self::sqrt`], for the first already tells which of the two roots there is.
    pub(in crate::bls12_381) fn sqrt_ratio_or(
        numerator: &Self,
        denominator: &Self,
        z: &Self,
        root_of_minus_norm: &Fq,
    ) -> (Choice, Self) {
        let a = Self::mul(numerator, &denominator.conjugate()); // the ratio is a/norm(denominator)
        let norm = a.norm();
        let norm_root = norm.inverse_sqrt_candidate() * norm; // its square is norm or -norm
        let is_square = norm_root.square().ct_eq(&norm);
        let a = Self::conditional_select(&Self::mul(&a, z), &a, is_square);
        let other_root = norm_root * *root_of_minus_norm;
        let norm_root = Fq::conditional_select(&other_root, &norm_root, is_square);
        (
            is_square,
            root_of_fraction(&a, &norm_root, &denominator.norm()),
        )
    }

    /// Whether `self` is the larger of `self` and `-self`: compares `c1`, and `c0` when `c1` is zero,
    /// as canonical integers against `(p - 1)/2`. False for zero.
    ///
    /// Source: the order that the encoding of zcash uses for G2.
    pub fn is_lexicographically_largest(&self) -> Choice {
        let by_c0 = self.c0.is_lexicographically_largest();
        let by_c1 = self.c1.is_lexicographically_largest();
        by_c1 | (self.c1.is_zero() & by_c0)
    }
}

/// A square root of `a/d`, if there is one, given a root `n` of the norm of `a`, and `d` other than zero.
///
/// For `d = 1` and `a = c0 + c1·u` let `n² = c0² + c1²` and `t = (c0 + n)/2`. Then `(x0 + x1·u)² = a` is solved by
/// `x0² = t, x1 = c1/(2·x0)`, or, if `t` is not a square, by `x0² = (c0 - n)/2 = -(c1/2)²/t`.
/// With `s = t^((p-3)/4)` we have `s²·t = 1` or `-1`, so that
///
/// ```text
/// t square:      x0 = s·t,     1/x0 = s    root (s·t, s·c1/2)
/// t not square:  (s·c1/2)² = -(c1/2)²/t    root (s·c1/2, -s·t)
/// ```
/// For other `d` all of `c0, c1, n, t` are to be divided by `d`: then `s = d²·(d³·t)^((p-3)/4)`.
fn root_of_fraction(a: &Fq2, n: &Fq, d: &Fq) -> Fq2 {
    let sum = a.c0 + *n;
    // The sum vanishes only if c1 = 0 and n = -c0; then the other root of the norm gives t = c0.
    let sum = Fq::conditional_select(&sum, &a.c0.double(), sum.is_zero());
    let t = sum.halve();

    let s_over_d = (t * d.square() * *d).inverse_sqrt_candidate() * *d;
    let root_of_t = s_over_d * t;
    let other = s_over_d * a.c1.halve();
    let t_is_square = (root_of_t.square() * *d).ct_eq(&t);
    Fq2::new(
        Fq::conditional_select(&other, &root_of_t, t_is_square),
        Fq::conditional_select(&-root_of_t, &other, t_is_square),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bls12_381::hash_to_curve::SQRT_OF_MINUS_NORM;
    use crate::simplified_swu::SwuField;

    /// Real, imaginary and mixed elements of either sign and character, and a walk through the field.
    fn elements() -> Vec<Fq2> {
        let five = Fq::from_u64(5);
        let (real, imaginary) = (Fq2::new(five, Fq::ZERO), Fq2::new(Fq::ZERO, five));
        let mixed = Fq2::new(Fq::from_u64(3), Fq::ONE);
        let mut elements = vec![
            Fq2::ZERO,
            Fq2::ONE,
            real,
            imaginary,
            mixed,
            mixed.conjugate(),
            Fq2::Z,
        ];
        for i in 1..40 {
            elements.push(elements[elements.len() - 1].square() + Fq2::new(Fq::from_u64(i), five));
        }
        let negatives: Vec<_> = elements.iter().map(|element| -*element).collect();
        elements.extend(negatives);
        elements
    }

    /// By Euler's criterion, as the norm is `a^(p + 1)`.
    fn is_square(a: &Fq2) -> bool {
        let symbol = a.norm().pow_vartime(&half_order());
        *a == Fq2::ZERO || symbol == Fq::ONE
    }

    /// `(p - 1)/2`.
    fn half_order() -> [u64; 6] {
        frumious_limbs::words::halve(&Fq::MODULUS)
    }

    #[test]
    fn roots_of_squares_and_none_of_others() {
        let (mut squares, mut others) = (0, 0);
        for a in elements() {
            match a.sqrt().into_option() {
                Some(root) => assert_eq!(root.square(), a),
                None => others += 1,
            }
            squares += u32::from(is_square(&a));
            assert_eq!(bool::from(a.sqrt().is_some()), is_square(&a), "{a:?}");
            assert!(bool::from(a.square().sqrt().is_some()));
        }
        assert!(squares > 10 && others > 10, "{squares} {others}");
    }

    #[test]
    fn roots_of_ratios_are_roots_of_quotients() {
        assert!(!is_square(&Fq2::Z));
        assert_eq!(SQRT_OF_MINUS_NORM.square(), -Fq2::Z.norm());
        let elements = elements();
        for denominator in elements
            .iter()
            .filter(|element| **element != Fq2::ZERO)
            .step_by(5)
        {
            let inverse = denominator.invert().expect("not zero");
            for numerator in &elements {
                let ratio = *numerator * inverse;
                let (of_square, root) =
                    Fq2::sqrt_ratio_or(numerator, denominator, &Fq2::Z, &SQRT_OF_MINUS_NORM);
                assert_eq!(bool::from(of_square), is_square(&ratio));
                let expected = if bool::from(of_square) {
                    ratio
                } else {
                    ratio * Fq2::Z
                };
                assert_eq!(root.square(), expected);
            }
        }
    }

    #[test]
    fn roots_of_ratios_in_the_base_field() {
        let mut elements = vec![
            Fq::ZERO,
            Fq::ONE,
            -Fq::ONE,
            Fq::from_u64(11),
            -Fq::from_u64(11),
        ];
        for i in 1..30 {
            elements.push(elements[elements.len() - 1].square() + Fq::from_u64(i));
        }
        for denominator in &elements[1..] {
            let inverse = denominator.invert().expect("not zero");
            for numerator in &elements {
                let ratio = *numerator * inverse;
                let (of_square, root) = <Fq as SwuField<5>>::sqrt_ratio(numerator, denominator);
                let symbol = ratio.pow_vartime(&half_order());
                assert_eq!(
                    bool::from(of_square),
                    ratio == Fq::ZERO || symbol == Fq::ONE
                );
                let factor = if bool::from(of_square) {
                    Fq::ONE
                } else {
                    <Fq as SwuField<5>>::Z
                };
                assert_eq!(root.square(), ratio * factor);
            }
        }
    }
}
