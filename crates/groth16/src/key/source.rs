//! `KeySource`: a proving key's points and coefficients, wherever they are.
//!
//! A source hands out its parts a window at a time. It has the next window read ahead, and gives up the last one. So a
//! proof needs few of a large key's pages at once. Within a window coefficients come in batches, so that the loop over
//! rows makes no call for each of them.

use super::{KeyHeader, Part};
use crate::{Coefficient, Matrix, ProvingEngine};
use frumious_curves::engine::ScalarField;
use frumious_field::vector::IntegerProducts;
use frumious_msm::PointList;
use frumious_r1cs::SourceError;
use std::ops::Range;

/// A proving key to read.
///
/// Whoever makes a source has checked that each coordinate is below the modulus, and each coefficient's row, wire and
/// value within bounds. That points lie on their curves need not be checked: a proof made of others is not returned.
pub trait KeySource<E: ProvingEngine>: Send + Sync {
    /// Counts, and the points that every proof uses.
    fn header(&self) -> &KeyHeader<E>;

    /// Calls `visit` for the points of a part in G1, window by window, in the order of their entries.
    ///
    /// # Errors
    /// Of part B1, which hardly any proof asks for: the coordinates of a source that did not check them when it was
    /// made.
    ///
    /// # Panics
    /// For a part that is not in G1.
    fn g1(
        &self,
        part: Part,
        visit: &mut dyn FnMut(PointWindow<'_, E::G1>),
    ) -> Result<(), SourceError>;

    /// Calls `visit` for the points of B2, as [`g1`](Self::g1).
    fn b2(&self, visit: &mut dyn FnMut(PointWindow<'_, E::G2>));

    /// Calls `visit` for windows of rows that make up the domain, in order, until one fails.
    ///
    /// # Errors
    /// Those of `visit`, and of a source that changed while it was read.
    fn rows(&self, visit: &mut RowWindowVisitor<'_, E::Fr>) -> Result<(), SourceError>;

    /// Has the first window of a part read ahead: it is wanted soon.
    fn expect(&self, _part: Part) {}

    /// Notices that the key changed since the source was made.
    ///
    /// # Errors
    /// The source's own, which names the file.
    fn check_unchanged(&self) -> Result<(), SourceError> {
        Ok(())
    }

    /// Compares the key with its digests, if it has any. Reads all of it.
    ///
    /// # Errors
    /// The source's own, which names the place.
    fn check_digests(&self) -> Result<(), SourceError> {
        Ok(())
    }

    /// Memory that reading the key takes on the pool of the caller, whose threads may decide on the size of windows.
    fn footprint(&self) -> Footprint;
}

/// Points of some entries of a part; entries at infinity may be left out.
pub struct PointWindow<'a, A> {
    /// The points.
    pub points: PointList<'a, A>,
    /// The entries that they belong to: as many, rising.
    pub entries: Entries<'a>,
    /// True if no other window of the part follows.
    pub is_last: bool,
}

/// Numbers of entries.
#[derive(Clone)]
pub enum Entries<'a> {
    /// Those of a range.
    All(Range<usize>),
    /// These; the others are at infinity.
    Listed(&'a [u32]),
}

/// What [`KeySource::rows`] calls for each window.
pub type RowWindowVisitor<'v, F> = dyn FnMut(RowWindow<'_, F>) -> Result<(), SourceError> + 'v;

/// The coefficients of a range of rows, ready to be read from any number of threads.
pub struct RowWindow<'a, F: ScalarField> {
    /// The rows.
    pub rows: Range<usize>,
    /// Gives the coefficients of rows within the window, in any order, to a batch.
    pub read: &'a RowReader<'a, F>,
}

/// A function that reads rows.
pub type RowReader<'a, F> =
    dyn Fn(Range<usize>, &mut RowBatch<'_, F>) -> Result<(), SourceError> + Sync + 'a;

/// Memory that reading a key takes, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Memory of the process's own, while the source exists or is read.
    pub private: u64,
    /// Pages of mapped files that are resident at once.
    pub mapped: u64,
    /// The most points of a window.
    pub window_points: u64,
    /// True if a part leaves out entries, so that scalars have to be gathered.
    pub leaves_out_entries: bool,
    /// True if every part comes as one window, with at least one point. Then a proof may have several of them at a
    /// time.
    pub in_one_window: bool,
}

/// Coefficients that are worked on together: a source pushes, the prover works on each full batch.
///
/// Products with the witness take the coefficients' place, and are wiped.
pub struct RowBatch<'w, F: ScalarField> {
    places: [(Matrix, u32); BATCH],
    wires: [u32; BATCH],
    products: IntegerProducts<F, BATCH>,
    work: &'w mut dyn FnMut(&mut Filled<'_, F>),
}

/// The coefficients of a batch.
pub(crate) struct Filled<'b, F: ScalarField> {
    /// Matrix and row of each.
    pub(crate) places: &'b [(Matrix, u32)],
    pub(crate) wires: &'b [u32],
    pub(crate) products: &'b mut IntegerProducts<F, BATCH>,
}

impl<'w, F: ScalarField> RowBatch<'w, F> {
    pub(crate) fn new(work: &'w mut dyn FnMut(&mut Filled<'_, F>)) -> Self {
        Self {
            places: [(Matrix::A, 0); BATCH],
            wires: [0; BATCH],
            products: IntegerProducts::new(),
            work,
        }
    }

    /// Adds a coefficient.
    #[inline(always)]
    pub fn push(&mut self, coefficient: &Coefficient<F>) {
        let place = self.products.len();
        self.places[place] = (coefficient.matrix, coefficient.row);
        self.wires[place] = coefficient.wire;
        self.products.push(coefficient.value);
        if self.products.len() == BATCH {
            self.flush();
        }
    }

    /// Works on those that there are.
    pub(crate) fn flush(&mut self) {
        let len = self.products.len();
        (self.work)(&mut Filled {
            places: &self.places[..len],
            wires: &self.wires[..len],
            products: &mut self.products,
        });
    }
}

/// Coefficients at a time: their products fit the first-level cache beside the rows.
const BATCH: usize = 128;
