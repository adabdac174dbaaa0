//! The pairing of BN254: its values byte for byte, its laws, its edge cases.

use frumious_curves::bn254::pairing::{
    G2Prepared, Gt, final_exponentiation, miller_loop, multi_pairing, pairing,
};
use frumious_curves::bn254::{Fq, Fq2, Fq12, Fr, G1Affine, G1Projective, G2Affine, G2Projective};

/// Coefficients of an element of Fq12 in the order of nesting.
fn coefficients(value: &Fq12) -> Vec<Fq> {
    let [a, b] = [&value.c0, &value.c1];
    [a.c0, a.c1, a.c2, b.c0, b.c1, b.c2]
        .iter()
        .flat_map(|pair| [pair.c0, pair.c1])
        .collect()
}

fn fq(text: &str) -> Fq {
    Fq::from_decimal_vartime(text).expect("a decimal below p")
}

/// `vk_alpha_1`, `vk_beta_2` and `vk_alphabeta_12` of the verification key that snarkjs made for the fixture
/// `groth16/mul`. It fixes the power of the reduced pairing and the order of coefficients.
#[test]
fn value_equals_the_one_of_snarkjs() {
    let alpha = G1Affine {
        x: fq("12957962706528960539403224753519921850086309578238803354375532033264449409998"),
        y: fq("18214211989213823304321137793229811555137074067286609619404111992005131031192"),
    };
    let beta = G2Affine {
        x: Fq2::new(
            fq("4169972328877331542747980999034300509491755496032626599102420757207636653541"),
            fq("9644421336916859821388541102313128924913034583828243895699191058182216377040"),
        ),
        y: Fq2::new(
            fq("9767563861039165793551417033803621206600673197232610678738303904995803139506"),
            fq("16195029626202413518624880010913177243916937170260372893801229121513379851210"),
        ),
    };
    let expected = [
        "6968053409446183416370103766862807348525189448312780047019442050686576790553",
        "12088154963691116070488764807311716534753590624237011700159416620579685898180",
        "5188769091902007394979779919113916865840108620306420754642552846433778691638",
        "8566831561036244470916311616622601118126263127244536636030669847556483641819",
        "16490099829869406480594115469758264742290018616992532861697616878269569808522",
        "8155878678163457237730823701719977058901068094302575296467256438432993382319",
        "10025272557073422914559027010662122364790588850787654716178757288101746824368",
        "3307035661581255084652545901063377747388859462871068414579557471777327645552",
        "6959228575456015363691537962559892861783259859032775033504354971128286823501",
        "3285334332348591493809721889625211292353276002827183479453036786694608270296",
        "989050761368843405666555634135841163471598863274085117793977908147742692055",
        "21534677907394379707346660324830728703940102958290535091337599484896983472583",
    ];
    assert_eq!(
        coefficients(pairing(&alpha, &beta).as_fq12()),
        expected.map(fq)
    );
}

/// The same values as arkworks, so the same power of the reduced pairing.
#[test]
fn values_equal_those_of_arkworks() {
    use ark_bn254::{Bn254, Fq12 as ArkFq12, G1Affine as ArkG1, G2Affine as ArkG2};
    use ark_ec::{AffineRepr, CurveGroup, pairing::Pairing};
    use ark_ff::PrimeField;

    let canonical_of_ark = |value: &ArkFq12| -> Vec<[u64; 4]> {
        let [a, b] = [&value.c0, &value.c1];
        let pairs = [a.c0, a.c1, a.c2, b.c0, b.c1, b.c2];
        pairs
            .iter()
            .flat_map(|pair| [pair.c0.into_bigint().0, pair.c1.into_bigint().0])
            .collect()
    };
    for (a, b) in scalars() {
        let ark_scalar = |k: &Fr| ark_bn254::Fr::from_le_bytes_mod_order(&k.to_le_bytes());
        let p = (ArkG1::generator() * ark_scalar(&a)).into_affine();
        let q = (ArkG2::generator() * ark_scalar(&b)).into_affine();
        let theirs = canonical_of_ark(&Bn254::pairing(p, q).0);
        let ours = coefficients(pairing(&g1(&a), &g2(&b)).as_fq12());
        let ours: Vec<[u64; 4]> = ours.iter().map(Fq::to_canonical_limbs).collect();
        assert_eq!(ours, theirs);
    }
}

fn g1(scalar: &Fr) -> G1Affine {
    G1Projective::GENERATOR.mul(scalar).to_affine()
}

