//! # Keys without a ceremony: unsafe, for tests and demonstrations
//!
//! **Whoever knows τ, α, β or δ can prove false statements.** Here they are drawn from the operating system on this one
//! machine, used and zeroised; nobody else can be sure of that, and a copy may remain in a swap file, a core dump or a
//! register. A key that others shall trust comes from a ceremony: [`setup`](crate::setup()).
//!
//! Knowing the secrets makes it fast: every point of the key is a field element times the generator. The elements are
//! computed first ([`columns`]: a pass over the rows), then the multiples from one table for each group, written as they are made. Time depends
//! on the secrets.
//!
//! If three elements a wire do not fit the memory that is allowed ([`plan`]), sections are made in passes of their own, for ranges of wires.
//! The secrets are never written anywhere, so a setup that was interrupted can only be begun anew.

mod columns;
mod plan;

pub use plan::{SetupPlan, plan_dev};

use super::circuit::{Circuit, RowBlocks};
use super::lagrange::BasisAt;
use super::{Progress, SetupOptions, SetupPhase, coefficients, log_domain_size};
use crate::key::snarkjs_domain;
use crate::prove::coset_shift;
use crate::{Error, ProvingEngine};
use columns::Target;
use frumious_circom::generic::{ZkeyHeader, ZkeyWriter};
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_curves::{PairingEngine, RandomError};
use frumious_fft::Domain;
use frumious_field::PrimeField;
use frumious_msm::{EncodedPoint, Multiples};
use frumious_parallel::{current_num_threads, for_each_chunk_mut, map_indices, pipeline};
use std::io::Write;
use std::ops::Range;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// **Unsafe: for tests and demonstrations only.** Writes a proving key for `circuit` to `out`, as a zkey, with secrets drawn
/// here; whoever ran this could have kept them, and with them could prove anything (see the head of this chapter).
///
/// The key works with snarkjs's `groth16 prove` and `zkey export`; its section 10 holds a circuit hash of zeros and no
/// contribution, as there is no ceremony that `zkey verify` could check it against.
///
/// Memory: 96 bytes a wire and some hundred megabytes, or less with a [limit](SetupOptions::max_memory); see [`plan_dev`]. `out` should be buffered.
/// Errors: [`Error::CircuitTooLarge`], [`Error::TooManyCoefficients`], [`Error::Randomness`], [`Error::Format`] if writing fails.
pub fn setup_dev<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    out: impl Write,
) -> Result<(), Error> {
    setup_dev_with_options(circuit, out, &SetupOptions::default())
}

/// [`setup_dev`], observed, or in little memory. Unsafe in the same way.
///
/// Errors: as [`setup_dev`], and [`Error::MemoryLimit`].
pub fn setup_dev_with_options<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    out: impl Write,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let progress = Progress::new(options.observer);
    let plan = plan_dev(circuit, options.max_memory)?;
    let log_n = log_domain_size(circuit, E::Fr::TWO_ADICITY)?;
    let n_coefficients = coefficients::count(circuit)?;
    let domain = snarkjs_domain(log_n).expect("log_n was checked against the field's bound");
    progress.begin(SetupPhase::Columns);
    let secrets = Secrets::random_for(&domain)?;
    let blocks = circuit.blocks();
    let mut key = Key {
        circuit,
        blocks: &*blocks,
        basis: secrets.domain_basis(&domain),
        secrets: &secrets,
        progress,
        wires_per_pass: plan.wires_per_pass,
        together: None,
    };
    if plan.wires_per_pass.is_none() {
        key.evaluate_together();
    }
    let g1 = Multiples::new_vartime(&E::G1::GENERATOR, plan::g1_multiples(circuit, log_n));
    let header = header::<E>(circuit, &domain, &secrets);
    let mut out = ZkeyWriter::new(out, &header, n_coefficients)?;

    let (n_ic, n_wires) = (circuit.n_public() as usize + 1, circuit.n_wires() as usize);
    key.section(SetupPhase::PointsIc, Column::C, 0..n_ic, &g1, |points| {
        Ok(out.write_ic(points)?)
    })?;
    progress.begin(SetupPhase::Coefficients);
    coefficients::write(circuit, &*blocks, &mut out, progress)?;
    key.section(SetupPhase::PointsA, Column::A, 0..n_wires, &g1, |points| {
        Ok(out.write_a(points)?)
    })?;
    key.forget(Column::A);
    key.section(SetupPhase::PointsB1, Column::B, 0..n_wires, &g1, |points| {
        Ok(out.write_b1(points)?)
    })?;
    let g2 = Multiples::new_vartime(&E::G2::GENERATOR, n_wires);
    key.section(SetupPhase::PointsB2, Column::B, 0..n_wires, &g2, |points| {
        Ok(out.write_b2(points)?)
    })?;
    drop(g2);
    key.forget(Column::B);
    key.section(
        SetupPhase::PointsC,
        Column::C,
        n_ic..n_wires,
        &g1,
        |points| Ok(out.write_c(points)?),
    )?;
    key.forget(Column::C);
    progress.begin(SetupPhase::PointsH);
    let h = secrets.quotient_basis(&domain, coset_shift(log_n));
    let scalars = |range| h.values(range);
    let done = |fraction| progress.within(SetupPhase::PointsH, fraction);
    write_multiples(
        0..domain.size(),
        &scalars,
        &g1,
        |points| Ok(out.write_h(points)?),
        &done,
    )?;
    out.finish(&[0; 64])?;
    Ok(())
}

