//! BLS12-381: `y² = x³ + 4` over a 381-bit prime, with an optimal ate pairing.
//!
//! Barreto-Lynn-Scott with `x = -0xd201000000010000`: `p = (x - 1)²·(x⁴ - x² + 1)/3 + x`, `r = x⁴ - x² + 1`.
//! Tower: `Fq2 = Fq[u]/(u² + 1)`, `Fq6 = Fq2[v]/(v³ - 1 - u)`, `Fq12 = Fq6[w]/(w² - v)`; `G2` is on the sextic twist
//! `y² = x³ + 4·(1 + u)`.
//! Its scalar field is also the base field of Bandersnatch. Source: Bowe 2017, "BLS12-381: New zk-SNARK elliptic curve
//! construction".

mod constants;
mod encoding;
mod fq;
mod fq12;
mod fq2;
mod fq6;
mod fr;
mod g1;
mod g2;
mod hash_to_curve;
mod montgomery;
pub mod pairing;

pub use fq::Fq;
pub use fq2::Fq2;
pub use fq6::Fq6;
pub use fq12::Fq12;
pub use fr::Fr;
pub use g1::{G1Affine, G1Projective};
pub use g2::{G2Affine, G2Projective};
