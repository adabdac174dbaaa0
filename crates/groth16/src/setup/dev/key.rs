//! The points of a key by their wires, section by section.

use super::super::lagrange::BasisAt;
use super::super::{Progress, SetupPhase, checkpoint, coefficients};
use super::columns::{self, Target};
use super::multiples::{Groups, write_multiples};
use super::plan::Plan;
use super::products::Products;
use super::secrets::Secrets;
use crate::domain::coset_shift;
use crate::{Error, KeySink, Part, Position, ProvingEngine};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::Field;
use frumious_msm::{EncodedPoint, Multiples};
use frumious_parallel::{filled, for_each_chunk_mut};
use frumious_r1cs::SourceError;
use frumious_r1cs::{ConstraintBlocks, ConstraintSource};
use std::ops::Range;
use zeroize::Zeroizing;

/// A key that is being made.
pub(super) struct Key<'a, E: ProvingEngine> {
    pub(super) circuit: &'a dyn ConstraintSource<E::Fr>,
    pub(super) blocks: &'a dyn ConstraintBlocks<E::Fr>,
    /// The Lagrange basis of the domain at τ.
    pub(super) basis: BasisAt<E::Fr>,
    pub(super) secrets: &'a Secrets<E::Fr>,
    pub(super) progress: Progress<'a>,
    pub(super) plan: Plan,
    /// The columns for all wires, if there is room for them.
    pub(super) together: Option<Columns<E::Fr>>,
    /// Memory of a column, to be used again.
    pub(super) column: Zeroizing<Vec<E::Fr>>,
    /// For passes over the rows.
    pub(super) work: Vec<Products<E::Fr>>,
    /// Where an interrupted setup goes on.
    pub(super) start: Position,
    pub(super) out: &'a mut dyn KeySink<E>,
}

/// Which elements: A_s(τ), B_s(τ), or those of IC and C.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    A,
    B,
    C,
}