/// The points of a key by their wires.
struct Key<'a, E: ProvingEngine, C> {
    circuit: &'a C,
    blocks: &'a dyn RowBlocks,
    /// The Lagrange basis of the domain at τ.
    basis: BasisAt<E::Fr>,
    secrets: &'a Secrets<E::Fr>,
    progress: Progress<'a>,
    wires_per_pass: Option<usize>,
    /// The columns for all wires, if there is room for them.
    together: Option<Columns<E::Fr>>,
}

/// Which elements: A_s(τ), B_s(τ), or those of IC and C.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    A,
    B,
    C,
}

impl<E: ProvingEngine, C: Circuit<E>> Key<'_, E, C> {
    /// All three columns in one pass.
    fn evaluate_together(&mut self) {
        let target = |column| {
            Some(Target {
                column,
                weight: None,
            })
        };
        let n_wires = self.circuit.n_wires() as usize;
        let done = |fraction| self.progress.within(SetupPhase::Columns, fraction);
        let columns = columns::evaluate(
            self.circuit,
            self.blocks,
            &self.basis,
            0..n_wires,
            [0, 1, 2].map(target),
            3,
            &done,
        );
        let [a, b, c] = columns.try_into().expect("three columns");
        let mut columns = Columns { a, b, c };
        columns.combine_into_c(self.circuit.n_public() as usize + 1, self.secrets);
        self.together = Some(columns);
    }

    /// One column for some wires, those of IC or those of C but not of both, in a pass of its own.
    fn evaluate(&self, column: Column, wires: Range<usize>) -> Zeroizing<Vec<E::Fr>> {
        let target = |weight| Some(Target { column: 0, weight });
        let Secrets {
            alpha,
            beta,
            delta_inverse,
            ..
        } = self.secrets;
        let targets = match column {
            Column::A => [target(None), None, None],
            Column::B => [None, target(None), None],
            Column::C if wires.start <= self.circuit.n_public() as usize => {
                [target(Some(*beta)), target(Some(*alpha)), target(None)]
            }
            Column::C => [
                target(Some(*beta * *delta_inverse)),
                target(Some(*alpha * *delta_inverse)),
                target(Some(*delta_inverse)),
            ],
        };
        let (circuit, blocks, basis) = (self.circuit, self.blocks, &self.basis);
        let columns = columns::evaluate(circuit, blocks, basis, wires, targets, 1, &|_| ());
        columns.into_iter().next().expect("one column")
    }

    /// Hands the multiples by a column to `write`, in order.
    fn section<A: EncodedPoint>(
        &self,
        phase: SetupPhase,
        column: Column,
        wires: Range<usize>,
        table: &Multiples<A>,
        mut write: impl FnMut(&[A]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.progress.begin(phase);
        let all = wires.len().max(1) as f64;
        let step = self.wires_per_pass.unwrap_or(wires.len().max(1));
        for start in wires.clone().step_by(step) {
            let pass = start..wires.end.min(start + step);
            let done = |fraction| {
                let before = (start - wires.start) as f64;
                let done = before + fraction * pass.len() as f64;
                self.progress.within(phase, done / all);
            };
            match &self.together {
                Some(columns) => {
                    let values = columns.of(column);
                    let scalars = |range: Range<usize>| Zeroizing::new(values[range].to_vec());
                    write_multiples(pass.clone(), &scalars, table, &mut write, &done)?;
                }
                None => {
                    let values = self.evaluate(column, pass.clone());
                    let scalars = |range: Range<usize>| {
                        Zeroizing::new(values[range.start - start..range.end - start].to_vec())
                    };
                    write_multiples(pass.clone(), &scalars, table, &mut write, &done)?;
                }
            }
        }
        Ok(())
    }

    /// Frees a column that is not needed again.
    fn forget(&mut self, column: Column) {
        if let Some(columns) = &mut self.together {
            *columns.of_mut(column) = Zeroizing::new(Vec::new());
        }
    }
}

