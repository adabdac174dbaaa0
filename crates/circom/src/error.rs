//! Errors of files: one [`Error`], which names the file, the place in it, and the fault.

use std::fmt;
use std::path::{Path, PathBuf};

use frumious_curves::{EncodingError, PairingCurve};
use frumious_mapping::FileBytes;

/// A file that cannot be read, is not what it should be, or cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened, mapped or read.
    #[error(transparent)]
    File(#[from] frumious_mapping::Error),
    /// The bytes break a rule of the format.
    #[error("{}{file} file, {place}: {problem}", prefix(path))]
    Malformed {
        /// The file, when the bytes came from one.
        path: Option<PathBuf>,
        /// The kind of file it should have been.
        file: FileKind,
        /// Where the rule is broken.
        place: Place,
        /// Which rule.
        problem: Problem,
    },
    /// Writing failed.
    #[error("cannot write the {file} file: {source}")]
    Write {
        /// The kind of file that was written.
        file: FileKind,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// A section was given another number of entries, or in another order, than the header announces.
    #[error("writing the {file} file, {}: {actual} entries given, {expected} expected", section_name(*file, *section))]
    WrongCount {
        /// The kind of file that was written.
        file: FileKind,
        /// Type of the section.
        section: u32,
        /// Entries the header announces.
        expected: u64,
        /// Entries given when the mistake was noticed.
        actual: u64,
    },
}

/// The kinds of file this crate knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Constraint system.
    R1cs,
    /// Witness.
    Wtns,
    /// Proving key.
    Zkey,
    /// Proving key in a container of our own.
    Fkey,
    /// Powers of tau.
    Ptau,
    /// Parameters of a circuit's ceremony, as bellman's programs have them.
    MpcParams,
    /// Proof as JSON.
    ProofJson,
    /// Verification key as JSON.
    VerifyingKeyJson,
    /// Public signals as JSON.
    PublicJson,
}

/// Where in a file a rule is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Before the first section, or in the frame around the sections.
    Frame {
        /// Bytes from the start of the file.
        offset: u64,
    },
    /// In a section.
    Section {
        /// The contents of the section.
        name: &'static str,
        /// Type of the section.
        section: u32,
        /// Bytes from the start of the file.
        offset: u64,
    },
    /// In a part of a file whose parts have no numbers.
    Part {
        /// The contents of the part.
        name: &'static str,
        /// Bytes from the start of the file.
        offset: u64,
    },
    /// At a byte of a file that has no sections.
    Byte {
        /// Bytes from the start of the file.
        offset: u64,
    },
    /// In a JSON value, as a path from the root such as `$.pi_b[0][1]`.
    Json(String),
}

