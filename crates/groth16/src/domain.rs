//! The evaluation domain that setup and prover share: its size, its root of unity and its second coset.

use crate::Error;
use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::PrimeField;
use frumious_r1cs::ConstraintSource;

/// Binary logarithm of the domain of `circuit`: the smallest power of two above constraints and public signals
/// together.
///
/// `available`: the largest logarithm that the powers of tau reach.
///
/// # Errors
/// [`Error::CircuitTooLarge`] above `available`, above the two-adicity of the scalar field, or above 31.
pub fn log_domain_size<E: PairingEngine>(
    circuit: &(impl ConstraintSource<E::Fr> + ?Sized),
    available: u32,
) -> Result<u32, Error> {
    let rows = circuit
        .n_constraints()
        .saturating_add(circuit.n_public().into());
    // floor(log2(rows)) + 1: the smallest power strictly above rows; at least the domain of two.
    let needed = rows.max(1).ilog2() + 1;
    let available = available.min(E::Fr::TWO_ADICITY).min(31);
    if needed > available {
        return Err(Error::CircuitTooLarge { needed, available });
    }
    Ok(needed)
}

/// The domain of 2^`log_n` elements over the field's root of unity from the smallest non-residue, if there is one.
pub(crate) fn domain<F: ScalarField>(log_n: u32) -> Result<Domain<F>, Error> {
    Domain::with_root_of_unity(F::NONRESIDUE_ROOT, log_n).map_err(|_| Error::CircuitTooLarge {
        needed: log_n,
        available: F::TWO_ADICITY,
    })
}

/// The s with which the odd coset s·H is made: a root of unity of order 2^(log_n + 1), or 25 if there is none.
pub(crate) fn coset_shift<F: ScalarField>(log_n: u32) -> F {
    if log_n >= F::TWO_ADICITY {
        return F::from_u64(25);
    }
    let mut root = F::NONRESIDUE_ROOT;
    for _ in log_n + 1..F::TWO_ADICITY {
        root = root.square();
    }
    root
}