fn g2(scalar: &Fr) -> G2Affine {
    G2Projective::GENERATOR.mul(scalar).to_affine()
}

/// Pairs of scalars: zero, small ones, the largest ones, and some without a pattern.
fn scalars() -> Vec<(Fr, Fr)> {
    let mut mixed = Fr::from_u64(3);
    let mut next = || {
        mixed = mixed.square() + Fr::from_u64(0x9e37_79b9_7f4a_7c15);
        mixed
    };
    let one = Fr::ONE;
    let mut scalars = vec![
        (one, one),
        (one, Fr::from_u64(2)),
        (-one, one),
        (-one, -one),
        (Fr::from_u64(7), -one),
    ];
    scalars.extend([(Fr::ZERO, one), (one, Fr::ZERO), (Fr::ZERO, Fr::ZERO)]);
    scalars.extend((0..4).map(|_| (next(), next())));
    scalars
}

#[test]
fn is_bilinear() {
    let generator = pairing(&G1Affine::GENERATOR, &G2Affine::GENERATOR);
    for (a, b) in scalars() {
        let expected = generator.pow(&(a * b));
        assert_eq!(pairing(&g1(&a), &g2(&b)), expected);
        assert_eq!(pairing(&g1(&(a * b)), &G2Affine::GENERATOR), expected);
        assert_eq!(pairing(&g1(&b), &g2(&a)), expected);
    }
}

#[test]
fn is_not_degenerate() {
    let generator = pairing(&G1Affine::GENERATOR, &G2Affine::GENERATOR);
    assert_ne!(generator, Gt::IDENTITY);
    // of order r: the power r - 1 is the inverse, and the order is prime
    assert_eq!(generator.pow(&-Fr::ONE), generator.invert());
    assert_eq!(generator.pow(&-Fr::ONE) * generator, Gt::IDENTITY);
}

#[test]
fn a_point_at_infinity_gives_one() {
    let (p, q) = (g1(&Fr::from_u64(5)), g2(&Fr::from_u64(6)));
    let prepared = G2Prepared::from(&q);
    let prepared_infinity = G2Prepared::from(&G2Affine::IDENTITY);
    assert_eq!(pairing(&G1Affine::IDENTITY, &q), Gt::IDENTITY);
    assert_eq!(pairing(&p, &G2Affine::IDENTITY), Gt::IDENTITY);
    assert_eq!(
        pairing(&G1Affine::IDENTITY, &G2Affine::IDENTITY),
        Gt::IDENTITY
    );
    // and does not disturb the others
    let with = multi_pairing(&[
        (G1Affine::IDENTITY, &prepared),
        (p, &prepared),
        (p, &prepared_infinity),
    ]);
    assert_eq!(with, pairing(&p, &q));
    assert_eq!(miller_loop(&[(G1Affine::IDENTITY, &prepared)]), Fq12::ONE);
    assert_eq!(miller_loop(&[(p, &prepared_infinity)]), Fq12::ONE);
}

#[test]
fn product_of_pairings_is_the_pairing_of_many() {
    assert_eq!(multi_pairing(&[]), Gt::IDENTITY);
    let scalars = scalars();
    let prepared: Vec<G2Prepared> = scalars
        .iter()
        .map(|(_, b)| G2Prepared::from(&g2(b)))
        .collect();
    let pairs: Vec<(G1Affine, &G2Prepared)> = scalars
        .iter()
        .zip(&prepared)
        .map(|((a, _), prepared)| (g1(a), prepared))
        .collect();
    for n in [1, 2, 3, pairs.len()] {
        let product: Gt = scalars[..n]
            .iter()
            .map(|(a, b)| pairing(&g1(a), &g2(b)))
            .product();
        assert_eq!(multi_pairing(&pairs[..n]), product);
        assert_eq!(final_exponentiation(&miller_loop(&pairs[..n])), product);
    }
    // e(aG, bH)·e(-abG, H) = 1, in which each factor differs from one
    let (a, b) = (Fr::from_u64(123_456_789), -Fr::from_u64(987));
    let (left, right) = (
        G2Prepared::from(&g2(&b)),
        G2Prepared::from(&G2Affine::GENERATOR),
    );
    assert_eq!(
        multi_pairing(&[(g1(&a), &left), (g1(&-(a * b)), &right)]),
        Gt::IDENTITY
    );
    assert_ne!(
        multi_pairing(&[(g1(&a), &left), (g1(&(a * b)), &right)]),
        Gt::IDENTITY
    );
}

