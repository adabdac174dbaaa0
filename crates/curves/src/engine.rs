//! `PairingEngine`: what a protocol over a pairing asks of a curve, and the two curves that answer.
//!
//! A protocol generic over an engine is compiled once for each: nothing is chosen at run time. Groups stand here by
//! their affine points, see [`Group`]. The methods are those of the concrete types.

mod implementations;

use core::fmt::Debug;
use core::ops::Mul;
use frumious_field::{Field, PrimeField, WordField};
use zeroize::Zeroize;

use crate::{EncodingError, Group, RandomError};

/// A curve with a pairing `e: G1 × G2 → Gt`, all three of prime order `r`. [`Bn254`] and [`Bls12_381`].
pub trait PairingEngine: Copy + Debug + Eq + Send + Sync + 'static {
    /// The curve, to be told at run time.
    const CURVE: PairingCurve;

    /// The one of `Gt`.
    const GT_IDENTITY: Self::Gt;

    /// Integers modulo `r`.
    type Fr: ScalarField<Engine = Self>;
    /// Integers modulo `q`, over which the curve is.
    type Fq: ResidueField;
    /// Points of the curve over Fq.
    type G1: PairingGroup<Scalar = Self::Fr, Base = Self::Fq>;
    /// Points of the twist over the quadratic extension of Fq.
    type G2: PairingGroup<Scalar = Self::Fr, Base = Self::Fq>;
    /// A point of G2 with what the pairing needs of it alone.
    type G2Prepared: Clone + Debug + Send + Sync;
    /// Products of Miller loops before the final exponentiation, up to factors that it removes.
    type MillerValue: Copy + Debug + Send + Sync + Mul<Output = Self::MillerValue>;
    /// Values of the pairing.
    type Gt: Copy + Debug + Eq + Send + Sync;

    /// Prepares `point`.
    fn prepare(point: &Self::G2) -> Self::G2Prepared;

    /// Prepares many public points, each for half of what one by itself takes. Those outside the group are refused:
    /// `G2Prepared::batch_checked_vartime` of the curves.
    fn prepare_checked_vartime(points: &[Self::G2])
    -> Vec<Result<Self::G2Prepared, EncodingError>>;

    /// The product of the pairings of all pairs; one for no pairs at all.
    fn multi_pairing(pairs: &[(Self::G1, &Self::G2Prepared)]) -> Self::Gt;

    /// The Miller loops of all pairs, multiplied; one for no pairs at all. Many groups of pairs share one final
    /// exponentiation: it is a homomorphism.
    fn miller_loop(pairs: &[(Self::G1, &Self::G2Prepared)]) -> Self::MillerValue;

    /// The value of a product of Miller loops.
    fn final_exponentiation(product: &Self::MillerValue) -> Self::Gt;

    /// The twelve coefficients of `value` over Fq in the tower `Fq12 = Fq6[w]`, `Fq6 = Fq2[v]`, `Fq2 = Fq[u]`, in the
    /// order of nesting.
    fn gt_coefficients(value: &Self::Gt) -> [Self::Fq; 12];
}

/// The engines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairingCurve {
    /// [`Bn254`].
    Bn254,
    /// [`Bls12_381`].
    Bls12_381,
}

impl PairingCurve {
    /// The scalar field's prime in decimal digits.
    pub const fn scalar_modulus(self) -> &'static str {
        match self {
            Self::Bn254 => {
                "21888242871839275222246405745257275088548364400416034343698204186575808495617"
            }
            Self::Bls12_381 => {
                "52435875175126190479447740508185965837690552500527637822603658699938581184513"
            }
        }
    }
}

impl core::fmt::Display for PairingCurve {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Bn254 => "BN254",
            Self::Bls12_381 => "BLS12-381",
        })
    }
}

/// The engine of [`bn254`](crate::bn254).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bn254;

/// The engine of [`bls12_381`](crate::bls12_381).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bls12_381;

/// Integers modulo a prime, with their notation in decimal digits.
pub trait ResidueField: Field {
    /// The modulus in words, the least significant first.
    const MODULUS_WORDS: &'static [u64];

    /// From decimal digits without leading zeros; none unless below the modulus. For public values.
    fn from_decimal_vartime(text: &str) -> Option<Self>;

    /// The value in decimal digits. For public values.
    fn to_decimal_vartime(&self) -> String;

    /// The value's bytes, most significant first, as many as the words of the modulus have.
    fn to_be_bytes(&self) -> Vec<u8>;

    /// The element of a Montgomery form below the modulus.
    ///
    /// # Panics
    /// For another number of words than the modulus has.
    fn from_montgomery_words_unchecked(words: &[u64]) -> Self;
}

/// The integers modulo the order of an engine's groups: four words.
pub trait ScalarField: ResidueField + PrimeField + WordField + Zeroize {
    /// The engine: a function that is given elements need not be told the curve.
    type Engine: PairingEngine<Fr = Self>;

    /// `g^((r - 1)/2^s)` with `2^s` the highest power of two that divides `r - 1`, and `g` the smallest non-residue,
    /// which is 5 for both engines. The root of unity of order `2^s` from which snarkjs has all others.
    ///
    /// Source: ffjavascript 0.3.1, `wasm_field1.js`, which searches `g` from 2 on. For BLS12-381 this is not
    /// [`PrimeField::ROOT_OF_UNITY`]: blst, arkworks and EIP-4844 take the smallest generator, 7.
    const NONRESIDUE_ROOT: Self;

