//! `frumious demo`: everything once, with no file at hand.
//!
//! "I know a secret that becomes this digest when it is hashed n times". A chain of MiMC-7 hashes ([`mimc`]) becomes a
//! constraint system ([`circuit`]). It gets a development key, a proof, its verification, and the refusal of the proof
//! for another digest. Or a batch of payments ([`rollup`]).

pub mod circuit;
mod mimc;
mod report;
mod rollup;

use std::time::Instant;

use frumious_curves::bn254::Fr;
use frumious_groth16::{Phase, ProveOptions, SetupOptions, SetupPhase, verify};

use frumious_snarkjs::Zkey;
use frumious_snarkjs::groth16::{prove, proving_key, setup_dev};

use crate::arguments::demo::{Demo, Workload};
use crate::output::Output;
use crate::progress::Progress;
use circuit::Chain;
use frumious_app::failure::Failure;
use frumious_app::limits;
use frumious_app::observer::Observer;
use report::Report;

/// The most phases of these proofs: none sums over B1, and sums over H and C are one, or all side by side.
const PROOF_PHASES: usize = Phase::ALL.len() - 4;

/// Runs the demonstration and tells how long each part took.
pub fn demo(arguments: &Demo, output: &Output) -> Result<(), Failure> {
    match &arguments.workload {
        Some(Workload::Rollup(arguments)) => rollup::rollup(arguments, output),
        None => chain(arguments, output),
    }
}

fn chain(arguments: &Demo, output: &Output) -> Result<(), Failure> {
    let chain = match arguments.constraints {
        Some(constraints) => Chain::of_constraints(constraints),
        None => Chain::filling_domain(arguments.log_size),
    };
    let secret = Fr::random().map_err(|error| Failure::bad_input(error.to_string()))?;
    let public_key = Fr::from_u64(chain.hashes().into());

    limits::require(BYTES_PER_CONSTRAINT * u64::from(chain.n_constraints()))?;
    let progress = Progress::new(output, 3 + SetupPhase::DEVELOPMENT.len() + PROOF_PHASES);
    progress.begin("circuit");
    let r1cs = chain.constraints();
    progress.begin("witness");
    let witness = chain.witness(secret, public_key)?;

    let mut zkey = Vec::new();
    let observer = |phase: SetupPhase, done| progress.within(phase.name(), done);
    let options = SetupOptions {
        observer: Some(&observer),
        ..SetupOptions::default()
    };
    setup_dev(&r1cs, &mut zkey, &options)?;
    progress.begin("load key");
    let key_bytes = zkey.len();
    let key = proving_key(Zkey::from_bytes(zkey)?)?;

    let observer = |phase: Phase| progress.begin(phase.name());
    let options = ProveOptions {
        observer: Some(&observer),
        ..ProveOptions::default()
    };
    let (proof, public) = prove(&key, &witness, &options)?;
    let timings = progress.finish();

    let start = Instant::now();
    let accepted = verify(key.verifying_key(), &public, &proof)?;
    let verification = start.elapsed();
    let mut other = public.clone();
    other[0] += Fr::ONE;
    let refused = !verify(key.verifying_key(), &other, &proof)?;
    if !(accepted && refused) {
        return Err(Failure::rejected(
            "the verifier is wrong about the demonstration's proof",
        ));
    }
    let report = Report {
        hashes: chain.hashes(),
        constraints: r1cs.n_constraints(),
        wires: r1cs.n_wires(),
        domain_size: key.domain_size(),
        key_bytes,
        timings,
        verification,
    };
    output.result(&report.for_people(), report.for_programs())
}

/// Circuit, witness, key and vectors, all in memory. Measured: 1,600 to 1,840 for 2^14 to 2^17 constraints.
pub const BYTES_PER_CONSTRAINT: u64 = 2000;
