//! Keys that stay open.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{c_char, c_int, c_void};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

use frumious_app::failure::{About, Failure};
use frumious_app::key::{AnyKey, KeyBytes};
use frumious_curves::PairingCurve;
use frumious_mapping::FileBytes;

use super::{INTERNAL, OK, argument, failed};
use crate::buffers::{Refusal, answer, bytes, place, text};
use crate::handles::Handles;

static KEYS: Handles<AnyKey> = Handles::new();

/// `frumious_key_info` of the header.
#[repr(C)]
pub struct Info {
    curve: c_int,
    contributed: c_int,
    wires: u64,
    public_signals: u64,
    domain_size: u64,
}

/// The open key of a number.
///
/// # Errors
/// There is none.
pub fn key(number: usize) -> Result<Arc<AnyKey>, Refusal> {
    let key = KEYS.get(number);
    key.ok_or_else(|| argument("key: not open"))
}

/// Opens the key in a file, which is mapped.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_key_open_file(
    key: *mut usize,
    path: *const c_char,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let place = place(key, "key").map_err(argument)?;
            let path = text(path, "path").map_err(argument)?;
            let path = path.to_str().map_err(|_| argument("path: not UTF-8"))?;
            *place = KEYS.keep(AnyKey::open(Path::new(path)).map_err(failed)?);
            Ok(OK)
        })
    }
}

/// Opens a key in the caller's memory, which is not copied.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says; the key stays as it is until it is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_key_open_memory(
    key: *mut usize,
    content: *const c_void,
    content_size: u64,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract; `'static` stands for the time until the key is closed.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let place = place(key, "key").map_err(argument)?;
            let content: &'static [u8] =
                bytes(content, content_size, "content").map_err(argument)?;
            let opened = KeyBytes::of(FileBytes::from_static(content), Path::new("key in memory"));
            *place = KEYS.keep(opened.and_then(KeyBytes::open).map_err(failed)?);
            Ok(OK)
        })
    }
}

/// Opens the key in an open file, which is mapped. The descriptor stays the caller's.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_key_open_descriptor(
    key: *mut usize,
    descriptor: c_int,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let place = place(key, "key").map_err(argument)?;
            if descriptor < 0 {
                return Err(argument("descriptor: negative"));
            }
            // SAFETY: it is no negative one. Nobody may close it before this function returns.
            let theirs = BorrowedFd::borrow_raw(descriptor);
            // A duplicate: the caller may close his, and mapping knows no offset.
            let ours = theirs.try_clone_to_owned().map_err(Failure::from);
            let name = Path::new("descriptor");
            let open = |ours: OwnedFd| {
                let bytes = FileBytes::map_open(ours.into(), name).about(name)?;
                KeyBytes::of(bytes, name)?.open()
            };
            *place = KEYS.keep(ours.about(name).and_then(open).map_err(failed)?);
            Ok(OK)
        })
    }
}

/// Tells about a key.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_key_describe(
    key: usize,
    info: *mut Info,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let key = self::key(key)?;
            *place(info, "info").map_err(argument)? = Info {
                curve: match key.curve() {
                    PairingCurve::Bn254 => 0,
                    PairingCurve::Bls12_381 => 1,
                },
                contributed: c_int::from(key.missing_contribution().is_none()),
                wires: key.n_wires() as u64,
                public_signals: key.n_public() as u64,
                domain_size: key.domain_size() as u64,
            };
            Ok(OK)
        })
    }
}

/// Closes a key.
///
/// # Safety
/// None: a number that is no key's is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_key_close(key: usize) {
    KEYS.close(key);
}
