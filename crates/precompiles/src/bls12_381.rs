//! Addition, multi-scalar multiplication, pairing check and maps over BLS12-381.
//!
//! A coordinate in Fq is an integer below `p` in 64 bytes, most significant first: 16 zero bytes, then 48. One in Fq2
//! is its real part and then its imaginary one. A point is x and y, 128 bytes in G1 and 256 in G2, zeros for infinity.
//! A scalar is any integer of 32 bytes, most significant first.
//!
//! A point that is added need only be on the curve. One that is multiplied or paired must lie in its group of order
//! `r`, and is checked. Source: EIP-2537; the texts of the errors and their order are those of go-ethereum 1.14
//! (`core/vm/contracts.go`).

mod encoding;
mod gas;

use encoding::{
    FQ_BYTES, FQ2_BYTES, SCALAR_BYTES, in_g1, in_g2, read_fq, read_fq2, read_g1, read_g2,
    read_scalar, write_g1, write_g2,
};
use frumious_curves::bls12_381::pairing::pairings_cancel;
use frumious_curves::bls12_381::{G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_field::Integer;
use frumious_msm::msm_vartime;
pub use gas::*;

/// Bytes of a point of G1.
pub const G1_BYTES: usize = 2 * FQ_BYTES;
/// Bytes of a point of G2.
pub const G2_BYTES: usize = 2 * FQ2_BYTES;

/// The reason for which a contract fails, which takes all gas that it was given. [`Display`](core::fmt::Display) writes
/// go-ethereum's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input has another length than the contract takes, or is empty.
    #[error("invalid input length")]
    InputLength,
    /// One of the first 16 bytes of a coordinate is not zero.
    #[error("invalid field element top bytes")]
    TopBytes,
    /// A coordinate is not below the modulus.
    #[error("invalid fp.Element encoding")]
    NonCanonical,
    /// A point is not on its curve.
    #[error("invalid point: not on curve")]
    NotOnCurve,
    /// A point of the first curve is not in G1.
    #[error("g1 point is not on correct subgroup")]
    NotInG1,
    /// A point of the second curve is not in G2.
    #[error("g2 point is not on correct subgroup")]
    NotInG2,
}

/// `BLS12_MAP_FP_TO_G1` (0x10): 64 bytes of an element of Fq to a point of G1.
///
/// # Errors
/// [`Error::InputLength`] for another number of bytes. [`Error::TopBytes`] or [`Error::NonCanonical`] for a number
/// that is not below `p`.
pub fn map_fp_to_g1(input: &[u8]) -> Result<[u8; G1_BYTES], Error> {
    let input = exactly::<FQ_BYTES>(input)?;
    Ok(write_g1(G1Projective::map_to_group(&read_fq(input)?)))
}

/// `BLS12_MAP_FP2_TO_G2` (0x11): 128 bytes of an element of Fq2 to a point of G2.
///
/// # Errors
/// [`Error::InputLength`] for another number of bytes. [`Error::TopBytes`] or [`Error::NonCanonical`] for a part that
/// is not below `p`.
pub fn map_fp2_to_g2(input: &[u8]) -> Result<[u8; G2_BYTES], Error> {
    let input = exactly::<FQ2_BYTES>(input)?;
    Ok(write_g2(G2Projective::map_to_group(&read_fq2(input)?)))
}

/// `BLS12_PAIRING_CHECK` (0x0f): at least one pair of 384 bytes, each a point of G1 and one of G2. The output, in 32
/// bytes, is 1 if the product of their pairings is one, else 0.
///
/// # Errors
/// - [`Error::InputLength`] for no pair, or an incomplete one
/// - [`Error::TopBytes`] or [`Error::NonCanonical`] for a coordinate that is not below `p`
/// - [`Error::NotOnCurve`], [`Error::NotInG1`] or [`Error::NotInG2`] for a point off its curve or outside its group
pub fn pairing_check(input: &[u8]) -> Result<[u8; 32], Error> {
    let mut pairs = vec![];
    for pair in chunks::<{ G1_BYTES + G2_BYTES }>(input)? {
        let (p, q) = pair.split_at(G1_BYTES);
        let (p, q) = (read_g1(p)?, read_g2(q)?);
        pairs.push((in_g1(p)?, in_g2(q)?));
    }
    let mut output = [0; 32];
    output[31] = pairings_cancel(&pairs).unwrap_u8();
    Ok(output)
}

