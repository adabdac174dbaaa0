//! Files that are not parsed to their end: inputs, other proof systems' files, sources, and what is none of ours.

use std::path::Path;

use crate::failure::{About, Failure};
use crate::kind::Kind;
use crate::places::{Role, step};
use serde_json::{Map, Value};

use super::Description;

/// The facts about a file of this kind.
pub fn describe(kind: Kind, bytes: &[u8], path: &Path) -> Result<Description, Failure> {
    let mut facts = vec![("bytes", Value::from(bytes.len()))];
    match kind {
        Kind::Inputs | Kind::Json => facts.extend(of_json(bytes, path)?),
        Kind::Solidity | Kind::Circom | Kind::Sym | Kind::Script | Kind::Text => {
            let lines = bytes.split(|byte| *byte == b'\n').count();
            facts.push(("lines", lines.into()));
        }
        _ => {}
    }
    if let Some(next) = step(Role::Any, kind, path) {
        facts.push(("next", next.into()));
    }
    Ok(Description {
        kind: match kind {
            Kind::Inputs => "JSON object, such as inputs of a circuit",
            Kind::Bytes => "bytes of no known kind",
            other => without_article(other.name()),
        },
        facts,
    })
}

/// The names and shapes of an object's fields, never their values: inputs are secret.
fn of_json(bytes: &[u8], path: &Path) -> Result<Vec<(&'static str, Value)>, Failure> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| Failure::bad_input(format!("not JSON: {error}")))
        .about(path)?;
    Ok(match value {
        Value::Object(object) => {
            let sizes = object
                .iter()
                .map(|(name, value)| (name.clone(), size(value).into()));
            vec![
                ("fields", object.len().into()),
                ("values", object.values().map(size).sum::<usize>().into()),
                (
                    "values_by_field",
                    Value::Object(sizes.collect::<Map<_, _>>()),
                ),
            ]
        }
        Value::Array(elements) => vec![("elements", elements.len().into())],
        _ => Vec::new(),
    })
}

/// Number of values in nested arrays and objects.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(size).sum(),
        Value::Object(object) => object.values().map(size).sum(),
        _ => 1,
    }
}

fn without_article(name: &'static str) -> &'static str {
    let rest = name.strip_prefix("a ").or(name.strip_prefix("an "));
    rest.unwrap_or(name)
}
