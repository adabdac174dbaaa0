//! Which vectors a kernel runs over: algorithms hold a [`Unit`] and name no instruction set.
//!
//! A further set of instructions is a `Vector`, a token like [`Ifma`], and a variant here. Whoever runs kernels is the
//! same for all.

use crate::cpu;
use crate::fma::Fma;
use crate::ifma::Ifma;
use crate::model::Model;
use crate::vector::Kernel;

/// Runs kernels over vectors of one kind. For algorithms that keep it between batches; [`Unit`] is the one to ask for.
pub trait Runner: Copy + Send + Sync + 'static {
    /// Does the work of `kernel`: one call of a function compiled for the vectors. It is worth it for batches of some
    /// hundred products, not for one.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
}

/// A vector unit that this CPU has. It holds the proof.
#[derive(Clone, Copy, Debug)]
pub enum Unit {
    /// Eight lanes in a register of AVX-512, with IFMA's products (Intel since Ice Lake, AMD since Zen 4).
    Avx512Ifma(Ifma),
    /// Eight lanes in two registers of AVX2, with products by doubles and FMA (Intel since Haswell, AMD since Zen).
    Avx2Fma(Fma),
}

/// The kinds of [`Unit`], by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum UnitKind {
    /// [`Unit::Avx512Ifma`].
    Avx512Ifma = 1,
    /// [`Unit::Avx2Fma`].
    Avx2Fma = 2,
}

impl UnitKind {
    /// All kinds, the fastest first.
    pub const ALL: [Self; 2] = [Self::Avx512Ifma, Self::Avx2Fma];

    /// The unit, if this CPU has it.
    #[inline]
    pub fn detect(self) -> Option<Unit> {
        match self {
            Self::Avx512Ifma => Ifma::detect().map(Unit::Avx512Ifma),
            Self::Avx2Fma => Fma::detect().map(Unit::Avx2Fma),
        }
    }
}

impl UnitKind {
    /// True if this CPU, which has the unit, is known to be faster with it than without.
    pub fn is_worth_it(self) -> bool {
        match self {
            Self::Avx512Ifma => true,
            Self::Avx2Fma => cpu::has_fast_doubles(),
        }
    }
}

impl Unit {
    /// The units of this CPU, the fastest first; for tests.
    pub fn all() -> impl Iterator<Item = Self> {
        UnitKind::ALL.into_iter().filter_map(UnitKind::detect)
    }

    /// As [`Runner::run`].
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Avx512Ifma(cpu) => cpu.run(kernel),
            Self::Avx2Fma(cpu) => cpu.run(kernel),
        }
    }
}

impl Runner for Unit {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        Self::run(self, kernel)
    }
}

/// Runs kernels over the [`Model`]; for tests.
#[derive(Clone, Copy, Debug)]
pub struct OnModel;

impl Runner for OnModel {
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        Model::run(kernel)
    }
}
