//! Proofs and witnesses.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;

use frumious_app::failure::Failure;
use frumious_app::generating::{Generating, Recorded};
use frumious_app::key::AnyKey;
use frumious_app::observer::Observer;
use frumious_app::prove::{Request, prove};
use frumious_app::witness::{AnyWitness, CHILD};
use zeroize::Zeroizing;

use super::tasks::{self, Task};
use super::{INTERNAL, OK, SHORT_BUFFER, argument, keys};
use crate::buffers::{Refusal, Room, answer, bytes, text};
use crate::texts::Texts;

/// Proves from a witness.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_prove(
    key: usize,
    witness: *const c_void,
    witness_size: u64,
    task: *const Task,
    proof: *mut c_char,
    proof_size: *mut u64,
    public_signals: *mut c_char,
    public_size: *mut u64,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let key = keys::key(key)?;
            let witness = bytes(witness, witness_size, "witness").map_err(argument)?;
            let rooms = rooms([proof, public_signals], [proof_size, public_size])?;
            tasks::run(task, |observer, max_memory| {
                let witness = AnyWitness::of(witness, key.curve(), Path::new("witness"))?;
                give(&key, &witness, rooms, max_memory, observer)
            })?
        })
    }
}

/// Computes a witness, which is never written, and proves.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_prove_inputs(
    key: usize,
    generator: *const c_char,
    inputs: *const c_char,
    program: *const c_char,
    task: *const Task,
    proof: *mut c_char,
    proof_size: *mut u64,
    public_signals: *mut c_char,
    public_size: *mut u64,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let key = keys::key(key)?;
            let generator = Generator::new(generator, inputs, program, task)?;
            let rooms = rooms([proof, public_signals], [proof_size, public_size])?;
            tasks::run(task, |observer, max_memory| {
                let witness = generator.run(observer)?;
                give(&key, &witness, rooms, max_memory, observer)
            })?
        })
    }
}

/// Computes a witness, as a `.wtns` file.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_witness(
    generator: *const c_char,
    inputs: *const c_char,
    program: *const c_char,
    task: *const Task,
    witness: *mut c_void,
    witness_size: *mut u64,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            let generator = Generator::new(generator, inputs, program, task)?;
            let mut room = Room::new(witness.cast(), witness_size, "witness").map_err(argument)?;
            let file = tasks::run(task, |observer, _| {
                let mut file = Zeroizing::new(Vec::new());
                generator.run(observer)?.write(&mut *file)?;
                Ok(file)
            })?;
            match room.write_bytes(&file) {
                true => Ok(OK),
                false => Err(short()),
            }
        })
    }
}

/// A witness generator with its inputs, as the caller has them.
struct Generator<'a> {
    path: &'a Path,
    inputs: &'a CStr,
    program: &'a Path,
    recorded: Recorded,
}

impl<'a> Generator<'a> {
    /// # Safety
    /// Unless null, each is a text that nobody changes while `'a` lasts.
    unsafe fn new(
        generator: *const c_char,
        inputs: *const c_char,
        program: *const c_char,
        task: *const Task,
    ) -> Result<Self, Refusal> {
        // SAFETY: this function's contract.
        let read = |pointer, name: &str| unsafe { text(pointer, name) }.map_err(argument);
        let path = |pointer, name: &str| {
            let text: Result<&'a str, _> = read(pointer, name)?.to_str();
            text.map(Path::new)
                .map_err(|_| argument(format!("{name}: not UTF-8")))
        };
        Ok(Self {
            path: path(generator, "generator")?,
            inputs: read(inputs, "inputs")?,
            program: path(program, "program")?,
            // SAFETY: this function's contract.
            recorded: match unsafe { tasks::cache(task) }? {
                Some(folder) => Recorded::In(Some(folder)),
                None => Recorded::No,
            },
        })
    }

    fn run(self, observer: &dyn Observer) -> Result<AnyWitness, Failure> {
        let generating = Generating {
            generator: self.path.to_owned(),
            inputs: Zeroizing::new(self.inputs.to_bytes().to_vec()),
            child: vec![self.program.into(), CHILD.into()],
            recorded: self.recorded,
            max_memory: None,
            max_seconds: None,
        };
        generating.calculate(observer)
    }
}

/// Proves, and writes both texts or the sizes that they need.
fn give(
    key: &AnyKey,
    witness: &AnyWitness,
    rooms: [Room<'_>; 2],
    max_memory: Option<u64>,
    observer: &dyn Observer,
) -> Result<Result<c_int, Refusal>, Failure> {
    let form = str::to_owned;
    let mut texts = Texts { rooms, form };
    if !texts.may_fit(key, witness) {
        return Ok(Err(short()));
    }
    let request = Request {
        zero_knowledge: true,
        verify: true,
        check: false,
        max_memory,
        spill: None,
        witness_from: Path::new("witness"),
    };
    let proved = prove(key, witness, &request, observer)?;
    Ok(match texts.write(key, [&proved.proof, &proved.public]) {
        true => Ok(OK),
        false => Err(short()),
    })
}

/// # Safety
/// As [`Room::new`], for both.
unsafe fn rooms<'a>(
    [proof, public]: [*mut c_char; 2],
    [proof_size, public_size]: [*mut u64; 2],
) -> Result<[Room<'a>; 2], Refusal> {
    // SAFETY: this function's contract.
    unsafe {
        Ok([
            Room::new(proof, proof_size, "proof").map_err(argument)?,
            Room::new(public, public_size, "public signals").map_err(argument)?,
        ])
    }
}

fn short() -> Refusal {
    Refusal {
        code: SHORT_BUFFER,
        words: "a buffer is too short; the sizes are now those needed".into(),
    }
}
