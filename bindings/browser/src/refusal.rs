//! Errors as the page gets them: a stable word (`docs/json.md`) and a line.

use serde_json::json;

/// A reason to fail.
#[derive(Debug)]
pub struct Refusal {
    code: &'static str,
    message: String,
}

impl Refusal {
    /// Something is wrong with what was given.
    pub fn bad_input(message: impl ToString) -> Self {
        Self::of("bad_input", message)
    }

    /// The key lacks a contribution.
    pub fn uncontributed() -> Self {
        let message =
            "UNFINISHED KEY: anyone can forge proofs under it; set allowUncontributed in a test";
        Self::of("uncontributed", message)
    }

    fn of(code: &'static str, message: impl ToString) -> Self {
        let message = message.to_string();
        Self { code, message }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        json!({ "code": self.code, "message": self.message }).to_string()
    }
}

impl From<frumious_circom::Error> for Refusal {
    fn from(error: frumious_circom::Error) -> Self {
        Self::bad_input(error)
    }
}

impl From<frumious_groth16::Error> for Refusal {
    fn from(error: frumious_groth16::Error) -> Self {
        match error {
            frumious_groth16::Error::Unsatisfied => Self::of("unsatisfied", error),
            frumious_groth16::Error::MemoryLimit { .. } => Self::of("memory_limit", error),
            _ => Self::bad_input(error),
        }
    }
}
