//! Square roots of many values, sixteen at a time where the CPU has lanes.

use super::lanes::LaneTables;
use super::{SqrtField, sqrt_ratio_vartime, sqrt_vartime};
use crate::WordField;
use crate::batch::{Eights, EightsMut};
use crate::lanes::{self, Lanes5};
use frumious_simd::{Kernel, LANES, Vector};

/// [`sqrt_vartime`] of each, the same roots. In lanes a fifth of its time, from some sixteen values on.
pub fn batch_sqrt_vartime<F: SqrtField + WordField>(values: &[F]) -> Vec<Option<F>> {
    match lanes::active() {
        Some(cpu) if values.len() >= LANES_FROM => {
            let mut roots = vec![None; values.len()];
            cpu.run(SquareRoots::new(values, None, &mut roots));
            roots
        }
        _ => values.iter().map(sqrt_vartime).collect(),
    }
}

/// [`sqrt_ratio_vartime`] of each numerator and its denominator, the same roots.
///
/// # Panics
/// If there are not as many denominators as numerators.
#[track_caller]
pub fn batch_sqrt_ratio_vartime<F: SqrtField + WordField>(
    numerators: &[F],
    denominators: &[F],
) -> Vec<Option<F>> {
    assert!(
        numerators.len() == denominators.len(),
        "{} numerators but {} denominators",
        numerators.len(),
        denominators.len()
    );
    match lanes::active() {
        Some(cpu) if numerators.len() >= LANES_FROM => {
            let mut roots = vec![None; numerators.len()];
            cpu.run(SquareRoots::new(numerators, Some(denominators), &mut roots));
            roots
        }
        _ => numerators
            .iter()
            .zip(denominators)
            .map(|(numerator, denominator)| sqrt_ratio_vartime(numerator, denominator))
            .collect(),
    }
}

/// Fewer roots are faster alone: eight in lanes take as long as three.
const LANES_FROM: usize = 3;

/// Roots of values or of ratios.
pub(super) struct SquareRoots<'a, F: 'static> {
    numerators: Eights<'a, F>,
    denominators: Option<Eights<'a, F>>,
    roots: EightsMut<'a, Option<F>>,
    tables: &'static LaneTables<F>,
}

impl<'a, F: SqrtField + WordField> SquareRoots<'a, F> {
    /// Slices of one length.
    pub(super) fn new(
        numerators: &'a [F],
        denominators: Option<&'a [F]>,
        roots: &'a mut [Option<F>],
    ) -> Self {
        Self {
            numerators: Eights::new(numerators, F::ONE),
            denominators: denominators.map(|values| Eights::new(values, F::ONE)),
            roots: EightsMut::new(roots, None),
            tables: LaneTables::of_field(),
        }
    }

    /// The roots of `G` blocks from block `first` on.
    #[inline(always)]
    fn take<V: Vector, const G: usize>(&mut self, cpu: V::Cpu, first: usize) {
        let mut numerators = [Lanes5::<F, V>::zero(cpu); G];
        let mut values = numerators;
        for g in 0..G {
            let numerator = lanes::load::<F, V>(cpu, self.numerators.get(first + g));
            numerators[g] = numerator.reduce_weakly();
            values[g] = numerators[g];
            if let Some(denominators) = &self.denominators {
                values[g] = numerators[g] * lanes::load(cpu, denominators.get(first + g));
            }
        }
        let (inverse_roots, squares) = self.tables.inverse_sqrt(values);
        for g in 0..G {
            // a square, or zero over what is not zero
            let numerator_zero = numerators[g].is_zero();
            let mut defined = squares[g] & !values[g].is_zero() | numerator_zero;
            if let Some(denominators) = &self.denominators {
                let denominators = lanes::load::<F, V>(cpu, denominators.get(first + g));
                defined = defined & !denominators.is_number_zero();
            }
            let mut roots = [F::ZERO; LANES];
            lanes::store(inverse_roots[g] * numerators[g], &mut roots);
            let targets = self.roots.get_mut(first + g);
            for k in 0..LANES {
                targets[k] = defined.contains(k).then_some(roots[k]);
            }
        }
    }
}

impl<F: SqrtField + WordField> Kernel for SquareRoots<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, cpu: V::Cpu) {
        let blocks = self.numerators.blocks();
        for first in (0..blocks).step_by(2) {
            if first + 1 < blocks {
                self.take::<V, 2>(cpu, first);
            } else {
                self.take::<V, 1>(cpu, first);
            }
        }
        self.roots.finish();
    }
}
