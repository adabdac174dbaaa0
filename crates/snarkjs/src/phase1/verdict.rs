//! Verdicts on powers of tau, and the faults that they name.

use frumious_groth16::TauSecret;
use std::fmt;

/// The verdict on powers of tau.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// Everything that was checked is right.
    Valid(T),
    /// Something is not.
    Invalid(Fault),
}

/// A contribution whose proofs of knowledge are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The challenge that it answers.
    pub challenge: [u8; 64],
    /// The hash of its response. It follows from what the file keeps; that of the last contribution is checked by
    /// [`verify_powers`](super::verify_powers).
    pub response_hash: [u8; 64],
    /// The challenge after it.
    pub next_challenge: [u8; 64],
    /// The name that it was given.
    pub name: Option<String>,
    /// The beacon's hash and the logarithm of its iterations, of a beacon's contribution.
    pub beacon: Option<(Vec<u8>, u8)>,
}

/// The first thing that is wrong with powers of tau, or with their contributions, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Nobody has contributed, or nobody a secret: α or β is ±1.
    NoContribution,
    /// A proof of knowledge of a contribution is not one for its challenge: it was altered, moved or replayed, or what
    /// is before it was.
    Knowledge(usize, TauSecret),
    /// A value after a contribution is not the value before it times the contribution's secret.
    After(usize, &'static str),
    /// The state of a response's hash cannot be one.
    State(usize),
    /// A beacon's contribution is not the one that its hash and its iterations give.
    Beacon(usize),
    /// The first points of a section are not those of the last contribution, or no generators.
    First(u32),
    /// The points of a section are not successive powers.
    Powers(u32),
    /// The response of the last contribution, with its number, has another hash.
    Response(usize),
    /// The challenge after the last contribution is another.
    Challenge(usize),
    /// The points of a section are not the Lagrange basis of the domain of `2^power` elements.
    Basis(u32, u32),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoContribution => f.write_str(
                "there is no contribution with a secret, so everyone knows their secrets",
            ),
            Self::Knowledge(number, secret) => write!(
                f,
                "contribution {number}: its proof of knowledge of {} is not one for its challenge",
                match secret {
                    TauSecret::Tau => "tau",
                    TauSecret::Alpha => "alpha",
                    TauSecret::Beta => "beta",
                }
            ),
            Self::After(number, value) => write!(
                f,
                "contribution {number}: {value} after it is not {value} before it times its secret"
            ),
            Self::State(number) => write!(
                f,
                "contribution {number}: the state of its response's hash cannot be one"
            ),
            Self::Beacon(number) => write!(
                f,
                "contribution {number}: its public key is not the one that its beacon gives"
            ),
            Self::First(id) => write!(
                f,
                "section {id}: its first points are not those of the last contribution"
            ),
            Self::Powers(id) => write!(f, "section {id}: its points are not powers of one tau"),
            Self::Response(number) => write!(
                f,
                "contribution {number}: the powers are not those of its response (another hash)"
            ),
            Self::Challenge(number) => write!(
                f,
                "contribution {number}: the challenge after it is not the hash of the powers"
            ),
            Self::Basis(id, log_n) => write!(
                f,
                "section {id}: its points are not the Lagrange basis of 2^{log_n} elements"
            ),
        }
    }
}
