//! Proofs of any number of openings, at points of the domain, in 576 bytes.
//!
//! With a challenge `r`, openings of the same point `z` become one: `F_z = Σ rⁱ·fᵢ`. The quotients
//! `g = Σ (F_z - F_z(z))/(X - z)` exist if all values are right. The prover commits to `g` in `D`, and at a challenge
//! `t` `g(t) = h(t) - Σ rⁱ·yᵢ/(t - zᵢ)` with `h = Σ F_z/(t - z)`, so that one argument for `h - g` at `t` proves
//! everything. The verifier finds the commitment `E` to `h` from the commitments of the openings. Source: Feist, "PCS
//! multiproofs using random evaluation" (2021); go-ipa `multiproof.go`; spec section 7.

mod group;
mod merge;
mod openings;
mod prove;
mod verify;

pub use prove::Prover;
pub use verify::Verifier;

use crate::polynomial::distances;
use crate::{Transcript, Values};
use frumious_curves::bandersnatch::{Element, Fr};
use frumious_field::batch_invert_vartime;

/// An opening of the prover: a polynomial at a point of the domain.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// The commitment to the polynomial. It is not checked: a false one gives a proof that no verifier accepts.
    pub commitment: Element,
    /// Its values.
    pub polynomial: &'a Values,
    /// The index of the value that is shown.
    pub point: u8,
}

/// A claim to the verifier: a commitment has a value at a point of the domain.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The commitment.
    pub commitment: Element,
    /// The index of the value.
    pub point: u8,
    /// The value.
    pub value: Fr,
}

impl Opening<'_> {
    /// The claim that this opening shows.
    pub fn claim(&self) -> Claim {
        Claim {
            commitment: self.commitment,
            point: self.point,
            value: self.polynomial[usize::from(self.point)],
        }
    }
}

/// Appends the commitment to the quotients; the challenge to evaluate at.
fn evaluation_point(transcript: &mut Transcript, d: &[u8; 32]) -> Fr {
    transcript.append(b"D", d);
    transcript.challenge(b"t")
}

/// `1/(t - z)` for each point `z` of the domain; zero, as in go-ipa, should `t` be one (probability `2^-245`).
fn inverse_distances(t: &Fr, scratch: &mut Vec<Fr>) -> Values {
    let mut distances = distances(t);
    batch_invert_vartime(&mut distances, scratch);
    distances
}
