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

/// Terms that wait for others.
struct Lanes<'a> {
    rows: [&'a Values; LANES],
    weights: [&'a Fr; LANES],
    len: usize,
}

impl Lanes<'_> {
    /// Fewer than [`LANES`] terms.
    fn add_all(&self, sum: &mut Values) {
        let mut start = 0;
        while start < self.len {
            start += match self.len - start {
                6.. => self.add_some::<6>(sum, start),
                4.. => self.add_some::<4>(sum, start),
                2.. => self.add_some::<2>(sum, start),
                _ => self.add_some::<1>(sum, start),
            };
        }
    }

    fn add_some<const K: usize>(&self, sum: &mut Values, start: usize) -> usize {
        let rows = core::array::from_fn(|k| self.rows[start + k]);
        let weights = core::array::from_fn(|k| self.weights[start + k]);
        add_products::<K>(sum, &rows, &weights, &[]);
        K
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
