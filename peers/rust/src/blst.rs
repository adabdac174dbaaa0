//! blst: BLS12-381. Its functions for single operations have one form each, of constant time.

#![allow(unsafe_code)] // its functions are C

use std::ptr;

use blst::min_pk::{PublicKey, SecretKey, Signature};
use blst::*;

use crate::bls12_381::{TAG_G1, TAG_G2, messages};
use crate::field::{self, BenchField, twisted};
use crate::inputs::{
    STREAM_A, STREAM_B, STREAM_POINTS, SplitMix, bytes_of, chain, hex, hex_bytes, integers,
    residues_381, sum_of_residues,
};
use crate::row::{Row, Table, for_each_kept};

// SAFETY of all calls: C functions that read and write values behind references of their own types, of which they keep nothing.

macro_rules! bench_field {
    ($field:ident, $words:literal, $from:ident, $to:ident, $add:ident, $sub:ident, $neg:ident, $mul:ident, $square:ident, $invert:ident, $sqrt:expr) => {
        impl BenchField for $field {
            fn from_words(words: [u64; 4]) -> Self {
                $from(words)
            }
            fn to_hex(&self) -> String {
                $to(self)
            }
            fn zero() -> Self {
                Self::default()
            }
            #[inline(always)]
            fn add(a: &Self, b: &Self) -> Self {
                let mut out = Self::default();
                unsafe { $add(&mut out, a, b) };
                out
            }
            #[inline(always)]
            fn sub(a: &Self, b: &Self) -> Self {
                let mut out = Self::default();
                unsafe { $sub(&mut out, a, b) };
                out
            }
            #[inline(always)]
            fn neg(a: &Self) -> Self {
                let mut out = Self::default();
                unsafe { $neg(&mut out, a, true) };
                out
            }
            #[inline(always)]
            fn mul(a: &Self, b: &Self) -> Self {
                let mut out = Self::default();
                unsafe { $mul(&mut out, a, b) };
                out
            }
            #[inline(always)]
            fn square(a: &Self) -> Self {
                let mut out = Self::default();
                unsafe { $square(&mut out, a) };
                out
            }
            #[inline(always)]
            fn invert(a: &Self) -> Self {
                let mut out = Self::default();
                unsafe { $invert(&mut out, a) };
                out
            }
            #[inline(always)]
            fn invert_vartime(a: &Self) -> Self {
                Self::invert(a)
            }
            #[inline(always)]
            fn sqrt(a: &Self) -> Self {
                $sqrt(a)
            }
            fn batch_invert(_values: &mut [Self]) {
                unimplemented!("it has none");
            }
        }
    };
}

bench_field!(
    blst_fp,
    6,
    fp,
    hex_fp,
    blst_fp_add,
    blst_fp_sub,
    blst_fp_cneg,
    blst_fp_mul,
    blst_fp_sqr,
    blst_fp_eucl_inverse,
    |a| {
        let mut out = blst_fp::default();
        assert!(unsafe { blst_fp_sqrt(&mut out, a) }, "a square");
        out
    }
);
bench_field!(
    blst_fp2,
    12,
    fp2,
    hex_fp2,
    blst_fp2_add,
    blst_fp2_sub,
    blst_fp2_cneg,
    blst_fp2_mul,
    blst_fp2_sqr,
    blst_fp2_eucl_inverse,
    |a| {
        let mut out = blst_fp2::default();
        assert!(unsafe { blst_fp2_sqrt(&mut out, a) }, "a square");
        out
    }
);
bench_field!(
    blst_fr,
    4,
    fr,
    hex_fr,
    blst_fr_add,
    blst_fr_sub,
    blst_fr_cneg,
    blst_fr_mul,
    blst_fr_sqr,
    blst_fr_eucl_inverse,
    |_| unimplemented!("it has none")
);

/// All rows.
pub fn table() -> Table {
    let mut table = Table::new();
    field::add_rows::<blst_fp>(&mut table, "bls12.fq");
    field::add_rows::<blst_fp2>(&mut table, "bls12.fq2");
    field::add_rows::<blst_fr>(&mut table, "bls12.fr");
    table.builders.remove("bls12.fr.sqrt");
    // its forms for lanes and for arrays are the same loop, as it has no other
    for id in ["bls12.fq.mul.lanes", "bls12.fq.mul.array"] {
        table.add(id, products);
    }
    add_groups(&mut table);
    add_hashing(&mut table);
    add_signatures(&mut table);
    table
}

