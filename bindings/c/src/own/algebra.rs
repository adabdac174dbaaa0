//! Sums over groups, and transforms.
//!
//! Numbers have 32 bytes, or 48 in coordinates of BLS12-381, the most significant first. Points are x and y, in G2 the
//! imaginary part of a coordinate first; infinity is all zeros. This is `ByteOrder::BigEndian` of the application
//! library, which checks everything.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{c_char, c_int, c_void};

use frumious_app::algebra::{self, ByteOrder, PointGroup};
use frumious_curves::PairingCurve;

use super::tasks::{self, Task};
use super::{INTERNAL, OK, argument, failed};
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
            let group = match group {
                0 => PointGroup::Bn254G1,
                1 => PointGroup::Bn254G2,
                2 => PointGroup::Bls12_381G1,
                3 => PointGroup::Bls12_381G2,
                _ => return Err(argument("group: 0 to 3")),
            };
            let expected = group.point_bytes();
            if out.len() != expected {
                return Err(argument(format!("out: {expected} bytes are expected")));
            }
            let (points, scalars) = (points.iter().copied(), scalars.iter().copied());
            let sum = algebra::sum_vartime(group, ByteOrder::BigEndian, points, scalars);
            let sum = sum.map_err(failed)?;
            let sum = tasks::run(task, |_, _| sum())?;
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
            let curve = match field {
                0 => PairingCurve::Bn254,
                1 => PairingCurve::Bls12_381,
                _ => return Err(argument("field: 0 or 1")),
            };
            let numbers = values.iter().copied();
            let transform = algebra::transform(curve, ByteOrder::BigEndian, inverse != 0, numbers);
            let transform = transform.map_err(failed)?;
            values.copy_from_slice(&tasks::run(task, |_, _| transform())?);
            Ok(OK)
        })
    }
}
