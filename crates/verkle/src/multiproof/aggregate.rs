//! Sums of polynomials times scalars: where a proof of many openings spends its time.
//!
//! 256 products an opening. Several polynomials are summed side by side, so that one reduction serves as many products,
//! and the sums are touched once for all of them. Their values are read once, at about 6 GB/s: the next polynomials are
//! asked for while these are summed.

use super::sparse;
use crate::{DOMAIN, Values};
use frumious_curves::bandersnatch::Fr;
use frumious_field::limbs::prefetch;

/// Polynomials side by side: the number of products that cost least each, see `frumious_limbs::products`.
const LANES: usize = 7;

/// Values that share a cache line.
const LINE: usize = 2;

/// Adds `Σ weight·values` over the terms 0, 1, …, `count - 1` to `sum`.
pub(super) fn add_combination<'a>(
    sum: &mut Values,
    count: usize,
    term: impl Fn(usize) -> (&'a Values, &'a Fr),
) {
    let mut waiting = Lanes {
        rows: [&[Fr::ZERO; DOMAIN]; LANES],
        weights: [&Fr::ZERO; LANES],
        len: 0,
    };
    for i in 0..count {
        let (values, weight) = term(i);
        if sparse::add_if_sparse(sum, values, weight) {
            continue;
        }
        waiting.rows[waiting.len] = values;
        waiting.weights[waiting.len] = weight;
        waiting.len += 1;
        if waiting.len == LANES {
            let next: [_; LANES] = core::array::from_fn(|k| term((i + 1 + k).min(count - 1)).0);
            add_products::<LANES>(sum, &waiting.rows, &waiting.weights, &next);
            waiting.len = 0;
        }
    }
    waiting.add_all(sum);
}

/// Fewer than [`LANES`] terms that wait for others.
struct Lanes<'a> {
    rows: [&'a Values; LANES],
    weights: [&'a Fr; LANES],
    len: usize,
}

impl Lanes<'_> {
    /// The rest. Odd numbers beyond one are made even by a term of weight zero: 6 products side by side cost less than 4 and 1.
    fn add_all(&mut self, sum: &mut Values) {
        if self.len > 1 && self.len % 2 == 1 {
            self.weights[self.len] = &Fr::ZERO; // of a row that was or is zero
            self.len += 1;
        }
        match self.len {
            0 => {}
            1 => self.add_some::<1>(sum),
            2 => self.add_some::<2>(sum),
            4 => self.add_some::<4>(sum),
            _ => self.add_some::<6>(sum),
        }
    }

    fn add_some<const K: usize>(&self, sum: &mut Values) {
        let (rows, weights) = (self.rows.first_chunk(), self.weights.first_chunk());
        let (rows, weights) = (
            rows.expect("at most LANES"),
            weights.expect("at most LANES"),
        );
        add_products::<K>(sum, rows, weights, &[]);
    }
}

/// Adds `Σ weights[k]·rows[k]`, and asks for the values of `next`.
fn add_products<const K: usize>(
    sum: &mut Values,
    rows: &[&Values; K],
    weights: &[&Fr; K],
    next: &[&Values],
) {
    for (j, sum) in sum.iter_mut().enumerate() {
        if j % LINE == 0 {
            for next in next {
                prefetch(&next[j..j + LINE]);
            }
        }
        *sum += Fr::sum_of_products(rows.map(|row| &row[j]), *weights);
    }
}
