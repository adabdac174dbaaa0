//! `frumious setup`.

use std::io::{Cursor, Write};
use std::path::Path;

use frumious_circom::Error::Malformed;
use frumious_circom::generic::{Ptau, R1cs};
use frumious_circom::{FileBytes, FileKind};
use frumious_groth16::{
    Error, KeyOutput, ProvingEngine, SetupOptions, SetupPhase, SetupPlan, plan_ceremony, plan_dev,
    setup_dev_with_options, setup_with_options,
};
use serde_json::json;

use crate::arguments::Setup;
use crate::curve::{self, over_curve};
use crate::failure::{About, Failure};
use crate::files::{self, OutputFile, Readers};
use crate::output::{Output, count, duration, seconds};
use crate::partial::{self, PartialFile};
use crate::progress::Progress;

/// Makes a proving key.
pub fn setup(arguments: &Setup, output: &Output) -> Result<(), Failure> {
    let (source, zkey) = match &arguments.third {
        Some(zkey) => {
            let ptau = &arguments.second;
            files::check_outputs(&[zkey], &[&arguments.r1cs, ptau])?;
            (Source::Ceremony(ptau), zkey)
        }
        None => {
            let zkey = &arguments.second;
            files::check_outputs(&[zkey], &[&arguments.r1cs])?;
            output.warning(UNSAFE);
            (Source::Development, zkey)
        }
    };
    if zkey
        .extension()
        .is_some_and(|extension| extension == "fkey")
    {
        return Err(Failure::BadInput(format!(
            "{}: a setup writes a .zkey, of which `frumious convert` makes an .fkey",
            zkey.display()
        )));
    }
    let r1cs = &arguments.r1cs;
    let circuit = FileBytes::map(r1cs).about(r1cs)?;
    over_curve!(curve::of(FileKind::R1cs, &circuit, r1cs)?, E => {
        make_key::<E>(circuit, arguments, source, zkey, output)
    })
}

/// Where the secrets behind the key come from.
enum Source<'a> {
    /// Nobody knows them, if one participant of the ceremony was honest.
    Ceremony(&'a Path),
    /// This process.
    Development,
}

fn make_key<E: ProvingEngine>(
    circuit: FileBytes,
    arguments: &Setup,
    source: Source<'_>,
    zkey: &Path,
    output: &Output,
) -> Result<(), Failure> {
    let r1cs = arguments.r1cs.as_path();
    let weights = match source {
        Source::Ceremony(_) => CEREMONY,
        Source::Development => DEVELOPMENT,
    };
    let progress = Progress::weighted(output, weights);
    progress.begin(READ);
    let bytes = circuit.clone();
    let circuit = R1cs::<E>::from_bytes(circuit).about(r1cs)?;
    let observer = |phase: SetupPhase, done: f64| progress.within(phase.name(), done);
    let options = SetupOptions {
        max_memory: arguments.max_memory,
        observer: Some(&observer),
    };
    let development = matches!(source, Source::Development);
    let (plan, resumed) = match source {
        Source::Ceremony(path) => {
            let ptau = Ptau::open(path).about(path)?;
            let plan = plan_ceremony(&circuit, options.max_memory).about(r1cs)?;
            announce(&plan, output);
            let make = |file: &mut dyn KeyOutput| {
                let made = setup_with_options(&circuit, &ptau, file, &options);
                let about = match &made {
                    Err(Error::Format(Malformed { file, .. })) if *file == FileKind::Ptau => path,
                    // The powers of tau are too few: their fault, not the circuit's.
                    Err(Error::CircuitTooLarge { .. }) => path,
                    _ => blamed(&made, r1cs, zkey),
                };
                made.about(about)
            };
            if files::is_replaced(zkey) {
                progress.begin(HASH);
                let inputs = partial::digest_of(&[&bytes, ptau.bytes()]);
                (plan, ceremony_key(&inputs, zkey, output, &progress, make)?)
            } else {
                // What cannot be read again, a pipe or a device, gets the key when it is whole.
                let mut key = Cursor::new(Vec::new());
                make(&mut key)?;
                progress.begin(WRITE);
                let mut file = OutputFile::create(zkey, Readers::Anyone)?;
                let written = file.write_all(key.get_ref());
                written.map_err(|error| files::cannot_write(zkey, &error))?;
                file.commit()?;
                (plan, 0)
            }
        }
        Source::Development => {
            let plan = plan_dev(&circuit, options.max_memory).about(r1cs)?;
            announce(&plan, output);
            let mut file = OutputFile::create(zkey, Readers::Anyone)?;
            let made = setup_dev_with_options(&circuit, &mut file, &options);
            let about = blamed(&made, r1cs, zkey);
            made.about(about)?;
            progress.begin(WRITE);
            file.commit()?;
            (plan, 0)
        }
    };
    let timings = progress.finish();
    let kind = if development {
        "UNSAFE development key"
    } else {
        "Proving key"
    };
    output.result(
        &format!(
            "{kind} written to {}: {} constraints, {} wires, {}",
            zkey.display(),
            count(circuit.n_constraints().into()),
            count(circuit.n_wires().into()),
            duration(timings.total()),
        ),
        json!({
            "zkey": zkey.display().to_string(),
            "unsafe_development_key": development,
            "constraints": circuit.n_constraints(),
            "wires": circuit.n_wires(),
            "public_signals": circuit.n_public(),
            "predicted_memory_bytes": plan.memory,
            "passes_over_constraints": plan.passes,
            "resumed_bytes": resumed,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// Makes a key that may have been begun before; returns how many bytes of it were there.
fn ceremony_key(
    inputs: &[u8; 32],
    zkey: &Path,
    output: &Output,
    progress: &Progress,
    make: impl FnOnce(&mut dyn KeyOutput) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut file = PartialFile::open(zkey, inputs)?;
    let resumed = file.resumed_bytes();
    if resumed > 0 {
        output.note(&format!(
            "going on with {}, of which {} bytes are there",
            file.path().display(),
            count(resumed)
        ));
    }
    if let Err(failure) = make(&mut file) {
        return Err(file.keep_or_remove(failure));
    }
    progress.begin(WRITE);
    file.commit()?;
    Ok(resumed)
}

/// What is about to be used.
fn announce(plan: &SetupPlan, output: &Output) {
    output.note(&format!(
        "memory: at most {} beside the program and mapped files; {} {} over the constraints",
        crate::output::bytes(plan.memory),
        plan.passes,
        if plan.passes == 1 { "pass" } else { "passes" },
    ));
}

/// The file that an error of a setup is about, if it is none of the ceremony.
fn blamed<'a>(made: &Result<(), Error>, r1cs: &'a Path, zkey: &'a Path) -> &'a Path {
    match made {
        Err(Error::Format(frumious_circom::Error::Write { .. })) => zkey,
        _ => r1cs,
    }
}

const READ: &str = "read circuit";
const HASH: &str = "hash inputs";
const WRITE: &str = "write";

/// Phases and their shares of the time, in percent, for the estimate of how long it takes: those of 4 million constraints
/// (`peers/record/2026-11-22-rollup.md`; reading and writing are guessed).
const DEVELOPMENT: &[(&str, f64)] = &[
    (READ, 2.0),
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
    (SetupPhase::Columns.name(), 1.0),
    (SetupPhase::Check.name(), 40.0),
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
