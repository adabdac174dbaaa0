//! Sums over groups, and transforms, on buffers of Python.

use frumious_app::algebra::{ByteOrder, PointGroup, sum_vartime, transform};
use frumious_app::failure::Failure;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::bytes;
use crate::ceremony::curve_of;
use crate::task::{Cancellation, run};

/// The sum of multiples of points: the bytes of one point. `kind` names the group and the order of bytes.
#[pyfunction]
pub fn msm<'py>(
    py: Python<'py>,
    kind: (String, String),
    points: PyBuffer<u8>,
    scalars: PyBuffer<u8>,
    cancellation: Option<&Cancellation>,
) -> PyResult<Bound<'py, PyBytes>> {
    let sum = run(py, cancellation, None, |_| {
        let group = match &kind.0[..] {
            "bn128.g1" => PointGroup::Bn254G1,
            "bn128.g2" => PointGroup::Bn254G2,
            "bls12381.g1" => PointGroup::Bls12_381G1,
            "bls12381.g2" => PointGroup::Bls12_381G2,
            _ => return Err(Failure::bad_input(GROUPS)),
        };
        let (points, scalars) = (bytes(&points, "points")?, bytes(&scalars, "scalars")?);
        sum_vartime(group, order_of(&kind.1)?, points, scalars)?()
    })?;
    Ok(PyBytes::new(py, &sum))
}

/// Coefficients to values, or back, in place. A buffer stays as it is if that fails. `kind` names the curve and the
/// order of bytes.
#[pyfunction]
pub fn fft(
    py: Python<'_>,
    kind: (String, String),
    values: PyBuffer<u8>,
    inverse: bool,
    cancellation: Option<&Cancellation>,
) -> PyResult<()> {
    let transformed = run(py, cancellation, None, |_| {
        if values.readonly() {
            let words = "values: a buffer that can be written is expected";
            return Err(Failure::bad_input(words));
        }
        let (curve, order) = (curve_of(&kind.0)?, order_of(&kind.1)?);
        transform(curve, order, inverse, bytes(&values, "values")?)?()
    })?;
    values.copy_from_slice(py, &transformed)
}

fn order_of(name: &str) -> Result<ByteOrder, Failure> {
    match name {
        "big" => Ok(ByteOrder::BigEndian),
        "little" => Ok(ByteOrder::LittleEndian),
        _ => Err(Failure::bad_input("byteorder: big or little is expected")),
    }
}

const GROUPS: &str = "group: bn128.g1, bn128.g2, bls12381.g1 or bls12381.g2 is expected";
