#![forbid(unsafe_code)]
//! The field traits that the algorithms above are generic over, batch inversion, and operator forwarding.
//!
//! Fields themselves are concrete newtypes in `frumious-curves`. A trait is here only because FFT, MSM and the curve
//! formulas are called with more than one field.

pub mod batch;
mod folded_field;
mod from_integers;
mod integer;
pub mod kernel;
pub mod lanes;
#[doc(hidden)]
pub mod layers;
mod montgomery_field;
#[cfg(not(feature = "serde"))]
mod no_serde;
#[doc(hidden)]
pub mod notation;
mod operators;
mod prime_field;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serde;
mod sqrt;
pub mod sqrt_dlog;
mod traits;
pub mod vector;

pub use batch::batch_invert_vartime;
pub use frumious_limbs::{declassify, prefetch};
pub use integer::{Integer, TwiceMontgomery};
pub use kernel::{KernelField, Lazy, Loose, PackedWords, Reduced, TransformField, WordField};
pub use notation::ParseElementError;
pub use sqrt::sqrt_tonelli_shanks;
pub use sqrt_dlog::{
    PowerChain, SqrtField, SqrtTables, batch_sqrt_ratio_vartime, batch_sqrt_vartime,
    inverse_sqrt_vartime, sqrt_ratio_vartime, sqrt_vartime,
};
pub use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
pub use traits::{Field, PrimeField};
