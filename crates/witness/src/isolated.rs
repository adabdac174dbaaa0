//! A witness calculated by a process of its own.
//!
//! A WebAssembly module is somebody else's program, and takes as much time and memory as it likes, also while it is
//! translated for the interpreter. So it runs in a child process. The parent ends it when its time is over. The
//! operating system refuses it more memory than it may have.
//!
//! Nothing goes through the disk. Module and inputs go in by a pipe, the witness comes out by another. What the child
//! held of either is gone when it ends, before the witness is used.
//!
//! | bound | translating | running |
//! |---|---|---|
//! | time | the parent's clock | the [deadline](crate::Limits::time) in the interpreter, and the parent's clock beside it |
//! | memory | the operating system (`RLIMIT_DATA`): what a module may have, and 64 MiB | of the module: what it may have; of its table and its witness: as much |
//!
//! The child is the same program, started with an argument at which it calls [`serve`]. Where there is no `RLIMIT_DATA`
//! memory is not bounded while translating; time is.
//!
//! A run may be recorded. The tape that comes back is checked as any file from elsewhere is. From then on it runs in
//! the parent: a [tape](frumious_tape) cannot do more than field arithmetic.

mod message;
mod serve;

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_parallel::check_cancelled;

use crate::calculator::Recorded;
use crate::children;
use crate::error::{Error, Limit, Place};
use crate::host::Limits;
use crate::tapes::RecordedRun;
use message::{Message, Request, Values, read_run};
pub use serve::serve;

/// The reason for which there is no witness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The cause.
    pub blame: Blame,
    /// The reason. No value of a signal.
    pub message: String,
}

/// The cause for which there is no witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The inputs are no JSON, or not those of the circuit.
    Inputs,
    /// The inputs leave signals out.
    Missing {
        /// Number of values that all inputs of the circuit take.
        expected: u64,
    },
    /// The inputs do not satisfy the circuit: an assertion failed.
    Unsatisfied(Option<Place>),
    /// The module, or what it takes.
    Module,
    /// A program, which was ended by a signal.
    Crash,
    /// It takes longer than its [`Limits`] allow.
    Time,
    /// It takes more memory than its [`Limits`] allow.
    Memory,
    /// This system: no process could be started, or another ended it.
    System,
}

/// A choice of what comes beside the witness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The lines of the circuit's `log()`, which may tell secrets.
    pub log: bool,
    /// The run as a tape, if it can be one.
    pub record: bool,
    /// The wires when an assertion failed, which are secret. Not of a run that is recorded.
    pub values: bool,
    /// In place of a witness only a tape, of a [rehearsal](crate::WitnessCalculator::rehearse_over). The inputs count
    /// for nothing.
    pub rehearse: bool,
}

/// A module that has been compiled, has started, and calculates the witness in its process. Dropped, it ends.
pub struct Running {
    process: Process,
    limits: Limits,
    curve: PairingCurve,
}

impl Running {
    /// Starts `program`, a command that calls [`serve`] with its standard input and output. Waits until the module is
    /// translated and has told what it is.
    ///
    /// `inputs` is the text of `input.json`.
    ///
    /// # Errors
    /// A [`Refusal`] with what [`WitnessCalculator::new`](crate::WitnessCalculator::new) and
    /// [`parse_inputs`](crate::parse_inputs) say. For a module that takes too long or too much to compile; if the
    /// process cannot be started or dies.
    pub fn start(
        mut program: Command,
        module: &[u8],
        inputs: &[u8],
        limits: Limits,
        wanted: Wanted,
    ) -> Result<Self, Refusal> {
        let not_started = |error| {
            refusal(
                Blame::System,
                format!("cannot start a process for the witness: {error}"),
            )
        };
        let (ours, theirs) = children::way_in().map_err(not_started)?;
        program
            .stdin(theirs)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        children::set_apart(&mut program);
        let child = program.spawn().map_err(not_started)?;
        drop(program); // and its share of the way in
        let mut process = Process::new(child, limits)?;
        let request = Request {
            limits,
            wanted,
            module,
            inputs,
        };
        // What it says when it ends before it has read everything is the reason.
        let mut stdin = ours;
        let _ = request.write(&mut stdin).and_then(|()| stdin.flush());
        drop(stdin); // its end
        let start = Instant::now();
        let too_long = || {
            let seconds = limits.time.as_secs_f64();
            refusal(
                Blame::Time,
                format!("translating the module takes longer than {seconds} seconds"),
            )
        };
        match process.next(start + limits.time, too_long)? {
            Message::Compiled => {}
            other => return Err(process.out_of_turn(&other)),
        }
        match process.next(Instant::now() + limits.time + GRACE, || stopped(limits))? {
            Message::Started(curve) => Ok(Self {
                process,
                limits,
                curve,
            }),
            other => Err(process.out_of_turn(&other)),
        }
    }

