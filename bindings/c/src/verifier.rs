//! `include/verifier.h`.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{c_char, c_int, c_ulong};
use std::path::Path;

use frumious_app::contribution;
use frumious_app::failure::Failure;
use frumious_app::observer::Silent;
use frumious_app::verify::verify_bytes;
use frumious_mapping::FileBytes;

use crate::buffers::{Refusal, answer, text};

const VALID: c_int = 0;
const INVALID: c_int = 1;
const ERROR: c_int = 2;

/// Verifies a proof, all JSON.
///
/// # Safety
/// Each pointer is null or as `include/verifier.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn groth16_verify(
    proof: *const c_char,
    inputs: *const c_char,
    verification_key: *const c_char,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let verify = || {
        // SAFETY: texts, or null, by this function's contract.
        let read = |pointer, name: &'static str| unsafe {
            let text = text(pointer, name).map_err(refusal)?;
            let bytes = FileBytes::from(text.to_bytes().to_vec());
            Ok::<_, Refusal>((bytes, Path::new(name)))
        };
        let proof = read(proof, "proof")?;
        let inputs = read(inputs, "inputs")?;
        let (key, name) = read(verification_key, "verification_key")?;
        let allowed =
            std::env::var_os("FRUMIOUS_ALLOW_UNCONTRIBUTED").is_some_and(|set| set == "1");
        let how = "set FRUMIOUS_ALLOW_UNCONTRIBUTED=1 in a test";
        let accept = |missing| contribution::refuse(missing, name, allowed, how, &Silent);
        let verdict = verify_bytes((key, name), || Ok(inputs), || Ok(proof), accept);
        match verdict
            .map_err(|failure: Failure| refusal(failure.message()))?
            .valid
        {
            true => Ok(VALID),
            false => Ok(INVALID),
        }
    };
    #[allow(clippy::useless_conversion)] // `unsigned long` has 32 bits on some systems
    let size = error_msg_maxsize.into();
    // SAFETY: `error_msg` is null or has that many bytes, by this function's contract.
    unsafe { answer(ERROR, error_msg, size, verify) }
}

fn refusal(words: String) -> Refusal {
    Refusal { code: ERROR, words }
}
