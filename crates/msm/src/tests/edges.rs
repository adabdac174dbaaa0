//! Edge values of scalars, sizes and points.

use super::{Numbers, TestGroup, check, infinity, ones, order_minus, power};
use crate::group::order;
use crate::{LengthMismatch, naive, of_pairs_vartime as msm_vartime};
use frumious_curves::bandersnatch::WeierstrassAffine;
use frumious_curves::bls12_381;
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_field::Integer;

/// `2^k - 1`, `2^k`, `2^k + 1` for every bit, their opposites modulo `r`, and numbers around multiples of `r`.
fn edge_scalars<A: TestGroup>() -> Vec<[u64; 4]> {
    let mut scalars = vec![[0; 4], [1, 0, 0, 0], [2, 0, 0, 0], ones(256)];
    for bit in 0..256 {
        let mut above = power(bit);
        above[0] |= 1;
        scalars.extend([ones(bit), power(bit), above]);
    }
    scalars.extend((1..=64).map(order_minus::<A>));
    scalars.extend((1..62).map(|bit| order_minus::<A>(1 << bit)));
    for k in 0..=17 {
        if let Some(words) = multiple_of_order::<A>(k) {
            for change in [-2i64, -1, 0, 1, 2] {
                let mut near = words;
                near[0] = near[0].wrapping_add_signed(change); // no carry: the low word of k·r/2 is far from 0
                scalars.push(near);
            }
        }
    }
    scalars
}

/// `⌊k·r/2⌋` if it fits 256 bits.
fn multiple_of_order<A: TestGroup>(k: u64) -> Option<[u64; 4]> {
    let mut product = [0; 4];
    let mut carry = 0u128;
    for (word, order) in product.iter_mut().zip(order::<A>()) {
        carry += u128::from(*order) * u128::from(k);
        *word = carry as u64;
        carry >>= 64;
    }
    let top = carry as u64;
    let half = core::array::from_fn(|i| product[i] >> 1 | product.get(i + 1).unwrap_or(&top) << 63);
    (top < 2).then_some(half)
}

fn edge_scalars_in<A: TestGroup>() {
    let scalars = edge_scalars::<A>();
    let points = A::scattered(scalars.len());
    check(&points, &scalars);
    // one by one, and in the company of random ones
    let mut numbers = Numbers(1);
    for chunk in [1, 2, 3, 40] {
        for scalars in scalars.chunks(chunk).step_by(7) {
            check(&points[..scalars.len()], scalars);
            let mixed: Vec<[u64; 4]> = scalars.iter().copied().chain(numbers.scalars(30)).collect();
            check(&points[..mixed.len()], &mixed);
        }
    }
}

#[test]
fn edge_scalars_g1() {
    edge_scalars_in::<G1Affine>();
}

#[test]
fn edge_scalars_g2() {
    edge_scalars_in::<G2Affine>();
}

#[test]
fn edge_scalars_bls12_381() {
    edge_scalars_in::<bls12_381::G1Affine>();
}

#[test]
fn edge_scalars_bandersnatch() {
    edge_scalars_in::<WeierstrassAffine>();
}

fn sizes_in<A: TestGroup>(sizes: &[usize]) {
    let most = sizes.iter().copied().max().unwrap_or(0);
    let points = A::scattered(most);
    let scalars = Numbers(2).scalars(most);
    for &n in sizes {
        check(&points[..n], &scalars[..n]);
    }
}

#[test]
fn sizes_g1() {
    let small: Vec<usize> = (0..70).collect();
    sizes_in::<G1Affine>(&small);
    sizes_in::<G1Affine>(&[127, 128, 129, 255, 500, 1024, 4095, 4096, 4097, 9000]);
}

#[test]
fn sizes_g2() {
    sizes_in::<G2Affine>(&[0, 1, 2, 3, 23, 24, 25, 26, 31, 32, 33, 64, 100, 1024, 4097]);
}

#[test]
fn sizes_bls12_381() {
    let small: Vec<usize> = (0..40).collect();
    sizes_in::<bls12_381::G1Affine>(&small);
    sizes_in::<bls12_381::G1Affine>(&[127, 128, 129, 500, 1024, 4097]);
    sizes_in::<bls12_381::G2Affine>(&[0, 1, 2, 3, 24, 25, 32, 33, 100]);
}

#[test]
fn sizes_bandersnatch() {
    let small: Vec<usize> = (0..70).collect();
    sizes_in::<WeierstrassAffine>(&small);
    sizes_in::<WeierstrassAffine>(&[127, 128, 129, 255, 500, 1024, 4097, 9000]);
}

#[test]
fn no_points_is_the_identity() {
    let sum = msm_vartime::<G1Affine>(&[], &[]).expect("both lengths are 0");
    assert_eq!(sum, naive::msm_vartime::<G1Affine>(&[], &[]));
    assert!(bool::from(sum.is_identity()));
}

fn infinities_in<A: TestGroup>() {
    let n = 600;
    let mut points = A::scattered(n);
    let scalars = Numbers(3).scalars(n);
    for (i, point) in points.iter_mut().enumerate() {
        if i % 3 != 1 {
            *point = infinity();
        }
    }
    check(&points, &scalars);
    points.fill(infinity());
    check(&points, &scalars);
    check(&points[..1], &scalars[..1]);
}

#[test]
fn infinities() {
    infinities_in::<G1Affine>();
    infinities_in::<G2Affine>();
    infinities_in::<bls12_381::G1Affine>();
    infinities_in::<bls12_381::G2Affine>();
    infinities_in::<WeierstrassAffine>();
}

/// Witnesses: mostly zeros and ones, some small numbers of both signs, few of full length.
fn witness_like_scalars_in<A: TestGroup>() {
    let n = 3000;
    let points = A::scattered(n);
    let mut numbers = Numbers(4);
    let scalars: Vec<[u64; 4]> = (0..n)
        .map(|_| match numbers.next() % 100 {
            0..45 => [0; 4],
            45..85 => [1, 0, 0, 0],
            85..90 => [numbers.next() % 256, 0, 0, 0],
            90..93 => order_minus::<A>(numbers.next() % 256 + 1),
            93..96 => [numbers.next(), 0, 0, 0],
            _ => numbers.scalar(),
        })
        .collect();
    check(&points, &scalars);
    for n in [15, 40, 60] {
        check(&points[..n], &scalars[..n]);
    }
}

#[test]
fn witness_like_scalars() {
    witness_like_scalars_in::<G1Affine>();
    witness_like_scalars_in::<bls12_381::G1Affine>();
    witness_like_scalars_in::<WeierstrassAffine>();
}

#[test]
fn lengths_must_agree() {
    let points = G1Affine::scattered(3);
    let scalars = [Integer::ONE; 4];
    let expected = Err(LengthMismatch {
        points: 3,
        scalars: 4,
    });
    assert_eq!(msm_vartime(&points[..], &scalars), expected);
    assert!(msm_vartime(&points[..2], &scalars[..3]).is_err());
    assert!(msm_vartime(&points, &scalars[..3]).is_ok());
}
