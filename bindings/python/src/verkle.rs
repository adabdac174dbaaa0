//! Commitments and multiproofs of Verkle trees. Nothing is secret here.

use frumious_app::verkle::{Claims, Openings, commit, update};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::task::{Cancellation, run};

/// The commitment to at most 256 values.
#[pyfunction]
pub fn verkle_commit<'py>(py: Python<'py>, values: PyBuffer<u8>) -> PyResult<Bound<'py, PyBytes>> {
    let values = values.to_vec(py)?;
    let commitment = run(py, None, None, |_| commit(&values))?;
    Ok(PyBytes::new(py, &commitment))
}

/// The commitment after a change of values at places.
#[pyfunction]
pub fn verkle_update<'py>(
    py: Python<'py>,
    commitment: PyBuffer<u8>,
    places: PyBuffer<u8>,
    old: PyBuffer<u8>,
    new: PyBuffer<u8>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (commitment, places) = (commitment.to_vec(py)?, places.to_vec(py)?);
    let (old, new) = (old.to_vec(py)?, new.to_vec(py)?);
    let updated = run(py, None, None, |_| update(&commitment, &places, &old, &new))?;
    Ok(PyBytes::new(py, &updated))
}

/// The multiproof of openings.
#[pyfunction]
pub fn verkle_prove<'py>(
    py: Python<'py>,
    label: Vec<u8>,
    commitments: PyBuffer<u8>,
    values: PyBuffer<u8>,
    places: PyBuffer<u8>,
    cancellation: Option<&Cancellation>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (commitments, values) = (commitments.to_vec(py)?, values.to_vec(py)?);
    let places = places.to_vec(py)?;
    let proof = run(py, cancellation, None, |_| {
        Openings::new(&commitments, &values, &places)?.prove(&label)
    })?;
    Ok(PyBytes::new(py, &proof))
}

/// The verdict on a multiproof.
#[pyfunction]
pub fn verkle_verify(
    py: Python<'_>,
    label: Vec<u8>,
    commitments: PyBuffer<u8>,
    values: PyBuffer<u8>,
    places: PyBuffer<u8>,
    proof: PyBuffer<u8>,
) -> PyResult<bool> {
    let (commitments, values) = (commitments.to_vec(py)?, values.to_vec(py)?);
    let (places, proof) = (places.to_vec(py)?, proof.to_vec(py)?);
    run(py, None, None, |_| {
        Claims::new(&commitments, &values, &places)?.verify(&label, &proof)
    })
}
