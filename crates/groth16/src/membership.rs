//! Membership: each point of a proof or of a verification key lies in its group of prime order.
//!
//! A pairing does not see a point of small order that is added to its argument. Over BLS12-381 (both groups) and over
//! BN254 (G2) there are such points. A proof that carries one tells its reader a wire of the witness modulo that order,
//! if the maker of the key planted it. A point is therefore checked where it enters a verdict, and before it leaves the
//! prover.

use crate::error::{PointFault, ProofPoint, VerifyingKeyPoint};
use crate::{Error, Proof, VerifyingKey};
use frumious_curves::engine::PairingGroup;
use frumious_curves::{EncodingError, PairingEngine};

/// Checks that the points of `proof` are in their groups; names the first that is not. Infinity is in each group.
///
/// Cost: three subgroup checks, a tenth of a verification.
pub(crate) fn check_proof<E: PairingEngine>(
    proof: &Proof<E>,
) -> Result<(), (ProofPoint, EncodingError)> {
    in_group(&proof.a).map_err(|reason| (ProofPoint::A, reason))?;
    in_group(&proof.b).map_err(|reason| (ProofPoint::B, reason))?;
    in_group(&proof.c).map_err(|reason| (ProofPoint::C, reason))
}

/// As [`check_proof`] for any number, with each B prepared for the pairing on the way. Of one the check of B is nearly
/// free; of many, both are half as much.
pub(crate) fn check_proofs_and_prepare_vartime<'a, E: PairingEngine>(
    proofs: impl Iterator<Item = &'a Proof<E>> + Clone,
) -> Result<Vec<E::G2Prepared>, (ProofPoint, EncodingError)> {
    for proof in proofs.clone() {
        in_group(&proof.a).map_err(|reason| (ProofPoint::A, reason))?;
        in_group(&proof.c).map_err(|reason| (ProofPoint::C, reason))?;
    }
    let b: Vec<E::G2> = proofs.map(|proof| proof.b).collect();
    let prepared = E::prepare_checked_vartime(&b).into_iter();
    prepared
        .map(|prepared| prepared.map_err(|reason| (ProofPoint::B, reason)))
        .collect()
}

/// Checks that the points of `key` are in their groups, and that none is at infinity but IC\[0\], which binds no
/// signal.
///
/// # Errors
/// [`Error::VerifyingKeyPoint`]; [`Error::NoConstantPoint`] for a key without any IC point, which states nothing.
pub(crate) fn check_verifying_key<E: PairingEngine>(key: &VerifyingKey<E>) -> Result<(), Error> {
    let at = |point| move |fault| Error::VerifyingKeyPoint { point, fault };
    finite_in_group(&key.alpha_g1).map_err(at(VerifyingKeyPoint::Alpha))?;
    finite_in_group(&key.beta_g2).map_err(at(VerifyingKeyPoint::Beta))?;
    finite_in_group(&key.gamma_g2).map_err(at(VerifyingKeyPoint::Gamma))?;
    finite_in_group(&key.delta_g2).map_err(at(VerifyingKeyPoint::Delta))?;
    let Some((constant, signals)) = key.ic.split_first() else {
        return Err(Error::NoConstantPoint);
    };
    in_group(constant).map_err(|reason| at(VerifyingKeyPoint::Ic(0))(reason.into()))?;
    for (index, point) in signals.iter().enumerate() {
        finite_in_group(point).map_err(at(VerifyingKeyPoint::Ic(index + 1)))?;
    }
    Ok(())
}

fn finite_in_group<P: PairingGroup>(point: &P) -> Result<(), PointFault> {
    if *point == P::default() {
        return Err(PointFault::Infinity);
    }
    Ok(in_group(point)?)
}

/// The decoders' own check: the coordinates are on the curve, and the point has the prime order.
fn in_group<P: PairingGroup>(point: &P) -> Result<(), EncodingError> {
    P::from_montgomery_bytes(point.to_montgomery_bytes().as_ref()).map(|_| ())
}
