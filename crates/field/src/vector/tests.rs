//! Every operation against the definition: over the model, and in every backend that this CPU has.

#![allow(dead_code, clippy::wrong_self_convention)] // most methods of the fields, in the form of public ones

use super::each::{self, Each};
use super::sparse::AddSparse;
use super::*;
use crate::{TwiceMontgomery, impl_montgomery_field, impl_word_field};
use frumious_limbs::{Backend, Modulus, backend, words};
use frumious_simd::Model;
use std::sync::Mutex;

/// A field of the tests: its modulus, which must be odd.
macro_rules! field {
    ($name:ident, $p:expr) => {
        #[derive(Clone, Copy, Default)]
        struct $name([u64; 4]);

        impl $name {
            const M: Modulus<4> = Modulus::new($p);
            const TWO_ADICITY: u32 = 1;
            const ROOT_OF_UNITY: Self = Self::ONE.neg_const();
        }

        impl_montgomery_field!($name, 4, 32);
        impl_word_field!($name);
        impl zeroize::DefaultIsZeroes for $name {}
    };
}

field!(
    Bits253, // the scalar field of Bandersnatch
    [
        0x74fd_06b5_2876_e7e1,
        0xff8f_8700_7419_0471,
        0x0cce_7602_0268_7600,
        0x1cfb_69d4_ca67_5f52,
    ]
);
field!(
    Bits254, // that of BN254
    [
        0x43e1_f593_f000_0001,
        0x2833_e848_79b9_7091,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029,
    ]
);
field!(
    Bits255, // that of BLS12-381, which leaves least room
    [
        0xffff_ffff_0000_0001,
        0x53bd_a402_fffe_5bfe,
        0x3339_d808_09a1_d805,
        0x73ed_a753_299d_7d48,
    ]
);

const LENGTHS: [usize; 10] = [0, 1, 7, 8, 9, 95, 96, 255, 256, 257];

/// Runs `public` in each backend and `model`, each on the same vector, and checks that all make `expected` of it.
fn check<T: Clone + PartialEq + core::fmt::Debug>(
    what: &str,
    start: &[T],
    expected: &[T],
    public: impl Fn(&mut [T]),
    model: impl Fn(&mut [T]),
) {
    for kind in Backend::ALL {
        let mut vector = start.to_vec();
        in_backend(kind, || public(&mut vector));
        assert!(
            vector == expected,
            "{what}, length {}, {kind:?}",
            start.len()
        );
    }
    let mut vector = start.to_vec();
    model(&mut vector);
    assert!(vector == expected, "{what}, length {}, model", start.len());
}

/// Runs `f` in that backend, if there is one, and alone, as the backend is that of the whole process.
fn in_backend(kind: Backend, f: impl FnOnce()) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let guard = ONE_AT_A_TIME.lock().expect("it is supported");
    let before = backend::active();
    if backend::set(kind).is_err() {
        println!("SKIP: no {kind:?}");
    }
    f();
    backend::set(before).expect("it was in use");
    drop(guard);
}

/// Vectors of each length: edge values in turns, the highest numbers only, and arbitrary ones.
fn vectors<F: WordField>(len: usize, seed: u64) -> [Vec<F>; 3] {
    let p = F::MODULUS_64.p;
    let highest = F::from_words(words::sub(&p, &[1, 0, 0, 0]).0);
    let edges = [
        F::ZERO,
        F::ONE,
        -F::ONE,
        highest,
        F::from_words([1, 0, 0, 0]),
    ];
    let mut state = seed;
    let mut arbitrary = || {
        let words = core::array::from_fn(|i| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let word = state ^ state >> 29;
            if i == 3 { word % p[3] } else { word }
        });
        F::from_words(words)
    };
    [
        (0..len)
            .map(|i| edges[(i + seed as usize) % edges.len()])
            .collect(),
        vec![highest; len],
        (0..len).map(|_| arbitrary()).collect(),
    ]
}

/// Pairs of vectors of each length, all kinds with all, and a third of the first's kind.
fn each_case<F: WordField>(f: impl Fn(&[F], &[F], &[F])) {
    for len in LENGTHS {
        for (a, c) in vectors(len, 1).iter().zip(&vectors(len, 2)) {
            for b in &vectors(len, 3) {
                f(a, b, c);
            }
        }
    }
}

