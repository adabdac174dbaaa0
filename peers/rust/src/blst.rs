//! blst: products in the base field of BLS12-381, the best scalar code for it.

#![allow(unsafe_code)] // its functions are C

use blst::{blst_fp, blst_fp_mul};

use crate::inputs::{STREAM_A, STREAM_B, residues_381, sum_of_residues};
use crate::row::{Row, Table};

/// All rows: independent products. Its forms for lanes and for arrays are the same loop, as it has no other.
pub fn table() -> Table {
    let mut table = Table::new();
    for id in ["bls12.fq.mul.lanes", "bls12.fq.mul.array"] {
        table.add(id, products);
    }
    table
}

/// Each pass pairs the elements anew, as in [`crate::field::throughput`].
fn products(n: usize) -> Row {
    let (a, b) = (draw(STREAM_A, n), draw(STREAM_B, n));
    let once: Vec<[u64; 6]> = a.iter().zip(&b).map(|(a, b)| multiply(a, b).l).collect();
    let (twice, mut shift) = ([&b[..], &b[..]].concat(), 0);
    let mut out = vec![blst_fp::default(); n];
    Row::new(n, move || {
        for ((out, a), b) in out.iter_mut().zip(&a).zip(&twice[shift..shift + n]) {
            *out = multiply(a, b);
        }
        std::hint::black_box(&mut out);
        shift = (shift + 1) % n;
    })
    .with_check(move || sum_of_residues(&once))
}

fn draw(stream: u64, n: usize) -> Vec<blst_fp> {
    residues_381(stream, n)
        .into_iter()
        .map(|l| blst_fp { l })
        .collect()
}

#[inline(always)]
fn multiply(a: &blst_fp, b: &blst_fp) -> blst_fp {
    let mut product = blst_fp::default();
    // SAFETY: three references to reduced residues; the function reads two and writes the third.
    unsafe { blst_fp_mul(&mut product, a, b) };
    product
}
