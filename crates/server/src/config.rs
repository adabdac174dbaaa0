//! The configuration: `frumious.toml`. Unknown names are refused, so that a slip of the pen is no silent default.
//!
//! `docs/server.md` has every name. Paths are relative to the folder of the file.

mod executor;
mod listeners;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use frumious_app::failure::{About, Failure};
use serde::Deserialize;

use crate::tokens;

pub use executor::{ExecutorKind, FleetEntry};
pub(crate) use listeners::addresses;
pub use values::{Address, Bytes, Seconds, TokenHash};

/// Everything that an operator decides.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where clients connect.
    #[serde(default = "Address::usual")]
    pub listen: Address,
    /// Where Prometheus connects; none for nowhere.
    pub metrics: Option<Address>,
    /// Folder of the journal and of recorded runs. It is made if it is not there, for its owner alone.
    pub data: PathBuf,
    /// True if a proxy in front ends TLS. Then no address needs a certificate, and every one needs tokens.
    #[serde(default)]
    pub behind_proxy: bool,
    /// Certificate and key.
    pub tls: Option<Tls>,
    /// The circuits.
    #[serde(default)]
    pub circuits: Vec<CircuitEntry>,
    /// Who may use the server; nobody is asked if there are none, which loopback alone allows.
    #[serde(default)]
    pub tokens: Vec<Token>,
    /// Settings of the machine, from `frumious tune`; `frumious.tune.toml` beside this file if there is none.
    pub tuning: Option<PathBuf>,
    /// Where proofs are made.
    #[serde(default)]
    pub executor: ExecutorKind,
    /// The fleet of `executor = "ray"`.
    pub fleet: Option<FleetEntry>,
    /// Bounds on time and memory.
    #[serde(default)]
    pub limits: Limits,
    /// Sealing of inputs on disk; without it they are in memory only.
    pub seal: Option<SealKey>,
    /// Listeners that speak as other servers do.
    #[serde(default)]
    pub fronts: Fronts,
}

/// Certificate and key of the server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// Chain of certificates (PEM), the server's first.
    pub certificate: PathBuf,
    /// Its private key (PEM).
    pub key: PathBuf,
}

/// A circuit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircuitEntry {
    /// Its name in requests.
    pub id: String,
    /// Proving key (`.zkey` or `.fkey`).
    pub key: PathBuf,
    /// Witness generator; without one, requests bring a witness.
    pub generator: Option<PathBuf>,
    /// Check every point of the key when it is loaded.
    #[serde(default = "yes")]
    pub check: bool,
    /// Threads of a proof; by its size if there is none.
    pub threads: Option<usize>,
    /// Most bytes of `input.json`; by the number of wires if there is none.
    pub input_bytes: Option<Bytes>,
    /// The longest that the generator may translate, and then run.
    #[serde(default = "Seconds::ten_minutes")]
    pub generator_seconds: Seconds,
    /// Memory of the generator.
    #[serde(default = "Bytes::four_gib")]
    pub generator_memory: Bytes,
    /// Serve a key that nobody contributed to, under which anyone can forge proofs: for tests.
    #[serde(default)]
    pub allow_uncontributed: bool,
}

/// A token, by its hash.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Its name in records; no secret.
    pub name: String,
    /// BLAKE3 of the token in hexadecimal: `frumious serve --new-token` prints both.
    pub hash: TokenHash,
    /// Circuits that it may use; all if there is none.
    pub circuits: Option<BTreeSet<String>>,
    /// Jobs of it that may wait at a time.
    pub queue: Option<usize>,
    /// True if it sees and cancels the jobs of all tokens.
    #[serde(default)]
    pub operator: bool,
}

/// The place of the key of sealed inputs: one of both.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealKey {
    /// A file.
    pub file: Option<PathBuf>,
    /// A variable of the environment.
    pub env: Option<String>,
}

