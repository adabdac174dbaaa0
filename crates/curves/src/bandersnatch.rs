//! Bandersnatch: the twisted Edwards curve `-5·x² + y² = 1 + d·x²·y²` over the scalar field of BLS12-381, and Banderwagon,
//! its prime-order group.
//!
//! Source: Masson, Sanso, Zhang, "Bandersnatch", eprint 2021/1152.

mod fr;

pub use crate::bls12_381::Fr as Fq;
pub use fr::Fr;