    /// The curve whose scalar field the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// Waits for the witness, which must be over the curve of `E`. `log` is called with the lines of the circuit's
    /// `log()`, which may tell secrets. `unfinished` gets the wires when an assertion failed, if they are wanted: zero
    /// where they were not computed yet.
    ///
    /// # Errors
    /// A [`Refusal`] with what [`WitnessCalculator::calculate_over`](crate::WitnessCalculator::calculate_over) says; if
    /// the process dies.
    pub fn finish<E: PairingEngine>(
        mut self,
        mut log: impl FnMut(&str),
        unfinished: &mut Option<Wtns<E>>,
    ) -> Result<Recorded<E>, Refusal> {
        if self.curve != E::CURVE {
            let problem = format!("its prime is {}'s, not {}'s", self.curve, E::CURVE);
            return Err(Error::Interface { problem }.into());
        }
        let limits = self.limits;
        let deadline = Instant::now() + limits.time + GRACE;
        loop {
            match self.process.next(deadline, || stopped(limits))? {
                Message::Log(line) => log(&line),
                // The values, and then the refusal.
                Message::Unfinished => {}
                Message::Values(values) => *unfinished = Wtns::from_words(values.into_inner()).ok(),
                Message::Witness => break,
                other => return Err(self.process.out_of_turn(&other)),
            }
        }
        // It is there, and on its way.
        let mut next = || {
            let deadline = Instant::now() + TRANSFER;
            self.process.next(deadline, || stopped(limits))
        };
        let witness = match next()? {
            Message::Values(values) => Wtns::from_words(values.into_inner())
                .map_err(|error| Refusal::from(Error::Result(error)))?,
            other => return Err(self.process.out_of_turn(&other)),
        };
        let run = match next()? {
            Message::Run(bytes) => RecordedRun::from_bytes(&bytes).ok(),
            other => return Err(self.process.out_of_turn(&other)),
        };
        Ok((witness, run))
    }
}

impl Running {
    /// Waits for the tape of a rehearsal, if there can be one.
    ///
    /// # Errors
    /// A [`Refusal`] at a limit; if the process dies.
    pub fn finish_rehearsal<E: PairingEngine>(
        mut self,
    ) -> Result<Option<RecordedRun<E::Fr>>, Refusal> {
        let limits = self.limits;
        let deadline = Instant::now() + limits.time + GRACE;
        match self.process.next(deadline, || stopped(limits))? {
            Message::Rehearsed => {}
            other => return Err(self.process.out_of_turn(&other)),
        }
        let deadline = Instant::now() + TRANSFER;
        match self.process.next(deadline, || stopped(limits))? {
            Message::Run(bytes) => Ok(RecordedRun::from_bytes(&bytes).ok()),
            other => Err(self.process.out_of_turn(&other)),
        }
    }
}

/// The child, with what it says.
struct Process {
    child: Child,
    messages: Receiver<std::io::Result<Message>>,
    limits: Limits,
    compiled: bool,
}

impl Process {
    fn new(mut child: Child, limits: Limits) -> Result<Self, Refusal> {
        let most = limits.memory_bytes / Values::VALUE_BYTES;
        // One message at a time: what the child says waits in the pipe, and not in our memory.
        let (sender, messages) = sync_channel(0);
        let stdout = child.stdout.take();
        let reader = std::thread::Builder::new()
            .name("witness-reader".into())
            .spawn(move || {
                let Some(mut stdout) = stdout else { return };
                loop {
                    let message = Message::read(&mut stdout);
                    let is_last = message.is_err();
                    let wants_values = matches!(message, Ok(Message::Witness));
                    let is_rehearsed = matches!(message, Ok(Message::Rehearsed));
                    let is_unfinished = matches!(message, Ok(Message::Unfinished));
                    if sender.send(message).is_err() || is_last {
                        return;
                    }
                    if is_unfinished {
                        let values = Values::read(&mut stdout, most).map(Message::Values);
                        if sender.send(values).is_err() {
                            return;
                        }
                    }
                    if is_rehearsed {
                        let run = read_run(&mut stdout, limits.memory_bytes).map(Message::Run);
                        let _ = sender.send(run);
                        return;
                    }
                    if wants_values {
                        let values = Values::read(&mut stdout, most).map(Message::Values);
                        let _ = sender.send(values);
                        let run = read_run(&mut stdout, limits.memory_bytes).map(Message::Run);
                        let _ = sender.send(run);
                        return;
                    }
                }
            });
        let process = Self {
            child,
            messages,
            limits,
            compiled: false,
        };
        match reader {
            Ok(_) => Ok(process),
            Err(error) => Err(refusal(
                Blame::System,
                format!("cannot start a thread: {error}"),
            )),
        }
    }

