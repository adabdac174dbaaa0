//! Arithmetic on lanes against big integers.

use crate::fields::{Field, block, edges, lane, modulus, pairs};
use crate::{both, of_each};
use frumious_simd::{Block, Kernel, LANES, Lanes, Mask, Prime, Vector};
use num_bigint::BigUint;
use std::marker::PhantomData;

/// All operations on two blocks of numbers below `2p`.
struct Operations<'a, P, const L: usize> {
    a: &'a Block<L>,
    b: &'a Block<L>,
    prime: PhantomData<P>,
}

/// The numbers after each operation, with its name, and the lanes found equal, zero in `a`, zero in `b`.
type Results<const L: usize> = (Vec<(&'static str, Block<L>)>, [Mask; 3]);

impl<P: Prime<L>, const L: usize> Kernel for Operations<'_, P, L> {
    type Output = Results<L>;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let a = Lanes::<P, V, L>::load_block::<2>(cpu, self.a);
        let b = Lanes::<P, V, L>::load_block::<2>(cpu, self.b);
        let mask = Mask(0b1010_0110);
        let [both_first, both_second] = Lanes::multiply_each([a, b], [b, b]);
        let results = [
            ("a·b", a * b),
            ("first a·b", both_first),
            ("second b·b", both_second),
            ("a²", a.square()),
            ("a^8", a.square_repeated(3)),
            ("a·b + b·b", Lanes::sum_of_products([a, b], [b, b])),
            ("a + b", a + b),
            ("2a", a.double()),
            ("a - b + 2p", a.minus::<2>(b)),
            ("a - b + 7p", a.minus::<7>(b)),
            ("2p - b", b.negate::<2>()),
            ("a - 2b + 4p", (a.sum() - b - b).carry::<4>()),
            (
                "2(a + b - b) + b",
                ((a.sum() + b - b).double() + b).carry::<4>(),
            ),
            (
                "weakly 7a",
                (a.sum() + a + a + a + a + a + a)
                    .carry::<0>()
                    .reduce_weakly(),
            ),
            (
                "weakly 7a at once",
                (a.sum() + a + a + a + a + a + a).carry_weakly::<0>(),
            ),
            (
                "weakly -b",
                (Lanes::zero(cpu).sum() - b).carry_weakly::<2>(),
            ),
            (
                "a·b, carried",
                Lanes::sum_of_products_uncarried([a], [b]).carry::<0>(),
            ),
            (
                "weakly a·b - b",
                (Lanes::sum_of_products_uncarried([a], [b]) - b).carry_weakly::<2>(),
            ),
            (
                "weakly a·b + b·b - a",
                (Lanes::sum_of_products_uncarried([a, b], [b, b]) - a).carry_weakly::<2>(),
            ),
            (
                "weakly a² - 4b",
                (a.square_uncarried() - b - b - b - b).carry_weakly::<8>(),
            ),
            ("reduced a", a.reduce()),
            ("reduced a·b", (a * b).reduce()),
            ("2a less 2p", a.double().subtract_once::<2>()),
            ("some b", a.select(b, mask)),
            ("some -a", a.negate_where::<2>(mask)),
            ("rotated a", a.rotate(3).rotate(5)),
            ("zero", Lanes::zero(cpu)),
            ("one", Lanes::one(cpu)),
            ("a·one", a * Lanes::one(cpu)),
        ];
        let mut stored = Vec::new();
        for (name, lanes) in results {
            let mut block = Block::ZERO;
            lanes.store_block(&mut block);
            stored.push((name, block));
        }
        (stored, [a.equals(b), a.is_zero(), b.is_zero()])
    }
}

