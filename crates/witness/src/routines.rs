//! circom's field routines in a module: which functions they are, if they are the ones that are known.
//!
//! circom writes the same 81 functions before all others into every module for a prime. They are known by a digest of
//! their bodies and of the constants that they read. A function that looks like one of them and is not has another
//! digest, and then the module runs as it is. So nothing is believed of names or of what a few tests would show.
//! `interop` compares circuits of every operator with circom's own runtime, on edge and random operands.
//!
//! | circom | digest |
//! |---|---|
//! | 2.1.3 to 2.2.3 | one for each prime |
//!
//! Source: circom 2.2.3, `code_producers/src/wasm_elements`; digests of modules written by circom 2.1.3, 2.1.6, 2.1.9,
//! 2.2.2 and 2.2.3, which agree.

use frumious_curves::PairingCurve;
use frumious_tape::Operation;
use wasmparser::{DataKind, Operator, Parser, Payload, TypeRef};

/// The work of a routine that other functions call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Routine {
    /// `(to, a, b)`, or `(to, a)` for one operand.
    Apply(Operation),
    /// `(to, a, b)`: `a/b`.
    Divide,
    /// `(a) -> 0 or 1`: whether it is not zero.
    IsTrue,
    /// `(a) -> i32`: an index.
    ToIndex,
    /// `(a, b) -> 0 or 1`.
    Equal,
    /// `(a)`: the form in which values are read.
    ToLong,
}

/// The routines by the number of the function, imports not counted.
pub(crate) const ROUTINES: [(u32, Routine); 28] = [
    (IS_TRUE, Routine::IsTrue),
    (39, Routine::ToLong),
    (41, Routine::Apply(Operation::Neg)),
    (TO_INDEX, Routine::ToIndex),
    (44, Routine::Apply(Operation::Add)),
    (45, Routine::Apply(Operation::Sub)),
    (46, Routine::Equal),
    (48, Routine::Apply(Operation::Eq)),
    (49, Routine::Apply(Operation::Neq)),
    (50, Routine::Apply(Operation::Gt)),
    (51, Routine::Apply(Operation::Geq)),
    (52, Routine::Apply(Operation::Lt)),
    (53, Routine::Apply(Operation::Leq)),
    (54, Routine::Apply(Operation::Mul)),
    (55, Routine::Apply(Operation::IntDiv)),
    (56, Routine::Apply(Operation::Mod)),
    (57, Routine::Apply(Operation::Inverse)),
    (DIVIDE, Routine::Divide),
    (59, Routine::Apply(Operation::Pow)),
    (68, Routine::Apply(Operation::Shl)),
    (69, Routine::Apply(Operation::Shr)),
    (71, Routine::Apply(Operation::BitAnd)),
    (73, Routine::Apply(Operation::BitOr)),
    (75, Routine::Apply(Operation::BitXor)),
    (77, Routine::Apply(Operation::BitNot)),
    (78, Routine::Apply(Operation::And)),
    (79, Routine::Apply(Operation::Or)),
    (80, Routine::Apply(Operation::Not)),
];

impl Routine {
    /// Number of parameters, and whether there is a result.
    pub(crate) fn shape(self) -> (usize, bool) {
        match self {
            Self::Apply(operation) if operation.is_unary() => (2, false),
            Self::Apply(_) | Self::Divide => (3, false),
            Self::IsTrue | Self::ToIndex => (1, true),
            Self::Equal => (2, true),
            Self::ToLong => (1, false),
        }
    }
}

/// Routines that stay, though others call them. They set an integer to zero, copy a value, copy several: they do the
/// same whatever the value is.
const STAY: [u32; 3] = [1, COPY, 34];

/// The routine that copies a value.
pub(crate) const COPY: u32 = 33;

/// The routine that tells a condition.
pub(crate) const IS_TRUE: u32 = 35;

/// The routine that tells an index.
pub(crate) const TO_INDEX: u32 = 43;

/// The routine that divides.
pub(crate) const DIVIDE: u32 = 58;

/// The routine that copies an integer.
const COPY_INTEGER: u32 = 0;

