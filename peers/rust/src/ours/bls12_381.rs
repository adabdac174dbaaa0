//! BLS12-381 and the scalar field of Bandersnatch: fields, groups, pairing, hashing to curves, signatures.

use frumious_bls::hash_to_curve::{hash_to_g1, hash_to_g2};
use frumious_bls::{PublicKey, SecretKey, Signature};
use frumious_curves::bandersnatch;
use frumious_curves::bls12_381::pairing::{G2Prepared, multi_pairing};
use frumious_curves::bls12_381::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_field::batch_invert_vartime;
use frumious_msm::msm_vartime;

use super::bench_field;
use crate::bls12_381::{TAG_G1, TAG_G2, messages};
use crate::field::{self, BenchField, draw, twisted};
use crate::inputs::{STREAM_A, STREAM_POINTS, SplitMix, chain, hex_bytes, integers};
use crate::row::{Row, Table, for_each_kept};

bench_field!(Fq);
bench_field!(Fr);
bench_field!(bandersnatch::Fr);

impl BenchField for Fq2 {
    fn from_words(words: [u64; 4]) -> Self {
        Self::new(Fq::from_words(words), Fq::from_words(twisted(words)))
    }
    fn to_hex(&self) -> String {
        self.c0.to_hex() + &self.c1.to_hex()
    }
    fn zero() -> Self {
        Self::ZERO
    }
    #[inline(always)]
    fn add(a: &Self, b: &Self) -> Self {
        a.add(b)
    }
    #[inline(always)]
    fn sub(a: &Self, b: &Self) -> Self {
        a.sub(b)
    }
    #[inline(always)]
    fn neg(a: &Self) -> Self {
        a.neg()
    }
    #[inline(always)]
    fn mul(a: &Self, b: &Self) -> Self {
        a.mul(b)
    }
    #[inline(always)]
    fn square(a: &Self) -> Self {
        a.square()
    }
    #[inline(always)]
    fn invert(a: &Self) -> Self {
        a.invert().expect("not zero")
    }
    #[inline(always)]
    fn invert_vartime(a: &Self) -> Self {
        a.invert_vartime().expect("not zero")
    }
    #[inline(always)]
    fn sqrt(a: &Self) -> Self {
        a.sqrt().expect("a square")
    }
    fn batch_invert(_values: &mut [Self]) {
        unimplemented!("no row asks for it");
    }
}

/// SIZE is log2 of the points.
macro_rules! add_msm {
    ($table:ident, $id:literal, $points:ident, $hex:ident) => {
        $table.add($id, |log_size| {
            let (points, scalars) = (
                $points(1 << log_size),
                super::canonical(integers(STREAM_A, 1 << log_size)),
            );
            let (points_again, scalars_again) = (points.clone(), scalars.clone());
            Row::new(1, move || {
                msm_vartime(&points, &scalars).expect("equal lengths")
            })
            .with_check(move || {
                $hex(msm_vartime(&points_again, &scalars_again).expect("equal lengths"))
            })
        });
    };
}

/// Adds the rows.
pub fn add_rows(table: &mut Table) {
    field::add_rows::<Fq>(table, "bls12.fq");
    field::add_rows::<Fq2>(table, "bls12.fq2");
    field::add_rows::<Fr>(table, "bls12.fr");
    table.add("bls12.fr.sqrt_vartime", |n| {
        let squares: Vec<Fr> = draw::<Fr>(STREAM_A, n).iter().map(Fr::square).collect();
        Row::new(n, move || {
            for_each_kept(&squares, |a| a.sqrt_vartime().expect("a square"))
        })
    });
    field::add_rows::<bandersnatch::Fr>(table, "bander.fr");
    add_msm!(table, "bls12.msm.g1", points_g1, hex_g1);
    add_msm!(table, "bls12.msm.g2", points_g2, hex_g2);
    add_g1(table);
    add_g2(table);
    add_pairings(table);
    add_hashing(table);
    add_signatures(table);
}

/// The two scalars that start the common chain of points.
fn chain_scalars() -> [Fr; 2] {
    let mut source = SplitMix::new(STREAM_POINTS);
    [(); 2].map(|()| Fr::from_words(source.integer()))
}

fn points_g1(n: usize) -> Vec<G1Affine> {
    let [first, step] = chain_scalars().map(|scalar| G1Projective::GENERATOR.mul_vartime(&scalar));
    G1Projective::batch_to_affine_vartime(&chain(n, first, step, |p| p.double(), |p, q| p + q))
}

