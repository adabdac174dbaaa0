//! Square roots by tables and Legendre symbols of every prime field, against powers.

use frumious_curves::{bandersnatch, bls12_381, bn254};
use frumious_field::sqrt_dlog::LaneTables;
use frumious_field::{Field, SqrtField, WordField, lanes};
use frumious_limbs::{Backend, backend};
use frumious_simd::{Kernel, Mask, Model, Vector};
use frumious_testing::field_suite::{TestRng, edge_values};
use frumious_testing::num_bigint::BigUint;
use std::sync::Mutex;

/// `value^(-1/2)` of sixteen values, and which of them are squares.
struct InverseRoots<F>([[F; 8]; 2]);

impl<F: SqrtField + WordField> Kernel for InverseRoots<F> {
    type Output = ([[F; 8]; 2], [Mask; 2]);

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let [a, b] = self.0.map(|a| lanes::load::<F, V>(cpu, &a).reduce_weakly());
        let ([a, b], squares) = LaneTables::of_field().inverse_sqrt([a, b]);
        let mut roots = [[F::ZERO; 8]; 2];
        lanes::store(a, &mut roots[0]);
        lanes::store(b, &mut roots[1]);
        (roots, squares)
    }
}

/// Runs `check` in each backend that this CPU has, and then puts the one in use back.
fn in_every_backend(check: impl Fn(Backend)) {
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock();
    let before = backend::active();
    for backend in Backend::ALL {
        if backend::set(backend).is_ok() {
            check(backend);
        } else {
            println!("SKIP: no {backend:?} on this CPU");
        }
    }
    backend::set(before).expect("it was in use");
}

macro_rules! symbols {
    ($name:ident, $field:ty) => {
        mod $name {
            use super::*;
            type F = $field;

            pub fn modulus() -> BigUint {
                BigUint::from_bytes_le(&(-F::ONE).to_le_bytes()) + 1u8
            }

            pub fn edges() -> Vec<F> {
                let padded = |value: &BigUint| {
                    let mut bytes = value.to_bytes_le();
                    bytes.resize(32, 0);
                    F::from_le_bytes(&bytes.try_into().expect("length")).expect("below p")
                };
                // as values and as Montgomery forms
                edge_values(&modulus())
                    .iter()
                    .map(padded)
                    .flat_map(|a| {
                        let form = F::from_montgomery_limbs(a.to_canonical_limbs());
                        [a, form.expect("below p")]
                    })
                    .collect()
            }

            /// Montgomery forms near p/n: the numbers in the binary GCD come so close to each other that their
            /// approximations are compared wrongly and signs occur.
            fn near_ties() -> Vec<F> {
                let mut rng = TestRng::new(3);
                let mut values = Vec::new();
                for bits in 1..250u64 {
                    let power = BigUint::from(1u8) << bits;
                    let random = BigUint::from(rng.next_u64()) << (bits - 1) >> 63u8;
                    for distance in [power.clone(), &power + 1u8, &power * 3u8, random] {
                        let n = 1 + rng.below(5);
                        values.push((modulus() - distance % modulus()) / n % modulus());
                    }
                }
                let form = |value: &BigUint| {
                    let mut words = value.to_u64_digits();
                    words.resize(4, 0);
                    let words = words.try_into().expect("length");
                    F::from_montgomery_limbs(words).expect("below p")
                };
                values.iter().map(form).collect()
            }

            #[test]
            fn symbols_equal_powers() {
                let half = ((modulus() - 1u8) >> 1u8).to_u64_digits();
                for a in edges().into_iter().chain(near_ties()) {
                    let power = a.pow_vartime(&half);
                    let symbol = if power == F::ZERO {
                        0
                    } else if power == F::ONE {
                        1
                    } else {
                        assert_eq!(power, -F::ONE);
                        -1
                    };
                    assert_eq!(a.legendre(), symbol, "{a:?}");
                    assert_eq!(a.legendre_vartime(), symbol, "{a:?}");
                    assert_eq!(bool::from(a.is_square()), symbol != -1);
                    assert_eq!(a.is_square_vartime(), symbol != -1);
                }
            }

            #[test]
            fn repeated_squares_equal_squares() {
                for a in edges() {
                    let mut expected = a;
                    for count in 0..20 {
                        assert_eq!(a.square_repeated(count), expected, "{a:?} {count}");
                        expected = expected.square();
                    }
                }
            }
        }
    };
}

