//! Proving keys, made of a circuit's file.

mod seed;
mod target;

use std::path::{Path, PathBuf};

use frumious_circom::Error::Malformed;
use frumious_circom::FileKind;
use frumious_circom::generic::R1cs;
use frumious_groth16::{
    Error, ProvingEngine, SetupOptions, SetupPhase, SetupPlan, Uncontributed, plan_ceremony,
    plan_dev, seed_digest,
};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::Ptau;
use frumious_snarkjs::groth16::{self, KeyOutput, setup_dev, setup_dev_from_seed};
use zeroize::Zeroizing;

use crate::curve;
use crate::failure::{About, Failure, file_of};
use crate::files::streams;
use crate::limits::Allowance;
use crate::observer::Observer;
use crate::over_curve;
use crate::partial::digest_of;
use crate::quantities::{bytes, limit};
use target::Target;

/// A key to be made.
pub struct Request<'a> {
    /// The circuit.
    pub r1cs: &'a Path,
    /// Where the secrets behind the key come from.
    pub source: Source<'a>,
    /// The key: a `.zkey`, or an `.fkey` by its name.
    pub key: &'a Path,
    /// Private memory that the setup may take, in bytes.
    pub max_memory: Option<u64>,
}

/// Where the secrets behind a key come from.
pub enum Source<'a> {
    /// The powers of tau at this path: nobody knows them, if one participant of the ceremony was honest.
    Ceremony(&'a Path),
    /// Whoever has the seed. Unsafe.
    Seed(Seed),
    /// This process. Unsafe.
    Drawn,
}

/// The seed of a development key. Wiped when it is dropped.
pub struct Seed(Zeroizing<Vec<u8>>);

impl Seed {
    /// Reads the seed at `path`.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for a file that cannot be read, or of another length than a seed may have.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        seed::read(path).map(Self)
    }
}

/// A key that was made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// The memory and the passes that were planned.
    pub plan: SetupPlan,
    /// Bytes of the key that an interrupted setup had left.
    pub resumed_bytes: u64,
    /// The phase of the ceremony that nobody contributed to; none for a development key, whose secrets one process
    /// knew.
    pub missing: Option<Uncontributed>,
    /// True if it is an `.fkey`.
    pub is_fkey: bool,
    /// Number of constraints.
    pub n_constraints: u32,
    /// Number of wires.
    pub n_wires: u32,
    /// Number of public signals.
    pub n_public: u32,
}

impl Request<'_> {
    /// The phases of the setup and their shares of its time.
    pub fn phases(&self) -> &'static [(&'static str, f64)] {
        match self.source {
            Source::Ceremony(_) => CEREMONY,
            Source::Seed(_) | Source::Drawn => DEVELOPMENT,
        }
    }
}

/// Makes a key. Warns that it is unsafe, or unfinished.
///
/// An interrupted setup from a ceremony or from a seed goes on where it was.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn setup(request: &Request<'_>, observer: &dyn Observer) -> Result<Made, Failure> {
    match request.source {
        Source::Ceremony(_) => (),
        Source::Seed(_) => observer.warning(UNSAFE_SEED),
        Source::Drawn => observer.warning(UNSAFE),
    }
    let r1cs = request.r1cs;
    let circuit = streams::map(r1cs)?;
    circuit.settle();
    over_curve!(curve::of(FileKind::R1cs, &circuit, r1cs)?, E => {
        over::<E>(circuit, request, observer)
    })
}

fn over<E: ProvingEngine>(
    file: FileBytes,
    request: &Request<'_>,
    observer: &dyn Observer,
) -> Result<Made, Failure> {
    let Request { r1cs, key, .. } = *request;
    observer.begin(READ);
    let circuit = R1cs::<E>::from_bytes(file.clone()).about(r1cs)?;
    if circuit.n_constraints() == 0 {
        observer.warning(&format!(
            "warning: {}: it has no constraint, so any witness satisfies it and a proof says nothing",
            r1cs.display()
        ));
    }
    let within = |phase: SetupPhase, done: f64| observer.within(phase.name(), done);
    let allowance = Allowance::of(request.max_memory, observer);
    let options = SetupOptions {
        max_memory: allowance.limit,
        observer: Some(&within),
    };
    let target = Target {
        path: key,
        observer,
    };
    let (plan, resumed_bytes, missing) = match &request.source {
        Source::Ceremony(path) => from_ceremony(
            &circuit, &file, path, request, &options, &allowance, &target,
        )?,
        Source::Seed(Seed(seed)) => {
            let plan = plan_dev::<E>(&circuit, options.max_memory)
                .map_err(|error| refused(error, &allowance))
                .about(r1cs)?;
            announce(&plan, observer);
            let make = |out: &mut dyn KeyOutput| {
                let made = setup_dev_from_seed(&circuit, seed, out, &options);
                let about = blamed(&made, r1cs, key);
                made.about(about)
            };
            let inputs = || digest_of(&[b"seed", &file, &seed_digest(seed)]);
            (plan, target.resumable::<E>(inputs, make)?, None)
        }
        Source::Drawn => {
            let plan = plan_dev::<E>(&circuit, options.max_memory)
                .map_err(|error| refused(error, &allowance))
                .about(r1cs)?;
            announce(&plan, observer);
            target.once::<E>(|out| {
                let made = setup_dev(&circuit, out, &options);
                let about = blamed(&made, r1cs, key);
                made.about(about)
            })?;
            (plan, 0, None)
        }
    };
    crate::contribution::warn(missing, key, observer);
    Ok(Made {
        plan,
        resumed_bytes,
        missing,
        is_fkey: target.is_fkey(),
        n_constraints: circuit.n_constraints(),
        n_wires: circuit.n_wires(),
        n_public: circuit.n_public(),
    })
}

