//! Points times one scalar against the naive twin, on each backend by itself.

use super::{Numbers, TestGroup, order_minus};
use crate::buckets::Scalar;
use crate::kernel::Portable;
use crate::lanes::InLanes;
use crate::scale::{scalar_digits_vartime, scale_with_vartime};
use crate::{ScaledPoint, naive, scale_vartime};
use frumious_curves::bls12_381;
use frumious_curves::bn254::G1Affine;
use frumious_field::Integer;
use frumious_simd::{OnModel, Unit};

fn check<
    A: TestGroup
        + ScaledPoint
        + crate::BucketPoint<ScalarField = <A as frumious_curves::Group>::Scalar>,
>(
    lengths: &[usize],
) {
    let most = lengths.iter().max().copied().unwrap_or(0);
    let mut points = A::scattered(most);
    for (k, point) in points.iter_mut().enumerate() {
        match k % 5 {
            2 => *point = A::from_coordinates(Default::default(), Default::default()),
            3 => *point = A::generator(), // equal ones
            4 if k % 2 == 0 => *point = A::generator().opposite(),
            _ => {}
        }
    }
    let mut scalars = vec![
        [0; 4],
        [1, 0, 0, 0],
        [2, 0, 0, 0],
        [7, 0, 0, 0],
        Numbers(5).scalar(),
    ];
    scalars.extend([1, 2, 3].map(order_minus::<A>));
    for scalar in scalars {
        let element = Integer::from_words_unchecked(scalar).to_element();
        let digits = scalar_digits_vartime::<A>(&element);
        let expected: Vec<_> = points
            .iter()
            .map(|point| naive::msm_vartime(&[*point], &[scalar]))
            .collect();
        let expected = A::normalise(&expected);
        for len in lengths {
            let (points, expected) = (&points[..*len], &expected[..*len]);
            let mut products = vec![A::generator(); *len]; // whatever was there
            scale_vartime(points.into(), &digits, &mut products);
            assert_eq!(products, expected, "{scalar:?}");
            products.fill(A::generator());
            let backend = Scalar::<Portable<A>>::NEW;
            scale_with_vartime(backend, points.into(), &digits, &mut products);
            assert_eq!(products, expected, "{scalar:?}");
            for unit in Unit::all() {
                products.fill(A::generator());
                scale_with_vartime(InLanes(unit), points.into(), &digits, &mut products);
                assert_eq!(products, expected, "{scalar:?}");
            }
            let few = 20.min(*len);
            products.fill(A::generator());
            let (points, products) = (&points[..few], &mut products[..few]);
            scale_with_vartime(InLanes(OnModel), points.into(), &digits, products);
            assert_eq!(*products, expected[..few], "{scalar:?}, model");
        }
    }
}

#[test]
fn scaled_bn254() {
    check::<G1Affine>(&[0, 1, 2, 17, 1300]); // more than a block
}

#[test]
fn scaled_bls12_381() {
    check::<bls12_381::G1Affine>(&[0, 1, 40]);
}
