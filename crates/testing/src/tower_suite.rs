//! The suite that every tower Fq2, Fq6, Fq12 passes, against polynomials over integers of unbounded length.

use num_bigint::BigUint;

/// The naive twin of Fq12: `Fq[u, w]/(u² + 1, w⁶ - ξ)` with `ξ = real + u`, six pairs of integers below the modulus.
#[derive(Clone, Debug, PartialEq)]
pub struct Naive {
    /// Coefficients of the powers of w, real part first.
    pub coefficients: [[BigUint; 2]; 6],
    modulus: BigUint,
    real: u8,
}

impl Naive {
    /// Zero in the tower over the field of this modulus.
    pub fn zero(modulus: &[u64], real: u8) -> Self {
        Self {
            coefficients: Default::default(),
            modulus: integer(modulus),
            real,
        }
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Self {
        let p = &self.modulus;
        let mut product = Self {
            coefficients: Default::default(),
            ..self.clone()
        };
        for (i, [a0, a1]) in self.coefficients.iter().enumerate() {
            for (j, [b0, b1]) in other.coefficients.iter().enumerate() {
                let mut real = a0 * b0 + (p - a1) * b1;
                let mut imaginary = a0 * b1 + a1 * b0;
                if i + j >= 6 {
                    let wrapped = &real * self.real + (p - &imaginary % p);
                    imaginary = imaginary * self.real + real;
                    real = wrapped;
                }
                let sum = &mut product.coefficients[(i + j) % 6];
                sum[0] = (&sum[0] + real) % p;
                sum[1] = (&sum[1] + imaginary) % p;
            }
        }
        product
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Self {
        let coefficients = core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                (&self.coefficients[i][j] + &other.coefficients[i][j]) % &self.modulus
            })
        });
        Self {
            coefficients,
            ..self.clone()
        }
    }
}

/// The integer of these words, the least significant first.
pub fn integer(words: &[u64]) -> BigUint {
    let most_first = words.iter().rev();
    most_first.fold(BigUint::ZERO, |sum, word| (sum << 64u8) + *word)
}