fn by_element<F: WordField>() {
    each_case::<F>(|a, b, c| {
        let each = |f: &dyn Fn(usize) -> F| (0..a.len()).map(f).collect::<Vec<F>>();
        check(
            "sum",
            a,
            &each(&|i| a[i] + b[i]),
            |a| add_assign(a, b),
            |a| scalar::zip(a, b, |a, b| *a += *b),
        );
        check(
            "difference",
            a,
            &each(&|i| a[i] - b[i]),
            |a| subtract_assign(a, b),
            |a| scalar::zip(a, b, |a, b| *a -= *b),
        );
        check(
            "product in place",
            a,
            &each(&|i| a[i] * b[i]),
            |a| multiply_assign(a, b),
            |a| Model::run(Each::new(each::MultiplyBy, a, [b])),
        );
        check(
            "product",
            c,
            &each(&|i| a[i] * b[i]),
            |out| multiply(a, b, out),
            |out| Model::run(Each::new(each::Product, out, [a, b])),
        );
        check(
            "a·b - c",
            c,
            &each(&|i| a[i] * b[i] - c[i]),
            |c| multiply_subtract(a, b, c),
            |c| Model::run(Each::new(each::ProductMinus, c, [a, b])),
        );
        let Some(factor) = b.last() else { return };
        check(
            "scaled",
            a,
            &each(&|i| a[i] * *factor),
            |a| scale(a, factor),
            |a| Model::run(Each::new(each::Scale(*factor), a, [])),
        );
        check(
            "scaled and added",
            c,
            &each(&|i| c[i] + a[i] * *factor),
            |c| add_scaled(c, factor, a),
            |c| Model::run(Each::new(each::AddScaled(*factor), c, [a])),
        );
    });
}

fn integers<F: WordField>() {
    each_case::<F>(|a, b, c| {
        let zeros = vec![Integer::ZERO; a.len()];
        let integer = |value: F| {
            let words = F::MODULUS_64.from_montgomery(value.as_words());
            Integer::<F>::new(words).expect("below the modulus")
        };
        let values: Vec<_> = a.iter().map(|a| integer(*a)).collect();
        check(
            "integers",
            &zeros,
            &values,
            |out| to_integers(a, out),
            |out| Model::run(Each::new(each::ToInteger, out, [a])),
        );
        let values: Vec<_> = (0..a.len()).map(|i| integer(a[i] * b[i] - c[i])).collect();
        check(
            "integers a·b - c",
            &zeros,
            &values,
            |out| multiply_subtract_to_integers(a, b, c, out),
            |out| Model::run(Each::new(each::ProductMinusToInteger, out, [a, b, c])),
        );
    });
}

/// The three forms of words and the product of two of them, by themselves and many at once.
fn forms<F: WordField + zeroize::Zeroize>() {
    let r = (0..256).fold(F::ONE, |power, _| power.double());
    each_case::<F>(|a, b, _| {
        let mut products = IntegerProducts::<F, 257>::new();
        for (a, b) in a.iter().zip(b) {
            let (coefficient, integer) = (TwiceMontgomery::from(*a), Integer::from(*b));
            assert_eq!(coefficient * integer, *a * *b);
            assert_eq!(coefficient.to_element(), *a);
            assert_eq!(TwiceMontgomery::from(Integer::from(*a)), coefficient);
            assert_eq!(integer.to_element(), *b);
            assert_eq!(Integer::montgomery_form(*b), Integer::from(*b * r));
            assert_eq!(Integer::montgomery_form(*b).to_element_of_form(), *b);
            let words = Integer::from(*a * r * r);
            assert_eq!(coefficient.words(), words.words());
            products.push(coefficient);
        }
        for kind in Backend::ALL {
            let mut made = Vec::new();
            let mut again = IntegerProducts::<F, 257>::new();
            in_backend(kind, || {
                for a in a {
                    again.push(TwiceMontgomery::from(*a));
                }
                made = again.times(|k| Integer::from(b[k])).to_vec();
            });
            assert!(
                made.iter()
                    .zip(a.iter().zip(b))
                    .all(|(ab, (a, b))| *ab == *a * *b)
            );
            assert!(made.len() == a.len() && again.is_empty());
        }
        assert_eq!(products.len(), a.len());
    });
}

/// Numbers around the modulus, those of one highest word included.
fn ranges<F: WordField>() {
    let p = F::MODULUS_64.p;
    let one = [1, 0, 0, 0];
    let [top, above] = [words::sub(&p, &one).0, words::add(&p, &one).0];
    let same_high_word = [0, 0, 0, p[3]];
    for words in [[0; 4], one, same_high_word, top] {
        let integer = Integer::<F>::new_vartime(words).expect("below the modulus");
        assert_eq!(integer.words(), &words);
        assert_eq!(Integer::<F>::new(words).unwrap_or(Integer::ONE), integer);
        assert_eq!(Integer::from(integer.to_element()), integer);
        assert!(bool::from(TwiceMontgomery::<F>::new(words).is_some()));
    }
    for words in [p, above, [0, 0, 0, p[3] + 1], [u64::MAX; 4]] {
        assert_eq!(Integer::<F>::new_vartime(words), None);
        assert!(bool::from(Integer::<F>::new(words).is_none()));
        assert!(bool::from(TwiceMontgomery::<F>::new(words).is_none()));
    }
}

