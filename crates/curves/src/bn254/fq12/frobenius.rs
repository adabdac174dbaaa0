//! The p-power (Frobenius) maps of Fq12 and their constants, computed at compile time.
//!
//! In the basis `wⁱ` over Fq2, `(a·wⁱ)^p = conj(a)·wⁱ·(w^(p-1))ⁱ` and `w^(p-1) = ξ^((p-1)/6)` as `w⁶ = ξ`.

use crate::bn254::{Fq, Fq2, Fq6, Fq12};

impl Fq12 {
    /// `self^p`. Cost: 5 products of Fq2.
    pub fn frobenius(&self) -> Self {
        self.map_coefficients(Fq2::conjugate, |i, coefficient| {
            coefficient.conjugate() * FROBENIUS_FACTORS[0][i]
        })
    }

    /// `self^(p²)`. Cost: 10 products of Fq, because the factors lie in Fq.
    pub fn frobenius_squared(&self) -> Self {
        self.map_coefficients(
            |first| *first,
            |i, coefficient| coefficient.mul_by_fq(&FROBENIUS_FACTORS[1][i].c0),
        )
    }

    /// `self^(p³)`. Cost: 5 products of Fq2.
    pub fn frobenius_cubed(&self) -> Self {
        self.map_coefficients(Fq2::conjugate, |i, coefficient| {
            coefficient.conjugate() * FROBENIUS_FACTORS[2][i]
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

/// `ξ^((p-1)/6)` for `ξ = 9 + u`.
const ROOT_OF_FROBENIUS: Fq2 = Fq2::new(
    Fq::from_words_reduced([
        0xd60b_35da_dcc9_e470,
        0x5c52_1e08_292f_2176,
        0xe8b9_9fdd_76e6_8b60,
        0x1284_b71c_2865_a7df,
    ]),
    Fq::from_words_reduced([
        0xca5c_f05f_80f3_62ac,
        0x7479_9277_8eee_c7e5,
        0xa632_7cfe_1215_0b8e,
        0x2469_96f3_b4fa_e7e6,
    ]),
);

/// `FROBENIUS_FACTORS[k - 1][i] = ξ^(i·(p^k - 1)/6) = (w^(p^k - 1))ⁱ` for `k` from 1 to 3.
///
/// With `g = w^(p-1)` in Fq2: `w^(p²-1) = g^(p+1) = g·conj(g)`, the norm, in Fq; and `w^(p³-1) = g^(p²+p+1)`, which
/// is `g` times that norm, as `g^(p²) = g`.
pub(in crate::bn254) const FROBENIUS_FACTORS: [[Fq2; 6]; 3] = {
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

/// The schoolbook product, for constants.
const fn mul_const(a: &Fq2, b: &Fq2) -> Fq2 {
    let real =
        a.c0.mul_const(&b.c0)
            .add_const(&a.c1.mul_const(&b.c1).neg_const());
    let imaginary = a.c0.mul_const(&b.c1).add_const(&a.c1.mul_const(&b.c0));
    Fq2::new(real, imaginary)
}
