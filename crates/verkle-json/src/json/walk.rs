//! Arrays and objects, element by element.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{Error, Node, Problem};

impl<'t> Node<'t, '_> {
    /// Hands on elements (with an empty key) or entries of this array or object.
    pub(super) fn walk(
        &self,
        read: impl FnMut(usize, &str, &'t str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut walk = Walk {
            read,
            failure: None,
        };
        let mut deserializer = serde_json::Deserializer::from_str(self.text);
        let result = deserializer.deserialize_any(&mut walk);
        match (walk.failure, result) {
            (Some(failure), _) => Err(failure),
            (None, Err(error)) => Err(self.error(Problem::Syntax(error.to_string()))),
            (None, Ok(())) => Ok(()),
        }
    }
}

/// The serde visitor that does the walking. A failure is kept aside, as serde would make text of it.
struct Walk<F> {
    read: F,
    failure: Option<Error>,
}

impl<F> Walk<F> {
    fn step<'t, E: serde::de::Error>(
        &mut self,
        index: usize,
        key: &str,
        raw: &'t RawValue,
    ) -> Result<(), E>
    where
        F: FnMut(usize, &str, &'t str) -> Result<(), Error>,
    {
        (self.read)(index, key, raw.get()).map_err(|failure| {
            self.failure = Some(failure);
            E::custom("")
        })
    }
}

impl<'t, F: FnMut(usize, &str, &'t str) -> Result<(), Error>> Visitor<'t> for &mut Walk<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array or an object")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut sequence: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(raw) = sequence.next_element::<&RawValue>()? {
            self.step(index, "", raw)?;
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(key) = map.next_key_seed(Key)? {
            let raw = map.next_value::<&RawValue>()?;
            self.step(index, &key, raw)?;
            index += 1;
        }
        Ok(())
    }
}

/// A key, borrowed from the text unless it has escapes.
struct Key;

impl<'t> DeserializeSeed<'t> for Key {
    type Value = Cow<'t, str>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'t> Visitor<'t> for Key {
    type Value = Cow<'t, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'t str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}
