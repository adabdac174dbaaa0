//! Files that are not parsed to their end: inputs, other proof systems' files, sources, and what is none of ours.

use std::path::Path;

use crate::failure::{About, Failure};
use crate::kind::Kind;
use crate::places::{Role, step};
use serde_json::Value;

use super::Description;
use super::sizes::Sizes;

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
    let sizes: Sizes = serde_json::from_slice(bytes)
        .map_err(|error| Failure::bad_input(format!("not JSON: {error}")))
        .about(path)?;
    let mut facts = Vec::new();
    if let Some(fields) = sizes.fields {
        facts.push(("fields", fields.len().into()));
        facts.push(("values", sizes.values.into()));
        let by_field = fields.into_iter().map(|(name, size)| (name, size.into()));
        facts.push(("values_by_field", Value::Object(by_field.collect())));
    }
    if let Some(elements) = sizes.elements {
        facts.push(("elements", elements.into()));
    }
    Ok(facts)
}

fn without_article(name: &'static str) -> &'static str {
    let rest = name.strip_prefix("a ").or(name.strip_prefix("an "));
    rest.unwrap_or(name)
}
