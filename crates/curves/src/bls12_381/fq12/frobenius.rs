//! The p-power (Frobenius) maps of Fq12 and their constants, computed at compile time.
//!
//! In the basis `wⁱ` over Fq2, `(a·wⁱ)^p = conj(a)·wⁱ·(w^(p-1))ⁱ` and `w^(p-1) = ξ^((p-1)/6)` as `w⁶ = ξ`.

use crate::bls12_381::constants::{ROOT_OF_FROBENIUS, mul_const};
use crate::bls12_381::{Fq2, Fq6, Fq12};

impl Fq12 {
    /// `self^p`. Cost: 5 products of Fq2.
    pub fn frobenius(&self) -> Self {
        self.map_coefficients(Fq2::conjugate, |i, coefficient| {
            coefficient.conjugate() * FACTORS[0][i]
        })
    }

    /// `self^(p²)`. Cost: 10 products of Fq, because the factors lie in Fq.
    pub fn frobenius_squared(&self) -> Self {
        self.map_coefficients(
            |first| *first,
            |i, coefficient| coefficient.mul_by_fq(&FACTORS[1][i].c0),
        )
    }

    /// `self^(p³)`. Cost: 5 products of Fq2.
    pub fn frobenius_cubed(&self) -> Self {
        self.map_coefficients(Fq2::conjugate, |i, coefficient| {
            coefficient.conjugate() * FACTORS[2][i]
        })
    }

    /// Applies `first` to the coefficient of 1 and `map` to `i` and the coefficient of `wⁱ`, `0 < i < 6`.
    #[inline(always)]
    fn map_coefficients(
        &self,
        first: impl Fn(&Fq2) -> Fq2,
        map: impl Fn(usize, &Fq2) -> Fq2,
    ) -> Self {
        let (even, odd) = (&self.c0, &self.c1);
        Self::new(
            Fq6::new(first(&even.c0), map(2, &even.c1), map(4, &even.c2)),
            Fq6::new(map(1, &odd.c0), map(3, &odd.c1), map(5, &odd.c2)),
        )
    }
}

/// `FACTORS[k - 1][i] = ξ^(i·(p^k - 1)/6) = (w^(p^k - 1))ⁱ` for `k` from 1 to 3.
///
/// With `g = w^(p-1)` in Fq2: `w^(p²-1) = g^(p+1) = g·conj(g)`, the norm, in Fq; and `w^(p³-1) = g^(p²+p+1)`, which
/// is `g` times that norm, as `g^(p²) = g`.
const FACTORS: [[Fq2; 6]; 3] = {
    let first = ROOT_OF_FROBENIUS;
    let conjugate = Fq2::new(first.c0, first.c1.neg_const());
    let second = mul_const(&first, &conjugate);
    let third = mul_const(&first, &second);
    [powers(&first), powers(&second), powers(&third)]
};

/// `base⁰` to `base⁵`.
const fn powers(base: &Fq2) -> [Fq2; 6] {
    let mut powers = [Fq2::ONE; 6];
    let mut i = 1;
    while i < 6 {
        powers[i] = mul_const(&powers[i - 1], base);
        i += 1;
    }
    powers
}
