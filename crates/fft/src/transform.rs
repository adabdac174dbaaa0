//! The transforms of a `Domain`: public face, choice of backend, and each one in terms of `schedule` and `permute`.

use crate::lanes::{LOG_SMALLEST, LanePasses, Tables};
use crate::permute::bit_reverse;
use crate::schedule::{Direction, Kernel, Passes, Schedule};
use crate::twiddles::Scale;
use crate::{Domain, Error};
use frumious_field::{PrimeField, WordField, dispatch_kernel, lanes};
use frumious_simd::Runner;

impl<F: PrimeField + WordField> Domain<F> {
    /// Coefficients `c_i` → values `Σ c_i x^i` at `x = root^j`, `j = 0 … n-1`.
    ///
    /// Cost: at most `½·n·log n` products, three passes over memory.
    ///
    /// # Errors
    /// A vector that is not as long as the domain is large.
    pub fn fft(&self, values: &mut [F]) -> Result<(), Error> {
        self.run(Transform::Fft, values)
    }

    /// Values at `root^j` → coefficients; the inverse of [`fft`](Self::fft), at the same cost.
    ///
    /// # Errors
    /// A vector that is not as long as the domain is large.
    pub fn ifft(&self, values: &mut [F]) -> Result<(), Error> {
        self.run(Transform::Ifft, values)
    }

    /// Coefficients `c_i` → values `Σ c_i x^i` at `x = shift·root^j`.
    /// Cost: that of [`fft`](Self::fft) and `n` products.
    ///
    /// # Errors
    /// Also [`Error::ZeroShift`].
    pub fn coset_fft(&self, values: &mut [F], shift: F) -> Result<(), Error> {
        self.run(Transform::CosetFft(shift), values)
    }

    /// Values at `shift·root^j` → coefficients; the inverse of [`coset_fft`](Self::coset_fft), at the same cost.
    ///
    /// # Errors
    /// As [`coset_fft`](Self::coset_fft).
    pub fn coset_ifft(&self, values: &mut [F], shift: F) -> Result<(), Error> {
        self.run(Transform::CosetIfft(shift), values)
    }

    /// Values at `root^j` → values of the same polynomial (of degree less than `n`) at `shift·root^j`.
    ///
    /// The same as [`ifft`](Self::ifft), then [`coset_fft`](Self::coset_fft), but the coefficients stay in bit-reversed
    /// order between them. Nothing is permuted, and memory is passed over three times in all.
    /// Cost: at most `n·log n + n` products.
    ///
    /// # Errors
    /// Also [`Error::ZeroShift`].
    pub fn extend_to_coset(&self, values: &mut [F], shift: F) -> Result<(), Error> {
        self.run(Transform::ExtendToCoset(shift), values)
    }

    // Never inlined: crates above share the instance of one below them.
    #[inline(never)]
    pub(crate) fn run(&self, transform: Transform<F>, values: &mut [F]) -> Result<(), Error> {
        match lanes::active() {
            Some(cpu) if self.log_size() >= LOG_SMALLEST => {
                self.run_in_lanes(cpu, transform, values)
            }
            _ => dispatch_kernel!(cpu => self.run_on::<F::Transform<_>>(cpu, transform, values)),
        }
    }

    /// The transform in lanes, for domains of at least 2^[`LOG_SMALLEST`] elements.
    pub(crate) fn run_in_lanes(
        &self,
        unit: impl Runner,
        transform: Transform<F>,
        values: &mut [F],
    ) -> Result<(), Error> {
        let make = || Tables::new(unit, self.log_size(), self.root(), self.root_inverse());
        let tables = self.lanes.get_or_init(make);
        self.run_passes(&LanePasses { tables, unit }, transform, values)
    }
}

/// Which transform, with its shift.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Transform<F> {
    Fft,
    Ifft,
    CosetFft(F),
    CosetIfft(F),
    ExtendToCoset(F),
}

impl<F: PrimeField> Domain<F> {
    /// The transform in kernel form `V`, which the CPU is proved to have.
    pub(crate) fn run_on<V: Kernel<Scalar = F>>(
        &self,
        cpu: V::Cpu,
        transform: Transform<F>,
        values: &mut [F],
    ) -> Result<(), Error> {
        let schedule = Schedule::<V> {
            shape: self.shape,
            forward: &self.forward,
            inverse: &self.inverse,
            cpu,
        };
        self.run_passes(&schedule, transform, values)
    }

    fn run_passes(
        &self,
        passes: &impl Passes<F>,
        transform: Transform<F>,
        values: &mut [F],
    ) -> Result<(), Error> {
        self.check_len(values)?;
        let shape = passes.shape();
        match transform {
            Transform::Fft => {
                passes.dif(values, Direction::Forward, &Scale::none(shape));
                bit_reverse(values, self.log_size());
            }
            Transform::Ifft => {
                let scale = Scale::constant(self.size_inverse(), shape);
                passes.dif(values, Direction::Inverse, &scale);
                bit_reverse(values, self.log_size());
            }
            Transform::CosetFft(shift) => {
                check_shift(shift)?;
                bit_reverse(values, self.log_size());
                passes.dit(values, &Scale::powers(shift, F::ONE, shape));
            }
            Transform::CosetIfft(shift) => {
                let shift_inverse = shift.invert_vartime().ok_or(Error::ZeroShift)?;
                let scale = Scale::powers(shift_inverse, self.size_inverse(), shape);
                passes.dif(values, Direction::Inverse, &scale);
                bit_reverse(values, self.log_size());
            }
            Transform::ExtendToCoset(shift) => {
                check_shift(shift)?;
                let scale = Scale::powers(shift, self.size_inverse(), shape);
                passes.dif_then_dit(values, &scale);
            }
        }
        Ok(())
    }
}

/// Shifts are public.
fn check_shift<F: PrimeField>(shift: F) -> Result<(), Error> {
    if shift.is_zero_vartime() {
        Err(Error::ZeroShift)
    } else {
        Ok(())
    }
}