/// The rule that is broken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file or section ends too early.
    #[error("{needed} bytes are needed and {available} are left")]
    Truncated {
        /// Bytes the next item takes.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// The first four bytes are those of another kind of file.
    #[error("the file starts with {0:02x?}, which is another kind of file")]
    Magic([u8; 4]),
    /// Unknown version of the format.
    #[error("version {0} is not supported")]
    Version(u32),
    /// A needed section is absent.
    #[error("the section is missing")]
    MissingSection,
    /// A section that must be unique occurs again here.
    #[error("the section occurs a second time")]
    DuplicateSection,
    /// The section is longer or shorter than the counts in the header say.
    #[error("the section has {actual} bytes where the header's counts need {expected}")]
    SectionLength {
        /// Bytes the counts need.
        expected: u64,
        /// Bytes the section has.
        actual: u64,
    },
    /// The file is for another field or curve.
    #[error("the prime is not {curve}'s {field}{}", found_curve(found))]
    Prime {
        /// The curve that was expected.
        curve: PairingCurve,
        /// Which of its fields.
        field: &'static str,
        /// The curve that the prime belongs to, if it is a known one.
        found: Option<PairingCurve>,
    },
    /// The file is for no curve that is known here.
    #[error("the prime is the {0} of neither BN254 nor BLS12-381")]
    UnknownPrime(&'static str),
    /// The file is for another proof system.
    #[error("protocol {0} is not Groth16 (1)")]
    Protocol(u32),
    /// The circuit uses PLONK custom gates.
    #[error("the circuit uses custom gates, which Groth16 cannot express")]
    CustomGates,
    /// The domain is not a power of two in the allowed range.
    #[error("domain size {size} is not a power of two between 1 and 2^{max_log}")]
    DomainSize {
        /// The size found.
        size: u32,
        /// Binary logarithm of the largest size.
        max_log: u32,
    },
    /// An index or count is not below its bound.
    #[error("{what} {value} is not below {bound}")]
    OutOfRange {
        /// The thing that is counted.
        what: &'static str,
        /// The value found.
        value: u64,
        /// The first value that is too large.
        bound: u64,
    },
    /// There are more or fewer of something than there should be.
    #[error("there are {actual} {what} where there should be {expected}")]
    Count {
        /// The thing that is counted.
        what: &'static str,
        /// The right number.
        expected: u64,
        /// The number found.
        actual: u64,
    },
    /// A number is not below the modulus of its field.
    #[error("the number is not below the modulus")]
    NotCanonical,
    /// The witness does not start with the constant one.
    #[error("the first witness value is not 1")]
    FirstValueNotOne,
    /// The bytes or numbers are not a point of the group.
    #[error("{0}")]
    Point(EncodingError),
    /// The point at infinity, where the protocol is not sound with it.
    #[error("the point is the point at infinity")]
    Infinity,
    /// A wire's entries in sections 6 and 7 (B1, B2) are not both at infinity or both not.
    #[error("wire {wire} is at infinity in only one of B1 and B2")]
    InfinityMismatch {
        /// The wire.
        wire: u64,
    },
    /// The powers of tau lack the sections of phase 2.
    #[error("the powers of tau are not prepared for phase 2")]
    NotPrepared,
    /// The file does not end as one that was written to its end.
    #[error("the file does not end with its table: it was cut off")]
    CutOff,
    /// The bytes do not have the digest that was written with them.
    #[error("the checksum is wrong: the file is corrupt")]
    Checksum,
    /// Another number of points is marked as present than is there.
    #[error("{actual} of the points are marked as present where {expected} are")]
    Bitmap {
        /// Points that are there.
        expected: u64,
        /// Points that are marked.
        actual: u64,
    },
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// The JSON value is not of the expected form.
    #[error("expected {0}")]
    Expected(&'static str),
}

impl Error {
    /// The same error, with the name of the file when it had none.
    pub fn in_file(mut self, name: &Path) -> Self {
        if let Error::Malformed { path, .. } = &mut self {
            path.get_or_insert_with(|| name.to_owned());
        }
        self
    }

    /// The same error, with the name of the file that `bytes` are mapped from, if any.
    pub fn in_file_of(self, bytes: &FileBytes) -> Self {
        match bytes.path() {
            Some(path) => self.in_file(path),
            None => self,
        }
    }

    /// A broken rule at a path of a JSON document.
    pub fn json(file: FileKind, path: impl Into<String>, problem: Problem) -> Self {
        Error::Malformed {
            path: None,
            file,
            place: Place::Json(path.into()),
            problem,
        }
    }

    /// A broken rule in the frame around the sections.
    pub fn frame(file: FileKind, offset: u64, problem: Problem) -> Self {
        Error::Malformed {
            path: None,
            file,
            place: Place::Frame { offset },
            problem,
        }
    }

    /// A broken rule at a byte of a file that has no sections.
    pub fn byte(file: FileKind, offset: u64, problem: Problem) -> Self {
        Error::Malformed {
            path: None,
            file,
            place: Place::Byte { offset },
            problem,
        }
    }

    /// A broken rule in a section, or in a part that has no number.
    pub fn section(file: FileKind, section: u32, offset: u64, problem: Problem) -> Self {
        let name = section_name(file, section);
        let place = match file {
            FileKind::MpcParams => Place::Part { name, offset },
            _ => Place::Section {
                name,
                section,
                offset,
            },
        };
        Error::Malformed {
            path: None,
            file,
            place,
            problem,
        }
    }
}

/// Runs a parser, and names the file in its error.
///
/// # Errors
/// That of the parser, with the file's name.
pub fn parse_file<T>(
    bytes: &FileBytes,
    parser: impl FnOnce(&[u8]) -> Result<T, Error>,
) -> Result<T, Error> {
    parser(bytes).map_err(|error| error.in_file_of(bytes))
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileKind::R1cs => "r1cs",
            FileKind::Wtns => "wtns",
            FileKind::Zkey => "zkey",
            FileKind::Fkey => "fkey",
            FileKind::Ptau => "ptau",
            FileKind::MpcParams => "mpcparams",
            FileKind::ProofJson => "proof",
            FileKind::VerifyingKeyJson => "verification key",
            FileKind::PublicJson => "public signals",
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Frame { offset } => write!(f, "section table, byte {offset}"),
            Place::Section {
                name,
                section,
                offset,
            } => write!(f, "section {section} ({name}), byte {offset}"),
            Place::Part { name, offset } => write!(f, "{name}, byte {offset}"),
            Place::Byte { offset } => write!(f, "byte {offset}"),
            Place::Json(path) => write!(f, "at {path}"),
        }
    }
}

