//! Keys from a ceremony's powers of tau.
//!
//! A prepared `.ptau` has the Lagrange basis of every domain at the secret τ, plain and times α and β, as points (sections
//! 12-15), so a column at τ is a short sum of such points. δ is 1 until the first contribution to the circuit's own phase
//! (`snarkjs zkey contribute`); until then the key is not to be used.

use super::circuit_hash::CircuitHash;
use super::columns::{ColumnTerm, Columns};
use super::{SetupPhase, coefficients, log_domain_size};
use crate::engine::Group;
use crate::key::check_in_ranges;
use crate::{Error, ProvingEngine};
use frumious_circom::generic::{Points, Ptau, R1cs, ZkeyHeader, ZkeyWriter};
use frumious_curves::PairingEngine;
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_field::PrimeField;
use frumious_msm::{MsmPoint, msm_vartime};
use frumious_parallel::map_indices;
use std::io::Write;

/// Writes the proving key of `r1cs` under the ceremony of `ptau` to `out`, as a zkey without contributions.
///
/// Every section has the bytes that `snarkjs groth16 setup` gives it, the hash of the circuit included, so that
/// `snarkjs zkey contribute` and `zkey verify` go on from it.
/// The points used are checked (on the curve, those of G2 in the subgroup), but not that they are powers of anything: that
/// is `snarkjs powersoftau verify`. `out` should be buffered.
///
/// Errors: [`Error::CircuitTooLarge`] if the powers do not reach; [`Error::Format`] if they were not prepared for phase 2, or
/// a point is wrong, or writing fails; [`Error::TooManyCoefficients`].
pub fn setup<E: ProvingEngine>(
    r1cs: &R1cs<E>,
    ptau: &Ptau<E>,
    out: impl Write,
) -> Result<(), Error> {
    setup_with_observer(r1cs, ptau, out, &|_| {})
}

/// [`setup`](crate::setup()), with `observer` called as each phase begins.
pub fn setup_with_observer<E: ProvingEngine>(
    r1cs: &R1cs<E>,
    ptau: &Ptau<E>,
    out: impl Write,
    observer: &dyn Fn(SetupPhase),
) -> Result<(), Error> {
    let log_n = log_domain_size(r1cs, ptau.power())?;
    let n_coefficients = coefficients::count(r1cs)?;
    let bases = Bases::checked(ptau, log_n)?;
    let header = header(r1cs, ptau, log_n)?;
    let mut hash = CircuitHash::<E>::new(&header);
    let mut out = ZkeyWriter::new(out, &header, n_coefficients)?;

    observer(SetupPhase::Columns);
    let n_ic = r1cs.n_public() + 1;
    let public_rows = (0..n_ic).map(|signal| (r1cs.n_constraints() + signal, signal));
    let a = Columns::new(r1cs, |constraint| constraint.a, public_rows);
    let b = Columns::new(r1cs, |constraint| constraint.b, [].into_iter());
    let c = Columns::new(r1cs, |constraint| constraint.c, [].into_iter());
    let n_wires = r1cs.n_wires() as usize;

    observer(SetupPhase::PointsC);
    let mut ic: Vec<E::G1> = map_wires(n_wires, |wire| {
        combine_vartime(a.of(wire), |row| {
            bases.beta_tau_g1.get_unchecked_encoding(row)
        }) + combine_vartime(b.of(wire), |row| {
            bases.alpha_tau_g1.get_unchecked_encoding(row)
        }) + combine_vartime(c.of(wire), |row| bases.tau_g1.get_unchecked_encoding(row))
    });
    drop(c);
    let c_points = ic.split_off(n_ic as usize);
    out.write_ic(&ic)?;
    hash.points(&ic);
    hash.quotient_points(ptau, log_n)?;
    hash.points(&c_points);

    observer(SetupPhase::Coefficients);
    coefficients::write(r1cs, &mut out)?;
    observer(SetupPhase::PointsA);
    let points: Vec<E::G1> = map_wires(n_wires, |wire| {
        combine_vartime(a.of(wire), |row| bases.tau_g1.get_unchecked_encoding(row))
    });
    drop(a);
    hash.points(&points);
    out.write_a(&points)?;
    observer(SetupPhase::PointsB1);
    let points: Vec<E::G1> = map_wires(n_wires, |wire| {
        combine_vartime(b.of(wire), |row| bases.tau_g1.get_unchecked_encoding(row))
    });
    hash.points(&points);
    out.write_b1(&points)?;
    drop(points);
    observer(SetupPhase::PointsB2);
    let points: Vec<E::G2> = map_wires(n_wires, |wire| {
        combine_vartime(b.of(wire), |row| bases.tau_g2.get_unchecked_encoding(row))
    });
    hash.points(&points);
    out.write_b2(&points)?;
    drop(points);

    out.write_c(&c_points)?;
    observer(SetupPhase::PointsH);
    write_h(ptau, log_n, &mut out)?;
    out.finish(&hash.finish())?;
    Ok(())
}

