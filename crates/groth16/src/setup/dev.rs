//! # Keys without a ceremony: unsafe, for tests and demonstrations
//!
//! **Whoever knows τ, α, β or δ can prove false statements.** Here they are drawn from the operating system on this one
//! machine, used and zeroised; nobody else can be sure of that, and a copy may remain in a swap file, a core dump or a
//! register. A key that others shall trust comes from a ceremony: [`setup`](crate::setup()).
//!
//! Knowing the secrets makes it fast: every point of the key is a field element times the generator. The elements are
//! computed first (a pass over the rows), then the multiples from one table for each group. Time depends on the secrets.

use super::fixed_base::FixedBase;
use super::lagrange::basis_at;
use super::{SetupPhase, coefficients, log_domain_size};
use crate::key::snarkjs_domain;
use crate::prove::coset_shift;
use crate::{Error, ProvingEngine};
use frumious_circom::generic::{LinearCombination, R1cs, ZkeyHeader, ZkeyWriter};
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_curves::{PairingEngine, RandomError};
use frumious_fft::Domain;
use frumious_field::PrimeField;
use frumious_parallel::for_each_chunk_mut;
use std::io::Write;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// **Unsafe: for tests and demonstrations only.** Writes a proving key for `r1cs` to `out`, as a zkey, with secrets drawn
/// here; whoever ran this could have kept them, and with them could prove anything (see the head of this chapter).
///
/// The key works with snarkjs's `groth16 prove` and `zkey export`; its section 10 holds a circuit hash of zeros and no
/// contribution, as there is no ceremony that `zkey verify` could check it against.
///
/// Memory: about 300 bytes a wire and 160 a domain element. `out` should be buffered.
/// Errors: [`Error::CircuitTooLarge`], [`Error::TooManyCoefficients`], [`Error::Randomness`], [`Error::Format`] if writing fails.
pub fn setup_dev<E: ProvingEngine>(r1cs: &R1cs<E>, out: impl Write) -> Result<(), Error> {
    setup_dev_with_observer(r1cs, out, &|_| {})
}

/// [`setup_dev`], with `observer` called as each phase begins. Unsafe in the same way.
pub fn setup_dev_with_observer<E: ProvingEngine>(
    r1cs: &R1cs<E>,
    out: impl Write,
    observer: &dyn Fn(SetupPhase),
) -> Result<(), Error> {
    let log_n = log_domain_size(r1cs, E::Fr::TWO_ADICITY)?;
    let n_coefficients = coefficients::count(r1cs)?;
    let domain = snarkjs_domain(log_n).expect("log_n was checked against the field's bound");
    observer(SetupPhase::Columns);
    let (secrets, lagrange) = Secrets::random_for(&domain)?;
    let mut columns = Columns::evaluate(r1cs, &lagrange);
    drop(lagrange);

    let n_largest = domain.size().max(r1cs.n_wires() as usize);
    let g1 = FixedBase::new_vartime(E::G1::GENERATOR, n_largest);
    let header = header::<E>(r1cs, &domain, &secrets);
    let mut out = ZkeyWriter::new(out, &header, n_coefficients)?;

    observer(SetupPhase::PointsC);
    columns.combine_into_c(r1cs.n_public() as usize + 1, &secrets);
    let (ic, c) = columns.c.split_at(r1cs.n_public() as usize + 1);
    out.write_ic(&g1.multiply_batch_vartime(ic))?;
    let c = g1.multiply_batch_vartime(c); // written below, in the file's order
    columns.c.zeroize();

    observer(SetupPhase::Coefficients);
    coefficients::write(r1cs, &mut out)?;
    observer(SetupPhase::PointsA);
    out.write_a(&g1.multiply_batch_vartime(&columns.a))?;
    columns.a.zeroize();
    observer(SetupPhase::PointsB1);
    out.write_b1(&g1.multiply_batch_vartime(&columns.b))?;
    observer(SetupPhase::PointsB2);
    let g2 = FixedBase::new_vartime(E::G2::GENERATOR, r1cs.n_wires() as usize);
    out.write_b2(&g2.multiply_batch_vartime(&columns.b))?;
    drop((columns, g2));
    out.write_c(&c)?;
    drop(c);
    observer(SetupPhase::PointsH);
    let h = secrets.quotient_basis(&domain, coset_shift(log_n));
    out.write_h(&g1.multiply_batch_vartime(&h))?;
    out.finish(&[0; 64])?;
    Ok(())
}

