//! Errors in proofs, in witnesses and in the use of a part of a tree. A false statement is no error.

use super::Key;
use frumious_curves::EncodingError;

/// The reason that an input was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The text is not JSON, or its values are not of the form of a witness.
    #[error("witness, line {line}, column {column}: {message}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The words of the JSON reader.
        message: String,
    },
    /// A rule of the format is broken.
    #[error("{place}: {problem}")]
    Malformed {
        /// Where.
        place: Place,
        /// Which rule.
        problem: Problem,
    },
    /// The key is in a part of the tree that is not known here: this tree was made from a proof.
    #[error("the tree is known in part only, and not at key {}", hexadecimal(.key))]
    NotCovered {
        /// The key.
        key: Key,
    },
    /// A proof is of at least one key.
    #[error("no keys")]
    NoKeys,
    /// The size of code does not fit the three bytes that the packed header has for it.
    #[error("code of {0} bytes, at most 16777215")]
    CodeSize(u32),
    /// From the layer of openings.
    #[error(transparent)]
    Openings(#[from] crate::Error),
}

/// Where in a witness or proof; shown as a path in the JSON form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The witness as a whole.
    Witness,
    /// The list of stems.
    StateDiff,
    /// A stem.
    Stem(usize),
    /// The list of suffixes of a stem.
    Suffixes(usize),
    /// A suffix of a stem.
    Suffix(usize, usize),
    /// The value of a suffix before the block.
    CurrentValue(usize, usize),
    /// The value of a suffix after the block.
    NewValue(usize, usize),
    /// The list of other stems.
    OtherStems,
    /// A stem found in the place of an absent one.
    OtherStem(usize),
    /// The status bytes.
    Statuses,
    /// The status byte of a stem.
    Status(usize),
    /// The list of commitments.
    Commitments,
    /// A commitment.
    Commitment(usize),
    /// The commitment to the quotients.
    D,
    /// The list of left cross terms.
    LeftList,
    /// A left cross term.
    Left(usize),
    /// The list of right cross terms.
    RightList,
    /// A right cross term.
    Right(usize),
    /// The last scalar.
    FinalEvaluation,
    /// The root that the proof is for.
    Root,
    /// In the binary form of a proof, at this byte.
    Byte(usize),
}

/// The rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Not a string of hexadecimal digits of the right length, with or without `0x`.
    #[error("expected {expected} bytes in hexadecimal, found {found} digits or another character")]
    Hexadecimal {
        /// Bytes of the format.
        expected: usize,
        /// Digits given, without `0x`.
        found: usize,
    },
    /// A list has another length.
    #[error("{found} given, {expected} expected")]
    Count {
        /// The value that the rest of the input asks for.
        expected: usize,
        /// The value that is there.
        found: usize,
    },
    /// A list is longer than any honest one.
    #[error("{found} given, at most {limit} allowed")]
    TooMany {
        /// The limit.
        limit: usize,
        /// The value that is there.
        found: usize,
    },
    /// The input ends too early.
    #[error("{needed} bytes are needed and {available} are left")]
    Truncated {
        /// Bytes the next item takes.
        needed: usize,
        /// Bytes left.
        available: usize,
    },
    /// There are bytes behind the end.
    #[error("{0} bytes too many")]
    Trailing(usize),
    /// An empty list where at least one item must be.
    #[error("is empty")]
    Empty,
    /// Not greater than the item before it.
    #[error("not in ascending order, or repeated")]
    Order,
    /// A status byte with an unknown kind or depth.
    #[error(
        "{0:#04x} is no status: a depth from 1 to 31 in the upper five bits, 0, 1 or 2 in the lower three"
    )]
    Status(u8),
    /// A status says absent, but a value is given.
    #[error("a value is given for a stem that is said to be absent")]
    ValueOfAbsent,
    /// Two stems need different nodes in the same place.
    #[error("its path contradicts that of an earlier stem")]
    Path,
    /// There is no other stem left for a stem that is said to be absent because of one.
    #[error("no other stem is left for it")]
    MissingOtherStem,
    /// No absent stem needs this other stem.
    #[error("nothing refers to it")]
    Unused,
    /// An other stem is elsewhere in the tree, or is the absent stem itself.
    #[error("is not another stem in the place of the absent one")]
    OtherStem,
    /// A commitment is the neutral element where no honest tree has it.
    #[error("the neutral element, which commits to no node")]
    Neutral,
    /// Nothing that is opened of a node shows that it is an inner node.
    #[error(
        "may be a leaf passed off as an inner node, as nothing opened of it tells them apart (which matters unless all keys are hashes)"
    )]
    Ambiguous,
    /// The bytes are not an element.
    #[error("{0}")]
    Element(#[source] EncodingError),
    /// A scalar is not below the modulus.
    #[error("the scalar is not below the modulus")]
    Scalar,
}

impl Place {
    /// A broken rule here.
    pub(super) fn error(self, problem: Problem) -> TreeError {
        TreeError::Malformed {
            place: self,
            problem,
        }
    }
}

impl core::fmt::Display for Place {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Witness => f.write_str("witness"),
            Self::StateDiff => f.write_str("stateDiff"),
            Self::Stem(i) => write!(f, "stateDiff[{i}].stem"),
            Self::Suffixes(i) => write!(f, "stateDiff[{i}].suffixDiffs"),
            Self::Suffix(i, j) => write!(f, "stateDiff[{i}].suffixDiffs[{j}].suffix"),
            Self::CurrentValue(i, j) => write!(f, "stateDiff[{i}].suffixDiffs[{j}].currentValue"),
            Self::NewValue(i, j) => write!(f, "stateDiff[{i}].suffixDiffs[{j}].newValue"),
            Self::OtherStems => f.write_str("verkleProof.otherStems"),
            Self::OtherStem(i) => write!(f, "verkleProof.otherStems[{i}]"),
            Self::Statuses => f.write_str("verkleProof.depthExtensionPresent"),
            Self::Status(i) => write!(f, "verkleProof.depthExtensionPresent, byte {i}"),
            Self::Commitments => f.write_str("verkleProof.commitmentsByPath"),
            Self::Commitment(i) => write!(f, "verkleProof.commitmentsByPath[{i}]"),
            Self::D => f.write_str("verkleProof.d"),
            Self::LeftList => f.write_str("verkleProof.ipaProof.cl"),
            Self::Left(i) => write!(f, "verkleProof.ipaProof.cl[{i}]"),
            Self::RightList => f.write_str("verkleProof.ipaProof.cr"),
            Self::Right(i) => write!(f, "verkleProof.ipaProof.cr[{i}]"),
            Self::FinalEvaluation => f.write_str("verkleProof.ipaProof.finalEvaluation"),
            Self::Root => f.write_str("root"),
            Self::Byte(offset) => write!(f, "binary proof, byte {offset}"),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
