//! The command line of `frumious bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The measurements.
#[derive(Subcommand)]
pub enum Bench {
    /// Proofs of a circuit: constraints a second and core, memory, and dollars on an instance of a given price
    Cost(Cost),
    /// Commitments through tables: how long, for how much memory
    MsmFixed(MsmFixed),
    /// Proofs under a key: how long, for how much memory
    Prove(Prove),
    /// A proof's tasks, and the time that they would take on more cores than there are
    Trace(Trace),
    /// Witnesses: each way to one side by side, and node with circom's own script if both are there
    Witness(Witness),
}

impl Bench {
    /// Name of the command, as in the `"command"` field of JSON results.
    pub fn name(&self) -> &'static str {
        match self {
            Bench::Cost(_) => "bench cost",
            Bench::MsmFixed(_) => "bench msm-fixed",
            Bench::Prove(_) => "bench prove",
            Bench::Trace(_) => "bench trace",
            Bench::Witness(_) => "bench witness",
        }
    }
}

#[derive(Args)]
#[command(after_help = COST)]
pub struct Cost {
    /// Circuit (.r1cs), whose constraints are counted
    pub r1cs: PathBuf,
    /// Proving key (.zkey or .fkey)
    #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
    pub zkey: PathBuf,
    /// Witness (.wtns)
    #[arg(value_name = "WITNESS", default_value = "witness.wtns")]
    pub wtns: PathBuf,
    /// Proofs to make; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Dollars an hour that an instance costs
    #[arg(long, value_name = "USD", requires = "vcpus", value_parser = super::values::price)]
    pub price: Option<f64>,
    /// Virtual CPUs of the instance
    #[arg(long, value_name = "N", requires = "price", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub vcpus: Option<u32>,
    /// Name of the instance, for the report
    #[arg(long, value_name = "NAME", requires = "price")]
    pub instance: Option<String>,
}

#[derive(Args)]
#[command(after_help = MSM_FIXED)]
pub struct MsmFixed {
    /// Measure a grid of tables (t, b), not the sets of tables that programs use
    #[arg(long)]
    pub scan: bool,
    /// In the scan, digits -1 and 1: half of the memory, but no block is skipped
    #[arg(long, requires = "scan")]
    pub signed: bool,
    /// A coarser grid, fewer repetitions
    #[arg(long)]
    pub quick: bool,
    /// Leave out what takes more memory than that, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    pub max_mib: u32,
    /// Write one line for each table and length (CSV)
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw time against memory (SVG)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

#[derive(Args)]
pub struct Prove {
    /// Proving key (.zkey or .fkey)
    #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
    pub zkey: PathBuf,
    /// Witness (.wtns); without, values of full length are made up, and the proof is of nothing
    #[arg(value_name = "WITNESS")]
    pub wtns: Option<PathBuf>,
    /// Proofs to make; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Memory that a proof may take for itself: bytes, or as 512M, 2GB, 1.5 GiB
    #[arg(long, value_name = "BYTES", value_parser = super::values::memory_size)]
    pub max_memory: Option<u64>,
}

#[derive(Args)]
#[command(after_help = TRACE)]
pub struct Trace {
    /// Proving key (.zkey or .fkey)
    #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
    pub zkey: PathBuf,
    /// Witness (.wtns); without, values of full length are made up, and the proof is of nothing
    #[arg(value_name = "WITNESS")]
    pub wtns: Option<PathBuf>,
    /// Numbers of workers to predict for
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [4, 8, 16, 32, 64, 128], value_parser = clap::value_parser!(u32).range(2..=1024))]
    pub workers: Vec<u32>,
    /// Proofs to record for each; that with the least work counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Gigabytes (10^9) a second that memory gives to all workers: 450 by 12 channels of DDR5, 160 by 8 of DDR4
    #[arg(long, value_name = "GB", default_value_t = 450.0, value_parser = super::values::bandwidth)]
    pub bandwidth: f64,
    /// Microseconds that a worker takes to find work of another's and to begin it
    #[arg(long, value_name = "US", default_value_t = 5.0, value_parser = super::values::microseconds)]
    pub steal_us: f64,
    /// Predict for a circuit so many times as large, by times and bytes alone: blinding and verification do not grow
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = super::values::factor)]
    pub times: f64,
    /// Memory that a proof may take for itself: bytes, or as 512M, 2GB, 1.5 GiB
    #[arg(long, value_name = "BYTES", value_parser = super::values::memory_size)]
    pub max_memory: Option<u64>,
    /// Write the tasks, a line of JSON for each: names, times and sizes, no values
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = WITNESS)]
pub struct Witness {
    /// Witness generator: a module that circom wrote (.wasm), its C++ program, or a graph
    pub wasm: PathBuf,
    /// Inputs of the circuit (JSON)
    pub input: PathBuf,
    /// Runs of each way; the shortest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Draw the times (SVG)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

const COST: &str = "\
The dollars are computed: the instance makes as many proofs at once as it has times the threads of this measurement, each as
fast as here. That holds for an instance with this CPU, and this machine otherwise idle. docs/cost.md has figures.";

const TRACE: &str = "\
Each proof is cut into tasks as for so many threads, and made on one. The times of the tasks are those of its clock. They are
scheduled as the thread pool does. Caches and clocks that cores share are not in the prediction.";

const WITNESS: &str = "\
Times are those of the clock in one thread, from parsed inputs to the witness in memory; node's are of its whole process, with
the generate_witness.js beside the module. The module runs in this process: measure only what you trust.";

const MSM_FIXED: &str = "\
The points are the 256 of Verkle; n scalars, fresh each time and of full length, are those of the first n points. Times are
the shortest of several runs in one thread, with the tables in memory.

A table (t, b) takes t rounds: in each, every t-th bit of every scalar, in blocks of b bits, one addition a block; between
rounds a doubling (Herold, Notes on MSMs with Precomputation, 2023).";
