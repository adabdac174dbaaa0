//! circom's C++ programs: `circuit`, with `circuit.dat` beside it.
//!
//! Such a program is native code. It runs in a process of its own, without a shell and an environment, in a `sandbox`.
//! There it may read system libraries and its own two files, and nothing else. Inputs and witness go through memory
//! (`memfd`), and never through a disk.
//!
//! ```text
//! this process ──inputs──▶ memfd = fd 0 ──▶ circuit /proc/self/fd/0 /proc/self/fd/0
//!              ◀─witness── the same     ◀──    reads its inputs, then writes its witness in their place
//!              ◀─ pipes ── fd 1, fd 2   ◀──    log(), assertions
//! ```
//!
//! The inputs are read and checked here, and handed on as plain decimal numbers below the prime. So they mean the same
//! as for a module, which circom's own reader of JSON does not promise (it reads numbers as floating point).
//!
//! Source: `main.cpp` and `calcwit.cpp` as circom 2.2 writes them.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod inputs;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod process;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod said;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod sandbox;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine, bls12_381, bn254};
use frumious_tape::TapeField;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use crate::error::Error;
use crate::host::Limits;
use crate::isolated::{Refusal, module_refusal};

/// A witness generator that circom wrote as C++ and somebody has compiled.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    curve: PairingCurve,
}

impl Program {
    /// True if the bytes begin as a program of Linux does (ELF).
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(b"\x7fELF")
    }

    /// The program at `path`, whose bytes are `bytes`. Nothing of it runs.
    ///
    /// # Errors
    /// A [`Refusal`] for a program with neither curve's prime, or with both; for one without its `.dat`. On another
    /// system than Linux on x86-64, for every program.
    pub fn open(path: &Path, bytes: &[u8]) -> Result<Self, Refusal> {
        let refused = |problem: String| Err(module_refusal(problem));
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return refused("circom's C++ programs run on Linux on x86-64 only".into());
        }
        let curves = [
            has_prime::<bn254::Fr>(bytes).then_some(PairingCurve::Bn254),
            has_prime::<bls12_381::Fr>(bytes).then_some(PairingCurve::Bls12_381),
        ];
        let ([Some(curve), None] | [None, Some(curve)]) = curves else {
            return refused(
                "not a program that circom wrote: it has not one prime of BN254 or BLS12-381"
                    .into(),
            );
        };
        let path = match path.canonicalize() {
            Ok(path) => path,
            Err(error) => return refused(format!("cannot be found again: {error}")),
        };
        let program = Self { path, curve };
        let data = program.data();
        match data.is_file() {
            true => Ok(program),
            false => refused(format!(
                "the program needs {}, which circom wrote with it",
                data.display()
            )),
        }
    }

    /// The curve whose scalar field the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// The file that the program reads beside itself.
    fn data(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".dat");
        name.into()
    }

    /// Runs the program on `inputs`, the text of `input.json`. `stage` is a command that calls [`become_program`] with
    /// the arguments it is given. `log` is called with the lines of the circuit's `log()`, which may tell secrets.
    ///
    /// # Errors
    /// A [`Refusal`] for inputs that are no numbers or not the circuit's, or do not satisfy it. For a program that
    /// needs more than its limits, crashes, or writes something else than a witness over the curve of `E`.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub fn calculate<E: PairingEngine>(
        &self,
        stage: Command,
        inputs: &[u8],
        limits: Limits,
        mut log: impl FnMut(&str),
    ) -> Result<Wtns<E>, Refusal> {
        if self.curve != E::CURVE {
            let problem = format!("its prime is {}'s, not {}'s", self.curve, E::CURVE);
            return Err(Error::Interface { problem }.into());
        }
        let given = inputs::Given::read::<E::Fr>(inputs)?;
        let ended = process::run(&self.path, stage, &given.json, limits)?;
        for line in said::log_lines(&ended.stdout) {
            log(line);
        }
        if !ended.status.success() {
            return Err(said::reason(&ended, &given, limits));
        }
        Wtns::from_bytes(&ended.witness).map_err(|error| Error::Result(error).into())
    }

    /// As there is no way to run it here, [`Program::open`] has refused it.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    pub fn calculate<E: PairingEngine>(
        &self,
        _stage: Command,
        _inputs: &[u8],
        _limits: Limits,
        _log: impl FnMut(&str),
    ) -> Result<Wtns<E>, Refusal> {
        Err(module_refusal(
            "circom's C++ programs run on Linux on x86-64 only".into(),
        ))
    }
}

/// Shuts this process into the sandbox and becomes the program, if the arguments are those that [`Program::calculate`]
/// gives its `stage`; none otherwise. To be called at once by a process that was started for it.
///
/// The outer none means that the arguments are others; what it returns is the reason why there is no program.
pub fn become_program(arguments: impl Iterator<Item = OsString>) -> Option<io::Error> {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    return sandbox::become_program(arguments);
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    {
        drop(arguments);
        None
    }
}

/// True if the prime is there as words, as circom's arithmetic has it.
fn has_prime<F: TapeField>(bytes: &[u8]) -> bool {
    let words = F::MODULUS_64.p.iter();
    let prime: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    bytes.windows(prime.len()).any(|window| window == prime)
}
