//! The blinding factors, and the proof made of the sums.

use super::sums::Sums;
use crate::{Error, KeyHeader, Proof, ProvingEngine};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// r and s: secret, uniform in Fr and new for every proof. Forgotten on drop; not printable.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Blinding<F: ScalarField> {
    r: F,
    s: F,
}

impl<F: ScalarField> Blinding<F> {
    /// Both from the operating system's generator, over the whole of Fr.
    pub(super) fn random() -> Result<Self, Error> {
        Ok(Self {
            r: F::random()?,
            s: F::random()?,
        })
    }

    pub(super) fn fixed(r: F, s: F) -> Self {
        Self { r, s }
    }
}

/// `A = α + ΣA + r·δ`, `B = β + ΣB + s·δ`, `C = ΣC + s·A + r·B − r·s·δ`, the B of the last in G1. Constant time in r
/// and s.
///
/// Without blinding r = s = 0. `sums.b1` must be there if `blinding` is.
pub(super) fn assemble<E: ProvingEngine>(
    header: &KeyHeader<E>,
    sums: &Sums<E>,
    blinding: Option<&Blinding<E::Fr>>,
) -> Proof<E> {
    let a = header.alpha_g1.plus(&sums.a);
    let b = header.beta_g2.plus(&sums.b2);
    let Some(Blinding { r, s }) = blinding else {
        return Proof {
            a: E::G1::from(a),
            b: E::G2::from(b),
            c: E::G1::from(sums.c),
        };
    };
    let b1 = sums.b1.expect("a blinded proof has the sum over B1");

    let a = a + E::G1::multiply(&header.delta_g1.into(), r);
    let b = b + E::G2::multiply(&header.delta_g2.into(), s);
    // r·B − r·s·δ = r·(β + ΣB + s·δ) − r·s·δ = r·(β + ΣB)
    let r_times_b = E::G1::multiply(&header.beta_g1.plus(&b1), r);
    let c = sums.c + E::G1::multiply(&a, s) + r_times_b;
    Proof {
        a: E::G1::from(a),
        b: E::G2::from(b),
        c: E::G1::from(c),
    }
}

/// The proof that the blinding `(r, s)` makes of sums that are the generators. For `frumious-ct`: the two are secret.
#[doc(hidden)]
pub fn blind_for_tests<E: ProvingEngine>(r: E::Fr, s: E::Fr) -> Proof<E> {
    let (g1, g2) = (E::G1::GENERATOR, E::G2::GENERATOR);
    let header = KeyHeader {
        n_wires: 1,
        n_public: 0,
        domain_size: 1,
        alpha_g1: g1,
        beta_g1: g1,
        beta_g2: g2,
        gamma_g2: g2,
        delta_g1: g1,
        delta_g2: g2,
    };
    let sums = Sums {
        a: g1.into(),
        b1: Some(g1.into()),
        b2: g2.into(),
        c: g1.into(),
    };
    assemble(&header, &sums, Some(&Blinding::fixed(r, s)))
}
