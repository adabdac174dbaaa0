//! Every test of a transform runs it in every kernel form there is.

use super::small_field::Small;
use crate::transform::Transform;
use crate::{Domain, Error};
use frumious_curves::bn254::Fr;
use frumious_field::kernel::Portable;
use frumious_field::{Lazy, PrimeField};

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
        let mut portable = values.to_vec();
        let outcome = domain.run_on::<Lazy<Fr, _>>(Portable, transform, &mut portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(adx) = frumious_field::limbs::adx::Adx::detect() {
            let mut values = values.to_vec();
            let adx_outcome = domain.run_on::<Lazy<Fr, _>>(adx, transform, &mut values);
            assert!(adx_outcome == outcome && values == portable);
        }
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
}

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
