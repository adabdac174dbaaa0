//! The inputs as the program reads them: an object of signal names, each with a list of decimal strings.

use frumious_curves::engine::ScalarField;
use frumious_field::PrimeField;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::input;

/// Inputs that were read and checked.
pub(super) struct Given {
    /// Names of the signals.
    pub(super) names: Vec<String>,
    /// Number of values.
    pub(super) total: u64,
    /// The text for the program.
    pub(super) json: Zeroizing<Vec<u8>>,
}

impl Given {
    pub(super) fn read<F: ScalarField + PrimeField>(inputs: &[u8]) -> Result<Self, Error> {
        let text = str::from_utf8(inputs).map_err(|error| Error::Syntax {
            reason: format!("not UTF-8 (byte {})", error.valid_up_to()),
        })?;
        let signals = input::flatten::<F>(&input::parse_inputs(text)?)?;
        let total: usize = signals.iter().map(|signal| signal.values.len()).sum();
        let names: Vec<String> = signals.iter().map(|signal| signal.name.clone()).collect();
        let text = names.iter().map(|name| 6 * name.len() + 8).sum::<usize>();
        // At once, so that no copy is left behind.
        let mut json = Zeroizing::new(Vec::with_capacity(2 + text + total * LONGEST_NUMBER));
        json.push(b'{');
        for signal in &signals {
            if json.len() > 1 {
                json.push(b',');
            }
            json.extend(
                serde_json::Value::from(&signal.name[..])
                    .to_string()
                    .bytes(),
            );
            json.extend(b":[");
            for (index, words) in signal.values.iter().enumerate() {
                if index > 0 {
                    json.push(b',');
                }
                json.push(b'"');
                push_decimal(&mut json, *words);
                json.push(b'"');
            }
            json.push(b']');
        }
        json.push(b'}');
        Ok(Self {
            names,
            total: total as u64,
            json,
        })
    }
}

/// Nineteen digits at a time, the last ones first. Time depends on the value.
fn push_decimal(out: &mut Vec<u8>, mut words: [u64; 4]) {
    let start = out.len();
    loop {
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let part = u128::from(rest) << 64 | u128::from(*word);
            *word = (part / u128::from(TEN_TO_19)) as u64;
            rest = (part % u128::from(TEN_TO_19)) as u64;
        }
        let is_last = words == [0; 4];
        for _ in 0..19 {
            out.push(b'0' + (rest % 10) as u8);
            rest /= 10;
            if is_last && rest == 0 {
                break;
            }
        }
        if is_last {
            break;
        }
    }
    out[start..].reverse();
}

const TEN_TO_19: u64 = 10_000_000_000_000_000_000;

/// 77 digits, two quotes, a comma.
const LONGEST_NUMBER: usize = 80;
