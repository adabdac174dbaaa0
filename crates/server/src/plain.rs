//! JSON of others: servers that are asked, nodes of a fleet.
//!
//! With the feature `raw_value`, serde_json's `Value` reads some strings as documents of their own. It counts nesting
//! anew in each. So an answer of some kilobytes would end the process on a stack that overflows.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The value of a text; none if it is not JSON, or nested more than 127 levels deep.
pub fn parse(text: &[u8]) -> Option<Value> {
    let Plain(value) = serde_json::from_slice(text).ok()?;
    Some(value)
}

/// A value in which strings are strings.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(AnyValue).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(Plain(element)) = list.next_element()? {
            elements.push(element);
        }
        Ok(elements.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some((name, Plain(value))) = object.next_entry()? {
            fields.insert(name, value);
        }
        Ok(fields.into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_those_of_serde_json() {
        let text = r#"{"a": [null, true, -1, 2, 0.5, "x\n"], "b": {"c": {}}, "a": 3}"#;
        assert_eq!(
            parse(text.as_bytes()).unwrap(),
            serde_json::from_str::<Value>(text).unwrap()
        );
        assert_eq!(parse(b"{}x"), None);
    }

    #[test]
    fn strings_are_not_documents() {
        let text = json!({ "$serde_json::private::RawValue": "[1]" });
        assert_eq!(parse(text.to_string().as_bytes()), Some(text));
    }
}
