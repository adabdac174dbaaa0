//! `frumious witness`, and the witness of `frumious fullprove`.

use std::path::Path;
use std::time::Duration;

use frumious_circom::FileBytes;
use frumious_circom::generic::Wtns;
use frumious_curves::PairingEngine;
use frumious_witness::{Limits, WitnessCalculator};
use serde_json::{Value, json};

use crate::arguments::{GeneratorOptions, Witness};
use crate::curve::over_curve;
use crate::failure::{About, Failure};
use crate::files::{self, OutputFile, Readers};
use crate::output::{Output, count, duration, seconds};
use crate::progress::Progress;

/// Calculates a witness and writes it.
pub fn witness(arguments: &Witness, output: &Output) -> Result<(), Failure> {
    let Witness {
        wasm,
        input,
        wtns,
        generator,
    } = arguments;
    files::check_outputs(&[wtns], &[wasm, input])?;
    let progress = Progress::new(output, Generator::STEPS + 1);
    let generator = Generator {
        wasm,
        input,
        options: generator,
    };
    let compiled = generator.compile(&progress)?;
    over_curve!(compiled.calculator.curve(), E => {
        write(&compiled.run::<E>(&progress)?, wtns, progress, output)
    })
}

fn write<E: PairingEngine>(
    witness: &Wtns<E>,
    wtns: &Path,
    progress: Progress,
    output: &Output,
) -> Result<(), Failure> {
    progress.begin("write");
    let mut file = OutputFile::create(wtns, Readers::Owner)?;
    witness.write(&mut file).about(wtns)?;
    file.commit()?;
    let timings = progress.finish();
    output.result(
        &format!(
            "Witness of {} wires written to {}: {}",
            count(witness.len() as u64),
            wtns.display(),
            duration(timings.total())
        ),
        json!({
            "witness": wtns.display().to_string(),
            "wires": witness.len(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// A witness generator with its inputs.
pub struct Generator<'a> {
    pub wasm: &'a Path,
    pub input: &'a Path,
    pub options: &'a GeneratorOptions,
}

impl Generator<'_> {
    /// Number of phases that [`Generator::compile`] and [`Compiled::run`] begin.
    pub const STEPS: usize = 2;

    /// Reads the inputs and compiles the module.
    pub fn compile(&self, progress: &Progress) -> Result<Compiled<'_>, Failure> {
        progress.begin("compile generator");
        // The inputs first: they are small, and a mistake in them is likelier than one in the module.
        let text = files::read_text(self.input)?;
        let inputs = frumious_witness::parse_inputs(&text).about(self.input)?;
        let bytes = FileBytes::read(self.wasm).about(self.wasm)?;
        let calculator = WitnessCalculator::with_limits(&bytes, self.limits()).about(self.wasm)?;
        Ok(Compiled {
            generator: self,
            calculator,
            inputs,
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            memory_bytes: self.options.wasm_memory << 20,
            time: Duration::from_secs(self.options.wasm_time.into()),
        }
    }
}

/// A witness generator that is ready to run.
pub struct Compiled<'a> {
    generator: &'a Generator<'a>,
    calculator: WitnessCalculator,
    inputs: Value,
}

impl Compiled<'_> {
    /// Runs the module, which must be over the curve of `E`.
    pub fn run<E: PairingEngine>(&self, progress: &Progress) -> Result<Wtns<E>, Failure> {
        progress.begin("witness");
        let Generator {
            wasm,
            input,
            options,
        } = self.generator;
        let result = match options.log {
            true => self
                .calculator
                .calculate_over_with_log(&self.inputs, |line| {
                    use std::io::Write;
                    // Nobody is left to tell if stderr is closed.
                    let _ = writeln!(std::io::stderr(), "log: {line}");
                }),
            false => self.calculator.calculate_over(&self.inputs),
        };
        let about = match &result {
            Err(
                frumious_witness::Error::Input { .. }
                | frumious_witness::Error::MissingInputs { .. }
                | frumious_witness::Error::Unsatisfied { .. },
            ) => input,
            _ => wasm,
        };
        result.about(about)
    }
}
