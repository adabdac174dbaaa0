//! The vector operations in plain Rust: the model that the instructions are tested against.

use crate::vector::{Apart, Kernel, LANES, Mask, Vector};
use core::array::from_fn;
use core::hint::black_box;

/// Eight numbers with which every operation does, bit for bit, what the instruction does.
///
/// With it the kernels run on any machine, under valgrind and AddressSanitizer. It is a model for tests and no backend:
/// an emulated product takes several times as long as the scalar one. Its operations are deliberately not inlined, as
/// the hundreds of a kernel, times eight lanes, take minutes to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model([u64; LANES]);

impl Model {
    /// Does the work of `kernel` in plain Rust.
    pub fn run<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Self>(())
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn mask(self, f: impl Fn(u64) -> bool) -> Mask {
        Mask((0..LANES).fold(0, |mask, i| mask | u8::from(f(self.0[i])) << i))
    }
}

impl Vector for Model {
    type Cpu = ();
    type Factor = Self;
    const APART: Apart = Apart::Plain;

    #[inline(never)]
    fn cpu(self) {}

    #[inline(never)]
    fn splat((): (), value: u64) -> Self {
        Self([value; LANES])
    }

    #[inline(never)]
    fn load((): (), values: &[u64; LANES]) -> Self {
        Self(*values)
    }

    #[inline(never)]
    fn store(self, values: &mut [u64; LANES]) {
        *values = self.0;
    }

    #[inline(never)]
    fn madd52lo(self, a: Self, b: Self) -> Self {
        self.add(a.zip(b, |a, b| product52(a, b) as u64 & MASK_52))
    }

    #[inline(never)]
    fn madd52hi(self, a: Self, b: Self) -> Self {
        self.add(a.zip(b, |a, b| (product52(a, b) >> 52) as u64))
    }

    #[inline(always)]
    fn add_product(low: Self, high: Self, a: Self, b: Self) -> (Self, Self) {
        (low.madd52lo(a, b), high.madd52hi(a, b))
    }

    #[inline(always)]
    fn low_product(a: Self, b: Self) -> Self {
        Self([0; LANES]).madd52lo(a, b)
    }

    #[inline(always)]
    fn to_factor(self) -> Self {
        self
    }

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }

    #[inline(never)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(never)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(never)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(never)]
    fn shl(self, bits: u32) -> Self {
        Self(self.0.map(|a| a << bits))
    }

    #[inline(never)]
    fn shr(self, bits: u32) -> Self {
        Self(self.0.map(|a| a >> bits))
    }

    #[inline(never)]
    fn sar(self, bits: u32) -> Self {
        Self(self.0.map(|a| (a.cast_signed() >> bits).cast_unsigned()))
    }

    #[inline(never)]
    fn is_zero(self) -> Mask {
        self.mask(|a| a == 0)
    }

    #[inline(never)]
    fn is_negative(self) -> Mask {
        self.mask(|a| a >> 63 == 1)
    }

    #[inline(never)]
    fn select(self, other: Self, mask: Mask) -> Self {
        // By masks that the compiler knows nothing of: as addresses they would show in the constant-time run.
        Self(from_fn(|i| {
            let all_or_none = black_box(u64::from(mask.contains(i)).wrapping_neg());
            self.0[i] ^ (self.0[i] ^ other.0[i]) & all_or_none
        }))
    }

    #[inline(never)]
    fn rotate(self, by: usize) -> Self {
        Self(from_fn(|i| self.0[(i + by) % LANES]))
    }

    #[inline(never)]
    fn load_rows_4((): (), rows: [&[u64; 4]; LANES]) -> [Self; 4] {
        from_fn(|j| Self(rows.map(|row| row[j])))
    }

    #[inline(never)]
    fn load_rows_2((): (), rows: [&[u64; 2]; LANES]) -> [Self; 2] {
        from_fn(|j| Self(rows.map(|row| row[j])))
    }

    #[inline(never)]
    fn store_rows_4(columns: [Self; 4], rows: [&mut [u64; 4]; LANES]) {
        for (i, row) in rows.into_iter().enumerate() {
            *row = columns.map(|column| column.0[i]);
        }
    }

    #[inline(never)]
    fn store_rows_2(columns: [Self; 2], rows: [&mut [u64; 2]; LANES]) {
        for (i, row) in rows.into_iter().enumerate() {
            *row = columns.map(|column| column.0[i]);
        }
    }
}

/// The product that both instructions take their half of: operands lose what is above 52 bits.
fn product52(a: u64, b: u64) -> u128 {
    u128::from(a & MASK_52) * u128::from(b & MASK_52)
}

const MASK_52: u64 = (1 << 52) - 1;
