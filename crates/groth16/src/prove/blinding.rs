//! The proof that the sums make, and its blinding by r and s, as in Groth's paper and by snarkjs.
//!
//! For comparison with other provers, and for proofs that `rerandomise` cannot blind.

use super::sums::Sums;
use crate::engine::Projective;
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

/// The proof with r = s = 0: `A = α + ΣA`, `B = β + ΣB`, `C = ΣC`. It tells of the witness.
pub(super) fn unblinded<E: ProvingEngine>(header: &KeyHeader<E>, sums: &Sums<E>) -> Proof<E> {
    Proof {
        a: E::G1::from(header.alpha_g1.plus(&sums.a)),
        b: E::G2::from(header.beta_g2.plus(&sums.b2)),
        c: E::G1::from(sums.c),
    }
}

/// `A = α + ΣA + r·δ`, `B = β + ΣB + s·δ`, `C = ΣC + s·A + r·B − r·s·δ`, the B of the last in G1, of which `b1` is ΣB.
/// `proof` is the one with r = s = 0. Constant time in r and s.
pub(super) fn blinded<E: ProvingEngine>(
    header: &KeyHeader<E>,
    proof: &Proof<E>,
    b1: &Projective<E::G1>,
    Blinding { r, s }: &Blinding<E::Fr>,
) -> Proof<E> {
    let a = proof.a.plus(&E::G1::multiply(&header.delta_g1.into(), r));
    let b = proof.b.plus(&E::G2::multiply(&header.delta_g2.into(), s));
    // r·B − r·s·δ = r·(β + ΣB + s·δ) − r·s·δ = r·(β + ΣB)
    let r_times_b = E::G1::multiply(&header.beta_g1.plus(b1), r);
    let c = proof.c.plus(&E::G1::multiply(&a, s)) + r_times_b;
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
    let proof = Proof {
        a: g1,
        b: g2,
        c: g1,
    };
    blinded(
        &KeyHeader::of_generators(),
        &proof,
        &g1.into(),
        &Blinding::fixed(r, s),
    )
}
