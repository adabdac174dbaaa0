//! The kind of a JSON document, by its first level. It may be cut off.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;

use super::Kind;

/// The kind of a document that begins so.
pub fn kind(text: &str) -> Kind {
    let mut seen = Level::default();
    let mut document = serde_json::Deserializer::from_str(text);
    // Cut off or broken: what was seen before that counts.
    let _ = document.deserialize_any(Document(&mut seen));
    match seen.shape {
        Some(Shape::Object) => kind_of_object(&seen),
        Some(Shape::Array) => kind_of_array(&seen),
        None => Kind::Json,
    }
}

fn kind_of_object(level: &Level) -> Kind {
    let has = |name: &str| level.names.contains(name);
    let other_protocol = level
        .protocol
        .as_deref()
        .is_some_and(|protocol| ["plonk", "fflonk"].contains(&protocol));
    if other_protocol {
        return match has("nPublic") {
            true => Kind::OtherVerifyingKey,
            false => Kind::OtherProof,
        };
    }
    if has("domainSize") && has("vk_alpha_1") {
        return Kind::KeyJson;
    }
    if has("vk_alpha_1") {
        return Kind::VerifyingKey;
    }
    if has("pi_a") {
        // Circuits that verify proofs have inputs of that name.
        return match level.protocol {
            Some(_) => Kind::Proof,
            None => Kind::Json,
        };
    }
    if has("executionWitness") || (has("stateDiff") && has("verkleProof")) {
        return Kind::ExecutionWitness;
    }
    if has("proof") && has("publicSignals") {
        return Kind::Statements;
    }
    let is_proof = level.names.len() <= 2 && has("proof");
    let is_vector = |name: &String| name.parse::<u8>().is_ok() || name.starts_with("0x");
    match level.names.first() {
        Some(_) if is_proof => Kind::VerkleProof,
        Some(name) if is_vector(name) => Kind::Json,
        None => Kind::Json,
        _ => Kind::Inputs,
    }
}

fn kind_of_array(level: &Level) -> Kind {
    let has = |name: &str| level.names.contains(name);
    match level.first {
        None | Some(First::Scalar) => Kind::Numbers,
        Some(First::Object) if has("polynomial") => Kind::VerkleOpenings,
        Some(First::Object) if has("commitment") && has("value") => Kind::VerkleClaims,
        Some(_) => Kind::Json,
    }
}

/// The first level of a document, as far as it was seen.
#[derive(Default)]
struct Level {
    shape: Option<Shape>,
    /// Names of the object's fields, or of those of the array's first element.
    names: BTreeSet<String>,
    /// The value of `protocol`, which is no secret.
    protocol: Option<String>,
    first: Option<First>,
}

enum Shape {
    Object,
    Array,
}

/// The first element of an array.
enum First {
    Scalar,
    Object,
    Array,
}

/// Walks over a document, and notes what it passes.
struct Document<'a>(&'a mut Level);

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        self.0.shape = Some(Shape::Object);
        note_fields(self.0, &mut map)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> Result<(), S::Error> {
        self.0.shape = Some(Shape::Array);
        elements.next_element_seed(Element(self.0))?;
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

fn note_fields<'de, M: MapAccess<'de>>(level: &mut Level, map: &mut M) -> Result<(), M::Error> {
    while let Some(name) = map.next_key::<String>()? {
        let is_protocol = name == "protocol";
        level.names.insert(name);
        match is_protocol {
            true => map.next_value_seed(Protocol(&mut level.protocol))?,
            false => {
                map.next_value::<IgnoredAny>()?;
            }
        }
    }
    Ok(())
}

/// The first element of an array.
struct Element<'a>(&'a mut Level);

impl<'de> DeserializeSeed<'de> for Element<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, element: D) -> Result<(), D::Error> {
        element.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Element<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        self.0.first = Some(First::Object);
        note_fields(self.0, &mut map)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> Result<(), S::Error> {
        self.0.first = Some(First::Array);
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.scalar()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.scalar()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar()
    }
}

impl Element<'_> {
    fn scalar<E>(self) -> Result<(), E> {
        self.0.first = Some(First::Scalar);
        Ok(())
    }
}

/// The value of `protocol`, if it is a word.
struct Protocol<'a>(&'a mut Option<String>);

impl<'de> DeserializeSeed<'de> for Protocol<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        let text = <&RawValue>::deserialize(value)?;
        *self.0 = serde_json::from_str(text.get()).ok();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_by_their_first_level() {
        for (text, expected) in [
            ("{}", Kind::Json),
            ("{", Kind::Json),
            ("[", Kind::Numbers),
            (r#"{"a": 3, "b": 11}"#, Kind::Inputs),
            (r#"{"a": 3, "b": ["#, Kind::Inputs),
            (r#"{"a": 3, "#, Kind::Inputs),
            (r#"["1", "2"]"#, Kind::Numbers),
            ("[1.5", Kind::Numbers),
            ("[[1, 2]]", Kind::Json),
            (r#"{"pi_a": [1], "protocol": "groth16"}"#, Kind::Proof),
            (r#"{"pi_a": [1], "pi_b": 2}"#, Kind::Json),
            (
                r#"{"pi_a": [1], "protocol": {"$serde_json::private::RawValue": "\"plonk\""}}"#,
                Kind::Json,
            ),
            (
                r#"{"protocol": "groth16", "vk_alpha_1": ["#,
                Kind::VerifyingKey,
            ),
            (r#"{"vk_alpha_1": 1}"#, Kind::VerifyingKey),
            (r#"{"domainSize": 4, "vk_alpha_1": ["#, Kind::KeyJson),
            (r#"{"A": 1, "protocol": "plonk"}"#, Kind::OtherProof),
            (
                r#"{"protocol": "fflonk", "nPublic": 1}"#,
                Kind::OtherVerifyingKey,
            ),
            (r#"{"protocol": 7}"#, Kind::Inputs),
            (r#"{"proof": "0x00"}"#, Kind::VerkleProof),
            (
                r#"[{"commitment": "0x", "point": 1, "value": 2}]"#,
                Kind::VerkleClaims,
            ),
            (r#"[{"polynomial": [1], "point": 1}]"#, Kind::VerkleOpenings),
            (r#"{"0x00": "0x11"}"#, Kind::Json),
            (r#"{"0": 7, "255": 1}"#, Kind::Json),
            (
                r#"{"stateDiff": [], "verkleProof": {}}"#,
                Kind::ExecutionWitness,
            ),
            (r#"{"executionWitness": {}}"#, Kind::ExecutionWitness),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }

    /// `serde_json` refuses what is nested deeper than 128 levels.
    #[test]
    fn deep_documents_end() {
        assert_eq!(kind(&"[".repeat(100_000)), Kind::Json);
        assert_eq!(kind(&r#"{"a":"#.repeat(100_000)), Kind::Inputs);
    }
}
