//! `include/prover.h`.
//!
//! The caller's `void *` is the number of a prover and no address: `handles`.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{c_char, c_int, c_ulonglong, c_void};
use std::path::Path;

use frumious_app::failure::Failure;
use frumious_app::key::{AnyKey, KeyBytes};
use frumious_app::observer::Silent;
use frumious_app::prove::{Request, prove};
use frumious_app::witness::AnyWitness;
use frumious_mapping::FileBytes;

use crate::buffers::{Refusal, Room, answer, bytes, place, text};
use crate::handles::Handles;
use crate::texts::Texts;

const OK: c_int = 0;
const ERROR: c_int = 1;
const SHORT_BUFFER: c_int = 2;
const INVALID_WITNESS_LENGTH: c_int = 3;

/// A size that suffices for the public signals of a key.
///
/// # Safety
/// Each pointer is null or as `include/prover.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_public_size_for_zkey_buf(
    zkey_buffer: *const c_void,
    zkey_size: c_ulonglong,
    public_size: *mut c_ulonglong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulonglong,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(ERROR, error_msg, error_msg_maxsize, || {
            let size = place(public_size, "public size").map_err(refusal)?;
            *size = public_size_of(&of_buffer(zkey_buffer, zkey_size)?)?;
            Ok(OK)
        })
    }
}

/// As [`groth16_public_size_for_zkey_buf`], of a file.
///
/// # Safety
/// Each pointer is null or as `include/prover.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_public_size_for_zkey_file(
    zkey_fname: *const c_char,
    public_size: *mut c_ulonglong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulonglong,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(ERROR, error_msg, error_msg_maxsize, || {
            let size = place(public_size, "public size").map_err(refusal)?;
            *size = public_size_of(&of_file(zkey_fname)?)?;
            Ok(OK)
        })
    }
}

/// A size that suffices for a proof over BN254.
///
/// # Safety
/// `proof_size` is null or as `include/prover.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_proof_size(proof_size: *mut c_ulonglong) {
    // SAFETY: this function's contract.
    if let Some(size) = unsafe { proof_size.as_mut() } {
        *size = PROOF_SIZE;
    }
}

/// A prover of a key in the caller's memory.
///
/// # Safety
/// Each pointer is null or as `include/prover.h` says; the key stays as it is until the prover is destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_prover_create(
    prover_object: *mut *mut c_void,
    zkey_buffer: *const c_void,
    zkey_size: c_ulonglong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulonglong,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(ERROR, error_msg, error_msg_maxsize, || {
            let object = place(prover_object, "prover object").map_err(refusal)?;
            *object = keep(of_buffer(zkey_buffer, zkey_size)?);
            Ok(OK)
        })
    }
}

/// A prover of a key in a file, which is mapped.
///
/// # Safety
/// Each pointer is null or as `include/prover.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_prover_create_zkey_file(
    prover_object: *mut *mut c_void,
    zkey_file_path: *const c_char,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulonglong,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(ERROR, error_msg, error_msg_maxsize, || {
            let object = place(prover_object, "prover object").map_err(refusal)?;
            *object = keep(of_file(zkey_file_path)?);
            Ok(OK)
        })
    }
}

/// One proof.
///
/// # Safety
/// Each pointer is null or as `include/prover.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_prover_prove(
    prover_object: *mut c_void,
    wtns_buffer: *const c_void,
    wtns_size: c_ulonglong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulonglong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulonglong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulonglong,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(ERROR, error_msg, error_msg_maxsize, || {
            let key = PROVERS.get(prover_object as usize);
            let key = key.ok_or_else(|| refusal("prover object: null or destroyed".into()))?;
            let witness = bytes(wtns_buffer, wtns_size, "witness buffer").map_err(refusal)?;
            let rooms = rooms([proof_buffer, public_buffer], [proof_size, public_size])?;
            give(&key, witness, rooms)
        })
    }
}

/// Destroys a prover.
///
/// # Safety
/// None: a number that is no prover's is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_prover_destroy(prover_object: *mut c_void) {
    PROVERS.close(prover_object as usize);
}

/// One proof with a key in the caller's memory.
///
/// # Safety
/// Each pointer is null or as `include/prover.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_prover(
    zkey_buffer: *const c_void,
    zkey_size: c_ulonglong,
    wtns_buffer: *const c_void,
    wtns_size: c_ulonglong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulonglong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulonglong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulonglong,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(ERROR, error_msg, error_msg_maxsize, || {
            let witness = bytes(wtns_buffer, wtns_size, "witness buffer").map_err(refusal)?;
            let rooms = rooms([proof_buffer, public_buffer], [proof_size, public_size])?;
            give(&of_buffer(zkey_buffer, zkey_size)?, witness, rooms)
        })
    }
}

