//! `frumious prove` and `frumious fullprove`.

use std::path::Path;

use frumious_app::failure::Failure;
use frumious_app::files;
use frumious_app::key::{AnyKey, KeyBytes};
use frumious_app::observer::Timings;
use frumious_app::places::Role;
use frumious_app::prove::{Proved, Request, prove as make};
use frumious_app::quantities::{count, duration, seconds};
use frumious_app::witness::{AnyWitness, Way};
use frumious_parallel::join;
use serde_json::{Value, json};

use crate::arguments::prove::{Fullprove, ProofOptions, Prove};
use crate::output::Output;
use crate::progress::Progress;
use crate::witness::{cache, child, generator};

/// Proves from a key and a witness.
pub fn prove(arguments: &Prove, output: &Output) -> Result<(), Failure> {
    let Prove {
        zkey,
        wtns,
        proof,
        public,
        options,
    } = arguments;
    let places = output.places().input("KEY", Role::Key, zkey);
    let places = places.input("WITNESS", Role::Witness, wtns);
    output.check(&places.output("PROOF", Role::Proof, proof).output(
        "PUBLIC",
        Role::Public,
        public,
    ))?;
    let task = Task::new([wtns, proof, public], options);
    let progress = task.progress(output, &[("read witness", 1.0), ("read key", 2.0)]);
    let key = KeyBytes::map(zkey)?;
    progress.begin("read witness");
    let witness = AnyWitness::open(wtns, key.curve())?;
    if options.no_verify {
        // Nothing else tells what a change of the files has done.
        key.settle();
        witness.settle();
    }
    progress.begin("read key");
    task.run(&key.open()?, &witness, None, progress, output)
}

/// Calculates the witness and proves; the witness is never written.
pub fn fullprove(arguments: &Fullprove, output: &Output) -> Result<(), Failure> {
    let Fullprove {
        input,
        wasm,
        zkey,
        proof,
        public,
        options,
        generator: from,
    } = arguments;
    let places = output.places().input("INPUT", Role::Inputs, input);
    let places = places
        .input("WASM", Role::Generator, wasm)
        .input("KEY", Role::Key, zkey);
    output.check(&places.output("PROOF", Role::Proof, proof).output(
        "PUBLIC",
        Role::Public,
        public,
    ))?;
    let task = Task::new([wasm, proof, public], options);
    let progress = task.progress(output, &[("start generator", 3.0), ("witness", 30.0)]);
    let key = KeyBytes::map(zkey)?;
    let cache = cache(from, &progress);
    let generator = generator(wasm, input, from, cache.as_ref());
    // The key is read while the witness is computed: by a process of its own, or by another thread.
    let curve = key.curve();
    let (started, key) = join(|| generator.start(child, &progress), || key.open());
    let started = started?;
    started.expect_curve(curve)?;
    let key = key?;
    let calculated = started.run(&progress)?;
    let way = Some((calculated.way, calculated.runs));
    task.run(&key, &calculated.witness, way, progress, output)
}

/// The work that is left once there is a witness.
struct Task<'a> {
    request: Request<'a>,
    proof: &'a Path,
    public: &'a Path,
}

impl<'a> Task<'a> {
    /// `witness_from`: the file to name when the witness is not the key's.
    fn new([witness_from, proof, public]: [&'a Path; 3], options: &'a ProofOptions) -> Self {
        let request = Request {
            zero_knowledge: !options.no_zk,
            verify: !options.no_verify,
            check: options.check,
            max_memory: options.max_memory,
            spill: options.spill.as_deref(),
            witness_from,
        };
        Self {
            request,
            proof,
            public,
        }
    }

    /// Progress through the phases until there is a witness, and those after.
    fn progress<'o>(&self, output: &'o Output, first: &[(&'static str, f64)]) -> Progress<'o> {
        let mut phases = first.to_vec();
        phases.extend(self.request.phases());
        phases.push(("write", 1.0));
        Progress::weighted(output, &phases)
    }

    fn run(
        &self,
        key: &AnyKey,
        witness: &AnyWitness,
        way: Option<(Way, usize)>,
        progress: Progress<'_>,
        output: &Output,
    ) -> Result<(), Failure> {
        let proved = make(key, witness, &self.request, &progress)?;
        progress.begin("write");
        files::write_all(&[(self.public, &proved.public), (self.proof, &proved.proof)])?;
        let timings = progress.finish();
        let mut fields = self.fields(key, &timings, &proved);
        if let Some((way, tapes)) = way {
            fields["witness"] = json!({ "way": way.name(), "tapes": tapes });
        }
        output.result(&self.summary(key, &timings), fields)
    }

    fn summary(&self, key: &AnyKey, timings: &Timings) -> String {
        let verified = match self.request.verify {
            true => "verified",
            false => "NOT verified",
        };
        format!(
            "Proof written to {} ({verified}), {} public signals to {}: {} wires, domain of 2^{}, {}",
            self.proof.display(),
            count(key.n_public() as u64),
            self.public.display(),
            count(key.n_wires() as u64),
            key.domain_size().ilog2(),
            duration(timings.total()),
        )
    }

    fn fields(&self, key: &AnyKey, timings: &Timings, proved: &Proved) -> Value {
        let memory = proved.memory;
        json!({
            "proof": self.proof.display().to_string(),
            "public": self.public.display().to_string(),
            "wires": key.n_wires(),
            "public_signals": key.n_public(),
            "domain_size": key.domain_size(),
            "contributed": key.missing_contribution().is_none(),
            "zero_knowledge": self.request.zero_knowledge,
            "verified": self.request.verify,
            "predicted_memory_bytes": { "private": memory.private, "mapped": memory.mapped },
            "spilled_bytes": memory.spilled,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        })
    }
}
