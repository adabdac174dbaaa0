//! `frumious witness`, and the witness of `frumious fullprove`.

use std::path::Path;
use std::time::Duration;

use frumious_circom::{FileBytes, Wtns};
use frumious_witness::{Limits, WitnessCalculator};
use serde_json::json;

use crate::arguments::{GeneratorOptions, Witness};
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
    let witness = generator.run(&progress)?;
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
    /// Number of phases that [`Generator::run`] begins.
    pub const STEPS: usize = 2;

    /// Compiles the module and runs it.
    pub fn run(&self, progress: &Progress) -> Result<Wtns, Failure> {
        progress.begin("compile generator");
        // The inputs first: they are small, and a mistake in them is likelier than one in the module.
        let text = files::read_text(self.input)?;
        let inputs = frumious_witness::parse_inputs(&text).about(self.input)?;
        let bytes = FileBytes::read(self.wasm).about(self.wasm)?;
        let calculator = WitnessCalculator::with_limits(&bytes, self.limits()).about(self.wasm)?;
        progress.begin("witness");
        let result = match self.options.log {
            true => calculator.calculate_with_log(&inputs, |line| {
                use std::io::Write;
                // Nobody is left to tell if stderr is closed.
                let _ = writeln!(std::io::stderr(), "log: {line}");
            }),
            false => calculator.calculate(&inputs),
        };
        let about = match &result {
            Err(
                frumious_witness::Error::Input { .. }
                | frumious_witness::Error::MissingInputs { .. }
                | frumious_witness::Error::Unsatisfied { .. },
            ) => self.input,
            _ => self.wasm,
        };
        result.about(about)
    }

    fn limits(&self) -> Limits {
        Limits {
            memory_bytes: self.options.wasm_memory << 20,
            time: Duration::from_secs(self.options.wasm_time.into()),
        }
    }
}
