//! Sizes of the values of a JSON document. It is walked over and not kept, as inputs are secret.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value.
#[derive(Default)]
pub(super) struct Sizes {
    /// Number of values in nested arrays and objects; 1 for another value.
    pub(super) values: usize,
    /// Length of an array.
    pub(super) elements: Option<usize>,
    /// The values of each field of an object. Of names that stand twice the last counts.
    pub(super) fields: Option<BTreeMap<String, usize>>,
}

impl Sizes {
    fn one() -> Self {
        Self {
            values: 1,
            ..Self::default()
        }
    }
}

impl<'de> Deserialize<'de> for Sizes {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Sizes;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Sizes, E> {
        Ok(Sizes::one())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Sizes, E> {
        Ok(Sizes::one())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Sizes, E> {
        Ok(Sizes::one())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Sizes, E> {
        Ok(Sizes::one())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Sizes, E> {
        Ok(Sizes::one())
    }

    fn visit_str<E>(self, _: &str) -> Result<Sizes, E> {
        Ok(Sizes::one())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Sizes, A::Error> {
        let (mut values, mut elements) = (0, 0);
        while let Some(element) = list.next_element::<Sizes>()? {
            values += element.values;
            elements += 1;
        }
        Ok(Sizes {
            values,
            elements: Some(elements),
            fields: None,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Sizes, A::Error> {
        let mut fields = BTreeMap::new();
        while let Some((name, value)) = object.next_entry::<String, Sizes>()? {
            fields.insert(name, value.values);
        }
        Ok(Sizes {
            values: fields.values().sum(),
            elements: None,
            fields: Some(fields),
        })
    }
}
