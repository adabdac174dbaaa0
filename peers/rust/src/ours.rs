//! Frumious: fields, FFT, MSM, groups, pairing; Groth16 is in [`groth16`], Verkle in [`verkle`], products in lanes in
//! [`lanes`].

mod bls12_381;
mod groth16;
mod lanes;
mod secp256k1;
mod verkle;

use std::hint::black_box;

use frumious_curves::bn254::pairing::{G2Prepared, multi_pairing};
use frumious_curves::bn254::{Fq, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_fft::Domain;
use frumious_field::{Integer, WordField, batch_invert_vartime, vector};
use frumious_msm::msm_vartime;

use crate::field::{self, BenchField, draw};
use crate::inputs::{STREAM_A, STREAM_B, STREAM_POINTS, SplitMix, Witness, chain, integers};
use crate::row::{Row, Table, for_each_kept};

/// The scalar backend in use.
pub fn backend() -> &'static str {
    frumious_limbs::backend::active().name()
}

/// All rows.
pub fn table() -> Table {
    let mut table = Table::new();
    add_field::<Fq>(&mut table, "fq");
    add_field::<Fr>(&mut table, "fr");
    add_transforms(&mut table);
    add_group(&mut table);
    add_twist_group(&mut table);
    add_pairings(&mut table);
    groth16::add_rows(&mut table);
    verkle::add_rows(&mut table);
    secp256k1::add_rows(&mut table);
    bls12_381::add_rows(&mut table);
    lanes::add_rows(&mut table); // after the fields, whose rows it replaces
    table
}

/// The common rows, and the products of whole arrays that only some libraries have a form for.
fn add_field<F: BenchField + frumious_field::WordField>(table: &mut Table, name: &str) {
    field::add_rows::<F>(table, name);
    table.add(format!("{name}.mul.array"), |n| {
        let (a, b) = (draw::<F>(STREAM_A, n), draw::<F>(STREAM_B, n));
        let (a_again, b_again) = (a.clone(), b.clone());
        let mut out = vec![<F as BenchField>::zero(); n];
        Row::new(n, move || {
            vector::multiply(black_box(&a), black_box(&b), &mut out)
        })
        .with_check(move || {
            let mut out = vec![<F as BenchField>::zero(); n];
            vector::multiply(&a_again, &b_again, &mut out);
            vector::sum(&out).to_hex()
        })
    });
}

