//! Field elements as the innermost loops of batch algorithms see them: bound to one backend, reduced lazily.
//!
//! An ordinary element chooses the backend in every product and is reduced after every product, which costs about a
//! fifth of it. A kernel is generic over [`KernelField`] instead and is instantiated once per backend; the batch entry
//! above it chooses with [`dispatch_kernel!`](crate::dispatch_kernel). Holding a value proves that the CPU can do its
//! arithmetic.

mod loose;

use crate::Field;
use core::fmt::Debug;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Sub};
pub use frumious_limbs::adx::Adx;
use frumious_limbs::{Modulus, Prepared, modular, unrolled, words};
use frumious_simd::Prime;
pub use loose::Loose;

/// A ring for kernels. Values are congruent to those of `Scalar` but need not be reduced: compare after `store`.
pub trait KernelField: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// The public form.
    type Scalar: Field;
    /// The proof that this CPU can do the arithmetic.
    type Cpu: Copy + Send + Sync + 'static;

    /// The element in the kernel's form.
    fn load(cpu: Self::Cpu, value: Self::Scalar) -> Self;
    /// The reduced element.
    fn store(self) -> Self::Scalar;
    /// `self²`.
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    /// `2·self`.
    #[inline(always)]
    fn double(self) -> Self {
        self + self
    }
}

/// A ring for transforms, where one factor multiplies many values.
pub trait TransformField: KernelField {
    /// A factor, prepared for products.
    type Factor: Copy;

    /// Prepares a factor; pays from the third product on.
    fn factor(cpu: Self::Cpu, value: Self::Scalar) -> Self::Factor;
    /// The product.
    fn times(self, factor: &Self::Factor) -> Self;
}

/// A field whose elements lie in memory as `W` words of 64 bits, as residues below the modulus.
pub trait PackedWords<const W: usize>: Field {
    /// The Montgomery form in place.
    fn as_words(&self) -> &[u64; W];
    /// The Montgomery form in place, for kernels: what is written must be below the modulus.
    fn as_words_mut(&mut self) -> &mut [u64; W];
}

/// A prime field whose residues are four words with at least one spare bit, `2p < 2^256`; five limbs in lanes.
pub trait WordField: PackedWords<4> + Prime<5> {
    /// Elements as kernels compute with them: [`Lazy`] if there are two spare bits, [`Reduced`] if there is one.
    type Kernel<T: Multiplier>: KernelField<Scalar = Self, Cpu = T>;
    /// Elements as transforms compute with them: [`Loose`] if `p < 0.215·2^256`, else as in other kernels.
    type Transform<T: Multiplier>: TransformField<Scalar = Self, Cpu = T>;

    /// The modulus with its constants, in words.
    const MODULUS_64: &'static Modulus<4>;
    /// The Montgomery form, below the modulus.
    fn to_words(self) -> [u64; 4];
    /// The element of a Montgomery form below the modulus.
    fn from_words(words: [u64; 4]) -> Self;
}

/// How [`Lazy`] multiplies: a zero-sized proof that the CPU can.
pub trait Multiplier: Copy + Send + Sync + Debug + 'static {
    /// Montgomery product below `2p` of factors below `2p`, for `4p < 2^256`.
    fn mul_lazy(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4];

    /// Montgomery product below `3p` of factors below `3p`, for `p < 0.215·2^256`.
    fn mul_loose(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4];

    /// As [`Prepared::mul`].
    fn mul_prepared(
        self,
        a: &[u64; 4],
        factor: &Prepared<4>,
        modulus: &'static Modulus<4>,
    ) -> [u64; 4];

    /// Montgomery product of residues, reduced.
    fn mul(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4];

    /// Montgomery square of a residue, or of `a < 2p` for `4p < 2^256`, reduced.
    #[inline(always)]
    fn square(self, a: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        self.mul(a, a, modulus)
    }
}

/// Plain Rust.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Multiplier for Portable {
    #[inline(always)]
    fn mul_lazy(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        unrolled::mul_lazy(a, b, modular::in_memory(modulus))
    }

    #[inline(always)]
    fn mul_loose(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        unrolled::mul_lazy(a, b, modular::in_memory(modulus))
    }

    #[inline(always)]
    fn mul_prepared(
        self,
        a: &[u64; 4],
        factor: &Prepared<4>,
        modulus: &'static Modulus<4>,
    ) -> [u64; 4] {
        factor.mul(a, modular::in_memory(modulus))
    }

    #[inline(always)]
    fn mul(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        unrolled::mul(a, b, modular::in_memory(modulus))
    }

    #[inline(always)]
    fn square(self, a: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        unrolled::square(a, modular::in_memory(modulus))
    }
}

impl Multiplier for Adx {
    #[inline(always)]
    fn mul_lazy(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        Adx::mul_lazy(self, a, b, modulus)
    }

    #[inline(always)]
    fn mul_loose(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        Adx::mul_lazy(self, a, b, modulus)
    }

    #[inline(always)]
    fn mul_prepared(
        self,
        a: &[u64; 4],
        factor: &Prepared<4>,
        modulus: &'static Modulus<4>,
    ) -> [u64; 4] {
        Adx::mul_prepared(self, a, factor, modulus)
    }

    #[inline(always)]
    fn mul(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        Adx::mul(self, a, b, modulus)
    }

