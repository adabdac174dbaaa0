//! Lanes against the scalar field, over the model always and over registers where the CPU has them.

use super::*;
use frumious_simd::{Kernel, Model, Unit};

/// In these lanes signs change, or the other value is taken.
const SOME: Mask = Mask(0b1011_0010);

/// The tests of the extension of the field of one curve.
macro_rules! tests_of {
    ($curve:ident, $words:literal words, $limbs:literal limbs, shift $shift:literal) => {
        mod $curve {
            use super::*;
            use crate::$curve::{Fq, Fq2};

            const WORDS: usize = $words;
            const SHIFT: u32 = $shift;
            type Fq2Lanes<V> = QuadraticLanes<Fq, V, $limbs>;
            type Eight = [Fq2; LANES];

            /// Results in lanes for eight pairs of elements.
            #[derive(Clone, Debug, PartialEq)]
            struct Results {
                sum: Eight,
                difference: Eight,
                product: Eight,
                /// Of factors just below `4p`.
                widest_product: Eight,
                /// The first times the conjugate of the second, both just below `4p`.
                times_conjugate: Eight,
                /// The product less the second.
                product_and: Eight,
                /// The square less the second.
                square_and: Eight,
                square: Eight,
                widest_square: Eight,
                norm: [Fq; LANES],
                negated: Eight,
                through_words: Eight,
                through_blocks: Eight,
                quarter: Eight,
                selected: Eight,
                zero: u8,
                equal: u8,
            }

            struct Operations<'a>(&'a Eight, &'a Eight);

            impl Kernel for Operations<'_> {
                type Output = Results;

                #[inline(always)]
                fn run<V: Vector>(self, cpu: V::Cpu) -> Results {
                    let load = |eight: &Eight| {
                        Fq2Lanes::<V>::load_shifted::<Fq2, WORDS, SHIFT>(cpu, eight.each_ref())
                            .reduce_weakly()
                    };
                    let (a, b) = (load(self.0), load(self.1));
                    let (wide_a, wide_b) = (widest(a), widest(b));
                    let mut words = [[[0; WORDS]; 2]; LANES];
                    a.store_words(words.each_mut());
                    let mut blocks = [Block::ZERO; 2];
                    b.store_blocks(&mut blocks);
                    let mut norm = [Fq::ZERO; LANES];
                    a.norm()
                        .store_packed(frumious_field::lanes::rows_mut(&mut norm));
                    let mut quarter = [Fq2::ZERO; LANES];
                    let shifted =
                        Fq2Lanes::<V>::load_shifted::<Fq2, WORDS, 2>(cpu, self.0.each_ref());
                    shifted.store_shifted::<Fq2, WORDS, 2>(quarter.each_mut());
                    Results {
                        sum: store(a + b),
                        difference: store(a.minus::<2>(b)),
                        product: store(a * b),
                        widest_product: store(wide_a * wide_b),
                        times_conjugate: store(wide_a.times_conjugate::<4>(wide_b)),
                        product_and: store(less(a.multiply_uncarried(b), b)),
                        square_and: store(less(wide_a.square_uncarried(), b)),
                        square: store(a.square()),
                        widest_square: store(wide_a.square()),
                        norm,
                        negated: store(a.negate_where::<2>(SOME)),
                        through_words: store(Fq2Lanes::<V>::load_words::<WORDS, 2>(
                            cpu,
                            words.each_ref(),
                        )),
                        through_blocks: store(Fq2Lanes::<V>::load_blocks::<2>(cpu, &blocks)),
                        quarter,
                        selected: store(a.select(b, SOME)),
                        zero: a.minus::<2>(b).reduce_weakly().is_zero().0,
                        equal: a.equals(b).0,
                    }
                }
            }

            /// The same elements from `3p` up to below `4p`, for values below `2p`.
            #[inline(always)]
            fn widest<V: Vector>(lanes: Fq2Lanes<V>) -> Fq2Lanes<V> {
                let zero = Lanes::zero(lanes.cpu());
                let three_moduli = zero.minus::<3>(zero); // 3p, which is zero too
                Fq2Lanes {
                    c0: (lanes.c0.reduce() + three_moduli).assume_below::<4>(),
                    c1: (lanes.c1.reduce() + three_moduli).assume_below::<4>(),
                }
            }

            #[inline(always)]
            fn less<V: Vector>([c0, c1]: [Sum<Fq, V, $limbs>; 2], b: Fq2Lanes<V>) -> Fq2Lanes<V> {
                Fq2Lanes {
                    c0: (c0 - b.c0).carry_weakly::<2>(),
                    c1: (c1 - b.c1).carry_weakly::<2>(),
                }
            }

            #[inline(always)]
            fn store<V: Vector>(lanes: Fq2Lanes<V>) -> Eight {
                let mut eight = [Fq2::ZERO; LANES];
                lanes.store_shifted::<Fq2, WORDS, SHIFT>(eight.each_mut());
                eight
            }

            fn check(a: &Eight, b: &Eight) {
                let model = Model::run(Operations(a, b));
                for unit in Unit::all() {
                    assert_eq!(unit.run(Operations(a, b)), model);
                }
                let pairs = |f: fn(&Fq2, &Fq2) -> Fq2| core::array::from_fn(|i| f(&a[i], &b[i]));
                let mask = |f: fn(&Fq2, &Fq2) -> bool| {
                    (0..LANES).map(|i| u8::from(f(&a[i], &b[i])) << i).sum()
                };
                let some = |f: fn(&Fq2, &Fq2) -> Fq2| {
                    core::array::from_fn(|i| {
                        if SOME.contains(i) {
                            f(&a[i], &b[i])
                        } else {
                            a[i]
                        }
                    })
                };
                let expected = Results {
                    sum: pairs(|a, b| *a + *b),
                    difference: pairs(|a, b| *a - *b),
                    product: pairs(|a, b| *a * *b),
                    widest_product: pairs(|a, b| *a * *b),
                    times_conjugate: pairs(|a, b| *a * b.conjugate()),
                    product_and: pairs(|a, b| *a * *b - *b),
                    square_and: pairs(|a, b| a.square() - *b),
                    square: pairs(|a, _| a.square()),
                    widest_square: pairs(|a, _| a.square()),
                    norm: core::array::from_fn(|i| a[i].norm()),
                    negated: some(|a, _| -*a),
                    through_words: *a,
                    through_blocks: *b,
                    quarter: *a,
                    selected: some(|_, b| *b),
                    zero: mask(|a, b| a == b),
                    equal: mask(|a, b| a == b),
                };
                assert_eq!(model, expected);
            }

            /// Every pair of edge values in every coordinate: 0, 1, -1, 2 and neighbours of half the modulus, and some
            /// without a pattern.
            #[test]
            fn edges_and_others() {
                let half = Fq::from_u64(2).invert().expect("2 is not 0");
                let mut edges = vec![Fq::ZERO, Fq::ONE, -Fq::ONE, Fq::from_u64(2), half, -half];
                let mut power = Fq::from_u64(0xdead_beef_0bad_cafe);
                for _ in 0..3 {
                    power = power.square() + Fq::ONE;
                    edges.push(power);
                }
                let mut elements = Vec::new();
                for c0 in &edges {
                    elements.extend(edges.iter().map(|c1| Fq2::new(*c0, *c1)));
                }
                let eight =
                    |start: usize| core::array::from_fn(|i| elements[(start + i) % elements.len()]);
                for start in (0..elements.len()).step_by(LANES) {
                    for other in (0..elements.len()).step_by(5) {
                        check(&eight(start), &eight(start + other));
                    }
                }
            }

            #[test]
            fn one_and_zero() {
                struct Constants;
                impl Kernel for Constants {
                    type Output = [Eight; 3];
                    #[inline(always)]
                    fn run<V: Vector>(self, cpu: V::Cpu) -> [Eight; 3] {
                        let (zero, one) = (Fq2Lanes::<V>::zero(cpu), Fq2Lanes::<V>::one(cpu));
                        [store(zero), store(one), store(one.double())]
                    }
                }
                let expected = [Fq2::ZERO, Fq2::ONE, Fq2::ONE.double()].map(|value| [value; LANES]);
                assert_eq!(Model::run(Constants), expected);
            }
        }
    };
}

tests_of!(bn254, 4 words, 5 limbs, shift 4);
tests_of!(bls12_381, 6 words, 8 limbs, shift 32);

/// Debug builds refuse factors that are too large.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the factors of a product")]
fn factors_that_are_too_large() {
    struct Product;
    impl Kernel for Product {
        type Output = ();
        #[inline(always)]
        fn run<V: Vector>(self, cpu: V::Cpu) {
            let mut wide = QuadraticLanes::<crate::bn254::Fq, V, 5>::one(cpu);
            wide.c0 = wide.c0.assume_below::<10>();
            let _ = wide * wide;
        }
    }
    Model::run(Product);
}
