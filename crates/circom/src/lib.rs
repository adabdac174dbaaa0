#![forbid(unsafe_code)]
//! The files of circom: constraint systems and witnesses, over BN254 and BLS12-381.
//!
//! | format | type | read | write |
//! |---|---|---|---|
//! | `.r1cs` constraint system | [`R1cs`] | mapped or owned, validated whole | [`R1cs::write`](generic::R1cs::write) |
//! | `.wtns` witness | [`Wtns`] | mapped or copied, validated whole | [`Wtns::write`](generic::Wtns::write), [`WtnsWriter`](generic::WtnsWriter) |
//!
//! Names at the root are BN254's, those of [`bls12_381`] BLS12-381's; both are the types of [`generic`] over an engine
//! of `frumious_curves`. A file for one curve is refused by the types of the other.
//!
//! Every byte read is untrusted. A parser never panics, never loops longer than its input, and never allocates more
//! than a small multiple of it. Each [`Error`] names the kind of file, the section and the byte offset. Facts about the
//! formats are those of circom 2.2 and r1csfile 0.0.48.
//!
//! [`container`], [`curve`] and [`words`] are the frame that snarkjs's binary files share with these.

pub mod container;
pub mod curve;
mod error;
mod r1cs;
pub mod words;
mod wtns;

pub use bn254::*;
pub use error::{Error, FileKind, Place, Problem, parse_file, section_name};

/// The formats over any [`PairingEngine`](frumious_curves::PairingEngine).
pub mod generic {
    pub use crate::r1cs::{Constraint, LinearCombination, R1cs, R1csBuilder, Terms, write_system};
    pub use crate::wtns::{Wtns, WtnsWriter};
}

macro_rules! formats_over {
    ($module:ident, $engine:ident, $name:literal) => {
        #[doc = concat!("The formats over ", $name, ".")]
        pub mod $module {
            use crate::generic;
            use frumious_curves::$engine;

            /// See [`generic::R1cs`].
            pub type R1cs = generic::R1cs<$engine>;
            /// See [`generic::R1csBuilder`].
            pub type R1csBuilder = generic::R1csBuilder<$engine>;
            /// See [`generic::Constraint`].
            pub type Constraint<'a> = generic::Constraint<'a, $engine>;
            /// See [`generic::LinearCombination`].
            pub type LinearCombination<'a> = generic::LinearCombination<'a, $engine>;
            /// See [`generic::Terms`].
            pub type Terms<'a> = generic::Terms<'a, $engine>;
            /// See [`generic::Wtns`].
            pub type Wtns = generic::Wtns<$engine>;
        }
    };
}

formats_over!(bn254, Bn254, "BN254");
formats_over!(bls12_381, Bls12_381, "BLS12-381");