fn from_ceremony<E: ProvingEngine>(
    circuit: &R1cs<E>,
    file: &FileBytes,
    path: &Path,
    request: &Request<'_>,
    options: &SetupOptions<'_>,
    allowance: &Allowance,
    target: &Target<'_>,
) -> Result<(SetupPlan, u64, Option<Uncontributed>), Failure> {
    let Request { r1cs, key, .. } = *request;
    let observer = target.observer;
    let powers = streams::map(path)?;
    powers.settle();
    let ptau = Ptau::<E>::from_bytes(powers)
        .map_err(|error| error.in_file(path))
        .about(path)?;
    let plan = plan_ceremony::<E>(circuit, options.max_memory)
        .map_err(|error| refused(error, allowance))
        .about(r1cs)?;
    announce(&plan, observer);
    let make = |out: &mut dyn KeyOutput| {
        let made = groth16::setup(circuit, &ptau, out, options);
        about_ceremony(made, r1cs, path, key)
    };
    let inputs = || digest_of(&[file, ptau.bytes()]);
    let missing = match ptau.lacks_contribution().about(path)? {
        true => Uncontributed::PowersOfTau,
        false => Uncontributed::Key,
    };
    let resumed = target.resumable::<E>(inputs, make)?;
    Ok((plan, resumed, Some(missing)))
}

/// The outcome of a setup from a ceremony, its error with the file that is at fault.
pub(crate) fn about_ceremony(
    made: Result<(), Error>,
    r1cs: &Path,
    powers: &Path,
    key: &Path,
) -> Result<(), Failure> {
    let changed = changed(&made);
    let about = match &made {
        Err(_) if changed.is_some() => changed.as_deref().unwrap_or(r1cs),
        Err(error) if is_of_powers(error) => powers,
        // The powers of tau are too few: their fault, not the circuit's.
        Err(Error::CircuitTooLarge { .. }) => powers,
        _ => blamed(&made, r1cs, key),
    };
    made.about(about)
}

/// The file that was changed while it was in use, if that is the error.
fn changed(made: &Result<(), Error>) -> Option<PathBuf> {
    made.as_ref().err().and_then(file_of).map(Path::to_path_buf)
}

fn announce(plan: &SetupPlan, observer: &dyn Observer) {
    observer.note(&format!(
        "memory: at most {} beside the program and mapped files; {} {} over the constraints",
        bytes(plan.memory),
        plan.passes,
        if plan.passes == 1 { "pass" } else { "passes" },
    ));
}

/// A plan that was refused, with the limit that would do.
pub fn refused(error: Error, allowance: &Allowance) -> Failure {
    match error {
        Error::MemoryLimit { needed, .. } => {
            if let Some(failure) = allowance.refusal(needed) {
                return failure;
            }
            let hint = format!("Give --max-memory {}.", limit(needed));
            Failure::from(error).hinting(&hint)
        }
        other => other.into(),
    }
}

/// True if the powers of tau are malformed.
fn is_of_powers(error: &Error) -> bool {
    let format = error.source_as::<frumious_circom::Error>();
    matches!(format, Some(Malformed { file, .. }) if *file == FileKind::Ptau)
}

/// The file that an error of a setup is about, if it is none of the ceremony.
fn blamed<'a>(made: &Result<(), Error>, r1cs: &'a Path, key: &'a Path) -> &'a Path {
    let format = made.as_ref().err().and_then(|error| error.source_as());
    match format {
        Some(frumious_circom::Error::Write { .. }) => key,
        _ => r1cs,
    }
}

const READ: &str = "read circuit";
const HASH: &str = "hash inputs";
const WRITE: &str = "write";

/// Phases and their shares of the time, in percent, for the estimate of the time left. They are those of 4 million
/// constraints (`peers/record/2026-11-22-rollup.md`); reading and writing are guessed.
const DEVELOPMENT: &[(&str, f64)] = &[
    (READ, 2.0),
    (HASH, 1.0),
    (SetupPhase::Columns.name(), 10.0),
    (SetupPhase::PointsIc.name(), 0.0),
    (SetupPhase::Coefficients.name(), 8.0),
    (SetupPhase::PointsA.name(), 13.0),
    (SetupPhase::PointsB1.name(), 11.0),
    (SetupPhase::PointsB2.name(), 25.0),
    (SetupPhase::PointsC.name(), 13.0),
    (SetupPhase::PointsH.name(), 17.0),
    (WRITE, 1.0),
];

/// The same with a ceremony, guessed.
const CEREMONY: &[(&str, f64)] = &[
    (READ, 1.0),
    (HASH, 2.0),
    (SetupPhase::Check.name(), 40.0),
    (SetupPhase::Columns.name(), 1.0),
    (SetupPhase::PointsIc.name(), 1.0),
    (SetupPhase::Coefficients.name(), 1.0),
    (SetupPhase::PointsA.name(), 6.0),
    (SetupPhase::PointsB1.name(), 6.0),
    (SetupPhase::PointsB2.name(), 14.0),
    (SetupPhase::PointsC.name(), 18.0),
    (SetupPhase::PointsH.name(), 5.0),
    (SetupPhase::Hash.name(), 4.0),
    (WRITE, 1.0),
];

const UNSAFE: &str = "\
warning: UNSAFE KEY: --dev draws the key's secrets on this machine. Whoever sees them can forge proofs.
warning: For tests and development only; a key for use needs the powers of tau of a ceremony.";

const UNSAFE_SEED: &str = "\
warning: UNSAFE KEY: --dev --seed computes the key's secrets from the seed. Whoever has the seed can forge proofs.
warning: For tests and development only; a key for use needs the powers of tau of a ceremony.";
