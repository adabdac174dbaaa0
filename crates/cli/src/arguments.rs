//! The command line.

pub mod bench;
pub mod contribution;
pub mod demo;
pub mod environment;
pub mod export;
pub mod frequent;
pub mod layouts;
pub mod powersoftau;
pub mod prove;
#[cfg(feature = "server")]
pub mod serve;
pub mod setup;
pub mod tune;
pub mod values;
pub mod verkle;
pub mod witness;
pub mod zkey;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use frumious_limbs::Backend;

use demo::{Demo, Workload};
use export::{Export, Print};
use layouts::Import;
use prove::{Fullprove, Prove, Verify};
use setup::Setup;
use values::threads;
use witness::{Check, Witness};

/// Groth16 over BN254 and BLS12-381 with circom's files, a prover in place of rapidsnark and snarkjs; commitments and
/// proofs of Verkle trees.
#[derive(Parser)]
#[command(name = "frumious", version = version(), long_version = long_version(), arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Default)]
pub struct Global {
    /// Number of threads [default: all that the machine has, or its limit allows]
    #[arg(long, global = true, value_name = "N", env = "FRUMIOUS_THREADS", hide_env_values = true, value_parser = threads)]
    pub threads: Option<u16>,
    /// File of settings by frumious tune, for commands that prove, or "none" [default: frumious.tune.toml, if there]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "FRUMIOUS_TUNING",
        hide_env_values = true
    )]
    pub tuning: Option<PathBuf>,
    /// Print the result as one JSON object on stdout
    #[arg(long, global = true)]
    pub json: bool,
    /// Replace a proving key, a read-only file, or a file of another kind, too, if an output has its name
    #[arg(long, global = true)]
    pub force: bool,
    /// Tell how long each phase took, as it ends
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print neither progress nor a summary, only warnings and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl Global {
    /// The options as they were typed.
    pub fn words(&self) -> impl Iterator<Item = OsString> {
        let flags = [
            (self.json, "--json"),
            (self.force, "--force"),
            (self.verbose, "--verbose"),
        ];
        let flags = flags.into_iter().filter(|(is_given, _)| *is_given);
        let threads = self.threads.map(|threads| format!("--threads={threads}"));
        flags
            .map(|(_, flag)| flag.into())
            .chain(threads.map(OsString::from))
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Prove: from a key and a witness
    Prove(Prove),
    /// Calculate the witness, then prove
    Fullprove(Fullprove),
    /// Verify a proof
    Verify(Verify),
    /// Make a proving key, from a ceremony or (unsafe) for development
    Setup(Setup),
    /// Powers of tau: begin a ceremony, contribute, end it with a beacon, verify, prepare for circuits
    #[command(name = "powersoftau", subcommand, arg_required_else_help = true)]
    PowersOfTau(powersoftau::PowersOfTau),
    /// Contribute to a proving key, end its ceremony with a beacon, or verify its contributions
    #[command(subcommand, arg_required_else_help = true)]
    Zkey(zkey::Zkey),
    /// Calculate a witness with circom's WebAssembly module or C++ program, or a graph of another calculator
    Witness(Witness),
    /// Check a witness against its circuit, and name the signals of the first constraint that does not hold
    Check(Check),
    /// Write a verification key, a Solidity verifier or calldata; keys, proofs and signals for other libraries
    #[command(subcommand, arg_required_else_help = true)]
    Export(Export),
    /// Turn a verification key, a proof or public signals of arkworks, gnark or Sui into JSON
    #[command(subcommand, arg_required_else_help = true)]
    Import(Import),
    /// Print the constraints of a circuit with the names of its signals, as snarkjs r1cs print
    Print(Print),
    /// Turn a key from snarkjs' container into our own, which is smaller and checksummed, or back; no byte is lost.
    /// Keeps what repeats in the circuit once, for which it needs up to 0.5 GB of memory however large the key is
    Convert(Convert),
    /// Tell what is in a file: .r1cs, .wtns, .zkey, .fkey, .ptau, .wasm, or JSON of a proof, key or public signals
    Inspect(Inspect),
    /// Commitments and proofs of Verkle trees: commit, prove, verify, root, witness verify
    #[command(subcommand, arg_required_else_help = true)]
    Verkle(verkle::Verkle),
    /// Measure parts on this machine, to choose parameters
    #[command(subcommand, arg_required_else_help = true)]
    Bench(bench::Bench),
    /// Find the settings that prove fastest on this machine, and write the file that prove and serve read
    Tune(tune::Tune),
    /// Make a circuit, a key, a witness and a proof, verify it, and tell how long each took; needs no file
    Demo(Demo),
    /// Tell what this machine has, which backend is used, and whether all compute the same, as fast as they should
    Doctor(Doctor),
    #[cfg(feature = "server")]
    /// Serve proofs over HTTP, as a configuration says (docs/server.md): circuits stay loaded, jobs are durable
    Serve(serve::Serve),
    #[cfg(feature = "server")]
    /// Have a prover server prove: sends inputs or a witness, waits, and writes the proof
    Submit(serve::Submit),
    #[cfg(feature = "server")]
    /// List the jobs of a prover server, or show or cancel one
    Jobs(serve::Jobs),
    /// Prove on many machines, by the program frumious-fleet of the Python package (docs/fleet.md): up, status, prove,
    /// plan, down. All that follows goes to it; FRUMIOUS_FLEET names another than that in PATH
    #[command(arg_required_else_help = true)]
    Fleet {
        /// A command of frumious-fleet with its arguments, as up or prove jobs.jsonl; up --help tells the rest
        #[arg(
            value_name = "COMMAND",
            required = true,
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        words: Vec<OsString>,
    },
    /// Print the manual page, or write the pages of all commands
    Man(ManPages),
    /// Take a command line of snarkjs: its commands, shortcuts, options, file names and exit codes (docs/snarkjs.md).
    /// So does this program by a link named snarkjs
    #[command(disable_help_flag = true)]
    Snarkjs {
        /// A command of snarkjs, as groth16 prove or g16p, with its files and options; --help lists all
        #[arg(
            value_name = "COMMAND",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        words: Vec<OsString>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

impl Command {
    /// Name of the command, as in the `"command"` field of JSON results.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Prove(_) => "prove",
            Command::Fullprove(_) => "fullprove",
            Command::Verify(_) => "verify",
            Command::Setup(_) => "setup",
            Command::PowersOfTau(command) => command.name(),
            Command::Zkey(command) => command.name(),
            Command::Witness(_) => "witness",
            Command::Check(_) => "check",
            Command::Export(Export::Vkey { .. }) => "export vkey",
            Command::Export(Export::Solidity { .. }) => "export solidity",
            Command::Export(Export::R1cs { .. }) => "export r1cs",
            Command::Export(Export::Witness { .. }) => "export witness",
            Command::Export(Export::Calldata { .. }) => "export calldata",
            Command::Export(Export::Proof(_)) => "export proof",
            Command::Export(Export::Public(_)) => "export public",
            Command::Import(Import::Vkey(_)) => "import vkey",
            Command::Import(Import::Proof(_)) => "import proof",
            Command::Import(Import::Public(_)) => "import public",
            Command::Print(_) => "print",
            Command::Convert(_) => "convert",
            Command::Inspect(_) => "inspect",
            Command::Verkle(command) => command.name(),
            Command::Bench(command) => command.name(),
            Command::Tune(_) => "tune",
            Command::Demo(Demo { workload: None, .. }) => "demo",
            Command::Demo(Demo {
                workload: Some(Workload::Rollup(_)),
                ..
            }) => "demo rollup",
            Command::Doctor(_) => "doctor",
            #[cfg(feature = "server")]
            Command::Serve(_) => "serve",
            #[cfg(feature = "server")]
            Command::Submit(_) => "submit",
            #[cfg(feature = "server")]
            Command::Jobs(_) => "jobs",
            Command::Fleet { .. } => "fleet",
            Command::Man(_) => "man",
            Command::Snarkjs { .. } => "snarkjs",
            Command::Completions { .. } => "completions",
        }
    }

    /// True for `fleet … --json`: what the program that is not there would have been told.
    pub fn passes_on_json(&self) -> bool {
        let Command::Fleet { words } = self else {
            return false;
        };
        let mut options = words.iter().take_while(|word| *word != "--");
        options.any(|word| word == "--json")
    }

    /// True if the command itself begins to listen to signals: the server in its own way, a witness when it takes
    /// long.
    pub fn minds_signals(&self) -> bool {
        match self {
            #[cfg(feature = "server")]
            Command::Serve(_) => true,
            Command::Witness(_) => true,
            _ => false,
        }
    }

    /// The key that the command makes, if it goes on with what an interrupted one left.
    pub fn resumable_key(&self) -> Option<&Path> {
        match self {
            Command::Setup(setup) if setup.dev && setup.seed.is_none() => None,
            Command::Setup(setup) => setup.powers_and_key().ok().map(|(_, key)| key),
            Command::PowersOfTau(
                powersoftau::PowersOfTau::Prepare(powersoftau::Prepare::Phase2(arguments))
                | powersoftau::PowersOfTau::Convert(arguments),
            ) => Some(&arguments.new),
            _ => None,
        }
    }
}

impl Command {
    /// True if the process will hold a witness, or what a setup draws.
    pub fn holds_secrets(&self) -> bool {
        match self {
            Command::Prove(_)
            | Command::Fullprove(_)
            | Command::Setup(_)
            | Command::PowersOfTau(
                powersoftau::PowersOfTau::Contribute(_) | powersoftau::PowersOfTau::Challenge(_),
            )
            | Command::Zkey(zkey::Zkey::Contribute(_) | zkey::Zkey::Bellman(_))
            | Command::Witness(_)
            | Command::Export(Export::Witness { .. })
            | Command::Check(_)
            | Command::Inspect(_)
            | Command::Tune(_)
            | Command::Demo(_) => true,
            #[cfg(feature = "server")]
            Command::Serve(_) | Command::Submit(_) => true,
            #[cfg(feature = "server")]
            Command::Jobs(_) => false,
            Command::Verify(_)
            | Command::PowersOfTau(_)
            | Command::Zkey(_)
            | Command::Export(_)
            | Command::Import(_)
            | Command::Print(_)
            | Command::Convert(_)
            | Command::Verkle(_)
            | Command::Bench(_)
            | Command::Doctor(_)
            | Command::Fleet { .. }
            | Command::Man(_)
            | Command::Snarkjs { .. }
            | Command::Completions { .. } => false,
        }
    }
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Convert {
    /// Proving key (.zkey or .fkey)
    pub from: PathBuf,
    /// Proving key to write (.fkey if the other is a .zkey, .zkey if it is an .fkey)
    pub to: PathBuf,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Inspect {
    /// Of a constraint system: tell what repeats in it, and how many bytes it takes if that is kept once. Needs some
    /// eight bytes of memory a term and eighty a constraint
    #[arg(long)]
    pub templates: bool,
    /// The file
    pub file: PathBuf,
}

#[derive(Args)]
pub struct ManPages {
    /// Folder to write the page of each command to; without, the page of the program is printed
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = DOCTOR)]
pub struct Doctor {
    /// Time that the self-test may take
    #[arg(long, value_name = "SECONDS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=600))]
    pub seconds: u16,
}

const DOCTOR: &str = "\
The self-test computes the same in one thread on every backend that this CPU can run, and compares results and times. It
ends with exit code 1 if results differ; to be slower than expected is no failure.";

const EXIT_CODES: &str = "\
Exit codes: 0 done, or valid; 1 invalid proof or unsatisfied circuit; 2 bad usage or bad input; 3 what may work when tried
again: memory, disk, permission, interrupted. With --json the field code tells more.

A file may be - for stdin or stdout. Where a name is left out it is the one that snarkjs takes.

FRUMIOUS_BACKEND (portable, adx, avx2fma, avx512ifma) forces an arithmetic backend, FRUMIOUS_THREADS is as --threads.
FRUMIOUS_PROGRESS is the number of seconds between lines of progress where there is no terminal, by default 30. A variable
that is set to nothing is unset.";

/// The version, with the commit if it is known.
fn version() -> &'static str {
    match env!("FRUMIOUS_COMMIT") {
        "" => env!("CARGO_PKG_VERSION"),
        _ => concat!(
            env!("CARGO_PKG_VERSION"),
            " (",
            env!("FRUMIOUS_COMMIT"),
            ")"
        ),
    }
}

/// The version, and the backends that this CPU can run.
fn long_version() -> String {
    let supported = Backend::ALL
        .into_iter()
        .filter(|backend| backend.is_supported());
    let names: Vec<&str> = supported.map(|backend| backend.name()).collect();
    format!("{}\nbackends: {}", version(), names.join(", "))
}
