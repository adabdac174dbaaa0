//! The registry of circuits: requests name an id, and never a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use frumious_app::cache::TapeCache;
use frumious_app::circuit::LoadedCircuit;
use frumious_app::contribution;
use frumious_app::failure::Failure;
use frumious_app::observer::{Shares, Silent};
use frumious_witness::Limits;

use crate::config::{CircuitEntry, Config};
use crate::journal::Kind;

/// A circuit that is loaded, checked, and ready.
pub struct Registered {
    /// Its id.
    pub id: Arc<str>,
    /// Key and generator.
    pub circuit: LoadedCircuit,
    /// Threads of a proof.
    pub threads: usize,
    /// Private memory of a proof in bytes, which is kept free for it.
    pub memory: u64,
    input_bytes: u64,
    shares: [Shares; 2],
}

impl Registered {
    /// The most bytes that a request may bring.
    pub fn most_bytes(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Witness => self.circuit.witness_bytes() + WITNESS_SLACK,
            Kind::Inputs => self.input_bytes,
        }
    }

    /// The shares of its phases.
    pub fn shares(&self, kind: Kind) -> &Shares {
        &self.shares[usize::from(kind == Kind::Inputs)]
    }

    /// The work of a proof against that of others, for fairness.
    pub fn cost(&self) -> u64 {
        self.circuit.key().domain_size() as u64
    }
}

/// All circuits.
pub struct Circuits(BTreeMap<Arc<str>, Arc<Registered>>);

impl Circuits {
    /// Loads those of the configuration. `threads` and `memory` are those of the server; recorded runs are kept in
    /// `tapes`, if there is a folder for them.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for the first that cannot be served.
    pub fn load(
        config: &Config,
        threads: usize,
        memory: u64,
        tapes: Option<&Path>,
    ) -> Result<Self, Failure> {
        // For as long as the process: generators of all circuits share it.
        let cache = tapes.map(|tapes| TapeCache::open(Some(tapes)));
        let cache: Option<&'static TapeCache> =
            cache.transpose()?.map(|cache| &*Box::leak(Box::new(cache)));
        let mut circuits = BTreeMap::new();
        for entry in &config.circuits {
            let registered = load(entry, threads, memory, cache)?;
            circuits.insert(Arc::clone(&registered.id), Arc::new(registered));
        }
        Ok(Self(circuits))
    }

    /// The circuit of this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Registered>> {
        self.0.get(id)
    }

    /// The most bytes that a request may bring for any of them.
    pub fn longest_body(&self) -> u64 {
        let kinds = [Kind::Inputs, Kind::Witness];
        let most = |circuit: &Arc<Registered>| kinds.map(|kind| circuit.most_bytes(kind));
        self.all().flat_map(most).max().unwrap_or(0)
    }

    /// All of them, by id.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Registered>> {
        self.0.values()
    }
}

fn load(
    entry: &CircuitEntry,
    threads: usize,
    memory: u64,
    cache: Option<&'static TapeCache>,
) -> Result<Registered, Failure> {
    let mut circuit = LoadedCircuit::load(&entry.key, entry.check)?;
    contribution::refuse(
        circuit.key().missing_contribution(),
        &entry.key,
        entry.allow_uncontributed,
        "for tests, allow_uncontributed = true",
        &Silent,
    )?;
    if let Some(generator) = &entry.generator {
        let limits = Limits {
            memory_bytes: entry.generator_memory.0,
            time: entry.generator_seconds.duration(),
        };
        circuit = circuit.with_generator(generator, limits, cache)?;
    }
    let n_wires = circuit.key().n_wires() as u64;
    let input_bytes = match entry.input_bytes {
        Some(bytes) => bytes.0,
        None => (INPUT_SLACK + n_wires * DIGITS_OF_A_VALUE).min(MOST_INPUT),
    };
    let all = threads;
    let threads = match entry.threads {
        Some(threads) => threads.clamp(1, all),
        None if circuit.key().domain_size() <= SMALL_DOMAIN => 1,
        None => all,
    };
    let shares = [false, true].map(|generated| Shares::new(&circuit.phases(generated)));
    Ok(Registered {
        id: entry.id.as_str().into(),
        // One that does not fit keeps fewer vectors, or fails and says so.
        memory: circuit.memory().min(memory),
        circuit,
        threads,
        input_bytes,
        shares,
    })
}

/// Up to here one thread proves, and others prove beside it: a proof takes less than a tenth of a second.
const SMALL_DOMAIN: usize = 1 << 14;

/// Sections of a `.wtns` file that are longer than ours.
const WITNESS_SLACK: u64 = 4096;

/// Names of signals, and the marks of JSON.
const INPUT_SLACK: u64 = 64 << 10;

/// A value in decimal, with quotes, a comma and blanks.
const DIGITS_OF_A_VALUE: u64 = 100;

const MOST_INPUT: u64 = 256 << 20;
