//! Sums over groups, and transforms.
//!
//! Numbers have 32 bytes, or 48 in coordinates of BLS12-381, the most significant first. Points are x and y, in G2 the
//! imaginary part of a coordinate first; infinity is all zeros. This is the form of Ethereum's precompiles (EIP-196 and
//! EIP-197; EIP-2537 has 16 zeros before each number). All is checked: numbers below their modulus, points in their
//! group.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{c_char, c_int, c_void};

use frumious_app::failure::Failure;
use frumious_curves::engine::{Coordinates, ScalarField};
use frumious_curves::{bls12_381, bn254};
use frumious_fft::Domain;
use frumious_field::{Integer, WordField};
use frumious_msm::{EncodedPoint, msm_vartime};

use super::tasks::{self, Task};
use super::{INTERNAL, OK, argument};
use crate::buffers::{answer, bytes, bytes_mut};

/// The sum of multiples of points: `out = Σ scalars[i]·points[i]`. Time depends on scalars and points.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_msm_vartime(
    group: c_int,
    points: *const c_void,
    points_size: u64,
    scalars: *const c_void,
    scalars_size: u64,
    task: *const Task,
    out: *mut c_void,
    out_size: u64,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let points = bytes(points, points_size, "points").map_err(argument)?;
            let scalars = bytes(scalars, scalars_size, "scalars").map_err(argument)?;
            let out = bytes_mut(out, out_size, "out").map_err(argument)?;
            let sum = match group {
                0 => |points: &[u8], scalars: &[u8]| {
                    sum::<bn254::G1Affine>(points, scalars, of_bn254)
                },
                1 => |points: &[u8], scalars: &[u8]| {
                    sum::<bn254::G2Affine>(points, scalars, of_bn254)
                },
                2 => |points: &[u8], scalars: &[u8]| {
                    sum::<bls12_381::G1Affine>(points, scalars, of_bls12_381)
                },
                3 => |points: &[u8], scalars: &[u8]| {
                    sum::<bls12_381::G2Affine>(points, scalars, of_bls12_381)
                },
                _ => return Err(argument("group: 0 to 3")),
            };
            let sum = tasks::run(task, |_, _| sum(points, scalars))?;
            if out.len() != sum.len() {
                return Err(argument(format!("out: {} bytes are expected", sum.len())));
            }
            out.copy_from_slice(&sum);
            Ok(OK)
        })
    }
}

/// Coefficients to values at the powers of a root of unity, or back, in place. Time is constant.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_fft(
    field: c_int,
    inverse: c_int,
    values: *mut c_void,
    values_size: u64,
    task: *const Task,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let values = bytes_mut(values, values_size, "values").map_err(argument)?;
            let transform = match field {
                0 => transform::<bn254::Fr>,
                1 => transform::<bls12_381::Fr>,
                _ => return Err(argument("field: 0 or 1")),
            };
            tasks::run(task, |_, _| transform(values, inverse != 0))?;
            Ok(OK)
        })
    }
}

/// A coordinate of its bytes, if it is below the modulus.
type Number<T> = fn(&[u8]) -> Option<T>;

fn of_bn254(bytes: &[u8]) -> Option<bn254::Fq> {
    bn254::Fq::from_be_bytes(bytes.try_into().ok()?).into()
}

fn of_bls12_381(bytes: &[u8]) -> Option<bls12_381::Fq> {
    bls12_381::Fq::from_be_bytes(bytes.try_into().ok()?).into()
}

fn sum<P: EncodedPoint>(
    points: &[u8],
    scalars: &[u8],
    number: Number<<P as Coordinates>::Base>,
) -> Result<Vec<u8>, Failure> {
    let point_bytes = P::default().to_big_endian_bytes().len();
    if !points.len().is_multiple_of(point_bytes) {
        return Err(Failure::bad_input(format!(
            "points: {point_bytes} bytes each are expected"
        )));
    }
    let points = points
        .chunks_exact(point_bytes)
        .enumerate()
        .map(|(place, bytes)| {
            let bad = |what: &str| Failure::bad_input(format!("point {place}: {what}"));
            if bytes.iter().all(|byte| *byte == 0) {
                return Ok(P::default());
            }
            let numbers = bytes
                .chunks_exact(point_bytes / (2 * P::DEGREE))
                .map(number);
            let numbers: Option<Vec<_>> = numbers.collect();
            let mut numbers =
                numbers.ok_or_else(|| bad("a coordinate is not below the modulus"))?;
            // The imaginary part comes first.
            numbers.chunks_mut(P::DEGREE).for_each(<[_]>::reverse);
            P::from_coefficients(&numbers).map_err(|error| bad(&error.to_string()))
        });
    let points: Vec<P> = points.collect::<Result<_, _>>()?;
    let scalars: Vec<Integer<P::Scalar>> = integers(scalars, "scalar")?;
    let sum = msm_vartime(&points[..], &scalars);
    let sum = sum.map_err(|_| Failure::bad_input("as many scalars as points are expected"))?;
    Ok(P::from(sum).to_big_endian_bytes())
}

fn transform<F: ScalarField>(bytes: &mut [u8], inverse: bool) -> Result<(), Failure> {
    let mut values: Vec<F> = integers::<F>(bytes, "value")?
        .into_iter()
        .map(Integer::to_element)
        .collect();
    if !values.len().is_power_of_two() {
        return Err(Failure::bad_input("values: a power of two is expected"));
    }
    let bad = |error: frumious_fft::Error| Failure::bad_input(error.to_string());
    let domain = Domain::<F>::new(values.len().ilog2()).map_err(bad)?;
    match inverse {
        false => domain.fft(&mut values).map_err(bad)?,
        true => domain.ifft(&mut values).map_err(bad)?,
    }
    for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(NUMBER_BYTES)) {
        bytes.copy_from_slice(&value.to_be_bytes());
    }
    Ok(())
}

/// Integers below the order of a group.
fn integers<F: WordField>(bytes: &[u8], what: &str) -> Result<Vec<Integer<F>>, Failure> {
    if !bytes.len().is_multiple_of(NUMBER_BYTES) {
        return Err(Failure::bad_input(format!(
            "{what}s: {NUMBER_BYTES} bytes each are expected"
        )));
    }
    let integer = |(place, bytes): (usize, &[u8])| {
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().rev().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        Option::from(Integer::new(words))
            .ok_or_else(|| Failure::bad_input(format!("{what} {place}: not below the modulus")))
    };
    bytes
        .chunks_exact(NUMBER_BYTES)
        .enumerate()
        .map(integer)
        .collect()
}

/// Bytes of a number below the order of a group.
const NUMBER_BYTES: usize = 32;