/// `"path: "`, or nothing for bytes that came from no file.
fn prefix(path: &Option<PathBuf>) -> String {
    path.as_ref()
        .map(|path| format!("{}: ", path.display()))
        .unwrap_or_default()
}

/// `", but one of BLS12-381"`, or nothing if no known curve has that prime.
fn found_curve(found: &Option<PairingCurve>) -> String {
    found
        .map(|curve| format!(", but one of {curve}"))
        .unwrap_or_default()
}

/// The contents of a section, for messages.
pub fn section_name(file: FileKind, section: u32) -> &'static str {
    match (file, section) {
        (_, 1) => "header",
        (FileKind::R1cs, 2) => "constraints",
        (FileKind::R1cs, 3) => "labels",
        (FileKind::R1cs, 4) => "custom gates list",
        (FileKind::R1cs, 5) => "custom gates uses",
        (FileKind::Wtns, 2) => "values",
        (FileKind::Zkey | FileKind::Fkey, 2) => "Groth16 header",
        (FileKind::Zkey | FileKind::Fkey, 3) => "IC",
        (FileKind::Zkey | FileKind::Fkey, 4) => "coefficients",
        (FileKind::Zkey | FileKind::Fkey, 5) => "A",
        (FileKind::Zkey | FileKind::Fkey, 6) => "B1",
        (FileKind::Zkey | FileKind::Fkey, 7) => "B2",
        (FileKind::Zkey | FileKind::Fkey, 8) => "C",
        (FileKind::Zkey | FileKind::Fkey, 9) => "H",
        (FileKind::Zkey | FileKind::Fkey, 10) => "contributions",
        (FileKind::MpcParams, 3) => "IC",
        (FileKind::MpcParams, 5) => "A",
        (FileKind::MpcParams, 6) => "B1",
        (FileKind::MpcParams, 7) => "B2",
        (FileKind::MpcParams, 8) => "L",
        (FileKind::MpcParams, 9) => "H",
        (FileKind::MpcParams, 10) => "contributions",
        (FileKind::Ptau, 2) => "tauG1",
        (FileKind::Ptau, 3) => "tauG2",
        (FileKind::Ptau, 4) => "alphaTauG1",
        (FileKind::Ptau, 5) => "betaTauG1",
        (FileKind::Ptau, 6) => "betaG2",
        (FileKind::Ptau, 7) => "contributions",
        (FileKind::Ptau, 12) => "Lagrange tauG1",
        (FileKind::Ptau, 13) => "Lagrange tauG2",
        (FileKind::Ptau, 14) => "Lagrange alphaTauG1",
        (FileKind::Ptau, 15) => "Lagrange betaTauG1",
        _ => "unknown",
    }
}
