//! Keys from a ceremony's powers of tau.
//!
//! A prepared `.ptau` has the Lagrange basis of every domain at the secret τ, plain and times α and β, as points (sections
//! 12-15), so a column at τ is a short sum of such points. δ is 1 until the first contribution to the circuit's own phase
//! (`snarkjs zkey contribute`); until then the key is not to be used.

use super::circuit::{Circuit, RowBlocks};
use super::circuit_hash::CircuitHash;
use super::coefficients::{self, Room};
use super::columns::{Census, ColumnTerm, Columns, Matrix};
use super::output::{KeyOutput, Position};
use super::{Progress, SetupOptions, SetupPhase, SetupPlan, log_domain_size};
use crate::engine::Group;
use crate::key::check_in_ranges;
use crate::{Error, ProvingEngine};
use frumious_circom::generic::{Points, Ptau, ZkeyHeader, ZkeyWriter};
use frumious_curves::PairingEngine;
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_field::PrimeField;
use frumious_msm::{MsmPoint, msm_vartime};
use frumious_parallel::{current_num_threads, map_indices};
use std::ops::Range;

/// Writes the proving key of `circuit` under the ceremony of `ptau` to `out`, as a zkey without contributions.
///
/// Every section has the bytes that `snarkjs groth16 setup` gives it, the hash of the circuit included, so that
/// `snarkjs zkey contribute` and `zkey verify` go on from it.
/// The points used are checked (on the curve, those of G2 in the subgroup), but not that they are powers of anything: that
/// is `snarkjs powersoftau verify`.
///
/// Nothing of the key is held in memory: points are written as they are made, and read again at the end for the hash. Memory: see [`plan_ceremony`].
/// The key depends on the circuit and the powers alone, so a setup may be interrupted and go on: see [`KeyOutput`].
///
/// Errors: [`Error::CircuitTooLarge`] if the powers do not reach; [`Error::Format`] if they were not prepared for phase 2, or
/// a point is wrong, or writing fails; [`Error::TooManyCoefficients`].
pub fn setup<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    ptau: &Ptau<E>,
    out: impl KeyOutput,
) -> Result<(), Error> {
    setup_with_options(circuit, ptau, out, &SetupOptions::default())
}

/// [`setup`](crate::setup()), observed, or in little memory.
///
/// Errors: as [`setup`](crate::setup()), and [`Error::MemoryLimit`].
pub fn setup_with_options<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    ptau: &Ptau<E>,
    out: impl KeyOutput,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let progress = Progress::new(options.observer);
    let log_n = log_domain_size(circuit, ptau.power())?;
    let n_coefficients = coefficients::count(circuit)?;
    progress.begin(SetupPhase::Columns);
    let unchanged = || {
        circuit.check_unchanged()?;
        let powers = ptau.bytes().check_unchanged();
        Ok(powers.map_err(frumious_circom::Error::from)?)
    };
    let made = make(
        circuit,
        ptau,
        log_n,
        n_coefficients,
        out,
        &unchanged,
        options,
        progress,
    );
    // Of two reasons the one that explains the other.
    unchanged()?;
    made
}

