//! The suite that every prime field passes, against integers of unbounded length.

use num_bigint::BigUint;

/// A small deterministic generator (xorshift64*), so that failures repeat. Not for secrets.
#[derive(Clone, Debug)]
pub struct TestRng(u64);

impl TestRng {
    /// A generator that always gives the same numbers for the same `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15 | 1)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound
    }
}

/// Integers below `modulus`, at its edges: 0, 1, p-1, (p±1)/2, 2^k and 2^k ± 1, words of all ones. Also long runs of
/// ones and zeros, and some without pattern.
pub fn edge_values(modulus: &BigUint) -> Vec<BigUint> {
    let one = BigUint::from(1u8);
    let bits = modulus.bits();
    let mut values: Vec<BigUint> = (0u8..4).map(BigUint::from).collect();
    values.extend((1u8..4).map(|k| modulus - k));
    values.extend([modulus >> 1u8, (modulus >> 1u8) + &one]);
    for k in (4..bits)
        .step_by(5)
        .chain([31, 32, 63, 64, 127, 128, 191, 192, bits - 1])
    {
        let power = &one << k;
        values.extend([
            &power - &one,
            power.clone(),
            &power + &one,
            modulus - &power % modulus,
        ]);
    }
    let mut rng = TestRng::new(7);
    for _ in 0..24 {
        // runs of ones and zeros of random lengths
        let mut value = BigUint::ZERO;
        while value.bits() < bits {
            let run = 1 + rng.below(70);
            value = (value << run)
                + if rng.below(2) == 1 {
                    (&one << run) - &one
                } else {
                    one.clone()
                };
        }
        values.push(value % modulus);
        let words: Vec<u32> = (0..2 * bits.div_ceil(64))
            .map(|_| rng.next_u64() as u32)
            .collect();
        values.push(BigUint::from_slice(&words) % modulus);
    }
    values.retain(|value| value < modulus);
    values.sort();
    values.dedup();
    values
}

