//! Fields and groups beside arkworks, which shares no code with ours.

/// Test of one prime field against arkworks' type.
///
/// `arkworks_field_suite!(name, Fq, ark_bn254::Fq, to_montgomery_limbs)`. The last word names the method that gives the
/// words that arkworks has in memory, if there is one. The module has `to_ark`, `from_ark` and `uniform`.
#[macro_export]
macro_rules! arkworks_field_suite {
    ($name:ident, $ours:ty, $ark:ty $(, $form:ident)?) => {
        mod $name {
            use super::*;
            use ark_ff::{BigInteger as _, Field as _, PrimeField as _};
            use $crate::field_suite::TestRng;

            pub fn to_ark(a: &$ours) -> $ark {
                <$ark>::from_le_bytes_mod_order(&a.to_le_bytes())
            }

            pub fn from_ark(a: &$ark) -> $ours {
                let bytes = a.into_bigint().to_bytes_le();
                <$ours>::from_le_bytes(&bytes.try_into().expect("the length")).expect("canonical")
            }

            /// An element of no pattern.
            pub fn uniform(rng: &mut TestRng) -> $ours {
                <$ours>::from_uniform_bytes(&core::array::from_fn(|_| rng.next_u64() as u8))
            }

            #[test]
            fn equals_arkworks() {
                let mut rng = TestRng::new(3);
                for _ in 0..300 {
                    let (a, b) = (uniform(&mut rng), uniform(&mut rng));
                    let (x, y) = (to_ark(&a), to_ark(&b));
                    assert_eq!(from_ark(&(x + y)), a + b);
                    assert_eq!(from_ark(&(x - y)), a - b);
                    assert_eq!(from_ark(&(x * y)), a * b);
                    assert_eq!(from_ark(&x.square()), a.square());
                    assert_eq!(from_ark(&-x), -a);
                    assert_eq!(x.inverse().map(|x| from_ark(&x)), a.invert().into_option());
                    assert_eq!(x.sqrt().is_some(), a.sqrt().into_option().is_some());
                    let exponent = rng.next_u64();
                    assert_eq!(from_ark(&x.pow([exponent])), a.pow_vartime(&[exponent]));
                    $(assert_eq!(x.0.0, a.$form());)?
                }
            }
        }
    };
}

/// Test of one group against arkworks' type.
///
/// `arkworks_group_suite!(name, scalars: fr, points: Projective, ark_bn254::G1Projective, |point| …)`
///
/// The module of [`arkworks_field_suite!`](crate::arkworks_field_suite!) is `fr`. The closure converts a finite affine
/// point of arkworks.
#[macro_export]
macro_rules! arkworks_group_suite {
    ($name:ident, scalars: $fr:ident, points: $point:ident, $ark:ty, $from_ark:expr) => {
        #[test]
        fn $name() {
            use ark_ec::{AffineRepr, CurveGroup};
            use $crate::field_suite::TestRng;

            let equal = |ours: &$point, ark: $ark| {
                let ark = ark.into_affine();
                let finite: fn(_) -> _ = $from_ark;
                let expected = match ark.is_zero() {
                    true => $point::IDENTITY.to_affine(),
                    false => finite(ark),
                };
                assert_eq!(ours.to_affine(), expected);
            };
            let mut rng = TestRng::new(5);
            let generator = <$ark as CurveGroup>::Affine::generator();
            for _ in 0..40 {
                let (a, b) = ($fr::uniform(&mut rng), $fr::uniform(&mut rng));
                let (x, y) = (generator * $fr::to_ark(&a), generator * $fr::to_ark(&b));
                let (p, q) = ($point::GENERATOR.mul(&a), $point::GENERATOR.mul_vartime(&b));
                equal(&p, x);
                equal(&q, y);
                equal(&(p + q), x + y);
                equal(&(p - q), x - y);
                equal(&p.double(), x + x);
                equal(&p.mul(&b), x * $fr::to_ark(&b));
                equal(&(p - p), x - x);
            }
        }
    };
}
