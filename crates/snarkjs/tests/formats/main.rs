//! The files of circom and snarkjs: read, written, malformed in every way, and changed while they are in use.

mod bls12_381;
mod changed;
mod layouts;
mod malformed;
mod malformed_json;
mod reading;
mod solidity;
mod support;