/// Hands `scalars(i)` times the table's point for each i of a range to `write`, some at a time and in order. Of points there are never more
/// than twice `BLOCK` for each thread and turn.
fn write_multiples<A: EncodedPoint, F: ScalarField>(
    range: Range<usize>,
    scalars: &(impl Fn(Range<usize>) -> Zeroizing<Vec<F>> + Sync),
    table: &Multiples<A>,
    mut write: impl FnMut(&[A]) -> Result<(), Error>,
    done: &dyn Fn(f64),
) -> Result<(), Error> {
    let group = BLOCK * BLOCKS_PER_THREAD * current_num_threads();
    let end_of = |start: usize| range.end.min(start + group);
    let compute = |start: usize| {
        map_indices((end_of(start) - start).div_ceil(BLOCK), |index| {
            let first = start + index * BLOCK;
            let elements = scalars(first..end_of(start).min(first + BLOCK));
            let words: Vec<[u64; 4]> = elements.iter().map(F::to_canonical_limbs).collect();
            table.multiply_vartime(&Zeroizing::new(words))
        })
    };
    pipeline(range.clone().step_by(group), compute, |start, blocks| {
        for block in blocks {
            write(&block)?;
        }
        done((end_of(start) - range.start) as f64 / range.len() as f64);
        Ok(())
    })
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
    /// Secrets for a domain.
    fn random_for(domain: &Domain<F>) -> Result<Self, Error> {
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
            // Else τ lies on one of the two cosets: draw again.
            if power != F::ONE && power != shift_power {
                return Ok(secrets);
            }
        }
    }

    /// The Lagrange basis of the domain at τ.
    fn domain_basis(&self, domain: &Domain<F>) -> BasisAt<F> {
        let power = self.tau.pow_vartime(&[domain.size() as u64]);
        BasisAt {
            tau: self.tau,
            root: domain.root(),
            shift: F::ONE,
            factor: (power - F::ONE) * domain.size_inverse(), // (τ^n − 1)/n
        }
    }

    /// The scalars of section 9: for each point x_i = s·ω^i of the domain shifted by s, its Lagrange polynomial there times
    /// Z(τ)/(Z(x_i)·δ). Z is the constant sⁿ − 1 on that coset.
    fn quotient_basis(&self, domain: &Domain<F>, shift: F) -> BasisAt<F> {
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
        BasisAt {
            tau: self.tau,
            root: domain.root(),
            shift,
            factor,
        }
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
struct Columns<F: ScalarField> {
    a: Zeroizing<Vec<F>>,
    b: Zeroizing<Vec<F>>,
    c: Zeroizing<Vec<F>>,
}

impl<F: ScalarField> Columns<F> {
    fn of(&self, column: Column) -> &[F] {
        match column {
            Column::A => &self.a,
            Column::B => &self.b,
            Column::C => &self.c,
        }
    }

    fn of_mut(&mut self, column: Column) -> &mut Zeroizing<Vec<F>> {
        match column {
            Column::A => &mut self.a,
            Column::B => &mut self.b,
            Column::C => &mut self.c,
        }
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

fn header<E: PairingEngine>(
    circuit: &impl Circuit<E>,
    domain: &Domain<E::Fr>,
    secrets: &Secrets<E::Fr>,
) -> ZkeyHeader<E> {
    let in_g1 = |k: &E::Fr| E::G1::from_group(&E::G1::GENERATOR.multiply(k));
    let in_g2 = |k: &E::Fr| E::G2::from_group(&E::G2::GENERATOR.multiply(k));
    ZkeyHeader {
        n_vars: circuit.n_wires(),
        n_public: circuit.n_public(),
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

/// Scalars of one task, whose sums take 256 KB in G1 of BN254 beside a window of the table of 2 MB. Other sizes were not tried.
const BLOCK: usize = 1 << 12;
/// Tasks of a thread before what they made is written.
const BLOCKS_PER_THREAD: usize = 4;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::bn254::Fr;
    use frumious_curves::{Bn254, bls12_381};

    /// What section 9 is for: the values of a multiple P of Z on the coset, summed with it, are P(τ)/δ. With the shift of
    /// the largest domain as well, which no test can afford.
    #[test]
    fn quotient_basis_evaluates_multiples_of_z() {
        for log_n in [1, 2, 6] {
            let domain = Domain::<Fr>::new(log_n).unwrap();
            let n = domain.size();
            let secrets = Secrets::random_for(&domain).unwrap();
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
                for h in basis.values(0..n).iter() {
                    sum += p_at(x) * *h;
                    x *= domain.root();
                }
                assert_eq!(sum * secrets.delta, p_at(secrets.tau), "2^{log_n}");
            }
        }
    }

    /// In one pass and in many, by one thread and by several, flat and compact: the same as term by term.
    #[test]
    fn columns_are_sums_over_rows() {
        let n_wires = 5000;
        let mut builder = frumious_circom::R1csBuilder::new(2, 3, n_wires - 6);
        for row in 0..10_000_u64 {
            let term = |i: u64| {
                let wire = (row * 7919 + i * 104_729) % u64::from(n_wires);
                let k = Fr::from_u64(row % 5 * i);
                (wire as u32, if row % 2 == 0 { k } else { -k })
            };
            let terms: Vec<_> = (1..7).map(term).collect();
            builder.constraint(&terms[..(row % 4) as usize], &terms[1..3], &terms[4..]);
        }
        let r1cs = builder.build();
        let domain = snarkjs_domain::<Fr>(14).unwrap();
        let secrets = Secrets::random_for(&domain).unwrap();
        let lagrange = secrets.domain_basis(&domain).values(0..domain.size());
        let mut expected = [(); 3].map(|()| vec![Fr::ZERO; n_wires as usize]);
        for (constraint, l) in r1cs.constraints().zip(lagrange.iter()) {
            let matrices = [constraint.a, constraint.b, constraint.c];
            for (column, combination) in expected.iter_mut().zip(matrices) {
                for term in combination.terms() {
                    column[term.wire as usize] += *l * term.coefficient_fr();
                }
            }
        }
        for wire in 0..6 {
            expected[0][wire] += lagrange[10_000 + wire];
        }
        let [a, b, mut c] = expected;
        for wire in 0..n_wires as usize {
            c[wire] += secrets.beta * a[wire] + secrets.alpha * b[wire];
            if wire > 5 {
                c[wire] *= secrets.delta_inverse;
            }
        }
        let expected = [a, b, c];
        for threads in [1, 3] {
            frumious_parallel::with_threads(threads, || {
                check_columns(&r1cs, &secrets, &domain, &expected);
                check_columns(&r1cs.to_system(), &secrets, &domain, &expected);
            })
            .unwrap();
        }
    }

    fn check_columns(
        circuit: &impl Circuit<Bn254>,
        secrets: &Secrets<Fr>,
        domain: &Domain<Fr>,
        expected: &[Vec<Fr>; 3],
    ) {
        let blocks = circuit.blocks();
        let mut key = Key::<Bn254, _> {
            circuit,
            blocks: &*blocks,
            basis: secrets.domain_basis(domain),
            secrets,
            progress: Progress::new(None),
            wires_per_pass: Some(1),
            together: None,
        };
        let columns = [Column::A, Column::B, Column::C];
        for (column, expected) in columns.into_iter().zip(expected) {
            for range in [0..6, 6..3000, 3000..5000] {
                let values = key.evaluate(column, range.clone());
                assert_eq!(*values, expected[range], "by ranges");
            }
        }
        key.evaluate_together();
        for (column, expected) in columns.into_iter().zip(expected) {
            assert_eq!(key.together.as_ref().unwrap().of(column), expected);
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
