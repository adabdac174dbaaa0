//! Points from field elements: the vectors of the CFRG, and each value against the textbook's slow way.

use frumious_curves::bls12_381::{Fq, Fq2, Fr, G1Projective, G2Projective};
use frumious_field::ConstantTimeEq;
use frumious_testing::field_suite::TestRng;
use serde_json::Value;

fn fq(text: &str) -> Fq {
    let digits = text.trim().trim_start_matches("0x");
    assert_eq!(digits.len(), 96);
    let bytes =
        core::array::from_fn(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hex"));
    Fq::from_be_bytes(&bytes).expect("canonical")
}

fn fq2(text: &str) -> Fq2 {
    let (c0, c1) = text.split_once(',').expect("two parts");
    Fq2::new(fq(c0), fq(c1))
}

macro_rules! vectors {
    ($name:ident, $file:literal, $projective:ident, $read:ident) => {
        #[test]
        fn $name() {
            let folder = "vectors/hash-to-curve/";
            let Some(path) = frumious_testing::shared(folder.to_owned() + $file) else {
                return;
            };
            let text = std::fs::read_to_string(path).expect("a file");
            let file: Value = serde_json::from_str(&text).expect("JSON");
            let cases = file["vectors"].as_array().expect("a list");
            assert_eq!(cases.len(), 5);
            for case in cases {
                let point = |name: &str| {
                    let coordinate = |axis: &str| $read(case[name][axis].as_str().expect("text"));
                    (coordinate("x"), coordinate("y"))
                };
                let affine = |point: $projective| {
                    let point = point.to_affine();
                    (point.x, point.y)
                };
                let u = |i: usize| $read(case["u"][i].as_str().expect("text"));
                assert_eq!(affine($projective::map_to_curve(&u(0))), point("Q0"));
                assert_eq!(affine($projective::map_to_curve(&u(1))), point("Q1"));
                let sum = $projective::map_pair_to_group([&u(0), &u(1)]);
                assert_eq!(affine(sum), point("P"));
            }
        }
    };
}
vectors!(
    vectors_g1,
    "tv_h2c_v8_BLS12_381_hash_to_G1_SHA256_SSWU_RO.json",
    G1Projective,
    fq
);
vectors!(
    vectors_g2,
    "tv_h2c_v8_BLS12_381_hash_to_G2_SHA256_SSWU_RO.json",
    G2Projective,
    fq2
);

fn random(rng: &mut TestRng) -> Fq {
    Fq::from_uniform_bytes(&core::array::from_fn(|_| rng.next_u64() as u8))
}

macro_rules! properties {
    ($name:ident, $projective:ident, $base:ty, $random:expr, $exceptional:expr) => {
        #[test]
        fn $name() {
            let mut rng = TestRng::new(17);
            let one = <$base>::ONE;
            // 0 and the roots of Zu² = -1, if any, are where the map's denominator vanishes
            let mut elements: Vec<$base> =
                vec![<$base>::ZERO, one, -one, one.double(), -one.double()];
            elements.extend($exceptional);
            elements.extend((0..20).map(|_| $random(&mut rng)));
            let mut previous = <$base>::ZERO;
            for u in elements {
                let point = $projective::map_to_curve(&u);
                assert!(bool::from(point.to_affine().is_on_curve()));
                assert!(!bool::from(point.is_identity()));
                // the sign of y follows that of u, so opposite elements give opposite points
                if u != <$base>::ZERO {
                    assert_eq!($projective::map_to_curve(&-u), -point);
                }
                let in_group = $projective::map_to_group(&u);
                assert!(bool::from(in_group.to_affine().is_in_subgroup()));
                assert_eq!(in_group, point.clear_cofactor());
                // sums on the isogenous curve: of others, of equal and of opposite points
                for v in [previous, u, -u] {
                    let expected = (point + $projective::map_to_curve(&v)).clear_cofactor();
                    assert_eq!($projective::map_pair_to_group([&u, &v]), expected);
                }
                previous = u;
            }
            // not all of them the same point
            let order_r = $projective::map_to_group(&one).mul(&-Fr::ONE);
            assert_eq!(order_r, -$projective::map_to_group(&one));
            assert_ne!(
                $projective::map_to_group(&one),
                $projective::map_to_group(&one.double())
            );
        }
    };
}
properties!(
    properties_g1,
    G1Projective,
    Fq,
    random,
    // Z = 11 and -1/11: a square, for -1 is none and 11 is none
    (-Fq::from_u64(11).invert().expect("not zero"))
        .sqrt()
        .into_option()
);
properties!(
    properties_g2,
    G2Projective,
    Fq2,
    |rng: &mut TestRng| Fq2::new(random(rng), random(rng)),
    // -1/Z of a non-square Z is none either: -1 is a square in Fq2
    (Fq2::new(Fq::from_u64(2), Fq::ONE)
        .invert()
        .expect("not zero"))
    .sqrt()
    .into_option()
);

/// The exceptional element of G1's map exists, and was among those above.
#[test]
fn exceptional_element() {
    let u = (-Fq::from_u64(11).invert().expect("not zero")).sqrt();
    let u = u.into_option().expect("a square");
    assert_eq!(Fq::from_u64(11) * u.square(), -Fq::ONE);
    // both kinds of zero take x = b'/(Z·a'), of the same sign as u
    let at_zero = G1Projective::map_to_curve(&Fq::ZERO);
    let point = G1Projective::map_to_curve(&u);
    assert!(bool::from(point.ct_eq(&at_zero) | (-point).ct_eq(&at_zero)));
}
