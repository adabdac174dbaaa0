//! Many witnesses of one circuit: inputs line by line, replayed eight at a time.

use std::path::{Path, PathBuf};
use std::process::Command;

use frumious_witness::{Inputs, parse_inputs};

use crate::failure::{About, Failure};
use crate::files::{self, OutputFile, Readers};
use crate::observer::Observer;
use crate::prepared::PreparedGenerator;
use crate::witness::{AnyWitness, Generator, Way};

/// The outcome of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Number of witnesses that a tape gave.
    pub replayed: usize,
    /// Number of witnesses that the generator gave itself.
    pub ran: usize,
    /// Lines without a witness, with the reason.
    pub failed: Vec<(usize, String)>,
}

impl Generator<'_> {
    /// The witness of each line of the inputs, as `LINE.wtns` in `folder`; lines count from 1, empty ones are left out.
    /// A line that gives none does not stop the others.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for files that cannot be read or written, a child that cannot be started.
    pub fn batch(
        &self,
        folder: &Path,
        child: impl Fn() -> Result<Command, Failure>,
        observer: &dyn Observer,
    ) -> Result<Batch, Failure> {
        observer.begin("read inputs");
        files::check_outputs(&[&folder.join("1.wtns")], &[])?;
        let inputs = files::read_secret(self.input)?;
        let lines: Vec<(usize, &[u8])> = (1..)
            .zip(inputs.split(|byte| *byte == b'\n'))
            .filter(|(_, line)| !line.trim_ascii().is_empty())
            .collect();
        let mut work = Work {
            prepared: PreparedGenerator::open(self.wasm, self.limits, self.cache)?,
            folder,
            done: Batch::default(),
        };
        let total = lines.len();
        for (index, lines) in lines.chunks(AT_ONCE).enumerate() {
            observer.within("witness", (index * AT_ONCE) as f64 / total as f64);
            let missed = work.replay(lines)?;
            for (number, line) in missed {
                work.run(number, line, &child)?;
            }
        }
        Ok(work.done)
    }
}

struct Work<'a> {
    prepared: PreparedGenerator<'a>,
    folder: &'a Path,
    done: Batch,
}

impl Work<'_> {
    /// Writes the witnesses of the lines that a tape applies to; the others are left.
    fn replay<'l>(
        &mut self,
        lines: &[(usize, &'l [u8])],
    ) -> Result<Vec<(usize, &'l [u8])>, Failure> {
        let parse = |line: &[u8]| {
            let text = str::from_utf8(line).ok()?;
            parse_inputs(text).ok()
        };
        // What cannot be parsed the module refuses, in the same words as ever.
        let inputs: Vec<Inputs> = lines
            .iter()
            .map(|(_, line)| parse(line).unwrap_or_default())
            .collect();
        let mut outputs = Vec::new();
        for (number, _) in lines {
            outputs.push(OutputFile::create(&self.path(*number), Readers::Owner)?);
        }
        let written = self
            .prepared
            .replay_batch(&inputs, outputs.iter_mut().collect());
        let mut missed = Vec::new();
        for (((number, line), output), written) in lines.iter().zip(outputs).zip(written) {
            match written {
                Some(written) => {
                    written.about(&self.path(*number))?;
                    output.commit()?;
                    self.done.replayed += 1;
                }
                None => missed.push((*number, *line)),
            }
        }
        Ok(missed)
    }

    /// Has the generator calculate the witness of one line.
    fn run(
        &mut self,
        number: usize,
        line: &[u8],
        child: impl Fn() -> Result<Command, Failure>,
    ) -> Result<(), Failure> {
        match self.prepared.calculate(line, child) {
            Ok((witness, way)) => {
                self.write(number, &witness)?;
                match way {
                    // A line before this one may have been recorded.
                    Way::Replayed => self.done.replayed += 1,
                    Way::Recorded | Way::Ran => self.done.ran += 1,
                }
            }
            Err(refusal) => self.done.failed.push((number, refusal.message)),
        }
        Ok(())
    }

    fn write(&self, number: usize, witness: &AnyWitness) -> Result<(), Failure> {
        let path = self.path(number);
        let mut file = OutputFile::create(&path, Readers::Owner)?;
        witness
            .write(&mut file)
            .map_err(|failure| failure.about(&path))?;
        file.commit()
    }

    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{number}.wtns"))
    }
}

/// Lines that are in memory, with their files open, at a time.
const AT_ONCE: usize = 64;
