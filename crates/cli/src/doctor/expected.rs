//! The speed that each backend should gain over the one before it.

use frumious_limbs::Backend;

use super::works::Kind;

/// A ratio that was measured where the code was written, by this self-test on 2026-11-21 with nothing else running. The
/// machine is virtual with a Zen 5 CPU, which multiplies two vectors of eight a cycle.
pub struct Expected {
    /// The backend that is compared with.
    pub slow: Backend,
    /// The backend that should be faster.
    pub fast: Backend,
    /// The ratio.
    pub ratio: f64,
}

/// Below this part of the ratio something is wrong, or the CPU is of another kind; above it, other work on the machine
/// explains it.
pub const TOLERANCE: f64 = 0.7;

/// The ratios expected of `kind`.
pub fn expected(kind: Kind) -> [Expected; 2] {
    let (adx, lanes) = match kind {
        Kind::Products => (1.3, 2.7),
        Kind::Fft => (1.0, 6.1),
        Kind::Msm => (1.1, 4.0),
        Kind::Commitments => (1.2, 4.0),
    };
    [
        Expected {
            slow: Backend::PORTABLE,
            fast: Backend::ADX,
            ratio: adx,
        },
        Expected {
            slow: Backend::ADX,
            fast: Backend::AVX512IFMA,
            ratio: lanes,
        },
    ]
}
