//! Montgomery arithmetic of four, five and six words against integers of unbounded length, on each backend.

use frumious_limbs::{Backend, Modulus, Prepared, backend, modular, portable, unrolled, words};
use num_bigint::BigUint;

/// Bits from one power of two among the operands to the next. Under valgrind few serve: no access depends on them.
const SPACING: usize = if cfg!(frumious_under_valgrind) { 60 } else { 7 };

fn integer<const N: usize>(words: &[u64; N]) -> BigUint {
    words
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64u8) + *word)
}

fn residue<const N: usize>(value: &BigUint) -> [u64; N] {
    let mut digits = value.to_u64_digits();
    digits.resize(N, 0);
    digits.try_into().expect("fits")
}

/// 0, 1, 2, p-1, p-2, the halves, and powers of two with their neighbours.
fn edges<const N: usize>(p: &BigUint) -> Vec<[u64; N]> {
    let one = BigUint::from(1u8);
    let mut values = vec![
        BigUint::ZERO,
        one.clone(),
        &one + 1u8,
        p - 1u8,
        p - 2u8,
        p >> 1u8,
        (p >> 1u8) + 1u8,
    ];
    for k in (0..p.bits() - 1).step_by(SPACING) {
        values.extend([
            (&one << k) - 1u8,
            &one << k,
            (&one << k) + 1u8,
            p - (&one << k),
        ]);
    }
    for k in 1..=N {
        // words of all ones, alone and below others; and the top word of p over them
        let ones = (&one << (64 * k)) - 1u8;
        values.extend([ones.clone() << (64 * (N - k)), p - &ones % p, ones]);
    }
    values.extend([
        &one << (64 * N),
        &one << (128 * N),
        (p >> (64 * (N - 1)) << (64 * (N - 1))) - 1u8,
    ]);
    let mut power = BigUint::from(3u8);
    for _ in 0..20 {
        power = &power * &power * 7u8 % p;
        values.push(power.clone());
    }
    values.iter().map(|value| residue(&(value % p))).collect()
}

fn check<const N: usize>(m: &Modulus<N>) {
    let p = integer(&m.p);
    let r = BigUint::from(1u8) << (64 * N);
    let r_inverse = r.modinv(&p).expect("odd modulus");
    assert_eq!(integer(&m.r), &r % &p);
    assert_eq!(integer(&m.r2), &r * &r % &p);
    assert_eq!(m.p[0].wrapping_mul(m.p_neg_inv), u64::MAX);
    let two_words = BigUint::from(1u8) << 128;
    let inverse = p.modinv(&two_words).expect("odd modulus");
    assert_eq!(m.p_inv, residue::<2>(&inverse));
    assert_eq!(
        residue::<2>(&(&two_words - &inverse)),
        [m.p_neg_inv, m.p_neg_inv_second]
    );
    for (fold, bits) in m.fold.iter().zip([128u8, 64]) {
        assert!(integer(fold) < p);
        assert_eq!((integer(fold) << bits) % &p, BigUint::from(1u8));
    }
    assert_eq!(m.bits as u64, p.bits());
    for a in edges::<N>(&p) {
        let x = integer(&a);
        assert_eq!(integer(&m.neg(&a)), (&p - &x) % &p);
        assert_eq!(m.neg(&a), m.neg_const(&a));
        assert_eq!(m.add(&m.halve(&a), &m.halve(&a)), a);
        assert_eq!(integer(&m.square(&a)), &x * &x * &r_inverse % &p);
        assert_eq!(integer(&m.to_montgomery(&a)), &x * &r % &p);
        assert_eq!(m.from_montgomery(&m.to_montgomery(&a)), a);
        let mut power = a;
        for count in 0..9 {
            assert_eq!(m.square_repeated(&a, count), power, "{a:x?} {count}");
            power = m.mul_const(&power, &power);
        }
        let inverse = m.invert(&a);
        assert_eq!(inverse, m.invert_vartime(&a));
        let expected = if a == [0; N] { [0; N] } else { m.r };
        assert_eq!(m.mul(&a, &inverse), expected, "{a:x?}");
        for b in edges::<N>(&p) {
            let y = integer(&b);
            assert_eq!(integer(&m.add(&a, &b)), (&x + &y) % &p);
            assert_eq!(integer(&m.sub(&a, &b)), (&p + &x - &y) % &p);
            assert_eq!(integer(&m.mul(&a, &b)), &x * &y * &r_inverse % &p);
            assert_eq!(m.mul(&a, &b), m.mul_const(&a, &b));
            assert_eq!(m.mul_any(&a, &b), m.mul_const(&a, &b));
            assert_eq!(m.add(&a, &b), m.add_const(&a, &b));
        }
        // the first factor may be any number of that many words
        assert_eq!(
            m.mul_any(&[u64::MAX; N], &a),
            m.mul(&residue(&((&r - 1u8) % &p)), &a)
        );
    }
}

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
const BLS12_381_P: Modulus<6> = Modulus::new([
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
]);
/// Five words, for the generic text alone: 2^270 - 3 is odd, which is all that products ask.
const FIVE_WORDS: Modulus<5> =
    Modulus::new([u64::MAX - 2, u64::MAX, u64::MAX, u64::MAX, (1 << 14) - 1]);

