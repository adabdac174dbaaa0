//! halo2curves: fields, FFT, MSM, groups, pairing. It has no Groth16.

use std::hint::black_box;

use halo2curves::bn256::{Fq, Fr, G1, G1Affine, G2, G2Affine, multi_miller_loop};
use halo2curves::ff::{BatchInvert, Field, PrimeField};
use halo2curves::fft::best_fft;
use halo2curves::group::{Curve, Group, prime::PrimeCurveAffine};
use halo2curves::msm::msm_best;
use halo2curves::pairing::MillerLoopResult;

use crate::field::{self, BenchField, draw};
use crate::inputs::{STREAM_A, STREAM_POINTS, SplitMix, Witness, chain, hex_bytes};
use crate::row::{Row, Table, for_each_kept};

/// All rows.
pub fn table() -> Table {
    let mut table = Table::new();
    field::add_rows::<Fq>(&mut table, "fq");
    field::add_rows::<Fr>(&mut table, "fr");
    add_transforms(&mut table);
    add_groups(&mut table);
    add_pairings(&mut table);
    table
}

macro_rules! bench_field {
    ($field:ty) => {
        impl BenchField for $field {
            fn from_words(words: [u64; 4]) -> Self {
                let mut bytes = <$field as PrimeField>::Repr::default();
                for (chunk, word) in bytes.as_mut().chunks_exact_mut(8).zip(words) {
                    chunk.copy_from_slice(&word.to_le_bytes());
                }
                Option::from(Self::from_repr(bytes)).expect("inputs are below the modulus")
            }
            fn to_hex(&self) -> String {
                let mut bytes = self.to_repr();
                bytes.as_mut().reverse();
                hex_bytes(bytes.as_ref())
            }
            fn zero() -> Self {
                Self::ZERO
            }
            #[inline(always)]
            fn add(a: &Self, b: &Self) -> Self {
                a + b
            }
            #[inline(always)]
            fn sub(a: &Self, b: &Self) -> Self {
                a - b
            }
            #[inline(always)]
            fn neg(a: &Self) -> Self {
                -a
            }
            #[inline(always)]
            fn mul(a: &Self, b: &Self) -> Self {
                a * b
            }
            #[inline(always)]
            fn square(a: &Self) -> Self {
                Field::square(a)
            }
            #[inline(always)]
            fn invert(a: &Self) -> Self {
                Field::invert(a).expect("not zero")
            }
            #[inline(always)]
            fn invert_vartime(a: &Self) -> Self {
                Field::invert(a).expect("not zero")
            }
            #[inline(always)]
            fn sqrt(a: &Self) -> Self {
                Field::sqrt(a).expect("a square")
            }
            fn batch_invert(values: &mut [Self]) {
                values.batch_invert();
            }
        }
    };
}

bench_field!(Fq);
bench_field!(Fr);

/// SIZE is log2 of the domain. `best_fft` computes its twiddles at each call: the library has nowhere to keep them.
fn add_transforms(table: &mut Table) {
    let transform = |run: fn(&mut [Fr], usize)| {
        move |log_size: usize| {
            let mut values = draw::<Fr>(STREAM_A, 1 << log_size);
            Row::new(1, move || run(black_box(&mut values), log_size)).with_check(move || {
                let mut values = draw::<Fr>(STREAM_A, 1 << log_size);
                run(&mut values, log_size);
                values[1].to_hex()
            })
        }
    };
    table.add("fft", transform(forward));
    table.add("fft.any_order", transform(forward));
    table.add(
        "fft.coset",
        transform(|values, log_size| {
            distribute_powers(values, Fr::from(GENERATOR), Fr::ONE);
            forward(values, log_size);
        }),
    );
    table.add(
        "fft.extend",
        transform(|values, log_size| {
            let root_inverse = root(log_size).invert().expect("a root of unity");
            best_fft(values, root_inverse, log_size as u32);
            let size_inverse = Fr::from(values.len() as u64)
                .invert()
                .expect("a power of two");
            distribute_powers(values, Fr::from(GENERATOR), size_inverse);
            forward(values, log_size);
        }),
    );
}

fn forward(values: &mut [Fr], log_size: usize) {
    best_fft(values, root(log_size), log_size as u32);
}

/// The shift of cosets, and the base of roots of unity, that the other libraries take for Fr; halo2curves' own is 7.
const GENERATOR: u64 = 5;

