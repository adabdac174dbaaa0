//! Many proofs under one key, a line each.
//!
//! A line is `{"proof": …, "publicSignals": […]}`, the object that snarkjs's library returns. Empty lines are left out,
//! and count. All lines are judged, whatever is wrong with some of them.

use std::path::Path;
use std::time::{Duration, Instant};

use frumious_circom::FileKind;
use frumious_groth16::{PreparedVerifyingKey, ProvingEngine, Refused, Uncontributed, VerifyingKey};
use frumious_mapping::FileBytes;
use frumious_snarkjs::groth16::{Rejected, find_invalid_json, verifying_key_from_json};

use crate::failure::{About, Code, Failure};
use crate::files::streams;
use crate::observer::Observer;
use crate::{curve, over_curve};

/// A verdict on proofs that are all valid.
#[derive(Clone, Copy, Debug)]
pub struct BatchVerdict {
    /// Number of proofs, at least one.
    pub n_proofs: u64,
    /// The phase of the ceremony that nobody contributed to: then the verdict means nothing.
    pub missing: Option<Uncontributed>,
    /// Number of public signals of each.
    pub n_public: usize,
    /// Duration of the verification, reading included.
    pub time: Duration,
}

/// Verifies the proofs of the file at `proofs`, an object a line, under the verification key at `vkey`.
///
/// `accept` is asked whether a key without a contribution will do. Lines are taken 1024 at a time: so many are in
/// memory beside the mapped file.
///
/// # Errors
/// A [`Failure`] with the lines of all proofs that are not valid. It is [`Code::InvalidProof`] if one of them is false,
/// and [`Code::BadInput`] if all of them are malformed. Others of exit code 2 or 3 for malformed files and for a file
/// without a proof; that of `accept`.
pub fn verify_batch(
    vkey: &Path,
    proofs: &Path,
    accept: impl FnOnce(Option<Uncontributed>) -> Result<(), Failure>,
    observer: &dyn Observer,
) -> Result<BatchVerdict, Failure> {
    let key = streams::read(vkey)?;
    over_curve!(curve::of(FileKind::VerifyingKeyJson, &key, vkey)?, E => {
        let key = verifying_key_from_json::<E>(key)
            .map_err(|error| error.in_file(vkey))
            .about(vkey)?;
        accept(key.missing_contribution())?;
        let bytes = streams::map(proofs)?;
        bytes.settle();
        over::<E>(&key, vkey, (&bytes, proofs), observer)
    })
}

fn over<E: ProvingEngine>(
    key: &VerifyingKey<E>,
    vkey: &Path,
    (bytes, path): (&FileBytes, &Path),
    observer: &dyn Observer,
) -> Result<BatchVerdict, Failure> {
    let start = Instant::now();
    observer.begin(VERIFY);
    let prepared = PreparedVerifyingKey::new(key).about(vkey)?;
    let mut lines = numbered(bytes);
    let mut faults = Faults::default();
    let (mut n_proofs, mut done) = (0, 0);
    loop {
        let chosen: Vec<(u64, &[u8])> = lines.by_ref().take(AT_ONCE).collect();
        if chosen.is_empty() {
            break;
        }
        n_proofs += chosen.len() as u64;
        judge(&prepared, &chosen, &mut faults).about(path)?;
        done += chosen.iter().map(|(_, line)| line.len() + 1).sum::<usize>();
        observer.within(VERIFY, done as f64 / bytes.len() as f64);
    }
    bytes.check_unchanged().about(path)?;
    if n_proofs == 0 {
        return Err(Failure::bad_input("it has no proof")).about(path);
    }
    match faults.lines.is_empty() {
        true => Ok(BatchVerdict {
            n_proofs,
            missing: key.missing_contribution(),
            n_public: prepared.n_public(),
            time: start.elapsed(),
        }),
        false => Err(faults.failure(path, n_proofs)),
    }
}

/// The lines that are not empty, numbered from 1.
fn numbered(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    (1..)
        .zip(bytes.split(|byte| *byte == b'\n'))
        .filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// Adds the lines that are not valid.
fn judge<E: ProvingEngine>(
    key: &PreparedVerifyingKey<E>,
    lines: &[(u64, &[u8])],
    faults: &mut Faults,
) -> Result<(), frumious_groth16::Error> {
    let (numbers, lines): (Vec<u64>, Vec<&[u8]>) = lines.iter().copied().unzip();
    for (index, fault) in find_invalid_json(key, &lines)? {
        let (is_false, reason) = match fault {
            Rejected::Refused(Refused::False) => (true, Refused::False.to_string()),
            Rejected::Refused(refused) => (false, refused.to_string()),
            Rejected::Malformed(error) => (false, error.to_string()),
        };
        faults.add(numbers[index], is_false, &reason);
    }
    Ok(())
}

/// The lines that are not valid.
#[derive(Default)]
struct Faults {
    lines: Vec<u64>,
    /// The first of them in words.
    told: Vec<String>,
    is_one_false: bool,
}

impl Faults {
    fn add(&mut self, line: u64, is_false: bool, reason: &str) {
        self.lines.push(line);
        self.is_one_false |= is_false;
        if self.told.len() < MOST_TOLD {
            self.told.push(format!("line {line}: {reason}"));
        }
    }

    fn failure(self, path: &Path, n_proofs: u64) -> Failure {
        let code = match self.is_one_false {
            true => Code::InvalidProof,
            false => Code::BadInput,
        };
        let number = self.lines.len();
        let more = match number - self.told.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let message = format!(
            "{}: INVALID: {number} of {n_proofs} proofs. {}{more}",
            path.display(),
            self.told.join("; ")
        );
        Failure::new(code, message).of_lines(self.lines)
    }
}

/// Lines that are in memory at a time.
const AT_ONCE: usize = 1024;

/// Lines whose fault is told in words; the numbers of all are in the failure.
const MOST_TOLD: usize = 20;

const VERIFY: &str = "verify";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        let text = b"\na\n \r\n\nb\r\n";
        let lines: Vec<_> = numbered(text).collect();
        assert_eq!(lines, [(2, &b"a"[..]), (5, &b"b\r"[..])]);
        assert_eq!(numbered(b"\n\n").count(), 0);
    }

    #[test]
    fn many_faults_are_told_in_short() {
        let mut faults = Faults::default();
        for line in 1..=25 {
            faults.add(line, line == 7, "bad");
        }
        let failure = faults.failure(Path::new("x.jsonl"), 30);
        assert_eq!(failure.lines().len(), 25);
        assert_eq!(failure.code(), Code::InvalidProof);
        let message = failure.message();
        assert!(
            message.starts_with("x.jsonl: INVALID: 25 of 30 proofs. line 1: bad;"),
            "{message}"
        );
        assert!(message.ends_with("line 20: bad; and 5 more"), "{message}");
    }
}