/// The result of an operation in lane k: a number congruent to the first, below the second times `p`. With
/// `r = 2^(52L)` and its inverse modulo `p`.
fn expected(
    name: &str,
    (a, b): (&BigUint, &BigUint),
    k: usize,
    [p, r, r_inv]: [&BigUint; 3],
) -> (BigUint, u32) {
    let masked = 0b1010_0110 >> k & 1 == 1;
    let minus = |x: &BigUint| p * 8u8 - x;
    match name {
        "a·b" | "first a·b" => (a * b * r_inv, 2),
        "second b·b" => (b * b * r_inv, 2),
        "a²" => (a * a * r_inv, 2),
        "a^8" => (a.pow(8) * r_inv.pow(7), 2),
        "a·b + b·b" => ((a + b) * b * r_inv, 2),
        "a + b" => (a + b, 4),
        "2a" => (a * 2u8, 4),
        "a - b + 2p" => (a + minus(b), 4),
        "a - b + 7p" => (a + minus(b), 9),
        "2p - b" => (minus(b), 3),
        "a - 2b + 4p" => (a + minus(b) + minus(b), 6),
        "2(a + b - b) + b" => (a * 2u8 + b, 14),
        "weakly 7a" | "weakly 7a at once" => (a * 7u8, 2),
        "weakly -b" => (minus(b), 2),
        "a·b, carried" => (a * b * r_inv, 2),
        "weakly a·b - b" => (a * b * r_inv + minus(b), 2),
        "weakly a·b + b·b - a" => ((a + b) * b * r_inv + minus(a), 2),
        "weakly a² - 4b" => (a * a * r_inv + minus(b) * 4u8, 2),
        "reduced a" => (a.clone(), 1),
        "reduced a·b" => (a * b * r_inv, 1),
        "2a less 2p" => (a * 2u8, 2),
        "some b" => (if masked { b.clone() } else { a.clone() }, 2),
        "some -a" => (if masked { minus(a) } else { a.clone() }, 3),
        "rotated a" => (a.clone(), 2),
        "zero" => (BigUint::ZERO, 1),
        "one" => (r.clone(), 1),
        "a·one" => (a.clone(), 2),
        _ => panic!("no expectation for {name}"),
    }
}

fn operations_on_pairs<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let r = BigUint::from(1u8) << (52 * L);
    let r_inv = r.modinv(&p).expect("R is prime to p");
    let numbers = edges(&p, &(&p * 2u8));
    for (a, b) in pairs::<L>(&numbers, &numbers) {
        let of_each = of_each(|| Operations::<P, L> {
            a: &a,
            b: &b,
            prime: PhantomData,
        });
        for ((results, [equal, a_zero, b_zero]), k) in of_each.iter().flat_map(each_lane) {
            let (a, b) = (lane(&a, k), lane(&b, k));
            for (name, block) in results {
                let result = lane(block, k);
                let (number, bound) = expected(name, (&a, &b), k, [&p, &r, &r_inv]);
                assert!(
                    result < &p * bound,
                    "{name} of {a:x}, {b:x} is not below {bound}p: {result:x}"
                );
                assert_eq!(result % &p, number % &p, "{name} of {a:x}, {b:x}");
            }
            assert_eq!(equal.contains(k), &a % &p == &b % &p, "{a:x} = {b:x}");
            assert_eq!(a_zero.contains(k), &a % &p == BigUint::ZERO, "{a:x} = 0");
            assert_eq!(b_zero.contains(k), &b % &p == BigUint::ZERO, "{b:x} = 0");
        }
    }
}

/// The results with the number of each lane.
fn each_lane<T>(results: &T) -> impl Iterator<Item = (&T, usize)> {
    (0..LANES).map(move |k| (results, k))
}

/// Products of numbers below `A·p` and `B·p`, and what is left of the first after reduction.
struct AtBounds<'a, P, const L: usize, const A: u64, const B: u64> {
    a: &'a Block<L>,
    b: &'a Block<L>,
    prime: PhantomData<P>,
}

impl<P: Prime<L>, const L: usize, const A: u64, const B: u64> Kernel for AtBounds<'_, P, L, A, B> {
    type Output = [Block<L>; 5];

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let a = Lanes::<P, V, L>::load_block::<A>(cpu, self.a);
        let b = Lanes::<P, V, L>::load_block::<B>(cpu, self.b);
        let square = if A == B { a.square() } else { a * b };
        let mut results = [Block::ZERO; 5];
        (a * b).store_block(&mut results[0]);
        square.store_block(&mut results[1]);
        a.reduce_weakly().store_block(&mut results[2]);
        b.reduce_weakly().reduce().store_block(&mut results[3]);
        let at_once = if A < P::MODULUS.headroom {
            a.sum().carry_weakly::<0>()
        } else {
            a.reduce_weakly()
        };
        at_once.store_block(&mut results[4]);
        results
    }
}