/// The number of functions that are routines.
pub(crate) const BLOCK: u32 = 81;

/// The routines of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recognised {
    /// The curve whose scalar field they compute in.
    pub(crate) curve: PairingCurve,
    /// Number of imported functions.
    pub(crate) imports: u32,
    /// The address of the value in the shared buffer.
    pub(crate) shared: u32,
}

/// The known routines in a module. None if they are others. None, too, if a function calls one that is only for the
/// routines themselves.
pub(crate) fn recognise(module: &[u8]) -> Option<Recognised> {
    let mut reading = Reading::default();
    for payload in Parser::new(0).parse_all(module) {
        reading.take(payload.ok()?)?;
    }
    if reading.bodies <= BLOCK || reading.setter_digest != Some(SETTER) {
        return None;
    }
    let digest = *reading.digest.finalize().as_bytes();
    let known = DIGESTS.iter().find(|(_, known)| *known == digest[..16])?;
    Some(Recognised {
        curve: known.0,
        imports: reading.imports,
        shared: reading.shared?,
    })
}

/// The digests by which routines and `setInputSignal` are known: for those who add another version.
#[cfg(test)]
pub(crate) fn digests(module: &[u8]) -> Option<([u8; 16], [u8; 16])> {
    let mut reading = Reading::default();
    for payload in Parser::new(0).parse_all(module) {
        reading.take(payload.ok()?)?;
    }
    let digest = *reading.digest.finalize().as_bytes();
    Some((digest[..16].try_into().ok()?, reading.setter_digest?))
}

#[derive(Default)]
struct Reading {
    imports: u32,
    bodies: u32,
    digest: blake3::Hasher,
    /// The function that reads the shared buffer.
    reader: Option<u32>,
    /// The function that tells the prime.
    prime: Option<u32>,
    /// The function that takes an input, and the digest of what it does.
    setter: Option<u32>,
    setter_digest: Option<[u8; 16]>,
    shared: Option<u32>,
}

impl Reading {
    fn take(&mut self, payload: Payload<'_>) -> Option<()> {
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports {
                    // A memory or a table of somebody else's could change at any time.
                    let TypeRef::Func(_) = import.ok()?.ty else {
                        return None;
                    };
                    self.imports += 1;
                }
                self.digest.update(&self.imports.to_le_bytes());
            }
            Payload::CodeSectionEntry(body) => {
                if self.bodies < BLOCK {
                    let bytes = body.as_bytes();
                    self.digest.update(&(bytes.len() as u64).to_le_bytes());
                    self.digest.update(bytes);
                } else {
                    if self.reader == Some(self.imports + self.bodies) {
                        self.shared = shared_value(&body);
                    }
                    if self.setter == Some(self.imports + self.bodies) {
                        self.setter_digest = Some(self.setter_digest(&body)?);
                    }
                    for operator in body.get_operators_reader().ok()? {
                        if let Operator::Call { function_index } = operator.ok()? {
                            self.check_call(function_index)?;
                        }
                    }
                }
                self.bodies += 1;
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export.ok()?;
                    match export.name {
                        "readSharedRWMemory" => self.reader = Some(export.index),
                        "getRawPrime" => self.prime = Some(export.index),
                        "setInputSignal" => self.setter = Some(export.index),
                        _ => {}
                    }
                }
            }
            Payload::ElementSection(elements) => {
                for element in elements {
                    let items = match element.ok()?.items {
                        wasmparser::ElementItems::Functions(items) => items,
                        wasmparser::ElementItems::Expressions(..) => return None,
                    };
                    for function in items {
                        if (self.imports..self.imports + BLOCK).contains(&function.ok()?) {
                            return None;
                        }
                    }
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    let segment = segment.ok()?;
                    let DataKind::Active { offset_expr, .. } = segment.kind else {
                        return None;
                    };
                    let mut offset = offset_expr.get_operators_reader();
                    let Operator::I32Const { value } = offset.read().ok()? else {
                        return None;
                    };
                    let start = value.cast_unsigned() as usize;
                    if start < CONSTANTS_END && start + segment.data.len() > CONSTANTS_START {
                        self.digest.update(&(start as u64).to_le_bytes());
                        self.digest.update(segment.data);
                    }
                }
            }
            Payload::StartSection { .. } => return None,
            _ => {}
        }
        Some(())
    }

    /// A digest of the function that takes an input, but for the addresses and functions that differ from circuit to
    /// circuit. A recorder tells it nothing of the input's form. So it must go by that as circom's does.
    fn setter_digest(&self, body: &wasmparser::FunctionBody<'_>) -> Option<[u8; 16]> {
        let (bytes, start) = (body.as_bytes(), body.range().start);
        let mut digest = blake3::Hasher::new();
        let mut operators = body.get_operators_reader().ok()?;
        let mut from = 0; // the locals belong to the first
        while !operators.eof() {
            let operator = operators.read().ok()?;
            let to = operators.original_position() - start;
            let differs = match operator {
                // The number of the first input, too.
                Operator::I32Const { value } => {
                    let next = operators.clone().read();
                    value >= FIRST_ADDRESS || matches!(next, Ok(Operator::I32Sub))
                }
                Operator::Call { function_index } => function_index >= self.imports + BLOCK,
                _ => false,
            };
            digest.update(if differs {
                b"differs"
            } else {
                &bytes[from..to]
            });
            from = to;
        }
        digest.finalize().as_bytes()[..16].try_into().ok()
    }

    fn check_call(&self, function: u32) -> Option<()> {
        let Some(number) = function.checked_sub(self.imports) else {
            return Some(()); // an import
        };
        let is_known = |known: &(u32, Routine)| known.0 == number;
        // Copied without a routine is the prime only, where the module tells it.
        let tells_prime = self.prime == Some(self.imports + self.bodies);
        let is_fine = number >= BLOCK
            || STAY.contains(&number)
            || number == COPY_INTEGER && tells_prime
            || ROUTINES.iter().any(is_known);
        is_fine.then_some(())
    }
}

