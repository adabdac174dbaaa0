//! Integers of four words beside big ones.

use super::twin::{from_words, to_words};
use crate::integer::{bit, div_rem_vartime, less_than_vartime, shl, shr, sub};
use frumious_testing::field_suite::TestRng;
use num_bigint::BigUint;

/// All of 256 bits, of few bits, at the borders of words.
fn numbers() -> Vec<[u64; 4]> {
    let mut rng = TestRng::new(5);
    let mut numbers = vec![[0; 4], [u64::MAX; 4], [1, 0, 0, 0], [0, 0, 0, 1 << 63]];
    for power in [0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 254, 255] {
        let power = BigUint::from(1u8) << power;
        numbers.extend([
            to_words(&power),
            to_words(&(&power - 1u8)),
            to_words(&(power + 1u8)),
        ]);
    }
    for _ in 0..60 {
        let any = from_words(&core::array::from_fn(|_| rng.next_u64()));
        numbers.push(to_words(&(any >> rng.below(256))));
    }
    numbers
}

#[test]
fn quotients_and_remainders() {
    for a in numbers() {
        for b in numbers() {
            let Some((quotient, rest)) = div_rem_vartime(&a, &b) else {
                assert_eq!(b, [0; 4]);
                continue;
            };
            let (left, right) = (from_words(&a), from_words(&b));
            assert_eq!(from_words(&quotient), &left / &right, "{left} / {right}");
            assert_eq!(from_words(&rest), left % right);
        }
        assert_eq!(div_rem_vartime(&a, &[0; 4]), None);
    }
}

/// Words at both ends and in the middle, in all places: digits of a quotient are guessed too large, by one and by two.
#[test]
fn quotients_of_words_at_their_ends() {
    let ends = [0, 1, 1 << 63, u64::MAX];
    let number = |index: usize| core::array::from_fn(|i| ends[index >> (2 * i) & 3]);
    for a in (0..256).map(number) {
        for b in (1..256).map(number) {
            let (quotient, rest) = div_rem_vartime(&a, &b).expect("not by zero");
            let (left, right) = (from_words(&a), from_words(&b));
            assert_eq!(from_words(&quotient), &left / &right, "{left} / {right}");
            assert_eq!(from_words(&rest), left % right);
        }
    }
}

#[test]
fn shifts_and_bits() {
    let whole = BigUint::from(1u8) << 256u32;
    for a in numbers() {
        let value = from_words(&a);
        for by in 0..256u32 {
            assert_eq!(from_words(&shl(&a, by)), (&value << by) % &whole);
            assert_eq!(from_words(&shr(&a, by)), &value >> by);
            assert_eq!(bit(&a, by as u8), value.bit(by.into()));
        }
    }
}

#[test]
fn differences_and_comparisons() {
    let whole = BigUint::from(1u8) << 256u32;
    for a in numbers() {
        for b in numbers() {
            let (left, right) = (from_words(&a), from_words(&b));
            assert_eq!(less_than_vartime(&a, &b), left < right);
            assert_eq!(from_words(&sub(&a, &b)), (left + &whole - right) % &whole);
        }
    }
}
