//! Square roots in Fq2 and the sign that compressed points carry.
//!
//! The "complex" method: Adj and Rodríguez-Henríquez 2012 (eprint 2012/685), algorithm 8. The two candidates and the
//! division are folded into one exponentiation, as in Scott 2020 (eprint 2020/1497).

use crate::bn254::{Fq, Fq2};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption, Field};
use frumious_limbs::words;

impl Fq2 {
    /// A square root of `self`, none if there is none. Which of the two roots is unspecified.
    ///
    /// For `a = c0 + c1·u` let `n² = c0² + c1²` and `t = (c0 + n)/2`. Then `(x0 + x1·u)² = a` is solved by
    /// `x0² = t, x1 = c1/(2·x0)`, or, if `t` is not a square, by `x0² = (c0 - n)/2 = -(c1/2)²/t`.
    /// With `s = t^((p-3)/4)` we have `s²·t = 1` or `-1`, so that
    ///
    /// ```text
    /// t square:      x0 = s·t,     1/x0 = s    root (s·t, s·c1/2)
    /// t not square:  (s·c1/2)² = -(c1/2)²/t    root (s·c1/2, -s·t)
    /// ```
    /// Cost: two exponentiations in Fq.
    pub fn sqrt(&self) -> CtOption<Self> {
        let norm = self.norm();
        let norm_root = inverse_root_candidate(&norm) * norm;
        let half_c1 = self.c1.halve();
        let sum = self.c0 + norm_root;
        // The sum vanishes only if c1 = 0 and n = -c0; then the other root of the norm gives t = c0.
        let sum = Fq::conditional_select(&sum, &self.c0.double(), sum.is_zero());
        let t = sum.halve();

        let s = inverse_root_candidate(&t);
        let root_of_t = s * t;
        let other = s * half_c1;
        let t_is_square = root_of_t.square().ct_eq(&t);
        let root = Self::new(
            Fq::conditional_select(&other, &root_of_t, t_is_square),
            Fq::conditional_select(&-root_of_t, &other, t_is_square),
        );
        CtOption::new(root, root.square().ct_eq(self))
    }

    /// Whether `self` is the larger of `self` and `-self`: compares `c1`, and `c0` when `c1` is zero,
    /// as canonical integers against `(p - 1)/2`. False for zero.
    ///
    /// Source: the order that gnark-crypto and the zkcrypto BLS12-381 encoding use for G2.
    pub fn is_lexicographically_largest(&self) -> Choice {
        let by_c0 = self.c0.is_lexicographically_largest();
        let by_c1 = self.c1.is_lexicographically_largest();
        by_c1 | (self.c1.is_zero() & by_c0)
    }
}

/// `base^((p-3)/4)`: for a non-zero square, the inverse of a square root.
fn inverse_root_candidate(base: &Fq) -> Fq {
    base.pow_vartime(&P_MINUS_3_OVER_4) // public: the exponent
}

/// `(p - 3)/4`, exact as `p ≡ 3 (mod 4)`.
const P_MINUS_3_OVER_4: [u64; 4] = words::halve(&words::halve(&Fq::MODULUS));
