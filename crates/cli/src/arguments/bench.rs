//! The command line of `frumious bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The measurements.
#[derive(Subcommand)]
pub enum Bench {
    /// Commitments through tables: how long, for how much memory
    MsmFixed(MsmFixed),
}

impl Bench {
    /// Name of the command, as in the `"command"` field of JSON results.
    pub fn name(&self) -> &'static str {
        match self {
            Bench::MsmFixed(_) => "bench msm-fixed",
        }
    }
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

const MSM_FIXED: &str = "\
The points are the 256 of Verkle; n scalars, fresh each time and of full length, are those of the first n points. Times are
the shortest of several runs in one thread, with the tables in memory.

A table (t, b) takes t rounds: in each, every t-th bit of every scalar, in blocks of b bits, one addition a block; between
rounds a doubling (Herold, Notes on MSMs with Precomputation, 2023).";
