//! `frumious setup`.

mod seed;
mod target;

use std::path::Path;

use frumious_circom::Error::Malformed;
use frumious_circom::FileKind;
use frumious_circom::generic::R1cs;
use frumious_groth16::Uncontributed;
use frumious_groth16::{
    Error, ProvingEngine, SetupOptions, SetupPhase, SetupPlan, plan_ceremony, plan_dev, seed_digest,
};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::Ptau;
use frumious_snarkjs::groth16::{self, KeyOutput, setup_dev, setup_dev_from_seed};
use serde_json::json;
use zeroize::Zeroizing;

use crate::arguments::Setup;
use crate::contribution;
use crate::curve::{self, over_curve};
use crate::failure::{About, Failure, file_of};
use crate::files;
use crate::memory::{Resident, Watch};
use crate::output::{Output, count, duration, seconds};
use crate::partial::digest_of;
use crate::progress::Progress;
use target::Target;

/// Makes a proving key.
pub fn setup(arguments: &Setup, output: &Output) -> Result<(), Failure> {
    let (source, key) = match (&arguments.third, &arguments.seed) {
        (Some(key), _) => {
            let ptau = &arguments.second;
            files::check_outputs(&[key], &[&arguments.r1cs, ptau])?;
            (Source::Ceremony(ptau), key)
        }
        (None, Some(path)) => {
            let key = &arguments.second;
            files::check_outputs(&[key], &[&arguments.r1cs, path])?;
            output.warning(UNSAFE_SEED);
            (Source::Seed(seed::read(path)?), key)
        }
        (None, None) => {
            let key = &arguments.second;
            files::check_outputs(&[key], &[&arguments.r1cs])?;
            output.warning(UNSAFE);
            (Source::Drawn, key)
        }
    };
    let r1cs = &arguments.r1cs;
    let circuit = FileBytes::map(r1cs).about(r1cs)?;
    circuit.settle();
    over_curve!(curve::of(FileKind::R1cs, &circuit, r1cs)?, E => {
        make_key::<E>(circuit, arguments, source, key, output)
    })
}

/// Where the secrets behind the key come from.
enum Source<'a> {
    /// Nobody knows them, if one participant of the ceremony was honest.
    Ceremony(&'a Path),
    /// Whoever has it.
    Seed(Zeroizing<Vec<u8>>),
    /// This process.
    Drawn,
}

fn make_key<E: ProvingEngine>(
    circuit: FileBytes,
    arguments: &Setup,
    source: Source<'_>,
    key: &Path,
    output: &Output,
) -> Result<(), Failure> {
    let watch = Watch::begin();
    let before = Resident::now();
    let r1cs = arguments.r1cs.as_path();
    let weights = match source {
        Source::Ceremony(_) => CEREMONY,
        Source::Seed(_) | Source::Drawn => DEVELOPMENT,
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
    let target = Target {
        path: key,
        output,
        progress: &progress,
    };
    let development = !matches!(source, Source::Ceremony(_));
    let (plan, resumed, missing) = match source {
        Source::Ceremony(path) => {
            let powers = FileBytes::map(path).about(path)?;
            powers.settle();
            let ptau = Ptau::<E>::from_bytes(powers)
                .map_err(|error| error.in_file(path))
                .about(path)?;
            let plan = plan_ceremony::<E>(&circuit, options.max_memory).about(r1cs)?;
            announce(&plan, output);
            let make = |file: &mut dyn KeyOutput| {
                let made = groth16::setup(&circuit, &ptau, file, &options);
                let changed = changed(&made);
                let about = match &made {
                    Err(_) if changed.is_some() => changed.as_deref().unwrap_or(r1cs),
                    Err(error) if is_of_powers(error) => path,
                    // The powers of tau are too few: their fault, not the circuit's.
                    Err(Error::CircuitTooLarge { .. }) => path,
                    _ => blamed(&made, r1cs, key),
                };
                made.about(about)
            };
            let inputs = || digest_of(&[&bytes, ptau.bytes()]);
            let missing = match ptau.lacks_contribution().about(path)? {
                true => Uncontributed::PowersOfTau,
                false => Uncontributed::Key,
            };
            (plan, target.resumable::<E>(inputs, make)?, Some(missing))
        }
        Source::Seed(seed) => {
            let plan = plan_dev::<E>(&circuit, options.max_memory).about(r1cs)?;
            announce(&plan, output);
            let make = |file: &mut dyn KeyOutput| {
                let made = setup_dev_from_seed::<E>(&circuit, &seed, file, &options);
                let about = blamed(&made, r1cs, key);
                made.about(about)
            };
            let inputs = || digest_of(&[b"seed", &bytes, &seed_digest(&seed)]);
            (plan, target.resumable::<E>(inputs, make)?, None)
        }
        Source::Drawn => {
            let plan = plan_dev::<E>(&circuit, options.max_memory).about(r1cs)?;
            announce(&plan, output);
            target.once::<E>(|file| {
                let made = setup_dev::<E>(&circuit, file, &options);
                let about = blamed(&made, r1cs, key);
                made.about(about)
            })?;
            (plan, 0, None)
        }
    };
    let is_fkey = target.is_fkey();
    contribution::warn(missing, key, output);
    let timings = progress.finish();
    let kind = if development {
        "UNSAFE development key"
    } else {
        "UNFINISHED proving key"
    };
    let peak = watch.take_peak().map(|peak| peak.private);
    let measured = match peak {
        Some(peak) => format!(", {} of private memory", crate::output::bytes(peak)),
        None => String::new(),
    };
    output.result(
        &format!(
            "{kind} written to {}: {} constraints, {} wires, {}{measured}",
            key.display(),
            count(circuit.n_constraints().into()),
            count(circuit.n_wires().into()),
            duration(timings.total()),
        ),
        json!({
            "zkey": key.display().to_string(),
            "kind": if is_fkey { "fkey" } else { "zkey" },
            "unsafe_development_key": development,
            "contributed": missing.is_none(),
            "constraints": circuit.n_constraints(),
            "wires": circuit.n_wires(),
            "public_signals": circuit.n_public(),
            "predicted_memory_bytes": plan.memory,
            "private_bytes_before": before.map(|resident| resident.private),
            "peak_private_bytes": peak,
            "passes_over_constraints": plan.passes,
            "resumed_bytes": resumed,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// The file that was changed while it was in use, if that is the error.
fn changed(made: &Result<(), Error>) -> Option<std::path::PathBuf> {
    made.as_ref().err().and_then(file_of).map(Path::to_path_buf)
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

/// Whether the powers of tau are malformed.
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

/// Phases and their shares of the time, in percent, for the estimate of how long it takes: those of 4 million constraints
/// (`peers/record/2026-11-22-rollup.md`; reading and writing are guessed).
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

const UNSAFE_SEED: &str = "\
warning: UNSAFE KEY: --dev --seed computes the key's secrets from the seed. Whoever has the seed can forge proofs.
warning: For tests and development only; a key for use needs the powers of tau of a ceremony.";
