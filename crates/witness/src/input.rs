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
mod json;
mod table;
mod text;

use frumious_curves::bn254;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use zeroize::Zeroizing;

use crate::error::{Error, InputProblem};
use json::Node;
pub use json::{Inputs, parse_inputs};
pub use table::{InputTable, MissingInput, name_hash};

/// An input signal with its values: plain integers below r, words with the least significant first.
pub(crate) struct Signal {
    pub(crate) name: String,
    pub(crate) values: Zeroizing<Vec<[u64; 4]>>,
}

/// All signals of the inputs.
pub(crate) fn flatten<F: ScalarField>(inputs: &Inputs) -> Result<Vec<Signal>, Error> {
    let Node::Fields(fields) = &inputs.0 else {
        return Err(refuse("", InputProblem::NotAnObject));
    };
    let mut signals = Vec::new();
    for (name, value) in fields {
        walk::<F>(named([name.as_str()])?, value, &mut signals)?;
    }
    // In an order of their own, so that inputs of one circuit are one list whatever their order in the file. By hash,
    // as a module knows no names.
    let hashed = signals.into_iter();
    let mut hashed: Vec<_> = hashed
        .map(|signal| (name_hash(&signal.name), signal))
        .collect();
    hashed.sort_by(|(hash, signal), (other_hash, other)| {
        (hash, &signal.name).cmp(&(other_hash, &other.name))
    });
    let signals: Vec<Signal> = hashed.into_iter().map(|(_, signal)| signal).collect();
    match (signals.windows(2)).find(|pair| pair[0].name == pair[1].name) {
        Some(repeated) => Err(refuse(&repeated[0].name, InputProblem::Repeated)),
        None => Ok(signals),
    }
}

/// The name of these parts. Each signal in an object has the names around it in front: a long one there would take its
/// length again for each.
fn named<const N: usize>(parts: [&str; N]) -> Result<String, Error> {
    let name = parts.concat();
    if name.len() <= MOST_NAME_BYTES {
        return Ok(name);
    }
    let begin = &name[..name.floor_char_boundary(SHOWN_NAME_BYTES)];
    Err(refuse(&format!("{begin}…"), InputProblem::LongName))
}

/// The names of the signals in `inputs`, each qualified by those around it.
///
/// # Errors
/// [`Error::Input`] for what is no input of any circuit.
pub fn signal_names(inputs: &Inputs) -> Result<Vec<String>, Error> {
    let signals = flatten::<bn254::Fr>(inputs)?;
    let mut names: Vec<String> = signals.into_iter().map(|signal| signal.name).collect();
    names.sort();
    Ok(names)
}

/// The values of all signals, one after another. Reserved at once, so that no copy is left behind by a reallocation.
pub(crate) fn elements<F: ScalarField>(signals: &[Signal]) -> Zeroizing<Vec<F>> {
    let count = signals.iter().map(|signal| signal.values.len()).sum();
    let mut elements = Zeroizing::new(Vec::with_capacity(count));
    let values = signals.iter().flat_map(|signal| signal.values.iter());
    // Reduced by `flatten`.
    let element = |words: &[u64; 4]| Integer::<F>::from_words_unchecked(*words).to_element();
    elements.extend(values.map(element));
    elements
}

/// Appends the signals of a value. Depth is bounded by [`parse_inputs`], here and below.
fn walk<F: ScalarField>(
    name: String,
    value: &Node,
    signals: &mut Vec<Signal>,
) -> Result<(), Error> {
    match value {
        Node::Fields(fields) => fields
            .iter()
            .try_for_each(|(field, value)| walk::<F>(named([&name, ".", field])?, value, signals)),
        Node::List(elements) if leaves(&name, value)? == Leaves::Objects => {
            (0_usize..).zip(elements).try_for_each(|(index, element)| {
                let name = named([&name, "[", &index.to_string(), "]"])?;
                walk::<F>(name, element, signals)
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

fn leaves(name: &str, value: &Node) -> Result<Leaves, Error> {
    match value {
        Node::Fields(_) => Ok(Leaves::Objects),
        Node::List(elements) => {
            let mut found = None;
            for element in elements {
                if matches!(element, Node::List(list) if list.is_empty()) {
                    continue;
                }
                let here = leaves(name, element)?;
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

/// Number of values in nested arrays.
fn count(value: &Node) -> usize {
    match value {
        Node::List(elements) => elements.iter().map(count).sum(),
        _ => 1,
    }
}

fn push_values<F: ScalarField>(
    name: &str,
    value: &Node,
    values: &mut Zeroizing<Vec<[u64; 4]>>,
) -> Result<(), Error> {
    if let Node::List(elements) = value {
        return elements
            .iter()
            .try_for_each(|element| push_values::<F>(name, element, values));
    }
    let index = values.len();
    if let Node::Number(literal) = value
        && integer::is_infinite_vartime(literal)
    {
        return Err(refuse(name, InputProblem::Infinite { index }));
    }
    let element: Option<F> = match value {
        Node::Text(text) => integer::from_text_vartime(text),
        Node::Number(literal) => integer::from_literal_vartime(literal),
        Node::Flag(bit) => Some(F::from_u64(u64::from(*bit))),
        _ => None,
    };
    let element = element.ok_or_else(|| refuse(name, InputProblem::NotAnInteger { index }))?;
    values.push(*Integer::from(element).words());
    Ok(())
}

/// Longer than circom's compiler and its users make them.
const MOST_NAME_BYTES: usize = 1024;

const SHOWN_NAME_BYTES: usize = 64;

fn refuse(signal: &str, problem: InputProblem) -> Error {
    Error::Input {
        signal: signal.to_owned(),
        problem,
    }
}
