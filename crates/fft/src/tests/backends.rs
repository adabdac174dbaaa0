//! Every test of a transform runs it in every kernel form there is.

use super::small_field::Small;
use crate::lanes::LOG_SMALLEST;
use crate::transform::Transform;
use crate::{Domain, Error};
use frumious_curves::bls12_381;
use frumious_curves::bn254::Fr;
use frumious_field::kernel::Portable;
use frumious_field::{PrimeField, WordField};
use frumious_simd::{OnModel, Unit};

/// A field whose transforms tests can run.
pub(super) trait TestField: PrimeField {
    /// Transforms `values` in each kernel form, and insists that all agree.
    fn run(
        domain: &Domain<Self>,
        transform: Transform<Self>,
        values: &mut [Self],
    ) -> Result<(), Error>;
}

impl<const P: u64, const S: u32, const G: u64> TestField for Small<P, S, G> {
    fn run(
        domain: &Domain<Self>,
        transform: Transform<Self>,
        values: &mut [Self],
    ) -> Result<(), Error> {
        domain.run_on::<Self>((), transform, values)
    }
}

impl TestField for Fr {
    fn run(
        domain: &Domain<Self>,
        transform: Transform<Self>,
        values: &mut [Self],
    ) -> Result<(), Error> {
        run_everywhere(domain, transform, values)
    }
}

impl TestField for bls12_381::Fr {
    fn run(
        domain: &Domain<Self>,
        transform: Transform<Self>,
        values: &mut [Self],
    ) -> Result<(), Error> {
        run_everywhere(domain, transform, values)
    }
}

fn run_everywhere<F: PrimeField + WordField>(
    domain: &Domain<F>,
    transform: Transform<F>,
    values: &mut [F],
) -> Result<(), Error> {
    let mut portable = values.to_vec();
    let outcome = domain.run_on::<F::Transform<_>>(Portable, transform, &mut portable);
    if let Some(adx) = frumious_field::kernel::Adx::detect() {
        let mut values = values.to_vec();
        let adx_outcome = domain.run_on::<F::Transform<_>>(adx, transform, &mut values);
        assert!(adx_outcome == outcome && values == portable);
    }
    run_in_lanes(domain, transform, values, &portable, outcome);
    let public_outcome = match transform {
        Transform::Fft => domain.fft(values),
        Transform::Ifft => domain.ifft(values),
        Transform::CosetFft(shift) => domain.coset_fft(values, shift),
        Transform::CosetIfft(shift) => domain.coset_ifft(values, shift),
        Transform::ExtendToCoset(shift) => domain.extend_to_coset(values, shift),
    };
    assert!(public_outcome == outcome && values == portable);
    outcome
}

/// In lanes, over registers if the CPU has them and, small sizes, over their model: as `expected`.
fn run_in_lanes<F: PrimeField + WordField>(
    domain: &Domain<F>,
    transform: Transform<F>,
    values: &[F],
    expected: &[F],
    outcome: Result<(), Error>,
) {
    if domain.log_size() < LOG_SMALLEST {
        return;
    }
    if domain.log_size() <= LOG_LARGEST_IN_MODEL {
        let mut values = values.to_vec();
        let model_outcome = domain.run_in_lanes(OnModel, transform, &mut values);
        assert!(model_outcome == outcome && values == expected, "model");
    }
    for unit in Unit::all() {
        let mut values = values.to_vec();
        let lane_outcome = domain.run_in_lanes(unit, transform, &mut values);
        assert!(lane_outcome == outcome && values == expected, "{unit:?}");
    }
}

/// The model takes a microsecond for a product.
const LOG_LARGEST_IN_MODEL: u32 = 7;

/// One of each.
pub(super) fn all_transforms<F>(shift: impl Fn() -> F) -> [Transform<F>; 5] {
    [
        Transform::Fft,
        Transform::Ifft,
        Transform::CosetFft(shift()),
        Transform::CosetIfft(shift()),
        Transform::ExtendToCoset(shift()),
    ]
}
