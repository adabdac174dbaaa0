//! A proving key in vectors: what a setup in memory makes, and a prover reads, without any file.

use super::{
    Entries, Footprint, KeyHeader, KeySink, KeySource, Part, PointWindow, Position, RowBatch,
    RowWindow, RowWindowVisitor,
};
use crate::{Coefficient, ProvingEngine};
use frumious_msm::PointList;
use frumious_r1cs::SourceError;
use std::ops::Range;

/// A proving key in memory. [`new`](Self::new) is empty, to be filled by a setup.
#[derive(Clone, Debug)]
pub struct KeyVectors<E: ProvingEngine> {
    header: Option<KeyHeader<E>>,
    ic: Vec<E::G1>,
    a: Vec<E::G1>,
    b1: Vec<E::G1>,
    b2: Vec<E::G2>,
    c: Vec<E::G1>,
    h: Vec<E::G1>,
    /// By row.
    coefficients: Vec<Coefficient<E::Fr>>,
}

impl<E: ProvingEngine> KeyVectors<E> {
    /// An empty key.
    pub fn new() -> Self {
        Self {
            header: None,
            ic: Vec::new(),
            a: Vec::new(),
            b1: Vec::new(),
            b2: Vec::new(),
            c: Vec::new(),
            h: Vec::new(),
            coefficients: Vec::new(),
        }
    }

    fn part(&self, part: Part) -> &Vec<E::G1> {
        match part {
            Part::Ic => &self.ic,
            Part::A => &self.a,
            Part::B1 => &self.b1,
            Part::C => &self.c,
            Part::H => &self.h,
            Part::Coefficients | Part::B2 => unreachable!("no points of G1"),
        }
    }

    fn read(&self, rows: Range<usize>, batch: &mut RowBatch<'_, E::Fr>) {
        let first_of = |row: usize| {
            let before = |coefficient: &Coefficient<_>| (coefficient.row as usize) < row;
            self.coefficients.partition_point(before)
        };
        for coefficient in &self.coefficients[first_of(rows.start)..first_of(rows.end)] {
            batch.push(coefficient);
        }
    }
}

impl<E: ProvingEngine> Default for KeyVectors<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: ProvingEngine> KeySource<E> for KeyVectors<E> {
    fn header(&self) -> &KeyHeader<E> {
        self.header
            .as_ref()
            .expect("these KeyVectors are empty: a setup fills them")
    }

    fn g1(
        &self,
        part: Part,
        visit: &mut dyn FnMut(PointWindow<'_, E::G1>),
    ) -> Result<(), SourceError> {
        whole(self.part(part), visit);
        Ok(())
    }

    fn b2(&self, visit: &mut dyn FnMut(PointWindow<'_, E::G2>)) {
        whole(&self.b2, visit);
    }

    fn rows(&self, visit: &mut RowWindowVisitor<'_, E::Fr>) -> Result<(), SourceError> {
        visit(RowWindow {
            rows: 0..self.header().domain_size as usize,
            read: &|rows, batch| {
                self.read(rows, batch);
                Ok(())
            },
        })
    }

    fn footprint(&self) -> Footprint {
        let in_g1 = [&self.ic, &self.a, &self.b1, &self.c, &self.h].map(Vec::len);
        let points =
            in_g1.iter().sum::<usize>() * size_of::<E::G1>() + self.b2.len() * size_of::<E::G2>();
        let coefficients = self.coefficients.len() * size_of::<Coefficient<E::Fr>>();
        Footprint {
            private: (points + coefficients) as u64,
            mapped: 0,
            window_points: in_g1.into_iter().max().unwrap_or(0) as u64,
            leaves_out_entries: false,
            in_one_window: true,
        }
    }
}

fn whole<A>(points: &[A], visit: &mut dyn FnMut(PointWindow<'_, A>)) {
    visit(PointWindow {
        points: PointList::Slice(points),
        entries: Entries::All(0..points.len()),
        is_last: true,
    });
}

impl<E: ProvingEngine> KeySink<E> for KeyVectors<E> {
    fn begin(
        &mut self,
        header: &KeyHeader<E>,
        n_coefficients: u32,
    ) -> Result<Position, SourceError> {
        *self = Self::new();
        self.header = Some(*header);
        self.coefficients.reserve_exact(n_coefficients as usize);
        Ok(Position::START)
    }

    fn g1(&mut self, part: Part, points: &[E::G1]) -> Result<(), SourceError> {
        let vector = match part {
            Part::Ic => &mut self.ic,
            Part::A => &mut self.a,
            Part::B1 => &mut self.b1,
            Part::C => &mut self.c,
            Part::H => &mut self.h,
            Part::Coefficients | Part::B2 => unreachable!("no points of G1"),
        };
        vector.extend_from_slice(points);
        Ok(())
    }

    fn b2(&mut self, points: &[E::G2]) -> Result<(), SourceError> {
        self.b2.extend_from_slice(points);
        Ok(())
    }

    fn coefficients(&mut self, coefficients: &[Coefficient<E::Fr>]) -> Result<(), SourceError> {
        self.coefficients.extend_from_slice(coefficients);
        Ok(())
    }
}
