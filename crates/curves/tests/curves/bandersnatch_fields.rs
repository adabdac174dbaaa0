//! The prime fields of Bandersnatch.

use frumious_curves::bandersnatch::{Fq, Fr};

frumious_testing::field_suite!(fq, Fq, 32, Reduced);
frumious_testing::field_suite!(fr, Fr, 32);

#[test]
fn moduli_are_those_of_the_paper() {
    // eprint 2021/1152, section 3
    assert_eq!(
        (-Fq::ONE).to_decimal_vartime(),
        "52435875175126190479447740508185965837690552500527637822603658699938581184512"
    );
    assert_eq!(
        (-Fr::ONE).to_decimal_vartime(),
        "13108968793781547619861935127046491459309155893440570251786403306729687672800"
    );
}
