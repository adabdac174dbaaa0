//! Arguments of commands that prove and verify.

use std::path::PathBuf;

use clap::Args;

use super::values::memory_size;
use crate::contribution::Uncontributed;

#[derive(Args)]
pub struct Prove {
    /// Proving key (.zkey or .fkey)
    #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
    pub zkey: PathBuf,
    /// Witness (.wtns)
    #[arg(value_name = "WITNESS", default_value = "witness.wtns")]
    pub wtns: PathBuf,
    /// Proof to write (JSON)
    #[arg(value_name = "PROOF", default_value = "proof.json")]
    pub proof: PathBuf,
    /// Public signals to write (JSON)
    #[arg(value_name = "PUBLIC", default_value = "public.json")]
    pub public: PathBuf,
    #[command(flatten)]
    pub options: ProofOptions,
}

#[derive(Args)]
pub struct Fullprove {
    /// Inputs of the circuit (JSON)
    #[arg(value_name = "INPUT", default_value = "input.json")]
    pub input: PathBuf,
    /// Witness generator: a module that circom wrote (.wasm), its C++ program (with its .dat beside it), or a graph of
    /// circom-witnesscalc or circom-witness-rs
    #[arg(value_name = "WASM", default_value = "circuit_final.wasm")]
    pub wasm: PathBuf,
    /// Proving key (.zkey or .fkey)
    #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
    pub zkey: PathBuf,
    /// Proof to write (JSON)
    #[arg(value_name = "PROOF", default_value = "proof.json")]
    pub proof: PathBuf,
    /// Public signals to write (JSON)
    #[arg(value_name = "PUBLIC", default_value = "public.json")]
    pub public: PathBuf,
    #[command(flatten)]
    pub options: ProofOptions,
    #[command(flatten)]
    pub generator: GeneratorOptions,
}

/// Options of proofs.
#[derive(Args)]
pub struct ProofOptions {
    /// Do not blind the proof: a little faster, but it may tell something of the witness
    #[arg(long)]
    pub no_zk: bool,
    /// Do not verify the proof before writing it: an unsatisfied circuit goes unnoticed, and a hostile key may make the
    /// proof tell the witness
    #[arg(long)]
    pub no_verify: bool,
    /// First check every point of the key: its curve, its group (once for a key from elsewhere)
    #[arg(long)]
    pub check: bool,
    /// Memory that the proof may take for itself: bytes, or as 512M, 2GB, 1.5 GiB (K, M, G are 2^10, 2^20, 2^30). With
    /// less it keeps fewer vectors, and takes longer
    #[arg(long, value_name = "BYTES", value_parser = memory_size)]
    pub max_memory: Option<u64>,
    /// Folder on a disk for an encrypted temporary file, if the proof does not fit --max-memory without; 32 bytes for
    /// each element of the domain
    #[arg(long, value_name = "DIR", requires = "max_memory")]
    pub spill: Option<PathBuf>,
}

/// Options of a witness generator.
#[derive(Args)]
pub struct GeneratorOptions {
    /// Folder of recorded runs, its user's alone (0700); by default frumious/tapes in XDG_CACHE_HOME or ~/.cache
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub cache: Option<PathBuf>,
    /// Neither use recorded runs nor record this one
    #[arg(long)]
    pub no_cache: bool,
    /// Print what the circuit's log() says on stderr; it may tell secrets
    #[arg(long)]
    pub log: bool,
    /// When an assertion fails, print the values of its component's signals on stderr, which are secret (modules only,
    /// with the circuit's .sym)
    #[arg(long)]
    pub values: bool,
    /// Memory that the generator may use, in MiB; translating it may take as much, and 64 MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub wasm_memory: u64,
    /// Time that the generator may run, in seconds; translating it may take as long
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    pub wasm_time: u32,
}

#[derive(Args)]
pub struct Verify {
    /// Verification key (JSON)
    #[arg(value_name = "VKEY", default_value = "verification_key.json")]
    pub vkey: PathBuf,
    /// Public signals (JSON)
    #[arg(value_name = "PUBLIC", default_value = "public.json")]
    pub public: PathBuf,
    /// Proof (JSON)
    #[arg(value_name = "PROOF", default_value = "proof.json")]
    pub proof: PathBuf,
    /// Verify many proofs at once, and name the lines of those that are not valid. PROOFS has a JSON object a line,
    /// with the fields proof and publicSignals
    #[arg(long, value_name = "PROOFS", conflicts_with_all = ["public", "proof"])]
    pub batch: Option<PathBuf>,
    #[command(flatten)]
    pub uncontributed: Uncontributed,
}
