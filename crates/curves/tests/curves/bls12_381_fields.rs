//! The prime fields of BLS12-381.

use frumious_curves::bls12_381::{Fq, Fr};

frumious_testing::field_suite!(fq, Fq, 48, none);
frumious_testing::field_suite!(fr, Fr, 32, Reduced);

#[test]
fn moduli_are_those_of_the_standard() {
    // draft-irtf-cfrg-pairing-friendly-curves-11, section 4.2.1
    assert_eq!(
        format!("{:?}", -Fq::ONE),
        "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaaa"
    );
    assert_eq!(
        format!("{:?}", -Fr::ONE),
        "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000"
    );
}

/// Every backend, as the suite runs on the one in use only.
#[test]
fn backends_agree() {
    use frumious_limbs::{Backend, backend};
    let mut of_backends = Vec::new();
    for backend in Backend::ALL {
        if let Err(error) = backend::set(backend) {
            eprintln!("SKIP: {error}");
            continue;
        }
        let mut state = Fq::from_u64(3);
        let mut results = Vec::new();
        for _ in 0..200 {
            let next = state.square() * Fq::from_u64(5) - state;
            let sum = Fq::sum_of_products([&state, &next], [&next, &next]);
            results.extend([next, sum, sum.invert().expect("not zero")]);
            results.extend(sum.sqrt().into_option());
            state = next;
        }
        of_backends.push(results);
    }
    assert!(of_backends.windows(2).all(|pair| pair[0] == pair[1]));
}