/// One proof with a key in a file.
///
/// # Safety
/// Each pointer is null or as `include/prover.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_prover_zkey_file(
    zkey_file_path: *const c_char,
    wtns_buffer: *const c_void,
    wtns_size: c_ulonglong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulonglong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulonglong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulonglong,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(ERROR, error_msg, error_msg_maxsize, || {
            let witness = bytes(wtns_buffer, wtns_size, "witness buffer").map_err(refusal)?;
            let rooms = rooms([proof_buffer, public_buffer], [proof_size, public_size])?;
            give(&of_file(zkey_file_path)?, witness, rooms)
        })
    }
}

/// The provers that are not destroyed.
static PROVERS: Handles<AnyKey> = Handles::new();

/// The caller's pointer for a new prover.
fn keep(key: AnyKey) -> *mut c_void {
    std::ptr::without_provenance_mut(PROVERS.keep(key))
}

/// # Safety
/// Unless null, the key is `size` bytes that stay as they are while what is returned lives.
unsafe fn of_buffer(buffer: *const c_void, size: c_ulonglong) -> Result<AnyKey, Refusal> {
    // SAFETY: this function's contract; `'static` stands for the life of the prover.
    let key: &'static [u8] = unsafe { bytes(buffer, size, "zkey buffer") }.map_err(refusal)?;
    let key = KeyBytes::of(FileBytes::from_static(key), Path::new("zkey buffer"));
    key.and_then(KeyBytes::open).map_err(failed)
}

/// # Safety
/// Unless null, `path` is a text.
unsafe fn of_file(path: *const c_char) -> Result<AnyKey, Refusal> {
    // SAFETY: this function's contract.
    let path = unsafe { text(path, "zkey file path") }.map_err(refusal)?;
    let path = path
        .to_str()
        .map_err(|_| refusal("zkey file path: not UTF-8".into()))?;
    AnyKey::open(Path::new(path)).map_err(failed)
}

fn public_size_of(key: &AnyKey) -> Result<c_ulonglong, Refusal> {
    let size = (key.n_public() as c_ulonglong).checked_mul(SIGNAL_SIZE);
    size.and_then(|size| size.checked_add(4))
        .ok_or_else(|| refusal("too many signals".into()))
}

/// Where a proof and its public signals go.
///
/// # Safety
/// As [`Room::new`], for both.
unsafe fn rooms<'a>(
    [proof, public]: [*mut c_char; 2],
    [proof_size, public_size]: [*mut c_ulonglong; 2],
) -> Result<[Room<'a>; 2], Refusal> {
    // SAFETY: this function's contract.
    let rooms = unsafe {
        [
            Room::new(proof, proof_size, "proof"),
            Room::new(public, public_size, "public"),
        ]
    };
    let [proof, public] = rooms.map(|room| room.map_err(refusal));
    Ok([proof?, public?])
}

/// Proves, and writes both texts or the sizes that they need.
fn give(key: &AnyKey, witness: &[u8], rooms: [Room<'_>; 2]) -> Result<c_int, Refusal> {
    let form = compact;
    let mut texts = Texts { rooms, form };
    let name = Path::new("witness buffer");
    let witness = AnyWitness::of(witness, key.curve(), name).map_err(failed)?;
    if witness.n_wires() != key.n_wires() {
        return Err(Refusal {
            code: INVALID_WITNESS_LENGTH,
            words: format!(
                "Invalid witness length. Circuit: {}, witness: {}",
                key.n_wires(),
                witness.n_wires()
            ),
        });
    }
    if !texts.may_fit(key, &witness) {
        return Err(short());
    }
    let request = Request {
        zero_knowledge: true,
        verify: true,
        check: false,
        max_memory: None,
        spill: None,
        witness_from: name,
    };
    let proved = prove(key, &witness, &request, &Silent).map_err(failed)?;
    match texts.write(key, [&proved.proof, &proved.public]) {
        true => Ok(OK),
        false => Err(short()),
    }
}

/// JSON without blanks, its names in order, as rapidsnark writes it.
fn compact(json: &str) -> String {
    let value = serde_json::from_str(json);
    value.map_or_else(
        |_| json.to_owned(),
        |value: serde_json::Value| value.to_string(),
    )
}

fn short() -> Refusal {
    Refusal {
        code: SHORT_BUFFER,
        words: "a buffer is too short; both sizes are now those needed".into(),
    }
}

fn refusal(words: String) -> Refusal {
    Refusal { code: ERROR, words }
}

fn failed(failure: Failure) -> Refusal {
    refusal(failure.message())
}

/// rapidsnark's size for a proof: 8 coordinates of at most 77 digits, the names, and a margin.
const PROOF_SIZE: c_ulonglong = 810;

/// rapidsnark's size for a public signal: 77 digits with their quotes and comma, and a margin.
const SIGNAL_SIZE: c_ulonglong = 82;
