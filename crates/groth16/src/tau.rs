//! Powers of tau: the phase of a ceremony that all circuits share.
//!
//! The powers are τⁱ in both groups, α·τⁱ and β·τⁱ in G1, β in G2. Who contributes multiplies each by its own power
//! of their secrets ([`TauShare`]). Who verifies compares neighbours ([`same_multiples`](crate::same_multiples),
//! [`successive`]). Before circuits have keys made of them, powers become the Lagrange bases of all domains
//! ([`lagrange_bases`]), and anyone can check that they are ([`is_lagrange_basis`]).
//! Source: Bowe, Gabizon, Miers 2017, eprint 2017/1050, section 3.

mod all;
mod check;
mod lagrange;
mod share;
pub(crate) mod transform;

pub use all::{TauLists, are_lagrange_bases, are_powers, bases_bytes};
pub use check::{is_lagrange_basis, is_lagrange_basis_of_more, successive};
pub use lagrange::{lagrange_bases, lagrange_bytes};
pub use share::{TauSecret, TauShare};