/// [`setup_with_options`] for a domain that the powers reach. `unchanged` is asked before the output is told that something is whole.
#[expect(clippy::too_many_arguments)]
fn make<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    ptau: &Ptau<E>,
    log_n: u32,
    n_coefficients: u32,
    out: impl KeyOutput,
    unchanged: &dyn Fn() -> Result<(), Error>,
    options: &SetupOptions<'_>,
    progress: Progress<'_>,
) -> Result<(), Error> {
    let blocks = circuit.blocks();
    let census = Census::take(circuit, &*blocks)?;
    let room = room(circuit);
    let (_, for_columns) = plan(circuit, &census, options.max_memory)?;

    progress.begin(SetupPhase::Check);
    let start = out.start();
    let bases = match start {
        None => Bases::checked(ptau, log_n)?,
        Some(_) => Bases::new(ptau, log_n)?, // they were checked before anything was written
    };
    let header = header(circuit, ptau, log_n)?;
    let out = match start {
        None => ZkeyWriter::new(out, &header, n_coefficients)?,
        Some(at) => ZkeyWriter::resume(out, &header, n_coefficients, at.section, at.entries)?,
    };
    let mut key = Key {
        circuit,
        blocks: &*blocks,
        census: &census,
        bases,
        for_columns,
        room,
        progress,
        unchanged,
        start: start.unwrap_or(Position::FIRST),
        out,
    };
    let (n_ic, n_wires) = (circuit.n_public() as usize + 1, circuit.n_wires() as usize);
    key.section_c(SetupPhase::PointsIc, 3, 0..n_ic, |out, points| {
        out.write_ic(points)
    })?;
    key.section_4()?;
    key.section(
        SetupPhase::PointsA,
        5,
        Matrix::A,
        0..n_wires,
        Bases::tau_g1,
        |out, points| out.write_a(points),
    )?;
    key.section(
        SetupPhase::PointsB1,
        6,
        Matrix::B,
        0..n_wires,
        Bases::tau_g1,
        |out, points| out.write_b1(points),
    )?;
    key.section(
        SetupPhase::PointsB2,
        7,
        Matrix::B,
        0..n_wires,
        Bases::tau_g2,
        |out, points| out.write_b2(points),
    )?;
    key.section_c(SetupPhase::PointsC, 8, n_ic..n_wires, |out, points| {
        out.write_c(points)
    })?;
    key.section_h(ptau, log_n)?;

    progress.begin(SetupPhase::Hash);
    let mut hash = CircuitHash::<E>::new(&header);
    let mut out = key.out;
    hash.section::<E::G1, _>(&mut out, 3)?;
    hash.quotient_points(ptau, log_n)?;
    progress.within(SetupPhase::Hash, 0.3);
    hash.section::<E::G1, _>(&mut out, 8)?;
    hash.section::<E::G1, _>(&mut out, 5)?;
    hash.section::<E::G1, _>(&mut out, 6)?;
    progress.within(SetupPhase::Hash, 0.7);
    hash.section::<E::G2, _>(&mut out, 7)?;
    out.finish(&hash.finish())?;
    Ok(())
}

/// The memory and the passes of [`setup`](crate::setup()) with at most `max_memory` bytes, for the threads there are. Reads the circuit once.
///
/// Without a limit: 8 bytes for each term of A, B and C and 24 a wire, some 200 for each distinct coefficient, and some megabytes a thread. With less, sections are made for
/// ranges of wires, as long as their terms fit.
///
/// Errors: [`Error::MemoryLimit`] if the terms of a thousand wires do not fit, or if there were more than 64 passes a section; as [`setup`](crate::setup()).
pub fn plan_ceremony<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    max_memory: Option<u64>,
) -> Result<SetupPlan, Error> {
    let census = Census::take(circuit, &*circuit.blocks())?;
    Ok(plan(circuit, &census, max_memory)?.0)
}

/// What of section 4 is in work.
fn room<E: ProvingEngine>(circuit: &impl Circuit<E>) -> Room {
    Room::new(circuit, current_num_threads(), 1 << 14)
}

/// The plan, and the memory that columns may take.
fn plan<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    census: &Census,
    max_memory: Option<u64>,
) -> Result<(SetupPlan, u64), Error> {
    let in_flight = current_num_threads() * BATCHES_PER_THREAD * WIRES_PER_TASK;
    // Projective points, affine ones, and what a sum over many terms has in work.
    let buffers = (in_flight * 5 * <E::G2 as PairingGroup>::BYTES) as u64 + (8 << 20);
    let fixed = census.bytes() + buffers + room(circuit).bytes();
    let all = [Matrix::A, Matrix::B, Matrix::C];
    let n_wires = circuit.n_wires() as usize;
    let needed_for = |limit| {
        let ranges = census.ranges(&all, n_wires, limit);
        (census.largest(&all, &ranges), ranges.len() as u64)
    };
    let available = max_memory.map_or(u64::MAX, |limit| limit.saturating_sub(fixed));
    let (columns, ranges) = needed_for(available);
    if columns > available || ranges > MOST_RANGES {
        let limit = max_memory.expect("without a limit there is one range");
        let (everything, _) = needed_for(u64::MAX);
        let needed = fixed + columns.max(2 * everything.div_ceil(MOST_RANGES));
        return Err(Error::MemoryLimit { needed, limit });
    }
    let plan = SetupPlan {
        memory: fixed + columns,
        passes: 1 + 2 * 10 * ranges,
    };
    Ok((plan, available))
}