/// What must never be known: none of them zero, and τ in neither coset of the domain. γ is 1.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Secrets<F: ScalarField> {
    tau: F,
    alpha: F,
    beta: F,
    delta: F,
    delta_inverse: F,
}

impl<F: ScalarField> Secrets<F> {
    /// Secrets and the Lagrange basis of the domain at τ.
    fn random_for(domain: &Domain<F>) -> Result<(Self, Zeroizing<Vec<F>>), Error> {
        let n = [domain.size() as u64];
        let shift_power = coset_shift::<F>(domain.log_size()).pow_vartime(&n);
        loop {
            let (delta, delta_inverse) = random_invertible()?;
            let secrets = Self {
                tau: random_invertible()?.0,
                alpha: random_invertible()?.0,
                beta: random_invertible()?.0,
                delta,
                delta_inverse,
            };
            let power = secrets.tau.pow_vartime(&n);
            if power == F::ONE || power == shift_power {
                continue; // τ lies on one of the two cosets: draw again
            }
            let factor = (power - F::ONE) * domain.size_inverse(); // (τ^n − 1)/n
            let basis = basis_at(&secrets.tau, domain.size(), domain.root(), F::ONE, factor);
            return Ok((secrets, basis));
        }
    }

    /// The scalars of section 9: for each point x_i = s·ω^i of the domain shifted by s, its Lagrange polynomial there times
    /// Z(τ)/(Z(x_i)·δ). Z is the constant sⁿ − 1 on that coset.
    fn quotient_basis(&self, domain: &Domain<F>, shift: F) -> Zeroizing<Vec<F>> {
        let n = [domain.size() as u64];
        let shift_power = shift.pow_vartime(&n);
        let tau_power = self.tau.pow_vartime(&n);
        let z_there = (shift_power - F::ONE).invert_vartime();
        let z_there = z_there.expect("the shift is not an n-th root of unity");
        let shift_power_inverse = shift_power.invert_vartime().expect("the shift is not zero");
        // ((τ/s)^n − 1)/n · Z(τ)/Z(x)/δ
        let factor = (tau_power * shift_power_inverse - F::ONE)
            * domain.size_inverse()
            * (tau_power - F::ONE)
            * z_there
            * self.delta_inverse;
        basis_at(&self.tau, domain.size(), domain.root(), shift, factor)
    }
}

/// A uniform non-zero element and its inverse.
fn random_invertible<F: ScalarField>() -> Result<(F, F), RandomError> {
    loop {
        let value = F::random()?;
        if let Some(inverse) = value.invert().into_option() {
            return Ok((value, inverse));
        }
    }
}

/// The matrices' columns at τ: one element for each wire.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Columns<F: ScalarField> {
    a: Vec<F>,
    b: Vec<F>,
    c: Vec<F>,
}

impl<F: ScalarField> Columns<F> {
    fn evaluate<E: PairingEngine<Fr = F>>(r1cs: &R1cs<E>, lagrange: &[F]) -> Self {
        let n_wires = r1cs.n_wires() as usize;
        let mut columns = Self {
            a: vec![F::ZERO; n_wires],
            b: vec![F::ZERO; n_wires],
            c: vec![F::ZERO; n_wires],
        };
        for (constraint, l) in r1cs.constraints().zip(lagrange) {
            add_terms(&mut columns.a, &constraint.a, l);
            add_terms(&mut columns.b, &constraint.b, l);
            add_terms(&mut columns.c, &constraint.c, l);
        }
        let public_rows = &lagrange[r1cs.n_constraints() as usize..];
        for (wire, l) in (0..=r1cs.n_public() as usize).zip(public_rows) {
            columns.a[wire] += *l;
        }
        columns
    }

