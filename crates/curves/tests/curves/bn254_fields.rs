//! The prime fields of BN254.

use frumious_curves::bn254::{Fq, Fr};

frumious_testing::field_suite!(fq, Fq, 32);
frumious_testing::field_suite!(fr, Fr, 32);

#[test]
fn moduli_are_those_of_eip_196() {
    let before_p = -Fq::ONE;
    let before_r = -Fr::ONE;
    assert_eq!(
        before_p.to_decimal_vartime(),
        "21888242871839275222246405745257275088696311157297823662689037894645226208582"
    );
    assert_eq!(
        before_r.to_decimal_vartime(),
        "21888242871839275222246405745257275088548364400416034343698204186575808495616"
    );
}

#[test]
fn root_of_unity_is_that_of_snarkjs() {
    // ffjavascript, bn128 Fr.w[28], as decimal text
    use frumious_field::PrimeField;
    assert_eq!(
        Fr::ROOT_OF_UNITY.to_decimal_vartime(),
        "19103219067921713944291392827692070036145651957329286315305642004821462161904"
    );
}
