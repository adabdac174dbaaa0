//! Products in vector lanes, eight elements each, in the form that kernels keep them in: what the lanes' arithmetic
//! alone can do. With other backends than `avx512ifma` the scalar product stands in these rows.

use std::hint::black_box;

use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fq, Fr};
use frumious_field::lanes;
use frumious_simd::kernels::{BlockProducts, Products};
use frumious_simd::{Block, Ifma, Kernel, LANES, Lanes, Prime, Unit, Vector};

use crate::field::{BenchField, draw};
use crate::inputs::{STREAM_A, STREAM_B, residues_381, sum_of_residues};
use crate::row::{Row, Table};

/// Adds the rows.
pub fn add_rows(table: &mut Table) {
    let Some(Unit::Avx512Ifma(cpu)) = lanes::active() else {
        table.add("bls12.fq.mul.lanes", scalar_row);
        table.add("bls12.fq.mul.array", scalar_row);
        return; // the other rows are among those of the fields
    };
    table.add("fq.mul.lanes", move |n| field_row::<Fq>(cpu, n));
    table.add("fr.mul.lanes", move |n| field_row::<Fr>(cpu, n));
    table.add("bls12.fq.mul.lanes", move |n| {
        let (a, b) = (residues_381(STREAM_A, n), residues_381(STREAM_B, n));
        let packed = in_packed_form::<bls12_381::Fq, 8, 6>(cpu, &a, &b);
        row::<bls12_381::Fq, 8, 6>(cpu, &a, &b).with_check(move || sum_of_residues(&packed))
    });
    table.add("bls12.fq.mul.array", move |n| {
        let (a, b) = (residues_381(STREAM_A, n), residues_381(STREAM_B, n));
        let mut out = vec![[0; 6]; n];
        let packed = in_packed_form::<bls12_381::Fq, 8, 6>(cpu, &a, &b);
        Row::new(n, move || {
            cpu.run(Products::<bls12_381::Fq, 8, 6>::new(&a, &b, &mut out))
        })
        .with_check(move || sum_of_residues(&packed))
    });
}

/// Products of the base field of BLS12-381 one by one, paired anew in each pass.
fn scalar_row(n: usize) -> Row {
    let draw = |stream| -> Vec<bls12_381::Fq> {
        let reduced =
            |words| bls12_381::Fq::from_montgomery_limbs(words).expect("below the modulus");
        residues_381(stream, n).into_iter().map(reduced).collect()
    };
    let (a, b) = (draw(STREAM_A), draw(STREAM_B));
    let products: Vec<_> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| a.mul(b).to_montgomery_limbs())
        .collect();
    let (twice, mut shift) = ([&b[..], &b[..]].concat(), 0);
    let mut out = a.clone();
    Row::new(n, move || {
        for ((out, a), b) in out.iter_mut().zip(&a).zip(&twice[shift..shift + n]) {
            *out = a.mul(b);
        }
        black_box(&mut out);
        shift = (shift + 1) % n;
    })
    .with_check(move || sum_of_residues(&products))
}

/// Products of a field of ours.
fn field_row<F: BenchField + Prime<5> + frumious_field::WordField>(cpu: Ifma, n: usize) -> Row {
    let words = |stream| {
        draw::<F>(stream, n)
            .iter()
            .map(|value| *value.as_words())
            .collect::<Vec<_>>()
    };
    let (a, b) = (words(STREAM_A), words(STREAM_B));
    let product = in_packed_form::<F, 5, 4>(cpu, &a, &b);
    row::<F, 5, 4>(cpu, &a, &b).with_check(move || {
        let sum = product.iter().fold(F::zero(), |sum, words| {
            let mut value = F::zero();
            *value.as_words_mut() = *words;
            BenchField::add(&sum, &value)
        });
        sum.to_hex()
    })
}

/// `n` products in lane form, in place: `a ← a·b`, a multiple of eight.
fn row<P: Prime<L>, const L: usize, const W: usize>(
    cpu: Ifma,
    a: &[[u64; W]],
    b: &[[u64; W]],
) -> Row {
    let (mut a, b) = (blocks::<P, L, W>(cpu, a), blocks::<P, L, W>(cpu, b));
    Row::new(a.len() * LANES, move || {
        cpu.run(BlockProducts::<P, L>::new(&mut a, &b))
    })
}

/// The products once, by the same kernel, packed again.
fn in_packed_form<P: Prime<L>, const L: usize, const W: usize>(
    cpu: Ifma,
    a: &[[u64; W]],
    b: &[[u64; W]],
) -> Vec<[u64; W]> {
    let (mut a, b) = (blocks::<P, L, W>(cpu, a), blocks::<P, L, W>(cpu, b));
    cpu.run(BlockProducts::<P, L>::new(&mut a, &b));
    let mut out = vec![[0; W]; a.len() * LANES];
    cpu.run(Unload::<P, L, W>(&a, &mut out, std::marker::PhantomData));
    out
}

fn blocks<P: Prime<L>, const L: usize, const W: usize>(
    cpu: Ifma,
    packed: &[[u64; W]],
) -> Vec<Block<L>> {
    assert!(packed.len().is_multiple_of(LANES), "whole vectors");
    let mut blocks = vec![Block([[0; LANES]; L]); packed.len() / LANES];
    cpu.run(Load::<P, L, W>(
        packed,
        &mut blocks,
        std::marker::PhantomData,
    ));
    blocks
}

/// Packed elements into lane form.
struct Load<'a, P, const L: usize, const W: usize>(
    &'a [[u64; W]],
    &'a mut [Block<L>],
    std::marker::PhantomData<P>,
);

impl<P: Prime<L>, const L: usize, const W: usize> Kernel for Load<'_, P, L, W> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        for (eight, block) in self.0.as_chunks::<LANES>().0.iter().zip(self.1) {
            Lanes::<P, V, L>::load_packed(cpu, eight.each_ref())
                .reduce_weakly()
                .store_block(block);
        }
    }
}

/// The way back.
struct Unload<'a, P, const L: usize, const W: usize>(
    &'a [Block<L>],
    &'a mut [[u64; W]],
    std::marker::PhantomData<P>,
);

impl<P: Prime<L>, const L: usize, const W: usize> Kernel for Unload<'_, P, L, W> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        for (block, eight) in self.0.iter().zip(self.1.as_chunks_mut::<LANES>().0) {
            Lanes::<P, V, L>::load_block::<2>(cpu, block).store_packed(eight.each_mut());
        }
    }
}