/// Bounds on time and memory.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Threads that prove, 1 to 1024; all of the machine if there is none.
    #[serde(deserialize_with = "values::threads")]
    pub threads: Option<usize>,
    /// Private memory of all proofs that run; what the container leaves, or half of the machine's, if there is none.
    pub memory: Option<Bytes>,
    /// Jobs that may wait.
    pub queue: usize,
    /// Inputs of jobs that wait and run, and of requests that are being read.
    pub held: Bytes,
    /// Connections at a time, 1 to 65536, each listener by itself.
    #[serde(deserialize_with = "values::connections")]
    pub connections: usize,
    /// For the head of a request, and between two requests.
    pub head_seconds: Seconds,
    /// For the body of a request.
    pub body_seconds: Seconds,
    /// The longest that a request may ask to wait.
    pub wait_seconds: Seconds,
    /// The longest that a job may take from its request to its end, and what it may take if it asks for nothing.
    pub deadline_seconds: Seconds,
    /// For running jobs to end after a request to stop.
    pub drain_seconds: Seconds,
    /// Times that a job is begun before it counts as what crashes the server.
    pub attempts: u32,
    /// Results are kept for as long after the end of a job.
    pub keep_seconds: Seconds,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            threads: None,
            memory: None,
            queue: 1000,
            held: Bytes(1 << 30),
            connections: 512,
            head_seconds: Seconds(10.0),
            body_seconds: Seconds(60.0),
            wait_seconds: Seconds(60.0),
            deadline_seconds: Seconds(3600.0),
            drain_seconds: Seconds(30.0),
            attempts: 3,
            keep_seconds: Seconds(86_400.0),
        }
    }
}

/// Listeners that speak as other servers do. None has a token, so each is for loopback or a Unix socket.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fronts {
    /// As iden3's rapidsnark `proverServer`.
    pub rapidsnark: Option<Front>,
    /// As Mysten's zkLogin prover.
    pub zklogin: Option<SingleFront>,
    /// As iden3's prover-server.
    pub prover_server: Option<Front>,
}

/// A front for all circuits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Front {
    /// Where its clients connect.
    pub listen: Address,
}

/// A front for one circuit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SingleFront {
    /// Where its clients connect.
    pub listen: Address,
    /// The circuit.
    pub circuit: String,
    /// The longest that a request waits for its proof.
    #[serde(default = "Seconds::fifteen")]
    pub wait_seconds: Seconds,
}

impl Config {
    /// The configuration in the file at `path`.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 for a file that cannot be read, has an unknown name, or asks for what is refused.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::of_system("cannot be read", &error))
            .about(path)?;
        Self::parse(&text, path.parent().unwrap_or(Path::new(""))).about(path)
    }

    /// The configuration in a text, whose paths are relative to `folder`.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn parse(text: &str, folder: &Path) -> Result<Self, Failure> {
        // Its own words would show the line, in which a secret may stand by mistake.
        let mut config: Self = toml::from_str(text).map_err(|error| {
            let end = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text.as_bytes()[..end]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            Failure::bad_input(format!("line {line}: {}", without_values(error.message())))
        })?;
        config.resolve(folder)?;
        config.judge()?;
        Ok(config)
    }

    fn resolve(&mut self, folder: &Path) -> Result<(), Failure> {
        let mut paths = vec![&mut self.data];
        paths.extend(self.tuning.as_mut());
        if let Some(Tls { certificate, key }) = &mut self.tls {
            paths.extend([certificate, key]);
        }
        for circuit in &mut self.circuits {
            paths.push(&mut circuit.key);
            paths.extend(circuit.generator.as_mut());
        }
        paths.extend(self.seal.as_mut().and_then(|seal| seal.file.as_mut()));
        if let Some(fleet) = &mut self.fleet {
            paths.extend(fleet.program.as_mut());
            paths.extend(fleet.state.as_mut());
        }
        for path in paths {
            *path = folder.join(with_variable(path)?);
        }
        Ok(())
    }

    /// Refuses what is not safe, and what means nothing.
    fn judge(&self) -> Result<(), Failure> {
        let refuse = |reason: String| Err(Failure::bad_input(reason));
        if let Some(reason) = listeners::fault(self) {
            return refuse(reason);
        }
        let mut ids = BTreeSet::new();
        for circuit in &self.circuits {
            if !is_circuit_id(&circuit.id) {
                return refuse(format!(
                    "{:?} is no id of a circuit: 1 to 64 of a-z A-Z 0-9 _ - .",
                    circuit.id
                ));
            }
            if !ids.insert(circuit.id.as_str()) {
                return refuse(format!("two circuits are called {}", circuit.id));
            }
        }
        let (mut names, mut hashes) = (BTreeSet::new(), BTreeMap::new());
        for token in &self.tokens {
            if token.name.starts_with("front:") {
                return refuse(format!("{} is a front's name, and no token's", token.name));
            }
            // It would have all the memory for inputs, and the jobs of a time without tokens.
            if token.name == tokens::NOBODY {
                return refuse(format!(
                    "{} is the name of who has no token, and no token's",
                    token.name
                ));
            }
            if !names.insert(&token.name) {
                return refuse(format!("two tokens are called {}", token.name));
            }
            // A request with it would be that of either.
            if let Some(other) = hashes.insert(token.hash.0.as_bytes(), &token.name) {
                return refuse(format!(
                    "tokens {other} and {} have the same hash",
                    token.name
                ));
            }
            let unknown = token
                .circuits
                .iter()
                .flatten()
                .find(|id| !ids.contains(id.as_str()));
            if let Some(id) = unknown {
                return refuse(format!("token {}: there is no circuit {id}", token.name));
            }
        }
        if let Some(front) = &self.fronts.zklogin {
            let named = &front.circuit;
            match self.circuits.iter().find(|circuit| circuit.id == *named) {
                None => return refuse(format!("fronts.zklogin: there is no circuit {named}")),
                Some(circuit) if circuit.generator.is_none() => {
                    return refuse(format!("fronts.zklogin: circuit {named} has no generator"));
                }
                Some(_) => {}
            }
        }
        if let Some(reason) = executor::fault(self.executor, self.fleet.as_ref()) {
            return refuse(reason);
        }
        match &self.seal {
            Some(SealKey { file, env }) if file.is_some() == env.is_some() => {
                refuse("seal: either file or env".into())
            }
            _ => Ok(()),
        }
    }
}

