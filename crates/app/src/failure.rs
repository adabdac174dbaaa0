//! From the errors of the crates below to an exit code and one line.
//!
//! | exit code | status | meaning |
//! |---|---|---|
//! | 0 | `ok` | done, or valid |
//! | 1 | `rejected` | an invalid proof, or inputs that do not satisfy the circuit |
//! | 2 | `bad input` | a bad argument or file, or a file that cannot be written |
//! | 3 | `cancelled` | it was asked to stop |

use std::path::Path;

/// A reason for which a task did not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The proof is invalid, or the inputs do not satisfy the circuit. Exit code 1.
    Rejected(String),
    /// A file or an argument is bad, or a file cannot be written. Exit code 2.
    BadInput(String),
    /// It was asked to stop. Exit code 3.
    Cancelled,
}

impl Failure {
    /// 1, 2 or 3.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Rejected(_) => 1,
            Failure::BadInput(_) => 2,
            Failure::Cancelled => 3,
        }
    }

    /// The word for it in JSON results.
    pub fn status(&self) -> &'static str {
        match self {
            Failure::Rejected(_) => "rejected",
            Failure::BadInput(_) => "bad input",
            Failure::Cancelled => "cancelled",
        }
    }

    /// The event, without a line break.
    pub fn message(&self) -> String {
        let message = match self {
            Failure::Rejected(message) | Failure::BadInput(message) => message,
            Failure::Cancelled => "cancelled",
        };
        let lines: Vec<&str> = message.lines().map(str::trim).collect();
        lines.join(" ")
    }

    /// The same failure, with more to say about it.
    pub fn adding(self, more: &str) -> Self {
        match self {
            Failure::Rejected(message) => Failure::Rejected(format!("{message}; {more}")),
            Failure::BadInput(message) => Failure::BadInput(format!("{message}; {more}")),
            Failure::Cancelled => Failure::Cancelled,
        }
    }

    /// The same failure, with the file's name in front unless the message has it.
    pub fn about(self, path: &Path) -> Self {
        let name = path.display().to_string();
        let prefixed = |message: String| match message.contains(&name) {
            true => message,
            false => format!("{name}: {message}"),
        };
        match self {
            Failure::Rejected(message) => Failure::Rejected(prefixed(message)),
            Failure::BadInput(message) => Failure::BadInput(prefixed(message)),
            Failure::Cancelled => Failure::Cancelled,
        }
    }
}

/// The file that an error is about, if it is of the file itself and not of what it holds.
pub fn file_of(error: &frumious_groth16::Error) -> Option<&Path> {
    use frumious_mapping::Error::{ChangedInUse, WrittenInUse};
    match error.source_as()? {
        frumious_circom::Error::File(ChangedInUse { path, .. } | WrittenInUse { path }) => {
            Some(path)
        }
        _ => None,
    }
}

/// Names the file that an error is about: `Wtns::open(path).about(path)?`.
pub trait About<T> {
    /// The result with a failure for an error, which names `path`.
    ///
    /// # Errors
    /// That failure.
    fn about(self, path: &Path) -> Result<T, Failure>;
}

impl<T, E: Into<Failure>> About<T> for Result<T, E> {
    fn about(self, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| error.into().about(path))
    }
}

impl From<frumious_circom::Error> for Failure {
    fn from(error: frumious_circom::Error) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<frumious_mapping::Error> for Failure {
    fn from(error: frumious_mapping::Error) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<frumious_groth16::Error> for Failure {
    fn from(error: frumious_groth16::Error) -> Self {
        match error {
            frumious_groth16::Error::Unsatisfied => Failure::Rejected(error.to_string()),
            _ => Failure::BadInput(error.to_string()),
        }
    }
}

impl From<frumious_wasm::NotAModule> for Failure {
    fn from(error: frumious_wasm::NotAModule) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<frumious_witness::Error> for Failure {
    fn from(error: frumious_witness::Error) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<frumious_verkle::Error> for Failure {
    fn from(error: frumious_verkle::Error) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<frumious_verkle::tree::TreeError> for Failure {
    fn from(error: frumious_verkle::tree::TreeError) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<frumious_verkle_json::Error> for Failure {
    fn from(error: frumious_verkle_json::Error) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::BadInput(error.to_string())
    }
}
