//! Multiples of one point against the naive twin, on each backend by itself.

use super::{Numbers, TestGroup, integers, order_minus};
use crate::buckets::Scalar;
use crate::group::order;
use crate::kernel::Portable;
use crate::lanes::InLanes;
use crate::naive;
use crate::{EncodedPoint, Multiples};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_simd::{OnModel, Unit};

/// Edge values for digits, and `random` others.
fn scalars<A: TestGroup>(random: usize) -> Vec<[u64; 4]> {
    let mut numbers = Numbers(31);
    let mut scalars = vec![
        [0; 4],
        [1, 0, 0, 0],
        [2, 0, 0, 0],
        *order::<A>(),
        [u64::MAX; 4],
    ];
    scalars.extend([1, 2, 3, 1 << 40].map(order_minus::<A>));
    // Around half the order, where digits are largest.
    let order = order::<A>();
    let half: [u64; 4] =
        core::array::from_fn(|i| order[i] >> 1 | order.get(i + 1).unwrap_or(&0) << 63);
    scalars.extend([0, 1, 2].map(|k| [half[0] + k, half[1], half[2], half[3]]));
    scalars.extend([1 << 50, 1 << 58].map(|k| [half[0], half[1], half[2], half[3] - k]));
    for bit in (0..256).step_by(9) {
        let mut power = [0; 4];
        power[bit / 64] = 1_u64 << (bit % 64);
        scalars.push(power);
        scalars.push(power.map(|word| word.wrapping_sub(1)));
    }
    scalars.extend((0..random).map(|_| numbers.scalar()));
    scalars.extend(vec![[7, 0, 0, 0]; 9]); // equal ones, and zeros at the end
    scalars.extend([[0; 4]; 3]);
    scalars
}

fn check<A: TestGroup + EncodedPoint>(widths: &[u32], random: usize) {
    let point = A::scattered(1)[0];
    let scalars = scalars::<A>(random);
    let expected: Vec<_> = scalars
        .iter()
        .map(|scalar| naive::msm_vartime(&[point], &[*scalar]))
        .collect();
    let expected = A::normalise(&expected);
    let scalars = integers::<A>(&scalars);
    for width in widths {
        let table = Multiples::with_width_vartime(&point, *width);
        assert_eq!(
            Multiples::<A>::bytes(*width),
            table.entries.len() * size_of::<A>()
        );
        let mut multiples = vec![point; scalars.len()]; // whatever was there
        table.multiply_vartime(&scalars, &mut multiples);
        assert_eq!(multiples, expected, "width {width}");
        multiples.fill(point);
        let scalar = Scalar::<Portable<A>>::NEW;
        table.multiply_with_vartime(scalar, &scalars, &mut multiples);
        assert_eq!(multiples, expected);
        for unit in Unit::all() {
            multiples.fill(point);
            table.multiply_with_vartime(InLanes(unit), &scalars, &mut multiples);
            assert_eq!(multiples, expected);
        }
        let few = scalars.len().min(40);
        multiples.fill(point);
        table.multiply_with_vartime(InLanes(OnModel), &scalars[..few], &mut multiples[..few]);
        assert_eq!(multiples[..few], expected[..few], "width {width}, model");
        table.multiply_vartime(&[], &mut []);
    }
}

#[test]
fn multiples_g1() {
    check::<G1Affine>(&[4, 7, 11], 3000); // more than a batch
}

#[test]
fn multiples_g2() {
    check::<G2Affine>(&[5], 60);
}

#[test]
fn multiples_bls12_381() {
    check::<bls12_381::G1Affine>(&[4, 6], 60);
    check::<bls12_381::G2Affine>(&[4], 10);
}

#[test]
fn tables_are_as_wide_as_counts_ask() {
    for (count, width) in [(0, 4), (1 << 8, 7), (1 << 16, 13), (1 << 24, 16)] {
        assert_eq!(crate::multiples::best_width(count), width, "{count}");
    }
}
