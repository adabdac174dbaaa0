#![forbid(unsafe_code)]
//! The contents of a WebAssembly module, from its sections alone: nothing is compiled, and nothing runs.
//!
//! circom writes the numbers of its interface as functions that return a constant, so they can be read. A module may
//! compute them, or lie: its real answers are known when it runs.

use frumious_curves::{PairingCurve, bls12_381, bn254};
use wasmparser::{BinaryReaderError, ExternalKind, FunctionBody, Operator, Parser, Payload};

/// The bytes are not a WebAssembly module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a valid WebAssembly module: {reason}")]
pub struct NotAModule {
    /// The reader's reason, with the offset.
    pub reason: String,
}

/// A module's description of itself. Numbers are none where they are not constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The version of circom's interface, 2 for all of circom 2.
    pub version: Option<u32>,
    /// The second and the third number of circom's version.
    pub minor_and_patch: Option<(u32, u32)>,
    /// The curve over whose scalar field the circuit is, if of the two that are known one's r is among the data.
    pub curve: Option<PairingCurve>,
    /// Number of values that the circuit's inputs take together.
    pub input_size: Option<u32>,
    /// Number of wires, the constant one included.
    pub witness_size: Option<u32>,
    /// Number of functions it has, imported ones left out.
    pub functions: u32,
    /// Bytes of their code.
    pub code_bytes: u64,
    /// Bytes of its data.
    pub data_bytes: u64,
    /// Number of imports.
    pub imports: u32,
    /// Number of exports.
    pub exports: u32,
    /// Pages of 64 KiB that its memory has at first, and may have; of several memories the first. None without a memory
    /// of its own.
    pub memory_pages: Option<(u64, Option<u64>)>,
}

/// Reads the sections of a module, once through.
///
/// # Errors
/// [`NotAModule`] for bytes that are no WebAssembly, with the offset. Code is not validated.
pub fn describe(bytes: &[u8]) -> Result<Description, NotAModule> {
    let mut reading = Reading::default();
    for payload in Parser::new(0).parse_all(bytes) {
        payload
            .and_then(|payload| reading.take(payload))
            .map_err(|error| NotAModule {
                reason: format!("{} (byte {})", error.message(), error.offset()),
            })?;
    }
    Ok(reading.finish())
}

/// Functions of circom's interface that return a constant.
const CONSTANTS: [&str; 5] = [
    "getVersion",
    "getMinorVersion",
    "getPatchVersion",
    "getInputSize",
    "getWitnessSize",
];

#[derive(Default)]
struct Reading {
    description: Description,
    imported_functions: u32,
    /// Indices of the functions that are exported as [`CONSTANTS`], and what they return.
    constants: [(Option<u32>, Option<u32>); CONSTANTS.len()],
    has_prime: [bool; PRIMES.len()],
}

impl Reading {
    fn take(&mut self, payload: Payload<'_>) -> Result<(), BinaryReaderError> {
        let description = &mut self.description;
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports {
                    description.imports += 1;
                    if let wasmparser::TypeRef::Func(_) = import?.ty {
                        self.imported_functions += 1;
                    }
                }
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    let memory = memory?;
                    description
                        .memory_pages
                        .get_or_insert((memory.initial, memory.maximum));
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    description.exports += 1;
                    let known = CONSTANTS.iter().position(|name| *name == export.name);
                    if let (Some(known), ExternalKind::Func) = (known, export.kind) {
                        self.constants[known].0 = Some(export.index);
                    }
                }
            }
            Payload::CodeSectionEntry(body) => {
                let index = self.imported_functions.checked_add(description.functions);
                description.functions += 1;
                description.code_bytes += body.range().len() as u64;
                if self.constants.iter().any(|(of, _)| *of == index) {
                    let returned = constant(&body);
                    for (of, value) in &mut self.constants {
                        if *of == index {
                            *value = returned;
                        }
                    }
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    let data = segment?.data;
                    description.data_bytes += data.len() as u64;
                    for (found, (_, modulus)) in self.has_prime.iter_mut().zip(PRIMES) {
                        *found = *found || contains(data, &modulus);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Description {
        let [version, minor, patch, input_size, witness_size] =
            self.constants.map(|(_, value)| value);
        let mut primes = PRIMES
            .iter()
            .zip(self.has_prime)
            .filter_map(|((curve, _), found)| found.then_some(*curve));
        let curve = match (primes.next(), primes.next()) {
            (Some(curve), None) => Some(curve),
            _ => None,
        };
        Description {
            version,
            minor_and_patch: minor.zip(patch),
            curve,
            input_size,
            witness_size,
            ..self.description
        }
    }
}

/// The number that a function returns which does nothing else: `i32.const n`, `end`.
fn constant(body: &FunctionBody<'_>) -> Option<u32> {
    let mut operators = body.get_operators_reader().ok()?;
    let Operator::I32Const { value } = operators.read().ok()? else {
        return None;
    };
    matches!(operators.read().ok()?, Operator::End).then_some(value.cast_unsigned())
}

fn contains(data: &[u8], modulus: &[u64; 4]) -> bool {
    let bytes: Vec<u8> = modulus.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    data.windows(bytes.len()).any(|window| window == bytes)
}

const PRIMES: [(PairingCurve, [u64; 4]); 2] = [
    (PairingCurve::Bn254, bn254::Fr::MODULUS),
    (PairingCurve::Bls12_381, bls12_381::Fr::MODULUS),
];
