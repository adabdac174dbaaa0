//! Every strategy against double-and-add.

use super::*;
use frumious_curves::bandersnatch::{AffineElement, Element, Fr};

fn points(n: usize) -> Vec<AffineElement> {
    let mut point = Element::GENERATOR;
    let elements: Vec<Element> = (0..n)
        .map(|_| {
            point = point.double() + Element::GENERATOR;
            point
        })
        .collect();
    frumious_curves::bandersnatch::batch_to_affine_vartime(&elements)
}

fn scalars(n: usize) -> Vec<Fr> {
    let mut value = Fr::from_u64(7);
    (0..n)
        .map(|_| {
            value = value.square() + Fr::ONE;
            value = value.square() * Fr::from_u64(3);
            value
        })
        .collect()
}

fn naive(points: &[AffineElement], scalars: &[Fr]) -> Element {
    points
        .iter()
        .zip(scalars)
        .map(|(p, s)| Element::from(*p).mul_vartime(s))
        .sum()
}

#[test]
fn first() {
    let points = points(20);
    let scalars = scalars(20);
    for strategy in [
        Strategy::Windows {
            points: 20,
            count: 32,
        },
        Strategy::Windows {
            points: 20,
            count: 37,
        },
        Strategy::Comb {
            rounds: 128,
            bits: 12,
            digits: Digits::Unsigned,
        },
        Strategy::Comb {
            rounds: 64,
            bits: 11,
            digits: Digits::Unsigned,
        },
        Strategy::Comb {
            rounds: 253,
            bits: 7,
            digits: Digits::Signed {
                order: Order::Consecutive,
            },
        },
        Strategy::Comb {
            rounds: 23,
            bits: 7,
            digits: Digits::Signed {
                order: Order::Strided,
            },
        },
        Strategy::Comb {
            rounds: 127,
            bits: 7,
            digits: Digits::Signed {
                order: Order::Strided,
            },
        },
    ] {
        let table =
            FixedBase::<Banderwagon>::with_strategies_vartime(&points, &[strategy]).unwrap();
        for n in [0, 1, 2, 19, 20] {
            assert_eq!(
                table.commit_vartime(&scalars[..n]).unwrap(),
                naive(&points, &scalars[..n]),
                "{strategy:?} {n}"
            );
        }
    }
}
