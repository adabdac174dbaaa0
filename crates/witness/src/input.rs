//! `input.json`: from nested JSON to signals with flat lists of values.
//!
//! | JSON | signal |
//! |---|---|
//! | `{"a": v}` | `a` |
//! | `{"a": [[v, v], [v, v]]}` | `a`, four values in this order |
//! | `{"p": {"x": v, "y": v}}` (a bus) | `p.x` and `p.y` |
//! | `{"p": [{"x": v}, {"x": v}]}` (an array of buses) | `p[0].x` and `p[1].x` |
//!
//! Source: `qualify_input` in the script that circom 2.2 writes beside each module. Ours differs in that numbers and
//! strings may be mixed in one array, as they always could with snarkjs.

mod integer;
mod table;

use std::collections::BTreeSet;

use frumious_curves::bn254;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use serde_json::Value;
use zeroize::Zeroizing;

use crate::error::{Error, InputProblem};
pub use table::{InputTable, MissingInput, name_hash};

/// Reads `input.json`. Integers keep all their digits.
///
/// # Errors
/// [`Error::Syntax`] for text that is not JSON, or is nested more than 127 levels deep.
pub fn parse_inputs(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| Error::Syntax {
        reason: error.to_string(),
    })
}

/// An input signal with its values: plain integers below r, words with the least significant first.
pub(crate) struct Signal {
    pub(crate) name: String,
    pub(crate) values: Zeroizing<Vec<[u64; 4]>>,
}

/// All signals of the inputs.
pub(crate) fn flatten<F: ScalarField>(inputs: &Value) -> Result<Vec<Signal>, Error> {
    if !inputs.is_object() {
        return Err(refuse("", InputProblem::NotAnObject));
    }
    let mut signals = Vec::new();
    walk::<F>(String::new(), inputs, 0, &mut signals)?;
    // In an order of their own, so that inputs of one circuit are one list whatever their order in the file. By hash,
    // as a module knows no names.
    signals.sort_by_cached_key(|signal| (name_hash(&signal.name), signal.name.clone()));
    let mut names = BTreeSet::new();
    match signals.iter().find(|signal| !names.insert(&signal.name)) {
        Some(repeated) => Err(refuse(&repeated.name, InputProblem::Repeated)),
        None => Ok(signals),
    }
}

/// The names of the signals in `inputs`, each qualified by those around it.
///
/// # Errors
/// [`Error::Input`] for what is no input of any circuit.
pub fn signal_names(inputs: &Value) -> Result<Vec<String>, Error> {
    let signals = flatten::<bn254::Fr>(inputs)?;
    let mut names: Vec<String> = signals.into_iter().map(|signal| signal.name).collect();
    names.sort();
    Ok(names)
}

/// The values of all signals, one after another.
pub(crate) fn elements<F: ScalarField>(signals: &[Signal]) -> Zeroizing<Vec<F>> {
    let values = signals.iter().flat_map(|signal| signal.values.iter());
    // Reduced by `flatten`.
    let element = |words: &[u64; 4]| Integer::<F>::from_words_unchecked(*words).to_element();
    Zeroizing::new(values.map(element).collect())
}

fn walk<F: ScalarField>(
    name: String,
    value: &Value,
    depth: usize,
    signals: &mut Vec<Signal>,
) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        return Err(refuse(&name, InputProblem::Depth(MAX_DEPTH)));
    }
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(field, value)| {
            let qualified = match depth {
                0 => field.clone(),
                _ => format!("{name}.{field}"),
            };
            walk::<F>(qualified, value, depth + 1, signals)
        }),
        Value::Array(elements) if leaves(&name, value, depth)? == Leaves::Objects => {
            (0..).zip(elements).try_for_each(|(index, element)| {
                walk::<F>(format!("{name}[{index}]"), element, depth + 1, signals)
            })
        }
        _ => {
            let mut values = Zeroizing::new(Vec::with_capacity(count(value)));
            push_values::<F>(&name, value, &mut values)?;
            signals.push(Signal { name, values });
            Ok(())
        }
    }
}

/// The elements of an array when the arrays in it are opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// Numbers, or nothing.
    Values,
    Objects,
}

fn leaves(name: &str, value: &Value, depth: usize) -> Result<Leaves, Error> {
    if depth > MAX_DEPTH {
        return Err(refuse(name, InputProblem::Depth(MAX_DEPTH)));
    }
    match value {
        Value::Object(_) => Ok(Leaves::Objects),
        Value::Array(elements) => {
            let mut found = None;
            for element in elements {
                if element.as_array().is_some_and(Vec::is_empty) {
                    continue;
                }
                let here = leaves(name, element, depth + 1)?;
                if found.is_some_and(|before| before != here) {
                    return Err(refuse(name, InputProblem::Mixed));
                }
                found = Some(here);
            }
            Ok(found.unwrap_or(Leaves::Values))
        }
        _ => Ok(Leaves::Values),
    }
}

/// Number of values in nested arrays; their depth has been checked by [`leaves`].
fn count(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        _ => 1,
    }
}

fn push_values<F: ScalarField>(
    name: &str,
    value: &Value,
    values: &mut Zeroizing<Vec<[u64; 4]>>,
) -> Result<(), Error> {
    if let Value::Array(elements) = value {
        return elements
            .iter()
            .try_for_each(|element| push_values::<F>(name, element, values));
    }
    let element: Option<F> = match value {
        Value::String(text) => integer::from_text_vartime(text),
        Value::Number(number) => integer::from_literal_vartime(number.as_str()),
        Value::Bool(bit) => Some(F::from_u64(u64::from(*bit))),
        _ => None,
    };
    let index = values.len();
    let element = element.ok_or_else(|| refuse(name, InputProblem::NotAnInteger { index }))?;
    values.push(*Integer::from(element).words());
    Ok(())
}

fn refuse(signal: &str, problem: InputProblem) -> Error {
    Error::Input {
        signal: signal.to_owned(),
        problem,
    }
}

/// serde_json stops at the same depth; values that were not read by it could overflow the stack.
const MAX_DEPTH: usize = 128;