/// The largest prime that is allowed, 2^255 - 2^192 - 29: one spare bit, no two.
const LARGEST: Modulus<4> = Modulus::new([u64::MAX - 28, u64::MAX, u64::MAX, (1 << 63) - 2]);

/// As large in six words, for products and squares alone: 2^383 - 2^320 - 5 is odd.
const LARGEST_SIX: Modulus<6> = Modulus::new([
    u64::MAX - 4,
    u64::MAX,
    u64::MAX,
    u64::MAX,
    u64::MAX,
    (1 << 63) - 2,
]);

/// Beyond the bounds of the top word, and even numbers, there is no modulus. At the bound is [`LARGEST`].
#[test]
fn moduli_out_of_bounds_are_refused() {
    let refused = |p: [u64; 4]| std::panic::catch_unwind(|| Modulus::new(p)).is_err();
    let top = LARGEST.p[3];
    for (word, is_refused) in [
        (0, true),
        (1, false),
        (top, false),
        (top + 1, true),
        (1 << 63, true),
        (u64::MAX, true),
    ] {
        let p = [LARGEST.p[0], u64::MAX, u64::MAX, word];
        assert_eq!(refused(p), is_refused, "{word:#x}");
        assert!(refused([p[0] - 1, p[1], p[2], word]), "even, {word:#x}");
    }
}

#[test]
fn every_backend_equals_integers() {
    for kind in Backend::ALL {
        if backend::set(kind).is_err() {
            eprintln!("SKIP: this CPU cannot run {}", kind.name());
            continue;
        }
        assert_eq!(backend::active(), kind);
        check(&BN254_P);
        check(&BLS12_381_R);
        check(&BLS12_381_P);
        check(&LARGEST);
    }
    let p = integer(&FIVE_WORDS.p);
    for a in edges::<5>(&p) {
        let back = FIVE_WORDS.from_montgomery(&FIVE_WORDS.to_montgomery(&a));
        assert_eq!(back, a);
    }
}

#[test]
fn lazy_products_stay_below_twice_the_modulus() {
    let twice = words::double(&BN254_P.p);
    let top = words::sub(&twice, &[1, 0, 0, 0]).0;
    let mut values = edges::<4>(&integer(&BN254_P.p));
    values.extend([top, BN254_P.p]);
    for a in &values {
        for b in &values {
            let lazy = portable::mul_lazy(a, b, &BN254_P.p, BN254_P.p_neg_inv);
            assert!(words::less_than_vartime(&lazy, &twice));
            let reduced = |x: &[u64; 4]| modular::reduce_once(x, &BN254_P.p);
            assert_eq!(reduced(&lazy), BN254_P.mul_const(&reduced(a), &reduced(b)));
            assert_eq!(reduced(&lazy), BN254_P.mul(a, b));
            assert_eq!(BN254_P.square(a), BN254_P.mul(a, a));
            if let Some(adx) = frumious_limbs::adx::Adx::detect() {
                assert_eq!(adx.mul_lazy(a, b, &BN254_P), lazy);
            }
        }
    }
}

