//! The algorithms below the protocols: a sum over a group (MSM), transforms over a field (FFT), a pairing.
//!
//! Run it with `cargo run --release -p frumious --example sums`. They check each other: a polynomial's commitment at a
//! secret point τ is the same from its coefficients and from its value.

use frumious::curves::bls12_381::pairing::pairing;
use frumious::curves::bls12_381::{Fr, G1Projective, G2Affine, G2Projective};
use frumious::fft::Domain;
use frumious::field::Integer;
use frumious::msm::msm_vartime;
use std::error::Error;

/// Binary logarithm of the number of coefficients.
const LOG_SIZE: u32 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let size = 1 << LOG_SIZE;

    // Field elements are made of integers and text; operators take values and references.
    let tau: Fr = "1234567890123456789012345678901234567890".parse()?;
    let coefficients: Vec<Fr> = (0..size).map(|i| Fr::from(i) - Fr::from(7)).collect();
    let value_at = |x: &Fr| {
        coefficients
            .iter()
            .rev()
            .fold(Fr::ZERO, |sum, c| sum * x + c)
    };

    // FFT: from coefficients to values on the powers of a root of unity, and back.
    let domain = Domain::<Fr>::new(LOG_SIZE)?;
    let mut values = coefficients.clone();
    domain.fft(&mut values)?;
    assert_eq!(values[0], coefficients.iter().sum()); // at 1
    assert_eq!(values[5], value_at(&domain.root().pow(&[5])));
    domain.ifft(&mut values)?;
    assert_eq!(values, coefficients);

    // MSM: Σ cᵢ·(τⁱ·G) is the polynomial at τ, times G. It takes integers, and time that depends on them.
    let powers: Vec<G1Projective> = (0..size)
        .map(|i| G1Projective::GENERATOR * tau.pow(&[i]))
        .collect();
    let powers = G1Projective::batch_to_affine_vartime(&powers);
    let scalars: Vec<Integer<Fr>> = coefficients.iter().copied().map(Integer::from).collect();
    let commitment = msm_vartime(&powers, &scalars)?;
    assert_eq!(commitment, G1Projective::GENERATOR * value_at(&tau));

    // A pairing moves the scalar to the other side.
    let left = pairing(&commitment.to_affine(), &G2Affine::GENERATOR);
    let right = G2Projective::GENERATOR * value_at(&tau);
    let generator = G1Projective::GENERATOR.to_affine();
    assert_eq!(left, pairing(&generator, &right.to_affine()));

    // Lengths that differ are an error that tells both.
    let error = msm_vartime(&powers, &scalars[1..]).expect_err("a scalar is missing");
    println!("{error}");
    println!("p(τ) = {}\ncommitment = {commitment}", value_at(&tau));
    Ok(())
}