    /// The residue of a number of 512 bits, least significant byte first. Of uniform bytes it is within 2^-256 of
    /// uniform.
    fn from_uniform_bytes(bytes: &[u8; 64]) -> Self;

    /// A uniform element from the operating system's generator.
    ///
    /// # Errors
    /// [`RandomError`] if the generator gives no bytes.
    fn random() -> Result<Self, RandomError>;
}

/// An affine point of one of an engine's groups, with all forms in which files have it; infinity is `(0, 0)`.
pub trait PairingGroup:
    Group + Coordinates + PointFromX + MontgomeryEncoding + BigEndianEncoding
{
}

impl<P: Group + Coordinates + PointFromX + MontgomeryEncoding + BigEndianEncoding> PairingGroup
    for P
{
}

/// Points by x alone, for who draws points by their x. Beside [`Coordinates`], which curves without a cofactor's
/// multiple have too.
pub trait PointFromX: Coordinates {
    /// The point of the curve with the coefficients of `x`, and with the larger y or the smaller; it need not be in the
    /// group. None if the curve has no point with that x. Of two numbers the last different coefficient counts.
    ///
    /// # Panics
    /// For another number of coefficients than `DEGREE`.
    fn lift_x_vartime(x: &[Self::Base], larger: bool) -> Option<Self>;

    /// The cofactor times the point of the curve with the coefficients of `x`, and with the larger y or the smaller.
    /// None if the curve has no point with that x. The result is in the group, whatever x is.
    ///
    /// # Panics
    /// For another number of coefficients than `DEGREE`.
    fn from_x_vartime(x: &[Self::Base], larger: bool) -> Option<Self>;
}

/// Points by elements of the prime field: the form of JSON.
pub trait Coordinates: Sized {
    /// The prime field under the coordinates.
    type Base;
    /// Elements of the prime field in a coordinate: 1 in G1, 2 in G2.
    const DEGREE: usize;

    /// The elements of the prime field in x, then those in y: `2·DEGREE` of them.
    fn coefficients(&self) -> Vec<Self::Base>;

    /// The inverse of [`Coordinates::coefficients`].
    ///
    /// # Errors
    /// A point off the curve or outside the group of order `r`.
    ///
    /// # Panics
    /// For another number of coefficients than `2·DEGREE`.
    fn from_coefficients(coefficients: &[Self::Base]) -> Result<Self, EncodingError>;

    /// As [`Coordinates::from_coefficients`] without a look at the group, for who checks that later.
    ///
    /// # Errors
    /// A point off the curve.
    ///
    /// # Panics
    /// For another number of coefficients than `2·DEGREE`.
    fn from_coefficients_on_curve(coefficients: &[Self::Base]) -> Result<Self, EncodingError>;
}

/// x and y in Montgomery form, least significant byte first, `R = 2^256` for BN254 and `2^384` for BLS12-381; infinity
/// is all zeros. The form of `.zkey` and `.ptau` files.
pub trait MontgomeryEncoding: Sized {
    /// The bytes of both coordinates.
    type Bytes: AsRef<[u8]>;
    /// Length of [`MontgomeryEncoding::Bytes`].
    const BYTES: usize;

    /// The point as bytes.
    fn to_montgomery_bytes(&self) -> Self::Bytes;

    /// The inverse of [`MontgomeryEncoding::to_montgomery_bytes`].
    ///
    /// # Errors
    /// A coordinate not below `q`, a point off the curve or outside the group of order `r`.
    ///
    /// # Panics
    /// For another number of bytes than `BYTES`.
    fn from_montgomery_bytes(bytes: &[u8]) -> Result<Self, EncodingError>;

    /// As [`MontgomeryEncoding::from_montgomery_bytes`] for any point of the curve: whoever asks for the group checks
    /// many at once ([`Membership`](crate::Membership)).
    ///
    /// # Errors
    /// A coordinate not below `q`, a point off the curve.
    ///
    /// # Panics
    /// For another number of bytes than `BYTES`.
    fn from_montgomery_bytes_on_curve(bytes: &[u8]) -> Result<Self, EncodingError>;

    /// As [`MontgomeryEncoding::from_montgomery_bytes`], of any two coordinates: whoever asks for points of the curve
    /// checks many at once. None if one is not below `q`. For public bytes.
    ///
    /// # Panics
    /// For another number of bytes than `BYTES`.
    fn from_montgomery_bytes_reduced_vartime(bytes: &[u8]) -> Option<Self>;

    /// As [`MontgomeryEncoding::from_montgomery_bytes`] without any check: for bytes checked before. Others give wrong
    /// results.
    ///
    /// # Panics
    /// For another number of bytes than `BYTES`.
    fn from_montgomery_bytes_unchecked(bytes: &[u8]) -> Self;
}

/// x and y, most significant byte first, the imaginary part of a coordinate before the real one; infinity is all zeros.
/// The form of Ethereum's precompiles.
pub trait BigEndianEncoding {
    /// The point as bytes.
    fn to_big_endian_bytes(&self) -> Vec<u8>;
}
