#![forbid(unsafe_code)]
//! The cryptography of Verkle trees over Banderwagon, bit-exact with go-ipa and rust-verkle.
