//! Every size up to 2^12, every way of cutting it, against the definition.

use super::backends::TestField;
use super::small_field::{BabyBear, Tiny};
use crate::shape::Shape;
use crate::transform::Transform;
use crate::{Domain, naive};
use frumious_field::PrimeField;

/// `n` elements with no pattern: powers of a generator's odd multiples.
pub(super) fn sample<F: PrimeField>(n: usize) -> Vec<F> {
    let step = F::from_u64(0x5851_f42d_4c95_7f2d);
    let mut value = F::from_u64(3);
    (0..n as u64)
        .map(|i| {
            value = value * step + F::from_u64(i);
            value
        })
        .collect()
}

/// All five transforms of `domain` on `coefficients` agree with the definition.
pub(super) fn check_all<F: TestField>(domain: &Domain<F>, coefficients: &[F], shift: F) {
    let on_h = naive::dft(coefficients, domain.root(), F::ONE);
    let on_coset = naive::dft(coefficients, domain.root(), shift);
    check_against(domain, coefficients, &on_h, &on_coset, shift);
}

/// All five transforms of `domain` take these three vectors to each other.
pub(super) fn check_against<F: TestField>(
    domain: &Domain<F>,
    coefficients: &[F],
    on_h: &[F],
    on_coset: &[F],
    shift: F,
) {
    let cases = [
        (Transform::Fft, coefficients, on_h),
        (Transform::Ifft, on_h, coefficients),
        (Transform::CosetFft(shift), coefficients, on_coset),
        (Transform::CosetIfft(shift), on_coset, coefficients),
        (Transform::ExtendToCoset(shift), on_h, on_coset),
    ];
    for (transform, from, to) in cases {
        let mut values = from.to_vec();
        F::run(domain, transform, &mut values).unwrap();
        assert!(values == to, "{transform:?} of {}", domain.size());
    }
}

#[test]
fn all_sizes_to_two_to_the_twelve() {
    for log_size in 0..=12 {
        let domain = Domain::<Tiny>::new(log_size).unwrap();
        assert_eq!(
            (domain.log_size(), domain.size()),
            (log_size, 1 << log_size)
        );
        check_all(&domain, &sample(1 << log_size), Tiny::from_u64(11));
    }
}

#[test]
fn all_ways_to_cut_a_size() {
    for log_size in 0..=10 {
        let coefficients = sample::<BabyBear>(1 << log_size);
        let shift = BabyBear::from_u64(31);
        let root = Domain::<BabyBear>::new(log_size).unwrap().root();
        let on_h = naive::dft(&coefficients, root, BabyBear::from_u64(1));
        let on_coset = naive::dft(&coefficients, root, shift);
        for log_rows in 0..=log_size {
            for twisted in [false, true] {
                let domain = Domain::with_shape(Shape {
                    log_rows,
                    log_columns: log_size - log_rows,
                    twisted,
                });
                check_against(&domain, &coefficients, &on_h, &on_coset, shift);
            }
        }
    }
}

#[test]
fn large_sizes_against_the_textbook() {
    for log_size in 13..=18 {
        let domain = Domain::<BabyBear>::new(log_size).unwrap();
        let coefficients = sample::<BabyBear>(1 << log_size);
        let shift = BabyBear::from_u64(440_564_289);
        let mut on_h = coefficients.clone();
        naive::fft_radix2(&mut on_h, domain.root());
        let mut power = BabyBear::from_u64(1);
        let mut on_coset: Vec<_> = coefficients
            .iter()
            .map(|c| {
                let scaled = *c * power;
                power *= shift;
                scaled
            })
            .collect();
        naive::fft_radix2(&mut on_coset, domain.root());
        check_against(&domain, &coefficients, &on_h, &on_coset, shift);
    }
}

#[test]
fn the_twins_agree() {
    for log_size in 0..=9 {
        let root = Domain::<BabyBear>::new(log_size).unwrap().root();
        let coefficients = sample::<BabyBear>(1 << log_size);
        let slow = naive::dft(&coefficients, root, BabyBear::from_u64(1));
        let mut textbook = coefficients;
        naive::fft_radix2(&mut textbook, root);
        assert_eq!(textbook, slow);
    }
}

/// Every polynomial with coefficients 0, 1 or -1 on the domain of four, every shift of a small set.
#[test]
fn all_small_inputs_of_four() {
    let digits = [Tiny::from_u64(0), Tiny::from_u64(1), -Tiny::from_u64(1)];
    let domain = Domain::<Tiny>::new(2).unwrap();
    for index in 0..81usize {
        let coefficients = [1, 3, 9, 27].map(|weight| digits[index / weight % 3]);
        for shift in [1, 2, 11, 12_288] {
            check_all(&domain, &coefficients, Tiny::from_u64(shift));
        }
    }
}
