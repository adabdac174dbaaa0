//! Section 4 as templates: what repeats in the rows of A and B is stored once.
//!
//! Read as a whole when the key is opened, into private memory, and checked there; nothing is read from the file after
//! that. Coefficients are then given row by row, as from [`CompactRows`](super::CompactRows): nothing is expanded.
//!
//! The demands of a small file are bounded. A template has a row at least, and each of its ports is the wire of a
//! coefficient in it. Templates nest at most [`MAX_DEPTH`] deep. A walk over all rows therefore takes at most some 64
//! steps for each row and coefficient. A visit to some rows takes at most [`MAX_FRAMES`] steps to the first. There are
//! no more rows than the domain has, and at most [`MAX_COEFFICIENTS_A_ROW`] times as many coefficients; H, which is
//! stored plain, pays for these.

mod encode;
mod parse;

pub(super) use encode::find;

use frumious_circom::Error;
use frumious_curves::PairingEngine;
use frumious_field::TwiceMontgomery;
use frumious_groth16::{Coefficient, Matrix};
use frumious_parallel::current_num_threads;
use std::marker::PhantomData;
use std::ops::Range;

/// The coefficients by row, with templates, in private memory: valid, each row below the domain's size, each wire below
/// `n_wires`.
#[derive(Clone, Debug)]
pub struct TemplateRows<E: PairingEngine> {
    rows: u32,
    coefficients: u32,
    stored_length: usize,
    values: Vec<TwiceMontgomery<E::Fr>>,
    /// The templates, each with instances only of those before it; the last is the whole.
    bodies: Vec<Body>,
    items: Vec<Item>,
    words: Vec<u32>,
    /// The most that [`Walk::frames`] holds.
    frames: u32,
    engine: PhantomData<E>,
}

/// A template, or the whole.
///
/// Its wires are local: 0 the constant one, then its ports, then its own.
#[derive(Clone, Debug)]
struct Body {
    n_ports: u32,
    items: Range<usize>,
}

/// Some rows.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// Rows before it in its body.
    row: u32,
    /// Where its words begin.
    word: u32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// One row. Words: the numbers of coefficients of A and of B, then for each the number of its value and its wire.
    Row,
    /// Rows without coefficients. No words.
    Empty,
    /// An instance. Words: the wire that is the first of its own, then one for each port.
    Instance { template: u32 },
}

impl<E: PairingEngine> TemplateRows<E> {
    /// Number of coefficients.
    pub fn len(&self) -> usize {
        self.coefficients as usize
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.coefficients == 0
    }

    /// Number of rows; those behind have no coefficient.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Number of templates.
    pub fn n_templates(&self) -> usize {
        self.bodies.len() - 1
    }

    /// Bytes of the whole section in the file.
    pub fn stored_length(&self) -> usize {
        self.stored_length
    }

    /// Private memory that this takes, in bytes, with a visit by each of the caller's threads.
    pub fn memory(&self) -> usize {
        size_of_val(&self.values[..])
            + size_of_val(&self.bodies[..])
            + size_of_val(&self.items[..])
            + size_of_val(&self.words[..])
            + current_num_threads() * size_of::<u32>() * self.frames as usize
    }

    /// Gives the coefficients of some rows, in the order of the zkey. Ends with the first error of `take`.
    ///
    /// Rows behind the last are empty. The way to the first takes time in proportion to the depth of templates.
    ///
    /// # Errors
    /// Those of `take`.
    #[inline]
    pub fn for_each(
        &self,
        rows: Range<usize>,
        take: impl FnMut(Coefficient<E::Fr>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let end = rows.end.min(self.rows());
        let mut walk = Walk {
            of: self,
            // Both at most the number of rows.
            rows: rows.start.min(end) as u32..end as u32,
            frames: Vec::with_capacity(self.frames as usize),
            take,
        };
        walk.frames.push(0);
        match walk.rows.is_empty() {
            true => Ok(()),
            false => walk.body(self.n_templates(), 0, 0, 0),
        }
    }
}

/// A visit to some rows.
struct Walk<'w, E: PairingEngine, V> {
    of: &'w TemplateRows<E>,
    /// At least one.
    rows: Range<u32>,
    /// For the body that is visited and those around it: what the constant one and the ports are.
    frames: Vec<u32>,
    take: V,
}

impl<E: PairingEngine, V: FnMut(Coefficient<E::Fr>) -> Result<(), Error>> Walk<'_, E, V> {
    /// Visits those of a body that begins at row `before`. Its frame begins at `base`, and what is added to a wire of
    /// its own is `bias`.
    ///
    /// Depth of recursion: [`MAX_DEPTH`].
    fn body(&mut self, body: usize, before: u32, base: usize, bias: u32) -> Result<(), Error> {
        let of = self.of;
        let items = &of.items[of.bodies[body].items.clone()];
        let skipped = self.rows.start.saturating_sub(before);
        // The item that has the first row: the first item has row 0.
        let first = items.partition_point(|item| item.row <= skipped) - 1;
        for item in &items[first..] {
            let row = before + item.row;
            if row >= self.rows.end {
                break;
            }
            let words = &of.words[item.word as usize..];
            match item.kind {
                Kind::Row => self.row(row, words, base, bias)?,
                Kind::Empty => {}
                Kind::Instance { template } => {
                    let template = template as usize;
                    let n_ports = of.bodies[template].n_ports as usize;
                    let inner = self.frames.len();
                    let first_own = local(&self.frames[base..inner], bias, words[0]);
                    self.frames.push(0);
                    for port in &words[1..1 + n_ports] {
                        let wire = local(&self.frames[base..inner], bias, *port);
                        self.frames.push(wire);
                    }
                    // Modulo 2^32, as is the sum with the number of a wire.
                    let bias = first_own.wrapping_sub(1 + n_ports as u32);
                    self.body(template, row, inner, bias)?;
                    self.frames.truncate(inner);
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn row(&mut self, row: u32, words: &[u32], base: usize, bias: u32) -> Result<(), Error> {
        let frame = &self.frames[base..];
        let (of_a, of_b) = (words[0] as usize, words[1] as usize);
        let (terms, _) = words[2..].as_chunks::<2>();
        for (k, [number, wire]) in terms[..of_a + of_b].iter().enumerate() {
            (self.take)(Coefficient {
                matrix: if k < of_a { Matrix::A } else { Matrix::B },
                row,
                wire: local(frame, bias, *wire),
                value: self.of.values[*number as usize],
            })?;
        }
        Ok(())
    }
}

/// The number of a local wire in the whole.
#[inline(always)]
fn local(frame: &[u32], bias: u32, wire: u32) -> u32 {
    match frame.get(wire as usize) {
        Some(port) => *port,
        None => bias.wrapping_add(wire),
    }
}

/// Templates in templates.
const MAX_DEPTH: u32 = 64;

/// The constant one and the ports of a template and of those around it: 4 MB for a thread. Circuits of circom have some
/// thousands.
const MAX_FRAMES: u64 = 1 << 20;

/// On average over the domain. Circuits of circom have two to ten.
const MAX_COEFFICIENTS_A_ROW: u64 = 64;

#[cfg(test)]
mod tests;
