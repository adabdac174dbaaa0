//! The command line of `frumious verkle`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Commitments and proofs of Verkle trees.
#[derive(Subcommand)]
pub enum Verkle {
    /// Commit to vectors of up to 256 scalars
    Commit(Commit),
    /// Prove values of polynomials at points, in 576 bytes
    Prove(Prove),
    /// Verify a proof of such values
    Verify(Verify),
    /// Calculate the root of a tree
    Root(Root),
    /// The claims of a block's execution witness
    #[command(subcommand, arg_required_else_help = true)]
    Witness(Witness),
}

impl Verkle {
    /// Name of the command, as in the `"command"` field of JSON results.
    pub fn name(&self) -> &'static str {
        match self {
            Verkle::Commit(_) => "verkle commit",
            Verkle::Prove(_) => "verkle prove",
            Verkle::Verify(_) => "verkle verify",
            Verkle::Root(_) => "verkle root",
            Verkle::Witness(Witness::Verify(_)) => "verkle witness verify",
        }
    }
}

#[derive(Args)]
#[command(arg_required_else_help = true, after_help = VECTORS)]
pub struct Commit {
    /// A vector, or an array of vectors (JSON; - for stdin)
    pub vectors: PathBuf,
    #[command(flatten)]
    pub tables: Tables,
}

#[derive(Args)]
#[command(arg_required_else_help = true, after_help = OPENINGS)]
pub struct Prove {
    /// Polynomials and the points to open them at (JSON; - for stdin)
    pub openings: PathBuf,
    /// Proof to write (JSON)
    pub proof: PathBuf,
    /// Claims to write: what the proof proves (JSON)
    pub claims: PathBuf,
    #[command(flatten)]
    pub protocol: Protocol,
    /// Do not verify the proof before writing it: a commitment that is not the polynomial's goes unnoticed
    #[arg(long)]
    pub no_verify: bool,
    #[command(flatten)]
    pub tables: Tables,
}

#[derive(Args)]
#[command(arg_required_else_help = true, after_help = CLAIMS)]
pub struct Verify {
    /// Claims (JSON; - for stdin)
    pub claims: PathBuf,
    /// Proof (JSON; - for stdin)
    pub proof: PathBuf,
    #[command(flatten)]
    pub protocol: Protocol,
    #[command(flatten)]
    pub tables: Tables,
}

#[derive(Args)]
#[command(arg_required_else_help = true, after_help = ENTRIES)]
pub struct Root {
    /// Keys and values of the tree (JSON; - for stdin)
    pub entries: PathBuf,
    #[command(flatten)]
    pub tables: Tables,
}

#[derive(Subcommand)]
pub enum Witness {
    /// Verify an execution witness, and calculate the root after the block
    Verify(WitnessVerify),
}

#[derive(Args)]
#[command(arg_required_else_help = true, after_help = WITNESS)]
pub struct WitnessVerify {
    /// Execution witness, or a block that has one at "executionWitness" (JSON; - for stdin)
    pub witness: PathBuf,
    /// Root before the block: the parent's state root, 32 bytes in hexadecimal
    pub pre_root: String,
    /// The tree's keys may be any, not hashes as those of EIP-6800: refuse what would be ambiguous then
    #[arg(long)]
    pub any_keys: bool,
    /// Root that the tree must have after the block
    #[arg(long, value_name = "ROOT")]
    pub post_root: Option<String>,
    #[command(flatten)]
    pub tables: Tables,
}

/// The protocol around a proof.
#[derive(Args)]
pub struct Protocol {
    /// Label that the transcript starts with; the same for prover and verifier
    #[arg(long, value_name = "LABEL", default_value = "verkle")]
    pub transcript: String,
}

/// Tables that are computed first.
#[derive(Args)]
pub struct Tables {
    /// Memory for tables, in MiB [default: by the amount of work]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub memory: Option<u16>,
    /// File that keeps the tables: made if it is not there, mapped if it is
    #[arg(long, value_name = "FILE")]
    pub tables: Option<PathBuf>,
}

/// Said wherever scalars are read.
macro_rules! with_scalars {
    ($form:literal) => {
        concat!(
            $form,
            "\n\nA scalar is \"0x...\", 32 bytes with the least significant first, or a whole number: as a string of \
             decimal digits or, below 2^64, as it is."
        )
    };
}

const VECTORS: &str = with_scalars!(
    "A vector is an array of at most 256 scalars, or an object from index to scalar: {\"0\": 7, \"255\": \"0x...\"}."
);

const OPENINGS: &str = with_scalars!(
    "Openings are an array of objects {\"polynomial\": vector, \"point\": 0...255}, or \"points\": [...] for several points;
\"commitment\" (32 bytes) saves computing it. A vector is an array of at most 256 scalars, the polynomial's values at
0, 1, ..., or an object from index to scalar."
);

const CLAIMS: &str = with_scalars!(
    "Claims are an array of objects {\"commitment\": \"0x...\", \"point\": 0...255, \"value\": scalar}, in the order in which they
were proved; the proof is {\"proof\": \"0x...\"}, 576 bytes."
);

const ENTRIES: &str = "\
Entries are an array of [key, value], or an object from key to value, each 32 bytes in hexadecimal.";

const WITNESS: &str = "\
The keys are taken to be those of EIP-6800, which are hashes. Then current values are shown, but the format lets an untruthful
prover pass off some keys as absent that are there, and every verifier of it accepts that. The root after the block then comes
out wrong: compare it, with --post-root, before relying on an absence. In a tree where somebody may choose a key, values can be
made up as well: --any-keys refuses all that, and some honest witnesses too.";
