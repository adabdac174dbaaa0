//! Pieces of one proof, which several machines compute, and the proof that is put together of them.

use frumious_app::shards;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::ceremony::curve_of;
use crate::proofs::Key;
use crate::source::Source;
use crate::task::{Cancellation, raised, run};

/// `(name, offset, entries, bytes of an entry)` of each part of a key that is placed in ranges.
#[pyfunction]
pub fn key_layout(
    py: Python<'_>,
    key: &Bound<'_, Key>,
) -> PyResult<Vec<(&'static str, u64, u64, u64)>> {
    let parts = shards::layout(&key.get().0).map_err(|failure| raised(py, &failure))?;
    let told = |part: shards::PartPlace| (part.name, part.offset, part.entries, part.entry_bytes);
    Ok(parts.into_iter().map(told).collect())
}

/// The sum over entries of a part from `first` on: the bytes of one point.
#[pyfunction]
pub fn partial_sum<'py>(
    py: Python<'py>,
    key: &Bound<'_, Key>,
    part: &str,
    first: u64,
    scalars: PyBackedBytes,
    cancellation: Option<&Cancellation>,
) -> PyResult<Bound<'py, PyBytes>> {
    let key = &key.get().0;
    let sum = run(py, cancellation, None, |_| {
        shards::partial_sum_vartime(key, part, first, &scalars)
    })?;
    Ok(PyBytes::new(py, &sum))
}

/// The vector `a`, `b` or `c` of a quotient. It is secret, and Python does not overwrite it.
#[pyfunction]
pub fn quotient_vector<'py>(
    py: Python<'py>,
    key: &Bound<'_, Key>,
    witness: Source,
    name: &str,
    cancellation: Option<&Cancellation>,
) -> PyResult<Bound<'py, PyBytes>> {
    let key = &key.get().0;
    let vector = run(py, cancellation, None, |_| {
        shards::quotient_vector(key, &witness.witness(key.curve())?, name)
    })?;
    Ok(PyBytes::new(py, &vector))
}

/// The scalars of a range of part H, of the same range of the three vectors. They are secret.
#[pyfunction]
pub fn scalars_of_h<'py>(
    py: Python<'py>,
    curve: &str,
    vectors: (PyBackedBytes, PyBackedBytes, PyBackedBytes),
    cancellation: Option<&Cancellation>,
) -> PyResult<Bound<'py, PyBytes>> {
    let scalars = run(py, cancellation, None, |_| {
        let (a, b, c) = &vectors;
        shards::scalars_of_h(curve_of(curve)?, [a, b, c])
    })?;
    Ok(PyBytes::new(py, &scalars))
}

/// Points of each part, one after the other.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Sums {
    a: PyBackedBytes,
    b1: PyBackedBytes,
    b2: PyBackedBytes,
    c: PyBackedBytes,
    h: PyBackedBytes,
}

/// The proof of these sums, verified, and the public signals, each as JSON. `randomness` is for tests.
#[pyfunction]
pub fn assemble(
    py: Python<'_>,
    key: &Bound<'_, Key>,
    sums: Sums,
    public: PyBackedBytes,
    randomness: Option<PyBackedBytes>,
    cancellation: Option<&Cancellation>,
) -> PyResult<(String, String)> {
    let key = &key.get().0;
    run(py, cancellation, None, |_| {
        let results = shards::Results {
            public: &public,
            a: &sums.a,
            b1: &sums.b1,
            b2: &sums.b2,
            c: &sums.c,
            h: &sums.h,
            randomness: randomness.as_deref(),
        };
        shards::assemble(key, &results)
    })
}

/// A proof by this process alone with r and s given, to compare others with.
#[pyfunction]
pub fn prove_alone_for_tests(
    py: Python<'_>,
    key: &Bound<'_, Key>,
    witness: Source,
    randomness: PyBackedBytes,
) -> PyResult<String> {
    let key = &key.get().0;
    run(py, None, None, |_| {
        shards::prove_alone_for_tests(key, &witness.witness(key.curve())?, &randomness)
    })
}