/// A key that is being made.
struct Key<'a, E: ProvingEngine, C, W: KeyOutput> {
    circuit: &'a C,
    blocks: &'a dyn RowBlocks,
    census: &'a Census,
    bases: Bases<'a, E>,
    /// Memory that columns may take.
    for_columns: u64,
    room: Room,
    progress: Progress<'a>,
    /// Fails once a file that the key is made from is not what it was.
    unchanged: &'a dyn Fn() -> Result<(), Error>,
    /// Where an interrupted setup goes on.
    start: Position,
    out: ZkeyWriter<E, W>,
}

impl<'a, E: ProvingEngine, C: Circuit<E>, W: KeyOutput> Key<'a, E, C, W> {
    /// A section of sums over the columns of one matrix.
    fn section<A: CeremonyPoint>(
        &mut self,
        phase: SetupPhase,
        number: u32,
        matrix: Matrix,
        wires: Range<usize>,
        basis: impl Fn(&Bases<'a, E>) -> Points<'a, A>,
        write: impl Fn(&mut ZkeyWriter<E, W>, &[A]) -> Result<(), frumious_circom::Error>,
    ) -> Result<(), Error> {
        let basis = basis(&self.bases);
        let coefficients = &self.census.coefficients;
        self.ranges(phase, number, &[matrix], wires, write, |columns, wire| {
            combine_vartime(columns[0].of(wire), coefficients, |row| {
                basis.get_unchecked_encoding(row)
            })
        })
    }

    /// A section of sums over the columns of all three: IC or C.
    fn section_c(
        &mut self,
        phase: SetupPhase,
        number: u32,
        wires: Range<usize>,
        write: impl Fn(&mut ZkeyWriter<E, W>, &[E::G1]) -> Result<(), frumious_circom::Error>,
    ) -> Result<(), Error> {
        let Bases {
            tau_g1,
            alpha_tau_g1,
            beta_tau_g1,
            ..
        } = self.bases;
        let coefficients = &self.census.coefficients;
        let matrices = [Matrix::A, Matrix::B, Matrix::C];
        self.ranges(phase, number, &matrices, wires, write, |columns, wire| {
            let sum = |matrix: usize, basis: Points<'_, E::G1>| {
                combine_vartime(columns[matrix].of(wire), coefficients, |row| {
                    basis.get_unchecked_encoding(row)
                })
            };
            sum(0, beta_tau_g1) + sum(1, alpha_tau_g1) + sum(2, tau_g1)
        })
    }

