//! The tests of this crate's public face, in one program: a program each takes longer to build than to run.

mod baby_jubjub;
mod bits;
mod circuits;
mod detect;
mod eddsa;
mod merkle;
mod mimc;
mod poseidon;
mod sha256;
mod systems;
