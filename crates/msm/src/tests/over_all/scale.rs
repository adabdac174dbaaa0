//! Products of points and scalars, and butterflies, against the naive twin, on each backend by itself.

use super::{Numbers, TestGroup, order_minus};
use crate::buckets::Scalar;
use crate::kernel::Portable;
use crate::lanes::InLanes;
use crate::lanes::double_and_add::JacobianPoint;
use crate::scale::{
    Factors, butterflies_with_vartime, jacobian, scalar_digits_vartime, scale_with_vartime,
};
use crate::sums::Backend;
use crate::{
    BucketPoint, ScaledPoint, butterflies_vartime, naive, scale_each_vartime, scale_vartime,
};
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_curves::{ScalarDigits, bls12_381};
use frumious_field::Integer;
use frumious_simd::{OnModel, Runner, Unit};

/// Points, some at infinity, some equal, some opposite.
fn points<A: TestGroup>(n: usize) -> Vec<A> {
    let mut points = A::scattered(n);
    for (k, point) in points.iter_mut().enumerate() {
        match k % 5 {
            2 => *point = A::from_coordinates(Default::default(), Default::default()),
            3 => *point = A::generator(), // equal ones
            4 if k % 2 == 0 => *point = A::generator().opposite(),
            _ => {}
        }
    }
    points
}

/// Scalars at the edges, then one in the middle.
fn scalars<A: BucketPoint>() -> Vec<[u64; 4]> {
    let small = [0, 1, 2, 7].map(|word| [word, 0, 0, 0]);
    let large = [1, 2, 3].map(order_minus::<A>);
    [&small[..], &large[..], &[Numbers(5).scalar()]].concat()
}

fn digits<A: ScaledPoint + BucketPoint<ScalarField = <A as frumious_curves::Group>::Scalar>>(
    scalar: &[u64; 4],
) -> ScalarDigits {
    scalar_digits_vartime::<A>(&Integer::from_words_unchecked(*scalar).to_element())
}

/// Ways to products and butterflies that are tried beside those of a backend.
trait Ways: ScaledPoint {
    fn try_all(_case: &Case<'_, Self>) {}
}

impl Ways for G2Affine {}
impl Ways for bls12_381::G2Affine {}

impl Ways for G1Affine {
    fn try_all(case: &Case<'_, Self>) {
        case.check_in_jacobian();
    }
}

impl Ways for bls12_381::G1Affine {
    fn try_all(case: &Case<'_, Self>) {
        case.check_in_jacobian();
    }
}

/// Points and the expected results of their products and butterflies.
#[derive(Clone, Copy)]
struct Case<'a, A> {
    points: &'a [A],
    lows: &'a [A],
    factors: Factors<'a>,
    products: &'a [A],
    sums: &'a [A],
    differences: &'a [A],
}

impl<A: Ways + core::fmt::Debug> Case<'_, A> {
    /// On each backend; the first points on the model, too.
    fn check(&self) {
        A::try_all(self);
        self.check_on(Scalar::<Portable<A>>::NEW);
        for unit in Unit::all() {
            self.check_on(InLanes(unit));
        }
        self.few().check_on(InLanes(OnModel));
    }

    /// The first points.
    fn few(&self) -> Self {
        let few = 20.min(self.points.len());
        let factors = match self.factors {
            Factors::One(_) => self.factors,
            Factors::Each(digits) => Factors::Each(&digits[..few]),
        };
        Case {
            points: &self.points[..few],
            lows: &self.lows[..few],
            factors,
            products: &self.products[..few],
            sums: &self.sums[..few],
            differences: &self.differences[..few],
        }
    }

    fn check_on(&self, backend: impl Backend<A>) {
        self.check_with(
            |products| scale_with_vartime(backend, self.points.into(), self.factors, products),
            |low, high| butterflies_with_vartime(backend, low, high, self.factors),
        );
    }

    fn check_with(
        &self,
        multiply: impl FnOnce(&mut [A]),
        butterflies: impl FnOnce(&mut [A], &mut [A]),
    ) {
        let mut products = vec![A::GENERATOR; self.points.len()]; // whatever was there
        multiply(&mut products);
        assert!(products == self.products);
        let (mut low, mut high) = (self.lows.to_vec(), self.points.to_vec());
        butterflies(&mut low, &mut high);
        assert!(low == self.sums && high == self.differences);
    }
}

