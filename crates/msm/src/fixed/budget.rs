//! From an amount of memory to tables.

use super::group::FixedGroup;
use super::{Digits, Error, Order, Strategy};

/// An amount of memory for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    mib: usize,
}

/// Budgets with names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// 8 MiB.
    Verifier,
    /// 32 MiB.
    Small,
    /// 128 MiB.
    Default,
    /// 334 MiB, what go-ipa takes.
    Full,
}

impl Budget {
    /// That many MiB.
    pub const fn mib(mib: usize) -> Self {
        Self { mib }
    }

    /// The tables.
    pub fn strategies<G: FixedGroup>(&self, points: usize) -> Result<Vec<Strategy>, Error> {
        let _ = points;
        let comb = |bits, order| Strategy::Comb {
            rounds: 253,
            bits,
            digits: Digits::Signed { order },
        };
        if self.mib < 64 {
            return Ok(vec![comb(12, Order::Consecutive)]);
        }
        Ok(vec![
            Strategy::Windows {
                points: 5,
                count: 18,
            },
            Strategy::Windows {
                points: 256,
                count: 37,
            },
            comb(16, Order::Consecutive),
            comb(16, Order::Strided),
        ])
    }
}

impl From<Preset> for Budget {
    fn from(preset: Preset) -> Self {
        Self::mib(match preset {
            Preset::Verifier => 8,
            Preset::Small => 32,
            Preset::Default => 128,
            Preset::Full => 334,
        })
    }
}
