//! The speed that each backend should gain over the one it builds on, by kind of CPU.

use frumious_limbs::Backend;

use super::cpu::CpuKind;
use super::works::Kind;

/// A ratio that was measured, by this self-test on 2026-11-21 (Zen 5), 2026-11-23 (Zen 4) and 2026-11-29 (Emerald
/// Rapids), all virtual machines. That of doubles is of Zen 4 and of Emerald Rapids.
pub struct Expected {
    /// The backend that is compared with.
    pub slow: Backend,
    /// The backend that should be faster.
    pub fast: Backend,
    /// The ratio.
    pub ratio: f64,
}

/// Below this part of the ratio something is wrong; above it, other work on the machine explains it.
pub const TOLERANCE: f64 = 0.7;

/// The ratios expected of `kind`. CPUs that were not measured are held against Zen 4, whose lanes gain least.
pub fn expected(kind: Kind, cpu: CpuKind) -> [Expected; 3] {
    let (adx, lanes) = match (cpu, kind) {
        (CpuKind::Zen5, Kind::Products) => (1.3, 2.7),
        (CpuKind::Zen5, Kind::Fft) => (1.0, 6.1),
        (CpuKind::Zen5, Kind::Msm) => (1.1, 4.0),
        (CpuKind::Zen5, Kind::Commitments) => (1.2, 4.0),
        (CpuKind::GoldenCove, Kind::Products) => (1.2, 2.6),
        (CpuKind::GoldenCove, Kind::Fft) => (1.0, 3.3),
        (CpuKind::GoldenCove, Kind::Msm) => (1.1, 3.8),
        (CpuKind::GoldenCove, Kind::Commitments) => (1.2, 3.0),
        (CpuKind::Zen4 | CpuKind::Other, Kind::Products) => (1.2, 2.5),
        (CpuKind::Zen4 | CpuKind::Other, Kind::Fft) => (1.1, 4.1),
        (CpuKind::Zen4 | CpuKind::Other, Kind::Msm) => (1.1, 3.2),
        (CpuKind::Zen4 | CpuKind::Other, Kind::Commitments) => (1.2, 3.1),
    };
    [
        Expected {
            slow: Backend::PORTABLE,
            fast: Backend::ADX,
            ratio: adx,
        },
        Expected {
            slow: Backend::ADX,
            fast: Backend::AVX2FMA,
            ratio: 1.2, // from 1.18 to 1.25 on Zen 4, from 1.06 to 1.24 on Emerald Rapids
        },
        Expected {
            slow: Backend::ADX,
            fast: Backend::AVX512IFMA,
            ratio: lanes,
        },
    ]
}