    /// The next message, or the refusal that it is; after `deadline` that of `too_late`.
    fn next(
        &mut self,
        deadline: Instant,
        too_late: impl FnOnce() -> Refusal,
    ) -> Result<Message, Refusal> {
        let message = loop {
            check_cancelled(); // the child is killed when this is dropped
            let left = deadline.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left.min(BETWEEN_LOOKS)) {
                Err(RecvTimeoutError::Timeout) if left > BETWEEN_LOOKS => {}
                message => break message,
            }
        };
        match message {
            Ok(Ok(Message::Refused(refusal))) => Err(refusal),
            Ok(Ok(message)) => {
                self.compiled |= matches!(message, Message::Compiled);
                Ok(message)
            }
            Err(RecvTimeoutError::Timeout) => Err(too_late()),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.death()),
        }
    }

    /// It ended, or said what it never says.
    fn death(&mut self) -> Refusal {
        let status = self.end();
        if let Some(status) = status {
            children::look_for_cancellation_after(status);
        }
        let when = match self.compiled {
            true => "calculating",
            false => "translating",
        };
        match status {
            Some(status) if children::is_abort(status) => {
                let bytes = self.limits.memory_bytes;
                let message = match self.compiled {
                    false => format!(
                        "translating the module takes more than {} bytes of memory",
                        bytes.saturating_add(TRANSLATOR_BYTES)
                    ),
                    true => {
                        format!("its process found no memory, beside {bytes} bytes for the module")
                    }
                };
                refusal(Blame::Memory, message)
            }
            Some(status) => {
                let blame = match children::is_killed(status) {
                    true => Blame::System,
                    false => Blame::Module,
                };
                refusal(
                    blame,
                    format!("the process for it ended while {when}: {status}"),
                )
            }
            None => module_refusal(format!("the process for it ended while {when}")),
        }
    }

    /// Its end, if it came by itself; none if it has to be ended.
    fn end(&mut self) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + BETWEEN_LOOKS;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(BETWEEN_LOOKS / 50);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        None
    }

    fn out_of_turn(&mut self, message: &Message) -> Refusal {
        let _ = self.child.kill();
        module_refusal(format!(
            "the process for it is out of order: {}",
            message.name()
        ))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Whether it has ended by itself or not; then nothing of it is left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn module_refusal(message: String) -> Refusal {
    refusal(Blame::Module, message)
}

pub(crate) fn refusal(blame: Blame, message: String) -> Refusal {
    Refusal { blame, message }
}

fn stopped(limits: Limits) -> Refusal {
    let seconds = limits.time.as_secs();
    Error::Stopped(Limit::Time { seconds }).into()
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let blame = match &error {
            Error::Syntax { .. } | Error::Input { .. } => Blame::Inputs,
            Error::MissingInputs { expected, .. } => Blame::Missing {
                expected: *expected,
            },
            Error::Unsatisfied { place, .. } => Blame::Unsatisfied(place.clone()),
            Error::Stopped(Limit::Time { .. }) => Blame::Time,
            Error::Stopped(Limit::Memory { .. }) => Blame::Memory,
            _ => Blame::Module,
        };
        Self {
            blame,
            message: error.to_string(),
        }
    }
}

/// The translator's own memory, for any module.
const TRANSLATOR_BYTES: u64 = 64 << 20;

/// The time by which the parent's clock strikes later than the module's own.
const GRACE: Duration = Duration::from_secs(2);

/// The longest that a cancellation goes unseen.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// For the values of a witness to come through the pipe: 4 GB in ten minutes.
const TRANSFER: Duration = Duration::from_secs(600);
