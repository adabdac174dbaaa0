//! Section 2: the constraints, read from their bytes.
//!
//! Each is three linear combinations A, B, C; each of these is `nTerms u32 | nTerms × (wire u32 | coefficient[32])`.
//! Coefficients are plain integers below r. A combination may be empty, name a wire twice, and name wires in any order.

use frumious_curves::bn254::Fr;

use crate::container::{Cursor, Section};
use crate::error::{Error, Problem};
use crate::words;

/// One constraint: `⟨a, w⟩ · ⟨b, w⟩ = ⟨c, w⟩`.
#[derive(Clone, Copy, Debug)]
pub struct Constraint<'a> {
    /// Left factor.
    pub a: LinearCombination<'a>,
    /// Right factor.
    pub b: LinearCombination<'a>,
    /// Product.
    pub c: LinearCombination<'a>,
}

/// A sum of coefficients times wires.
#[derive(Clone, Copy, Debug)]
pub struct LinearCombination<'a> {
    records: &'a [[u8; TERM_BYTES]],
}

/// One wire with its coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The wire, below the system's `n_wires`.
    pub wire: u32,
    /// The coefficient as a plain integer: words, least significant first, below r.
    pub coefficient: [u64; 4],
}

/// Iterator over the terms of a linear combination.
#[derive(Clone, Debug)]
pub struct Terms<'a>(std::slice::Iter<'a, [u8; TERM_BYTES]>);

/// Iterator over validated constraints.
#[derive(Clone, Debug)]
pub(super) struct Constraints<'a> {
    rest: &'a [u8],
    remaining: u32,
}

/// Checks that a section holds `n_constraints` constraints and nothing else, with wires below `n_wires` and coefficients
/// below r. Returns the number of terms in all A, all B and all C.
pub(super) fn validate(
    section: Section<'_>,
    n_constraints: u32,
    n_wires: u32,
) -> Result<[u64; 3], Error> {
    let mut cursor = Cursor::new(section);
    let mut n_terms = [0; 3];
    for _ in 0..n_constraints {
        for count in &mut n_terms {
            let terms = cursor.u32()?;
            let start = cursor.offset() - section.offset;
            // At most 36 · (2^32 - 1), which fits.
            let records = cursor.take(u64::from(terms) * TERM_BYTES as u64)?;
            let (records, _) = records.as_chunks::<TERM_BYTES>();
            for (i, record) in records.iter().enumerate() {
                validate_term(record, n_wires).map_err(|(field, problem)| {
                    section.error(start + (i * TERM_BYTES) as u64 + field, problem)
                })?;
            }
            *count += u64::from(terms);
        }
    }
    cursor.expect_end()?;
    Ok(n_terms)
}

/// The offence of a term with the byte within the record where it is.
fn validate_term(record: &[u8; TERM_BYTES], n_wires: u32) -> Result<(), (u64, Problem)> {
    let term = Term::from_bytes(record);
    if term.wire >= n_wires {
        let problem = Problem::OutOfRange {
            what: "wire",
            value: term.wire.into(),
            bound: n_wires.into(),
        };
        return Err((0, problem));
    }
    if !words::is_below(&term.coefficient, &Fr::MODULUS) {
        return Err((4, Problem::NotCanonical));
    }
    Ok(())
}

impl<'a> LinearCombination<'a> {
    /// Number of terms.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none, so that the combination is zero.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The terms in the file's order.
    pub fn terms(&self) -> Terms<'a> {
        Terms(self.records.iter())
    }

    /// The sum over the terms of coefficient times value of the wire.
    ///
    /// # Panics
    /// When `witness` has fewer values than the system has wires.
    pub fn evaluate(&self, witness: &[Fr]) -> Fr {
        self.terms().fold(Fr::ZERO, |sum, term| {
            sum + term.coefficient_fr() * witness[term.wire as usize]
        })
    }

    /// Splits a combination off the front of validated bytes.
    fn split_front(bytes: &'a [u8]) -> (Self, &'a [u8]) {
        let (count, rest) = bytes.split_at(4);
        let count = u32::from_le_bytes(count.try_into().expect("split at 4"));
        let (records, rest) = rest.split_at(count as usize * TERM_BYTES);
        let (records, _) = records.as_chunks();
        (Self { records }, rest)
    }
}

impl Term {
    /// The coefficient as a field element.
    pub fn coefficient_fr(&self) -> Fr {
        Fr::from_canonical_limbs(self.coefficient)
            .into_option()
            .expect("coefficients were checked to be below r when the system was opened")
    }

    pub(super) fn from_bytes(record: &[u8; TERM_BYTES]) -> Self {
        let (wire, coefficient) = record.split_at(4);
        let coefficient = coefficient.try_into().expect("36 - 4 bytes");
        Self {
            wire: u32::from_le_bytes(wire.try_into().expect("split at 4")),
            coefficient: words::from_le_bytes(coefficient),
        }
    }
}

impl Iterator for Terms<'_> {
    type Item = Term;

    fn next(&mut self) -> Option<Term> {
        self.0.next().map(Term::from_bytes)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Terms<'_> {}

impl<'a> Constraints<'a> {
    /// `bytes` must have passed [`validate`] with the same `n_constraints`.
    pub(super) fn new(bytes: &'a [u8], n_constraints: u32) -> Self {
        Self {
            rest: bytes,
            remaining: n_constraints,
        }
    }
}

impl<'a> Iterator for Constraints<'a> {
    type Item = Constraint<'a>;

    fn next(&mut self) -> Option<Constraint<'a>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let (a, rest) = LinearCombination::split_front(self.rest);
        let (b, rest) = LinearCombination::split_front(rest);
        let (c, rest) = LinearCombination::split_front(rest);
        self.rest = rest;
        Some(Constraint { a, b, c })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = self.remaining as usize;
        (remaining, Some(remaining))
    }
}

impl ExactSizeIterator for Constraints<'_> {}

/// Size of a term: a u32 and a 32-byte coefficient.
const TERM_BYTES: usize = 36;