/// Tests of one prime field type. Ring laws and encodings are compared with `num_bigint`. Inversion, square root,
/// selection, the root of unity, and kernels on every backend of this CPU are tested too.
///
/// The type has the methods that `frumious_field::impl_montgomery_field` gives, and `sqrt`. A field with only one spare
/// bit names its kernel, `Reduced`; `Lazy` is tested too otherwise. One of another length than four words has none and
/// says `none`. One of `frumious_field::impl_folded_field` has no Montgomery form either and says `folded`.
#[macro_export]
macro_rules! field_suite {
    ($name:ident, $field:ident, $bytes:literal) => {
        $crate::field_suite!($name, $field, $bytes, Lazy, Reduced);
    };
    ($name:ident, $field:ident, $bytes:literal, folded) => {
        $crate::field_suite!(@laws $name, $field, $bytes,;);
    };
    ($name:ident, $field:ident, $bytes:literal, none) => {
        $crate::field_suite!(@laws $name, $field, $bytes, montgomery;);
    };
    ($name:ident, $field:ident, $bytes:literal, $($kernel:ident),+) => {
        $crate::field_suite!(@laws $name, $field, $bytes, montgomery; $($kernel),+);
    };
    (@laws $name:ident, $field:ident, $bytes:literal, $($form:ident)?; $($kernel:ident),*) => {
        mod $name {
            use frumious_field::{Choice, ConditionallySelectable, Field, PrimeField};
            use $crate::field_suite::{TestRng, edge_values};
            use $crate::num_bigint::BigUint;

            type F = super::$field;

            fn modulus() -> BigUint {
                <F>::MODULUS
                    .iter()
                    .rev()
                    .fold(BigUint::ZERO, |sum, word| (sum << 64u8) + *word)
            }

            fn to_integer(element: &F) -> BigUint {
                BigUint::from_bytes_le(&element.to_le_bytes())
            }

            fn from_integer(integer: &BigUint) -> F {
                let mut bytes = integer.to_bytes_le();
                bytes.resize($bytes, 0);
                <F>::from_le_bytes(&bytes.try_into().expect("length of the field"))
                    .expect("below the modulus")
            }

            fn edges() -> Vec<(BigUint, F)> {
                edge_values(&modulus())
                    .into_iter()
                    .map(|value| (value.clone(), from_integer(&value)))
                    .collect()
            }

            #[test]
            fn ring_operations_equal_integers() {
                let p = modulus();
                for (x, a) in edges() {
                    assert_eq!(to_integer(&-a), (&p - &x) % &p);
                    assert_eq!(to_integer(&a.double()), (&x + &x) % &p);
                    assert_eq!(to_integer(&a.square()), (&x * &x) % &p);
                    assert_eq!(a.halve().double(), a);
                    for (y, b) in edges() {
                        assert_eq!(to_integer(&(a + b)), (&x + &y) % &p);
                        assert_eq!(to_integer(&(a - b)), (&p + &x - &y) % &p);
                        assert_eq!(to_integer(&(a * b)), (&x * &y) % &p);
                        assert_eq!(a == b, x == y);
                        assert_eq!(<F>::conditional_select(&a, &b, Choice::from(0)), a);
                        assert_eq!(<F>::conditional_select(&a, &b, Choice::from(1)), b);
                        let (mut sum, mut difference, mut product) = (a, a, a);
                        sum += b;
                        difference -= b;
                        product *= b;
                        assert_eq!((sum, difference, product), (a + b, a - b, a * b));
                        assert_eq!(a.mul_const(&b), a * b);
                    }
                }
            }

            #[test]
            fn inverses() {
                for (_, a) in edges() {
                    let inverse = a.invert().into_option();
                    assert_eq!(inverse, a.invert_vartime());
                    match inverse {
                        Some(inverse) => assert_eq!(a * inverse, <F>::ONE),
                        None => assert_eq!(a, <F>::ZERO),
                    }
                }
                let mut values: Vec<F> = edges().into_iter().map(|(_, a)| a).collect();
                let before = values.clone();
                frumious_field::batch_invert_vartime(&mut values, &mut Vec::new());
                for (a, inverse) in before.iter().zip(&values) {
                    assert_eq!(*inverse, a.invert().unwrap_or(<F>::ZERO));
                }
                frumious_field::batch_invert_vartime::<F>(&mut [], &mut Vec::new());
            }

            #[test]
            fn powers_and_roots() {
                let p = modulus();
                for (x, a) in edges() {
                    for exponent in [0u64, 1, 2, 3, 15, 16, 17, 0xffff_ffff_ffff_ffff] {
                        let expected = x.modpow(&BigUint::from(exponent), &p);
                        assert_eq!(to_integer(&a.pow_vartime(&[exponent])), expected);
                        assert_eq!(to_integer(&a.pow_vartime(&[exponent, 0])), expected);
                        assert_eq!(to_integer(&a.pow(&[exponent])), expected);
                        assert_eq!(to_integer(&a.pow(&[exponent, 0])), expected);
                        assert_eq!(a.pow_const_vartime(&[exponent]), a.pow_vartime(&[exponent]));
                    }
                    let root = a.square().sqrt().expect("a square has a root");
                    assert!(root == a || root == -a);
                    let is_square = x == BigUint::ZERO
                        || x.modpow(&((&p - 1u8) >> 1u8), &p) == BigUint::from(1u8);
                    assert_eq!(a.sqrt().into_option().is_some(), is_square);
                }
                let root = <F as PrimeField>::ROOT_OF_UNITY;
                let half_order = 1u64 << (<F as PrimeField>::TWO_ADICITY - 1);
                assert_eq!(root.pow_vartime(&[half_order]), -<F>::ONE);
            }

            #[test]
            fn encodings_round_trip_and_refuse_what_is_not_below_the_modulus() {
                for (x, a) in edges() {
                    let mut big_endian = a.to_le_bytes();
                    big_endian.reverse();
                    assert_eq!(a.to_be_bytes(), big_endian);
                    assert_eq!(<F>::from_be_bytes(&big_endian).unwrap(), a);
                    assert_eq!(
                        <F>::from_canonical_limbs(a.to_canonical_limbs()).unwrap(),
                        a
                    );
                    assert_eq!(a.to_decimal_vartime(), x.to_string());
                    assert_eq!(<F>::from_decimal_vartime(&x.to_string()), Some(a));
                    assert_eq!(format!("{a:?}").len(), 2 + 2 * $bytes);
                }
                for excess in [0u8, 1, 200] {
                    let too_large = modulus() + excess;
                    let mut bytes: [u8; $bytes] = too_large.to_bytes_le().try_into().expect("fits");
                    assert!(<F>::from_le_bytes(&bytes).into_option().is_none());
                    bytes.reverse();
                    assert!(<F>::from_be_bytes(&bytes).into_option().is_none());
                    assert_eq!(<F>::from_decimal_vartime(&too_large.to_string()), None);
                }
                assert!(
                    <F>::from_canonical_limbs([u64::MAX; $bytes / 8])
                        .into_option()
                        .is_none()
                );
                for text in [
                    "",
                    "-1",
                    "+1",
                    "01",
                    " 1",
                    "1 ",
                    "0x1",
                    "1e3",
                    &"9".repeat(500),
                ] {
                    assert_eq!(<F>::from_decimal_vartime(text), None, "{text}");
                }
            }

            #[test]
            fn wide_reduction() {
                let mut rng = TestRng::new(11);
                for case in 0..64 {
                    let bytes: [u8; 2 * $bytes] = core::array::from_fn(|_| match case {
                        0 => 0,
                        1 => 0xff,
                        _ => rng.next_u64() as u8,
                    });
                    let expected = BigUint::from_bytes_le(&bytes) % modulus();
                    assert_eq!(to_integer(&<F>::from_uniform_bytes(&bytes)), expected);
                }
                assert_ne!(
                    <F>::random().expect("randomness"),
                    <F>::random().expect("randomness")
                );
            }

            #[test]
            fn integers_of_the_language() {
                let p = modulus();
                for value in [0, 1, 2, u64::MAX.into(), 1 << 64, u128::MAX] {
                    assert_eq!(to_integer(&<F>::from(value)), BigUint::from(value));
                    assert_eq!(<F>::from(value as u64), <F>::from_u64(value as u64));
                    assert_eq!(<F>::from(value as u8), <F>::from_u64((value as u8).into()));
                    assert_eq!(<F>::from(value as usize), <F>::from_u64(value as usize as u64));
                }
                for value in [0, 1, -1, i64::MIN.into(), i64::MAX.into(), i128::MIN, i128::MAX] {
                    let magnitude = BigUint::from(value.unsigned_abs());
                    let expected = if value < 0 { &p - magnitude } else { magnitude };
                    assert_eq!(to_integer(&<F>::from(value)), expected);
                    assert_eq!(<F>::from(value as i64), <F>::from(i128::from(value as i64)));
                    assert_eq!(<F>::from(value as i8), <F>::from(i128::from(value as i8)));
                }
                assert_eq!(<F>::from(-5) + <F>::from(5), <F>::ZERO); // literals need no suffix
                assert_eq!([<F>::from(false), <F>::from(true)], [<F>::ZERO, <F>::ONE]);
            }

            #[test]
            fn text_is_read_as_it_is_written() {
                use frumious_field::ParseElementError;

                for (x, a) in edges() {
                    assert_eq!(a.to_string(), x.to_string());
                    for text in [x.to_string(), format!("00{x}"), format!("{a:?}"), format!("{x:#X}")] {
                        assert_eq!(text.replace("0X", "0x").parse(), Ok(a), "{text}");
                    }
                }
                assert_eq!(format!("{:>4}|{:<3}|", <F>::from(12), <F>::from(7)), "  12|7  |");
                for excess in [0u8, 1, 200] {
                    let too_large = modulus() + excess;
                    for text in [too_large.to_string(), format!("{too_large:#x}"), "9".repeat(500)] {
                        let error = Err(ParseElementError::NotBelowModulus);
                        assert_eq!(text.parse::<F>(), error, "{text}");
                    }
                }
                for (text, position) in [("-1", 0), ("1 ", 1), ("1e3", 1), ("0x1g", 3), ("0X1", 1)] {
                    let error = Err(ParseElementError::NotADigit { position });
                    assert_eq!(text.parse::<F>(), error, "{text}");
                }
                for text in ["", "0x"] {
                    assert_eq!(text.parse::<F>(), Err(ParseElementError::Empty));
                }
            }

            #[test]
            fn operators_in_every_form() {
                let elements: Vec<F> = edges().into_iter().map(|(_, a)| a).collect();
                for (a, b) in elements.iter().zip(elements.iter().rev()) {
                    let (sum, difference, product) = (*a + *b, *a - *b, *a * *b);
                    assert_eq!([a + b, *a + b, a + *b], [sum; 3]);
                    assert_eq!([a - b, *a - b, a - *b], [difference; 3]);
                    assert_eq!([a * b, *a * b, a * *b], [product; 3]);
                    assert_eq!(-a, -*a);
                    let mut assigned = *a;
                    assigned *= b;
                    assigned += b;
                    assigned -= b;
                    assert_eq!(assigned, product);
                    assert_eq!([a, b].into_iter().sum::<F>(), sum);
                    assert_eq!([*a, *b].into_iter().product::<F>(), product);
                }
                let none: [F; 0] = [];
                assert_eq!(none.iter().sum::<F>(), <F>::ZERO);
                assert_eq!(none.iter().product::<F>(), <F>::ONE);
                let distinct: std::collections::HashSet<F> = elements.iter().copied().collect();
                assert!(elements.iter().all(|a| distinct.contains(&(a + <F>::ONE - <F>::ONE))));
            }

            $($crate::field_form!($form);)?
            $crate::field_kernels!($($kernel),*);
        }
    };
}