/// The vector "jeff1" of go-ethereum's bn256Pairing.json (EIP-197): the product of two pairings is one.
#[test]
fn check_of_eip_197() {
    let input = "\
        1c76476f4def4bb94541d57ebba1193381ffa7aa76ada664dd31c16024c43f59\
        3034dd2920f673e204fee2811c678745fc819b55d3e9d294e45c9b03a76aef41\
        209dd15ebff5d46c4bd888e51a93cf99a7329636c63514396b4a452003a35bf7\
        04bf11ca01483bfa8b34b43561848d28905960114c8ac04049af4b6315a41678\
        2bb8324af6cfc93537a2ad1a445cfd0ca2a71acd7ac41fadbf933c2a51be344d\
        120a2a4cf30c1bf9845f20c6fe39e07ea2cce61f0c9bb048165fe5e4de877550\
        111e129f1cf1097710d41c4ac70fcdfa5ba2023c6ff1cbeac322de49d1b6df7c\
        2032c61a830e3c17286de9462bf242fca2883585b93870a73853face6a6bf411\
        198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2\
        1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed\
        090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b\
        12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa";
    let bytes: Vec<u8> = (0..input.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&input[i..i + 2], 16).expect("hexadecimal digits"))
        .collect();
    let mut pairs = Vec::new();
    for chunk in bytes.chunks_exact(192) {
        let p = G1Affine::from_eip197_bytes(chunk[..64].try_into().expect("64 bytes"))
            .expect("a point of G1");
        let q = G2Affine::from_eip197_bytes(chunk[64..].try_into().expect("128 bytes"))
            .expect("a point of G2");
        pairs.push((p, G2Prepared::from(&q)));
    }
    let pairs: Vec<_> = pairs.iter().map(|(p, q)| (*p, q)).collect();
    assert_eq!(pairs.len(), 2);
    assert_eq!(multi_pairing(&pairs), Gt::IDENTITY);
    assert_ne!(multi_pairing(&pairs[..1]), Gt::IDENTITY);
}

#[test]
fn target_group_powers() {
    let g = pairing(&G1Affine::GENERATOR, &G2Affine::GENERATOR);
    let mut power = Gt::IDENTITY;
    for k in 0..40 {
        assert_eq!(g.pow(&Fr::from_u64(k)), power);
        assert_eq!(g.pow(&-Fr::from_u64(k)), power.invert());
        assert_eq!(power.square(), power * power);
        power *= g;
    }
    assert!(bool::from(Gt::IDENTITY.is_identity()) && !bool::from(g.is_identity()));
    for (a, b) in scalars() {
        assert_eq!(g.pow(&a) * g.pow(&b), g.pow(&(a + b)));
        assert_eq!(g.pow(&a).pow(&b), g.pow(&(a * b)));
    }
}

/// The final exponentiation against its definition: the plain power, computed bit by bit.
#[test]
fn final_exponentiation_is_the_power_it_says() {
    use frumious_field::Field;
    use num_bigint::BigUint;

    let x = BigUint::from(4_965_661_367_192_848_881u64);
    let p = &x * &x * &x * &x * 36u8 + &x * &x * &x * 36u8 + &x * &x * 24u8 + &x * 6u8 + 1u8;
    let r = &p - &x * &x * 6u8;
    let factor = &x * 2u8 * (&x * &x * 6u8 + &x * 3u8 + 1u8);
    let exponent = (p.pow(12) - 1u8) / &r * factor;
    let f = miller_loop(&[(G1Affine::GENERATOR, &G2Prepared::from(&G2Affine::GENERATOR))]);
    assert_eq!(
        *final_exponentiation(&f).as_fq12(),
        f.pow_vartime(&exponent.to_u64_digits())
    );
    assert_eq!(*final_exponentiation(&Fq12::ZERO).as_fq12(), Fq12::ZERO);
    assert_eq!(final_exponentiation(&Fq12::ONE), Gt::IDENTITY);
}

/// Points on the twist outside of G2 are the caller's mistake, but must not panic.
#[test]
fn a_point_outside_of_g2_does_not_panic() {
    let mut x = Fq2::ONE;
    let outside = loop {
        let y = (x.square() * x + G2Affine::B).sqrt();
        if let Some(y) = y.into_option() {
            break G2Affine { x, y };
        }
        x += Fq2::ONE;
    };
    assert!(!bool::from(outside.is_in_subgroup()));
    let value = pairing(&G1Affine::GENERATOR, &outside);
    assert_ne!(value, Gt::IDENTITY);
}
