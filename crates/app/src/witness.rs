//! A witness of either curve, from a file or from a generator.
//!
//! Generators run in a process of their own ([`isolated`]), whose limits hold while it compiles, too. The front end
//! gives the program; it runs [`serve_child`] and nothing else.

use std::io;
use std::path::Path;
use std::process::Command;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_mapping::FileBytes;
use frumious_witness::Limits;
use frumious_witness::isolated::{self, Blame, Refusal, Running};

use crate::curve::{Bls12_381, Bn254};
use crate::failure::{About, Failure};
use crate::files;
use crate::observer::Observer;

/// The values of all wires.
pub enum AnyWitness {
    /// Over BN254.
    Bn254(Wtns<Bn254>),
    /// Over BLS12-381.
    Bls12_381(Wtns<Bls12_381>),
}

impl AnyWitness {
    /// Maps and checks the witness at `path`, over the curve of the key.
    ///
    /// # Errors
    /// [`Failure::BadInput`] with the place of the first fault.
    pub fn open(path: &Path, curve: PairingCurve) -> Result<Self, Failure> {
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(Wtns::open(path).about(path)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(Wtns::open(path).about(path)?),
        })
    }

    /// The curve.
    pub fn curve(&self) -> PairingCurve {
        match self {
            Self::Bn254(_) => PairingCurve::Bn254,
            Self::Bls12_381(_) => PairingCurve::Bls12_381,
        }
    }

    /// Number of values.
    pub fn n_wires(&self) -> usize {
        match self {
            Self::Bn254(witness) => witness.len(),
            Self::Bls12_381(witness) => witness.len(),
        }
    }

    /// Makes sure that any later change of the file is noticed, if there is one: [`FileBytes::settle`].
    pub fn settle(&self) {
        let mapped = match self {
            Self::Bn254(witness) => witness.mapped(),
            Self::Bls12_381(witness) => witness.mapped(),
        };
        if let Some(file) = mapped {
            file.settle();
        }
    }

    /// Writes a `.wtns` file.
    ///
    /// # Errors
    /// [`Failure::BadInput`] when `out` fails.
    pub fn write(&self, out: impl io::Write) -> Result<(), Failure> {
        Ok(match self {
            Self::Bn254(witness) => witness.write(out),
            Self::Bls12_381(witness) => witness.write(out),
        }?)
    }
}

/// A witness generator with its inputs.
pub struct Generator<'a> {
    /// The module that circom wrote.
    pub wasm: &'a Path,
    /// The inputs, as JSON.
    pub input: &'a Path,
    /// Bounds on the module.
    pub limits: Limits,
    /// Show the lines that the circuit logs.
    pub log: bool,
}

impl Generator<'_> {
    /// Number of phases that [`Generator::compile`] and [`Compiled::run`] begin.
    pub const STEPS: usize = 2;

    /// Reads the inputs, and has the module compiled by `child`: a program that runs [`serve_child`] at once.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for files that cannot be read, a child that cannot be started, and a bad module.
    pub fn compile(
        &self,
        child: Command,
        observer: &dyn Observer,
    ) -> Result<Compiled<'_>, Failure> {
        observer.begin("compile generator");
        let inputs = files::read_secret(self.input)?;
        let module = FileBytes::read(self.wasm).about(self.wasm)?;
        let running = Running::start(child, &module, &inputs, self.limits, self.log)
            .map_err(|refusal| self.failure(refusal))?;
        Ok(Compiled {
            generator: self,
            running,
        })
    }

    fn failure(&self, refusal: Refusal) -> Failure {
        let (path, failure) = match refusal.blame {
            Blame::Inputs => (self.input, Failure::BadInput(refusal.message)),
            Blame::Unsatisfied => (self.input, Failure::Rejected(refusal.message)),
            Blame::Module => (self.wasm, Failure::BadInput(refusal.message)),
        };
        failure.about(path)
    }
}

/// A witness generator that is ready to run.
pub struct Compiled<'a> {
    generator: &'a Generator<'a>,
    running: Running,
}

impl Compiled<'_> {
    /// The curve that the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        self.running.curve()
    }

    /// Refuses a module that is over another curve than the key, before it calculates anything.
    ///
    /// # Errors
    /// [`Failure::BadInput`] if it is.
    pub fn expect_curve(&self, expected: PairingCurve) -> Result<(), Failure> {
        match self.curve() {
            curve if curve == expected => Ok(()),
            curve => Err(Failure::BadInput(format!(
                "{}: its prime is {curve}'s, not {expected}'s",
                self.generator.wasm.display()
            ))),
        }
    }

    /// Waits for the witness.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for inputs that do not satisfy the circuit; [`Failure::BadInput`] for bad inputs and a bad
    /// module.
    pub fn run(self, observer: &dyn Observer) -> Result<AnyWitness, Failure> {
        Ok(match self.curve() {
            PairingCurve::Bn254 => AnyWitness::Bn254(self.run_over(observer)?),
            PairingCurve::Bls12_381 => AnyWitness::Bls12_381(self.run_over(observer)?),
        })
    }

    fn run_over<E: PairingEngine>(self, observer: &dyn Observer) -> Result<Wtns<E>, Failure> {
        observer.begin("witness");
        let log = |line: &str| observer.warning(&format!("log: {line}"));
        let generator = self.generator;
        let witness = self.running.finish(log);
        witness.map_err(|refusal| generator.failure(refusal))
    }
}

/// Calculates a witness for the parent process, over stdin and stdout.
///
/// # Errors
/// A pipe that is broken.
pub fn serve_child() -> io::Result<()> {
    crate::secrecy::keep_from_others();
    isolated::serve(io::stdin().lock(), io::stdout())
}