/// Products of Montgomery residues. Each pass pairs the elements anew, as in [`crate::field::throughput`].
fn products(n: usize) -> Row {
    let draw = |stream| residues_381(stream, n).into_iter().map(|l| blst_fp { l });
    let (a, b): (Vec<_>, Vec<_>) = (draw(STREAM_A).collect(), draw(STREAM_B).collect());
    let once: Vec<[u64; 6]> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| blst_fp::mul(a, b).l)
        .collect();
    let (twice, mut shift) = ([&b[..], &b[..]].concat(), 0);
    let mut out = vec![blst_fp::default(); n];
    Row::new(n, move || {
        for ((out, a), b) in out.iter_mut().zip(&a).zip(&twice[shift..shift + n]) {
            *out = blst_fp::mul(a, b);
        }
        std::hint::black_box(&mut out);
        shift = (shift + 1) % n;
    })
    .with_check(move || sum_of_residues(&once))
}

fn fp(words: [u64; 4]) -> blst_fp {
    let mut bytes = [0; 48];
    bytes[..32].copy_from_slice(&bytes_of(words));
    let mut out = blst_fp::default();
    unsafe { blst_fp_from_lendian(&mut out, bytes.as_ptr()) };
    out
}

fn fp2(words: [u64; 4]) -> blst_fp2 {
    blst_fp2 {
        fp: [fp(words), fp(twisted(words))],
    }
}

fn fr(words: [u64; 4]) -> blst_fr {
    let mut out = blst_fr::default();
    unsafe { blst_fr_from_uint64(&mut out, words.as_ptr()) };
    out
}

fn hex_fp(a: &blst_fp) -> String {
    let mut bytes = [0; 48];
    unsafe { blst_bendian_from_fp(bytes.as_mut_ptr(), a) };
    hex_bytes(&bytes)
}

fn hex_fp2(a: &blst_fp2) -> String {
    hex_fp(&a.fp[0]) + &hex_fp(&a.fp[1])
}

fn hex_fr(a: &blst_fr) -> String {
    let mut words = [0; 4];
    unsafe { blst_uint64_from_fr(words.as_mut_ptr(), a) };
    hex(&words)
}

macro_rules! group {
    ($point:ident, $affine:ident, $generator:ident, $mult:ident, $double:ident, $add:ident, $to_affine:ident, $from_affine:ident, $points:ident, $multiples:ident, $hex:ident) => {
        fn $multiples(point: &$point, scalar: &[u8; 32]) -> $point {
            let mut out = $point::default();
            unsafe { $mult(&mut out, point, scalar.as_ptr(), 255) };
            out
        }

        fn $points(n: usize) -> Vec<$affine> {
            let mut source = SplitMix::new(STREAM_POINTS);
            let [first, step] = [(); 2]
                .map(|()| $multiples(unsafe { &*$generator() }, &bytes_of(source.integer())));
            let double = |p: $point| {
                let mut out = $point::default();
                unsafe { $double(&mut out, &p) };
                out
            };
            let add = |p: $point, q: $point| {
                let mut out = $point::default();
                unsafe { $add(&mut out, &p, &q) };
                out
            };
            let affine = |p: $point| {
                let mut out = $affine::default();
                unsafe { $to_affine(&mut out, &p) };
                out
            };
            chain(n, first, step, double, add)
                .into_iter()
                .map(affine)
                .collect()
        }

        fn $hex(point: $point) -> String {
            let mut affine = $affine::default();
            unsafe { $to_affine(&mut affine, &point) };
            affine.x.to_hex() + &affine.y.to_hex()
        }
    };
}

group!(
    blst_p1,
    blst_p1_affine,
    blst_p1_generator,
    blst_p1_mult,
    blst_p1_double,
    blst_p1_add_or_double,
    blst_p1_to_affine,
    blst_p1_from_affine,
    points_g1,
    multiply_g1,
    hex_g1
);
group!(
    blst_p2,
    blst_p2_affine,
    blst_p2_generator,
    blst_p2_mult,
    blst_p2_double,
    blst_p2_add_or_double,
    blst_p2_to_affine,
    blst_p2_from_affine,
    points_g2,
    multiply_g2,
    hex_g2
);

fn scalars(n: usize) -> Vec<[u8; 32]> {
    integers(STREAM_A, n).into_iter().map(bytes_of).collect()
}

/// SIZE is log2 of the points. On one thread where the process has one core, as its pool then has.
macro_rules! add_msm {
    ($table:ident, $id:literal, $points:ident, $hex:ident) => {
        $table.add($id, |log_size| {
            let (points, scalars) = ($points(1 << log_size), scalars(1 << log_size).concat());
            let (points_again, scalars_again) = (points.clone(), scalars.clone());
            Row::new(1, move || points.as_slice().mult(&scalars, 255))
                .with_check(move || $hex(points_again.as_slice().mult(&scalars_again, 255)))
        });
    };
}

