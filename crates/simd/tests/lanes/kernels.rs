//! The kernels of the crate against the scalar arithmetic.

use crate::fields::{Field, block, edges, lane, modulus, scalar_product, words};
use frumious_simd::kernels::{BlockProducts, Products, SquareChains};
use frumious_simd::{Block, LANES, Model};
use num_bigint::BigUint;

/// Calls `check` with what runs a kernel: over the model, and over registers where the CPU has them.
macro_rules! on_both {
    ($run:ident => $check:block) => {{
        macro_rules! $run {
            ($kernel:expr) => {
                Model::run($kernel)
            };
        }
        $check
    }
    for unit in frumious_simd::Unit::all() {
        macro_rules! $run {
            ($kernel:expr) => {
                unit.run($kernel)
            };
        }
        $check
    }};
}

fn products_of_any_length<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let a: Vec<[u64; W]> = edges(&p, &p).iter().map(words).collect();
    let b: Vec<[u64; W]> = a.iter().rev().copied().collect();
    for length in (0..20).chain([a.len()]) {
        let (a, b) = (&a[..length], &b[..length]);
        let expected: Vec<_> = a
            .iter()
            .zip(b)
            .map(|(a, b)| scalar_product::<P, L, W>(a, b))
            .collect();
        on_both!(run => {
            let mut out = vec![[u64::MAX; W]; length];
            run!(Products::<P, L, W>::new(a, b, &mut out));
            assert_eq!(out, expected, "{length} products");
        });
    }
}

fn products_and_chains_of_blocks<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let r_inv = (BigUint::from(1u8) << (52 * L))
        .modinv(&p)
        .expect("R is prime to p");
    let numbers = edges(&p, &(&p * 2u8));
    let blocks: Vec<Block<L>> = numbers.as_chunks::<LANES>().0.iter().map(block).collect();
    on_both!(run => {
        let mut products = blocks.clone();
        run!(BlockProducts::<P, L>::new(&mut products, &blocks));
        let mut powers = blocks.clone();
        run!(SquareChains::<P, L, 4>::new(&mut powers, 11));
        let mut alone = blocks.clone();
        run!(SquareChains::<P, L, 1>::new(&mut alone, 11));
        assert_eq!(powers, alone, "side by side or alone");
        for (i, number) in numbers.iter().enumerate() {
            let (product, power) = (lane(&products[i / LANES], i % LANES), lane(&powers[i / LANES], i % LANES));
            assert!(product < &p * 2u8 && power < &p * 2u8);
            assert_eq!(product % &p, number * number * &r_inv % &p);
            let exponent = BigUint::from(2048u32);
            let expected = number.modpow(&exponent, &p) * r_inv.modpow(&(exponent - 1u8), &p) % &p;
            assert_eq!(power % &p, expected);
        }
    });
}

#[test]
#[should_panic(expected = "one length")]
fn products_refuse_different_lengths() {
    let (a, b) = ([[0; 4]; 3], [[0; 4]; 2]);
    Model::run(Products::<crate::fields::Bn254Fq, 5, 4>::new(
        &a,
        &b,
        &mut [[0; 4]; 3],
    ));
}

mod fields_of {
    crate::fields::each_field!(products_of_any_length, products_and_chains_of_blocks);
}
