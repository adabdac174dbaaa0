//! Each operation on vectors: registers against the model on any 64-bit lanes.

use crate::both;
use crate::fields::Random;
use frumious_simd::{Kernel, LANES, Mask, Vector};

/// The results of all operations on three vectors.
struct Operations {
    a: [u64; LANES],
    b: [u64; LANES],
    c: [u64; LANES],
}

impl Kernel for Operations {
    type Output = (Vec<[u64; LANES]>, [Mask; 6]);

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let (a, b, c) = (
            V::load(cpu, &self.a),
            V::load(cpu, &self.b),
            V::load(cpu, &self.c),
        );
        let masks = [
            a.is_zero(),
            b.is_zero(),
            c.is_negative(),
            a.is_negative(),
            a.sub(a).is_zero(),
            a.xor(b).is_zero(),
        ];
        let mut results = vec![
            a.madd52lo(b, c),
            a.madd52hi(b, c),
            a.add(b),
            a.sub(b),
            a.and(b),
            a.or(b),
            a.xor(b),
            V::splat(a.cpu(), self.c[1]),
        ];
        results.extend([a.shl(0), a.shl(1), a.shl(12), a.shl(52), a.shl(63)]);
        results.extend([a.shr(0), a.shr(1), a.shr(12), a.shr(52), a.shr(63)]);
        results.extend([a.sar(0), a.sar(1), a.sar(12), a.sar(52), a.sar(63)]);
        for mask in [
            Mask::NONE,
            Mask::ALL,
            Mask(0b0101_0011),
            !Mask(1),
            masks[3],
            masks[2] | masks[5],
        ] {
            results.push(a.select(b, mask));
        }
        results.extend([a.rotate(0), a.rotate(9), a.rotate(7)]);
        let stored = results.into_iter().map(|vector| {
            let mut values = [0; LANES];
            vector.store(&mut values);
            values
        });
        (stored.collect(), masks)
    }
}

/// The two parts of products, less the exponents, and the low products again as they stand.
struct Parts {
    a: [u64; LANES],
    b: [u64; LANES],
}

impl Kernel for Parts {
    type Output = [[u64; LANES]; 3];

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let (a, b) = (
            V::load(cpu, &self.a).to_factor(),
            V::load(cpu, &self.b).to_factor(),
        );
        let low = V::splat(cpu, V::LOW_EXPONENT.wrapping_neg());
        let high = V::splat(cpu, V::HIGH_EXPONENT.wrapping_neg());
        let one = V::splat(cpu, 1).to_factor();
        let parts = V::add_product(low, high, a, b);
        let (again, none) = V::add_product(low, high, V::low_product(a, b), one);
        let mut results = [[0; LANES]; 3];
        parts.0.store(&mut results[0]);
        parts.1.store(&mut results[1]);
        again.add(none.shl(52)).store(&mut results[2]);
        results
    }
}

/// Halves of 2^52 above and below are where rounding is decided, and ties are where it may go either way.
#[test]
fn parts_of_products_are_exact() {
    let mut random = Random(2);
    let mut numbers = vec![
        0,
        1,
        2,
        3,
        (1 << 52) - 1,
        (1 << 52) - 2,
        (1 << 51) - 1,
        1 << 51,
        (1 << 51) + 1,
    ];
    numbers.extend([
        1 << 26,
        (1 << 26) - 1,
        (1 << 26) + 1,
        3 << 50,
        5 << 49,
        1 << 25,
        0xa_aaaa_aaaa_aaaa,
    ]);
    numbers.extend((0..24).map(|_| random.word() >> 12));
    for &x in &numbers {
        for eight in numbers.chunks_exact(LANES) {
            let b: [u64; LANES] = eight.try_into().expect("eight");
            for [low, high, again] in crate::of_each(|| Parts { a: [x; LANES], b }) {
                for k in 0..LANES {
                    let product = i128::from(x) * i128::from(b[k]);
                    let l = i128::from(low[k].cast_signed());
                    assert_eq!(l + (i128::from(high[k]) << 52), product, "{x:x}·{:x}", b[k]);
                    assert!(
                        (-(1 << 51)..1 << 52).contains(&l),
                        "{x:x}·{:x}: {l:x}",
                        b[k]
                    );
                    assert_eq!(
                        i128::from(again[k]),
                        product & ((1 << 52) - 1),
                        "{x:x}·{:x}",
                        b[k]
                    );
                }
            }
        }
    }
}