/// The sum and the multi-scalar multiplication of a group.
macro_rules! group_contracts {
    ($group:literal, $bytes:ident, $projective:ident, $affine:ident,
     $read:ident, $in_group:ident, $write:ident,
     $add:ident, $add_address:literal, $msm:ident, $msm_address:literal) => {
        #[doc = concat!("`BLS12_", $group, "ADD` (", $add_address, "): two points of the curve to their sum.")]
        ///
        /// # Errors
        /// - [`Error::InputLength`] for another number of bytes
        /// - [`Error::TopBytes`] or [`Error::NonCanonical`] for a coordinate that is not below `p`
        /// - [`Error::NotOnCurve`] for a point off the curve
        pub fn $add(input: &[u8]) -> Result<[u8; $bytes], Error> {
            let (p, q) = exactly::<{ 2 * $bytes }>(input)?.split_at($bytes);
            let (p, q) = ($read(p)?, $read(q)?);
            Ok($write($projective::from(p).add_affine_vartime(&q)))
        }

        #[doc = concat!("`BLS12_", $group, "MSM` (", $msm_address, "): pairs of a point of ", $group, " and a scalar, at least one, to the sum of")]
        /// the products. Parallel over the pool of the caller.
        ///
        /// # Errors
        /// - [`Error::InputLength`] for no pair, or an incomplete one
        /// - [`Error::TopBytes`] or [`Error::NonCanonical`] for a coordinate that is not below `p`
        /// - [`Error::NotOnCurve`], [`Error::NotInG1`] or [`Error::NotInG2`] for a point that is not in the group
        pub fn $msm(input: &[u8]) -> Result<[u8; $bytes], Error> {
            let pairs = chunks::<{ $bytes + SCALAR_BYTES }>(input)?;
            let mut points: Vec<$affine> = Vec::with_capacity(pairs.len());
            let mut scalars = Vec::with_capacity(pairs.len());
            for pair in pairs {
                let (point, scalar) = pair.split_at($bytes);
                points.push($in_group($read(point)?)?);
                scalars.push(read_scalar(scalar));
            }
            if let ([point], [scalar]) = (&points[..], &scalars[..]) {
                return Ok($write($projective::from(*point).mul_vartime(scalar)));
            }
            let scalars: Vec<_> = scalars.into_iter().map(Integer::from).collect();
            Ok($write(msm_vartime(&points, &scalars).expect("a scalar for each point")))
        }
    };
}
group_contracts!(
    "G1",
    G1_BYTES,
    G1Projective,
    G1Affine,
    read_g1,
    in_g1,
    write_g1,
    g1_add,
    "0x0b",
    g1_msm,
    "0x0c"
);
group_contracts!(
    "G2",
    G2_BYTES,
    G2Projective,
    G2Affine,
    read_g2,
    in_g2,
    write_g2,
    g2_add,
    "0x0d",
    g2_msm,
    "0x0e"
);

/// The input as an array.
fn exactly<const N: usize>(input: &[u8]) -> Result<&[u8; N], Error> {
    input.try_into().map_err(|_| Error::InputLength)
}

/// The input as arrays, at least one.
fn chunks<const N: usize>(input: &[u8]) -> Result<&[[u8; N]], Error> {
    match input.as_chunks() {
        ([], _) => Err(Error::InputLength),
        (chunks, []) => Ok(chunks),
        _ => Err(Error::InputLength),
    }
}
