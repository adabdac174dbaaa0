//! `frumious inspect`: what is in a file. Never the values of a witness.

mod describe;
mod templates;

use std::path::Path;

use frumious_circom::FileKind;
use frumious_circom::generic::{R1cs, Wtns};
use frumious_curves::{Bls12_381, Bn254, PairingEngine};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{KeyFile, Ptau, public_from_json};
use frumious_snarkjs::groth16::{proof_from_json, verifying_key_from_json};
use serde_json::{Map, Value};

use crate::arguments::Inspect;
use crate::output::Output;
use frumious_app::failure::{About, Failure};
use frumious_app::quantities::count;
use frumious_app::{curve, over_curve};

/// Tells what is in a file.
pub fn inspect(arguments: &Inspect, output: &Output) -> Result<(), Failure> {
    let path = &arguments.file;
    let bytes = FileBytes::map(path).about(path)?;
    let description = match Kind::of(&bytes) {
        Some(Kind::R1cs) if arguments.templates => {
            let mut description = Kind::R1cs.describe(bytes.clone(), path)?;
            description.facts.extend(templates::find(bytes, path)?);
            description
        }
        Some(_) if arguments.templates => {
            return Err(Failure::BadInput(format!(
                "{}: templates are looked for in a .r1cs",
                path.display()
            )));
        }
        Some(kind) => kind.describe(bytes, path)?,
        None => {
            return Err(Failure::BadInput(format!(
                "{}: neither .r1cs, .wtns, .zkey, .fkey, .ptau, .wasm, nor JSON of a proof, key or public signals (byte 0)",
                path.display()
            )));
        }
    };
    output.answer(
        &description.for_people(path),
        Value::Object(description.for_programs()),
    )
}

/// Facts about a file, in the order in which people want them.
pub struct Description {
    kind: &'static str,
    facts: Vec<(&'static str, Value)>,
}

impl Description {
    fn for_people(&self, path: &Path) -> String {
        let width = self
            .facts
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or(0);
        let facts = self.facts.iter().map(|(name, value)| {
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
        format!("{}: {}", path.display(), self.kind) + &facts.collect::<String>()
    }

    fn for_programs(&self) -> Map<String, Value> {
        let kind = ("kind".to_owned(), Value::from(self.kind));
        let facts = self
            .facts
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        facts.chain([kind]).collect()
    }
}

/// The kind of a file, by its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    R1cs,
    Wtns,
    Zkey,
    Fkey,
    Ptau,
    Wasm,
    Proof,
    VerifyingKey,
    Public,
}

impl Kind {
    /// By the first bytes; for JSON, by what the value has.
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.get(..4) {
            Some(b"r1cs") => Some(Kind::R1cs),
            Some(b"wtns") => Some(Kind::Wtns),
            Some(b"zkey") => Some(Kind::Zkey),
            Some(b"fkey") => Some(Kind::Fkey),
            Some(b"ptau") => Some(Kind::Ptau),
            Some(b"\0asm") => Some(Kind::Wasm),
            _ => match serde_json::from_slice(bytes).ok()? {
                Value::Array(_) => Some(Kind::Public),
                Value::Object(object) if object.contains_key("pi_a") => Some(Kind::Proof),
                Value::Object(object) if object.contains_key("vk_alpha_1") => {
                    Some(Kind::VerifyingKey)
                }
                _ => None,
            },
        }
    }

    fn describe(self, bytes: FileBytes, path: &Path) -> Result<Description, Failure> {
        let file_kind = match self {
            Kind::R1cs => FileKind::R1cs,
            Kind::Wtns => FileKind::Wtns,
            Kind::Zkey => FileKind::Zkey,
            Kind::Fkey => FileKind::Fkey,
            Kind::Ptau => FileKind::Ptau,
            Kind::Proof => FileKind::ProofJson,
            Kind::VerifyingKey => FileKind::VerifyingKeyJson,
            Kind::Wasm => {
                // Read, not run: it is somebody else's program.
                let module = frumious_wasm::describe(&bytes).about(path)?;
                return Ok(describe::wasm(&module));
            }
            // The signals do not say; those of BN254 are below the other's r as well.
            Kind::Public => {
                return self
                    .describe_over::<Bn254>(bytes.clone())
                    .or_else(|_| self.describe_over::<Bls12_381>(bytes))
                    .map_err(|error| error.in_file(path))
                    .about(path);
            }
        };
        over_curve!(curve::of(file_kind, &bytes, path)?, E => self.describe_over::<E>(bytes))
            .map_err(|error| error.in_file(path))
            .about(path)
    }

    fn describe_over<E: PairingEngine>(
        self,
        bytes: FileBytes,
    ) -> Result<Description, frumious_circom::Error> {
        match self {
            Kind::R1cs => R1cs::<E>::from_bytes(bytes).map(|r1cs| describe::r1cs(&r1cs)),
            Kind::Wtns => Wtns::<E>::from_bytes(&bytes).map(|wtns| describe::wtns(&wtns)),
            Kind::Zkey | Kind::Fkey => {
                KeyFile::<E>::from_bytes(bytes).and_then(|key| describe::key(&key))
            }
            Kind::Ptau => Ptau::<E>::from_bytes(bytes).map(|ptau| describe::ptau(&ptau)),
            Kind::Proof => proof_from_json::<E>(bytes).map(|proof| describe::proof(&proof)),
            Kind::VerifyingKey => {
                verifying_key_from_json::<E>(bytes).map(|key| describe::verifying_key(&key))
            }
            Kind::Public | Kind::Wasm => {
                public_from_json(bytes).map(|public| describe::public::<E>(&public))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_magic_and_by_fields() {
        let cases: [(&[u8], Option<Kind>); 11] = [
            (b"r1cs", Some(Kind::R1cs)),
            (b"wtns\x02", Some(Kind::Wtns)),
            (b"zkey", Some(Kind::Zkey)),
            (b"fkey", Some(Kind::Fkey)),
            (b"ptau", Some(Kind::Ptau)),
            (b"\0asm\x01\0\0\0", Some(Kind::Wasm)),
            (b"[]", Some(Kind::Public)),
            (b"{\"pi_a\": 1}", Some(Kind::Proof)),
            (b"{\"vk_alpha_1\": 1}", Some(Kind::VerifyingKey)),
            (b"{}", None),
            (b"zke", None),
        ];
        for (bytes, kind) in cases {
            assert_eq!(Kind::of(bytes), kind, "{bytes:?}");
        }
    }
}
