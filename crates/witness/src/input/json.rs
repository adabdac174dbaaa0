//! The text of `input.json` as a tree, in which a number is its digits as they are written.
//!
//! serde_json keeps all digits of a number by its feature `arbitrary_precision`. That changes how every other crate of
//! the same program reads JSON. So each value is found as a piece of the text first, and a number stays one.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;
use zeroize::Zeroizing;

use crate::error::Error;

/// Inputs of a circuit, as `input.json` gives them. They are secret: their text is wiped, and nothing prints them.
///
/// The default is `null`, which no circuit takes.
#[derive(Clone, Default)]
pub struct Inputs(pub(super) Node);

/// A value. Of names that stand twice in one object the last counts, as in JavaScript.
#[derive(Clone, Default)]
pub(super) enum Node {
    #[default]
    Null,
    Flag(bool),
    Number(Zeroizing<String>),
    Text(Zeroizing<String>),
    List(Vec<Node>),
    Fields(BTreeMap<String, Node>),
}

/// Reads `input.json`. Integers keep all their digits.
///
/// # Errors
/// [`Error::Syntax`] for text that is not JSON, or is nested more than 127 levels deep.
pub fn parse_inputs(text: &str) -> Result<Inputs, Error> {
    let syntax = |reason: String| Error::Syntax { reason };
    let document: &RawValue =
        serde_json::from_str(text).map_err(|error| syntax(error.to_string()))?;
    Node::read(document, 0).map(Inputs).map_err(syntax)
}

impl Node {
    /// The value of a piece of JSON at that depth. Its text is gone over once for each level.
    fn read(piece: &RawValue, depth: usize) -> Result<Self, String> {
        let text = piece.get();
        let deeper = |piece| Self::read(piece, depth + 1);
        Ok(match text.as_bytes() {
            [b'{' | b'[', ..] if depth == MAX_DEPTH => {
                return Err(format!("nested more than {MAX_DEPTH} levels deep"));
            }
            [b'{', ..] => {
                let fields: BTreeMap<String, &RawValue> =
                    serde_json::from_str(text).map_err(surrogate)?;
                let node = |(name, piece)| Ok((name, deeper(piece)?));
                Self::Fields(
                    fields
                        .into_iter()
                        .map(node)
                        .collect::<Result<_, String>>()?,
                )
            }
            [b'[', ..] => {
                let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(surrogate)?;
                Self::List(
                    elements
                        .into_iter()
                        .map(deeper)
                        .collect::<Result<_, String>>()?,
                )
            }
            [b'"', ..] => Self::Text(Zeroizing::new(
                serde_json::from_str(text).map_err(surrogate)?,
            )),
            b"null" => Self::Null,
            b"true" | b"false" => Self::Flag(text == "true"),
            _ => Self::Number(Zeroizing::new(text.to_owned())),
        })
    }
}

/// All that can be wrong with a piece of a document whose form has been checked. No place is told: it would count from
/// the piece's start.
fn surrogate(_: serde_json::Error) -> String {
    "a string with half a pair of surrogates".into()
}

/// As deep as serde_json goes.
const MAX_DEPTH: usize = 127;

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inputs")
    }
}
