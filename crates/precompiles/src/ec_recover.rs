//! `ecRecover`: the address that signed a digest, by ECDSA over secp256k1.
//!
//! Source: Ethereum Yellow Paper (Shanghai version), appendices E.1 and F.

use crate::input::{padded, part};
use frumious_signatures::ecdsa::{RecoveryId, Signature, recover};
use sha3::{Digest, Keccak256};

/// Gas of a call.
pub const GAS: u64 = 3000;

/// The signer's address in the last 20 bytes of 32; the input is digest, `v`, `r` and `s` of 32 bytes each.
///
/// None stands for a call that succeeds with an empty output. It is the answer if `v` is not 27 or 28, `r` or `s` is
/// not in `1..n`, or no key has that signature.
///
/// Input is padded with zeros or cut to 128 bytes. High `s` is allowed.
pub fn ec_recover(input: &[u8]) -> Option<[u8; 32]> {
    let input: [u8; 128] = padded(input);
    let (zeros, v) = (part::<31>(&input, 32), input[63]);
    if *zeros != [0; 31] {
        return None;
    }
    let id = RecoveryId::new(v.checked_sub(27).filter(|id| *id < 2)?).ok()?;
    let signature = Signature::from_scalars(part(&input, 64), part(&input, 96)).ok()?;
    let key = recover(part(&input, 0), &signature, id).ok()?;
    let hash = Keccak256::digest(&key.to_uncompressed()[1..]);
    let mut output = [0; 32];
    output[12..].copy_from_slice(&hash[12..]);
    Some(output)
}