/// The address of the value whose integer `readSharedRWMemory` reads by words, if it does as circom writes it.
fn shared_value(body: &wasmparser::FunctionBody<'_>) -> Option<u32> {
    let mut operators = body.get_operators_reader().ok()?;
    let mut next = || operators.read().ok();
    let Operator::I32Const { value } = next()? else {
        return None;
    };
    let as_written = matches!(next()?, Operator::LocalGet { local_index: 0 })
        && matches!(next()?, Operator::I32Const { value: 4 })
        && matches!(next()?, Operator::I32Mul)
        && matches!(next()?, Operator::I32Add)
        && matches!(next()?, Operator::I32Load { memarg } if memarg.offset == 0)
        && matches!(next()?, Operator::End);
    as_written.then_some(value.cast_unsigned().checked_sub(8)?)
}

/// The memory that holds what the routines read: prime, Montgomery constants, scratch; the stack pointer lies before.
pub(crate) const CONSTANTS_START: usize = 8;
/// The shared buffer begins here.
pub(crate) const CONSTANTS_END: usize = 1984;

/// Constants from here on are addresses of what a circuit has, and differ.
const FIRST_ADDRESS: i32 = 2048;

/// The digest of `setInputSignal`.
const SETTER: [u8; 16] = [
    0x71, 0x9d, 0xdf, 0x1a, 0x91, 0x61, 0x68, 0x4a, 0xac, 0xd8, 0x00, 0xcd, 0x84, 0xa4, 0xdb, 0xe8,
];

const DIGESTS: [(PairingCurve, [u8; 16]); 2] = [
    (
        PairingCurve::Bn254,
        [
            0x94, 0x07, 0x02, 0x50, 0x06, 0x04, 0x2a, 0x44, 0x42, 0x0a, 0xd3, 0x88, 0xbd, 0x2c,
            0x9b, 0x30,
        ],
    ),
    (
        PairingCurve::Bls12_381,
        [
            0xe0, 0xa8, 0x73, 0x37, 0xeb, 0xed, 0x76, 0xe3, 0xeb, 0xcd, 0xf2, 0x32, 0x29, 0xa0,
            0xf2, 0x10,
        ],
    ),
];
