//! The functions of the C library with any bytes, and buffers of any size. Each buffer is exactly as large as the
//! function is told, so AddressSanitizer sees an access beside it. Functions that read files or start programs are left
//! out.
//!
//! An input begins with a function's number. Two sizes of buffers and two lengths follow, 16 bits each, the least
//! significant byte first. Then come three parts, of which two have those lengths.
#![no_main]

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null;

use frumious_c as _; // the functions below

unsafe extern "C" {
    fn groth16_prover(
        zkey: *const c_void,
        zkey_size: u64,
        witness: *const c_void,
        witness_size: u64,
        proof: *mut c_char,
        proof_size: *mut u64,
        public: *mut c_char,
        public_size: *mut u64,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn groth16_verify(
        proof: *const c_char,
        inputs: *const c_char,
        key: *const c_char,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn groth16_public_size_for_zkey_buf(
        zkey: *const c_void,
        zkey_size: u64,
        public_size: *mut u64,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn frumious_key_open_memory(
        key: *mut usize,
        content: *const c_void,
        content_size: u64,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn frumious_prove(
        key: usize,
        witness: *const c_void,
        witness_size: u64,
        task: *const c_void,
        proof: *mut c_char,
        proof_size: *mut u64,
        public: *mut c_char,
        public_size: *mut u64,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn frumious_key_close(key: usize);
    fn frumious_msm_vartime(
        group: c_int,
        points: *const c_void,
        points_size: u64,
        scalars: *const c_void,
        scalars_size: u64,
        task: *const c_void,
        out: *mut c_void,
        out_size: u64,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn frumious_fft(
        field: c_int,
        inverse: c_int,
        values: *mut c_void,
        values_size: u64,
        task: *const c_void,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn frumious_verkle_commit(
        values: *const c_void,
        values_size: u64,
        commitment: *mut c_void,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
    fn frumious_verkle_verify(
        label: *const c_char,
        commitments: *const c_void,
        values: *const c_void,
        places: *const c_void,
        count: u64,
        proof: *const c_void,
        message: *mut c_char,
        message_size: u64,
    ) -> c_int;
}

/// The codes that functions of `frumious.h` may give: all but a fault of the library.
fn is_known(code: c_int) -> bool {
    (0..=16).contains(&code) || code == 100 || code == 101
}

/// A buffer with its size, as C has it.
struct Buffer(Vec<u8>, u64);

impl Buffer {
    fn new(size: u16) -> Self {
        Self(vec![0xa5; size.into()], size.into())
    }

    fn at(&mut self) -> *mut c_char {
        self.0.as_mut_ptr().cast()
    }

    /// The text is within the buffer, with a zero behind it.
    fn holds_text(&self) -> bool {
        (self.1 as usize) < self.0.len() && self.0[self.1 as usize] == 0
    }
}

/// Bytes with a zero behind them.
fn text(part: &[u8]) -> Vec<u8> {
    [part, &[0]].concat()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&[function, a, b, c, d, e, f, g, h], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let [first, second, length, middle] = [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes);
    let (one, rest) = rest.split_at(rest.len().min(length.into()));
    let (two, three) = rest.split_at(rest.len().min(middle.into()));
    let (one, two, three) = (one.to_vec(), two.to_vec(), three.to_vec());
    let (mut proof, mut public) = (Buffer::new(first % 4096), Buffer::new(second % 4096));
    let mut message = Buffer::new(first % 300);
    let (said, said_size) = (message.at(), message.1);
    let [at_one, at_two] = [&one, &two].map(|part| part.as_ptr().cast::<c_void>());
    let [size_one, size_two] = [&one, &two].map(|part| part.len() as u64);
    // SAFETY: every pointer is to as many bytes as the function is told, or to a text with a zero behind it. They live
    // until the call ends, and those of a key until it is closed.
    unsafe {
        match function % 8 {
            0 => {
                let (to_proof, to_public) = (proof.at(), public.at());
                let code = groth16_prover(
                    at_one,
                    size_one,
                    at_two,
                    size_two,
                    to_proof,
                    &mut proof.1,
                    to_public,
                    &mut public.1,
                    said,
                    said_size,
                );
                assert!((0..=3).contains(&code));
                assert!(code != 0 || proof.holds_text() && public.holds_text());
            }
            1 => {
                let [proof, inputs, key] = [&one, &two, &three].map(|part| text(part));
                let [proof, inputs, key] = [&proof, &inputs, &key].map(|text| text.as_ptr().cast());
                let code = groth16_verify(proof, inputs, key, said, said_size);
                assert!((0..=2).contains(&code));
            }
            2 => {
                let mut size = 0;
                let code =
                    groth16_public_size_for_zkey_buf(at_one, size_one, &mut size, said, said_size);
                assert!((0..=1).contains(&code));
            }
            3 => {
                let mut key = 0;
                let code = frumious_key_open_memory(&mut key, at_one, size_one, said, said_size);
                assert!(is_known(code));
                if code == 0 {
                    let (to_proof, to_public) = (proof.at(), public.at());
                    let code = frumious_prove(
                        key,
                        at_two,
                        size_two,
                        null(),
                        to_proof,
                        &mut proof.1,
                        to_public,
                        &mut public.1,
                        said,
                        said_size,
                    );
                    assert!(is_known(code));
                    assert!(code != 0 || proof.holds_text() && public.holds_text());
                    frumious_key_close(key);
                }
            }
            4 => {
                let (out, out_size) = (proof.at().cast(), proof.1);
                let group = c_int::from(second as i8 % 6);
                let code = frumious_msm_vartime(
                    group,
                    at_one,
                    size_one,
                    at_two,
                    size_two,
                    null(),
                    out,
                    out_size,
                    said,
                    said_size,
                );
                assert!(is_known(code));
            }
            5 => {
                let mut values = one.clone();
                let at = values.as_mut_ptr().cast();
                let field = c_int::from(second as i8 % 4);
                let inverse = c_int::from(second & 128 != 0);
                let code = frumious_fft(field, inverse, at, size_one, null(), said, said_size);
                assert!(is_known(code));
            }
            6 => {
                let mut commitment = [0_u8; 32];
                let to = commitment.as_mut_ptr().cast();
                assert!(is_known(frumious_verkle_commit(
                    at_one, size_one, to, said, said_size
                )));
            }
            _ => {
                // As many openings as there are bytes for; the proof's bytes are filled up.
                let count = one.len() / 65;
                let (commitments, others) = one.split_at(32 * count);
                let (values, places) = others.split_at(32 * count);
                let mut proof = two.clone();
                proof.resize(576, 0);
                let [commitments, values, places] =
                    [commitments, values, &places[..count]].map(|part| part.to_vec());
                let label = text(&three);
                let code = frumious_verkle_verify(
                    label.as_ptr().cast(),
                    commitments.as_ptr().cast(),
                    values.as_ptr().cast(),
                    places.as_ptr().cast(),
                    count as u64,
                    proof.as_ptr().cast(),
                    said,
                    said_size,
                );
                assert!(is_known(code));
            }
        }
    }
});
