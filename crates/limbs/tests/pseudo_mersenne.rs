//! Arithmetic modulo primes just below 2^256 against integers of unbounded length, on each backend.

use frumious_limbs::{Backend, PseudoMersenne, backend};
use num_bigint::BigUint;

/// secp256k1's field and order (SEC 2 version 2, section 2.4.1).
type Field = PseudoMersenne<0x1_0000_03d1>;
type Order = PseudoMersenne<0x402d_a173_2fc9_bebf, 0x4551_2319_50b7_5fc4, 1>;

/// Bits from one power of two among the operands to the next. Under valgrind few serve: no access depends on them.
const SPACING: usize = if cfg!(frumious_under_valgrind) { 80 } else { 9 };

fn integer<const N: usize>(words: &[u64; N]) -> BigUint {
    words
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64u8) + *word)
}

fn words(value: &BigUint) -> [u64; 4] {
    let mut digits = value.to_u64_digits();
    digits.resize(4, 0);
    digits.try_into().expect("fits")
}

/// Numbers below 2^256. Some are at the edges of `p` and of 2^256, some have words of all ones and zeros. Others have
/// runs of bits, or no pattern.
fn edges(p: &BigUint) -> Vec<[u64; 4]> {
    let one = BigUint::from(1u8);
    let top = &one << 256u32;
    let c = &top - p;
    let mut values: Vec<BigUint> = Vec::new();
    for k in 0u8..4 {
        values.extend([
            BigUint::from(k),
            &top - 1u8 - k,
            p + k,
            p - 1u8 - k,
            &c + k,
            &c - k,
            p >> 1u8,
        ]);
        values.extend([(p >> 1u8) + k, &top - &c - &c + k]);
    }
    for pattern in 0u32..81 {
        // each word is 0, all ones, or 2^63
        let digit = |i: u32| pattern / 3u32.pow(i) % 3;
        let word = |i: u32| [0, u64::MAX, 1 << 63][digit(i) as usize];
        values.push(integer(&[word(0), word(1), word(2), word(3)]));
    }
    for k in (0..256u32).step_by(SPACING) {
        values.extend([
            &one << k,
            (&one << k) - 1u8,
            &top - (&one << k),
            p - ((&one << k) % p),
        ]);
    }
    let mut power = BigUint::from(3u8);
    for _ in 0..20 {
        power = &power * &power * 7u8 % &top;
        values.push(power.clone());
    }
    values.sort();
    values.dedup();
    values.retain(|value| *value < top);
    values.iter().map(words).collect()
}

fn check<const C0: u64, const C1: u64, const C2: u64>(m: PseudoMersenne<C0, C1, C2>) {
    let p = integer(&PseudoMersenne::<C0, C1, C2>::P);
    assert_eq!(
        &p + integer(&PseudoMersenne::<C0, C1, C2>::C),
        BigUint::from(1u8) << 256u32
    );
    let any = edges(&p);
    for a in &any {
        let x = integer(a);
        assert_eq!(integer(&m.square(a)), &x * &x % &p, "{a:x?}");
        assert_eq!(integer(&m.reduce_words_const(a)), &x % &p);
        let mut power = x.clone();
        for count in 0..6 {
            assert_eq!(integer(&m.square_repeated(a, count)), &power % &p, "{a:x?}");
            power = &power * &power % &p;
        }
        for b in &any {
            let y = integer(b);
            let product = m.mul(a, b);
            assert_eq!(integer(&product), &x * &y % &p, "{a:x?} {b:x?}");
            assert_eq!(m.mul_const(a, b), product);
            let wide = [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]];
            assert_eq!(integer(&m.reduce(&wide)), integer(&wide) % &p);
        }
    }
    let residues: Vec<_> = any.into_iter().filter(|a| integer(a) < p).collect();
    for a in &residues {
        let x = integer(a);
        assert_eq!(integer(&m.neg(a)), (&p - &x) % &p);
        assert_eq!(m.neg_const(a), m.neg(a));
        assert_eq!(m.add(&m.halve(a), &m.halve(a)), *a);
        for factor in [0, 1, 2, 21, (1 << 31) - 1] {
            assert_eq!(integer(&m.mul_small(a, factor)), &x * factor % &p);
        }
        let inverse = x.modinv(&p).unwrap_or(BigUint::ZERO);
        assert_eq!(integer(&m.invert(a)), inverse, "{a:x?}");
        assert_eq!(integer(&m.invert_vartime(a)), inverse, "{a:x?}");
        for b in &residues {
            let y = integer(b);
            assert_eq!(integer(&m.add(a, b)), (&x + &y) % &p, "{a:x?} {b:x?}");
            assert_eq!(m.add_const(a, b), m.add(a, b));
            assert_eq!(integer(&m.sub(a, b)), (&p + &x - &y) % &p);
        }
    }
}

#[test]
fn equals_integers_on_every_backend() {
    for name in Backend::ALL {
        if backend::set(name).is_err() {
            eprintln!("SKIP: this CPU cannot run {}", name.name());
            continue;
        }
        check(Field {});
        check(Order {});
    }
}
