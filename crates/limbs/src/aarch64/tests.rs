//! The assembly against its twins in plain Rust, with the same bits before the last subtraction too.

use super::{mul, mul_lazy, mul_prepared, rows, square, sum_of_products_lazy, wide_square};
use crate::primitives::mac;
use crate::{Modulus, Prepared, Wide, modular, portable, products, unrolled, words};

/// The prime of BN254.
const SPARE: Modulus<4> = Modulus::new([
    0x3c20_8c16_d87c_fd47,
    0x9781_6a91_6871_ca8d,
    0xb850_45b6_8181_585d,
    0x3064_4e72_e131_a029,
]);

/// The prime of BLS12-381.
const SPARE_SIX: Modulus<6> = Modulus::new([
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
]);

/// The largest moduli: with a spare bit and no two.
const LARGEST: Modulus<4> = Modulus::new(largest());
const LARGEST_SIX: Modulus<6> = Modulus::new(largest());

const fn largest<const N: usize>() -> [u64; N] {
    let mut words = [u64::MAX; N];
    words[N - 1] = (1 << 63) - 2;
    words
}

/// Any words: zeros and ones among the others, and some that look random.
fn numbers<const N: usize>() -> Vec<[u64; N]> {
    let mut numbers = vec![
        [0; N],
        [u64::MAX; N],
        [u64::MAX - 1; N],
        [1; N],
        [1 << 63; N],
    ];
    for i in 0..N {
        let (mut one, mut ones, mut hole) = ([0; N], [0; N], [u64::MAX; N]);
        (one[i], ones[i], hole[i]) = (1, u64::MAX, 0);
        numbers.extend([one, ones, hole]);
    }
    let mut word = 1_u64;
    for _ in 0..12 {
        numbers.push(core::array::from_fn(|_| {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            word ^ word >> 29
        }));
    }
    numbers
}

fn one_below<const N: usize>(number: &[u64; N]) -> [u64; N] {
    let mut one = [0; N];
    one[0] = 1;
    words::sub(number, &one).0
}

/// The bound, the number below, its half, and any words cut to be at most the bound.
fn numbers_up_to<const N: usize>(bound: &[u64; N]) -> Vec<[u64; N]> {
    let mut values = vec![*bound, one_below(bound), words::halve(bound)];
    values.extend(numbers::<N>().into_iter().filter_map(|mut number| {
        number[N - 1] %= bound[N - 1] + 1;
        (!words::less_than_vartime(bound, &number)).then_some(number)
    }));
    values
}

/// A row by single products.
fn plain_row<const N: usize>(t: &[u64; N], a: &[u64; N], b: u64) -> ([u64; N], u64) {
    let (mut sum, mut carry) = (*t, 0);
    for j in 0..N {
        (sum[j], carry) = mac(a[j], b, t[j], carry);
    }
    (sum, carry)
}

/// A step of the reduction by single products.
fn plain_reduction<const N: usize>(t: &[u64; N], top: u64, modulus: &Modulus<N>) -> [u64; N] {
    let m = t[0].wrapping_mul(modulus.p_neg_inv);
    let (sum, carry) = plain_row(t, &modulus.p, m);
    assert_eq!(sum[0], 0);
    let mut reduced = [top + carry; N];
    reduced[..N - 1].copy_from_slice(&sum[1..]);
    reduced
}

fn check_rows<const N: usize>(modulus: &Modulus<N>) {
    for a in numbers::<N>() {
        for b in [0, 1, 2, 1 << 32, 1 << 63, u64::MAX - 1, u64::MAX, a[0]] {
            assert_eq!(rows::multiply(&a, b), plain_row(&[0; N], &a, b));
            for t in numbers::<N>() {
                assert_eq!(rows::add(&t, &a, b), plain_row(&t, &a, b), "{t:x?}");
            }
        }
        // the words below `top` carry at most the top word of `p`, and one
        for top in [0, 1, u64::MAX - modulus.p[N - 1] - 1] {
            let expected = plain_reduction(&a, top, modulus);
            assert_eq!(rows::reduce_with_top(&a, top, modulus), expected, "{a:x?}");
            if top == 0 {
                assert_eq!(rows::reduce(&a, modulus), expected, "{a:x?}");
            }
        }
    }
}

#[test]
fn rows_are_those_of_single_products() {
    check_rows(&SPARE);
    check_rows(&LARGEST);
    check_rows(&SPARE_SIX);
    check_rows(&LARGEST_SIX);
}

#[test]
fn products_of_double_length_are_the_loops() {
    fn check<const N: usize>() {
        for a in numbers::<N>() {
            let (low, high) = wide_square(&a);
            assert_eq!(Wide::from_words(low, high), Wide::product_const(&a, &a));
            for b in numbers::<N>() {
                let (low, high) = unrolled::wide_product(&a, &b);
                assert_eq!(Wide::from_words(low, high), Wide::product_const(&a, &b));
            }
        }
    }
    check::<4>();
    check::<6>();
}

/// The first factor is up to the bound `R - p`, the second up to `p`.
fn check_products<const N: usize>(m: &Modulus<N>) {
    let bound = words::sub(&[0; N], &m.p).0;
    for a in numbers_up_to(&bound) {
        for b in numbers_up_to(&m.p) {
            let lazy = mul_lazy(&a, &b, m);
            assert_eq!(lazy, portable::mul_lazy(&a, &b, &m.p, m.p_neg_inv));
            let reduced = modular::reduce_once(&lazy, &m.p);
            assert_eq!(mul(&a, &b, m), reduced, "{a:x?} {b:x?}");
        }
    }
    let residues = numbers_up_to(&one_below(&m.p));
    for a in &residues {
        assert_eq!(square(a, m), m.mul_const(a, a), "{a:x?}");
        for b in &residues {
            let (a, b) = ([a, b], [b, &m.r]);
            let expected = products::sum_of_products_lazy([a[0]], [b[0]], m);
            assert_eq!(sum_of_products_lazy([a[0]], [b[0]], m), expected);
            if m.is_narrow(2) {
                let expected = products::sum_of_products_lazy(a, b, m);
                assert_eq!(sum_of_products_lazy(a, b, m), expected, "{a:x?} {b:x?}");
            }
        }
    }
}

#[test]
fn products_are_the_loops_up_to_their_bounds() {
    check_products(&SPARE);
    check_products(&LARGEST);
    check_products(&SPARE_SIX);
    check_products(&LARGEST_SIX);
}

#[test]
fn products_with_a_prepared_factor_are_rows() {
    fn check<const N: usize>(m: &Modulus<N>) {
        for w in numbers_up_to(&one_below(&m.p)) {
            let factor = Prepared::new(&w, m);
            for a in numbers::<N>() {
                let (mut t, mut top) = ([0; N], 0);
                for (multiple, word) in factor.multiples.iter().zip(a) {
                    let carry;
                    (t, carry) = plain_row(&t, multiple, word);
                    top += carry;
                }
                let expected = plain_reduction(&t, top, m);
                assert_eq!(mul_prepared(&a, &factor.multiples, m), expected, "{a:x?}");
            }
        }
    }
    check(&SPARE_SIX); // (6 + 1)·p < R
    check(&Modulus::<4>::new([
        u64::MAX - 58,
        u64::MAX,
        u64::MAX,
        u64::MAX / 5 - 1,
    ])); // 5p < R
}