fn totals<F: WordField>() {
    let long = vectors::<F>(8 * 130 + 3, 1); // several reductions
    let check_pair = |a: &[F], b: &[F]| {
        let products = a.iter().zip(b).fold(F::ZERO, |sum, (a, b)| sum + *a * *b);
        check(
            "inner product",
            &[F::ZERO],
            &[products],
            |out| out[0] = inner_product(a, b),
            |out| out[0] = Model::run(InnerProduct { a, b }),
        );
        let total = a.iter().fold(F::ZERO, |sum, a| sum + *a);
        check(
            "sum of all",
            &[F::ZERO],
            &[total],
            |out| out[0] = sum(a),
            |out| out[0] = Model::run(Sum { a }),
        );
    };
    each_case::<F>(|a, b, _| check_pair(a, b));
    check_pair(&long[1], &long[1]);
    check_pair(&long[2], &long[0]);
}

fn combinations<F: WordField>() {
    let rows = [vectors::<F>(257, 4), vectors(257, 5), vectors(257, 6)].concat();
    let weights = vectors::<F>(40, 7);
    for (len, counts) in [(9, 0..=40), (8, 15..=18), (257, 5..=6), (256, 32..=33)] {
        for (count, kind) in counts.flat_map(|count| [0, 1, 2].map(|kind| (count, kind))) {
            let rows: Vec<&[F]> = (0..count)
                .map(|k| &rows[if kind == 1 { 1 } else { k % 9 }][..len])
                .collect();
            let weights = &weights[kind][..count];
            let start = &vectors::<F>(len, 8)[kind];
            let expected: Vec<F> = (0..len)
                .map(|i| {
                    let terms = rows.iter().zip(weights);
                    terms.fold(start[i], |sum, (row, weight)| sum + row[i] * *weight)
                })
                .collect();
            check(
                &format!("combination of {count}"),
                start,
                &expected,
                |sum| add_combination(sum, &rows, weights),
                |sum| {
                    let rows = &rows;
                    let next = &rows[..rows.len().min(3)];
                    Model::run(Combination {
                        sum,
                        rows,
                        weights,
                        next,
                    });
                },
            );
        }
    }
}

fn sparse_rows<F: WordField>() {
    for len in [0, 1, 8, 9, 255, 256, 257] {
        let [.., dense] = vectors::<F>(len, 11);
        let [.., weights] = vectors::<F>(300, 12);
        let start = &vectors::<F>(len, 13)[0];
        // rows with a value in every place, in every second, … in none
        let rows: Vec<Vec<F>> = [1, 2, 3, 7, 20, 100, 256, usize::MAX]
            .iter()
            .enumerate()
            .map(|(k, step)| {
                let value = |i: usize| {
                    if (i + k) % step == step / 2 {
                        dense[i]
                    } else {
                        F::ZERO
                    }
                };
                (0..len).map(value).collect()
            })
            .collect();
        for count in [0, 1, 8, 300] {
            let terms: Vec<(&[F], F)> =
                (0..count).map(|k| (&rows[k % 8][..], weights[k])).collect();
            let expected: Vec<F> = (0..len)
                .map(|i| {
                    terms
                        .iter()
                        .fold(start[i], |sum, (row, weight)| sum + row[i] * *weight)
                })
                .collect();
            check(
                &format!("combination of {count} sparse"),
                start,
                &expected,
                |sum| {
                    add_combination_vartime(
                        sum,
                        terms.iter().copied(),
                        rows.iter().map(|row| &row[..]),
                    )
                },
                |sum| {
                    for (row, weight) in &terms {
                        Model::run(AddSparse::new(sum, row, weight));
                    }
                },
            );
        }
    }
}

fn progressions<F: WordField>() {
    let [edges, ..] = vectors::<F>(5, 0);
    let [.., arbitrary] = vectors::<F>(2, 9);
    for (first, base) in [
        (edges[0], edges[1]),
        (edges[3], edges[2]),
        (arbitrary[0], arbitrary[1]),
    ] {
        for len in LENGTHS {
            let next = |power: &F| Some(*power * base);
            let expected: Vec<F> = core::iter::successors(Some(first), next)
                .take(len)
                .collect();
            let [.., start] = vectors::<F>(len, 10);
            check(
                "powers",
                &start,
                &expected,
                |out| powers(out, &first, &base),
                |out| Model::run(Powers::new(out, &first, &base)),
            );
            let scaled: Vec<F> = start.iter().zip(&expected).map(|(a, b)| *a * *b).collect();
            check(
                "scaled by powers",
                &start,
                &scaled,
                |a| scale_by_powers(a, &first, &base),
                |a| Model::run(ScaleByPowers::new(a, &first, &base)),
            );
        }
    }
}

#[test]
#[should_panic(expected = "vectors of different lengths: ")]
fn different_lengths_are_refused() {
    multiply_assign(&mut [Bits254::ONE; 3], &[Bits254::ONE; 4]);
}

macro_rules! each_field {
    ($($name:ident),*) => {$(
        mod $name {
            #[test]
            fn model_of_253_bits() { super::$name::<super::Bits253>(); }
            #[test]
            fn model_of_254_bits() { super::$name::<super::Bits254>(); }
            #[test]
            fn model_of_255_bits() { super::$name::<super::Bits255>(); }
        }
    )*};
}

each_field!(
    by_element,
    integers,
    forms,
    ranges,
    totals,
    combinations,
    sparse_rows,
    progressions
);
