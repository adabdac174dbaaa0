//! The JSON form of a witness, that of go-verkle and geth; the one place with its byte orders.
//!
//! Bytes are hexadecimal strings, written with `0x`, read with or without. The last scalar of the proof, and nothing
//! else, has its most significant byte first. A value that is not there is `null`, or its key is left out. Keys that
//! are not known are skipped (clients add some), repeated ones refused. Source: go-verkle `proof_json.go`.

mod object;

use super::{ExecutionWitness, StemDiff, SuffixDiff};
use crate::tree::proof::{
    MAX_COMMITMENTS_PER_STEM, MAX_STEMS, StemStatus, VerkleProof, check_limit, decode_all,
};
use crate::tree::{Place, Problem, TreeError};
use crate::{Error, Multiproof, Part, ipa::ROUNDS};
use frumious_curves::bandersnatch::{BatchError, Fr};
use object::Object;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WitnessJson {
    state_diff: Vec<Object<StemJson>>,
    verkle_proof: Object<ProofJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StemJson {
    stem: String,
    suffix_diffs: Vec<Object<SuffixJson>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SuffixJson {
    suffix: u8,
    current_value: Option<String>,
    new_value: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProofJson {
    other_stems: Vec<String>,
    depth_extension_present: String,
    commitments_by_path: Vec<String>,
    d: String,
    ipa_proof: Object<IpaJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct IpaJson {
    cl: Vec<String>,
    cr: Vec<String>,
    final_evaluation: String,
}

impl ExecutionWitness {
    /// The witness of a JSON text, an object with the keys `stateDiff` and `verkleProof`.
    ///
    /// Memory: a small multiple of the text's length, whatever it says.
    ///
    /// # Errors
    /// With the line or the path of the value:
    /// - text of another form, strings that are not hexadecimal or of a wrong length
    /// - lists of a wrong length, or longer than `2^16` stems or 33 commitments a stem
    /// - a value that is no status, or no canonical encoding of an element or of a scalar
    ///
    /// [`open`](Self::open) checks the rest.
    pub fn from_json(text: &[u8]) -> Result<Self, TreeError> {
        let json = serde_json::from_slice(text).map_err(|error| TreeError::Json {
            line: error.line(),
            column: error.column(),
            message: shortened(without_position(&error.to_string())),
        });
        let Object::<WitnessJson>(json) = json?;
        let stems = json.state_diff.len();
        check_limit(Place::StateDiff, stems, MAX_STEMS)?;
        let state_diff = json.state_diff.iter().enumerate();
        Ok(Self {
            state_diff: state_diff
                .map(|(i, stem)| stem.0.read(i))
                .collect::<Result<_, _>>()?,
            proof: json.verkle_proof.0.read(stems)?,
        })
    }

    /// The JSON text, in one line; what this writes go-verkle reads, and the other way round.
    #[expect(
        clippy::missing_panics_doc,
        reason = "strings and lists can be written to memory"
    )]
    pub fn to_json(&self) -> String {
        let json = WitnessJson {
            state_diff: self
                .state_diff
                .iter()
                .map(StemJson::new)
                .map(Object)
                .collect(),
            verkle_proof: Object(ProofJson::new(&self.proof)),
        };
        serde_json::to_string(&json).expect("strings and lists can be written to memory")
    }
}

impl StemJson {
    fn new(diff: &StemDiff) -> Self {
        let suffix_diffs = diff.suffix_diffs.iter().map(|diff| SuffixJson {
            suffix: diff.suffix,
            current_value: diff.current_value.as_ref().map(|value| text(value)),
            new_value: diff.new_value.as_ref().map(|value| text(value)),
        });
        Self {
            stem: text(&diff.stem),
            suffix_diffs: suffix_diffs.map(Object).collect(),
        }
    }

    fn read(&self, i: usize) -> Result<StemDiff, TreeError> {
        let read = |value: &Option<String>, place| match value {
            Some(value) => array(place, value).map(Some),
            None => Ok(None),
        };
        let diffs = self.suffix_diffs.iter().enumerate();
        let diffs = diffs.map(|(j, Object(diff))| {
            Ok(SuffixDiff {
                suffix: diff.suffix,
                current_value: read(&diff.current_value, Place::CurrentValue(i, j))?,
                new_value: read(&diff.new_value, Place::NewValue(i, j))?,
            })
        });
        Ok(StemDiff {
            stem: array(Place::Stem(i), &self.stem)?,
            suffix_diffs: diffs.collect::<Result<_, TreeError>>()?,
        })
    }
}

impl ProofJson {
    fn new(proof: &VerkleProof) -> Self {
        let statuses: Vec<u8> = proof.statuses.iter().map(StemStatus::to_byte).collect();
        let ipa = &proof.multiproof.ipa;
        Self {
            other_stems: proof.other_stems.iter().map(|stem| text(stem)).collect(),
            depth_extension_present: text(&statuses),
            commitments_by_path: proof
                .commitments
                .iter()
                .map(|commitment| text(&commitment.to_bytes()))
                .collect(),
            d: text(&proof.multiproof.d.to_bytes()),
            ipa_proof: Object(IpaJson {
                cl: ipa.l.iter().map(|l| text(&l.to_bytes())).collect(),
                cr: ipa.r.iter().map(|r| text(&r.to_bytes())).collect(),
                final_evaluation: text(&ipa.a.to_be_bytes()),
            }),
        }
    }

    /// The proof; `stems` is the number of stems that it is for.
    fn read(&self, stems: usize) -> Result<VerkleProof, TreeError> {
        check_limit(Place::OtherStems, self.other_stems.len(), stems)?;
        let limit = stems * MAX_COMMITMENTS_PER_STEM; // no overflow: at most 2^16 stems
        check_limit(Place::Commitments, self.commitments_by_path.len(), limit)?;
        let other_stems = self.other_stems.iter().enumerate();
        let other_stems = other_stems.map(|(i, stem)| array(Place::OtherStem(i), stem));
        let commitments = self.commitments_by_path.iter().enumerate();
        let commitments: Vec<[u8; 32]> = commitments
            .map(|(i, commitment)| array(Place::Commitment(i), commitment))
            .collect::<Result<_, _>>()?;
        let commitments = decode_all(&commitments).map_err(|BatchError { index, error }| {
            Place::Commitment(index).error(Problem::Element(error))
        })?;
        Ok(VerkleProof {
            other_stems: other_stems.collect::<Result<_, _>>()?,
            statuses: self.statuses(stems)?,
            commitments,
            multiproof: self.multiproof()?,
        })
    }

    fn statuses(&self, stems: usize) -> Result<Vec<StemStatus>, TreeError> {
        let digits = digits(&self.depth_extension_present);
        let bytes = decoded(digits).ok_or(Place::Statuses.error(Problem::Hexadecimal {
            expected: stems,
            found: digits.len(),
        }))?;
        let statuses = bytes.iter().enumerate().map(|(i, &byte)| {
            StemStatus::from_byte(byte).ok_or(Place::Status(i).error(Problem::Status(byte)))
        });
        statuses.collect()
    }

    /// The openings' proof, from the bytes of its parts behind each other.
    fn multiproof(&self) -> Result<Multiproof, TreeError> {
        let ipa = &self.ipa_proof.0;
        let mut bytes = array::<32>(Place::D, &self.d)?.to_vec();
        type Side<'a> = (Place, fn(usize) -> Place, &'a [String]);
        let sides: [Side<'_>; 2] = [
            (Place::LeftList, Place::Left, &ipa.cl),
            (Place::RightList, Place::Right, &ipa.cr),
        ];
        for (list, item, texts) in sides {
            if texts.len() != ROUNDS {
                return Err(list.error(Problem::Count {
                    expected: ROUNDS,
                    found: texts.len(),
                }));
            }
            for (i, text) in texts.iter().enumerate() {
                bytes.extend(array::<32>(item(i), text)?);
            }
        }
        let last = array(Place::FinalEvaluation, &ipa.final_evaluation)?;
        let last = Fr::from_be_bytes(&last).into_option();
        let last = last.ok_or(Place::FinalEvaluation.error(Problem::Scalar))?;
        bytes.extend(last.to_bytes());
        Multiproof::from_bytes(&bytes).map_err(|error| match error {
            Error::ProofElement { part, error, .. } => {
                let place = match part {
                    Part::D => Place::D,
                    Part::L(round) => Place::Left(round),
                    Part::R(round) => Place::Right(round),
                };
                place.error(Problem::Element(error))
            }
            error => error.into(),
        })
    }
}

/// The bytes as the format writes them.
fn text(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    let digits = bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]);
    ['0', 'x'].into_iter().chain(digits).collect()
}