/// The Lagrange bases of one domain at τ.
struct Bases<'a, E: PairingEngine> {
    tau_g1: Points<'a, E::G1>,
    tau_g2: Points<'a, E::G2>,
    alpha_tau_g1: Points<'a, E::G1>,
    beta_tau_g1: Points<'a, E::G1>,
}

impl<'a, E: PairingEngine> Bases<'a, E> {
    /// All points checked to be in their groups, in parallel.
    fn checked(ptau: &'a Ptau<E>, log_n: u32) -> Result<Self, Error> {
        let bases = Self {
            tau_g1: ptau.lagrange_tau_g1(log_n)?,
            tau_g2: ptau.lagrange_tau_g2(log_n)?,
            alpha_tau_g1: ptau.lagrange_alpha_tau_g1(log_n)?,
            beta_tau_g1: ptau.lagrange_beta_tau_g1(log_n)?,
        };
        for points in [bases.tau_g1, bases.alpha_tau_g1, bases.beta_tau_g1] {
            check_in_ranges(points.len(), |range| points.check(range))?;
        }
        check_in_ranges(bases.tau_g2.len(), |range| bases.tau_g2.check(range))?;
        Ok(bases)
    }
}

fn header<E: PairingEngine>(
    r1cs: &R1cs<E>,
    ptau: &Ptau<E>,
    log_n: u32,
) -> Result<ZkeyHeader<E>, Error> {
    Ok(ZkeyHeader {
        n_vars: r1cs.n_wires(),
        n_public: r1cs.n_public(),
        domain_size: 1 << log_n,
        alpha_g1: ptau.alpha_tau_g1().get(0)?,
        beta_g1: ptau.beta_tau_g1().get(0)?,
        beta_g2: ptau.beta_g2()?,
        gamma_g2: E::G2::GENERATOR,
        delta_g1: E::G1::GENERATOR,
        delta_g2: E::G2::GENERATOR,
    })
}

/// Section 9: the basis of the doubled domain at its odd points. At the largest domain, which cannot be doubled, the
/// second half of the block after the last is the basis of the domain shifted by 25.
fn write_h<E: PairingEngine, W: Write>(
    ptau: &Ptau<E>,
    log_n: u32,
    out: &mut ZkeyWriter<E, W>,
) -> Result<(), Error> {
    let doubled = ptau.lagrange_tau_g1(log_n + 1)?;
    let n = 1_usize << log_n;
    for start in (0..n).step_by(BATCH) {
        let points = (start..n.min(start + BATCH))
            .map(|i| {
                doubled.get(if log_n < E::Fr::TWO_ADICITY {
                    2 * i + 1
                } else {
                    n + i
                })
            })
            .collect::<Result<Vec<E::G1>, _>>()?;
        out.write_h(&points)?;
    }
    Ok(())
}

/// The points `f(0) … f(n_wires − 1)`, in parallel, brought to affine form in batches.
fn map_wires<A: CeremonyPoint>(
    n_wires: usize,
    f: impl Fn(usize) -> Group<A> + Send + Sync,
) -> Vec<A> {
    let batches = map_indices(n_wires.div_ceil(WIRES_PER_TASK), |task| {
        let start = task * WIRES_PER_TASK;
        let end = n_wires.min(start + WIRES_PER_TASK);
        let points: Vec<Group<A>> = (start..end).map(&f).collect();
        A::from_groups_vartime(&points)
    });
    batches.concat()
}

