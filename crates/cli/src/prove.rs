//! `frumious prove` and `frumious fullprove`.

use std::path::Path;

use frumious_circom::generic::Wtns;
use frumious_groth16::{Error, Phase, ProveOptions, ProvingEngine, ProvingKey, ProvingMemory};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{KeyFile, public_to_json};
use frumious_snarkjs::groth16::{check_key, key_kind, proof_to_json, proving_key, values};
use serde_json::{Value, json};

use crate::arguments::{Fullprove, ProofOptions, Prove};
use crate::contribution;
use crate::curve::{self, over_curve};
use crate::failure::{About, Failure, file_of};
use crate::files;
use crate::output::{Output, bytes, count, duration, seconds};
use crate::progress::{Progress, Timings};
use crate::witness::Generator;

/// Proves from a key and a witness.
pub fn prove(arguments: &Prove, output: &Output) -> Result<(), Failure> {
    let Prove {
        zkey,
        wtns,
        proof,
        public,
        options,
    } = arguments;
    files::check_outputs(&[proof, public], &[zkey, wtns])?;
    let progress = Progress::new(output, 1 + steps(options));
    let task = Task {
        zkey,
        witness_from: wtns,
        proof,
        public,
        options,
    };
    let key = FileBytes::map(zkey).about(zkey)?;
    over_curve!(curve::of(key_kind(&key), &key, zkey)?, E => {
        progress.begin("read witness");
        let witness = Wtns::<E>::open(wtns).about(wtns)?;
        if options.no_verify {
            // Nothing else tells what a change of the files has done.
            key.settle();
            if let Some(values) = witness.mapped() {
                values.settle();
            }
        }
        task.run(key, &witness, progress, output)
    })
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
        generator,
    } = arguments;
    files::check_outputs(&[proof, public], &[input, wasm, zkey])?;
    let progress = Progress::new(output, Generator::STEPS + steps(options));
    let generator = Generator {
        wasm,
        input,
        options: generator,
    };
    let task = Task {
        zkey,
        witness_from: wasm,
        proof,
        public,
        options,
    };
    let key = FileBytes::map(zkey).about(zkey)?;
    let curve = curve::of(key_kind(&key), &key, zkey)?;
    let compiled = generator.compile(&progress)?;
    over_curve!(curve, E => {
        let witness = compiled.run::<E>(&progress)?;
        task.run(key, &witness, progress, output)
    })
}

/// What is left to do once there is a witness.
struct Task<'a> {
    zkey: &'a Path,
    /// The file to name when the witness is not the key's.
    witness_from: &'a Path,
    proof: &'a Path,
    public: &'a Path,
    options: &'a ProofOptions,
}

impl Task<'_> {
    fn run<E: ProvingEngine>(
        &self,
        key: FileBytes,
        witness: &Wtns<E>,
        progress: Progress,
        output: &Output,
    ) -> Result<(), Failure> {
        if self.options.no_zk {
            output.warning(
                "warning: --no-zk: the proof is not blinded and may tell something of the witness",
            );
        }
        progress.begin("read key");
        let file = KeyFile::<E>::from_bytes(key).about(self.zkey)?;
        let key = proving_key(file.clone()).about(self.zkey)?;
        contribution::warn(
            key.verifying_key().missing_contribution(),
            self.zkey,
            output,
        );
        if self.options.check {
            progress.begin("check key");
            check_key(&file).about(self.zkey)?;
        }
        let observer = |phase: Phase| progress.begin(phase.name());
        let options = ProveOptions {
            zero_knowledge: !self.options.no_zk,
            verify: !self.options.no_verify,
            max_memory: self.options.max_memory,
            spill: self.options.spill.as_deref(),
            observer: Some(&observer),
        };
        let memory = predict(&key, witness, &options).about(self.zkey)?;
        output.note(&announcement(&memory, &options));
        let result = frumious_snarkjs::groth16::prove(&key, witness, &options);
        let hostile = matches!(result, Err(Error::KeyOutsideGroup { .. }));
        let changed = result.as_ref().err().and_then(file_of);
        let changed = changed.map(Path::to_path_buf);
        let about = match &result {
            Err(_) if changed.is_some() => changed.as_deref().unwrap_or(self.zkey),
            Err(Error::Source(_) | Error::KeyOutsideGroup { .. }) => self.zkey,
            // Its message names the folder.
            Err(Error::Spill { .. }) => self.options.spill.as_deref().unwrap_or(self.zkey),
            _ => self.witness_from,
        };
        let result = result.about(about).map_err(|failure| match hostile {
            true => failure.adding("prove with --check to find the first such point"),
            false => failure,
        });
        let (proof, public) = result?;
        progress.begin("write");
        files::write_all(&[
            (self.public, &public_to_json(&public)),
            (self.proof, &proof_to_json(&proof)),
        ])?;
        let timings = progress.finish();
        output.result(
            &self.summary(&key, &timings),
            self.fields(&key, &timings, memory),
        )
    }

    fn summary<E: ProvingEngine>(&self, key: &ProvingKey<E>, timings: &Timings) -> String {
        let verified = match self.options.no_verify {
            true => "NOT verified",
            false => "verified",
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

    fn fields<E: ProvingEngine>(
        &self,
        key: &ProvingKey<E>,
        timings: &Timings,
        memory: ProvingMemory,
    ) -> Value {
        json!({
            "proof": self.proof.display().to_string(),
            "public": self.public.display().to_string(),
            "wires": key.n_wires(),
            "public_signals": key.n_public(),
            "domain_size": key.domain_size(),
            "contributed": !key.lacks_contribution(),
            "zero_knowledge": !self.options.no_zk,
            "verified": !self.options.no_verify,
            "predicted_memory_bytes": { "private": memory.private, "mapped": memory.mapped },
            "spilled_bytes": memory.spilled,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        })
    }
}

/// The memory that a proof takes, or an error that says how it would fit.
pub fn predict<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
    options: &ProveOptions,
) -> Result<ProvingMemory, Failure> {
    key.memory(&values(witness), options).map_err(|error| {
        let spilling = ProveOptions {
            spill: Some(Path::new("")),
            ..*options
        };
        let failure = Failure::from(error);
        match key.memory(&values(witness), &spilling) {
            Ok(_) => failure.adding("with --spill DIR the limit will do"),
            Err(_) => failure,
        }
    })
}

/// What a proof is about to take.
pub fn announcement(memory: &ProvingMemory, options: &ProveOptions) -> String {
    let (private, mapped) = (bytes(memory.private), bytes(memory.mapped));
    let taken = format!(
        "the proof takes {private} of private memory, and {mapped} of pages of mapped files"
    );
    match options.spill.filter(|_| memory.spilled > 0) {
        Some(dir) => format!(
            "{taken}; {} go to an encrypted temporary file in {}",
            bytes(memory.spilled),
            dir.display()
        ),
        None => taken,
    }
}

/// Number of phases after the witness is there.
fn steps(options: &ProofOptions) -> usize {
    let skipped = usize::from(options.no_zk) + usize::from(options.no_verify);
    let reading_and_writing = 2 + usize::from(options.check);
    reading_and_writing + Phase::ALL.len() - skipped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_count_the_phases_that_run() {
        let options = |no_zk, no_verify, check| ProofOptions {
            no_zk,
            no_verify,
            check,
            max_memory: None,
            spill: None,
        };
        assert_eq!(steps(&options(false, false, false)), 11);
        assert_eq!(steps(&options(true, true, true)), 10);
    }
}
