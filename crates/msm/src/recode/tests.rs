use super::*;
use frumious_curves::{bandersnatch, bls12_381, bn254};
use frumious_field::PrimeField;

/// A field whose modulus is the order of a group.
trait Order: PrimeField {
    const MODULUS: [u64; 4];
}

impl Order for bn254::Fr {
    const MODULUS: [u64; 4] = Self::MODULUS;
}

impl Order for bls12_381::Fr {
    const MODULUS: [u64; 4] = Self::MODULUS;
}

impl Order for bandersnatch::Fr {
    const MODULUS: [u64; 4] = Self::MODULUS;
}

fn edge_scalars<Fr: Order>() -> Vec<[u64; 4]> {
    let mut scalars = vec![[0; 4], [u64::MAX; 4], Fr::MODULUS];
    for bit in 0..256 {
        let mut words = [0; 4];
        words[bit / 64] = 1 << (bit % 64);
        scalars.push(words);
        scalars.push(sub(&words, &[1, 0, 0, 0]));
        scalars.push(add(&words, &[1, 0, 0, 0]));
        scalars.push(sub(&Fr::MODULUS, &words));
    }
    for k in 1..=9 {
        // around k·r and (k - 1/2)·r
        let mut multiple = [0; 4];
        (0..k).for_each(|_| multiple = add(&multiple, &Fr::MODULUS));
        let half: [u64; 4] = core::array::from_fn(|i| {
            Fr::MODULUS[i] >> 1 | Fr::MODULUS.get(i + 1).unwrap_or(&0) << 63
        });
        for base in [multiple, sub(&multiple, &half)] {
            for change in [0, 1, 2, 1 << 60] {
                scalars.push(add(&base, &[change, 0, 0, 0]));
                scalars.push(sub(&base, &[change, 0, 0, 0]));
                scalars.push(add(&base, &[0, 0, 0, change % 3]));
                scalars.push(sub(&base, &[0, 0, 0, change % 3]));
            }
        }
    }
    scalars
}

/// A 256-bit number as an element of Fr.
fn residue<Fr: Order>(words: &[u64; 4]) -> Fr {
    let mut sum = Fr::ZERO;
    for word in words.iter().rev() {
        for bit in (0..64).rev() {
            sum = sum.double();
            if word >> bit & 1 == 1 {
                sum += Fr::ONE;
            }
        }
    }
    sum
}

/// `Σ digit·2^start` as an element of Fr; every digit is checked against its window.
fn value_of_digits<Fr: Order>(windows: &Windows, scalar: &[u64; 4]) -> Fr {
    let mut digits = vec![0i64; windows.all().len()];
    windows.for_each_digit(scalar, 0..windows.all().len(), |window, digit| {
        assert_ne!(digit, 0);
        digits[window] = i64::from(digit);
    });
    let mut sum = Fr::ZERO;
    for (window, digit) in windows.all().iter().zip(digits).rev() {
        let half = 1i64 << (window.width - 1);
        assert!(
            (-half..half).contains(&digit),
            "a digit of {} bits",
            window.width
        );
        (0..window.width).for_each(|_| sum = sum.double());
        let magnitude = Fr::from_u64(digit.unsigned_abs());
        sum += if digit < 0 { -magnitude } else { magnitude };
    }
    sum
}

fn digits_are_the_scalar_in<Fr: Order>() {
    let bits = covered_bits(&Fr::MODULUS, Fr::MODULUS_BITS);
    assert_eq!(bits, Fr::MODULUS_BITS);
    for count in 13..=bits as usize / MIN_WIDTH as usize {
        let windows = Windows::new(&Fr::MODULUS, bits, count);
        assert_eq!(
            windows.all().iter().map(|window| window.width).sum::<u32>(),
            bits
        );
        for scalar in edge_scalars::<Fr>() {
            assert_eq!(
                value_of_digits::<Fr>(&windows, &scalar),
                residue(&scalar),
                "{scalar:x?}"
            );
        }
    }
}

