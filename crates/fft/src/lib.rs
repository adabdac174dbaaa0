#![forbid(unsafe_code)]
//! Transforms between the coefficients of a polynomial and its values on a subgroup of order 2^k, or on a coset.
//!
//! For a field with a root of unity `ω` of order `n = 2^k`, the forward transform takes `c_0, …, c_(n-1)` to
//! `X_j = Σ c_i ω^(ij)`, the values of `Σ c_i x^i` on `H = {ω^0, …, ω^(n-1)}`. The inverse takes them back.
//!
//! ```
//! # mod frumious { pub use ::frumious_curves as curves; pub use ::frumious_fft as fft; }
//! use frumious::curves::bn254::Fr;
//! use frumious::fft::Domain;
//!
//! let domain = Domain::<Fr>::new(2)?;
//! let mut values = [1, 2, 3, 4].map(Fr::from_u64); // 1 + 2x + 3x² + 4x³
//! domain.fft(&mut values)?;
//! assert_eq!(values[0], Fr::from_u64(10)); // at x = 1
//! domain.ifft(&mut values)?;
//! assert_eq!(values, [1, 2, 3, 4].map(Fr::from_u64));
//! # Ok::<(), frumious::fft::Error>(())
//! ```
//!
//! # Organisation
//!
//! Parallel above, dispatch in the middle, kernel below:
//! - `domain`: the public type and its constants; `transform`: its transforms, each a few of the pieces below;
//! - `schedule`: a large transform as columns, then rows, of a matrix (Bailey's four steps), spread over threads;
//! - `kernel`: one block that fits in cache, serial, generic over the backend's elements;
//! - `lanes`: schedule and kernel again for eight elements at a time, with a vector unit, from 2^6 elements on;
//! - `permute`: bit reversal in place, by tiles, for natural order; [`Domain::extend_to_coset`] does without;
//! - `twiddles`: the tables, `n/2` entries each way up to `n = 2^16`, `O(√n)` above;
//! - [`naive`]: the same transforms written to be obviously right.
//!
//! # Roads not taken
//!
//! A full table of `n/2` twiddles for every size would spare one product in eleven at `n = 2^20`. It would take half as
//! much memory again as the vector itself. a prover of large circuits has no such memory to give, so above 2^16 the
//! twiddles between columns and rows are computed on the way. Split radix gains nothing: the fourth root of unity costs
//! as much to multiply by as any other element. Radix 4: see `kernel`.

mod domain;
mod error;
#[doc(hidden)]
pub mod instances;
mod kernel;
mod lanes;
pub mod naive;
mod permute;
mod schedule;
mod settings;
mod shape;
mod transform;
mod twiddles;

pub use domain::Domain;
pub use error::Error;
pub use settings::{SETTINGS, settings_in_use};

#[cfg(test)]
mod tests;
