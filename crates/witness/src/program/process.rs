//! The process of a program, from outside.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use frumious_parallel::check_cancelled;
use rustix::fs::{MemfdFlags, memfd_create};
use zeroize::Zeroizing;

use super::sandbox;
use crate::children;
use crate::error::{Error, Limit};
use crate::host::Limits;
use crate::isolated::{Blame, Refusal, module_refusal, refusal};

/// A process that has ended.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: Zeroizing<Vec<u8>>,
    pub(super) stderr: Zeroizing<Vec<u8>>,
    /// The bytes in place of the inputs.
    pub(super) witness: Zeroizing<Vec<u8>>,
}

/// Runs `program` on the text of its inputs, to its end.
pub(super) fn run(
    program: &Path,
    mut stage: Command,
    inputs: &[u8],
    limits: Limits,
) -> Result<Ended, Refusal> {
    let failed = |error: io::Error| {
        refusal(
            Blame::System,
            format!("the program cannot be started: {error}"),
        )
    };
    let mut memory = in_memory(inputs).map_err(failed)?;
    stage
        .args(sandbox::arguments(program, limits))
        .stdin(memory.try_clone().map_err(failed)?)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    children::set_apart(&mut stage);
    let mut process = Process(stage.spawn().map_err(failed)?);
    drop(stage); // and its share of the memory
    let stdout = collect(process.0.stdout.take()).map_err(failed)?;
    let stderr = collect(process.0.stderr.take()).map_err(failed)?;
    let status = process.wait(Instant::now() + limits.time, limits)?;
    let said = [stdout, stderr].map(|pipe| pipe.recv_timeout(AFTER_THE_END).unwrap_or_default());
    let [stdout, stderr] = said;
    let mut ended = Ended {
        status,
        stdout,
        stderr,
        witness: Zeroizing::default(),
    };
    if status.success() {
        let length = memory.seek(SeekFrom::End(0)).map_err(failed)?;
        if length > limits.memory_bytes {
            return Err(Error::Stopped(Limit::Memory {
                bytes: limits.memory_bytes,
            })
            .into());
        }
        memory.rewind().map_err(failed)?;
        ended.witness.reserve_exact(length as usize + 1);
        memory
            .take(length)
            .read_to_end(&mut ended.witness)
            .map_err(failed)?;
    }
    Ok(ended)
}

/// A file that is nowhere but in memory, and has no name. It goes to nobody but through standard input.
fn in_memory(content: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("frumious", MemfdFlags::CLOEXEC)?);
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}

/// All that comes through a pipe, up to [`MOST_SAID`] bytes. The rest is read and forgotten.
fn collect(pipe: Option<impl Read + Send + 'static>) -> io::Result<Receiver<Zeroizing<Vec<u8>>>> {
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name("program-reader".into())
        .spawn(move || {
            let Some(mut pipe) = pipe else { return };
            let mut said = Zeroizing::new(Vec::with_capacity(MOST_SAID));
            // What cannot be read was not said.
            let _ = pipe.by_ref().take(MOST_SAID as u64).read_to_end(&mut said);
            let _ = io::copy(&mut pipe, &mut io::sink());
            let _ = sender.send(said);
        })?;
    Ok(receiver)
}

/// A process that ends when this is dropped.
struct Process(Child);

impl Process {
    fn wait(&mut self, deadline: Instant, limits: Limits) -> Result<ExitStatus, Refusal> {
        let mut pause = Duration::from_micros(200);
        loop {
            check_cancelled();
            match self.0.try_wait() {
                Ok(Some(status)) => {
                    children::look_for_cancellation_after(status);
                    return Ok(status);
                }
                Ok(None) => {}
                Err(error) => return Err(module_refusal(format!("the program is lost: {error}"))),
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let seconds = limits.time.as_secs();
                return Err(Error::Stopped(Limit::Time { seconds }).into());
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 5 / 4).min(LONGEST_PAUSE);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Of what a program says on either way.
const MOST_SAID: usize = 1 << 20;

/// A program has no children, so nobody holds its pipes when it has ended.
const AFTER_THE_END: Duration = Duration::from_secs(5);

const LONGEST_PAUSE: Duration = Duration::from_millis(10);
