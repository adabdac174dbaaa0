//! From the errors of the crates below to an exit code, a code for programs, and one line.
//!
//! | exit code | status | meaning |
//! |---|---|---|
//! | 0 | `ok` | done, or valid |
//! | 1 | `rejected` | an invalid proof, or inputs that do not satisfy the circuit |
//! | 2 | `bad input` | a bad argument or file: the same command fails again |
//! | 3 | `try again` | no memory, no room, no permission, interrupted: the same command may work later |

mod from;

use std::io::{self, ErrorKind};
use std::path::Path;

pub use from::file_of;

/// A reason for which a task did not do its work.
#[derive(Debug)]
pub struct Failure {
    code: Code,
    message: String,
    lines: Vec<u64>,
}

/// The kinds of failure, which programs may tell apart. A code keeps its word and its exit code from version to
/// version; new ones may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The proof is not valid.
    InvalidProof,
    /// A witness or inputs do not satisfy the circuit.
    Unsatisfied,
    /// Something else that was to be true is false.
    Rejected,
    /// The arguments are not those of any command.
    Usage,
    /// A file is of another kind than its place is for.
    WrongKind,
    /// A file is not there.
    NotFound,
    /// A file that exists would be replaced.
    WouldReplace,
    /// A key lacks a contribution, so that anyone can forge proofs under it.
    Uncontributed,
    /// Anything else that is wrong with an argument or a file.
    BadInput,
    /// A disk is full.
    NoSpace,
    /// The operating system does not permit it.
    Permission,
    /// More memory is needed than there is, or than is allowed.
    MemoryLimit,
    /// More time is needed than is allowed.
    TimeLimit,
    /// Another process is at the same work.
    Busy,
    /// A file was changed while it was in use.
    Changed,
    /// It was asked to stop.
    Interrupted,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::InvalidProof,
        Self::Unsatisfied,
        Self::Rejected,
        Self::Usage,
        Self::WrongKind,
        Self::NotFound,
        Self::WouldReplace,
        Self::Uncontributed,
        Self::BadInput,
        Self::NoSpace,
        Self::Permission,
        Self::MemoryLimit,
        Self::TimeLimit,
        Self::Busy,
        Self::Changed,
        Self::Interrupted,
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidProof => "invalid_proof",
            Self::Unsatisfied => "unsatisfied",
            Self::Rejected => "rejected",
            Self::Usage => "usage",
            Self::WrongKind => "wrong_kind",
            Self::NotFound => "not_found",
            Self::WouldReplace => "would_replace",
            Self::Uncontributed => "uncontributed",
            Self::BadInput => "bad_input",
            Self::NoSpace => "no_space",
            Self::Permission => "permission",
            Self::MemoryLimit => "memory_limit",
            Self::TimeLimit => "time_limit",
            Self::Busy => "busy",
            Self::Changed => "changed",
            Self::Interrupted => "interrupted",
        }
    }

    /// 1, 2 or 3.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::InvalidProof | Self::Unsatisfied | Self::Rejected => 1,
            Self::Usage
            | Self::WrongKind
            | Self::NotFound
            | Self::WouldReplace
            | Self::Uncontributed
            | Self::BadInput => 2,
            Self::NoSpace
            | Self::Permission
            | Self::MemoryLimit
            | Self::TimeLimit
            | Self::Busy
            | Self::Changed
            | Self::Interrupted => 3,
        }
    }

    /// The code of an error of the operating system.
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::NoSpace
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::Permission,
            ErrorKind::OutOfMemory => Self::MemoryLimit,
            // The last is what a new thread or process is refused with.
            ErrorKind::ResourceBusy | ErrorKind::TimedOut | ErrorKind::WouldBlock => Self::Busy,
            ErrorKind::NotFound => Self::NotFound,
            _ => Self::BadInput,
        }
    }
}

impl Failure {
    /// A failure of this kind.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            lines: Vec::new(),
        }
    }

    /// Something that was to be true is false.
    pub fn rejected(message: impl Into<String>) -> Self {
        Self::new(Code::Rejected, message)
    }

    /// An argument or a file is bad.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message)
    }

    /// It was asked to stop.
    pub fn interrupted() -> Self {
        Self::new(Code::Interrupted, "interrupted")
    }

    /// The operating system refused `what`.
    pub fn of_system(what: &str, error: &io::Error) -> Self {
        Self::new(Code::of(error), format!("{what}: {error}"))
    }

    /// The same failure, of these lines of a file of many tasks, numbered from 1.
    #[must_use]
    pub fn of_lines(mut self, lines: Vec<u64>) -> Self {
        self.lines = lines;
        self
    }

    /// The lines that are at fault, if it is a failure of lines.
    pub fn lines(&self) -> &[u64] {
        &self.lines
    }

    /// Its kind.
    pub fn code(&self) -> Code {
        self.code
    }

    /// 1, 2 or 3.
    pub fn exit_code(&self) -> u8 {
        self.code.exit_code()
    }

    /// The word for its exit code in JSON results.
    pub fn status(&self) -> &'static str {
        match self.exit_code() {
            1 => "rejected",
            2 => "bad input",
            _ => "try again",
        }
    }

    /// The event, without a line break.
    pub fn message(&self) -> String {
        let lines: Vec<&str> = self.message.lines().map(str::trim).collect();
        lines.join(" ")
    }

    /// The same failure, with more to say about it.
    pub fn adding(mut self, more: &str) -> Self {
        self.message = format!("{}; {more}", self.message);
        self
    }

    /// The same failure, with a sentence more.
    pub fn hinting(mut self, sentence: &str) -> Self {
        self.message = format!("{}. {sentence}", self.message.trim_end_matches('.'));
        self
    }

    /// The same failure, with the file's name in front unless the message has it.
    pub fn about(mut self, path: &Path) -> Self {
        let name = path.display().to_string();
        // A name without a dot may be a word of the message.
        let is_named = match name.contains('.') {
            true => self.message.contains(&name),
            false => self.message.starts_with(&name),
        };
        if self.code != Code::Interrupted && !is_named {
            self.message = format!("{name}: {}", self.message);
        }
        self
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_words_of_their_own() {
        let mut words: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Code::ALL.len());
        assert!(
            Code::ALL
                .iter()
                .all(|code| (1..=3).contains(&code.exit_code()))
        );
    }

    #[test]
    fn what_the_system_refuses_may_work_later() {
        for (kind, code) in [
            (ErrorKind::StorageFull, Code::NoSpace),
            (ErrorKind::PermissionDenied, Code::Permission),
            (ErrorKind::OutOfMemory, Code::MemoryLimit),
            (ErrorKind::ResourceBusy, Code::Busy),
            (ErrorKind::NotFound, Code::NotFound),
            (ErrorKind::InvalidData, Code::BadInput),
        ] {
            let failure = Failure::of_system("cannot write x", &kind.into());
            assert_eq!(failure.code(), code, "{kind:?}");
        }
    }

    #[test]
    fn messages_grow() {
        let failure = Failure::bad_input("broken\n  twice").about(Path::new("x.zkey"));
        assert_eq!(failure.message(), "x.zkey: broken twice");
        let failure = failure.about(Path::new("x.zkey")).hinting("Next: mend it.");
        assert_eq!(failure.message(), "x.zkey: broken twice. Next: mend it.");
        let interrupted = Failure::interrupted().about(Path::new("x.zkey"));
        assert_eq!(interrupted.message(), "interrupted");
    }
}