#[test]
fn digits_are_the_scalar() {
    digits_are_the_scalar_in::<bn254::Fr>();
    digits_are_the_scalar_in::<bandersnatch::Fr>();
    digits_are_the_scalar_in::<bls12_381::Fr>();
}

fn short_scalars_need_few_bits_in<Fr: Order>() {
    let centring = Centring::new(&Fr::MODULUS);
    for scalar in edge_scalars::<Fr>() {
        let length = signed_bits(&centring.apply(&scalar));
        let bits = covered_bits(&Fr::MODULUS, length);
        // the last: windows of at most 5 bits, which may be narrower than 4
        for count in (1..=bits / 4).chain([1, bits.div_ceil(5)]) {
            if bits.div_ceil(count) > 30 {
                continue;
            }
            let windows = Windows::new(&Fr::MODULUS, bits, count as usize);
            assert_eq!(
                value_of_digits::<Fr>(&windows, &scalar),
                residue(&scalar),
                "{scalar:x?}"
            );
        }
    }
}

/// 64 windows of 255 bits: the last has three, and digits of `(r - 1)/2` would not be its own.
#[test]
#[should_panic(expected = "255 bits in 64 windows")]
fn windows_that_are_too_narrow_are_refused() {
    Windows::new(&bls12_381::Fr::MODULUS, 255, 64);
}

#[test]
fn short_scalars_need_few_bits() {
    short_scalars_need_few_bits_in::<bn254::Fr>();
    short_scalars_need_few_bits_in::<bandersnatch::Fr>();
    short_scalars_need_few_bits_in::<bls12_381::Fr>();
}

/// A window may skip the scalars that are shorter than its `least_bits`.
fn no_digit_beyond_the_length_in<Fr: Order>() {
    let centring = Centring::new(&Fr::MODULUS);
    for count in [13, 16, 20, 33, 63] {
        let windows = Windows::new(&Fr::MODULUS, Fr::MODULUS_BITS, count);
        for scalar in edge_scalars::<Fr>() {
            let length = signed_bits(&centring.apply(&scalar));
            windows.for_each_digit(&scalar, 0..count, |window, _| {
                assert!(length >= windows.all()[window].least_bits(), "{scalar:x?}");
            });
        }
    }
}

#[test]
fn no_digit_beyond_the_length() {
    no_digit_beyond_the_length_in::<bn254::Fr>();
    no_digit_beyond_the_length_in::<bandersnatch::Fr>();
    no_digit_beyond_the_length_in::<bls12_381::Fr>();
}

#[test]
fn signed_bits_of_small_numbers() {
    for (value, bits) in [
        (0i64, 0),
        (1, 2),
        (-1, 1),
        (2, 3),
        (-2, 2),
        (3, 3),
        (-3, 3),
        (127, 8),
        (-128, 8),
        (128, 9),
    ] {
        let sign = (value >> 63) as u64;
        assert_eq!(
            signed_bits(&[value as u64, sign, sign, sign]),
            bits,
            "{value}"
        );
    }
    assert_eq!(signed_bits(&[0, 0, 0, 1 << 60]), 254);
    assert_eq!(signed_bits(&[0, 0, 0, u64::MAX << 60]), 253);
}

fn centred_scalars_are_near_zero_in<Fr: Order>() {
    let centring = Centring::new(&Fr::MODULUS);
    for scalar in edge_scalars::<Fr>() {
        let centred = centring.apply(&scalar);
        assert!(signed_bits(&centred) <= 255);
        // |v| ≤ r/2 + 10·2^192, by the top words
        let magnitude = if centred[3] >> 63 == 1 {
            sub(&[0; 4], &centred)
        } else {
            centred
        };
        assert!(magnitude[3] <= Fr::MODULUS[3] / 2 + 11, "{scalar:x?}");
    }
}

#[test]
fn centred_scalars_are_near_zero() {
    centred_scalars_are_near_zero_in::<bn254::Fr>();
    centred_scalars_are_near_zero_in::<bandersnatch::Fr>();
    centred_scalars_are_near_zero_in::<bls12_381::Fr>();
}