/// The `N` bytes that a string has.
fn array<const N: usize>(place: Place, text: &str) -> Result<[u8; N], TreeError> {
    let digits = digits(text);
    let bytes = (digits.len() == 2 * N).then(|| decoded(digits)).flatten();
    let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or(place.error(Problem::Hexadecimal {
        expected: N,
        found: digits.len(),
    }))
}

/// The digits behind `0x`, if that is there.
fn digits(text: &str) -> &[u8] {
    text.strip_prefix("0x").unwrap_or(text).as_bytes()
}

/// The bytes of hexadecimal digits of either case, `None` if there is another character or an odd number of them.
fn decoded(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_chunks::<2>();
    let value = |digit: u8| char::from(digit).to_digit(16);
    let bytes = pairs
        .iter()
        .map(|&[high, low]| u8::try_from(value(high)? << 4 | value(low)?).ok());
    rest.is_empty().then(|| bytes.collect())?
}

/// The reader's message without its position, which the error has apart.
fn without_position(message: &str) -> &str {
    let end = message.rfind(" at line ").unwrap_or(message.len());
    &message[..end]
}

/// The message, cut if it is long: it may quote any string of the text.
fn shortened(message: &str) -> String {
    const LONGEST: usize = 200;
    match message.char_indices().nth(LONGEST) {
        None => message.into(),
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}
