//! `frumious inspect`: what is in a file. Never the values of a witness.

mod templates;

use std::path::Path;

use frumious_app::failure::{Code, Failure};
use frumious_app::inspect::{Description, describe, open};
use frumious_app::kind::Kind;
use frumious_app::places::Role;
use frumious_app::quantities::count;
use serde_json::Value;

use crate::arguments::Inspect;
use crate::output::Output;

/// Tells what is in a file.
pub fn inspect(arguments: &Inspect, output: &Output) -> Result<(), Failure> {
    let path = &arguments.file;
    output.check(&output.places().input("FILE", Role::Any, path))?;
    let (kind, bytes) = open(path)?;
    if arguments.templates && kind != Kind::R1cs {
        return Err(Failure::new(
            Code::WrongKind,
            format!(
                "{} is {}; templates are looked for in a constraint system (.r1cs)",
                path.display(),
                kind.name()
            ),
        ));
    }
    let mut description = describe(kind, bytes.clone(), path)?;
    if arguments.templates {
        description.facts.extend(templates::find(bytes, path)?);
    }
    output.answer(
        &for_people(&description, path),
        Value::Object(description.for_programs()),
    )
}

/// Facts in lines.
fn for_people(description: &Description, path: &Path) -> String {
    let width = description
        .facts
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0);
    let facts = description.facts.iter().map(|(name, value)| {
        let name = name.replace('_', " ");
        let text = match value {
            Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), count),
            Value::String(text) => text.clone(),
            Value::Bool(true) => "yes".into(),
            Value::Bool(false) => "no".into(),
            other => other.to_string(),
        };
        format!("\n  {name:width$}  {text}")
    });
    format!("{}: {}", path.display(), description.kind) + &facts.collect::<String>()
}
