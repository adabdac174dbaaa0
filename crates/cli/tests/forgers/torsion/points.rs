//! Points of small prime order on the curves of pairing engines.

use frumious_curves::engine::PairingGroup;
use frumious_curves::{bls12_381, bn254};
use num_bigint::BigUint;

/// A curve with points outside its group of prime order r.
pub struct Torsion {
    /// The number of points over r, in decimal digits.
    cofactor: &'static str,
    /// r, in hexadecimal digits.
    order: &'static str,
    /// Primes that divide the cofactor.
    pub small_orders: &'static [u64],
}

impl Torsion {
    /// Source: the cofactors are those of draft-irtf-cfrg-pairing-friendly-curves-11, section 4.2.1; factored by trial
    /// division.
    pub const BLS12_381_G1: Self = Self {
        cofactor: "76329603384216526031706109802092473003",
        order: BLS12_381_ORDER,
        small_orders: &[3, 11, 10_177, 859_267, 52_437_899],
    };
    pub const BLS12_381_G2: Self = Self {
        cofactor: "30550233393126834420099975319312150421446601925418814266766403298226760418297188402650742735925997784\
                   7832272839041616661285803823378372096355777062779109",
        order: BLS12_381_ORDER,
        small_orders: &[13, 23, 2_713, 11_953, 262_069],
    };
    /// 2q − r. Its fourth prime has 178 bits.
    pub const BN254_G2: Self = Self {
        cofactor: "21888242871839275222246405745257275088844257914179612981679871602714643921549",
        order: "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
        small_orders: &[10_069, 5_864_401, 1_875_725_156_269],
    };
}

const BLS12_381_ORDER: &str = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";

/// A point of prime order `order`.
pub fn torsion<P: Curve>(curve: &Torsion, order: u64) -> P {
    let number =
        |digits: &str, radix| BigUint::parse_bytes(digits.as_bytes(), radix).expect("digits");
    let mut rest = number(curve.cofactor, 10) * number(curve.order, 16);
    let order = BigUint::from(order);
    assert!(
        (&rest % &order) == BigUint::ZERO,
        "{order} divides the number of points"
    );
    while (&rest % &order) == BigUint::ZERO {
        rest /= &order;
    }
    let found = (1..).find_map(|x| {
        let mut point = times(&P::with_x(x)?, &rest);
        if point == P::default() {
            return None;
        }
        // No prime divides a cofactor more than twice.
        for _ in 0..2 {
            let next = times(&point, &order);
            if next == P::default() {
                return Some(point);
            }
            point = next;
        }
        panic!("the number of points is wrong");
    });
    let point = found.expect("most points will do");
    assert!(P::from_montgomery_bytes(point.to_montgomery_bytes().as_ref()).is_err());
    point
}

/// `a + b` on the whole curve.
pub fn plus<P: PairingGroup>(a: &P, b: &P) -> P {
    P::from(P::Projective::from(*a) + P::Projective::from(*b))
}

fn times<P: PairingGroup>(point: &P, factor: &BigUint) -> P {
    let mut product = P::Projective::default();
    for bit in (0..factor.bits()).rev() {
        product += product;
        if factor.bit(bit) {
            product += P::Projective::from(*point);
        }
    }
    P::from(product)
}

/// A group within the points of a curve.
pub trait Curve: PairingGroup {
    /// A point of the curve whose x is that small number, if there is one.
    fn with_x(x: u64) -> Option<Self>;
}

impl Curve for bls12_381::G1Affine {
    fn with_x(x: u64) -> Option<Self> {
        let x = bls12_381::Fq::from_u64(x);
        let y = (x * x * x + Self::B).sqrt().into_option()?;
        Some(Self { x, y })
    }
}

impl Curve for bls12_381::G2Affine {
    fn with_x(x: u64) -> Option<Self> {
        let x = bls12_381::Fq2::new(bls12_381::Fq::from_u64(x), bls12_381::Fq::ONE);
        let y = (x * x * x + Self::B).sqrt().into_option()?;
        Some(Self { x, y })
    }
}

impl Curve for bn254::G2Affine {
    fn with_x(x: u64) -> Option<Self> {
        let x = bn254::Fq2::new(bn254::Fq::from_u64(x), bn254::Fq::ONE);
        let y = (x * x * x + Self::B).sqrt().into_option()?;
        Some(Self { x, y })
    }
}
