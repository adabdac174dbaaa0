//! The same sums from every backend of the scalar field, and from points that are decoded on the fly.

use frumious_curves::bandersnatch::{self, Element};
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_curves::engine::PointFromX;
use frumious_field::{Field, Integer, PrimeField};
use frumious_limbs::backend::{self, Backend};
use frumious_msm::{
    Encoded, Factors, ScaledPoint, are_in_group_by_sums_vartime, are_in_group_vartime,
    bandersnatch::msm_vartime as banderwagon_vartime, butterflies_vartime, msm_vartime,
    scalar_digits_vartime, scale_each_vartime, scale_vartime,
};

fn scalars(n: usize) -> Vec<Fr> {
    let mut value = Fr::from_u64(0xc0ffee);
    let next = |i: u64| {
        value = value * value + Fr::from_u64(i);
        if i.is_multiple_of(5) { Fr::ONE } else { value }
    };
    (0..n as u64).map(next).collect()
}

/// One test, because the backend is one for the whole process.
#[test]
fn every_backend_gives_the_same_sum() {
    for n in [1, 9, 300, 5000] {
        let scalars = scalars(n);
        let integers: Vec<Integer<Fr>> = scalars.iter().copied().map(Integer::from).collect();
        // (i + 1)·G, so that the sum is Σ (i + 1)·scalar[i] times G
        let multiple = (1..).map(Fr::from_u64).zip(&scalars);
        let multiple = multiple.fold(Fr::ZERO, |sum, (factor, scalar)| sum + factor * *scalar);
        let expected_g1 = G1Projective::GENERATOR.mul_vartime(&multiple);
        let expected_g2 = G2Projective::GENERATOR.mul_vartime(&multiple);
        let g1: Vec<G1Projective> = (0..n)
            .scan(G1Projective::IDENTITY, |point, _| {
                *point = point.add_affine(&G1Affine::GENERATOR);
                Some(*point)
            })
            .collect();
        let g1 = G1Projective::batch_to_affine_vartime(&g1);
        let g2: Vec<G2Projective> = (0..n)
            .scan(G2Projective::IDENTITY, |point, _| {
                *point = point.add_affine(&G2Affine::GENERATOR);
                Some(*point)
            })
            .collect();
        let g2 = G2Projective::batch_to_affine_vartime(&g2);
        let mut bytes = vec![0; 3]; // not aligned to anything
        g1.iter()
            .for_each(|point| bytes.extend(point.to_montgomery_bytes()));
        for backend in Backend::ALL {
            if backend::set(backend).is_err() {
                println!("SKIP {}: not on this CPU", backend.name());
                continue;
            }
            assert_eq!(msm_vartime(&g1, &integers), Ok(expected_g1), "{backend:?}");
            assert_eq!(
                msm_vartime(Encoded::<G1Affine>::new(&bytes[3..]), &integers),
                Ok(expected_g1),
                "{backend:?}"
            );
            assert_eq!(msm_vartime(&g2, &integers), Ok(expected_g2), "{backend:?}");
            bls12_381(n);
            banderwagon(n);
            products(&g1[..n.min(300)], &scalars);
        }
    }
}

/// Products of points, and butterflies; in the one test, too.
fn products(points: &[G1Affine], scalars: &[Fr]) {
    let n = points.len();
    let digits: Vec<_> = (scalars[..n].iter())
        .map(scalar_digits_vartime::<G1Affine>)
        .collect();
    let product =
        |(point, scalar): (&G1Affine, &Fr)| G1Projective::from(*point).mul_vartime(scalar);
    let expected: Vec<_> = points.iter().zip(scalars).map(product).collect();
    let mut products = points.to_vec();
    scale_each_vartime(points.into(), &digits, &mut products);
    assert_eq!(products, G1Projective::batch_to_affine_vartime(&expected));
    let (mut sums, mut differences) = (points.to_vec(), points.to_vec());
    butterflies_vartime(&mut sums, &mut differences, Factors::Each(&digits));
    for k in 0..n {
        let point = G1Projective::from(points[k]);
        assert_eq!(G1Projective::from(sums[k]), point + expected[k]);
        assert_eq!(G1Projective::from(differences[k]), point - expected[k]);
    }
    scale_vartime(points.into(), &digits[0], &mut products);
    let expected: Vec<_> = (points.iter())
        .map(|point| product((point, &scalars[0])))
        .collect();
    assert_eq!(products, G1Projective::batch_to_affine_vartime(&expected));
}

