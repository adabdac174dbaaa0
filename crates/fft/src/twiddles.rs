//! Tables of roots of unity and of powers, in bit-reversed order.
//!
//! Bit-reversed order has the prefix property. With `ω` of order `L`, the table `T[b] = ω^rev(b)` for size `L` starts
//! with the table for each smaller size. So one table serves every stage of every block.

use crate::shape::Shape;
use frumious_field::PrimeField;

/// Roots of unity for one direction of a transform.
#[derive(Clone, Debug)]
pub(crate) struct Twiddles<F> {
    /// `ω^rev(b)` for each block `b` of any stage, `ω` of order twice the length. There are `n/2` of them, or with a
    /// [`row`](Self::row) table as many as the longer side of the matrix needs.
    pub block: Vec<F>,
    /// In large transforms, `root^rev(h)` for each row `h`. Element `j` of the row is multiplied by its `j`-th power,
    /// and the row is transformed as if it were row 0. Otherwise row `h` would need twiddles of its own.
    pub row: Option<Vec<F>>,
}

impl<F: PrimeField> Twiddles<F> {
    /// Tables for `root` of order `2^shape.log_size()`. Cost: a product for each entry.
    pub fn new(root: F, shape: Shape) -> Self {
        let (log_block, row) = if shape.twisted {
            let log_longer = shape.log_rows.max(shape.log_columns);
            (log_longer, Some(bit_reversed_powers(root, shape.log_rows)))
        } else {
            (shape.log_size(), None)
        };
        let block_root = square_times(root, shape.log_size() - log_block);
        Self {
            block: bit_reversed_powers(block_root, log_block.saturating_sub(1)),
            row,
        }
    }

    /// For row `h`: the number of its block, and if it has to be multiplied by powers, of what. Row 0 never has.
    pub fn of_row(&self, h: usize) -> (usize, Option<F>) {
        match &self.row {
            Some(roots) => (0, (h > 0).then(|| roots[h])),
            None => (h, None),
        }
    }
}

/// Factors for the coefficients `c_i` where they lie at bit-reversed positions between two transforms. The position of
/// place `l` in run `r` gets `runs[r]·within[l]`, so that no table has `n` entries.
#[derive(Clone, Debug)]
pub(crate) struct Scale<F> {
    /// Binary logarithm of the length of a run.
    pub log_run: u32,
    /// One factor for each run; none if all are one.
    pub runs: Option<Vec<F>>,
    /// One factor for each place in a run; none if all are one.
    pub within: Option<Vec<F>>,
}

impl<F: PrimeField> Scale<F> {
    /// `c_i → c_i`.
    pub fn none(shape: Shape) -> Self {
        Self {
            log_run: shape.log_size(),
            runs: None,
            within: None,
        }
    }

    /// `c_i → constant·c_i`.
    pub fn constant(constant: F, shape: Shape) -> Self {
        Self {
            runs: Some(vec![constant]),
            ..Self::none(shape)
        }
    }

    /// `c_i → constant·base^i·c_i`.
    ///
    /// A run is a row, or about `√n` of a single row. Place `l` of run `r` holds the index
    /// `rev(r) + 2^(log_size - log_run)·rev(l)`, which splits the power in two.
    pub fn powers(base: F, constant: F, shape: Shape) -> Self {
        let log_size = shape.log_size();
        let log_run = if shape.log_rows > 0 {
            shape.log_columns
        } else {
            log_size / 2
        };
        let log_runs = log_size - log_run;
        let mut within = bit_reversed_powers(square_times(base, log_runs), log_run);
        if constant != F::ONE {
            within.iter_mut().for_each(|w| *w *= constant);
        }
        Self {
            log_run,
            runs: Some(bit_reversed_powers(base, log_runs)),
            within: Some(within),
        }
    }

    /// The factor of the run that contains `position`.
    pub fn run_factor(&self, position: usize) -> Option<F> {
        self.runs
            .as_ref()
            .map(|runs| runs[position >> self.log_run])
    }
}

/// `base^rev(b)` for `b = 0 … 2^bits - 1`, `rev` reversing `bits` bits. Cost: `2^bits + bits` products.
pub(crate) fn bit_reversed_powers<F: PrimeField>(base: F, bits: u32) -> Vec<F> {
    // Bit j of b has weight 2^(bits-1-j) in rev(b).
    let mut squares = Vec::with_capacity(bits as usize);
    let mut power = base;
    for _ in 0..bits {
        squares.push(power);
        power = power.square();
    }
    let mut table = Vec::with_capacity(1 << bits);
    table.push(F::ONE);
    for factor in squares.into_iter().rev() {
        for b in 0..table.len() {
            table.push(table[b] * factor);
        }
    }
    table
}

/// `base^(2^times)`.
pub(crate) fn square_times<F: PrimeField>(base: F, times: u32) -> F {
    (0..times).fold(base, |power, _| power.square())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::reverse_bits;
    use crate::tests::small_field::BabyBear;
    use frumious_field::Field;

    #[test]
    fn tables_hold_the_powers_they_claim() {
        let base = BabyBear::from_u64(31);
        for bits in 0..8 {
            let table = bit_reversed_powers(base, bits);
            assert_eq!(table.len(), 1 << bits);
            for (b, power) in table.iter().enumerate() {
                assert_eq!(
                    *power,
                    base.pow_vartime(&[reverse_bits(b, bits) as u64]),
                    "{b} of {bits}"
                );
            }
        }
    }

    #[test]
    fn scale_splits_the_power_of_each_coefficient() {
        let (base, constant) = (BabyBear::from_u64(7), BabyBear::from_u64(1234));
        for (log_rows, log_columns) in [(0, 0), (0, 1), (0, 3), (3, 0), (2, 3), (3, 2)] {
            let shape = Shape {
                log_rows,
                log_columns,
                twisted: false,
            };
            let scale = Scale::powers(base, constant, shape);
            let within = scale.within.as_ref().expect("powers differ within a run");
            for position in 0..1usize << shape.log_size() {
                let index = reverse_bits(position, shape.log_size()) as u64;
                let run = scale.run_factor(position).expect("powers differ by run");
                assert_eq!(
                    run * within[position % (1 << scale.log_run)],
                    constant * base.pow_vartime(&[index])
                );
            }
        }
    }
}