macro_rules! roots {
    ($name:ident, $field:ty, $symbols:ident) => {
        mod $name {
            use super::*;
            type F = $field;

            #[test]
            fn roots_of_edges() {
                for a in $symbols::edges() {
                    let expected = a.sqrt().into_option();
                    let root = a.sqrt_vartime();
                    assert_eq!(root.is_some(), expected.is_some(), "{a:?}");
                    assert_eq!(root.is_some(), a.legendre() >= 0);
                    let inverse = a.inverse_sqrt_vartime();
                    assert_eq!(inverse.is_some(), a.legendre() == 1);
                    if let Some(root) = root {
                        assert_eq!(root.square(), a);
                        if let Some(inverse) = inverse {
                            assert_eq!(inverse.square() * a, F::ONE);
                        }
                    }
                }
            }

            #[test]
            fn roots_of_ratios() {
                let edges = $symbols::edges();
                for (n, v) in edges.iter().enumerate() {
                    for u in edges.iter().skip(n % 7).step_by(7) {
                        let root = F::sqrt_ratio_vartime(u, v);
                        match root {
                            Some(root) => assert_eq!(root.square() * *v, *u),
                            None => assert!(*v == F::ZERO || (*u * *v).legendre() == -1),
                        }
                        assert!(*v != F::ZERO || root.is_none());
                    }
                    assert_eq!(F::sqrt_ratio_vartime(v, v).is_some(), *v != F::ZERO);
                    let zero = F::sqrt_ratio_vartime(&F::ZERO, v);
                    assert_eq!(zero, (*v != F::ZERO).then_some(F::ZERO));
                }
            }

            #[test]
            fn batches_equal_single_roots() {
                use frumious_field::{batch_sqrt_ratio_vartime, batch_sqrt_vartime};
                let mut values = $symbols::edges();
                values.extend(values.clone().into_iter().map(|a| a.square()));
                let mut others = values.clone();
                others.rotate_left(5);
                let roots: Vec<_> = values.iter().map(F::sqrt_vartime).collect();
                let ratios: Vec<_> = values
                    .iter()
                    .zip(&others)
                    .map(|(u, v)| F::sqrt_ratio_vartime(u, v))
                    .collect();
                in_every_backend(|backend| {
                    for length in [0, 1, 2, 3, 7, 8, 9, 16, 17, 24, 33, values.len()] {
                        for start in [0, values.len() - length] {
                            let part = start..start + length;
                            let found = batch_sqrt_vartime(&values[part.clone()]);
                            assert_eq!(found, roots[part.clone()], "{backend:?}");
                            let (u, v) = (&values[part.clone()], &others[part.clone()]);
                            let found = batch_sqrt_ratio_vartime(u, v);
                            assert_eq!(found, ratios[part], "{backend:?}");
                        }
                    }
                });
            }

            #[test]
            fn model_of_lanes_finds_the_same_roots() {
                let values = $symbols::edges();
                for sixteen in values.chunks_exact(16).step_by(3) {
                    let sixteen = [0, 8].map(|i| core::array::from_fn(|k| sixteen[i + k]));
                    let (roots, squares) = Model::run(InverseRoots(sixteen));
                    for (k, value) in sixteen.as_flattened().iter().enumerate() {
                        if value.is_zero_vartime() {
                            continue; // without meaning
                        }
                        let expected = value.inverse_sqrt_vartime();
                        assert_eq!(squares[k / 8].contains(k % 8), expected.is_some());
                        if let Some(expected) = expected {
                            assert_eq!(roots[k / 8][k % 8], expected);
                        }
                    }
                }
            }

            #[test]
            fn tables_equal_naive_powers() {
                use frumious_field::{PrimeField, SqrtField};
                let tables = F::sqrt_tables();
                let power = |exponent: u64| F::ROOT_OF_UNITY.pow_vartime(&[exponent]);
                let (window, all) = (F::WINDOW_BITS, F::TWO_ADICITY);
                for digit in 0..1u64 << window {
                    for block in 0..all / window {
                        let entry = tables.power(block as usize, digit as usize);
                        assert_eq!(entry * power(digit << (window * block)), F::ONE);
                    }
                    let element = power(digit << (all - window));
                    assert_eq!(u64::from(tables.digit(&element)), digit);
                }
                for digit in 0..16 {
                    for block in 0..all / 4 {
                        let entry = tables.narrow_power(block as usize, digit);
                        assert_eq!(entry * power(digit << (4 * block)), F::ONE);
                    }
                    assert_eq!(tables.narrow_digit(&power(digit << (all - 4))), digit);
                }
            }

            #[test]
            fn roots_of_every_order() {
                // elements whose odd-part power runs through all digits of the logarithm
                use frumious_field::PrimeField;
                let mut power = F::from_u64(3);
                let mut root_of_unity = F::ROOT_OF_UNITY;
                for _ in 0..=F::TWO_ADICITY {
                    for _ in 0..40 {
                        power = power.square() * F::from_u64(5);
                        let a = power * root_of_unity;
                        let root = a.square().sqrt_vartime().expect("a square");
                        assert!(root == a || root == -a);
                    }
                    root_of_unity = root_of_unity.square();
                }
            }
        }
    };
}

symbols!(bls12_381_fr, bls12_381::Fr);
symbols!(bn254_fr, bn254::Fr);
symbols!(bn254_fq, bn254::Fq);
symbols!(bandersnatch_fr, bandersnatch::Fr);
roots!(bls12_381_fr_roots, bls12_381::Fr, bls12_381_fr);
roots!(bn254_fr_roots, bn254::Fr, bn254_fr);
