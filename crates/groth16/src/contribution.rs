//! Contributions to a key: the circuit's own phase of a ceremony.
//!
//! Who contributes draws d, multiplies δ by it, and divides parts C and H by it ([`DeltaShare`]). Who verifies compares
//! ratios ([`same_ratio`], [`same_multiples`], [`same_quotient`]). A key that nobody has contributed to has secrets
//! that everyone knows ([`Uncontributed`]). Source: Bowe, Gabizon, Miers 2017, eprint 2017/1050, section 4.

mod quotient;
mod ratio;
mod share;

pub use quotient::{quotient_from_powers_vartime, quotient_powers_vartime, same_quotient};
pub(crate) use ratio::products_agree;
pub use ratio::{same_multiples, same_ratio};
pub use share::DeltaShare;

use frumious_curves::Group;
use frumious_curves::PairingEngine;
use frumious_curves::engine::PairingGroup;

/// A phase of a ceremony without any contribution. Anyone can prove any statement under its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uncontributed {
    /// The powers of tau: α or β is ±1. All their secrets are then 1, and with them C of any A and B can be computed.
    PowersOfTau,
    /// The key itself: δ is ±γ. With δ = γ, the proof A = α, B = β, C = −Σ xᵢ·ICᵢ verifies.
    Key,
}

impl Uncontributed {
    /// The phase that α, β, γ and δ of a key show to lack contributions.
    pub fn of<E: PairingEngine>(
        alpha: &E::G1,
        beta: &E::G2,
        gamma: &E::G2,
        delta: &E::G2,
    ) -> Option<Self> {
        if Self::powers_lack_contribution::<E>(alpha, beta) {
            return Some(Self::PowersOfTau);
        }
        is_plus_or_minus(delta, gamma).then_some(Self::Key)
    }

    /// True if α and β show that nobody contributed to the powers of tau: one of them is ±1.
    pub fn powers_lack_contribution<E: PairingEngine>(alpha: &E::G1, beta: &E::G2) -> bool {
        is_plus_or_minus(alpha, &E::G1::GENERATOR) || is_plus_or_minus(beta, &E::G2::GENERATOR)
    }
}

/// True if `a` is `b` or `−b`.
fn is_plus_or_minus<P: PairingGroup>(a: &P, b: &P) -> bool {
    a == b || *a == b.neg()
}
