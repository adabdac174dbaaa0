//! A document as a tree.
//!
//! Not serde_json's `Value`. With the feature `raw_value`, that reads an object whose first name is
//! `$serde_json::private::RawValue` as the document in the string there. The nesting is counted anew in each of them.
//! So a small document ends the process on a stack that overflows. And it means something else than to snarkjs.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value: 24 bytes, or 40 with a name. As a list grows it takes up to three times as much. The shortest value is one
/// character and a comma, so a tree takes less than 40 times the text.
#[derive(Debug)]
pub(super) enum Tree {
    Null,
    /// A number from 0 to 2^64 - 1.
    Number(u64),
    Text(Box<str>),
    Array(Box<[Tree]>),
    Object(Box<[(Box<str>, Tree)]>),
    /// True, false, or another number: no format here has one.
    Other,
}

impl Tree {
    /// The value of a name in an object, none elsewhere. Of names that stand twice the last counts, as in JavaScript.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(entries) = self else {
            return None;
        };
        let mut from_the_end = entries.iter().rev();
        let (_, value) = from_the_end.find(|(key, _)| **key == *name)?;
        Some(value)
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Tree;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Tree, E> {
        Ok(Tree::Number(number))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        Ok(Tree::Array(elements.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = object.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Object(entries.into()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_value_has_the_size_that_is_told() {
        assert_eq!(size_of::<Tree>(), 24);
        assert_eq!(size_of::<(Box<str>, Tree)>(), 40);
    }

    #[test]
    fn the_last_of_two_equal_names_counts() {
        let tree: Tree = serde_json::from_str(r#"{"a": 1, "b": 2, "a": "3"}"#).unwrap();
        assert!(matches!(tree.get("a"), Some(Tree::Text(text)) if &**text == "3"));
        assert!(matches!(tree.get("b"), Some(Tree::Number(2))));
        assert!(tree.get("c").is_none());
    }
}
