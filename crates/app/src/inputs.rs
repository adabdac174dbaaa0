//! Inputs of a circuit as people write them: slips, and signals that are missing.
//!
//! Names are told, values on request only.

mod failed;
mod missing;

use std::collections::BTreeSet;
use std::fmt;

use frumious_curves::PairingCurve;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use zeroize::Zeroizing;

use crate::symbols::MOST_NAMES;
pub use failed::{signals_of, values_at};
pub use missing::missing;

/// Warnings about inputs for a circuit over `curve`. Of names that stand twice in one object the last counts. Numbers
/// that are not below r are reduced.
pub fn warnings(text: &str, curve: PairingCurve) -> Vec<String> {
    let mut seen = Seen {
        modulus: curve.scalar_modulus(),
        path: Vec::new(),
        depth: 0,
        repeated: BTreeSet::new(),
        large: BTreeSet::new(),
    };
    // What is wrong with the form is told by who reads the inputs.
    if let Ok(document) = serde_json::from_str::<&RawValue>(text) {
        let _ = seen.piece(document.get());
    }
    let said = |names: &BTreeSet<String>, what: &str| {
        let shown: Vec<String> = names
            .iter()
            .take(MOST_NAMES)
            .map(|name| format!("{name:?}"))
            .collect();
        (!names.is_empty()).then(|| format!("warning: input {}: {what}", shown.join(", ")))
    };
    [
        said(&seen.repeated, "is given twice; the last one counts"),
        said(
            &seen.large,
            "is not below the circuit's prime, and is reduced",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The notes about a document.
struct Seen {
    modulus: &'static str,
    /// Names of the objects around the value.
    path: Vec<String>,
    /// Number of objects and arrays around the value.
    depth: usize,
    repeated: BTreeSet<String>,
    large: BTreeSet<String>,
}

impl Seen {
    fn name(&self) -> String {
        self.path.join(".")
    }

    /// A piece of the document. Numbers are taken from its text, as serde_json would round them.
    fn piece(&mut self, text: &str) -> serde_json::Result<()> {
        match text.as_bytes() {
            [b'{' | b'[', ..] if self.depth < MAX_DEPTH => {
                self.depth += 1;
                let walked = serde_json::Deserializer::from_str(text).deserialize_any(Value(self));
                self.depth -= 1;
                walked
            }
            [b'"', ..] => {
                let value = Zeroizing::new(serde_json::from_str::<String>(text)?);
                self.number(value.trim());
                Ok(())
            }
            _ => {
                self.number(text);
                Ok(())
            }
        }
    }

    /// A number, as its text.
    fn number(&mut self, text: &str) {
        let digits = text.trim_start_matches('0');
        let is_decimal = digits.bytes().all(|byte| byte.is_ascii_digit());
        let (length, most) = (digits.len(), self.modulus.len());
        if is_decimal && (length, digits) >= (most, self.modulus) {
            self.large.insert(self.name());
        }
    }
}

/// A value in an object or an array, and these themselves.
struct Value<'a>(&'a mut Seen);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        let piece: &RawValue = Deserialize::deserialize(value)?;
        self.0.piece(piece.get()).map_err(D::Error::custom)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            self.0.path.push(name.clone());
            if !names.insert(name) {
                let name = self.0.name();
                self.0.repeated.insert(name);
            }
            map.next_value_seed(Value(self.0))?;
            self.0.path.pop();
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> Result<(), S::Error> {
        while elements.next_element_seed(Value(self.0))?.is_some() {}
        Ok(())
    }
}

/// Deeper ones are refused by who reads the inputs.
const MAX_DEPTH: usize = 127;

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(text: &str) -> String {
        warnings(text, PairingCurve::Bn254).join("\n")
    }

    #[test]
    fn repeated_names_are_noticed_at_any_depth() {
        assert_eq!(warned(r#"{"a": 1, "b": [1, "2"]}"#), "");
        assert!(warned(r#"{"a": 1, "a": 2}"#).contains(r#"input "a": is given twice"#));
        assert!(warned(r#"{"a": {"x": 1, "x": 2}}"#).contains(r#"input "a.x": is given twice"#));
        assert_eq!(warned(r#"{"a": [{"x": 1}, {"x": 2}]}"#), "");
        assert_eq!(warned("not JSON"), "");
        assert_eq!(warned(&"[".repeat(100_000)), "");
    }

    #[test]
    fn numbers_from_the_prime_on_are_noticed() {
        let r = PairingCurve::Bn254.scalar_modulus();
        let below = r.replace("617", "616");
        for (text, is_large) in [
            (format!(r#"{{"a": "{r}"}}"#), true),
            (format!(r#"{{"a": {r}}}"#), true),
            (format!(r#"{{"a": ["1", "{r}0"]}}"#), true),
            (format!(r#"{{"a": "{below}"}}"#), false),
            (format!(r#"{{"a": {below}}}"#), false),
            (format!(r#"{{"p": [{{"x": {r}}}]}}"#), true),
            (format!(r#"{{"a": "000{below}"}}"#), false),
            (format!(r#"{{"a": "{below}", "b": "zzz{r}"}}"#), false),
        ] {
            assert_eq!(warned(&text).contains("not below"), is_large, "{text}");
            assert!(!warned(&text).contains(r), "values are secret");
        }
        let bls = format!(r#"{{"a": "{r}"}}"#);
        assert!(warnings(&bls, PairingCurve::Bls12_381).is_empty());
    }
}
