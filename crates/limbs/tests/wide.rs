//! Numbers of double length against integers of unbounded length, on each backend.

use frumious_limbs::{Backend, Modulus, Wide, backend};
use num_bigint::BigUint;

const BN254_P: Modulus<4> = Modulus::new([
    0x3c20_8c16_d87c_fd47,
    0x9781_6a91_6871_ca8d,
    0xb850_45b6_8181_585d,
    0x3064_4e72_e131_a029,
]);
const BLS12_381_P: Modulus<6> = Modulus::new([
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
]);

fn integer(words: &[u64]) -> BigUint {
    words
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64u8) + *word)
}

/// Any words, not only residues: words of all ones and zeros, and some without a pattern.
fn numbers<const N: usize>() -> Vec<[u64; N]> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(23) ^ 1;
        state
    };
    let mut numbers = vec![[0; N], [u64::MAX; N]];
    for i in 0..N {
        let (mut one, mut ones, mut hole) = ([0; N], [0; N], [u64::MAX; N]);
        one[i] = 1;
        ones[i] = u64::MAX;
        hole[i] = 0;
        numbers.extend([one, ones, hole]);
    }
    numbers.extend((0..20).map(|_| core::array::from_fn(|_| next())));
    numbers
}

fn check<const N: usize>(m: &Modulus<N>) {
    let (p, limit) = (integer(&m.p), BigUint::from(1u8) << (128 * N));
    let r_inverse = (BigUint::from(1u8) << (64 * N)).modinv(&p).expect("odd");
    let one: [u64; N] = core::array::from_fn(|i| u64::from(i == 0));
    // the value modulo 2^(128N), read out by products: no accessor is needed elsewhere
    let mut products = Vec::new();
    for a in numbers::<N>() {
        for b in numbers::<N>() {
            let mut product = Wide::ZERO;
            product.set_product(&a, &b);
            assert_eq!(product, Wide::product_const(&a, &b));
            let exact = integer(&a) * integer(&b);
            assert_eq!(integer(&product.to_words()), exact, "{a:x?} {b:x?}");
            if exact < (&p << (64 * N)) {
                let expected = &exact * &r_inverse % &p;
                assert_eq!(integer(&m.reduce_wide::<false>(&product)), expected);
            }
            if exact < (&p << (64 * N + 1)) {
                let expected = &exact * &r_inverse % &p;
                assert_eq!(integer(&m.reduce_wide::<true>(&product)), expected);
            }
            products.push((product, exact));
        }
        let mut square = Wide::ZERO;
        square.set_square(&a);
        assert_eq!(square, Wide::product_const(&a, &a));
    }
    let unit = Wide::product_const(&one, &one);
    for (i, (x, exact_x)) in products.iter().enumerate() {
        let (y, exact_y) = &products[i * 31 % products.len()];
        let (mut sum, mut difference) = (*x, *x);
        sum.add_assign(y);
        difference.sub_assign(y);
        assert_eq!(integer(&sum.to_words()), (exact_x + exact_y) % &limit);
        let exact = (exact_x + &limit - exact_y) % &limit;
        assert_eq!(integer(&difference.to_words()), exact);
        difference.add_assign(y);
        assert_eq!(difference, *x);
        sum.add_assign(&unit);
        assert_ne!(sum, *x);
    }
    // the largest that may be reduced: 2^(64N)·p less one, and twice that
    let mut largest = [[0; N], m.p].concat();
    let minus_one = |words: &mut Vec<u64>| {
        let mut i = 0;
        while words[i] == 0 {
            words[i] = u64::MAX;
            i += 1;
        }
        words[i] -= 1;
    };
    minus_one(&mut largest);
    let mut twice = largest.clone();
    for i in (0..2 * N).rev() {
        twice[i] = twice[i] << 1 | if i > 0 { twice[i - 1] >> 63 } else { 0 };
    }
    for (words, at_most_twice) in [(largest, false), (twice, true)] {
        let value = Wide::from_words(
            words[..N].try_into().expect("N words"),
            words[N..].try_into().expect("N words"),
        );
        let expected = integer(&words) * &r_inverse % &p;
        if !at_most_twice {
            assert_eq!(integer(&m.reduce_wide::<false>(&value)), expected);
        }
        assert_eq!(integer(&m.reduce_wide::<true>(&value)), expected);
    }
    for factor in [0u64, 1, 5, 11] {
        let multiple = m.multiple_of_square(factor);
        assert_eq!(integer(&multiple.to_words()), &p * &p * factor);
    }
}

#[test]
fn every_backend_equals_integers() {
    for backend in Backend::ALL {
        match backend::set(backend) {
            Ok(()) => {
                check(&BN254_P);
                check(&BLS12_381_P);
            }
            Err(error) => eprintln!("SKIP: {error}"),
        }
    }
}