    #[inline(always)]
    fn square(self, a: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        Adx::square(self, a, modulus)
    }
}

/// The backend in use, asked for at every product: for single operations outside of kernels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dispatched;

impl Multiplier for Dispatched {
    #[inline(always)]
    fn mul_lazy(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        modulus.mul(a, b)
    }

    #[inline(always)]
    fn mul_loose(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        let twice = words::double(&modulus.p);
        let [a, b] = [a, b].map(|factor| modular::reduce_once(factor, &twice));
        modulus.mul(&a, &b)
    }

    #[inline(always)]
    fn mul_prepared(
        self,
        a: &[u64; 4],
        factor: &Prepared<4>,
        modulus: &'static Modulus<4>,
    ) -> [u64; 4] {
        factor.mul(a, modulus)
    }

    #[inline(always)]
    fn mul(self, a: &[u64; 4], b: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        modulus.mul(a, b)
    }

    #[inline(always)]
    fn square(self, a: &[u64; 4], modulus: &'static Modulus<4>) -> [u64; 4] {
        modulus.square(a)
    }
}

/// An element of `F` below `2p`, multiplied by `T`, for fields with two spare bits, `4p < 2^256`: products stay below
/// `2p`.
#[derive(Clone, Copy, Debug)]
pub struct Lazy<F, T> {
    words: [u64; 4],
    cpu: T,
    field: PhantomData<F>,
}

impl<F: WordField, T: Multiplier> Lazy<F, T> {
    const TWICE: [u64; 4] = {
        assert!(F::MODULUS_64.bits <= 254, "two spare bits");
        words::double(&F::MODULUS_64.p)
    };

    #[inline(always)]
    fn with(self, words: [u64; 4]) -> Self {
        debug_assert!(
            words::less_than_vartime(&words, &Self::TWICE),
            "kernel values stay below 2p"
        );
        Self { words, ..self }
    }
}

impl<F: WordField, T: Multiplier> KernelField for Lazy<F, T> {
    type Scalar = F;
    type Cpu = T;

    #[inline(always)]
    fn load(cpu: T, value: F) -> Self {
        Self {
            words: value.to_words(),
            cpu,
            field: PhantomData,
        }
    }

    #[inline(always)]
    fn store(self) -> F {
        F::from_words(modular::reduce_once(&self.words, &F::MODULUS_64.p))
    }

    #[inline(always)]
    fn square(self) -> Self {
        self.with(self.cpu.square(&self.words, F::MODULUS_64))
    }
}

impl<F: WordField, T: Multiplier> Add for Lazy<F, T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(modular::add(&self.words, &other.words, &Self::TWICE))
    }
}

impl<F: WordField, T: Multiplier> Sub for Lazy<F, T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(modular::sub(&self.words, &other.words, &Self::TWICE))
    }
}

impl<F: WordField, T: Multiplier> Mul for Lazy<F, T> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(self.cpu.mul_lazy(&self.words, &other.words, F::MODULUS_64))
    }
}

/// An element of `F` that is always reduced, multiplied by `T`: the form for fields with one spare bit.
#[derive(Clone, Copy, Debug)]
pub struct Reduced<F, T> {
    value: F,
    cpu: T,
}

impl<F: WordField, T: Multiplier> Reduced<F, T> {
    #[inline(always)]
    fn with(self, words: [u64; 4]) -> Self {
        Self {
            value: F::from_words(words),
            ..self
        }
    }
}

impl<F: WordField, T: Multiplier> KernelField for Reduced<F, T> {
    type Scalar = F;
    type Cpu = T;

    #[inline(always)]
    fn load(cpu: T, value: F) -> Self {
        Self { value, cpu }
    }

    #[inline(always)]
    fn store(self) -> F {
        self.value
    }

    #[inline(always)]
    fn square(self) -> Self {
        self.with(self.cpu.square(&self.value.to_words(), F::MODULUS_64))
    }
}

impl<F: WordField, T: Multiplier> TransformField for Reduced<F, T> {
    type Factor = Self;

    #[inline(always)]
    fn factor(cpu: T, value: F) -> Self {
        Self { value, cpu }
    }

    #[inline(always)]
    fn times(self, factor: &Self) -> Self {
        self * *factor
    }
}

impl<F: WordField, T: Multiplier> Add for Reduced<F, T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.value.to_words(), other.value.to_words());
        self.with(modular::add(&a, &b, &F::MODULUS_64.p))
    }
}

impl<F: WordField, T: Multiplier> Sub for Reduced<F, T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let (a, b) = (self.value.to_words(), other.value.to_words());
        self.with(modular::sub(&a, &b, &F::MODULUS_64.p))
    }
}

impl<F: WordField, T: Multiplier> Mul for Reduced<F, T> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.value.to_words(), other.value.to_words());
        self.with(self.cpu.mul(&a, &b, F::MODULUS_64))
    }
}

/// Runs `$body` with `$cpu` bound to the proof of the backend in use: once per backend in the program, chosen here.
#[macro_export]
macro_rules! dispatch_kernel {
    ($cpu:ident => $body:expr) => {
        match $crate::layers::limbs::backend::adx() {
            Some($cpu) => $body,
            None => {
                let $cpu = $crate::kernel::Portable;
                $body
            }
        }
    };
}