/// Residues, and values below `3p` above them, that are a multiple of `p` apart or as large as there are.
fn below_thrice(m: &Modulus<4>) -> Vec<[u64; 4]> {
    let residues = edges::<4>(&integer(&m.p));
    let above = residues.iter().map(|value| words::add(value, &m.p).0);
    let above = above.collect::<Vec<_>>();
    let highest = above.iter().map(|value| words::add(value, &m.p).0);
    let highest = highest.collect::<Vec<_>>();
    [residues, above, highest].concat()
}

#[test]
fn products_with_a_prepared_factor() {
    let (m, p) = (&BN254_P, integer(&BN254_P.p));
    // 4p + 3p·p/2^256
    let bound = &p * 4u8 + ((&p * &p * 3u8) >> 256u32);
    let values = below_thrice(m);
    for w in edges::<4>(&p) {
        let factor = Prepared::new(&m.to_montgomery(&w), m);
        let w = integer(&w);
        for a in &values {
            let product = factor.mul(a, m);
            assert!(integer(&product) <= bound, "{a:x?} {w}");
            assert_eq!(integer(&product) % &p, integer(a) * &w % &p, "{a:x?} {w}");
            if let Some(adx) = frumious_limbs::adx::Adx::detect() {
                assert_eq!(adx.mul_prepared(a, &factor, m), product, "{a:x?} {w}");
            }
        }
    }
}

#[test]
fn loose_products_and_sums_stay_below_thrice_the_modulus() {
    let (m, p) = (&BN254_P, integer(&BN254_P.p));
    let thrice = residue::<4>(&(&p * 3u8));
    let shift = Modulus::from_montgomery; // division by 2^256
    for a in &below_thrice(m) {
        for b in &below_thrice(m) {
            let lazy = unrolled::mul_lazy(a, b, m);
            assert!(words::less_than_vartime(&lazy, &thrice), "{a:x?} {b:x?}");
            let expected = shift(m, &residue(&(integer(a) * integer(b) % &p)));
            assert_eq!(integer(&lazy) % &p, integer(&expected), "{a:x?} {b:x?}");
            if let Some(adx) = frumious_limbs::adx::Adx::detect() {
                let product = integer(&adx.mul_lazy(a, b, m));
                assert!(product < &p * 3u8, "{a:x?} {b:x?}");
                assert_eq!(product % &p, integer(&expected), "{a:x?} {b:x?}");
            }
            let sum = (integer(a) + integer(b)) % integer(&thrice);
            assert_eq!(
                integer(&modular::add_wide(a, b, &thrice)),
                sum,
                "{a:x?} {b:x?}"
            );
        }
    }
}

/// The first factor of a lazy product is up to `R - p`. The second is a residue, or `R - p` too.
#[test]
fn lazy_products_at_their_bound() {
    for m in [&BN254_P, &BLS12_381_R, &LARGEST] {
        let (p, r) = (integer(&m.p), BigUint::from(1u8) << 256u32);
        let r_inverse = r.modinv(&p).expect("odd modulus");
        let mut others = edges::<4>(&p);
        others.push(residue(&(&r - &p)));
        for below in [0u8, 1, 2] {
            let a = &r - &p - below;
            for b in &others {
                let (lazy, product) = (unrolled::mul_lazy(&residue(&a), b, m), &a * integer(b));
                // a 2^62th of p more than the product and p, as is said there
                let bound = (&product >> 256u32) + &p + (&p >> 62u32) + 1u8;
                assert!(integer(&lazy) <= bound, "{a:x} {b:x?}");
                let expected = product * &r_inverse % &p;
                assert_eq!(integer(&lazy) % &p, expected, "{a:x} {b:x?}");
            }
        }
    }
}

#[test]
fn sums_below_any_modulus() {
    check_sums_below::<4>();
    check_sums_below::<5>();
}

/// Of moduli of which the double has a bit more than the words.
fn check_sums_below<const N: usize>() {
    let full = BigUint::from(1u8) << (64 * N);
    for below in [1u8, 2, 59] {
        let m = &full - below;
        let values = edges::<N>(&m);
        for a in &values {
            for b in &values {
                let sum = (integer(a) + integer(b)) % &m;
                let modulus = residue(&m);
                assert_eq!(
                    integer(&modular::add_wide(a, b, &modulus)),
                    sum,
                    "{a:x?} {b:x?}"
                );
            }
        }
    }
}

