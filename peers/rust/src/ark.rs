//! arkworks: fields, FFT, MSM, groups, pairing; Groth16 is in [`groth16`].

mod bls12_381;
mod groth16;

pub use groth16::SLACK;

use std::hint::black_box;

use ark_bn254::{Bn254, Fq, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, FftField, Field, PrimeField, batch_inversion};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};

use crate::field::{self, BenchField, draw};
use crate::inputs::{STREAM_A, STREAM_POINTS, SplitMix, Witness, chain};
use crate::row::{Row, Table, for_each_kept};

/// All rows.
pub fn table() -> Table {
    let mut table = Table::new();
    field::add_rows::<Fq>(&mut table, "fq");
    field::add_rows::<Fr>(&mut table, "fr");
    field::add_rows::<ark_secp256k1::Fq>(&mut table, "secp.fq");
    field::add_rows::<ark_secp256k1::Fr>(&mut table, "secp.fr");
    add_transforms(&mut table);
    add_groups(&mut table);
    add_pairings(&mut table);
    groth16::add_rows(&mut table);
    bls12_381::add_rows(&mut table);
    table
}

macro_rules! bench_field {
    ($field:ty) => {
        impl BenchField for $field {
            fn from_words(words: [u64; 4]) -> Self {
                Self::from_le_bytes_mod_order(&crate::inputs::bytes_of(words))
            }
            fn to_hex(&self) -> String {
                crate::inputs::hex(&self.into_bigint().0)
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
    };
}

use bench_field;
bench_field!(Fq);
bench_field!(Fr);
bench_field!(ark_secp256k1::Fq);
bench_field!(ark_secp256k1::Fr);

/// SIZE is log2 of the domain. arkworks computes its roots at each call.
fn add_transforms(table: &mut Table) {
    type Domain = Radix2EvaluationDomain<Fr>;
    let transform = |run: fn(&Domain, &Domain, &mut Vec<Fr>)| {
        move |log_size: usize| {
            let domain = Domain::new(1 << log_size).expect("a domain of at most 2^28");
            let coset = domain
                .get_coset(Fr::GENERATOR)
                .expect("a shift other than zero");
            let mut values = draw::<Fr>(STREAM_A, 1 << log_size);
            Row::new(1, move || run(&domain, &coset, black_box(&mut values))).with_check(
                move || {
                    let mut values = draw::<Fr>(STREAM_A, 1 << log_size);
                    run(&domain, &coset, &mut values);
                    values[1].to_hex()
                },
            )
        }
    };
    table.add(
        "fft",
        transform(|domain, _, values| domain.fft_in_place(values)),
    );
    table.add(
        "fft.any_order",
        transform(|domain, _, values| domain.fft_in_place(values)),
    );
    table.add(
        "fft.coset",
        transform(|_, coset, values| coset.fft_in_place(values)),
    );
    table.add(
        "fft.extend",
        transform(|domain, coset, values| {
            domain.ifft_in_place(values);
            coset.fft_in_place(values);
        }),
    );
}

/// `n` points of the common chain.
fn points<P: CurveGroup<ScalarField: BenchField> + PrimeGroup>(n: usize) -> Vec<P::Affine> {
    let mut source = SplitMix::new(STREAM_POINTS);
    let [first, step] =
        [(); 2].map(|()| P::generator() * P::ScalarField::from_words(source.integer()));
    P::normalize_batch(&chain(n, first, step, |p| p.double(), |p, q| p + q))
}

fn hex_g1(point: G1Projective) -> String {
    let point = point.into_affine();
    point.x.to_hex() + &point.y.to_hex()
}

fn hex_g2(point: G2Projective) -> String {
    let point = point.into_affine();
    [point.x.c0, point.x.c1, point.y.c0, point.y.c1]
        .map(|c| c.to_hex())
        .concat()
}

fn add_groups(table: &mut Table) {
    add_group::<G1Projective>(table, "g1", hex_g1);
    add_group::<G2Projective>(table, "g2", hex_g2);
    table.add("g2.in_subgroup", |n| {
        let points = points::<G2Projective>(n);
        Row::new(n, move || {
            assert!(
                points
                    .iter()
                    .all(G2Affine::is_in_correct_subgroup_assuming_on_curve)
            )
        })
    });
}

/// Multi-scalar multiplication (SIZE: log2 of the points) and single multiplications (SIZE: number of scalars).
fn add_group<P: CurveGroup<ScalarField = Fr> + VariableBaseMSM>(
    table: &mut Table,
    name: &str,
    to_hex: fn(P) -> String,
) {
    let msm = move |log_size: usize, scalars: Vec<Fr>| {
        let points = points::<P>(1 << log_size);
        let (points_again, scalars_again) = (points.clone(), scalars.clone());
        let run =
            |points: &[P::MulBase], scalars: &[Fr]| P::msm(points, scalars).expect("equal lengths");
        Row::new(1, move || run(&points, &scalars))
            .with_check(move || to_hex(run(&points_again, &scalars_again)))
    };
    table.add(format!("msm.{name}"), move |log_size| {
        msm(log_size, draw::<Fr>(STREAM_A, 1 << log_size))
    });
    for (kind, witness) in Witness::ALL {
        table.add(format!("msm.{name}.{kind}"), move |log_size| {
            let scalars = witness.draw(1 << log_size);
            msm(log_size, scalars.into_iter().map(Fr::from_words).collect())
        });
    }
    for suffix in ["mul", "mul_vartime"] {
        table.add(format!("{name}.{suffix}"), move |n| {
            let (point, scalars) = (points::<P>(1)[0].into_group(), draw::<Fr>(STREAM_A, n));
            let last = scalars[n - 1];
            Row::new(n, move || for_each_kept(&scalars, |scalar| point * scalar))
                .with_check(move || to_hex(point * last))
        });
    }
}

fn add_pairings(table: &mut Table) {
    table.add("pairing", |n| {
        let (p, q): (Vec<G1Affine>, Vec<G2Affine>) =
            (points::<G1Projective>(n), points::<G2Projective>(n));
        Row::new(1, move || Bn254::multi_pairing(&p, &q))
    });
    table.add("pairing.prepared", |n| {
        let (p, q) = (points::<G1Projective>(n), points::<G2Projective>(n));
        let q: Vec<<Bn254 as Pairing>::G2Prepared> = q.into_iter().map(Into::into).collect();
        Row::new(1, move || Bn254::multi_pairing(p.clone(), q.clone()))
    });
}
