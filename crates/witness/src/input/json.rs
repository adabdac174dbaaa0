//! The text of `input.json` as a tree, in which a number is its digits as they are written.
//!
//! serde_json keeps all digits of a number by its feature `arbitrary_precision`. That changes how every other crate of
//! the same program reads JSON. So serde_json checks the form of the text, and the tree is made of the text itself.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;
use zeroize::Zeroizing;

use super::text::Text;
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

/// Reads `input.json`, in a time that grows as the text does. Integers keep all their digits.
///
/// # Errors
/// [`Error::Syntax`] for text that is not JSON, or is nested more than 127 levels deep.
pub fn parse_inputs(text: &str) -> Result<Inputs, Error> {
    let syntax = |reason: String| Error::Syntax { reason };
    let document: &RawValue =
        serde_json::from_str(text).map_err(|error| syntax(error.to_string()))?;
    let mut text = Text::new(document.get());
    Node::read(&mut text, 0).map(Inputs).map_err(syntax)
}

impl Node {
    /// The next value of a text whose form has been checked, at that depth.
    fn read(text: &mut Text<'_>, depth: usize) -> Result<Self, String> {
        text.skip_blanks();
        Ok(match text.first() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => {
                return Err(format!("nested more than {MAX_DEPTH} levels deep"));
            }
            Some(b'{') => {
                let mut fields = BTreeMap::new();
                text.items(b'}', |text| {
                    let name = std::mem::take(&mut *text.string()?);
                    text.skip_blanks();
                    text.skip(b':');
                    fields.insert(name, Self::read(text, depth + 1)?);
                    Ok(())
                })?;
                Self::Fields(fields)
            }
            Some(b'[') => {
                let mut elements = Vec::new();
                text.items(b']', |text| {
                    elements.push(Self::read(text, depth + 1)?);
                    Ok(())
                })?;
                Self::List(elements)
            }
            Some(b'"') => Self::Text(text.string()?),
            _ => match text.word() {
                "null" => Self::Null,
                word @ ("true" | "false") => Self::Flag(word == "true"),
                number => Self::Number(Zeroizing::new(number.to_owned())),
            },
        })
    }
}

/// As deep as serde_json goes.
const MAX_DEPTH: usize = 127;

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inputs")
    }
}
