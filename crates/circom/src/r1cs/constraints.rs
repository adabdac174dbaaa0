//! Section 2: the constraints, read from their bytes.
//!
//! Each is three linear combinations A, B, C; each of these is `nTerms u32 | nTerms × (wire u32 | coefficient[32])`.
//! Coefficients are plain integers below r. A combination may be empty, name a wire twice, and name wires in any order.
//!
//! A mapped file may change after it was validated, so reading does not rest on that. For any bytes a term has a wire
//! that exists and a coefficient below r, and a combination ends with the bytes. A system so changed is another one,
//! which [`R1cs::check_unchanged`](super::R1cs::check_unchanged) tells.

use std::marker::PhantomData;

use frumious_curves::PairingEngine;
use frumious_field::{Field, Integer, WordField};
use frumious_r1cs::Term;

use crate::container::{Cursor, Section};
use crate::error::{Error, Problem};
use crate::words;

/// One constraint: `⟨a, w⟩ · ⟨b, w⟩ = ⟨c, w⟩`.
#[derive(Clone, Copy, Debug)]
pub struct Constraint<'a, E: PairingEngine> {
    /// Left factor.
    pub a: LinearCombination<'a, E>,
    /// Right factor.
    pub b: LinearCombination<'a, E>,
    /// Product.
    pub c: LinearCombination<'a, E>,
}

/// A sum of coefficients times wires.
#[derive(Clone, Copy, Debug)]
pub struct LinearCombination<'a, E: PairingEngine> {
    records: &'a [[u8; TERM_BYTES]],
    n_wires: u32,
    engine: PhantomData<E>,
}

/// Iterator over the terms of a linear combination.
#[derive(Clone, Debug)]
pub struct Terms<'a, E: PairingEngine> {
    records: std::slice::Iter<'a, [u8; TERM_BYTES]>,
    n_wires: u32,
    engine: PhantomData<E>,
}

/// Iterator over validated constraints.
#[derive(Clone, Debug)]
pub(super) struct Constraints<'a, E: PairingEngine> {
    rest: &'a [u8],
    remaining: u32,
    n_wires: u32,
    engine: PhantomData<E>,
}

/// Checks that a section holds `n_constraints` constraints and nothing else, with wires below `n_wires` and
/// coefficients below r. Returns the number of terms in all A, all B and all C.
pub(super) fn validate<E: PairingEngine>(
    section: Section<'_>,
    n_constraints: u32,
    n_wires: u32,
) -> Result<[u64; 3], Error> {
    let mut cursor = Cursor::new(section);
    let mut n_terms = [0; 3];
    for _ in 0..n_constraints {
        frumious_parallel::check_cancelled();
        for count in &mut n_terms {
            let terms = cursor.u32()?;
            let start = cursor.offset() - section.offset;
            // At most 36 · (2^32 - 1), which fits.
            let records = cursor.take(u64::from(terms) * TERM_BYTES as u64)?;
            let (records, _) = records.as_chunks::<TERM_BYTES>();
            for (i, record) in records.iter().enumerate() {
                validate_term::<E>(record, n_wires).map_err(|(field, problem)| {
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
fn validate_term<E: PairingEngine>(
    record: &[u8; TERM_BYTES],
    n_wires: u32,
) -> Result<(), (u64, Problem)> {
    let (wire, coefficient) = split(record);
    if wire >= n_wires {
        let problem = Problem::OutOfRange {
            what: "wire",
            value: wire.into(),
            bound: n_wires.into(),
        };
        return Err((0, problem));
    }
    if !words::is_below(&coefficient, &E::Fr::MODULUS_64.p) {
        return Err((4, Problem::NotCanonical));
    }
    Ok(())
}

/// The wire and the coefficient of a term, whatever they are.
fn split(record: &[u8; TERM_BYTES]) -> (u32, [u64; 4]) {
    let (wire, coefficient) = record.split_at(4);
    let coefficient = coefficient.try_into().expect("36 - 4 bytes");
    (
        u32::from_le_bytes(wire.try_into().expect("split at 4")),
        words::from_le_bytes(coefficient),
    )
}

impl<'a, E: PairingEngine> LinearCombination<'a, E> {
    /// Number of terms.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// True if there are none, so that the combination is zero.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The terms in the file's order.
    pub fn terms(&self) -> Terms<'a, E> {
        Terms {
            records: self.records.iter(),
            n_wires: self.n_wires,
            engine: PhantomData,
        }
    }

    /// The sum over the terms of coefficient times value of the wire.
    ///
    /// # Panics
    /// When `witness` has fewer values than the system has wires.
    pub fn evaluate(&self, witness: &[E::Fr]) -> E::Fr {
        self.terms().fold(E::Fr::ZERO, |sum, term| {
            sum + term.coefficient.to_element() * witness[term.wire as usize]
        })
    }

    /// Splits a combination off the front of bytes, of at most as many terms as there are bytes for.
    fn split_front(bytes: &'a [u8], n_wires: u32) -> (Self, &'a [u8]) {
        let (count, rest) = match bytes.split_first_chunk() {
            Some((count, rest)) => (u32::from_le_bytes(*count) as usize, rest),
            None => (0, &[][..]),
        };
        let (records, rest) = rest.split_at(count.min(rest.len() / TERM_BYTES) * TERM_BYTES);
        let (records, _) = records.as_chunks();
        let combination = Self {
            records,
            n_wires,
            engine: PhantomData,
        };
        (combination, rest)
    }
}

/// The term of a record. One that changed since it was validated may be no term: then it is zero times the constant.
fn read_term<E: PairingEngine>(record: &[u8; TERM_BYTES], n_wires: u32) -> Term<E::Fr> {
    let (wire, coefficient) = split(record);
    let (wire, coefficient) = match Integer::new_vartime(coefficient) {
        Some(coefficient) if wire < n_wires => (wire, coefficient),
        _ => (0, Integer::ZERO),
    };
    Term { wire, coefficient }
}

impl<E: PairingEngine> Iterator for Terms<'_, E> {
    type Item = Term<E::Fr>;

    fn next(&mut self) -> Option<Term<E::Fr>> {
        let record = self.records.next()?;
        Some(read_term::<E>(record, self.n_wires))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl<E: PairingEngine> ExactSizeIterator for Terms<'_, E> {}

impl<'a, E: PairingEngine> Constraints<'a, E> {
    /// `bytes` have passed [`validate`] with the same numbers.
    pub(super) fn new(bytes: &'a [u8], n_constraints: u32, n_wires: u32) -> Self {
        Self {
            rest: bytes,
            remaining: n_constraints,
            n_wires,
            engine: PhantomData,
        }
    }
}

impl<'a, E: PairingEngine> Iterator for Constraints<'a, E> {
    type Item = Constraint<'a, E>;

    fn next(&mut self) -> Option<Constraint<'a, E>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let (a, rest) = LinearCombination::split_front(self.rest, self.n_wires);
        let (b, rest) = LinearCombination::split_front(rest, self.n_wires);
        let (c, rest) = LinearCombination::split_front(rest, self.n_wires);
        self.rest = rest;
        Some(Constraint { a, b, c })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = self.remaining as usize;
        (remaining, Some(remaining))
    }
}

impl<E: PairingEngine> ExactSizeIterator for Constraints<'_, E> {}

/// Size of a term: a u32 and a 32-byte coefficient.
pub(super) const TERM_BYTES: usize = 36;
