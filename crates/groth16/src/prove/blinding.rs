//! The blinding factors, and the proof made of the sums.

use super::sums::Sums;
use crate::Error;
use frumious_circom::{Proof, ZkeyHeader};
use frumious_curves::bn254::{Fr, G1Projective, G2Projective};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// r and s: secret, uniform in Fr and new for every proof. Forgotten on drop; not printable.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Blinding {
    r: Fr,
    s: Fr,
}

impl Blinding {
    /// Both from the operating system's generator, over the whole of Fr.
    pub(super) fn random() -> Result<Self, Error> {
        Ok(Self {
            r: Fr::random()?,
            s: Fr::random()?,
        })
    }

    pub(super) fn fixed(r: Fr, s: Fr) -> Self {
        Self { r, s }
    }
}

/// `A = α + ΣA + r·δ`, `B = β + ΣB + s·δ`, `C = ΣC + s·A + r·B − r·s·δ`, the B of the last in G1. Constant time in r and s.
///
/// Without blinding r = s = 0. `sums.b1` must be there if `blinding` is.
pub(super) fn assemble(header: &ZkeyHeader, sums: &Sums, blinding: Option<&Blinding>) -> Proof {
    let a = sums.a.add_affine(&header.alpha_g1);
    let b = sums.b2.add_affine(&header.beta_g2);
    let Some(Blinding { r, s }) = blinding else {
        return Proof {
            a: a.to_affine(),
            b: b.to_affine(),
            c: sums.c.to_affine(),
        };
    };
    let b1 = sums.b1.expect("a blinded proof has the sum over B1");
    let delta_g1 = G1Projective::from(header.delta_g1);
    let delta_g2 = G2Projective::from(header.delta_g2);

    let a = a + delta_g1.mul(r);
    let b = b + delta_g2.mul(s);
    // r·B − r·s·δ = r·(β + ΣB + s·δ) − r·s·δ = r·(β + ΣB)
    let r_times_b = b1.add_affine(&header.beta_g1).mul(r);
    let c = sums.c + a.mul(s) + r_times_b;
    Proof {
        a: a.to_affine(),
        b: b.to_affine(),
        c: c.to_affine(),
    }
}