    /// Points for a range of wires, as many columns at a time as there is room for, from where the section goes on.
    fn ranges<A: CeremonyPoint>(
        &mut self,
        phase: SetupPhase,
        number: u32,
        matrices: &[Matrix],
        wires: Range<usize>,
        write: impl Fn(&mut ZkeyWriter<E, W>, &[A]) -> Result<(), frumious_circom::Error>,
        point: impl Fn(&[Columns], usize) -> Group<A> + Send + Sync,
    ) -> Result<(), Error> {
        self.progress.begin(phase);
        let first = wires.start + self.start.entries_before(number, wires.len());
        let n_wires = self.circuit.n_wires() as usize;
        for range in self.census.ranges(matrices, n_wires, self.for_columns) {
            let range = range.start.max(first)..range.end.min(wires.end);
            if range.is_empty() {
                continue;
            }
            let columns: Vec<Columns> = matrices
                .iter()
                .map(|matrix| {
                    let (circuit, blocks) = (self.circuit, self.blocks);
                    Columns::new(circuit, blocks, self.census, *matrix, range.clone())
                })
                .collect();
            let group = current_num_threads() * BATCHES_PER_THREAD * WIRES_PER_TASK;
            for start in range.clone().step_by(group) {
                let end = range.end.min(start + group);
                for points in map_wires(start..end, |wire| point(&columns, wire)) {
                    write(&mut self.out, &points)?;
                }
                let done = end - wires.start;
                (self.unchanged)()?;
                checkpoint(&mut self.out, number, done as u64)?;
                self.progress
                    .within(phase, done as f64 / wires.len().max(1) as f64);
            }
        }
        Ok(())
    }

    fn section_4(&mut self) -> Result<(), Error> {
        coefficients::write(
            self.circuit,
            self.blocks,
            &mut self.out,
            self.room,
            self.start,
            |out, entries| {
                (self.unchanged)()?;
                checkpoint(out, 4, entries)
            },
            self.progress,
        )
    }

    /// Section 9: the basis of the doubled domain at its odd points. At the largest domain, which cannot be doubled, the
    /// second half of the block after the last is the basis of the domain shifted by 25.
    fn section_h(&mut self, ptau: &Ptau<E>, log_n: u32) -> Result<(), Error> {
        self.progress.begin(SetupPhase::PointsH);
        let doubled = ptau.lagrange_tau_g1(log_n + 1)?;
        let n = 1_usize << log_n;
        let source = |i: usize| match log_n < E::Fr::TWO_ADICITY {
            true => 2 * i + 1,
            false => n + i,
        };
        let group = BATCH * BATCHES_PER_THREAD * current_num_threads();
        for start in (self.start.entries_before(9, n)..n).step_by(group) {
            let end = n.min(start + group);
            let batches = map_indices((end - start).div_ceil(BATCH), |index| {
                let first = start + index * BATCH;
                (first..end.min(first + BATCH))
                    .map(|i| doubled.get(source(i)))
                    .collect::<Result<Vec<E::G1>, _>>()
            });
            for points in batches {
                self.out.write_h(&points?)?;
            }
            (self.unchanged)()?;
            checkpoint(&mut self.out, 9, end as u64)?;
            self.progress
                .within(SetupPhase::PointsH, end as f64 / n as f64);
        }
        Ok(())
    }
}

/// Tells the output that it has so many entries of a section.
fn checkpoint<E: PairingEngine, W: KeyOutput>(
    out: &mut ZkeyWriter<E, W>,
    section: u32,
    entries: u64,
) -> Result<(), Error> {
    let told = out.output().checkpoint(Position { section, entries });
    told.map_err(|source| frumious_circom::Error::Write {
        file: frumious_circom::FileKind::Zkey,
        source,
    })?;
    Ok(())
}

/// The Lagrange bases of one domain at τ.
#[derive(Clone, Copy)]
struct Bases<'a, E: PairingEngine> {
    tau_g1: Points<'a, E::G1>,
    tau_g2: Points<'a, E::G2>,
    alpha_tau_g1: Points<'a, E::G1>,
    beta_tau_g1: Points<'a, E::G1>,
}

impl<'a, E: PairingEngine> Bases<'a, E> {
    fn new(ptau: &'a Ptau<E>, log_n: u32) -> Result<Self, Error> {
        Ok(Self {
            tau_g1: ptau.lagrange_tau_g1(log_n)?,
            tau_g2: ptau.lagrange_tau_g2(log_n)?,
            alpha_tau_g1: ptau.lagrange_alpha_tau_g1(log_n)?,
            beta_tau_g1: ptau.lagrange_beta_tau_g1(log_n)?,
        })
    }

