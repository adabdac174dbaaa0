//! Tables of roots of unity and of powers, in bit-reversed order.
//!
//! Bit-reversed order has the prefix property: with `ω` of order `L`, the table `T[b] = ω^rev(b)` for a transform
//! of size `L` starts with the table for each smaller size, so one table serves every stage of every block.

use frumious_field::{KernelField, PrimeField};

/// Roots of unity for one direction of a transform of `n = rows·columns` elements. Memory: `O(√n)` elements.
#[derive(Clone, Debug)]
pub(crate) struct Twiddles<F> {
    /// `L/2` twiddles of blocks, `L = max(rows, columns)`: entry `b` belongs to block `b` of any stage.
    pub block: Vec<F>,
    /// `root^rev(h)` for each row `h`: column `j` of row `h` is multiplied by its `j`-th power between the two steps.
    pub row: Vec<F>,
}

impl<F: PrimeField> Twiddles<F> {
    /// Tables for `root` of order `2^(log_rows + log_columns)`. Cost: `O(√n)` products.
    pub fn new(root: F, log_rows: u32, log_columns: u32) -> Self {
        let log_block = log_rows.max(log_columns);
        let log_size = log_rows + log_columns;
        let block_root = square_times(root, log_size - log_block);
        Self {
            block: bit_reversed_powers(block_root, log_block.saturating_sub(1)),
            row: bit_reversed_powers(root, log_rows),
        }
    }

    /// The tables in kernel form.
    pub fn load<V: KernelField<Scalar = F>>(&self, cpu: V::Cpu) -> Twiddles<V> {
        Twiddles {
            block: load_all(cpu, &self.block),
            row: load_all(cpu, &self.row),
        }
    }
}

/// Factors for the coefficients `c_i` where they lie at bit-reversed positions between two transforms: the
/// coefficient at row `h` and place `l` gets `rows[h]·within_row[l]`, so that no table has `n` entries.
#[derive(Clone, Debug)]
pub(crate) struct Scale<F> {
    /// One factor for each row; none if all are one.
    pub rows: Option<Vec<F>>,
    /// One factor for each place within a row; none if all are one.
    pub within_row: Option<Vec<F>>,
}

impl<F: PrimeField> Scale<F> {
    /// `c_i → c_i`.
    pub fn none() -> Self {
        Self {
            rows: None,
            within_row: None,
        }
    }

    /// `c_i → constant·c_i`.
    pub fn constant(constant: F, log_rows: u32) -> Self {
        Self {
            rows: Some(vec![constant; 1 << log_rows]),
            within_row: None,
        }
    }

    /// `c_i → constant·base^i·c_i`.
    ///
    /// Position `h·columns + l` holds the index `rev(h) + rows·rev(l)`, which splits the power in two.
    pub fn powers(base: F, constant: F, log_rows: u32, log_columns: u32) -> Self {
        let mut within_row = bit_reversed_powers(square_times(base, log_rows), log_columns);
        if constant != F::ONE {
            within_row.iter_mut().for_each(|w| *w *= constant);
        }
        Self {
            rows: (log_rows > 0).then(|| bit_reversed_powers(base, log_rows)),
            within_row: Some(within_row),
        }
    }

    /// The factors in kernel form.
    pub fn load<V: KernelField<Scalar = F>>(&self, cpu: V::Cpu) -> Scale<V> {
        let load = |table: &Option<Vec<F>>| table.as_deref().map(|table| load_all(cpu, table));
        Scale {
            rows: load(&self.rows),
            within_row: load(&self.within_row),
        }
    }
}

fn load_all<V: KernelField>(cpu: V::Cpu, table: &[V::Scalar]) -> Vec<V> {
    table.iter().map(|value| V::load(cpu, *value)).collect()
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
        for (log_rows, log_columns) in [(0, 0), (0, 3), (3, 0), (2, 3), (3, 2)] {
            let scale = Scale::powers(base, constant, log_rows, log_columns);
            let within = scale
                .within_row
                .expect("powers have a table within the row");
            for position in 0..1usize << (log_rows + log_columns) {
                let index = reverse_bits(position, log_rows + log_columns) as u64;
                let (h, l) = (position >> log_columns, position % (1 << log_columns));
                let row = scale.rows.as_ref().map_or(BabyBear::ONE, |rows| rows[h]);
                assert_eq!(row * within[l], constant * base.pow_vartime(&[index]));
            }
        }
    }
}
