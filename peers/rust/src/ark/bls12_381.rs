//! arkworks: BLS12-381 and the scalar field of Bandersnatch. It has no signatures of BLS.

use ark_bls12_381::{
    Bls12_381, Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective, g1, g2,
};
use ark_ec::hashing::HashToCurve;
use ark_ec::hashing::curve_maps::wb::WBMap;
use ark_ec::hashing::map_to_curve_hasher::MapToCurveBasedHasher;
use ark_ec::pairing::Pairing;
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::field_hashers::DefaultFieldHasher;
use ark_ff::{AdditiveGroup, Field, PrimeField, batch_inversion};
use sha2_10::Sha256;

use super::{bench_field, points};
use crate::bls12_381::{TAG_G1, TAG_G2, messages};
use crate::field::{self, BenchField, draw, twisted};
use crate::inputs::STREAM_A;
use crate::row::{Row, Table, for_each_kept};

bench_field!(Fq);
bench_field!(Fr);
bench_field!(ark_ed_on_bls12_381_bandersnatch::Fr);

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
        *a + b
    }
    #[inline(always)]
    fn sub(a: &Self, b: &Self) -> Self {
        *a - b
    }
    #[inline(always)]
    fn neg(a: &Self) -> Self {
        -*a
    }
    #[inline(always)]
    fn mul(a: &Self, b: &Self) -> Self {
        *a * b
    }
    #[inline(always)]
    fn square(a: &Self) -> Self {
        Field::square(a)
    }
    #[inline(always)]
    fn invert(a: &Self) -> Self {
        a.inverse().expect("not zero")
    }
    #[inline(always)]
    fn invert_vartime(a: &Self) -> Self {
        a.inverse().expect("not zero")
    }
    #[inline(always)]
    fn sqrt(a: &Self) -> Self {
        Field::sqrt(a).expect("a square")
    }
    fn batch_invert(values: &mut [Self]) {
        batch_inversion(values);
    }
}

/// Adds the rows.
pub fn add_rows(table: &mut Table) {
    field::add_rows::<Fq>(table, "bls12.fq");
    field::add_rows::<Fq2>(table, "bls12.fq2");
    field::add_rows::<Fr>(table, "bls12.fr");
    let roots = |n| {
        let squares: Vec<Fr> = draw::<Fr>(STREAM_A, n)
            .iter()
            .map(BenchField::square)
            .collect();
        Row::new(n, move || for_each_kept(&squares, |a| BenchField::sqrt(a)))
    };
    table.add("bls12.fr.sqrt_vartime", roots);
    field::add_rows::<ark_ed_on_bls12_381_bandersnatch::Fr>(table, "bander.fr");
    table.builders.remove("bls12.fq.mul.lanes"); // blst's is the best scalar product
    for form in ["mul", "mul_vartime"] {
        table.add(
            format!("bls12.g1.{form}"),
            multiples::<G1Projective>(hex_g1),
        );
        table.add(
            format!("bls12.g2.{form}"),
            multiples::<G2Projective>(hex_g2),
        );
    }
    table.add("bls12.msm.g1", msm::<G1Projective>(hex_g1));
    table.add("bls12.msm.g2", msm::<G2Projective>(hex_g2));
    table.add("bls12.g1.in_subgroup", |n| {
        let points = points::<G1Projective>(n);
        Row::new(n, move || {
            assert!(
                points
                    .iter()
                    .all(G1Affine::is_in_correct_subgroup_assuming_on_curve)
            )
        })
    });
    table.add("bls12.g2.in_subgroup", |n| {
        let points = points::<G2Projective>(n);
        Row::new(n, move || {
            assert!(
                points
                    .iter()
                    .all(G2Affine::is_in_correct_subgroup_assuming_on_curve)
            )
        })
    });
    table.add("bls12.pairing", |n| {
        let (p, q) = (points::<G1Projective>(n), points::<G2Projective>(n));
        Row::new(1, move || Bls12_381::multi_pairing(&p, &q))
    });
    add_hashing(table);
}

/// SIZE is log2 of the points.
fn msm<P: CurveGroup<ScalarField = Fr> + VariableBaseMSM>(
    hex: fn(P::Affine) -> String,
) -> impl Fn(usize) -> Row {
    move |log_size| {
        let (points, scalars) = (
            points::<P>(1 << log_size),
            draw::<Fr>(STREAM_A, 1 << log_size),
        );
        let (points_again, scalars_again) = (points.clone(), scalars.clone());
        let run =
            |points: &[P::MulBase], scalars: &[Fr]| P::msm(points, scalars).expect("equal lengths");
        Row::new(1, move || run(&points, &scalars))
            .with_check(move || hex(run(&points_again, &scalars_again).into_affine()))
    }
}

/// arkworks multiplies in variable time only.
fn multiples<P: CurveGroup<ScalarField = Fr>>(
    hex: fn(P::Affine) -> String,
) -> impl Fn(usize) -> Row {
    move |n| {
        let (point, scalars) = (P::from(points::<P>(1)[0]), draw::<Fr>(STREAM_A, n));
        let last = scalars[n - 1];
        Row::new(n, move || for_each_kept(&scalars, |scalar| point * scalar))
            .with_check(move || hex((point * last).into_affine()))
    }
}

/// Its hashers give affine points.
fn add_hashing(table: &mut Table) {
    type Hasher<P, C> = MapToCurveBasedHasher<P, DefaultFieldHasher<Sha256, 128>, WBMap<C>>;
    table.add("bls12.hash_to_g1", |n| {
        let (_, messages) = messages(n);
        let last = messages[n - 1];
        let hasher =
            || Hasher::<G1Projective, g1::Config>::new(TAG_G1).expect("a map to the curve");
        let (hasher, again) = (hasher(), hasher());
        Row::new(n, move || {
            for_each_kept(&messages, |message| hasher.hash(message).expect("a point"))
        })
        .with_check(move || hex_g1(again.hash(&last).expect("a point")))
    });
    table.add("bls12.hash_to_g2", |n| {
        let (_, messages) = messages(n);
        let last = messages[n - 1];
        let hasher =
            || Hasher::<G2Projective, g2::Config>::new(TAG_G2).expect("a map to the curve");
        let (hasher, again) = (hasher(), hasher());
        Row::new(n, move || {
            for_each_kept(&messages, |message| hasher.hash(message).expect("a point"))
        })
        .with_check(move || hex_g2(again.hash(&last).expect("a point")))
    });
}

fn hex_g1(point: G1Affine) -> String {
    point.x.to_hex() + &point.y.to_hex()
}

fn hex_g2(point: G2Affine) -> String {
    point.x.to_hex() + &point.y.to_hex()
}
