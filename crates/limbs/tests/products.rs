//! Sums of products and small multiples against integers of unbounded length, on each backend.

use frumious_limbs::{Backend, Modulus, backend, products};
use num_bigint::BigUint;

/// Residues without a pattern among the operands. Under valgrind one serves: no access depends on them.
const WITHOUT_PATTERN: usize = if cfg!(frumious_under_valgrind) { 1 } else { 6 };

const BN254_P: Modulus<4> = Modulus::new([
    0x3c20_8c16_d87c_fd47,
    0x9781_6a91_6871_ca8d,
    0xb850_45b6_8181_585d,
    0x3064_4e72_e131_a029,
]);
const BLS12_381_R: Modulus<4> = Modulus::new([
    0xffff_ffff_0000_0001,
    0x53bd_a402_fffe_5bfe,
    0x3339_d808_09a1_d805,
    0x73ed_a753_299d_7d48,
]);
const BANDERSNATCH_R: Modulus<4> = Modulus::new([
    0x74fd_06b5_2876_e7e1,
    0xff8f_8700_7419_0471,
    0x0cce_7602_0268_7600,
    0x1cfb_69d4_ca67_5f52,
]);
const BLS12_381_P: Modulus<6> = Modulus::new([
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
]);
/// The largest prime that is allowed, 2^255 - 2^192 - 29: one spare bit, no two.
const LARGEST: Modulus<4> = Modulus::new([u64::MAX - 28, u64::MAX, u64::MAX, (1 << 63) - 2]);

fn integer<const N: usize>(words: &[u64; N]) -> BigUint {
    words
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64u8) + *word)
}

fn words<const N: usize>(value: &BigUint) -> [u64; N] {
    let mut digits = value.to_u64_digits();
    digits.resize(N, 0);
    digits.try_into().expect("fits")
}

/// 0, 1, p-1, p-2, R mod p, and residues without a pattern.
fn residues<const N: usize>(m: &Modulus<N>) -> Vec<[u64; N]> {
    let p = integer(&m.p);
    let mut values = vec![
        BigUint::ZERO,
        BigUint::from(1u8),
        &p - 1u8,
        &p - 2u8,
        integer(&m.r),
    ];
    let mut power = BigUint::from(5u8);
    for _ in 0..WITHOUT_PATTERN {
        power = &power * &power * 11u8 % &p;
        values.push(power.clone());
    }
    values.iter().map(words).collect()
}

fn check_sums<const N: usize, const K: usize>(m: &Modulus<N>) {
    let p = integer(&m.p);
    let r_inverse = (BigUint::from(1u8) << (64 * N))
        .modinv(&p)
        .expect("odd modulus");
    let values = residues(m);
    let n = values.len();
    for seed in 0..4 * n * n {
        // the first n² seeds run through all pairs of a repeated factor, the rest mix
        let pick =
            |k: usize, step: usize| &values[(seed / step + (seed / (n * n)) * k * (step + 3)) % n];
        let a: [&[u64; N]; K] = core::array::from_fn(|k| pick(k, 1));
        let b: [&[u64; N]; K] = core::array::from_fn(|k| pick(k, n));
        let sum: BigUint = a.iter().zip(&b).map(|(a, b)| integer(a) * integer(b)).sum();
        let expected = sum * &r_inverse % &p;
        assert_eq!(integer(&m.sum_of_products(a, b)), expected, "{a:x?} {b:x?}");
        let lazy = integer(&products::sum_of_products_lazy(a, b, m));
        assert!(lazy < ((&p * &p * K) >> (64 * N)) + &p + 1u8);
        assert_eq!(lazy % &p, expected);
    }
}

fn check_small_multiples<const N: usize>(m: &Modulus<N>) {
    let p = integer(&m.p);
    let mut edges = residues(m);
    let bits = p.bits();
    for k in (1..bits - 1).step_by(5) {
        edges.extend([
            words(&(BigUint::from(1u8) << k)),
            words(&((BigUint::from(1u8) << k) - 1u8)),
        ]);
    }
    for factor in 0..16u64 {
        for x in &edges {
            for y in residues(m) {
                // also summands that are not reduced, up to 4p
                for multiple in [0u8, 1, 3] {
                    let y = integer(&y) + &p * multiple;
                    let expected = (integer(x) * factor + &y) % &p;
                    assert_eq!(integer(&m.mul_small_add(x, factor, &words(&y))), expected);
                }
            }
            // sums next to a multiple of p, where the estimate of the quotient matters
            let product = integer(x) * factor % &p;
            for y in [
                &p - &product,
                (&p * 2u8 - &product) - 1u8,
                &p - &product + 1u8,
            ] {
                let expected = (integer(x) * factor + &y) % &p;
                assert_eq!(integer(&m.mul_small_add(x, factor, &words(&y))), expected);
            }
        }
    }
}

#[test]
fn every_backend_equals_integers() {
    for kind in Backend::ALL {
        if backend::set(kind).is_err() {
            eprintln!("SKIP: this CPU cannot run {}", kind.name());
            continue;
        }
        check_sums::<4, 1>(&BN254_P);
        check_sums::<4, 2>(&BN254_P);
        check_sums::<4, 3>(&BN254_P);
        check_sums::<4, 4>(&BN254_P);
        check_sums::<4, 5>(&BN254_P);
        check_sums::<4, 6>(&BN254_P);
        check_sums::<4, 7>(&BN254_P);
        check_sums::<4, 2>(&BLS12_381_R);
        check_sums::<4, 2>(&BANDERSNATCH_R);
        check_sums::<4, 4>(&BANDERSNATCH_R);
        check_sums::<4, 6>(&BANDERSNATCH_R);
        check_sums::<4, 7>(&BANDERSNATCH_R);
        check_sums::<4, 8>(&BANDERSNATCH_R);
        check_sums::<4, 1>(&LARGEST);
        check_sums::<4, 2>(&LARGEST);
        check_sums::<6, 1>(&BLS12_381_P);
        check_sums::<6, 2>(&BLS12_381_P);
        check_sums::<6, 3>(&BLS12_381_P);
        check_sums::<6, 6>(&BLS12_381_P);
        check_sums::<6, 8>(&BLS12_381_P); // (8 + 1)·p is just below 2^384
    }
    check_small_multiples(&BN254_P);
    check_small_multiples(&BLS12_381_P);
}
