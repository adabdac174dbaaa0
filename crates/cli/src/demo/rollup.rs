//! `frumious demo rollup`: what a batch of transfers costs to prove.
//!
//! N transfers of a payment rollup ([`circuit`]) between made-up accounts ([`ledger`]). The circuit is built, its
//! witness computed and checked. A development key is made in a file, a proof is made from the mapped key, and
//! verified.

mod circuit;
mod ledger;
mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use frumious_circom::generic::Wtns;
use frumious_curves::Bn254;
use frumious_curves::bn254::Fr;
use frumious_field::{Integer, vector};
use frumious_groth16::{Phase, ProveOptions, SetupOptions, SetupPhase, verify};
use frumious_r1cs::Circuit;
use frumious_snarkjs::generic::{Zkey, public_to_json};
use frumious_snarkjs::groth16::{
    proof_to_json, prove, proving_key, setup_dev, verifying_key_to_json,
};
use zeroize::Zeroizing;

use super::PROOF_PHASES;
use crate::arguments::demo::Rollup;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::{About, Failure};
use frumious_app::files::{self, OutputFile, Readers};
use frumious_app::limits::Allowance;
use frumious_app::memory::Watch;
use frumious_app::observer::Observer;
use frumious_app::places::Role;
use frumious_app::setup::refused;
use report::{Memory, Report};

/// Runs the demonstration and tells what each part took.
pub fn rollup(arguments: &Rollup, output: &Output) -> Result<(), Failure> {
    let place = Place::new(arguments.dir.as_deref())?;
    let zkey = place.path("rollup.zkey");
    output.check(&output.places().output("rollup.zkey", Role::Key, &zkey))?;
    let watch = Watch::begin();
    let steps = 6 + SetupPhase::DEVELOPMENT.len() + PROOF_PHASES;
    let progress = Progress::new(output, steps);
    progress.begin("circuit");
    let circuit = circuit::circuit(arguments.transfers);
    let circuit_bytes = circuit.system().bytes();
    progress.begin("transfers");
    let inputs = ledger::inputs(arguments.transfers);
    progress.begin("witness");
    let witness = circuit
        .witness(&inputs)
        .map_err(|error| Failure::bad_input(error.to_string()))?;
    progress.begin("check");
    circuit
        .check(&witness)
        .map_err(|error| Failure::rejected(error.to_string()))?;
    let witness = to_wtns(witness)?;
    let before_setup = watch.take_peak();

    let system = circuit.system();
    make_key(&circuit, &zkey, arguments, &progress)?;
    let during_setup = watch.take_peak();

    progress.begin("load key");
    let file = Zkey::<Bn254>::open(&zkey).about(&zkey)?;
    let key_bytes = file.bytes().len();
    let key = proving_key(file).about(&zkey)?;
    let observer = |phase: Phase| progress.begin(phase.name());
    let allowance = Allowance::of(arguments.max_memory, &progress);
    let options = ProveOptions {
        observer: Some(&observer),
        max_memory: allowance.limit,
        spill: arguments.spill.as_deref(),
        ..ProveOptions::default()
    };
    let expected = frumious_app::prove::predict(&key, &witness, &options, &allowance)?;
    Observer::note(
        &progress,
        &frumious_app::prove::announcement(&expected, &options),
    );
    watch.take_peak();
    let (proof, public) = prove(&key, &witness, &options)?;
    let during_proof = watch.take_peak();
    let timings = progress.finish();

    let start = Instant::now();
    let accepted = verify(key.verifying_key(), &public, &proof)?;
    let verification = start.elapsed();
    let mut other = public.clone();
    other[0] += Fr::ONE;
    if !accepted || verify(key.verifying_key(), &other, &proof)? {
        return Err(Failure::rejected(
            "the verifier is wrong about the demonstration's proof",
        ));
    }
    if arguments.dir.is_some() {
        files::write_all(&[
            (&place.path("proof.json"), &proof_to_json(&proof)),
            (&place.path("public.json"), &public_to_json(&public)),
            (
                &place.path("verification_key.json"),
                &verifying_key_to_json(key.verifying_key()),
            ),
            (&place.path("input.json"), &ledger::to_json(&inputs)),
        ])?;
        // Of made-up payments: no secret, but of the same form as one.
        let wtns = place.path("rollup.wtns");
        let mut file = OutputFile::create(&wtns, Readers::Owner)?;
        witness.write(&mut file).about(&wtns)?;
        file.commit()?;
    }
    let report = Report {
        transfers: arguments.transfers,
        constraints: system.n_constraints(),
        wires: system.n_wires(),
        domain_size: key.domain_size(),
        circuit_bytes,
        key_bytes,
        core_hour_price: arguments.core_hour_price,
        memory: Memory {
            circuit: before_setup,
            setup: during_setup,
            prove: during_proof,
            expected,
        },
        timings,
        verification,
    };
    output.result(&report.for_people(), report.for_programs())
}

/// The same values as plain integers; those given are wiped.
fn to_wtns(witness: Zeroizing<Vec<Fr>>) -> Result<Wtns<Bn254>, Failure> {
    let mut values = vec![Integer::ZERO; witness.len()];
    vector::to_integers(&witness, &mut values);
    Ok(Wtns::new(values)?)
}

fn make_key(
    circuit: &Circuit<Fr>,
    zkey: &Path,
    arguments: &Rollup,
    progress: &Progress,
) -> Result<(), Failure> {
    let observer = |phase: SetupPhase, done| progress.within(phase.name(), done);
    let allowance = Allowance::of(arguments.max_memory, progress);
    let options = SetupOptions {
        observer: Some(&observer),
        max_memory: allowance.limit,
    };
    let mut file = OutputFile::create(zkey, Readers::Anyone)?;
    setup_dev(circuit.system(), &mut file, &options).map_err(|error| refused(error, &allowance))?;
    file.commit()
}

/// Where the key is made: the folder that was asked for, or one that goes with the demonstration.
enum Place {
    Kept(PathBuf),
    Temporary(tempfile::TempDir),
}

impl Place {
    fn new(dir: Option<&Path>) -> Result<Self, Failure> {
        let cannot = |path: &Path, error| files::cannot_write(path, &error);
        match dir {
            Some(dir) => {
                std::fs::create_dir_all(dir).map_err(|error| cannot(dir, error))?;
                Ok(Self::Kept(dir.to_path_buf()))
            }
            None => {
                let made = tempfile::tempdir();
                let made = made.map_err(|error| cannot(&std::env::temp_dir(), error))?;
                Ok(Self::Temporary(made))
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        match self {
            Self::Kept(dir) => dir.join(name),
            Self::Temporary(dir) => dir.path().join(name),
        }
    }
}