    /// `c = β·a + α·b + c`, over δ from wire `n_ic` on.
    fn combine_into_c(&mut self, n_ic: usize, secrets: &Secrets<F>) {
        let (a, b) = (&self.a, &self.b);
        for_each_chunk_mut(&mut self.c, CHUNK, |index, chunk| {
            for (i, c) in chunk.iter_mut().enumerate() {
                let wire = index * CHUNK + i;
                let sum = secrets.beta * a[wire] + secrets.alpha * b[wire] + *c;
                *c = if wire < n_ic {
                    sum
                } else {
                    sum * secrets.delta_inverse
                };
            }
        });
    }
}

fn add_terms<E: PairingEngine>(
    column: &mut [E::Fr],
    combination: &LinearCombination<E>,
    lagrange: &E::Fr,
) {
    for term in combination.terms() {
        column[term.wire as usize] += *lagrange * term.coefficient_fr();
    }
}

fn header<E: PairingEngine>(
    r1cs: &R1cs<E>,
    domain: &Domain<E::Fr>,
    secrets: &Secrets<E::Fr>,
) -> ZkeyHeader<E> {
    let in_g1 = |k: &E::Fr| E::G1::from_group(&E::G1::GENERATOR.multiply(k));
    let in_g2 = |k: &E::Fr| E::G2::from_group(&E::G2::GENERATOR.multiply(k));
    ZkeyHeader {
        n_vars: r1cs.n_wires(),
        n_public: r1cs.n_public(),
        domain_size: 1 << domain.log_size(),
        alpha_g1: in_g1(&secrets.alpha),
        beta_g1: in_g1(&secrets.beta),
        beta_g2: in_g2(&secrets.beta),
        gamma_g2: E::G2::GENERATOR,
        delta_g1: in_g1(&secrets.delta),
        delta_g2: in_g2(&secrets.delta),
    }
}

const CHUNK: usize = 1 << 12;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::bls12_381;
    use frumious_curves::bn254::Fr;

    /// What section 9 is for: the values of a multiple P of Z on the coset, summed with it, are P(τ)/δ. With the shift of
    /// the largest domain as well, which no test can afford.
    #[test]
    fn quotient_basis_evaluates_multiples_of_z() {
        for log_n in [1, 2, 6] {
            let domain = Domain::<Fr>::new(log_n).unwrap();
            let n = domain.size();
            let (secrets, _) = Secrets::random_for(&domain).unwrap();
            // Q of degree n − 2, P = (X^n − 1)·Q
            let q: Vec<Fr> = (0..n as u64 - 1).map(|i| Fr::from_u64(i * i + 5)).collect();
            let p_at = |x: Fr| {
                let q_at = q.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + *c);
                (x.pow_vartime(&[n as u64]) - Fr::ONE) * q_at
            };
            for shift in [coset_shift(log_n), coset_shift(Fr::TWO_ADICITY)] {
                let basis = secrets.quotient_basis(&domain, shift);
                let mut x = shift;
                let mut sum = Fr::ZERO;
                for h in basis.iter() {
                    sum += p_at(x) * *h;
                    x *= domain.root();
                }
                assert_eq!(sum * secrets.delta, p_at(secrets.tau), "2^{log_n}");
            }
        }
    }

    #[test]
    fn coset_shift_has_twice_the_domain_as_its_order() {
        check::<Fr>();
        check::<bls12_381::Fr>();
        fn check<F: ScalarField>() {
            for log_n in 0..F::TWO_ADICITY {
                let power = coset_shift::<F>(log_n).pow_vartime(&[1 << log_n]);
                assert_eq!(power, -F::ONE, "2^{log_n}");
            }
            assert_eq!(coset_shift::<F>(F::TWO_ADICITY), F::from_u64(25));
        }
    }
}