macro_rules! bench_field {
    ($field:ty) => {
        impl BenchField for $field {
            fn from_words(words: [u64; 4]) -> Self {
                let mut wide = <$field>::MODULUS; // as many words
                wide.fill(0);
                wide[..4].copy_from_slice(&words);
                Self::from_words_reduced(wide)
            }
            fn to_hex(&self) -> String {
                crate::inputs::hex(&self.to_canonical_limbs())
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
            fn batch_invert(values: &mut [Self]) {
                batch_invert_vartime(values, &mut Vec::new());
            }
        }
    };
}

use bench_field;
bench_field!(Fq);
bench_field!(Fr);

/// SIZE is log2 of the domain. The domain keeps its twiddles; they are computed beforehand.
fn add_transforms(table: &mut Table) {
    let transform = |run: fn(&Domain<Fr>, &mut [Fr])| {
        move |log_size: usize| {
            let domain = Domain::new(log_size as u32).expect("a domain of at most 2^28");
            let mut values = draw::<Fr>(STREAM_A, 1 << log_size);
            Row::new(1, move || run(&domain, black_box(&mut values))).with_check(move || {
                let domain = Domain::new(log_size as u32).expect("a domain of at most 2^28");
                let mut values = draw::<Fr>(STREAM_A, 1 << log_size);
                run(&domain, &mut values);
                values[1].to_hex()
            })
        }
    };
    let forward = transform(|domain, values| domain.fft(values).expect("a whole domain"));
    table.add("fft", forward);
    table.add("fft.any_order", forward);
    table.add(
        "fft.coset",
        transform(|domain, values| domain.coset_fft(values, shift()).expect("a whole domain")),
    );
    table.add(
        "fft.extend",
        transform(|domain, values| {
            domain
                .extend_to_coset(values, shift())
                .expect("a whole domain")
        }),
    );
}

/// The shift of the common coset.
fn shift() -> Fr {
    Fr::from_u64(5)
}

/// The two scalars that start the common chain of points.
fn chain_scalars() -> [Fr; 2] {
    let mut source = SplitMix::new(STREAM_POINTS);
    [(); 2].map(|()| <Fr as BenchField>::from_words(source.integer()))
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
    [point.x.c0, point.x.c1, point.y.c0, point.y.c1]
        .map(|c| c.to_hex())
        .concat()
}

/// G1: multi-scalar multiplication (SIZE: log2 of the points), single multiplications (SIZE: number of scalars).
fn add_group(table: &mut Table) {
    let msm = |log_size: usize, scalars: Vec<[u64; 4]>| {
        let scalars = canonical(scalars);
        let points = points_g1(1 << log_size);
        let (points_again, scalars_again) = (points.clone(), scalars.clone());
        let run = |points: &[G1Affine], scalars: &[Integer<Fr>]| {
            msm_vartime(points, scalars).expect("equal lengths")
        };
        Row::new(1, move || run(&points, &scalars))
            .with_check(move || hex_g1(run(&points_again, &scalars_again)))
    };
    table.add("msm.g1", move |log_size| {
        msm(log_size, integers(STREAM_A, 1 << log_size))
    });
    for (name, witness) in Witness::ALL {
        table.add(format!("msm.g1.{name}"), move |log_size| {
            msm(log_size, witness.draw(1 << log_size))
        });
    }
    table.add("g1.mul", |n| {
        let (point, scalars) = (G1Projective::from(points_g1(1)[0]), draw::<Fr>(STREAM_A, n));
        let last = scalars[n - 1];
        Row::new(n, move || {
            for_each_kept(&scalars, |scalar| point.mul(scalar))
        })
        .with_check(move || hex_g1(point.mul(&last)))
    });
    table.add("g1.mul_vartime", |n| {
        let (point, scalars) = (G1Projective::from(points_g1(1)[0]), draw::<Fr>(STREAM_A, n));
        let last = scalars[n - 1];
        Row::new(n, move || {
            for_each_kept(&scalars, |scalar| point.mul_vartime(scalar))
        })
        .with_check(move || hex_g1(point.mul_vartime(&last)))
    });
}

/// G2, the same, and its subgroup check.
fn add_twist_group(table: &mut Table) {
    table.add("msm.g2", |log_size| {
        let (points, scalars) = (
            points_g2(1 << log_size),
            canonical(integers(STREAM_A, 1 << log_size)),
        );
        let (points_again, scalars_again) = (points.clone(), scalars.clone());
        let run = |points: &[G2Affine], scalars: &[Integer<Fr>]| {
            msm_vartime(points, scalars).expect("equal lengths")
        };
        Row::new(1, move || run(&points, &scalars))
            .with_check(move || hex_g2(run(&points_again, &scalars_again)))
    });
    table.add("g2.mul", |n| {
        let (point, scalars) = (G2Projective::from(points_g2(1)[0]), draw::<Fr>(STREAM_A, n));
        let last = scalars[n - 1];
        Row::new(n, move || {
            for_each_kept(&scalars, |scalar| point.mul(scalar))
        })
        .with_check(move || hex_g2(point.mul(&last)))
    });
    table.add("g2.mul_vartime", |n| {
        let (point, scalars) = (G2Projective::from(points_g2(1)[0]), draw::<Fr>(STREAM_A, n));
        let last = scalars[n - 1];
        Row::new(n, move || {
            for_each_kept(&scalars, |scalar| point.mul_vartime(scalar))
        })
        .with_check(move || hex_g2(point.mul_vartime(&last)))
    });
    table.add("g2.in_subgroup", |n| {
        let points = points_g2(n);
        Row::new(n, move || {
            assert!(
                points
                    .iter()
                    .all(|point| bool::from(point.is_in_subgroup()))
            )
        })
    });
}

/// Products of SIZE pairings: from the points, and with the lines of the G2 points computed beforehand.
fn add_pairings(table: &mut Table) {
    table.add("pairing", |n| {
        let (p, q) = (points_g1(n), points_g2(n));
        Row::new(1, move || {
            let lines: Vec<G2Prepared> = q.iter().map(G2Prepared::from).collect();
            multi_pairing(&p.iter().copied().zip(&lines).collect::<Vec<_>>())
        })
    });
    table.add("pairing.prepared", |n| {
        let (p, lines) = (
            points_g1(n),
            points_g2(n)
                .iter()
                .map(G2Prepared::from)
                .collect::<Vec<_>>(),
        );
        Row::new(1, move || {
            multi_pairing(&p.iter().copied().zip(&lines).collect::<Vec<_>>())
        })
    });
}

/// The inputs, which are below the modulus, as scalars.
fn canonical<F: WordField>(words: Vec<[u64; 4]>) -> Vec<Integer<F>> {
    let integers = words.into_iter().map(Integer::new_vartime);
    integers
        .map(|integer| integer.expect("inputs are below the modulus"))
        .collect()
}
