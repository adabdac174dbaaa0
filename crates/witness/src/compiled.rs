//! A module, read and checked: what comes out runs any number of times.

use std::sync::OnceLock;

use wasmi::{CompilationMode, Config, Engine, Module};
use wasmparser::{BinaryReaderError, Operator, Parser, Payload};

use crate::error::Error;
use crate::input::InputTable;
use crate::rewrite::rewrite;
use crate::routines::{Recognised, recognise};
use crate::variant::Variant;

/// A module that was read and checked, and has not run yet.
pub struct CompiledModule {
    pub(crate) engine: Engine,
    bytes: Vec<u8>,
    as_it_is: OnceLock<Option<Module>>,
    recognised: Option<Recognised>,
    native: OnceLock<Option<Module>>,
    recorded: OnceLock<Option<Module>>,
    rehearsed: OnceLock<Option<Module>>,
}

impl CompiledModule {
    /// Reads, validates and translates a WebAssembly module: 7 MB in 0.1 s. Time and memory are in proportion to the
    /// bytes, whatever they are.
    ///
    /// # Errors
    /// [`Error::Module`] for bytes that are no WebAssembly.
    pub fn new(bytes: &[u8]) -> Result<Self, Error> {
        Self::to_run(bytes, Variant::Native)
    }

    /// As [`CompiledModule::new`], for a run that is to be recorded first.
    ///
    /// # Errors
    /// As [`CompiledModule::new`].
    pub fn to_record(bytes: &[u8]) -> Result<Self, Error> {
        Self::to_run(bytes, Variant::Recorded)
    }

    /// As [`CompiledModule::new`], for a [rehearsal](crate::WitnessCalculator::rehearse_over).
    ///
    /// # Errors
    /// As [`CompiledModule::new`].
    pub fn to_rehearse(bytes: &[u8]) -> Result<Self, Error> {
        Self::to_run(bytes, Variant::Rehearsed)
    }

    fn to_run(bytes: &[u8], known: Variant) -> Result<Self, Error> {
        // What else is wrong with the bytes, wasmi says in better words.
        if has_code_after_an_end(bytes).unwrap_or(false) {
            return Err(Error::Module {
                reason: "a function goes on after its end".into(),
            });
        }
        let mut module = Self {
            engine: Engine::new(&configuration()),
            bytes: bytes.to_vec(),
            as_it_is: OnceLock::new(),
            recognised: recognise(bytes),
            native: OnceLock::new(),
            recorded: OnceLock::new(),
            rehearsed: OnceLock::new(),
        };
        // A known module is validated in the form in which it will run.
        if module.recognised.is_some() && module.variant(known).is_some() {
            return Ok(module);
        }
        module.recognised = None;
        let as_it_is = Module::new(&module.engine, bytes).map_err(|error| Error::Module {
            reason: error.to_string(),
        })?;
        module.as_it_is = OnceLock::from(Some(as_it_is));
        Ok(module)
    }

    /// The way to run it that is translated already.
    pub(crate) fn translated(&self) -> Variant {
        let is_there = |module: &OnceLock<Option<Module>>| matches!(module.get(), Some(Some(_)));
        let variants = [
            (&self.native, Variant::Native),
            (&self.recorded, Variant::Recorded),
            (&self.rehearsed, Variant::Rehearsed),
        ];
        let found = variants.into_iter().find(|(module, _)| is_there(module));
        found.map_or(Variant::AsItIs, |(_, variant)| variant)
    }

    /// The input signals, with the number of values of each, if they take `total` values together. None if the module
    /// does not have their table where circom's do.
    pub(crate) fn inputs(&self, total: u64) -> Option<InputTable> {
        InputTable::in_module(&self.bytes, total)
    }

    /// The known field routines in it.
    pub(crate) fn recognised(&self) -> Option<Recognised> {
        self.recognised
    }

    /// The module for a way to run it, none if it cannot be run so.
    pub(crate) fn variant(&self, variant: Variant) -> Option<&Module> {
        let rewritten = || {
            let bytes = rewrite(&self.bytes, self.recognised?, variant)?;
            Module::new(&self.engine, bytes).ok()
        };
        match variant {
            Variant::AsItIs => {
                let read = || Module::new(&self.engine, &self.bytes).ok();
                self.as_it_is.get_or_init(read).as_ref()
            }
            Variant::Native => self.native.get_or_init(rewritten).as_ref(),
            Variant::Recorded => self.recorded.get_or_init(rewritten).as_ref(),
            Variant::Rehearsed => self.rehearsed.get_or_init(rewritten).as_ref(),
        }
    }
}

/// True if operators follow the `end` of a function. The validator in wasmi 2.0 notices when the function is over, but
/// its translator takes each operator before, and is not made for these.
fn has_code_after_an_end(bytes: &[u8]) -> Result<bool, BinaryReaderError> {
    for payload in Parser::new(0).parse_all(bytes) {
        let Payload::CodeSectionEntry(body) = payload? else {
            continue;
        };
        let mut depth = 1;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            if depth == 0 {
                return Ok(true);
            }
            match operators.read()? {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => depth += 1,
                Operator::End => depth -= 1,
                _ => {}
            }
        }
    }
    Ok(false)
}

/// The features that circom's modules need, and no more.
fn configuration() -> Config {
    let mut config = Config::default();
    config
        .consume_fuel(true)
        .compilation_mode(CompilationMode::Eager)
        .set_max_recursion_depth(MAX_DEPTH)
        .set_max_stack_height(MAX_STACK_BYTES)
        .wasm_multi_memory(false)
        .wasm_tail_call(false);
    config
}

/// Calls within calls: templates call their components. node has room for about as many.
const MAX_DEPTH: usize = 10_000;

/// The stack of the module, on our heap.
const MAX_STACK_BYTES: usize = 16 << 20;