/// A path that begins with `$NAME` begins with that variable of the environment, as other servers take their files.
///
/// Without its value it would be another path: beside the configuration, or below the root.
fn with_variable(path: &Path) -> Result<PathBuf, Failure> {
    let mut parts = path.components();
    let first = parts.next().and_then(|first| first.as_os_str().to_str());
    let Some(name) = first.and_then(|first| first.strip_prefix('$')) else {
        return Ok(path.to_owned());
    };
    let shown = path.display();
    match std::env::var_os(name) {
        None => Err(format!("{shown}: the variable {name} is not set")),
        Some(value) if value.is_empty() => Err(format!("{shown}: the variable {name} is empty")),
        Some(value) => Ok(Path::new(&value).join(parts.as_path())),
    }
    .map_err(Failure::bad_input)
}

/// True for what a client may name a request: 1 to 128 printable characters of ASCII.
pub fn is_idempotency_key(key: &[u8]) -> bool {
    let is_printable = |byte: &u8| (0x20..0x7f).contains(byte);
    (1..=128).contains(&key.len()) && key.iter().all(is_printable)
}

/// True for names that are safe in a path, a log and a page.
pub fn is_circuit_id(id: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    (1..=64).contains(&id.len()) && id.bytes().all(is_usual) && !id.starts_with('.')
}

fn yes() -> bool {
    true
}

/// A message without the texts that it quotes, which may be secrets in a wrong place. Words stay, as names of settings
/// are, and signs.
fn without_values(message: &str) -> String {
    let mut told = String::new();
    let mut rest = message;
    while let Some(start) = rest.find(['"', '`']) {
        let quote = rest.as_bytes()[start] as char;
        let (before, quoted) = (&rest[..start], &rest[start + 1..]);
        if before.contains(", expected ") {
            break; // what follows are words of ours
        }
        let mut is_escaped = false;
        let end = quoted.find(|c: char| {
            let is_end = c == quote && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        });
        let (text, after) = match end {
            Some(end) => (&quoted[..end], &quoted[end + 1..]),
            None => (quoted, ""),
        };
        let is_word = text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let is_sign = text.chars().count() <= 2;
        let is_ours = match quote {
            '`' => is_word || is_sign,
            _ => !before.ends_with("string "), // serde's word for a text of the file
        };
        let shown = if is_ours { text } else { "…" };
        told += &format!("{before}{quote}{shown}{quote}");
        rest = after;
    }
    told + rest
}

#[cfg(test)]
mod tests;