    fn tau_g1(&self) -> Points<'a, E::G1> {
        self.tau_g1
    }

    fn tau_g2(&self) -> Points<'a, E::G2> {
        self.tau_g2
    }

    /// All points checked to be in their groups, in parallel.
    fn checked(ptau: &'a Ptau<E>, log_n: u32) -> Result<Self, Error> {
        let bases = Self::new(ptau, log_n)?;
        for points in [bases.tau_g1, bases.alpha_tau_g1, bases.beta_tau_g1] {
            check_in_ranges(points.len(), |range| points.check(range))?;
        }
        check_in_ranges(bases.tau_g2.len(), |range| bases.tau_g2.check(range))?;
        Ok(bases)
    }
}

fn header<E: PairingEngine>(
    circuit: &impl Circuit<E>,
    ptau: &Ptau<E>,
    log_n: u32,
) -> Result<ZkeyHeader<E>, Error> {
    Ok(ZkeyHeader {
        n_vars: circuit.n_wires(),
        n_public: circuit.n_public(),
        domain_size: 1 << log_n,
        alpha_g1: ptau.alpha_tau_g1().get(0)?,
        beta_g1: ptau.beta_tau_g1().get(0)?,
        beta_g2: ptau.beta_g2()?,
        gamma_g2: E::G2::GENERATOR,
        delta_g1: E::G1::GENERATOR,
        delta_g2: E::G2::GENERATOR,
    })
}

/// The points `f(wire)` of some wires, in parallel, brought to affine form in batches, in which they are given.
fn map_wires<A: CeremonyPoint>(
    wires: Range<usize>,
    f: impl Fn(usize) -> Group<A> + Send + Sync,
) -> Vec<Vec<A>> {
    map_indices(wires.len().div_ceil(WIRES_PER_TASK), |task| {
        let start = wires.start + task * WIRES_PER_TASK;
        let end = wires.end.min(start + WIRES_PER_TASK);
        let points: Vec<Group<A>> = (start..end).map(&f).collect();
        A::from_groups_vartime(&points)
    })
}

/// `Σ coefficient·base(row)` over the terms. In real circuits a coefficient is often 1, −1 or small, of either sign; the
/// constant's column can be as long as the circuit.
fn combine_vartime<A: CeremonyPoint>(
    terms: &[ColumnTerm],
    coefficients: &[[u64; 4]],
    base: impl Fn(usize) -> A,
) -> Group<A> {
    let mut sum = <A as MsmPoint>::IDENTITY;
    let mut points = Vec::new();
    let mut factors = Vec::new();
    for term in terms {
        let (point, factor) = with_small_factor(
            base(term.row as usize),
            &coefficients[term.coefficient as usize],
        );
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
/// Tasks of a thread before what they made is written.
const BATCHES_PER_THREAD: usize = 32;
/// With more ranges of wires most of the time would go into passes over the rows.
const MOST_RANGES: u64 = 64;
/// From here on a sum with shared doublings beats one product with half as many (by the endomorphism) for each term.
const TERMS_FOR_MSM: usize = 3;
/// Points of section 9 of one task.
const BATCH: usize = 1 << 9;

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
        let pool: Vec<[u64; 4]> = coefficients.iter().map(Fr::to_canonical_limbs).collect();
        for count in 0..=3 * pool.len() {
            // a stride, so that runs of a few terms differ in kind
            let terms: Vec<ColumnTerm> = (0..count)
                .map(|i| ColumnTerm {
                    row: i as u32,
                    coefficient: (i * 5 % pool.len()) as u32,
                })
                .collect();
            let scalar = terms.iter().fold(Fr::ZERO, |sum, term| {
                sum + coefficients[term.coefficient as usize]
                    * Fr::from_u64(u64::from(term.row) * 7 + 1)
            });
            let expected = G1Projective::GENERATOR.mul(&scalar);
            assert_eq!(
                combine_vartime(&terms, &pool, base),
                expected,
                "{count} terms"
            );
        }
    }
}