/// The root of unity of the domain: 5^((r-1)/2^28) and its squares.
fn root(log_size: usize) -> Fr {
    let exponent = {
        // (r-1)/2^28, from r-1 = -1
        let bytes = Fr::ONE.neg().to_repr();
        let mut wide = [0; 5];
        for (word, bytes) in wide.iter_mut().zip(bytes.as_ref().as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        std::array::from_fn::<u64, 4, _>(|i| wide[i] >> 28 | wide[i + 1] << 36)
    };
    let full = Fr::from(GENERATOR).pow_vartime(exponent);
    (log_size..28).fold(full, |root, _| root.square())
}

/// values[i] ← values[i]·scale·shift^i
fn distribute_powers(values: &mut [Fr], shift: Fr, scale: Fr) {
    let mut factor = scale;
    for value in values {
        *value *= factor;
        factor *= shift;
    }
}

fn points_g1(n: usize) -> Vec<G1Affine> {
    let mut source = SplitMix::new(STREAM_POINTS);
    let [first, step] = [(); 2].map(|()| G1::generator() * Fr::from_words(source.integer()));
    let points = chain(n, first, step, |p| p.double(), |p, q| p + q);
    let mut affine = vec![G1Affine::identity(); n];
    G1::batch_normalize(&points, &mut affine);
    affine
}

fn points_g2(n: usize) -> Vec<G2Affine> {
    let mut source = SplitMix::new(STREAM_POINTS);
    let [first, step] = [(); 2].map(|()| G2::generator() * Fr::from_words(source.integer()));
    let points = chain(n, first, step, |p| p.double(), |p, q| p + q);
    let mut affine = vec![G2Affine::identity(); n];
    G2::batch_normalize(&points, &mut affine);
    affine
}

fn hex_g1(point: G1) -> String {
    let point = point.to_affine();
    point.x.to_hex() + &point.y.to_hex()
}

fn hex_g2(point: G2) -> String {
    let point = point.to_affine();
    [point.x.c0(), point.x.c1(), point.y.c0(), point.y.c1()]
        .map(|c| c.to_hex())
        .concat()
}

fn add_groups(table: &mut Table) {
    let msm = |log_size: usize, scalars: Vec<Fr>| {
        let points = points_g1(1 << log_size);
        let (points_again, scalars_again) = (points.clone(), scalars.clone());
        Row::new(1, move || msm_best(&scalars, &points))
            .with_check(move || hex_g1(msm_best(&scalars_again, &points_again)))
    };
    table.add("msm.g1", move |log_size| {
        msm(log_size, draw::<Fr>(STREAM_A, 1 << log_size))
    });
    for (kind, witness) in Witness::ALL {
        table.add(format!("msm.g1.{kind}"), move |log_size| {
            let scalars = witness.draw(1 << log_size);
            msm(log_size, scalars.into_iter().map(Fr::from_words).collect())
        });
    }
    table.add("msm.g2", |log_size| {
        let (points, scalars) = (
            points_g2(1 << log_size),
            draw::<Fr>(STREAM_A, 1 << log_size),
        );
        let (points_again, scalars_again) = (points.clone(), scalars.clone());
        Row::new(1, move || msm_best(&scalars, &points))
            .with_check(move || hex_g2(msm_best(&scalars_again, &points_again)))
    });
    for id in ["g1.mul", "g1.mul_vartime"] {
        table.add(id, |n| {
            let (point, scalars) = (G1::from(points_g1(1)[0]), draw::<Fr>(STREAM_A, n));
            let last = scalars[n - 1];
            Row::new(n, move || for_each_kept(&scalars, |scalar| point * scalar))
                .with_check(move || hex_g1(point * last))
        });
    }
    for id in ["g2.mul", "g2.mul_vartime"] {
        table.add(id, |n| {
            let (point, scalars) = (G2::from(points_g2(1)[0]), draw::<Fr>(STREAM_A, n));
            let last = scalars[n - 1];
            Row::new(n, move || for_each_kept(&scalars, |scalar| point * scalar))
                .with_check(move || hex_g2(point * last))
        });
    }
}

fn add_pairings(table: &mut Table) {
    table.add("pairing", |n| {
        let (p, q) = (points_g1(n), points_g2(n));
        Row::new(1, move || {
            let terms: Vec<_> = p.iter().zip(&q).collect();
            black_box(multi_miller_loop(&terms).final_exponentiation());
        })
    });
}
