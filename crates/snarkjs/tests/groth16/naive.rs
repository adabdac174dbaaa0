//! The prover once more, from the definitions: quadratic interpolation, double and add, one thread.
//!
//! Shares with the prover under test the field, the two group operations and the reader of the key, nothing else.

use frumious_curves::bn254::{Fr, G1Projective, G2Projective};
use frumious_field::{Integer, PrimeField};
use frumious_groth16::{Matrix, Proof};
use frumious_snarkjs::Zkey;

/// The proof for a witness of plain integers and given blinding factors.
pub fn prove(zkey: &Zkey, witness: &[Integer<Fr>], r: Fr, s: Fr) -> Proof {
    let header = zkey.header();
    let h = quotient_numerator(zkey, witness);
    let limbs = |x: &Fr| *Integer::from(*x).words();

    let mut a = G1Projective::from(header.alpha_g1);
    let mut b1 = G1Projective::from(header.beta_g1);
    let mut b2 = G2Projective::from(header.beta_g2);
    for (i, w) in witness.iter().enumerate() {
        a += multiply_g1(zkey.a().get(i).unwrap().into(), w.words());
        b1 += multiply_g1(zkey.b1().get(i).unwrap().into(), w.words());
        b2 += multiply_g2(zkey.b2().get(i).unwrap().into(), w.words());
    }
    a += multiply_g1(header.delta_g1.into(), &limbs(&r));
    b1 += multiply_g1(header.delta_g1.into(), &limbs(&s));
    b2 += multiply_g2(header.delta_g2.into(), &limbs(&s));

    let mut c = G1Projective::IDENTITY;
    for (i, w) in witness[header.n_public as usize + 1..].iter().enumerate() {
        c += multiply_g1(zkey.c().get(i).unwrap().into(), w.words());
    }
    for (i, h) in h.iter().enumerate() {
        c += multiply_g1(zkey.h().get(i).unwrap().into(), &limbs(h));
    }
    c += multiply_g1(a, &limbs(&s));
    c += multiply_g1(b1, &limbs(&r));
    c += -multiply_g1(header.delta_g1.into(), &limbs(&(r * s)));
    Proof {
        a: a.to_affine(),
        b: b2.to_affine(),
        c: c.to_affine(),
    }
}

/// The values of a·b − c at the odd roots of the doubled domain.
fn quotient_numerator(zkey: &Zkey, witness: &[Integer<Fr>]) -> Vec<Fr> {
    let log_n = zkey.header().log_domain_size();
    let n = 1 << log_n;
    let r_squared_inverse = Fr::from_u64(2).pow_vartime(&[512]).invert().unwrap();
    let mut a = vec![Fr::ZERO; n];
    let mut b = vec![Fr::ZERO; n];
    for record in zkey.coefficients().iter() {
        let record = record.unwrap();
        let coefficient = element(record.value.words()) * r_squared_inverse;
        let product = coefficient * element(witness[record.wire as usize].words());
        match record.matrix {
            Matrix::A => a[record.row as usize] += product,
            Matrix::B => b[record.row as usize] += product,
        }
    }
    let c: Vec<Fr> = a.iter().zip(&b).map(|(a, b)| *a * *b).collect();

    let odd_root = root_of_unity(log_n + 1);
    let [a, b, c] = [a, b, c].map(|values| {
        let coefficients = interpolate(&values, odd_root.square());
        let mut x = odd_root;
        (0..n)
            .map(|_| {
                let value = evaluate(&coefficients, x);
                x *= odd_root.square();
                value
            })
            .collect::<Vec<Fr>>()
    });
    (0..n).map(|i| a[i] * b[i] - c[i]).collect()
}

/// Coefficients from the values at 1, ω, ω², …: the k-th is `1/n·Σ values_i·ω^(−ik)`, a value of the polynomial whose
/// coefficients are the values.
fn interpolate(values: &[Fr], root: Fr) -> Vec<Fr> {
    let n_inverse = Fr::from_u64(values.len() as u64).invert().unwrap();
    let root_inverse = root.invert().unwrap();
    let mut x = Fr::ONE;
    values
        .iter()
        .map(|_| {
            let coefficient = evaluate(values, x) * n_inverse;
            x *= root_inverse;
            coefficient
        })
        .collect()
}

fn evaluate(coefficients: &[Fr], x: Fr) -> Fr {
    let horner = |value: Fr, coefficient: &Fr| value * x + *coefficient;
    coefficients.iter().rev().fold(Fr::ZERO, horner)
}

/// 5^((r − 1)/2^log_order), found by squaring the field's root of the highest order.
fn root_of_unity(log_order: u32) -> Fr {
    (log_order..Fr::TWO_ADICITY).fold(Fr::ROOT_OF_UNITY, |root, _| root.square())
}

fn element(limbs: &[u64; 4]) -> Fr {
    Fr::from_canonical_limbs(*limbs).unwrap()
}

pub fn multiply_g1(point: G1Projective, scalar: &[u64; 4]) -> G1Projective {
    let mut product = G1Projective::IDENTITY;
    for bit in (0..256).rev() {
        product = product.double();
        if scalar[bit / 64] >> (bit % 64) & 1 == 1 {
            product += point;
        }
    }
    product
}

pub fn multiply_g2(point: G2Projective, scalar: &[u64; 4]) -> G2Projective {
    let mut product = G2Projective::IDENTITY;
    for bit in (0..256).rev() {
        product = product.double();
        if scalar[bit / 64] >> (bit % 64) & 1 == 1 {
            product += point;
        }
    }
    product
}