/// The part of [`field_suite!`](crate::field_suite!) about Montgomery form, inside its module.
#[doc(hidden)]
#[macro_export]
macro_rules! field_form {
    (montgomery) => {
        #[test]
        fn montgomery_form() {
            for (_, a) in edges() {
                assert_eq!(
                    <F>::from_montgomery_limbs(a.to_montgomery_limbs()).unwrap(),
                    a
                );
                for (_, b) in edges() {
                    // (x·R)·y/R is x·y as a form, that is the element x·y/R
                    let raw = a.montgomery_product_raw(&b.to_canonical_limbs());
                    assert_eq!(raw.to_montgomery_limbs(), (a * b).to_canonical_limbs());
                }
            }
            assert!(
                <F>::from_montgomery_limbs(<F>::MODULUS)
                    .into_option()
                    .is_none()
            );
        }
    };
}

/// The part of [`field_suite!`](crate::field_suite!) about kernels, inside its module.
#[doc(hidden)]
#[macro_export]
macro_rules! field_kernels {
    () => {};
    ($($kernel:ident),+) => {
        #[test]
        fn kernels_equal_the_field() {
            use frumious_field::kernel::{KernelField, $($kernel,)+ Multiplier, Portable};

            fn check_kernel<V: KernelField<Scalar = F>>(cpu: V::Cpu) {
                for (_, a) in edges() {
                    // values that may stay unreduced from step to step
                    let (mut value, mut exact) = (V::load(cpu, a), a);
                    for (_, b) in edges() {
                        let other = V::load(cpu, b);
                        value = (value + other) * value.double() - other.square();
                        exact = (exact + b) * exact.double() - b.square();
                        assert_eq!(value.store(), exact);
                    }
                }
            }

            fn check<T: Multiplier>(cpu: T) {
                $(check_kernel::<$kernel<F, T>>(cpu);)+
            }
            check(Portable);
            match frumious_field::kernel::Adx::detect() {
                Some(adx) => check(adx),
                None => eprintln!("SKIP: this CPU has no ADX"),
            }
        }
    };
}
