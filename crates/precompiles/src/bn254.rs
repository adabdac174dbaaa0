//! Addition, multiplication and pairing check over BN254 (alt_bn128).
//!
//! Points are coordinates of 32 bytes, most significant first, `(0, 0)` for infinity; a point of G2 has the imaginary
//! part of each coordinate first. Source: EIP-196, EIP-197; EIP-1108 for gas.

use crate::Error;
use crate::input::{padded, part};
use frumious_curves::bn254::pairing::{G2Prepared, final_exponentiation, miller_loop};
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine};

/// Gas of [`add`].
pub const ADD_GAS: u64 = 150;
/// Gas of [`mul`].
pub const MUL_GAS: u64 = 6000;

/// Bytes of a point of G1 and one of G2.
const PAIR: usize = 192;

/// The sum of two points of G1. Input is padded with zeros or cut to 128 bytes.
///
/// # Errors
/// [`Error::Point`] for a coordinate not below `p`, or a point off the curve.
pub fn add(input: &[u8]) -> Result<[u8; 64], Error> {
    let input: [u8; 128] = padded(input);
    let p = G1Projective::from(G1Affine::from_eip197_bytes(part(&input, 0))?);
    let q = G1Affine::from_eip197_bytes(part(&input, 64))?;
    Ok(p.add_affine_vartime(&q).to_affine().to_eip197_bytes())
}

/// A point of G1 times any number of 32 bytes. Input is padded with zeros or cut to 96 bytes.
///
/// # Errors
/// As [`add`].
pub fn mul(input: &[u8]) -> Result<[u8; 64], Error> {
    let input: [u8; 96] = padded(input);
    let point = G1Projective::from(G1Affine::from_eip197_bytes(part(&input, 0))?);
    let mut scalar = [0; 64]; // least significant byte first
    for (to, from) in scalar.iter_mut().zip(input[64..].iter().rev()) {
        *to = *from;
    }
    let product = point.mul_vartime(&Fr::from_uniform_bytes(&scalar));
    Ok(product.to_affine().to_eip197_bytes())
}

/// Checks pairs of a point of G1 and one of G2. The output, in 32 bytes, is 1 if the product of their pairings is one,
/// else 0. No pairs give 1.
///
/// # Errors
/// [`Error::Length`] for a length that is no multiple of 192. [`Error::Point`] for a coordinate not below `p`, a point
/// off its curve, or a point outside G2.
pub fn pairing(input: &[u8]) -> Result<[u8; 32], Error> {
    /// So many at once: prepared points take a hundred times the memory of the input.
    const AT_ONCE: usize = 16;
    if !input.len().is_multiple_of(PAIR) {
        return Err(Error::Length {
            found: input.len(),
            item: PAIR,
        });
    }
    let mut product = miller_loop(&[]);
    for pairs in input.chunks(PAIR * AT_ONCE) {
        let pairs: Vec<(G1Affine, G2Prepared)> = pairs
            .chunks(PAIR)
            .map(|pair| {
                let p = G1Affine::from_eip197_bytes(part(pair, 0))?;
                let q = G2Affine::from_eip197_bytes(part(pair, 64))?;
                Ok((p, G2Prepared::from(&q)))
            })
            .collect::<Result<_, Error>>()?;
        let pairs: Vec<(G1Affine, &G2Prepared)> = pairs.iter().map(|(p, q)| (*p, q)).collect();
        product *= miller_loop(&pairs);
    }
    let mut output = [0; 32];
    // for public values
    output[31] = final_exponentiation(&product).is_identity().unwrap_u8();
    Ok(output)
}

/// Gas of [`pairing`], for each whole pair and each call.
pub fn pairing_gas(input: &[u8]) -> u64 {
    45_000 + 34_000 * (input.len() / PAIR) as u64
}
