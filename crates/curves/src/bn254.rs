//! BN254 (also alt_bn128, "bn128" in circom): `y² = x³ + 3` over a 254-bit prime, with an optimal ate pairing.
//!
//! Barreto-Naehrig with `x = 4965661367192848881`: `p = 36x⁴ + 36x³ + 24x² + 6x + 1`,
//! `r = 36x⁴ + 36x³ + 18x² + 6x + 1`. Tower: `Fq2 = Fq[u]/(u² + 1)`, `Fq6 = Fq2[v]/(v³ - 9 - u)`,
//! `Fq12 = Fq6[w]/(w² - v)`; `G2` is on the sextic twist `y² = x³ + 3/(9 + u)`. Source: EIP-196, EIP-197; Barreto and
//! Naehrig 2005.

mod compressed;
mod fq;
mod fq12;
mod fq2;
mod fq6;
mod fr;
mod g1;
mod g2;
pub mod pairing;

pub use fq::Fq;
pub use fq2::Fq2;
pub use fq6::Fq6;
pub use fq12::Fq12;
pub use fr::Fr;
pub use g1::{G1Affine, G1Projective};
pub use g2::{G2Affine, G2Projective};
