//! The prime fields of secp256k1.

use frumious_curves::secp256k1::{Fq, Fr};

frumious_testing::field_suite!(fq, Fq, 32, folded);
frumious_testing::field_suite!(fr, Fr, 32, folded);

#[test]
fn moduli_are_those_of_sec_2() {
    assert_eq!(
        format!("{:?}", -Fq::ONE),
        "0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e"
    );
    assert_eq!(
        format!("{:?}", -Fr::ONE),
        "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"
    );
}

#[test]
fn words_of_any_size_are_reduced() {
    assert_eq!(Fr::from_be_bytes_mod(&[0; 32]), Fr::ZERO);
    assert_eq!(Fr::from_words_mod(&Fr::MODULUS), Fr::ZERO);
    assert_eq!(
        Fq::from_words_mod(&[u64::MAX; 4]),
        Fq::from_u64(0x1_0000_03d0)
    );
    let largest = Fr::from_be_bytes_mod(&[0xff; 32]);
    assert_eq!(
        largest,
        -Fr::from_words_reduced(Fr::MODULUS) - Fr::ONE
            + Fr::from_words_reduced([0x402d_a173_2fc9_bebf, 0x4551_2319_50b7_5fc4, 1, 0])
    );
}

#[test]
fn parity_and_height() {
    assert!(!bool::from(Fq::ZERO.is_odd()));
    assert!(bool::from(Fq::ONE.is_odd()));
    assert!(!bool::from((-Fq::ONE).is_odd()));
    let half = Fr::ONE.halve(); // (n + 1)/2
    assert!(bool::from(half.is_high()));
    assert!(!bool::from((half - Fr::ONE).is_high()));
    assert!(!bool::from(Fr::ZERO.is_high()));
    assert!(bool::from((-Fr::ONE).is_high()));
}

#[test]
fn mul_small_equals_mul() {
    for value in [Fq::ZERO, Fq::ONE, -Fq::ONE, Fq::ONE.halve()] {
        for factor in [0, 1, 21, (1 << 31) - 1] {
            assert_eq!(value.mul_small(factor), value * Fq::from_u64(factor.into()));
        }
    }
}
