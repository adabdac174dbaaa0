//! What Groth16 asks of a curve beyond its pairing: sums of many points.

use frumious_curves::{Group, PairingEngine};
use frumious_msm::{EncodedPoint, ScaledPoint};

/// The projective form of a group.
pub(crate) type Projective<P> = <P as Group>::Projective;

/// A pairing engine over whose groups there are multi-scalar multiplications: [`Bn254`](frumious_curves::Bn254) and
/// [`Bls12_381`](frumious_curves::Bls12_381).
pub trait ProvingEngine:
    PairingEngine<G1: EncodedPoint + ScaledPoint, G2: EncodedPoint + ScaledPoint>
{
}

impl<E> ProvingEngine for E where
    E: PairingEngine<G1: EncodedPoint + ScaledPoint, G2: EncodedPoint + ScaledPoint>
{
}
