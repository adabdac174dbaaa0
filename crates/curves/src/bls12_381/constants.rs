//! Arithmetic in Fq2 for constants, and the constant from which the p-power maps of G2 and Fq12 follow.

use super::{Fq, Fq2};

/// The parameter of the curve is `x = -X`: `p = (x - 1)²·(x⁴ - x² + 1)/3 + x`, `r = x⁴ - x² + 1` (Bowe 2017).
pub(super) const X: u64 = 0xd201_0000_0001_0000;

/// `ξ^((p-1)/6)` for `ξ = 1 + u`.
pub(super) const ROOT_OF_FROBENIUS: Fq2 = Fq2::new(
    Fq::from_words_reduced([
        0x8d07_75ed_9223_5fb8,
        0xf67e_a53d_63e7_813d,
        0x7b24_43d7_84ba_b9c4,
        0x0fd6_03fd_3cbd_5f4f,
        0xc231_beb4_202c_0d1f,
        0x1904_d3bf_02bb_0667,
    ]),
    Fq::from_words_reduced([
        0x2cf7_8a12_6ddc_4af3,
        0x282d_5ac1_4d6c_7ec2,
        0xec0c_8ec9_71f6_3c5f,
        0x54a1_4787_b6c7_b36f,
        0x88e9_e902_231f_9fb8,
        0x00fc_3e2b_36c4_e032,
    ]),
);

/// The schoolbook product.
pub(super) const fn mul_const(a: &Fq2, b: &Fq2) -> Fq2 {
    let real =
        a.c0.mul_const(&b.c0)
            .add_const(&a.c1.mul_const(&b.c1).neg_const());
    let imaginary = a.c0.mul_const(&b.c1).add_const(&a.c1.mul_const(&b.c0));
    Fq2::new(real, imaginary)
}
