//! The parts of a key, made of the powers, range of wires by range.

use super::Powers;
use super::combine::{CeremonyPoint, combine_vartime};
use crate::engine::Projective;
use crate::setup::coefficients::{self, Room};
use crate::setup::columns::{Census, ColumnMatrix, Columns};
use crate::setup::{Progress, SetupPhase, checkpoint};
use crate::{Error, KeySink, Part, Position, ProvingEngine};
use frumious_msm::PointList;
use frumious_parallel::{current_num_threads, map_indices};
use frumious_r1cs::{ConstraintBlocks, ConstraintSource, SourceError};
use std::ops::Range;

/// A key that is being made.
pub(super) struct Parts<'a, E: ProvingEngine> {
    pub(super) circuit: &'a dyn ConstraintSource<E::Fr>,
    pub(super) blocks: &'a dyn ConstraintBlocks<E::Fr>,
    pub(super) census: &'a Census,
    pub(super) powers: &'a Powers<'a, E>,
    /// Memory that columns may take.
    pub(super) for_columns: u64,
    /// The columns of all wires in all matrices, once a part has needed them, if there is memory for all of them.
    pub(super) kept: Option<Vec<Columns>>,
    pub(super) room: Room,
    pub(super) progress: Progress<'a>,
    /// Where an interrupted setup goes on.
    pub(super) start: Position,
    pub(super) sink: &'a mut dyn KeySink<E>,
}