fn add_groups(table: &mut Table) {
    add_msm!(table, "bls12.msm.g1", points_g1, hex_g1);
    add_msm!(table, "bls12.msm.g2", points_g2, hex_g2);
    for form in ["mul", "mul_vartime"] {
        table.add(format!("bls12.g1.{form}"), |n| {
            let (mut point, scalars) = (blst_p1::default(), scalars(n));
            unsafe { blst_p1_from_affine(&mut point, &points_g1(1)[0]) };
            let last = scalars[n - 1];
            Row::new(n, move || {
                for_each_kept(&scalars, |scalar| multiply_g1(&point, scalar))
            })
            .with_check(move || hex_g1(multiply_g1(&point, &last)))
        });
        table.add(format!("bls12.g2.{form}"), |n| {
            let (mut point, scalars) = (blst_p2::default(), scalars(n));
            unsafe { blst_p2_from_affine(&mut point, &points_g2(1)[0]) };
            let last = scalars[n - 1];
            Row::new(n, move || {
                for_each_kept(&scalars, |scalar| multiply_g2(&point, scalar))
            })
            .with_check(move || hex_g2(multiply_g2(&point, &last)))
        });
    }
    table.add("bls12.g1.in_subgroup", |n| {
        let points = points_g1(n);
        Row::new(n, move || {
            assert!(
                points
                    .iter()
                    .all(|point| unsafe { blst_p1_affine_in_g1(point) })
            )
        })
    });
    table.add("bls12.g2.in_subgroup", |n| {
        let points = points_g2(n);
        Row::new(n, move || {
            assert!(
                points
                    .iter()
                    .all(|point| unsafe { blst_p2_affine_in_g2(point) })
            )
        })
    });
    table.add("bls12.pairing", |n| {
        let (p, q) = (points_g1(n), points_g2(n));
        Row::new(1, move || {
            let (ps, qs): (Vec<_>, Vec<_>) = (p.iter().collect(), q.iter().collect());
            let (ps, qs): (Vec<_>, Vec<_>) = (
                ps.into_iter().map(ptr::from_ref).collect(),
                qs.into_iter().map(ptr::from_ref).collect(),
            );
            let (mut loops, mut out) = (blst_fp12::default(), blst_fp12::default());
            unsafe {
                blst_miller_loop_n(&mut loops, qs.as_ptr(), ps.as_ptr(), n);
                blst_final_exp(&mut out, &loops);
            }
            out
        })
    });
}

fn hash_to_g1(message: &[u8; 32]) -> blst_p1 {
    let mut out = blst_p1::default();
    unsafe {
        blst_hash_to_g1(
            &mut out,
            message.as_ptr(),
            32,
            TAG_G1.as_ptr(),
            TAG_G1.len(),
            ptr::null(),
            0,
        );
    }
    out
}

fn hash_to_g2(message: &[u8; 32]) -> blst_p2 {
    let mut out = blst_p2::default();
    unsafe {
        blst_hash_to_g2(
            &mut out,
            message.as_ptr(),
            32,
            TAG_G2.as_ptr(),
            TAG_G2.len(),
            ptr::null(),
            0,
        );
    }
    out
}

fn add_hashing(table: &mut Table) {
    table.add("bls12.hash_to_g1", |n| {
        let (_, messages) = messages(n);
        let last = messages[n - 1];
        Row::new(n, move || for_each_kept(&messages, hash_to_g1))
            .with_check(move || hex_g1(hash_to_g1(&last)))
    });
    table.add("bls12.hash_to_g2", |n| {
        let (_, messages) = messages(n);
        let last = messages[n - 1];
        Row::new(n, move || for_each_kept(&messages, hash_to_g2))
            .with_check(move || hex_g2(hash_to_g2(&last)))
    });
}

fn add_signatures(table: &mut Table) {
    let key = || SecretKey::from_bytes(&messages(0).0).expect("in range");
    table.add("bls12.sign", move |n| {
        let ((_, messages), key) = (messages(n), key());
        let (last, again) = (messages[n - 1], key.clone());
        Row::new(n, move || {
            for_each_kept(&messages, |message| key.sign(message, TAG_G2, &[]))
        })
        .with_check(move || hex_bytes(&again.sign(&last, TAG_G2, &[]).to_bytes()))
    });
    table.add("bls12.verify", move |n| {
        let ((_, messages), key) = (messages(n), key());
        let public: PublicKey = key.sk_to_pk();
        let sign = |message: [u8; 32]| (message, key.sign(&message, TAG_G2, &[]));
        let signed: Vec<([u8; 32], Signature)> = messages.into_iter().map(sign).collect();
        Row::new(n, move || {
            for_each_kept(&signed, |(message, signature)| {
                // decoded values, which are in their groups: no check again, as with ours
                let verdict = signature.verify(false, message, TAG_G2, &[], &public, false);
                assert_eq!(verdict, BLST_ERROR::BLST_SUCCESS);
            });
        })
    });
}
