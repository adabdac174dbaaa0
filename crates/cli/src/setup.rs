//! `frumious setup`.

use std::path::Path;

use frumious_circom::Error::Malformed;
use frumious_circom::generic::{Ptau, R1cs};
use frumious_circom::{FileBytes, FileKind};
use frumious_groth16::{
    Error, ProvingEngine, SetupPhase, setup_dev_with_observer, setup_with_observer,
};
use serde_json::json;

use crate::arguments::Setup;
use crate::curve::{self, over_curve};
use crate::failure::{About, Failure};
use crate::files::{self, OutputFile, Readers};
use crate::output::{Output, count, duration, seconds};
use crate::progress::Progress;

/// Makes a proving key.
pub fn setup(arguments: &Setup, output: &Output) -> Result<(), Failure> {
    match &arguments.third {
        Some(zkey) => {
            let ptau = &arguments.second;
            files::check_outputs(&[zkey], &[&arguments.r1cs, ptau])?;
            make_key(&arguments.r1cs, Source::Ceremony(ptau), zkey, output)
        }
        None => {
            let zkey = &arguments.second;
            files::check_outputs(&[zkey], &[&arguments.r1cs])?;
            output.warning(UNSAFE);
            make_key(&arguments.r1cs, Source::Development, zkey, output)
        }
    }
}

/// Where the secrets behind the key come from.
enum Source<'a> {
    /// Nobody knows them, if one participant of the ceremony was honest.
    Ceremony(&'a Path),
    /// This process.
    Development,
}

fn make_key(r1cs: &Path, source: Source<'_>, zkey: &Path, output: &Output) -> Result<(), Failure> {
    let circuit = FileBytes::map(r1cs).about(r1cs)?;
    over_curve!(curve::of(FileKind::R1cs, &circuit, r1cs)?, E => {
        make_key_over::<E>(circuit, r1cs, source, zkey, output)
    })
}

fn make_key_over<E: ProvingEngine>(
    circuit: FileBytes,
    r1cs: &Path,
    source: Source<'_>,
    zkey: &Path,
    output: &Output,
) -> Result<(), Failure> {
    let progress = Progress::new(output, SetupPhase::ALL.len() + 2);
    progress.begin("read circuit");
    let circuit = R1cs::<E>::from_bytes(circuit).about(r1cs)?;
    let mut file = OutputFile::create(zkey, Readers::Anyone)?;
    let observer = |phase: SetupPhase| progress.begin(phase.name());
    match source {
        Source::Ceremony(path) => {
            let ptau = Ptau::open(path).about(path)?;
            let made = setup_with_observer(&circuit, &ptau, &mut file, &observer);
            let about = match &made {
                Err(Error::Format(Malformed { file, .. })) if *file == FileKind::Ptau => path,
                // The powers of tau are too few: their fault, not the circuit's.
                Err(Error::CircuitTooLarge { .. }) => path,
                _ => blamed(&made, r1cs, zkey),
            };
            made.about(about)?;
        }
        Source::Development => {
            let made = setup_dev_with_observer(&circuit, &mut file, &observer);
            let about = blamed(&made, r1cs, zkey);
            made.about(about)?;
        }
    }
    progress.begin("write");
    file.commit()?;
    let timings = progress.finish();
    let development = matches!(source, Source::Development);
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
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// The file that an error of a setup is about, if it is none of the ceremony.
fn blamed<'a>(made: &Result<(), Error>, r1cs: &'a Path, zkey: &'a Path) -> &'a Path {
    match made {
        Err(Error::Format(frumious_circom::Error::Write { .. })) => zkey,
        _ => r1cs,
    }
}

const UNSAFE: &str = "\
warning: UNSAFE KEY: --dev draws the key's secrets on this machine. Whoever sees them can forge proofs.
warning: For tests and development only; a key for use needs the powers of tau of a ceremony.";
