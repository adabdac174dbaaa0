//! Roots of unity as factors for lanes: `O(√n)` of them, made when the first transform in lanes asks.

use super::Runner;
use crate::permute::reverse_bits;
use crate::shape::Shape;
use crate::twiddles::{bit_reversed_powers, square_times};
use frumious_field::{PrimeField, WordField, lanes};
use frumious_simd::{Factor, Kernel, LANES, LaneFactor, Vector};

/// Both directions of a domain.
#[derive(Clone, Debug)]
pub(crate) struct Tables<F> {
    /// The cut of the vector in lanes: at least eight rows and eight columns.
    pub shape: Shape,
    pub forward: Roots<F>,
    pub inverse: Roots<F>,
    /// Forward, `ω_2m^j` at `m + j` for `j < m`, for each stage `m` of the longer side: twice as many.
    pub forward_by_place: Vec<Factor<5>>,
}

/// Roots of one direction.
#[derive(Clone, Debug)]
pub(crate) struct Roots<F> {
    /// `ω^rev(b)` for each sub-block `b` of any stage of the longer side: half as many as that has elements, 200 bytes
    /// each.
    pub block: Vec<Factor<5>>,
    /// `root^rev(h)` for each row `h`: its twist.
    pub row: Vec<F>,
}

impl<F: PrimeField + WordField> Tables<F> {
    /// Tables for `root` of order `2^log_size` and its inverse; `log_size ≥ 6`.
    pub fn new(unit: impl Runner, log_size: u32, root: F, root_inverse: F) -> Self {
        let log_rows = log_size / 2;
        let shape = Shape {
            log_rows,
            log_columns: log_size - log_rows,
            twisted: true,
        };
        let forward = Roots::new(unit, root, shape);
        Self {
            shape,
            forward_by_place: by_place(&forward.block),
            forward,
            inverse: Roots::new(unit, root_inverse, shape),
        }
    }
}

impl<F: PrimeField + WordField> Roots<F> {
    fn new(unit: impl Runner, root: F, shape: Shape) -> Self {
        let log_longer = shape.log_rows.max(shape.log_columns);
        let block_root = square_times(root, shape.log_size() - log_longer);
        let block = bit_reversed_powers(block_root, log_longer - 1);
        Self {
            block: factors(unit, &block),
            row: bit_reversed_powers(root, shape.log_rows),
        }
    }
}

/// From the order of sub-blocks, `ω^rev(b)`, to the order of places, stage by stage. Entry 0 is not used.
fn by_place(block: &[Factor<5>]) -> Vec<Factor<5>> {
    let mut table = vec![block[0]];
    for log_stage in 0..=block.len().ilog2() {
        let places = 0..1 << log_stage;
        table.extend(places.map(|j| block[reverse_bits(j, log_stage)]));
    }
    table
}

/// Each element as a factor. Cost: five products each.
pub(super) fn factors<F: WordField>(unit: impl Runner, elements: &[F]) -> Vec<Factor<5>> {
    let mut factors = Vec::with_capacity(elements.len().next_multiple_of(LANES));
    for some in elements.chunks(LANES) {
        let mut eight = [F::ZERO; LANES];
        eight[..some.len()].copy_from_slice(some);
        let prepare = Prepare(&eight);
        factors.extend_from_slice(&unit.run(prepare).factors()[..some.len()]);
    }
    factors
}

struct Prepare<'a, F>(&'a [F; LANES]);

impl<F: WordField> Kernel for Prepare<'_, F> {
    type Output = LaneFactor<5>;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> LaneFactor<5> {
        lanes::load::<F, V>(cpu, self.0).to_factor()
    }
}