/// Tests of one tower: its levels against the naive twin, field laws, special products, roots, signs, Frobenius maps
/// and cyclotomic squares.
///
/// `tower_suite!(name, curve, xi: 9, line: |a, b| …)`
///
/// The module with `Fq`, `Fq2`, `Fq6` and `Fq12` is `curve`, and `ξ` is `xi + u`. The closure `line` gives the odd half
/// of a line from the two values that `mul_by_line` takes. The module of the suite has `samples` for further tests.
#[macro_export]
macro_rules! tower_suite {
    ($name:ident, $($curve:ident)::+, xi: $xi:literal, line: |$a:ident, $b:ident| $odd:expr) => {
        mod $name {
            use $($curve)::+::{Fq, Fq2, Fq6, Fq12};
            use frumious_field::Field;
            use $crate::tower_suite::{Naive, integer};

            /// A level of the tower: makes test elements, and places their coefficients in the naive twin.
            pub trait Level: Field {
                fn from_coefficients(next: &mut impl FnMut() -> Fq) -> Self;
                fn naive(&self) -> Naive;
            }

            fn naive_at(pairs: &[(usize, Fq2)]) -> Naive {
                let mut naive = Naive::zero(&Fq::MODULUS, $xi);
                for (i, pair) in pairs {
                    let parts = [pair.c0, pair.c1];
                    naive.coefficients[*i] = parts.map(|part| integer(&part.to_canonical_limbs()));
                }
                naive
            }

            impl Level for Fq2 {
                fn from_coefficients(next: &mut impl FnMut() -> Fq) -> Self {
                    Self::new(next(), next())
                }

                fn naive(&self) -> Naive {
                    naive_at(&[(0, *self)])
                }
            }

            impl Level for Fq6 {
                fn from_coefficients(next: &mut impl FnMut() -> Fq) -> Self {
                    let mut pair = || Fq2::from_coefficients(next);
                    Self::new(pair(), pair(), pair())
                }

                fn naive(&self) -> Naive {
                    naive_at(&[(0, self.c0), (2, self.c1), (4, self.c2)])
                }
            }

            impl Level for Fq12 {
                fn from_coefficients(next: &mut impl FnMut() -> Fq) -> Self {
                    Self::new(Fq6::from_coefficients(next), Fq6::from_coefficients(next))
                }

                fn naive(&self) -> Naive {
                    let (a, b) = (&self.c0, &self.c1);
                    let even = [(0, a.c0), (2, a.c1), (4, a.c2)];
                    let odd = [(1, b.c0), (3, b.c1), (5, b.c2)];
                    naive_at(&[even, odd].concat())
                }
            }

            /// A generator of coefficients without a pattern; not secret, not random, the same in every run.
            fn mixed(seed: u64) -> impl FnMut() -> Fq {
                let mut state = Fq::from_u64(seed + 2);
                move || {
                    state = state.square() + Fq::from_u64(0x9e37_79b9_7f4a_7c15);
                    state
                }
            }

            /// Zero, one, elements of which each coefficient is 0, 1, p - 1, (p - 1)/2 or without a pattern.
            pub fn samples<L: Level>() -> Vec<L> {
                let half = -Fq::from_u64(2).invert().expect("not zero");
                let edges = [Fq::ZERO, Fq::ONE, -Fq::ONE, half];
                let mut samples = vec![L::ZERO, L::ONE, -L::ONE];
                for edge in edges {
                    samples.push(L::from_coefficients(&mut || edge));
                }
                for seed in 0..6usize {
                    let (mut random, mut i) = (mixed(seed as u64), seed);
                    samples.push(L::from_coefficients(&mut || {
                        i = i * 5 + 1;
                        *edges.get(i % 7).unwrap_or(&random())
                    }));
                    samples.push(L::from_coefficients(&mut mixed(seed as u64 + 100)));
                }
                samples
            }

            fn check_level<L: Level>() {
                let samples = samples::<L>();
                for a in &samples {
                    assert_eq!(a.square().naive(), a.naive().mul(&a.naive()));
                    assert_eq!(a.double(), *a + *a);
                    assert_eq!(*a + -*a, L::ZERO);
                    assert_eq!(bool::from(a.is_zero()), *a == L::ZERO);
                    assert_eq!(a.pow_vartime(&[5]), a.square().square() * *a);
                    match Option::from(a.invert()) {
                        Some(inverse) => assert_eq!(*a * inverse, L::ONE),
                        None => assert_eq!(*a, L::ZERO),
                    }
                    assert_eq!(Option::<L>::from(a.invert()), a.invert_vartime());
                    for b in &samples {
                        assert_eq!((*a * *b).naive(), a.naive().mul(&b.naive()), "{a:?} {b:?}");
                        assert_eq!((*a + *b).naive(), a.naive().add(&b.naive()));
                        assert_eq!(*a - *b + *b, *a);
                        assert_eq!(bool::from(a.ct_eq(b)), a.naive() == b.naive());
                        assert_eq!(L::conditional_select(a, b, 0.into()), *a);
                        assert_eq!(L::conditional_select(a, b, 1.into()), *b);
                        let mut assigned = *a;
                        assigned += *b;
                        assigned *= *a;
                        assigned -= *b;
                        assert_eq!(assigned, (*a + *b) * *a - *b);
                    }
                }
            }

            #[test]
            fn each_level_equals_the_naive_polynomials() {
                check_level::<Fq2>();
                check_level::<Fq6>();
                check_level::<Fq12>();
            }

            #[test]
            fn equality_sees_every_coefficient() {
                for i in 0..12 {
                    let mut at = 0;
                    let different = Fq12::from_coefficients(&mut || {
                        at += 1;
                        if at == i + 1 { Fq::ONE } else { Fq::ZERO }
                    });
                    assert_ne!(different, Fq12::ZERO, "coefficient {i}");
                }
            }

            #[test]
            fn special_products_of_fq2() {
                let xi = Fq2::new(Fq::from_u64($xi), Fq::ONE);
                for a in samples::<Fq2>() {
                    assert_eq!(a.mul_by_nonresidue(), a * xi);
                    assert_eq!(a.halve() + a.halve(), a);
                    assert_eq!(a.conjugate(), a.pow_vartime(&Fq::MODULUS));
                    assert_eq!(Fq2::from(a.norm()), a * a.conjugate());
                    for b in samples::<Fq2>() {
                        assert_eq!(a.mul_by_fq(&b.c1), a * Fq2::from(b.c1));
                        let sum = Fq2::sum_of_two_products([&a, &b], [&b, &xi]);
                        assert_eq!(sum, a * b + b * xi);
                        let twice = Fq2::sum_of_two_products([&a, &a], [&b, &b]);
                        assert_eq!(twice, (a * b).double());
                    }
                }
            }

            #[test]
            fn square_roots_of_fq2() {
                // The squares of Fq2 are the elements whose norm is a square of Fq; all of Fq is among them.
                let mut roots = 0;
                for a in samples::<Fq2>() {
                    let of_square = a.square().sqrt().expect("a square has a root");
                    assert!(of_square == a || of_square == -a);
                    let is_square = bool::from(a.norm().sqrt().is_some());
                    match Option::<Fq2>::from(a.sqrt()) {
                        Some(root) => assert_eq!(root.square(), a),
                        None => assert!(!is_square),
                    }
                    roots += u32::from(is_square);
                    for c0 in [a.c0, -a.c0] {
                        let real = Fq2::from(c0);
                        assert_eq!(real.sqrt().expect("all of Fq has roots").square(), real);
                    }
                    let imaginary = Fq2::new(Fq::ZERO, a.c0);
                    assert_eq!(
                        bool::from(imaginary.sqrt().is_some()),
                        bool::from(imaginary.norm().sqrt().is_some())
                    );
                }
                assert!(roots > 5 && roots < 19, "both cases were met");
            }

            /// The sign that compressed encodings use: of the imaginary part, or of the real one if that is zero.
            #[test]
            fn sign_of_fq2() {
                let (small, large) = (Fq::from_u64(5), -Fq::from_u64(5));
                let is_largest =
                    |c0, c1| bool::from(Fq2::new(c0, c1).is_lexicographically_largest());
                assert!(!is_largest(Fq::ZERO, Fq::ZERO));
                assert!(!is_largest(small, Fq::ZERO) && is_largest(large, Fq::ZERO));
                assert!(!is_largest(large, small) && is_largest(small, large));
                for a in samples::<Fq2>().into_iter().filter(|a| *a != Fq2::ZERO) {
                    let both = [a, -a].map(|a| bool::from(a.is_lexicographically_largest()));
                    assert_ne!(both[0], both[1]);
                }
            }

            #[test]
            fn special_products_of_fq6_and_fq12() {
                let v = Fq6::new(Fq2::ZERO, Fq2::ONE, Fq2::ZERO);
                for a in samples::<Fq6>() {
                    assert_eq!(a.mul_by_nonresidue(), a * v);
                    assert_eq!(a.mul_by_fq2(&a.c1), a * Fq6::from(a.c1));
                }
                for a in samples::<Fq12>() {
                    for [$a, $b] in [
                        [a.c0.c0, a.c1.c2],
                        [a.c1.c1, -Fq2::ONE],
                        [Fq2::ZERO, a.c0.c1],
                        [Fq2::ZERO; 2],
                    ] {
                        let line = Fq12::new(Fq6::ONE, $odd);
                        assert_eq!(a.mul_by_line(&$a, &$b), a * line);
                    }
                }
            }

            #[test]
            fn frobenius_maps_are_powers() {
                for a in samples::<Fq12>() {
                    let power = a.pow_vartime(&Fq::MODULUS);
                    assert_eq!(a.frobenius(), power);
                    assert_eq!(a.frobenius_squared(), power.frobenius());
                    assert_eq!(a.frobenius_cubed(), power.frobenius().frobenius());
                    assert_eq!(a.frobenius_cubed().frobenius_cubed(), a.conjugate());
                }
            }

            #[test]
            fn cyclotomic_square_is_the_square() {
                for a in samples::<Fq12>().into_iter().filter(|a| *a != Fq12::ZERO) {
                    // a^((p⁶ - 1)(p² + 1))
                    let unitary = a.conjugate() * a.invert().expect("not zero");
                    let cyclotomic = unitary.frobenius_squared() * unitary;
                    assert_eq!(cyclotomic.cyclotomic_square(), cyclotomic.square());
                    assert_eq!(cyclotomic * cyclotomic.conjugate(), Fq12::ONE);
                }
            }
        }
    };
}