fn points_g2(n: usize) -> Vec<G2Affine> {
    let [first, step] = chain_scalars().map(|scalar| G2Projective::GENERATOR.mul_vartime(&scalar));
    G2Projective::batch_to_affine_vartime(&chain(n, first, step, |p| p.double(), |p, q| p + q))
}

fn hex_g1(point: G1Projective) -> String {
    let point = point.to_affine();
    point.x.to_hex() + &point.y.to_hex()
}

fn hex_g2(point: G2Projective) -> String {
    let point = point.to_affine();
    point.x.to_hex() + &point.y.to_hex()
}

fn add_g1(table: &mut Table) {
    type Multiply = fn(&G1Projective, &Fr) -> G1Projective;
    let forms: [(&str, Multiply); 2] = [
        ("mul", G1Projective::mul),
        ("mul_vartime", G1Projective::mul_vartime),
    ];
    for (name, multiply) in forms {
        table.add(format!("bls12.g1.{name}"), move |n| {
            let (point, scalars) = (G1Projective::from(points_g1(1)[0]), draw::<Fr>(STREAM_A, n));
            let last = scalars[n - 1];
            Row::new(n, move || {
                for_each_kept(&scalars, |scalar| multiply(&point, scalar))
            })
            .with_check(move || hex_g1(multiply(&point, &last)))
        });
    }
    table.add("bls12.g1.in_subgroup", |n| {
        let points = points_g1(n);
        Row::new(n, move || {
            assert!(points.iter().all(|point| point.is_in_subgroup().into()))
        })
    });
}

fn add_g2(table: &mut Table) {
    type Multiply = fn(&G2Projective, &Fr) -> G2Projective;
    let forms: [(&str, Multiply); 2] = [
        ("mul", G2Projective::mul),
        ("mul_vartime", G2Projective::mul_vartime),
    ];
    for (name, multiply) in forms {
        table.add(format!("bls12.g2.{name}"), move |n| {
            let (point, scalars) = (G2Projective::from(points_g2(1)[0]), draw::<Fr>(STREAM_A, n));
            let last = scalars[n - 1];
            Row::new(n, move || {
                for_each_kept(&scalars, |scalar| multiply(&point, scalar))
            })
            .with_check(move || hex_g2(multiply(&point, &last)))
        });
    }
    table.add("bls12.g2.in_subgroup", |n| {
        let points = points_g2(n);
        Row::new(n, move || {
            assert!(points.iter().all(|point| point.is_in_subgroup().into()))
        })
    });
}

/// Products of SIZE pairings, lines of the points of G2 included.
fn add_pairings(table: &mut Table) {
    table.add("bls12.pairing", |n| {
        let (p, q) = (points_g1(n), points_g2(n));
        Row::new(1, move || {
            let lines: Vec<G2Prepared> = q.iter().map(G2Prepared::from).collect();
            multi_pairing(&p.iter().copied().zip(&lines).collect::<Vec<_>>())
        })
    });
}

fn add_hashing(table: &mut Table) {
    table.add("bls12.hash_to_g1", |n| {
        let (_, messages) = messages(n);
        let last = messages[n - 1];
        Row::new(n, move || {
            for_each_kept(&messages, |message| hash_to_g1(message, TAG_G1))
        })
        .with_check(move || hex_g1(hash_to_g1(&last, TAG_G1)))
    });
    table.add("bls12.hash_to_g2", |n| {
        let (_, messages) = messages(n);
        let last = messages[n - 1];
        Row::new(n, move || {
            for_each_kept(&messages, |message| hash_to_g2(message, TAG_G2))
        })
        .with_check(move || hex_g2(hash_to_g2(&last, TAG_G2)))
    });
}

fn add_signatures(table: &mut Table) {
    let key = || SecretKey::from_bytes(&messages(0).0).expect("in range");
    table.add("bls12.sign", move |n| {
        let ((_, messages), key) = (messages(n), key());
        let (last, again) = (messages[n - 1], key.clone());
        Row::new(n, move || {
            for_each_kept(&messages, |message| key.sign(message))
        })
        .with_check(move || hex_bytes(&again.sign(&last).to_bytes()))
    });
    table.add("bls12.verify", move |n| {
        let ((_, messages), key) = (messages(n), key());
        let public: PublicKey = key.public_key();
        let sign = |message: [u8; 32]| (message, key.sign(&message));
        let signed: Vec<([u8; 32], Signature)> = messages.into_iter().map(sign).collect();
        Row::new(n, move || {
            assert!(
                signed
                    .iter()
                    .all(|(message, signature)| public.verify(message, signature))
            );
        })
    });
}
