//! Where there is no AVX2: a token that nothing makes, so that callers need no condition of their own.

use crate::vector::Kernel;

/// Proof of AVX2 and FMA, which this architecture has not.
#[derive(Clone, Copy, Debug)]
pub enum Fma {}

impl Fma {
    /// None.
    pub fn detect() -> Option<Self> {
        None
    }

    /// Never called.
    pub fn run<K: Kernel>(self, _: K) -> K::Output {
        match self {}
    }
}
