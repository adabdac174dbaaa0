//! The simplest kernels: element-wise products, squares and powers. Examples of the form, and what is measured.

use crate::block::Block;
use crate::lanes::Lanes;
use crate::modulus::Prime;
use crate::vector::{Kernel, LANES, Vector};
use core::marker::PhantomData;

/// `out[i] = a[i]·b[i]` for elements in packed form, of the field of `P`: three slices of one length, any length.
///
/// One factor comes into lane form and the other stays packed, so the product is packed already: no change of
/// radix after it.
#[derive(Debug)]
pub struct Products<'a, P, const L: usize, const W: usize> {
    a: &'a [[u64; W]],
    b: &'a [[u64; W]],
    out: &'a mut [[u64; W]],
    prime: PhantomData<P>,
}

impl<'a, P: Prime<L>, const L: usize, const W: usize> Products<'a, P, L, W> {
    /// The products of `a` and `b` into `out`.
    ///
    /// # Panics
    /// Unless all have one length.
    pub fn new(a: &'a [[u64; W]], b: &'a [[u64; W]], out: &'a mut [[u64; W]]) -> Self {
        assert!(a.len() == b.len() && a.len() == out.len(), "one length");
        Self {
            a,
            b,
            out,
            prime: PhantomData,
        }
    }
}

impl<P: Prime<L>, const L: usize, const W: usize> Kernel for Products<'_, P, L, W> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let (a, a_rest) = self.a.as_chunks::<LANES>();
        let (b, b_rest) = self.b.as_chunks::<LANES>();
        let (out, out_rest) = self.out.as_chunks_mut::<LANES>();
        for ((a, b), out) in a.iter().zip(b).zip(out) {
            multiply_rows::<P, V, L, W>(cpu, a.each_ref(), b.each_ref(), out.each_mut());
        }
        if !out_rest.is_empty() {
            let zero = [0; W];
            let mut unused = [[0; W]; LANES];
            let (mut a, mut b) = ([&zero; LANES], [&zero; LANES]);
            let mut out = unused.each_mut();
            a.iter_mut().zip(a_rest).for_each(|(row, rest)| *row = rest);
            b.iter_mut().zip(b_rest).for_each(|(row, rest)| *row = rest);
            out.iter_mut()
                .zip(out_rest)
                .for_each(|(row, rest)| *row = rest);
            multiply_rows::<P, V, L, W>(cpu, a, b, out);
        }
    }
}

#[inline(always)]
fn multiply_rows<P: Prime<L>, V: Vector, const L: usize, const W: usize>(
    cpu: V::Cpu,
    a: [&[u64; W]; LANES],
    b: [&[u64; W]; LANES],
    out: [&mut [u64; W]; LANES],
) {
    let a = Lanes::<P, V, L>::load_packed(cpu, a); // a·R below 2^s·p
    let b = Lanes::<P, V, L>::load_words::<W, 1>(cpu, b); // b·2^(64W) below p
    (a * b).reduce().store_words(out);
}

/// `a[i] = a[i]·b[i]/R` for numbers in lane form below `2p`: two slices of one length.
#[derive(Debug)]
pub struct BlockProducts<'a, P, const L: usize> {
    a: &'a mut [Block<L>],
    b: &'a [Block<L>],
    prime: PhantomData<P>,
}

impl<'a, P: Prime<L>, const L: usize> BlockProducts<'a, P, L> {
    /// The products of `a` and `b` into `a`.
    ///
    /// # Panics
    /// Unless both have one length.
    pub fn new(a: &'a mut [Block<L>], b: &'a [Block<L>]) -> Self {
        assert!(a.len() == b.len(), "one length");
        Self {
            a,
            b,
            prime: PhantomData,
        }
    }
}

impl<P: Prime<L>, const L: usize> Kernel for BlockProducts<'_, P, L> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let product =
                Lanes::<P, V, L>::load_block::<2>(cpu, a) * Lanes::load_block::<2>(cpu, b);
            product.store_block(a);
        }
    }
}

/// `a[i] = a[i]^(2^count)` for numbers in lane form below `2p`, by chains of squares, `G` blocks side by side: a chain
/// alone waits for each square. The CPU does not look as far ahead as the next chain. Two keep all accumulators of five
/// limbs in registers and are fastest. They take 1.5 ns a square, where one takes 2.4 and four take 1.7 (Zen 5).
#[derive(Debug)]
pub struct SquareChains<'a, P, const L: usize, const G: usize> {
    a: &'a mut [Block<L>],
    count: u32,
    prime: PhantomData<P>,
}

impl<'a, P: Prime<L>, const L: usize, const G: usize> SquareChains<'a, P, L, G> {
    /// The powers of `a`, for `count > 0`, into `a`.
    pub fn new(a: &'a mut [Block<L>], count: u32) -> Self {
        Self {
            a,
            count,
            prime: PhantomData,
        }
    }
}

impl<P: Prime<L>, const L: usize, const G: usize> Kernel for SquareChains<'_, P, L, G> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let (groups, rest) = self.a.as_chunks_mut::<G>();
        for group in groups {
            let mut powers = [Lanes::<P, V, L>::zero(cpu); G];
            for g in 0..G {
                powers[g] = Lanes::load_block::<2>(cpu, &group[g]);
            }
            for _ in 0..self.count {
                for power in &mut powers {
                    *power = power.square();
                }
            }
            for g in 0..G {
                powers[g].store_block(&mut group[g]);
            }
        }
        for block in rest {
            Lanes::<P, V, L>::load_block::<2>(cpu, block)
                .square_repeated(self.count)
                .store_block(block);
        }
    }
}