/// `Σ coefficient·base(row)` over the terms. In real circuits a coefficient is often 1, −1 or small, of either sign; the
/// constant's column can be as long as the circuit.
fn combine_vartime<A: CeremonyPoint>(terms: &[ColumnTerm], base: impl Fn(usize) -> A) -> Group<A> {
    let mut sum = <A as MsmPoint>::IDENTITY;
    let mut points = Vec::new();
    let mut factors = Vec::new();
    for term in terms {
        let (point, factor) = with_small_factor(base(term.row as usize), &term.coefficient);
        if factor == [1, 0, 0, 0] {
            sum = point.plus(&sum);
        } else {
            points.push(point);
            factors.push(factor);
        }
    }
    if points.len() < TERMS_FOR_MSM {
        for (point, factor) in points.iter().zip(&factors) {
            sum += multiply_vartime(*point, factor);
        }
        return sum;
    }
    sum + msm_vartime(points.as_slice(), &factors).expect("a factor was pushed with each point")
}

/// The same product as `(−point, −coefficient)` if −coefficient is the one that is small.
fn with_small_factor<A: CeremonyPoint>(point: A, coefficient: &[u64; 4]) -> (A, [u64; 4]) {
    if as_small(coefficient).is_some() {
        return (point, *coefficient);
    }
    let opposite = (-element::<A::Scalar>(coefficient)).to_canonical_limbs();
    match as_small(&opposite) {
        Some(_) => (point.neg(), opposite),
        None => (point, *coefficient),
    }
}

fn multiply_vartime<A: CeremonyPoint>(point: A, factor: &[u64; 4]) -> Group<A> {
    match as_small(factor) {
        Some(small) => multiply_small_vartime(point, small),
        None => point.multiply_vartime(&element(factor)),
    }
}

fn element<F: ScalarField>(coefficient: &[u64; 4]) -> F {
    F::from_canonical_limbs(*coefficient).expect("an R1cs has coefficients below r")
}

/// Double and add.
fn multiply_small_vartime<A: CeremonyPoint>(point: A, factor: u32) -> Group<A> {
    let mut product = <A as MsmPoint>::IDENTITY;
    for bit in (0..u32::BITS - factor.leading_zeros()).rev() {
        product = A::double(&product);
        if factor >> bit & 1 == 1 {
            product = point.plus(&product);
        }
    }
    product
}

fn as_small(coefficient: &[u64; 4]) -> Option<u32> {
    match coefficient {
        [low, 0, 0, 0] => u32::try_from(*low).ok(),
        _ => None,
    }
}

/// A group with sums of many points.
trait CeremonyPoint:
    PairingGroup<Scalar: ScalarField> + MsmPoint<Projective = <Self as PairingGroup>::Group>
{
}

impl<A> CeremonyPoint for A where
    A: PairingGroup<Scalar: ScalarField> + MsmPoint<Projective = <A as PairingGroup>::Group>
{
}

const WIRES_PER_TASK: usize = 1 << 7;
/// From here on a sum with shared doublings beats one product with half as many (by the endomorphism) for each term.
const TERMS_FOR_MSM: usize = 3;
const BATCH: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::{Fr, G1Projective};

    #[test]
    fn combinations_of_any_coefficients_are_right() {
        let big = Fr::from_u64(3).pow_vartime(&[200]);
        let word = Fr::from_u64(1 << 32);
        let one = Fr::ONE;
        let mut coefficients = vec![Fr::ZERO, one, one + one, word - one, word, big];
        coefficients.extend(coefficients.clone().iter().map(Fr::neg));
        coefficients.push(big.square());
        let base = |row: usize| {
            G1Projective::GENERATOR
                .mul(&Fr::from_u64(row as u64 * 7 + 1))
                .to_affine()
        };
        for count in 0..=3 * coefficients.len() {
            // a stride, so that runs of a few terms differ in kind
            let terms: Vec<ColumnTerm> = (0..count)
                .map(|i| ColumnTerm {
                    row: i as u32,
                    coefficient: coefficients[i * 5 % coefficients.len()].to_canonical_limbs(),
                })
                .collect();
            let scalar = terms.iter().fold(Fr::ZERO, |sum, term| {
                sum + element::<Fr>(&term.coefficient) * Fr::from_u64(u64::from(term.row) * 7 + 1)
            });
            let expected = G1Projective::GENERATOR.mul(&scalar);
            assert_eq!(combine_vartime(&terms, base), expected, "{count} terms");
        }
    }
}