fn at_bounds<P: Field<L, W>, const L: usize, const W: usize, const A: u64, const B: u64>() {
    let p = modulus::<P, L, W>();
    let r_inv = (BigUint::from(1u8) << (52 * L))
        .modinv(&p)
        .expect("R is prime to p");
    let numbers = (edges(&p, &(&p * A)), edges(&p, &(&p * B)));
    for (a, b) in pairs::<L>(&numbers.0, &numbers.1) {
        let [product, square, weakly, fully, at_once] = both(|| AtBounds::<P, L, A, B> {
            a: &a,
            b: &b,
            prime: PhantomData,
        });
        for k in 0..LANES {
            let (a, b) = (lane(&a, k), lane(&b, k));
            let (product, square) = (lane(&product, k), lane(&square, k));
            let other = if A == B { &a } else { &b };
            assert!(
                product < &p * 2u8 && square < &p * 2u8,
                "{a:x}·{b:x} is not below 2p"
            );
            assert_eq!(product % &p, &a * &b * &r_inv % &p, "{a:x}·{b:x}");
            assert_eq!(square % &p, &a * other * &r_inv % &p, "{a:x}·{other:x}");
            let fully = lane(&fully, k);
            for weakly in [lane(&weakly, k), lane(&at_once, k)] {
                assert!(weakly < &p * 2u8, "{a:x} weakly reduced");
                assert_eq!(weakly % &p, &a % &p);
            }
            assert_eq!(fully, b % &p);
        }
    }
}

#[test]
fn products_at_the_bounds() {
    use crate::fields::*;
    at_bounds::<Bn254Fq, 5, 4, 84, 1>();
    at_bounds::<Bn254Fq, 5, 4, 83, 1>();
    at_bounds::<Bn254Fq, 5, 4, 9, 9>();
    at_bounds::<Bn254Fr, 5, 4, 42, 2>();
    at_bounds::<Bn254Fr, 5, 4, 9, 9>();
    at_bounds::<Bls12Fr, 5, 4, 35, 1>();
    at_bounds::<Bls12Fr, 5, 4, 16, 2>();
    at_bounds::<Bls12Fr, 5, 4, 5, 5>();
    at_bounds::<BandersnatchFr, 5, 4, 141, 1>();
    at_bounds::<BandersnatchFr, 5, 4, 11, 11>();
    at_bounds::<Bls12Fq, 8, 6, { 9 << 32 }, 1>();
    at_bounds::<Bls12Fq, 8, 6, { 1 << 32 }, 9>();
    at_bounds::<Bls12Fq, 8, 6, 200_000, 200_000>();
}

/// The constants of a modulus against what they are.
fn constants<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let r = BigUint::from(1u8) << (52 * L);
    let m = P::MODULUS;
    let number = |limbs: &[u64; L]| lane(&Block(limbs.map(|limb| [limb; LANES])), 0);
    assert_eq!(number(&m.p), p);
    assert_eq!(number(&m.p_complement), &r - &p);
    assert_eq!(number(&m.one), &r % &p);
    assert_eq!(BigUint::from(m.headroom), &r / &p);
    assert_eq!(BigUint::from(m.reciprocal), (&r << m.reciprocal_shift) / &p);
    assert!(m.reciprocal < 1 << 52 && m.reciprocal >= 1 << 51);
    assert_eq!(m.p[0].wrapping_mul(m.p_neg_inv) % (1 << 52), (1 << 52) - 1);
    assert_eq!((m.radix_shift as usize, m.words), (52 * L - 64 * W, W));
    for k in [0, 1, 2, 7, m.headroom] {
        assert_eq!(number(&m.multiple(k)), &p * k);
    }
    for packed in edges(&p, &p) {
        let words = crate::fields::words::<W>(&packed);
        assert_eq!(
            number(&m.lane_form(&words)),
            (&packed << m.radix_shift) % &p
        );
    }
}

#[test]
fn blocks_of_numbers_keep_them() {
    let numbers = core::array::from_fn(|k| BigUint::from(k) << (k * 30));
    let block: Block<5> = block(&numbers);
    for (k, number) in numbers.iter().enumerate() {
        assert_eq!(&lane(&block, k), number);
    }
}

mod fields_of {
    crate::fields::each_field!(operations_on_pairs, constants);
}
