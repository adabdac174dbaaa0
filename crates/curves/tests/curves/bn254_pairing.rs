//! The pairing of BN254: the suite, and values of snarkjs and of Ethereum.

use frumious_curves::bn254::pairing::{G2Prepared, Gt, multi_pairing, pairing};
use frumious_curves::bn254::{Fq, Fq2, G1Affine, G2Affine};
use frumious_testing::num_bigint::BigUint;

frumious_testing::pairing_suite!(suite, frumious_curves::bn254, peer: ark_bn254::Bn254, factor: super::factor());

/// `2x(6x² + 3x + 1)` with the curve's parameter x.
fn factor() -> BigUint {
    let x = BigUint::from(4_965_661_367_192_848_881u64);
    &x * 2u8 * (&x * &x * 6u8 + &x * 3u8 + 1u8)
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
        suite::coefficients(pairing(&alpha, &beta).as_fq12()),
        expected.map(fq)
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
