//! `Domain`: a subgroup of order 2^k with what its transforms need.

use crate::Error;
use crate::permute::bit_reverse;
use crate::schedule::{Shape, dif, dif_then_dit, dit};
use crate::twiddles::{Scale, Twiddles, square_times};
use frumious_field::PrimeField;

/// The subgroup `H` of order `n = 2^log_size` of a prime field's multiplicative group, and its transforms.
///
/// Its generator is `ROOT_OF_UNITY^(2^(TWO_ADICITY - log_size))`; for BN254 Fr these are the roots of snarkjs. Tables are
/// computed once, about `4·√n` elements (`3·n` up to `n = 2^12`), and shared: a `&Domain` serves any number of threads.
///
/// Transforms are in place, natural order in and out, in constant time in the values, and spread over the threads
/// of `frumious-parallel`; the result does not depend on their number. Each returns an error, with the values
/// untouched, if their number is not `n`.
#[derive(Clone, Debug)]
pub struct Domain<F: PrimeField> {
    shape: Shape,
    root: F,
    root_inverse: F,
    size_inverse: F,
    forward: Twiddles<F>,
    inverse: Twiddles<F>,
}

impl<F: PrimeField> Domain<F> {
    /// The domain of `2^log_size` elements. Cost: `O(√n)` products.
    ///
    /// Errors: [`Error::DomainTooLarge`] above the field's two-adicity (28 for BN254 Fr) or the address space.
    pub fn new(log_size: u32) -> Result<Self, Error> {
        let maximum = F::TWO_ADICITY.min(max_log_len::<F>());
        if log_size > maximum {
            return Err(Error::DomainTooLarge { log_size, maximum });
        }
        Ok(Self::with_shape(Shape::of(log_size)))
    }

    /// The domain whose transforms are cut as `shape` says; at most 2^`TWO_ADICITY` elements.
    pub(crate) fn with_shape(shape: Shape) -> Self {
        let Shape {
            log_rows,
            log_columns,
        } = shape;
        let log_size = log_rows + log_columns;
        let root = square_times(F::ROOT_OF_UNITY, F::TWO_ADICITY - log_size);
        let root_inverse = root
            .invert_vartime()
            .expect("a root of unity is invertible");
        let size_inverse = F::from_u64(1 << log_size)
            .invert_vartime()
            .expect("a power of two is not zero modulo an odd prime");
        Self {
            shape,
            root,
            root_inverse,
            size_inverse,
            forward: Twiddles::new(root, log_rows, log_columns),
            inverse: Twiddles::new(root_inverse, log_rows, log_columns),
        }
    }

    /// Binary logarithm of the number of elements.
    pub fn log_size(&self) -> u32 {
        self.shape.log_rows + self.shape.log_columns
    }

    /// Number of elements, `n`.
    pub fn size(&self) -> usize {
        1 << self.log_size()
    }

    /// The generator: `H` is its powers, in this order. Its order is exactly `n`.
    pub fn root(&self) -> F {
        self.root
    }

    /// `1/root`.
    pub fn root_inverse(&self) -> F {
        self.root_inverse
    }

    /// `1/n`.
    pub fn size_inverse(&self) -> F {
        self.size_inverse
    }

    /// Coefficients `c_i` → values `Σ c_i x^i` at `x = root^j`, `j = 0 … n-1`.
    ///
    /// Cost: at most `½·n·log n` products, three passes over memory.
    pub fn fft(&self, values: &mut [F]) -> Result<(), Error> {
        self.check_len(values)?;
        let unscaled = self.constant(F::ONE);
        dif(values, self.shape, &self.forward, &unscaled);
        bit_reverse(values, self.log_size());
        Ok(())
    }

    /// Values at `root^j` → coefficients; the inverse of [`fft`](Self::fft), at the same cost.
    pub fn ifft(&self, values: &mut [F]) -> Result<(), Error> {
        self.check_len(values)?;
        let scale = self.constant(self.size_inverse);
        dif(values, self.shape, &self.inverse, &scale);
        bit_reverse(values, self.log_size());
        Ok(())
    }

    /// Coefficients `c_i` → values `Σ c_i x^i` at `x = shift·root^j`.
    ///
    /// Errors: also [`Error::ZeroShift`]. Cost: that of [`fft`](Self::fft) and `n` products.
    pub fn coset_fft(&self, values: &mut [F], shift: F) -> Result<(), Error> {
        self.check_len(values)?;
        check_shift(shift)?;
        bit_reverse(values, self.log_size());
        let scale = self.powers(shift, F::ONE);
        dit(values, self.shape, &self.forward, &scale);
        Ok(())
    }

    /// Values at `shift·root^j` → coefficients; the inverse of [`coset_fft`](Self::coset_fft), at the same cost.
    pub fn coset_ifft(&self, values: &mut [F], shift: F) -> Result<(), Error> {
        self.check_len(values)?;
        let shift_inverse = shift.invert_vartime().ok_or(Error::ZeroShift)?;
        let scale = self.powers(shift_inverse, self.size_inverse);
        dif(values, self.shape, &self.inverse, &scale);
        bit_reverse(values, self.log_size());
        Ok(())
    }

    /// Values at `root^j` → values of the same polynomial (of degree less than `n`) at `shift·root^j`.
    ///
    /// The same as [`ifft`](Self::ifft), then [`coset_fft`](Self::coset_fft), but the coefficients stay in bit-reversed order between them:
    /// nothing is permuted, and memory is passed over three times in all.
    /// Errors: also [`Error::ZeroShift`]. Cost: at most `n·log n + n` products.
    pub fn extend_to_coset(&self, values: &mut [F], shift: F) -> Result<(), Error> {
        self.check_len(values)?;
        check_shift(shift)?;
        let scale = self.powers(shift, self.size_inverse);
        dif_then_dit(values, self.shape, &self.inverse, &self.forward, &scale);
        Ok(())
    }

    fn constant(&self, constant: F) -> Scale<F> {
        Scale::constant(constant, self.shape.log_rows)
    }

    fn powers(&self, base: F, constant: F) -> Scale<F> {
        Scale::powers(base, constant, self.shape.log_rows, self.shape.log_columns)
    }

    fn check_len(&self, values: &[F]) -> Result<(), Error> {
        if values.len() == self.size() {
            Ok(())
        } else {
            Err(Error::LengthMismatch {
                expected: self.size(),
                actual: values.len(),
            })
        }
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

/// Largest `k` for which 2^k elements can be addressed, a slice being at most `isize::MAX` bytes.
fn max_log_len<F>() -> u32 {
    (isize::MAX as usize / size_of::<F>()).ilog2()
}
