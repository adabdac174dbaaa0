//! Errors, by event. No variant carries the value of a signal.

/// The reason for which no witness came out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not a WebAssembly module that validates.
    #[error("not a valid WebAssembly module: {reason}")]
    Module {
        /// The validator's reason.
        reason: String,
    },
    /// The module is valid, but not a witness generator of circom 2, or over another curve.
    #[error("not a circom 2 witness generator that can be used here: {problem}")]
    Interface {
        /// The part that is missing or different.
        problem: String,
    },
    /// The bytes are not a graph that can be run.
    #[error(transparent)]
    Graph(#[from] crate::BadGraph),
    /// The inputs are not JSON.
    #[error("the inputs are not JSON: {reason}")]
    Syntax {
        /// The parser's reason, with line and column.
        reason: String,
    },
    /// An input is not what the circuit takes.
    #[error("input signal {:?}: {problem}", beginning(signal))]
    Input {
        /// Name of the signal, qualified by those around it.
        signal: String,
        /// The fault.
        problem: InputProblem,
    },
    /// Some input signals have no value.
    #[error("the circuit takes {expected} input values and {given} were given")]
    MissingInputs {
        /// Number of values given.
        given: u64,
        /// Number of values that the circuit takes.
        expected: u64,
    },
    /// A constraint or an `assert` of the circuit does not hold for these inputs.
    #[error(
        "the inputs do not satisfy the circuit: an assertion failed{}",
        location(trace)
    )]
    Unsatisfied {
        /// The module's account of where, innermost template first: `Error in template T_0 line: 3`.
        trace: String,
        /// The innermost place.
        place: Option<Place>,
    },
    /// The module gave up for another reason than an assertion.
    #[error("the witness generator gave up: {reason}{}", location(trace))]
    Exception {
        /// The meaning of circom's exception code.
        reason: &'static str,
        /// The module's account of where.
        trace: String,
    },
    /// The module was stopped at one of the [`Limits`](crate::Limits).
    #[error("the witness generator was stopped: {0}")]
    Stopped(Limit),
    /// The module crashed.
    #[error("the witness generator crashed: {reason}")]
    Crashed {
        /// The WebAssembly trap.
        reason: String,
    },
    /// The module does something that only itself can: it has to run as it is. No public function returns it.
    #[error("the witness generator cannot be run in this way")]
    Unnatural,
    /// The module's witness is none: a value that is not below r, or a first value that is not one.
    #[error("the witness generator's result is not a witness: {0}")]
    Result(frumious_circom::Error),
}

/// The fault of an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputProblem {
    /// The circuit has no input signal of this name.
    #[error("the circuit has no such input")]
    Unknown,
    /// The signal takes more values, or fewer.
    #[error("takes {expected} values and {given} were given")]
    Count {
        /// Number of values that the signal takes.
        expected: u64,
        /// Number of values given.
        given: u64,
    },
    /// The value is not an integer.
    #[error(
        "value {index} is not an integer (a number, or a string with a decimal, 0x, 0o or 0b number)"
    )]
    NotAnInteger {
        /// Index of the value among those of the signal, nested arrays flattened.
        index: usize,
    },
    /// The value is a number that JavaScript and circom's own programs take for infinite, or do not read.
    #[error(
        "value {index} is a number beyond 1.8e308, which other readers of JSON take for infinite"
    )]
    Infinite {
        /// Index of the value among those of the signal, nested arrays flattened.
        index: usize,
    },
    /// An array holds objects beside numbers.
    #[error("an array holds objects beside numbers")]
    Mixed,
    /// The signal is given twice, once nested and once by its qualified name.
    #[error("is given twice")]
    Repeated,
    /// The name, with those of the objects around it, is longer than any circuit's.
    #[error("the name has more than 1024 bytes")]
    LongName,
    /// The outermost value is not an object.
    #[error("the inputs must be an object of signal names")]
    NotAnObject,
}

impl wasmi::errors::HostError for Limit {}

/// The limit at which a module was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Limit {
    /// It ran too long.
    #[error("it ran longer than {seconds} seconds")]
    Time {
        /// The limit, in seconds.
        seconds: u64,
    },
    /// It asked for too much memory, or announced a witness too large for it.
    #[error("it needs more than {bytes} bytes of memory")]
    Memory {
        /// The limit, in bytes.
        bytes: u64,
    },
}

/// The place of an assertion that failed, as far as a generator tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A template, by the number that circom gave it. A `.sym` has it for each signal. The component is not told.
    Template(u32),
    /// A component, by its path from `main` on.
    Component(String),
}

impl Place {
    /// In a module's account: `Error in template T_0 line: 3`, innermost first.
    pub(crate) fn in_trace(trace: &str) -> Option<Self> {
        let line = trace
            .lines()
            .find_map(|line| line.strip_prefix("Error in template "));
        let (name, _) = line?.split_once(' ')?;
        let (_, number) = name.rsplit_once('_')?;
        Some(Self::Template(number.parse().ok()?))
    }
}

/// A name as it is, or its beginning: whoever makes the inputs chooses it, and an error is kept and shown.
pub(crate) fn beginning(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Characters of a name that are told.
const LONGEST_NAME: usize = 200;

/// `": trace"` on one line, or nothing.
fn location(trace: &str) -> String {
    let lines: Vec<&str> = trace.lines().filter(|line| !line.is_empty()).collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!(": {}", lines.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        let message = |length: usize| {
            let (signal, problem) = ("é".repeat(length), InputProblem::Unknown);
            Error::Input { signal, problem }.to_string()
        };
        let told = |length: usize| message(length).matches('é').count();
        assert_eq!(
            [1, 199, 200, 201, 1_000_000].map(told),
            [1, 199, 200, 200, 200]
        );
        assert!(message(201).contains('…') && !message(200).contains('…'));
    }

    #[test]
    fn places_are_read_from_accounts() {
        let account = "Error in template Num2Bits_17 line: 38\nError in template Main_3 line: 2\n";
        assert_eq!(Place::in_trace(account), Some(Place::Template(17)));
        let late = "something\nError in template a_b_0 line: 1";
        assert_eq!(Place::in_trace(late), Some(Place::Template(0)));
        for other in [
            "",
            "Error in template",
            "Error in template T line: 3",
            "Error in template T_x line: 3",
        ] {
            assert_eq!(Place::in_trace(other), None, "{other}");
        }
    }
}
