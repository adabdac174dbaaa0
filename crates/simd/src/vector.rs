//! The operations on eight 64-bit lanes that kernels are written in.

use core::fmt::Debug;

/// Number of lanes of a vector: eight, in every implementation.
pub const LANES: usize = 8;

/// The ways to compile the functions that kernels are made of. A kernel has thousands of operations: with all of them
/// in one function it is fastest, and takes the compiler most of a minute. Not exported, so that no other crate
/// implements [`Vector`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Into the kernel: the register, in a release.
    Inlined,
    /// As functions of their own: the model.
    Plain,
    /// As functions of their own, with the register's instructions: the register, in builds with debug assertions.
    WithInstructions,
}

/// Eight unsigned 64-bit numbers, `v[0]` to `v[7]`, with IFMA's two products.
///
/// Two types implement it: `Zmm`, a register with AVX-512 IFMA, and [`Model`](crate::Model), plain Rust that agrees
/// with it in every bit. A value proves that this CPU has the instructions, as only [`Vector::Cpu`] makes the first
/// one, so the operations are safe.
///
/// Every method here, and every function between it and the shell, must be `#[inline(always)]`. Compiled outside of a
/// shell an operation becomes a call through memory, still right and a hundred times slower.
pub trait Vector: Copy + Debug + 'static {
    /// The proof that this CPU can do the operations.
    type Cpu: Copy + Debug + Send + Sync + 'static;

    /// The way to compile carries, reductions and rows of products.
    const APART: Apart;

    /// The proof that this value was made with.
    fn cpu(self) -> Self::Cpu;
    /// `value` in every lane.
    fn splat(cpu: Self::Cpu, value: u64) -> Self;
    /// `values[i]` in lane i.
    fn load(cpu: Self::Cpu, values: &[u64; LANES]) -> Self;
    /// Lane i into `values[i]`.
    fn store(self, values: &mut [u64; LANES]);

    /// `self + low 52 bits of a·b`, modulo 2^64. Only the low 52 bits of `a` and of `b` are read.
    fn madd52lo(self, a: Self, b: Self) -> Self;
    /// `self + (a·b >> 52)`, modulo 2^64. Only the low 52 bits of `a` and of `b` are read.
    fn madd52hi(self, a: Self, b: Self) -> Self;
    /// `self + other` modulo 2^64.
    fn add(self, other: Self) -> Self;
    /// `self - other` modulo 2^64.
    fn sub(self, other: Self) -> Self;
    /// The bits that both have.
    fn and(self, other: Self) -> Self;
    /// The bits that either has.
    fn or(self, other: Self) -> Self;
    /// The bits that one of both has.
    fn xor(self, other: Self) -> Self;
    /// `self << bits` for `bits < 64`, a constant after inlining.
    fn shl(self, bits: u32) -> Self;
    /// `self >> bits`, filling with zeros, for `bits < 64`, a constant after inlining.
    fn shr(self, bits: u32) -> Self;
    /// `self >> bits`, filling with the sign, for `bits < 64`, a constant after inlining.
    fn sar(self, bits: u32) -> Self;

    /// The lanes that are zero.
    fn is_zero(self) -> Mask;
    /// The lanes whose highest bit is set.
    fn is_negative(self) -> Mask;
    /// `other` in the lanes of `mask`, `self` in the others.
    fn select(self, other: Self, mask: Mask) -> Self;
    /// Lane `(i + by) mod 8` in lane i.
    fn rotate(self, by: usize) -> Self;

    /// Transposes eight rows of four words: lane i of `out[j]` is `rows[i][j]`.
    fn load_rows_4(cpu: Self::Cpu, rows: [&[u64; 4]; LANES]) -> [Self; 4];
    /// Transposes eight rows of two words.
    fn load_rows_2(cpu: Self::Cpu, rows: [&[u64; 2]; LANES]) -> [Self; 2];
    /// The inverse of [`Vector::load_rows_4`].
    fn store_rows_4(columns: [Self; 4], rows: [&mut [u64; 4]; LANES]);
    /// The inverse of [`Vector::load_rows_2`].
    fn store_rows_2(columns: [Self; 2], rows: [&mut [u64; 2]; LANES]);
}

/// A set of lanes: bit i stands for lane i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask(pub u8);

impl Mask {
    /// No lane.
    pub const NONE: Self = Self(0);
    /// All lanes.
    pub const ALL: Self = Self(u8::MAX);

    /// True if no lane is in it.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if lane `i < 8` is in it.
    #[inline(always)]
    pub const fn contains(self, i: usize) -> bool {
        self.0 >> i & 1 == 1
    }
}

impl core::ops::BitAnd for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl core::ops::BitOr for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl core::ops::Not for Mask {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Work on vectors, whichever they are.
///
/// `run` and all that it calls must be `#[inline(always)]`, and it must not start threads: a closure spawned in it is
/// compiled without the instructions. Threads stay above, one `Ifma::run` for each chunk.
pub trait Kernel {
    /// Its result.
    type Output;

    /// Does the work with vectors `V`.
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output;
}
