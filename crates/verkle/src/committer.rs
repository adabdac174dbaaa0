//! Commitments to up to 256 values, through tables.

use crate::{Crs, DOMAIN, Error, Values};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_msm::fixed::{self, Banderwagon, Budget, FixedBase};
use std::path::Path;

/// The basis with its tables: what commits, proves and verifies.
///
/// One is enough for a program: it is shared between threads, and cloning shares the tables. A commitment runs in the
/// thread that asks for it; commit from several threads at once.
#[derive(Clone, Debug)]
pub struct Committer {
    // of the basis, and behind it of Q
    tables: FixedBase<Banderwagon>,
}

impl Committer {
    /// Builds the tables that a budget of memory, or a [`Preset`](fixed::Preset), allows, in parallel.
    ///
    /// # Errors
    /// A budget too small for any table; too little memory.
    pub fn new(budget: impl Into<Budget>) -> Result<Self, fixed::Error> {
        let tables = FixedBase::new_vartime(&Self::points(), budget)?;
        Ok(Self { tables })
    }

    /// Maps the tables in the file at `path`, after verifying all of it.
    ///
    /// # Errors
    /// No such file, or any other than one that [`save`](Self::save) wrote.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, fixed::Error> {
        let tables = FixedBase::open(path, &Self::points())?;
        Ok(Self { tables })
    }

    /// Writes the tables to the file at `path`.
    ///
    /// # Errors
    /// The operating system's.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), fixed::Error> {
        self.tables.save(path)
    }

    /// `Σ values[i]·G[i]`; values that are missing are zero. Zeros cost nothing.
    ///
    /// # Errors
    /// More than 256 values.
    pub fn commit(&self, values: &[Fr]) -> Result<Element, Error> {
        if values.len() > DOMAIN {
            return Err(Error::TooManyValues {
                found: values.len(),
            });
        }
        Ok(self.combine(values))
    }

    /// The commitment to a polynomial.
    pub fn commit_values(&self, values: &Values) -> Element {
        self.combine(values)
    }

    /// The commitment to the values of pairs `(index, value)`, in any order, and zeros elsewhere. Values of an index
    /// that occurs again add up.
    ///
    /// # Errors
    /// An index above 255.
    #[expect(clippy::missing_panics_doc, reason = "indices were checked")]
    pub fn commit_sparse(&self, terms: &[(usize, Fr)]) -> Result<Element, Error> {
        check_indices(terms.iter().map(|(index, _)| *index))?;
        let sum = self.tables.commit_sparse_vartime(terms);
        Ok(sum.expect("indices were checked"))
    }

    /// The commitment `old` after changes `(index, old value, new value)`; differences of an index that occurs again
    /// add up.
    ///
    /// That `old` commits to the old values is the caller's affair.
    ///
    /// # Errors
    /// An index above 255.
    #[expect(clippy::missing_panics_doc, reason = "indices were checked")]
    pub fn update(&self, old: &Element, changes: &[(usize, Fr, Fr)]) -> Result<Element, Error> {
        check_indices(changes.iter().map(|(index, ..)| *index))?;
        let new = self.tables.update_vartime(old, changes);
        Ok(new.expect("indices were checked"))
    }

    /// Size of the tables in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.tables.memory_bytes()
    }

    /// [`combine`](Self::combine) in so many parts, possibly at once, if there is more than one thread.
    pub(crate) fn combine_in_parts(&self, scalars: &[Fr], parts: usize) -> Element {
        if frumious_parallel::current_num_threads() == 1 {
            return self.combine(scalars); // one sum of 256 takes less than two of 128
        }
        let sums = frumious_parallel::map_indices(parts, |part| {
            let start = part * scalars.len() / parts;
            let end = (part + 1) * scalars.len() / parts;
            let mut own = [Fr::ZERO; DOMAIN + 1];
            own[start..end].copy_from_slice(&scalars[start..end]);
            self.combine(&own[..end])
        });
        sums.into_iter()
            .fold(Element::IDENTITY, |sum, part| sum + part)
    }

    /// `Σ scalars[i]·G[i]` with `G[256] = Q`.
    pub(crate) fn combine(&self, scalars: &[Fr]) -> Element {
        let sum = self.tables.commit_vartime(scalars);
        sum.expect("no more scalars than points")
    }

    /// The basis, then `Q`.
    fn points() -> Vec<AffineElement> {
        let crs = Crs::standard();
        crs.basis().iter().copied().chain([crs.q()]).collect()
    }
}

fn check_indices(mut indices: impl Iterator<Item = usize>) -> Result<(), Error> {
    match indices.find(|index| *index >= DOMAIN) {
        Some(index) => Err(Error::Index { index }),
        None => Ok(()),
    }
}
