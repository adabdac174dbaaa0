//! Buffers of Python, read in place.
//!
//! A buffer cannot move or shrink while it is held, but other threads may write to it. So each byte is read once, and
//! checked after that. A caller who changes bytes in the meantime gets another result, or a refusal.

#![allow(unsafe_code)] // the memory of another language

use frumious_app::failure::Failure;
use pyo3::buffer::PyBuffer;

/// The bytes of a buffer, from wherever they are, without Python's lock.
///
/// # Errors
/// [`Failure::bad_input`] for a buffer in pieces.
pub fn bytes<'a>(
    buffer: &'a PyBuffer<u8>,
    name: &str,
) -> Result<impl ExactSizeIterator<Item = u8> + 'a, Failure> {
    let bytes = buffer.as_slice_ptr();
    let bytes = bytes
        .ok_or_else(|| Failure::bad_input(format!("{name}: a contiguous buffer is expected")))?;
    let (start, length) = (bytes.cast::<u8>(), bytes.len());
    let byte = move |place| {
        // SAFETY: `place < length`, and `buffer`, which is borrowed for `'a`, keeps as many bytes at `start`. A volatile
        // read gives some value whoever writes there, and none is read again.
        unsafe { start.add(place).read_volatile() }
    };
    Ok((0..length).map(byte))
}
