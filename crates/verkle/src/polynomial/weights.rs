//! Constants of the domain 0..255, computed at the first use.

use super::{DOMAIN, Values};
use frumious_curves::bandersnatch::Fr;
use frumious_field::batch_invert_vartime;
use std::sync::OnceLock;

/// Constants of the domain.
pub(crate) struct Weights {
    /// `A'(i) = Π (i - j)` over `j ≠ i`, which is `(-1)^(255-i)·i!·(255-i)!`.
    pub(crate) derivatives: Values,
    /// `1/A'(i)`.
    pub(crate) inverse_derivatives: Values,
    /// `1/k` at `k + 255`, for `-255 <= k <= 255`; zero for `k = 0`.
    inverses: [Fr; 2 * DOMAIN - 1],
}

impl Weights {
    /// The constants.
    pub(crate) fn get() -> &'static Self {
        // Not a `LazyLock`, which a panic by cancellation poisons.
        static WEIGHTS: OnceLock<Box<Weights>> = OnceLock::new();
        WEIGHTS.get_or_init(|| Box::new(Weights::compute()))
    }

    /// `1/(i - point)` for each `i` of the domain, and zero at the point.
    pub(crate) fn inverse_differences(&self, point: usize) -> &[Fr] {
        &self.inverses[DOMAIN - 1 - point..][..DOMAIN]
    }

    fn compute() -> Self {
        let integers: [Fr; DOMAIN] = core::array::from_fn(|i| Fr::from_u64(i as u64));
        let mut factorials = [Fr::ONE; DOMAIN];
        for i in 1..DOMAIN {
            factorials[i] = factorials[i - 1] * integers[i];
        }
        let derivatives = core::array::from_fn(|i| {
            let magnitude = factorials[i] * factorials[DOMAIN - 1 - i];
            if i % 2 == 1 { magnitude } else { -magnitude }
        });
        let mut scratch = Vec::new();
        let mut inverse_derivatives = derivatives;
        batch_invert_vartime(&mut inverse_derivatives, &mut scratch);
        let mut positive = integers;
        batch_invert_vartime(&mut positive, &mut scratch);
        let inverses = core::array::from_fn(|i| {
            if i < DOMAIN {
                -positive[DOMAIN - 1 - i]
            } else {
                positive[i + 1 - DOMAIN]
            }
        });
        Self {
            derivatives,
            inverse_derivatives,
            inverses,
        }
    }
}
