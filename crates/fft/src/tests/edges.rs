//! Inputs at the edges: constants, spikes, extremes of the field, shifts inside the subgroup, wrong arguments.

use super::backends::{TestField, all_transforms};
use super::exhaustive::{check_all, sample};
use super::small_field::{BabyBear, Tiny};
use crate::shape::Shape;
use crate::transform::Transform;
use crate::{Domain, Error, naive};
use frumious_curves::bn254::Fr;
use frumious_field::PrimeField;

fn check_edge_inputs<F: TestField>(log_size: u32) {
    let domain = Domain::<F>::new(log_size).unwrap();
    let n = domain.size();
    let shift = F::from_u64(7);
    let alternating = |i: usize| if i.is_multiple_of(2) { F::ONE } else { -F::ONE };
    for constant in [F::ZERO, F::ONE, -F::ONE, F::from_u64(u64::MAX)] {
        check_all(&domain, &vec![constant; n], shift);
    }
    check_all(&domain, &(0..n).map(alternating).collect::<Vec<_>>(), shift);
    // The shift may lie in the subgroup, and undo it.
    for shift in [F::ONE, -F::ONE, domain.root(), domain.root_inverse()] {
        check_all(&domain, &sample(n), shift);
    }
}

#[test]
fn edge_inputs() {
    for log_size in 0..=8 {
        check_edge_inputs::<Tiny>(log_size);
        check_edge_inputs::<Fr>(log_size);
    }
}

#[test]
fn a_spike_at_each_index() {
    for log_size in 0..=6 {
        // As one row, as a matrix, as a twisted matrix.
        for (log_rows, twisted) in [(0, false), (log_size / 2, false), (log_size / 2, true)] {
            let domain = Domain::<Fr>::with_shape(Shape {
                log_rows,
                log_columns: log_size - log_rows,
                twisted,
            });
            for index in 0..domain.size() {
                let mut coefficients = vec![Fr::ZERO; domain.size()];
                coefficients[index] = -Fr::ONE;
                check_all(&domain, &coefficients, Fr::from_u64(5));
            }
        }
    }
}

#[test]
fn fr_at_all_sizes_to_two_to_the_twelve() {
    for log_size in 0..=12 {
        let domain = Domain::<Fr>::new(log_size).unwrap();
        check_all(&domain, &sample(1 << log_size), Fr::from_u64(5));
    }
}

#[test]
fn extension_to_the_odd_half_of_the_next_domain() {
    // Groth16's coset: the odd powers of the root of the domain twice as large.
    for log_size in [0, 1, 5, 12, 13] {
        let domain = Domain::<Fr>::new(log_size).unwrap();
        let double = Domain::<Fr>::new(log_size + 1).unwrap();
        let coefficients = sample::<Fr>(domain.size());
        let mut long = coefficients.clone();
        long.resize(double.size(), Fr::ZERO);
        double.fft(&mut long).unwrap();
        let mut values = coefficients;
        domain.fft(&mut values).unwrap();
        assert!(long.iter().step_by(2).eq(&values));
        domain.extend_to_coset(&mut values, double.root()).unwrap();
        assert!(long.iter().skip(1).step_by(2).eq(&values));
    }
}

#[test]
fn products_of_polynomials_are_products_of_values() {
    let domain = Domain::<BabyBear>::new(13).unwrap();
    let (a, b) = (sample::<BabyBear>(1 << 12), sample::<BabyBear>(100));
    let mut product = vec![BabyBear::from_u64(0); domain.size()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] += *x * *y;
        }
    }
    let values = |polynomial: &[BabyBear]| {
        let mut values = polynomial.to_vec();
        values.resize(domain.size(), BabyBear::from_u64(0));
        BabyBear::run(&domain, Transform::Fft, &mut values).unwrap();
        values
    };
    let mut pointwise: Vec<_> = values(&a)
        .into_iter()
        .zip(values(&b))
        .map(|(x, y)| x * y)
        .collect();
    BabyBear::run(&domain, Transform::Ifft, &mut pointwise).unwrap();
    assert!(pointwise == product);
}

#[test]
fn wrong_lengths_are_errors_and_change_nothing() {
    for log_size in [0, 1, 6, 13] {
        let domain = Domain::<BabyBear>::new(log_size).unwrap();
        let n = domain.size();
        let shift = BabyBear::from_u64(3);
        for actual in [0, 1, n / 2, n - 1, n + 1, 2 * n] {
            if actual == n {
                continue;
            }
            let before = sample::<BabyBear>(actual);
            let mut values = before.clone();
            let expected = Err(Error::LengthMismatch {
                expected: n,
                actual,
            });
            for transform in all_transforms(|| shift) {
                assert_eq!(BabyBear::run(&domain, transform, &mut values), expected);
            }
            assert_eq!(values, before);
        }
    }
}

#[test]
fn a_zero_shift_is_an_error_and_changes_nothing() {
    let domain = Domain::<Fr>::new(3).unwrap();
    let before = sample::<Fr>(8);
    let mut values = before.clone();
    for transform in &all_transforms(|| Fr::ZERO)[2..] {
        assert_eq!(
            Fr::run(&domain, *transform, &mut values),
            Err(Error::ZeroShift)
        );
    }
    assert_eq!(values, before);
}

#[test]
fn domains_end_at_the_two_adicity() {
    for log_size in [13, 14, 63, 64, u32::MAX] {
        let error = Error::DomainTooLarge {
            log_size,
            maximum: 12,
        };
        assert_eq!(Domain::<Tiny>::new(log_size).unwrap_err(), error);
    }
    assert!(Domain::<Fr>::new(29).is_err());
    assert!(Domain::<Fr>::new(28).is_ok());
}

#[test]
fn roots_have_exact_order_and_nest() {
    for log_size in 1..=28 {
        let domain = Domain::<Fr>::new(log_size).unwrap();
        let half = domain.root().pow_vartime(&[1 << (log_size - 1)]);
        assert_eq!(half, -Fr::ONE);
        let below = Domain::<Fr>::new(log_size - 1).unwrap();
        assert_eq!(domain.root().square(), below.root());
        assert_eq!(domain.root() * domain.root_inverse(), Fr::ONE);
        assert_eq!(domain.size_inverse() * Fr::from_u64(1 << log_size), Fr::ONE);
    }
    // The largest domain's root is 5^t with r - 1 = t·2^28: its 2^28-th power is 1, and it is no square.
    let largest = Domain::<Fr>::new(28).unwrap();
    assert_eq!(largest.root(), Fr::ROOT_OF_UNITY);
}

#[test]
fn the_definition_evaluates_where_it_says() {
    let coefficients = [2, 3, 5].map(BabyBear::from_u64);
    assert_eq!(
        naive::evaluate(&coefficients, BabyBear::from_u64(10)),
        BabyBear::from_u64(532)
    );
    assert_eq!(
        naive::dft(
            &coefficients[..2],
            BabyBear::from_u64(4),
            BabyBear::from_u64(10)
        ),
        [32, 122].map(BabyBear::from_u64)
    );
}
