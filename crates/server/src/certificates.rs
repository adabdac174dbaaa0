//! Certificates and keys as bytes, from whoever sends them or writes them: a server's files, and those of `--ca`.
//!
//! rustls and webpki read most of them. What they do not tell is read here: the time of a certificate, and its right to
//! sign others.

pub use crate::tls::{chain_of, is_authority, signing_key_of, validity};