/// The same over BLS12-381, in the one test.
fn bls12_381(n: usize) {
    use frumious_curves::bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
    let scalars: Vec<Fr> = (1..=n as u64)
        .map(|i| Fr::from_u64(i).square().square() - Fr::from_u64(i + 7))
        .collect();
    let integers: Vec<Integer<Fr>> = scalars.iter().copied().map(Integer::from).collect();
    let multiple = (1..).map(Fr::from_u64).zip(&scalars);
    let multiple = multiple.fold(Fr::ZERO, |sum, (factor, scalar)| sum + factor * *scalar);
    let mut g1 = vec![G1Projective::GENERATOR; n];
    let mut g2 = vec![G2Projective::GENERATOR; n];
    for i in 1..n {
        g1[i] = g1[i - 1].add_affine(&G1Affine::GENERATOR);
        g2[i] = g2[i - 1].add_affine(&G2Affine::GENERATOR);
    }
    let g1 = G1Projective::batch_to_affine_vartime(&g1);
    let g2 = G2Projective::batch_to_affine_vartime(&g2);
    let (sum1, sum2) = (msm_vartime(&g1, &integers), msm_vartime(&g2, &integers));
    assert_eq!(sum1, Ok(G1Projective::GENERATOR.mul_vartime(&multiple)));
    assert_eq!(sum2, Ok(G2Projective::GENERATOR.mul_vartime(&multiple)));
    membership(g1[..n.min(300)].to_vec(), of_the_curve());
    membership(g2[..n.min(300)].to_vec(), of_the_curve());
}

/// Points of a group are in it; with one of the curve alone they are not.
fn membership<A: ScaledPoint>(mut points: Vec<A>, outside: A) {
    let are_in = |points: &[A]| {
        let choices = vec![[255; 16]; points.len()];
        [
            are_in_group_vartime(points),
            are_in_group_by_sums_vartime(points, &choices),
        ]
    };
    assert_eq!(are_in(&points), [true, true]);
    points.push(outside);
    assert_eq!(are_in(&points), [false, false]);
}

/// The first point of the curve by its x: not one of the group, as most are not.
fn of_the_curve<A: PointFromX<Base: PrimeField>>() -> A {
    let x = |k: u64| {
        let mut x = vec![A::Base::ZERO; A::DEGREE];
        x[0] = A::Base::from_u64(k);
        x
    };
    let mut points = (1..).filter_map(|k| A::lift_x_vartime(&x(k), true));
    points.next().expect("every second x has a point")
}

/// The same, of elements; in the one test, too.
fn banderwagon(n: usize) {
    let mut scalar = bandersnatch::Fr::from_u64(0xdecaf);
    let mut expected = bandersnatch::Fr::ZERO; // Σ (i + 1)·scalar[i]
    let (mut points, mut scalars) = (Vec::new(), Vec::new());
    let mut point = Element::IDENTITY;
    for i in 1..=n as u64 {
        point += Element::GENERATOR;
        points.push(point);
        scalar = scalar * scalar + bandersnatch::Fr::from_u64(i);
        scalars.push(scalar);
        expected += scalar * bandersnatch::Fr::from_u64(i);
    }
    let points = bandersnatch::batch_to_affine_vartime(&points);
    let expected = Element::GENERATOR.mul_vartime(&expected);
    assert_eq!(banderwagon_vartime(&points, &scalars), Ok(expected));
}