impl<E: ProvingEngine> Parts<'_, E> {
    /// Writes all parts from where the sink goes on.
    pub(super) fn write(mut self) -> Result<(), Error> {
        let (n_ic, n_wires) = (
            self.circuit.n_public() as usize + 1,
            self.circuit.n_wires() as usize,
        );
        self.combined(SetupPhase::PointsIc, Part::Ic, 0..n_ic)?;
        self.coefficients()?;
        let (g1, g2) = (self.powers.tau_g1, self.powers.tau_g2);
        let in_g1 = |sink: &mut dyn KeySink<E>, part, points: &[E::G1]| sink.g1(part, points);
        let (a, b) = (ColumnMatrix::A, ColumnMatrix::B);
        self.columns((SetupPhase::PointsA, Part::A, a), 0..n_wires, g1, in_g1)?;
        self.columns((SetupPhase::PointsB1, Part::B1, b), 0..n_wires, g1, in_g1)?;
        let in_g2 = |sink: &mut dyn KeySink<E>, _, points: &[E::G2]| sink.b2(points);
        self.columns((SetupPhase::PointsB2, Part::B2, b), 0..n_wires, g2, in_g2)?;
        self.combined(SetupPhase::PointsC, Part::C, n_ic..n_wires)?;
        self.h()
    }

    /// A part of sums over the columns of one matrix.
    fn columns<A: CeremonyPoint>(
        &mut self,
        (phase, part, matrix): (SetupPhase, Part, ColumnMatrix),
        wires: Range<usize>,
        basis: PointList<'_, A>,
        write: impl Fn(&mut dyn KeySink<E>, Part, &[A]) -> Result<(), SourceError>,
    ) -> Result<(), Error> {
        let coefficients = &self.census.coefficients;
        self.ranges((phase, part), &[matrix], wires, write, |columns, wire| {
            let terms = columns[0].of(wire);
            combine_vartime(None, terms, coefficients, |row| basis.get(row)).unwrap_or_default()
        })
    }

    /// A part of sums over the columns of all three matrices: IC or C.
    fn combined(
        &mut self,
        phase: SetupPhase,
        part: Part,
        wires: Range<usize>,
    ) -> Result<(), Error> {
        let bases = [
            self.powers.beta_tau_g1,
            self.powers.alpha_tau_g1,
            self.powers.tau_g1,
        ];
        let coefficients = &self.census.coefficients;
        let matrices = ColumnMatrix::ALL;
        let write = |sink: &mut dyn KeySink<E>, part, points: &[E::G1]| sink.g1(part, points);
        self.ranges((phase, part), &matrices, wires, write, |columns, wire| {
            let sum = columns
                .iter()
                .zip(bases)
                .fold(None, |sum, (columns, basis)| {
                    combine_vartime(sum, columns.of(wire), coefficients, |row| basis.get(row))
                });
            sum.unwrap_or_default()
        })
    }

    /// Points for a range of wires, as many columns at a time as there is room for, from where the part goes on.
    fn ranges<A: CeremonyPoint>(
        &mut self,
        (phase, part): (SetupPhase, Part),
        matrices: &[ColumnMatrix],
        wires: Range<usize>,
        write: impl Fn(&mut dyn KeySink<E>, Part, &[A]) -> Result<(), SourceError>,
        point: impl Fn(&[&Columns], usize) -> Projective<A> + Send + Sync,
    ) -> Result<(), Error> {
        self.progress.begin(phase);
        let first = wires.start + self.start.entries_before(part, wires.len());
        let n_wires = self.circuit.n_wires() as usize;
        let (circuit, blocks, census) = (self.circuit, self.blocks, self.census);
        let keeps = census.fits(&ColumnMatrix::ALL, self.for_columns);
        for range in census.ranges(matrices, n_wires, self.for_columns) {
            let range = range.start.max(first)..range.end.min(wires.end);
            if range.is_empty() {
                continue;
            }
            let made;
            let columns: Vec<&Columns> = if keeps {
                let all = || {
                    Columns::of_matrices(circuit, blocks, census, &ColumnMatrix::ALL, 0..n_wires)
                };
                let kept = self.kept.get_or_insert_with(all);
                matrices
                    .iter()
                    .map(|matrix| &kept[*matrix as usize])
                    .collect()
            } else {
                made = Columns::of_matrices(circuit, blocks, census, matrices, range.clone());
                made.iter().collect()
            };
            let group = current_num_threads() * BATCHES_PER_THREAD * WIRES_PER_TASK;
            for start in range.clone().step_by(group) {
                let end = range.end.min(start + group);
                for points in map_wires(start..end, |wire| point(&columns, wire)) {
                    write(self.sink, part, &points).map_err(Error::Source)?;
                }
                let done = end - wires.start;
                checkpoint(self.circuit, self.sink, part, done as u64)?;
                let fraction = done as f64 / wires.len().max(1) as f64;
                self.progress.within(phase, fraction);
            }
        }
        Ok(())
    }

    fn coefficients(&mut self) -> Result<(), Error> {
        let circuit = self.circuit;
        coefficients::write(
            circuit,
            self.blocks,
            self.sink,
            self.room,
            self.start,
            |sink, entries| checkpoint(circuit, sink, Part::Coefficients, entries),
            self.progress,
        )
    }

    /// Part H: points of the ceremony as they are.
    fn h(&mut self) -> Result<(), Error> {
        self.progress.begin(SetupPhase::PointsH);
        self.kept = None;
        let n = self.powers.tau_g1.len();
        let group = current_num_threads() * BATCHES_PER_THREAD * H_PER_BATCH;
        for start in (self.start.entries_before(Part::H, n)..n).step_by(group) {
            let end = n.min(start + group);
            let points: Vec<E::G1> = (start..end).map(|i| self.powers.h(i)).collect();
            self.sink.g1(Part::H, &points).map_err(Error::Source)?;
            checkpoint(self.circuit, self.sink, Part::H, end as u64)?;
            let fraction = end as f64 / n as f64;
            self.progress.within(SetupPhase::PointsH, fraction);
        }
        Ok(())
    }
}

/// The points `f(wire)` of some wires, in parallel, brought to affine form in batches, in which they are given.
fn map_wires<A: CeremonyPoint>(
    wires: Range<usize>,
    f: impl Fn(usize) -> Projective<A> + Send + Sync,
) -> Vec<Vec<A>> {
    map_indices(wires.len().div_ceil(WIRES_PER_TASK), |task| {
        let start = wires.start + task * WIRES_PER_TASK;
        let end = wires.end.min(start + WIRES_PER_TASK);
        let points: Vec<Projective<A>> = (start..end).map(&f).collect();
        A::normalise_vartime(&points)
    })
}

pub(super) const WIRES_PER_TASK: usize = 1 << 7;
/// Tasks of a thread before their points are written.
pub(super) const BATCHES_PER_THREAD: usize = 32;
/// Points of part H that count as a task.
const H_PER_BATCH: usize = 1 << 9;