impl<E: ProvingEngine> Key<'_, E> {
    /// Writes all sections of points and coefficients from where it goes on.
    pub(super) fn write(mut self, domain: &Domain<E::Fr>) -> Result<(), Error> {
        let n_ic = self.circuit.n_public() as usize + 1;
        let n_wires = self.circuit.n_wires() as usize;
        if self.plan.wires_per_pass.is_none() {
            self.evaluate_together();
        }
        let [g1_width, g2_width] = self.plan.widths;
        let group = self.plan.work.group;
        let n_longest = n_wires.max(domain.size());
        let g1 = Multiples::new_vartime(&E::G1::GENERATOR, g1_width);
        let g1 = (&g1, &Groups::new(group, n_longest));
        let ic = (SetupPhase::PointsIc, Part::Ic, Column::C);
        self.part(ic, 0..n_ic, g1, put_g1)?;
        self.coefficients()?;
        let a = (SetupPhase::PointsA, Part::A, Column::A);
        self.part(a, 0..n_wires, g1, put_g1)?;
        self.forget(Column::A);
        let b1 = (SetupPhase::PointsB1, Part::B1, Column::B);
        self.part(b1, 0..n_wires, g1, put_g1)?;
        let b2 = (SetupPhase::PointsB2, Part::B2, Column::B);
        if self.start.entries_before(Part::B2, n_wires) < n_wires {
            let g2 = Multiples::new_vartime(&E::G2::GENERATOR, g2_width);
            let g2 = (&g2, &Groups::new(group, n_wires));
            self.part(b2, 0..n_wires, g2, |out, _, points| out.b2(points))?;
        } else {
            self.progress.begin(SetupPhase::PointsB2);
        }
        self.forget(Column::B);
        let c = (SetupPhase::PointsC, Part::C, Column::C);
        self.part(c, n_ic..n_wires, g1, put_g1)?;
        self.forget(Column::C);
        self.part_h(domain, g1)
    }

    /// All three columns in one pass.
    pub(super) fn evaluate_together(&mut self) {
        let target = |column| {
            Some(Target {
                column,
                weight: None,
            })
        };
        let n_wires = self.circuit.n_wires() as usize;
        let done = |fraction| self.progress.within(SetupPhase::Columns, fraction);
        let mut columns = [(); 3].map(|()| Zeroizing::new(filled(E::Fr::ZERO, n_wires)));
        columns::evaluate(
            self.circuit,
            self.blocks,
            &self.basis,
            0..n_wires,
            [0, 1, 2].map(target),
            &mut columns,
            &mut self.work,
            &done,
        );
        self.work = Vec::new();
        let [a, b, c] = columns;
        let mut columns = Columns { a, b, c };
        columns.combine_into_c(self.circuit.n_public() as usize + 1, self.secrets);
        self.together = Some(columns);
    }

    /// One column for some wires, those of IC or those of C but not of both, in a pass of its own.
    pub(super) fn evaluate(
        &mut self,
        column: Column,
        wires: Range<usize>,
    ) -> Zeroizing<Vec<E::Fr>> {
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
        // In memory that is used again, which the first pass takes for the longest.
        let mut column = std::mem::take(&mut self.column);
        let longest = self.plan.wires_per_pass.unwrap_or(0).max(wires.len());
        if column.capacity() < wires.len() {
            column = Zeroizing::new(Vec::with_capacity(longest));
        }
        column.clear();
        column.resize(wires.len(), E::Fr::ZERO);
        let mut columns = [column];
        columns::evaluate(
            self.circuit,
            self.blocks,
            &self.basis,
            wires,
            targets,
            &mut columns,
            &mut self.work,
            &|_| (),
        );
        let [column] = columns;
        column
    }

    /// Writes the multiples by a column, in order, from where the section goes on.
    fn part<A: EncodedPoint<Scalar = E::Fr>>(
        &mut self,
        (phase, part, column): (SetupPhase, Part, Column),
        wires: Range<usize>,
        (table, groups): (&Multiples<A>, &Groups<A>),
        write: impl Fn(&mut dyn KeySink<E>, Part, &[A]) -> Result<(), SourceError>,
    ) -> Result<(), Error> {
        let (circuit, progress) = (self.circuit, self.progress);
        progress.begin(phase);
        let first = wires.start + self.start.entries_before(part, wires.len());
        let step = self.plan.wires_per_pass.unwrap_or(wires.len().max(1));
        let write = |out: &mut dyn KeySink<E>, points: &[A], end: usize| {
            write(out, part, points).map_err(Error::Source)?;
            let done = end - wires.start;
            progress.within(phase, done as f64 / wires.len() as f64);
            checkpoint(circuit, out, part, done as u64)
        };
        for start in (first..wires.end).step_by(step) {
            let pass = start..wires.end.min(start + step);
            let alone = match &self.together {
                Some(_) => Zeroizing::new(Vec::new()),
                None => self.evaluate(column, pass.clone()),
            };
            let (values, before) = match &self.together {
                Some(columns) => (columns.of(column), 0),
                None => (&alone[..], start),
            };
            let scalars = |range: Range<usize>| {
                Zeroizing::new(values[range.start - before..range.end - before].to_vec())
            };
            write_multiples(pass, &scalars, table, groups, self.out, write)?;
            if alone.capacity() > 0 {
                self.column = alone;
            }
        }
        Ok(())
    }

    fn coefficients(&mut self) -> Result<(), Error> {
        let circuit = self.circuit;
        coefficients::write(
            circuit,
            self.blocks,
            self.out,
            self.plan.work.coefficients,
            self.start,
            |out, entries| checkpoint(circuit, out, Part::Coefficients, entries),
            self.progress,
        )
    }

    fn part_h(
        &mut self,
        domain: &Domain<E::Fr>,
        (table, groups): (&Multiples<E::G1>, &Groups<E::G1>),
    ) -> Result<(), Error> {
        let (circuit, progress) = (self.circuit, self.progress);
        progress.begin(SetupPhase::PointsH);
        let shift = coset_shift(domain.log_size());
        let h = self.secrets.quotient_basis(domain, shift);
        let scalars = |range| h.values(range);
        let n = domain.size();
        let write = |out: &mut dyn KeySink<E>, points: &[E::G1], end: usize| {
            out.g1(Part::H, points).map_err(Error::Source)?;
            progress.within(SetupPhase::PointsH, end as f64 / n as f64);
            checkpoint(circuit, out, Part::H, end as u64)
        };
        let range = self.start.entries_before(Part::H, n)..n;
        write_multiples(range, &scalars, table, groups, self.out, write)
    }

    /// Frees a column that is not needed again.
    fn forget(&mut self, column: Column) {
        if let Some(columns) = &mut self.together {
            *columns.of_mut(column) = Zeroizing::new(Vec::new());
        }
    }
}

/// More points of a part in G1.
fn put_g1<E: ProvingEngine>(
    out: &mut dyn KeySink<E>,
    part: Part,
    points: &[E::G1],
) -> Result<(), SourceError> {
    out.g1(part, points)
}

/// The matrices' columns at τ: one element for each wire.
pub(super) struct Columns<F: ScalarField> {
    a: Zeroizing<Vec<F>>,
    b: Zeroizing<Vec<F>>,
    c: Zeroizing<Vec<F>>,
}

impl<F: ScalarField> Columns<F> {
    pub(super) fn of(&self, column: Column) -> &[F] {
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

const CHUNK: usize = 1 << 12;
