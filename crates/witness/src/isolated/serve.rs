//! The child's side.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use frumious_circom::generic::Wtns;
use frumious_curves::{Bls12_381, Bn254, PairingCurve, PairingEngine};
use zeroize::Zeroizing;

use super::message::{Message, Request, Values};
use super::{Refusal, TRANSLATOR_BYTES};
use crate::calculator::WitnessCalculator;
use crate::compiled::CompiledModule;
use crate::error::Error;
use crate::host::{Limits, LogSink};

/// Does what [`Running::start`](super::Running::start) asked for on `input`, and answers on `output`. To be called
/// once, by a process that was started for it and does nothing else. It limits the memory of the whole process while it
/// translates. It ends the process when its parent does.
///
/// # Errors
/// Those of `input` and `output`: then the parent is gone.
pub fn serve(mut input: impl Read, output: impl Write + Send + 'static) -> io::Result<()> {
    end_with_parent();
    let request = Request::read(&mut input)?;
    let output = Output(Arc::new(Mutex::new(output)));
    match calculate(&request, &output) {
        Ok(sent) => sent,
        Err(error) => output.send(&Message::Refused(Refusal::from(error))),
    }
}

/// Where the answers go, also those of the log.
struct Output<W>(Arc<Mutex<W>>);

impl<W: Write> Output<W> {
    fn send(&self, message: &Message) -> io::Result<()> {
        message.write(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The inner result is that of telling the parent.
fn calculate<W: Write + Send + 'static>(
    request: &Request<Zeroizing<Vec<u8>>>,
    output: &Output<W>,
) -> Result<io::Result<()>, Error> {
    // The inputs first: they are small, and a mistake in them is likelier than one in the module.
    let text = str::from_utf8(&request.inputs).map_err(|error| Error::Syntax {
        reason: format!("not UTF-8 (byte {})", error.valid_up_to()),
    })?;
    let wanted = request.wanted;
    let inputs = match wanted.rehearse {
        true => crate::Inputs::default(),
        false => crate::parse_inputs(text)?,
    };
    let compiled =
        with_limited_memory(request.limits, || match (wanted.rehearse, wanted.record) {
            (true, _) => CompiledModule::to_rehearse(&request.module),
            (false, true) => CompiledModule::to_record(&request.module),
            (false, false) => CompiledModule::new(&request.module),
        })?;
    if let Err(gone) = output.send(&Message::Compiled) {
        return Ok(Err(gone));
    }
    let calculator = WitnessCalculator::new(compiled, request.limits)?;
    if let Err(gone) = output.send(&Message::Started(calculator.curve())) {
        return Ok(Err(gone));
    }
    match calculator.curve() {
        PairingCurve::Bn254 if wanted.rehearse => rehearse::<Bn254, W>(&calculator, output),
        PairingCurve::Bls12_381 if wanted.rehearse => rehearse::<Bls12_381, W>(&calculator, output),
        PairingCurve::Bn254 => run::<Bn254, W>(&calculator, &inputs, request, output),
        PairingCurve::Bls12_381 => run::<Bls12_381, W>(&calculator, &inputs, request, output),
    }
}

fn rehearse<E: PairingEngine, W: Write>(
    calculator: &WitnessCalculator,
    output: &Output<W>,
) -> Result<io::Result<()>, Error> {
    let run = calculator.rehearse_over::<E>()?;
    let run = run.map_or_else(Vec::new, |run| run.to_bytes());
    let told = output.send(&Message::Rehearsed);
    Ok(told.and_then(|()| output.send(&Message::Run(run))))
}

fn run<E: PairingEngine, W: Write + Send + 'static>(
    calculator: &WitnessCalculator,
    inputs: &crate::Inputs,
    request: &Request<Zeroizing<Vec<u8>>>,
    output: &Output<W>,
) -> Result<io::Result<()>, Error> {
    let wanted = request.wanted;
    let log = wanted.log.then(|| {
        let output = Output(Arc::clone(&output.0));
        let log: LogSink = Box::new(move |line: &str| {
            // If the parent is gone, the witness will not be sent either.
            let _ = output.send(&Message::Log(line.to_owned()));
        });
        log
    });
    let mut unfinished = None;
    let made = match wanted.record {
        true => calculator.record_over::<E>(inputs, log),
        false => {
            let witness =
                calculator.run::<E>(inputs, log, wanted.values.then_some(&mut unfinished));
            witness.map(|witness| (witness, None))
        }
    };
    let (witness, recorded) = match (made, unfinished) {
        (Ok(made), _) => made,
        (Err(error), Some(wires)) => {
            let mut out = output.0.lock().unwrap_or_else(PoisonError::into_inner);
            let written = Message::Unfinished
                .write(&mut *out)
                .and_then(|()| write_values(&mut *out, &wires));
            return written.map_or_else(|gone| Ok(Err(gone)), |()| Err(error));
        }
        (Err(error), _) => return Err(error),
    };
    let recorded = recorded.map_or_else(Vec::new, |recorded| recorded.to_bytes());
    let mut out = output.0.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Message::Witness
        .write(&mut *out)
        .and_then(|()| write_values(&mut *out, &witness))
        .and_then(|()| Message::Run(recorded).write(&mut *out)))
}

fn write_values<E: PairingEngine>(out: &mut impl Write, wires: &Wtns<E>) -> io::Result<()> {
    Values::write(out, wires.len(), |index| *wires.get(index).words())
}

/// Runs `task` in as much memory as there is in use now, and what the limits allow. An allocation beyond that ends the
/// process.
#[cfg(target_os = "linux")]
fn with_limited_memory<T>(limits: Limits, task: impl FnOnce() -> T) -> T {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Data);
    let limit = used_bytes()
        .saturating_add(limits.memory_bytes)
        .saturating_add(TRANSLATOR_BYTES);
    let limit = before.current.map_or(limit, |current| current.min(limit));
    let limited = setrlimit(
        Resource::Data,
        Rlimit {
            current: Some(limit),
            maximum: before.maximum,
        },
    );
    let result = task();
    if limited.is_ok() {
        // What runs has limits of its own. Up to the maximum anybody may.
        let _ = setrlimit(Resource::Data, before);
    }
    result
}

#[cfg(not(target_os = "linux"))]
fn with_limited_memory<T>(_limits: Limits, task: impl FnOnce() -> T) -> T {
    task()
}

/// Bytes of private memory that the process has, as `RLIMIT_DATA` counts them.
#[cfg(target_os = "linux")]
fn used_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    let kibibytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.unwrap_or(0) << 10
}

/// Also when the parent is killed, nothing goes on calculating.
#[cfg(target_os = "linux")]
fn end_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // Without it the child ends when it writes to a pipe that nobody reads.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

#[cfg(not(target_os = "linux"))]
fn end_with_parent() {}
