//! The caller's pointers.
//!
//! The caller promises two things that cannot be checked. A pointer that is not null has as many bytes behind it as its
//! size says. A text ends with a zero. All else is checked here.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{CStr, c_char, c_int, c_ulonglong, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A reason to fail: the code of the interface, and words.
pub struct Refusal {
    pub code: c_int,
    pub words: String,
}

/// The bytes of a buffer, for as long as the caller keeps them.
///
/// # Errors
/// Null.
///
/// # Safety
/// Unless null, `buffer` points to `size` bytes that nobody changes while `'a` lasts.
pub unsafe fn bytes<'a>(
    buffer: *const c_void,
    size: c_ulonglong,
    what: &str,
) -> Result<&'a [u8], String> {
    let size = size_of_buffer(buffer.is_null(), size, what)?;
    // SAFETY: not null, at most `isize::MAX`; the rest is this function's contract.
    Ok(unsafe { std::slice::from_raw_parts(buffer.cast(), size) })
}

/// The size of a slice that is not null.
fn size_of_buffer(is_null: bool, size: c_ulonglong, what: &str) -> Result<usize, String> {
    if is_null {
        return Err(format!("{what}: null"));
    }
    let size = usize::try_from(size).ok();
    let size = size.filter(|size| *size <= isize::MAX as usize);
    size.ok_or_else(|| format!("{what}: too large"))
}

/// As [`bytes`], to be written.
///
/// # Errors
/// Null.
///
/// # Safety
/// Unless null, `buffer` points to `size` bytes that nobody else uses while `'a` lasts.
pub unsafe fn bytes_mut<'a>(
    buffer: *mut c_void,
    size: c_ulonglong,
    what: &str,
) -> Result<&'a mut [u8], String> {
    let size = size_of_buffer(buffer.is_null(), size, what)?;
    // SAFETY: not null, at most `isize::MAX`; the rest is this function's contract.
    Ok(unsafe { std::slice::from_raw_parts_mut(buffer.cast(), size) })
}

/// A text that ends with a zero.
///
/// # Errors
/// Null.
///
/// # Safety
/// Unless null, `text` points to bytes up to a zero that nobody changes while `'a` lasts.
pub unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a CStr, String> {
    if text.is_null() {
        return Err(format!("{what}: null"));
    }
    // SAFETY: not null; the rest is this function's contract.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// A place for a result.
///
/// # Errors
/// Null.
///
/// # Safety
/// Unless null, `place` points to a `T` that nobody else uses while `'a` lasts.
pub unsafe fn place<'a, T>(place: *mut T, what: &str) -> Result<&'a mut T, String> {
    // SAFETY: null gives none; the rest is this function's contract.
    unsafe { place.as_mut() }.ok_or_else(|| format!("{what}: null"))
}

/// Where a text goes, and how much room there is.
pub struct Room<'a> {
    buffer: *mut c_char,
    size: &'a mut c_ulonglong,
}

impl<'a> Room<'a> {
    /// # Errors
    /// Null.
    ///
    /// # Safety
    /// Unless null, `size` is as in [`place`], and `buffer` points to `*size` bytes that nobody else uses while `'a`
    /// lasts.
    pub unsafe fn new(
        buffer: *mut c_char,
        size: *mut c_ulonglong,
        what: &str,
    ) -> Result<Self, String> {
        if buffer.is_null() {
            return Err(format!("{what} buffer: null"));
        }
        // SAFETY: this function's contract.
        let size = unsafe { place(size, &format!("{what} size")) }?;
        Ok(Self { buffer, size })
    }

    /// True if a text fits, with a zero behind it.
    pub fn fits(&self, text: &str) -> bool {
        (text.len() as c_ulonglong) < *self.size
    }

    /// Tells the size that a text of this length needs, with the zero behind it.
    pub fn tell_needed(&mut self, length: usize) {
        *self.size = length as c_ulonglong + 1;
    }

    /// Writes bytes and their number if they fit, without a zero; else tells the number. True if they fit.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> bool {
        let fit = bytes.len() as c_ulonglong <= *self.size;
        if fit {
            // SAFETY: there are at least that many bytes behind `buffer`, by the contract of `new`. `bytes` is ours, so
            // the two do not overlap.
            unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), self.buffer, bytes.len());
            }
        }
        *self.size = bytes.len() as c_ulonglong;
        fit
    }

    /// Writes a text that fits, and its length.
    pub fn write(&mut self, text: &str) {
        assert!(self.fits(text));
        // SAFETY: there are more than `text.len()` bytes behind `buffer`, by `fits` and the contract of `new`. `text`
        // is ours, so the two do not overlap.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), self.buffer, text.len());
            *self.buffer.add(text.len()) = 0;
        }
        *self.size = text.len() as c_ulonglong;
    }
}

/// Runs a function of the interface: the code of its refusal, with the words in `message`, or that of its success. A
/// panic is a refusal with the code `failed`.
///
/// # Safety
/// Unless null, `message` points to `size` bytes that nobody else uses.
pub unsafe fn answer(
    failed: c_int,
    message: *mut c_char,
    size: c_ulonglong,
    work: impl FnOnce() -> Result<c_int, Refusal>,
) -> c_int {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(Refusal {
            code: failed,
            words: "internal error".into(),
        })
    });
    outcome.unwrap_or_else(|refusal| {
        let room = usize::try_from(size).unwrap_or(usize::MAX);
        if !message.is_null() && room > 0 {
            let mut length = refusal.words.len().min(room - 1);
            while !refusal.words.is_char_boundary(length) {
                length -= 1;
            }
            // SAFETY: `length + 1 <= size` bytes are behind `message`, by this function's contract.
            unsafe {
                std::ptr::copy_nonoverlapping(refusal.words.as_ptr().cast(), message, length);
                *message.add(length) = 0;
            }
        }
        refusal.code
    })
}
