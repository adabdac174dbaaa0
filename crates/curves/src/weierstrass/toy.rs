//! The formulas on `y² = x³ + 7` over 43 elements, a group of prime order 31, with every input there is.

use super::jacobian::{Jacobian, OddMultiples};
use super::{
    Coordinate, add, add_affine, double, double_repeated, impl_operand, is_on_curve,
    multiply_by_sparse,
};
use frumious_field::{Field, PrimeField};
use frumious_testing::small_field::Small;

type F = Small<43, 1, 3>;

const ORDER: usize = 31;

impl_operand!(F);

impl Coordinate for F {
    fn halve(&self) -> Self {
        F::from_u64(22) * *self
    }

    const JACOBIAN_PAYS_FROM: u32 = 7;
}

/// A point of the group, infinity being none.
type Point = Option<[F; 2]>;

fn elements() -> impl Iterator<Item = F> {
    (0..43).map(F::from_u64)
}

fn units() -> impl Iterator<Item = F> {
    elements().skip(1)
}

fn mul_3b(x: F) -> F {
    F::from_u64(21) * x
}

/// The group law as in a textbook, by slopes.
fn naive_add(p: Point, q: Point) -> Point {
    let (Some([x1, y1]), Some([x2, y2])) = (p, q) else {
        return p.or(q);
    };
    let slope = if x1 != x2 {
        (y2 - y1) * (x2 - x1).invert_vartime()?
    } else if y1 == y2 {
        F::from_u64(3) * x1.square() * y1.double().invert_vartime()?
    } else {
        return None;
    };
    let x = slope.square() - x1 - x2;
    Some([x, slope * (x1 - x) - y1])
}

/// `0·P, 1·P, …` for a generator `P`: every point once.
fn group() -> Vec<Point> {
    let generator = elements()
        .flat_map(|x| elements().map(move |y| [x, y]))
        .find(|[x, y]| bool::from(is_on_curve(*x, *y, F::from_u64(7))));
    assert!(generator.is_some());
    let mut points = vec![None];
    for i in 1..ORDER {
        points.push(naive_add(points[i - 1], generator));
    }
    assert_eq!(naive_add(points[ORDER - 1], generator), None);
    assert!(points[1..].iter().all(|point| point.is_some()));
    points
}

fn projective(point: Point, z: F) -> [F; 3] {
    match point {
        Some([x, y]) => [x * z, y * z, z],
        None => [F::ZERO, z, F::ZERO],
    }
}

fn affine([x, y, z]: [F; 3]) -> Point {
    match z.invert_vartime() {
        Some(inverse) => Some([x * inverse, y * inverse]),
        None => {
            assert!(x == F::ZERO && y != F::ZERO, "infinity and nothing else");
            None
        }
    }
}

fn jacobian(point: Point, z: F) -> Jacobian<F> {
    match point {
        Some([x, y]) => Jacobian {
            x: x * z.square(),
            y: y * z.square() * z,
            z,
        },
        None => Jacobian {
            x: z,
            y: z.double(),
            z: F::ZERO,
        },
    }
}

/// The point of `p`, given on the curve isomorphic by `scale`.
fn affine_jacobian(p: Jacobian<F>, scale: F) -> Point {
    (p.z * scale).invert_vartime().map(|inverse| {
        let square = inverse.square();
        [p.x * square, p.y * square * inverse]
    })
}

#[test]
fn complete_formulas_on_every_pair_of_representatives() {
    let group = group();
    for (i, p) in group.iter().enumerate() {
        for z1 in units() {
            let left = projective(*p, z1);
            assert_eq!(affine(double(left, mul_3b)), group[2 * i % ORDER]);
            for (j, q) in group.iter().enumerate() {
                let expected = group[(i + j) % ORDER];
                for z2 in units() {
                    assert_eq!(affine(add(left, projective(*q, z2), mul_3b)), expected);
                }
                if let Some(q) = q {
                    assert_eq!(affine(add_affine(left, *q, mul_3b)), expected);
                }
            }
        }
    }
}

#[test]
fn jacobian_formulas_on_every_representative() {
    let group = group();
    for (i, p) in group.iter().enumerate() {
        for z in units() {
            let left = jacobian(*p, z);
            assert_eq!(affine_jacobian(left.double(), F::ONE), group[2 * i % ORDER]);
            for (j, q) in group.iter().enumerate().skip(1) {
                let q = q.expect("finite");
                let expected = group[(i + j) % ORDER];
                let sum = left.add_affine_vartime(q);
                assert_eq!(affine_jacobian(sum, F::ONE), expected);
                for scale in units() {
                    // `left` read as a point of the isomorphic curve is `p` with another Z
                    let inverse = scale.invert_vartime().expect("a unit");
                    let image = Jacobian {
                        z: left.z * inverse,
                        ..left
                    };
                    let sum = image.add_unscaled_vartime(q, scale);
                    assert_eq!(affine_jacobian(sum, scale), expected);
                }
            }
        }
    }
}

#[test]
fn odd_multiples_of_every_point() {
    let group = group();
    for i in 1..ORDER {
        for scale in units() {
            let image = jacobian(group[i], scale);
            let table = OddMultiples::<F, 8>::new_vartime([image.x, image.y], scale);
            for (j, [x, y]) in table.points.into_iter().enumerate() {
                let point = Jacobian { x, y, z: F::ONE };
                let expected = group[i * (2 * j + 1) % ORDER];
                assert_eq!(affine_jacobian(point, table.scale), expected);
            }
        }
    }
}

#[test]
fn repeated_doublings_and_sparse_multiples_of_every_representative() {
    let group = group();
    for (i, p) in group.iter().enumerate() {
        for z in units() {
            let point = projective(*p, z);
            for count in [0, 1, 6, 7, 8, 20] {
                let multiple = double_repeated(point, count, mul_3b);
                assert_eq!(affine(multiple), group[(i << count) % ORDER]);
            }
            for scalar in (1..70).chain([1 << 12, 1 << 12 | 1, 1 << 20 | 1 << 11 | 1 << 9]) {
                let multiple = multiply_by_sparse(point, scalar, mul_3b);
                assert_eq!(affine(multiple), group[i * scalar as usize % ORDER]);
            }
        }
    }
}

/// True if double-and-add meets an addition of equal or opposite points, or of infinity.
fn is_exceptional(i: usize, scalar: u64) -> bool {
    let bits = (0..scalar.ilog2()).filter(|bit| scalar >> bit & 1 == 1);
    let mut before = bits.map(|bit| (scalar >> bit) as usize - 1);
    i == 0 || before.any(|multiple| matches!(multiple % ORDER, 0 | 1 | 30))
}

#[test]
fn incomplete_multiples_are_right_or_say_so() {
    let group = group();
    let mut exceptions = 0;
    for (i, p) in group.iter().enumerate() {
        for z in units() {
            for scalar in 1..200 {
                let multiple = jacobian(*p, z).multiply_by_sparse_incomplete(scalar);
                if is_exceptional(i, scalar) {
                    assert_eq!(multiple.z, F::ZERO);
                    exceptions += 1;
                } else {
                    let expected = group[i * scalar as usize % ORDER];
                    assert_eq!(affine_jacobian(multiple, F::ONE), expected);
                }
                for (j, other) in group.iter().enumerate() {
                    let Some(other) = other else { continue };
                    let equal = !is_exceptional(i, scalar) && i * scalar as usize % ORDER == j;
                    assert_eq!(bool::from(multiple.is_affine(*other)), equal);
                }
            }
        }
    }
    assert!(exceptions > 0);
}