#[test]
fn registers_do_what_the_model_does() {
    let mut random = Random(1);
    let special = [
        0,
        1,
        (1 << 52) - 1,
        1 << 52,
        (1 << 53) - 1,
        1 << 63,
        u64::MAX,
        u64::MAX - 1,
    ];
    for round in 0..500 {
        let mut vector = || {
            core::array::from_fn(|_| match random.word() % 3 {
                0 => special[random.word() as usize % special.len()],
                _ => random.word() >> (random.word() % 20),
            })
        };
        let (a, b, c) = (vector(), vector(), vector());
        let b = if round % 16 == 0 { a } else { b };
        let (results, masks) = both(|| Operations { a, b, c });
        for i in 0..LANES {
            let product = u128::from(b[i] % (1 << 52)) * u128::from(c[i] % (1 << 52));
            assert_eq!(
                results[0][i],
                a[i].wrapping_add((product % (1 << 52)) as u64),
                "madd52lo"
            );
            assert_eq!(
                results[1][i],
                a[i].wrapping_add((product >> 52) as u64),
                "madd52hi"
            );
            assert_eq!(masks[0].contains(i), a[i] == 0);
            assert_eq!(masks[3].contains(i), a[i] >= 1 << 63);
            assert_eq!(masks[5].contains(i), a[i] == b[i]);
        }
        assert_eq!(masks[4], Mask::ALL);
        let rotated = results.last().expect("the rotation by seven");
        assert_eq!(rotated[1..], a[..7], "lane i + 7 in lane i");
    }
}

/// Rows to columns and back.
struct Transposes {
    fours: [[u64; 4]; LANES],
    twos: [[u64; 2]; LANES],
}

impl Kernel for Transposes {
    type Output = (Vec<[u64; LANES]>, [[u64; 4]; LANES], [[u64; 2]; LANES]);

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let fours = V::load_rows_4(cpu, self.fours.each_ref());
        let twos = V::load_rows_2(cpu, self.twos.each_ref());
        let columns = fours.into_iter().chain(twos).map(|column| {
            let mut values = [0; LANES];
            column.store(&mut values);
            values
        });
        let (mut fours_again, mut twos_again) = ([[0; 4]; LANES], [[0; 2]; LANES]);
        V::store_rows_4(fours, fours_again.each_mut());
        V::store_rows_2(twos, twos_again.each_mut());
        (columns.collect(), fours_again, twos_again)
    }
}

#[test]
fn rows_become_columns_and_rows_again() {
    let fours = core::array::from_fn(|i| core::array::from_fn(|j| (10 * i + j) as u64));
    let twos = core::array::from_fn(|i| [100 + i as u64, 200 + i as u64]);
    let (columns, fours_again, twos_again) = both(|| Transposes { fours, twos });
    for (j, column) in columns.iter().enumerate() {
        let expected = match j {
            0..4 => fours.map(|row: [u64; 4]| row[j]),
            _ => twos.map(|row: [u64; 2]| row[j - 4]),
        };
        assert_eq!(column, &expected, "column {j}");
    }
    assert_eq!((fours_again, twos_again), (fours, twos));
}

#[test]
fn masks_are_sets_of_lanes() {
    let (a, b) = (Mask(0b1100), Mask(0b1010));
    assert_eq!(
        (a & b, a | b, !a),
        (Mask(0b1000), Mask(0b1110), Mask(0b1111_0011))
    );
    assert!(Mask::NONE.is_empty() && !Mask::ALL.is_empty());
    assert!(a.contains(3) && !a.contains(1));
}