/// Edge values, and the same plus `p` where such factors are allowed.
fn factors<const N: usize>(m: &Modulus<N>, with_twice: bool) -> Vec<[u64; N]> {
    let residues = edges::<N>(&integer(&m.p));
    let above = residues.iter().map(|value| words::add(value, &m.p).0);
    let above: Vec<_> = above.filter(|_| with_twice).collect();
    [residues, above].concat()
}

/// Unrolled products against the loops, which are their twin.
fn check_unrolled_products(m: &Modulus<4>, with_twice: bool) {
    let (twice, values) = (words::double(&m.p), factors(m, with_twice));
    let reduced = |x: &[u64; 4]| modular::reduce_once(x, &m.p);
    for a in &values {
        for b in &values {
            let expected = m.mul_const(&reduced(a), &reduced(b));
            assert_eq!(unrolled::mul(a, b, m), expected, "{a:x?} {b:x?}");
            let lazy = unrolled::mul_lazy(a, b, m);
            assert!(words::less_than_vartime(&lazy, &twice), "{a:x?} {b:x?}");
            assert_eq!(reduced(&lazy), expected, "{a:x?} {b:x?}");
        }
    }
}

fn check_unrolled_products_of_six(m: &Modulus<6>, with_twice: bool) {
    let (values, ones) = (factors(m, with_twice), [u64::MAX; 6]);
    for a in &values {
        let reduced = |x: &[u64; 6]| modular::reduce_once(x, &m.p);
        for b in &values {
            let expected = m.mul_const(&reduced(a), &reduced(b));
            assert_eq!(unrolled::mul_six(a, b, m), expected, "{a:x?} {b:x?}");
        }
        // of residues the second factor may be any number
        let expected = m.mul_const(&ones, &reduced(a));
        assert_eq!(unrolled::mul_six(&reduced(a), &ones, m), expected, "{a:x?}");
    }
}

fn check_unrolled_squares<const N: usize>(m: &Modulus<N>, with_twice: bool) {
    for a in factors(m, with_twice) {
        let reduced = modular::reduce_once(&a, &m.p);
        let expected = m.mul_const(&reduced, &reduced);
        assert_eq!(unrolled::square(&a, m), expected, "{a:x?}");
    }
}

#[test]
fn unrolled_products_and_squares_equal_the_loops() {
    check_unrolled_products(&BN254_P, true);
    check_unrolled_products(&BLS12_381_R, false);
    check_unrolled_products(&LARGEST, false);
    check_unrolled_products_of_six(&BLS12_381_P, true);
    check_unrolled_products_of_six(&LARGEST_SIX, false);
    check_unrolled_squares(&BN254_P, true);
    check_unrolled_squares(&BLS12_381_R, false);
    check_unrolled_squares(&LARGEST, false);
    check_unrolled_squares(&BLS12_381_P, true);
    check_unrolled_squares(&LARGEST_SIX, false);
}

#[test]
fn plain_words() {
    let ones = [u64::MAX; 3];
    assert_eq!(words::add(&ones, &[1, 0, 0]), ([0; 3], 1));
    assert_eq!(words::sub(&[0; 3], &[1, 0, 0]), (ones, 1));
    assert_eq!(words::halve(&ones), [u64::MAX, u64::MAX, u64::MAX >> 1]);
    assert_eq!(words::bit_length_vartime(&[0u64; 3]), 0);
    assert_eq!(words::bit_length_vartime(&[0, 1, 0]), 65);
    assert_eq!(
        words::from_be_bytes::<1>(&[1, 2, 3, 4, 5, 6, 7, 8]),
        [0x0102_0304_0506_0708]
    );
    assert_eq!(
        words::from_le_bytes::<1>(&[1, 2, 3, 4, 5, 6, 7, 8]),
        [0x0807_0605_0403_0201]
    );
    assert_eq!(words::select_mask(&[1, 2], &[3, 4], 0), [1, 2]);
    assert_eq!(words::select_mask(&[1, 2], &[3, 4], u64::MAX), [3, 4]);
}
