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
    /// As functions of their own, with AVX-512 IFMA: its register, in builds with debug assertions.
    WithIfma,
    /// As functions of their own, with AVX2 and FMA: its registers, in builds with debug assertions.
    WithFma,
}

/// Eight unsigned 64-bit numbers, `v[0]` to `v[7]`, with IFMA's two products.
///
/// Three types implement it: `Zmm`, a register with AVX-512 IFMA; `Ymms`, two registers of AVX2 with products by
/// doubles; and [`Model`](crate::Model), plain Rust. All agree in every bit but in [`Vector::add_product`]. A value
/// proves that this CPU has the instructions, as only [`Vector::Cpu`] makes the first one, so the operations are safe.
///
/// Every method here, and every function between it and the shell, must be `#[inline(always)]`. Compiled outside of a
/// shell an operation becomes a call through memory, still right and a hundred times slower.
pub trait Vector: Copy + Debug + 'static {
    /// The proof that this CPU can do the operations.
    type Cpu: Copy + Debug + Send + Sync + 'static;
    /// A number below 2^52 as [`Vector::add_product`] takes it.
    type Factor: Copy;

    /// The way to compile carries, reductions and rows of products.
    const APART: Apart;
    /// The way to compile whole products.
    const PRODUCTS: Apart = Self::APART;

    /// True if a product's two parts are found together, and the low one has a sign: by doubles.
    const PAIRED: bool = false;
    /// What [`Vector::add_product`] adds to each low part, modulo 2^64: 0 unless the parts are in doubles.
    const LOW_EXPONENT: u64 = 0;
    /// As [`Vector::LOW_EXPONENT`], of the high part.
    const HIGH_EXPONENT: u64 = 0;

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
    /// `low + l + LOW_EXPONENT` and `high + h + HIGH_EXPONENT` modulo 2^64, with `a·b = l + 2^52·h` and
    /// `-2^51 ≤ l < 2^52`.
    fn add_product(low: Self, high: Self, a: Self::Factor, b: Self::Factor) -> (Self, Self);
    /// The low 52 bits of `a·b`, as a factor.
    fn low_product(a: Self::Factor, b: Self::Factor) -> Self::Factor;
    /// Numbers below 2^52 as factors.
    fn to_factor(self) -> Self::Factor;
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

/// A local variable of this type, with an address that others may know, has the compiler align the stack to it. It does
/// not for the registers that it spills. Those would lie across two cache lines each, or not, as the caller's stack
/// happens to be. Kernels that spill would take up to twice the time.
#[repr(align(64))]
pub(crate) struct Line(#[allow(dead_code)] pub(crate) u8);

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