impl<A: Ways + JacobianPoint + core::fmt::Debug> Case<'_, A> {
    /// In Jacobian coordinates, on each unit; the first points on the model, too.
    fn check_in_jacobian(&self) {
        for unit in Unit::all() {
            self.jacobian_on(unit);
        }
        self.few().jacobian_on(OnModel);
    }

    fn jacobian_on(&self, runner: impl Runner) {
        self.check_with(
            |products| {
                jacobian::scale_with_vartime(runner, self.points.into(), self.factors, products);
            },
            |low, high| jacobian::butterflies_with_vartime(runner, low, high, self.factors),
        );
    }
}

/// The other points of butterflies: the same in another order, so that some sums and some differences vanish.
fn lows<A: Copy>(points: &[A]) -> Vec<A> {
    points.iter().rev().copied().collect()
}

fn check<A: TestGroup + Ways + BucketPoint<ScalarField = <A as frumious_curves::Group>::Scalar>>(
    lengths: &[usize],
) {
    let most = lengths.iter().max().copied().unwrap_or(0);
    let all = points::<A>(most);
    let scalars = scalars::<A>();
    let product = |point: &A, scalar: &[u64; 4]| naive::msm_vartime(&[*point], &[*scalar]);
    let butterflies = |points: &[A], scalar: &dyn Fn(usize) -> [u64; 4]| {
        let pairs = lows(points).into_iter().zip(points).enumerate();
        let pairs = pairs.map(|(k, (low, high))| {
            let product = product(high, &scalar(k));
            (low.add_to(&product), low.add_to(&-product))
        });
        let (sums, differences): (Vec<_>, Vec<_>) = pairs.unzip();
        (A::normalise(&sums), A::normalise(&differences))
    };
    // One scalar for all; then one each, with those of the edges among them.
    let mut cases: Vec<Vec<[u64; 4]>> = scalars.iter().map(|scalar| vec![*scalar]).collect();
    let mut numbers = Numbers(9);
    let own = (0..most).map(|k| {
        scalars
            .get(k % 11)
            .copied()
            .unwrap_or_else(|| numbers.scalar())
    });
    cases.push(own.collect());
    for scalars_of_case in &cases {
        let scalar = |k: usize| scalars_of_case[k % scalars_of_case.len()];
        let each: Vec<ScalarDigits> = (0..most).map(|k| digits::<A>(&scalar(k))).collect();
        let expected: Vec<_> = (0..most).map(|k| product(&all[k], &scalar(k))).collect();
        let expected = A::normalise(&expected);
        for len in lengths.iter().copied() {
            let (points, expected) = (&all[..len], &expected[..len]);
            let (sums, differences) = butterflies(points, &scalar);
            let case = Case {
                points,
                lows: &lows(points),
                factors: Factors::Each(&each[..len]),
                products: expected,
                sums: &sums,
                differences: &differences,
            };
            case.check();
            let mut products = vec![A::GENERATOR; len];
            scale_each_vartime(points.into(), &each[..len], &mut products);
            assert!(products == expected);
            let (mut low, mut high) = (lows(points), points.to_vec());
            butterflies_vartime(&mut low, &mut high, case.factors);
            assert!(low == sums && high == differences);
            if let [only] = &scalars_of_case[..] {
                let one = digits::<A>(only);
                let factors = Factors::One(&one);
                Case { factors, ..case }.check();
                products.fill(A::GENERATOR);
                scale_vartime(points.into(), &one, &mut products);
                assert!(products == expected);
            }
        }
    }
}

#[test]
fn scaled_bn254() {
    check::<G1Affine>(&[0, 1, 2, 17, 1300]); // more than a block
}

#[test]
fn scaled_bn254_g2() {
    check::<G2Affine>(&[1, 40]);
}

#[test]
fn scaled_bls12_381() {
    check::<bls12_381::G1Affine>(&[0, 1, 40]);
}

#[test]
fn scaled_bls12_381_g2() {
    check::<bls12_381::G2Affine>(&[1, 40]);
}

#[test]
#[should_panic(expected = "3 points but 2 places or scalars")]
fn a_scalar_is_missing() {
    let points = [G1Affine::GENERATOR; 3];
    let digits = [digits::<G1Affine>(&[5, 0, 0, 0]); 2];
    scale_each_vartime((&points).into(), &digits, &mut [G1Affine::default(); 3]);
}
