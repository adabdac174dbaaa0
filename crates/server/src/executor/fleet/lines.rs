//! Orders to a driver and events of it: lines of JSON. Inputs follow their line as they are, so that no copy of them
//! must be wiped.
//!
//! `bindings/python/python/frumious/fleet/attendance.py` is the other side.

use std::io::Write;

use frumious_app::failure::Code;
use serde::Deserialize;
use serde_json::{Value, json};

use super::desk::Ask;
use crate::circuits::Circuits;
use crate::config::{Config, FleetEntry};
use crate::journal::JobId;

/// The first lines: the fleet, and the circuits with their files. None of it is secret.
pub fn opening(entry: &FleetEntry, config: &Config, circuits: &Circuits) -> Vec<u8> {
    let mut text = line(&json!({
        "do": "begin",
        "version": env!("CARGO_PKG_VERSION"),
        "address": entry.address,
        "batch": entry.batch.min(entry.jobs),
    }));
    for files in &config.circuits {
        let Some(registered) = circuits.get(&files.id) else {
            continue;
        };
        text += &line(&json!({
            "do": "circuit",
            "circuit": files.id,
            "key": std::path::absolute(&files.key).ok(),
            "generator": files.generator.as_ref().and_then(|path| std::path::absolute(path).ok()),
            "generator_seconds": files.generator_seconds.duration().as_secs_f64(),
            "generator_memory": files.generator_memory.0,
            "vkey": registered.circuit.verifying_key(),
        }));
    }
    text += &line(&json!({ "do": "serve" }));
    text.into_bytes()
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

/// Writes a job with its input.
///
/// # Errors
/// Those of `out`.
pub fn write_ask(out: &mut impl Write, ask: &Ask) -> std::io::Result<()> {
    let head = line(&json!({
        "do": "prove",
        "job": ask.id.as_str(),
        "circuit": &*ask.circuit,
        "input": ask.kind.name(),
        "bytes": ask.input.len(),
    }));
    out.write_all(head.as_bytes())?;
    out.write_all(&ask.input)
}

/// Writes that a job's answer is not wanted any more.
///
/// # Errors
/// Those of `out`.
pub fn write_cancel(out: &mut impl Write, id: &JobId) -> std::io::Result<()> {
    let text = line(&json!({ "do": "cancel", "job": id.as_str() }));
    out.write_all(text.as_bytes())
}

/// A line of a driver.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The first.
    Hello { version: String },
    /// It lives, so many nodes work, and so many letters were read.
    Beat { nodes: u64, read: Option<u64> },
    /// A node has the job.
    Begun { job: String },
    /// There is a proof, with its public signals: both are JSON.
    Proved {
        job: String,
        proof: String,
        public: String,
    },
    /// There will be none.
    Failed {
        job: String,
        code: String,
        message: String,
    },
    /// It ends by itself.
    Stopped { code: String, message: String },
}

impl Event {
    /// True for what a driver may say before it is greeted.
    pub fn is_first(&self) -> bool {
        matches!(self, Self::Hello { .. } | Self::Stopped { .. })
    }

    /// Of a line; none for what is none.
    pub fn parse(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// The most bytes of a line: of the one with the most public signals.
pub fn most_bytes(circuits: &Circuits) -> usize {
    let most = circuits
        .all()
        .map(|circuit| circuit.circuit.key().n_public());
    most.max().unwrap_or(0) * SIGNAL_BYTES + OTHER_BYTES
}

/// A code that the interface promises.
pub fn known_code(code: &str) -> &'static str {
    let mut codes = Code::ALL.iter().map(|known| known.name());
    let known = codes.find(|known| *known == code);
    known.unwrap_or(if code == RETRIES { RETRIES } else { "internal" })
}

/// A message of a driver as it may stand in a log and an answer.
pub fn harmless(message: &str) -> String {
    let usual = |c: &char| !c.is_control() && !"\u{202e}\u{2066}\u{2067}\u{2068}".contains(*c);
    message
        .chars()
        .filter(usual)
        .take(MOST_CHARACTERS)
        .collect()
}

const RETRIES: &str = "retries";

/// A public signal in decimal, with escaped quotes and blanks.
const SIGNAL_BYTES: usize = 160;

/// The rest of a line.
const OTHER_BYTES: usize = 64 << 10;

const MOST_CHARACTERS: usize = 300;
