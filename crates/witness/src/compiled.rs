//! Compiling, as a step of its own: what comes out runs any number of times.

use wasmtime::{Config, Engine, Module, OptLevel};

use crate::error::Error;

/// A module that has been compiled for this machine, and has not run yet.
pub struct CompiledModule {
    pub(crate) engine: Engine,
    pub(crate) module: Module,
}

impl CompiledModule {
    /// Compiles a WebAssembly module.
    ///
    /// A module that circom wrote takes about a second for 5 MB. One that was made to be slow may take any time and
    /// memory for some kilobytes: [`isolated`](crate::isolated) bounds both.
    ///
    /// # Errors
    /// [`Error::Module`] for bytes that are no WebAssembly.
    pub fn new(bytes: &[u8]) -> Result<Self, Error> {
        let engine = Engine::new(&configuration()).map_err(|error| invalid(&error))?;
        // `from_binary` and not `new`: text is not what circom writes.
        let module = Module::from_binary(&engine, bytes).map_err(|error| invalid(&error))?;
        Ok(Self { engine, module })
    }
}

/// The features that circom's modules need, and no more.
///
/// Compiled without optimisation: circom's code is straight-line already. For a module of 3 to 5 MB the whole run takes
/// 15% less processor time so, as compiling gets faster and running (1 s for 500,000 wires) not slower.
fn configuration() -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        .cranelift_opt_level(OptLevel::None)
        .max_wasm_stack(MAX_STACK_BYTES)
        .wasm_simd(false)
        .wasm_relaxed_simd(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_tail_call(false);
    config
}

fn invalid(error: &wasmtime::Error) -> Error {
    Error::Module {
        reason: error.root_cause().to_string(),
    }
}

/// The stack on which templates call their components: a little above what node gives them, and half of the smallest
/// that Rust gives a thread.
const MAX_STACK_BYTES: usize = 1 << 20;
