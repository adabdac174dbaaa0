//! Field elements in vector lanes: eight at a time, with AVX-512 IFMA or with AVX2 and FMA.
//!
//! The only crate with vector intrinsics. What stands on what:
//!
//! - [`Ifma`], [`Fma`]: tokens of no size that only detection makes. Who holds one, or a value made with it, may use
//!   the instructions.
//! - [`Vector`]: eight 64-bit lanes, some twenty operations, and the two instructions everything is made of. These are
//!   `madd52lo` and `madd52hi`: the low and the high 52 bits of a product of 52-bit numbers, added to 64 bits.
//!   Implemented by the register [`Zmm`], by two registers of AVX2 ([`Ymms`]), which find products by doubles, and by
//!   [`Model`], plain Rust.
//! - [`Modulus52`], [`Prime`]: a modulus in limbs of 52 bits, its constants computed by the compiler.
//! - [`Lanes`]: eight elements, limb by limb, in Montgomery form with `R = 2^260` (5 limbs) or `2^416` (8 limbs),
//!   reduced lazily. Bounds are stated by each operation and checked in debug builds. [`Sum`]: several terms before the
//!   carries. [`Wide`]: many products before one reduction. [`Block`]: lanes in memory.
//! - [`Kernel`]: work written once over any [`Vector`]. [`Ifma::run`] compiles it with the instructions, into one
//!   shell, and [`Model::run`] runs the same text anywhere.
//! - [`Unit`]: whichever instructions this CPU has; algorithms ask for it and name none. [`cpu`] has the features by
//!   name.
//!
//! ```
//! use frumious_simd::{Block, Kernel, Lanes, Model, Modulus52, Prime, Vector};
//!
//! #[derive(Clone, Copy, Debug)]
//! struct Fr; // the scalar field of BLS12-381
//! impl Prime<5> for Fr {
//!     const MODULUS: &'static Modulus52<5> = &Modulus52::new(&[
//!         0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48,
//!     ]);
//! }
//!
//! struct Differences<'a>(&'a mut Block<5>, &'a Block<5>);
//! impl Kernel for Differences<'_> {
//!     type Output = ();
//!     #[inline(always)] // as everything that touches a vector
//!     fn run<V: Vector>(self, cpu: V::Cpu) {
//!         let a = Lanes::<Fr, V, 5>::load_block::<1>(cpu, self.0);
//!         let b = Lanes::load_block::<1>(cpu, self.1);
//!         (a + b).minus::<1>(b).reduce_weakly().reduce().store_block(self.0); // below 2p, 3p, 2p, p
//!     }
//! }
//!
//! let (mut a, b) = (Block([[7; 8]; 5]), Block([[5; 8]; 5]));
//! Model::run(Differences(&mut a, &b));
//! assert_eq!(a, Block([[7; 8]; 5]));
//! ```
//!
//! # Rules for kernels
//!
//! Threads above, the choice of the backend in the middle, kernels below. Every function from `Kernel::run` down is
//! `#[inline(always)]`, no closure in it is large, and none is handed to a thread. What is compiled outside of the
//! shell is right all the same, and a hundred times slower. Disassemble to be sure: the symbol
//! `frumious_simd::ifma::shell` of the kernel has `vpmadd52` with `zmm` and no call.
//!
//! Lanes are for batches and only for CPUs that have the instructions. Others multiply by the scalar code of
//! `frumious-limbs`; the model is for tests, under valgrind and AddressSanitizer too.
//!
//! Sources: Gueron and Krasnov 2016, "Accelerating big integer arithmetic using Intel IFMA extensions"; Montgomery
//! 1985.

#![deny(unsafe_code)] // allowed in `ifma`, in `fma` and in the macro `apart` of `lanes`, and nowhere else

mod block;
mod bound;
pub mod cpu;
#[cfg(target_arch = "x86_64")]
mod fma;
#[cfg(not(target_arch = "x86_64"))]
#[path = "fma/absent.rs"]
mod fma;
#[cfg(all(target_arch = "x86_64", not(frumious_under_valgrind)))]
mod ifma;
#[cfg(all(not(target_arch = "x86_64"), not(frumious_under_valgrind)))]
#[path = "ifma/absent.rs"]
mod ifma;
#[cfg(frumious_under_valgrind)]
#[path = "ifma/modelled.rs"]
mod ifma;
pub mod kernels;
mod lanes;
mod model;
mod modulus;
mod unit;
mod vector;

pub use block::Block;
pub use fma::Fma;
#[cfg(target_arch = "x86_64")]
pub use fma::Ymms;
pub use ifma::Ifma;
#[cfg(all(target_arch = "x86_64", not(frumious_under_valgrind)))]
pub use ifma::Zmm;
pub use lanes::{Factor, LaneFactor, Lanes, Prepared, Sum, Wide};
pub use model::Model;
pub use modulus::{MASK_52, Modulus52, Prime, limbs_of};
pub use unit::{OnModel, Runner, Unit, UnitKind};
pub use vector::{Kernel, LANES, Mask, Vector};
