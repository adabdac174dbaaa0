//! Arguments of `demo`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{memory_size, price};

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Demo {
    #[command(subcommand)]
    pub workload: Option<Workload>,
    /// Size of the circuit: the longest chain of hashes with at most N constraints
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(365..=1 << 24))]
    pub constraints: Option<u32>,
    /// Size of the circuit: the longest chain of hashes whose domain has size 2^K
    #[arg(long, value_name = "K", default_value_t = 16, conflicts_with = "constraints", value_parser = clap::value_parser!(u32).range(9..=24))]
    pub log_size: u32,
}

#[derive(Subcommand)]
pub enum Workload {
    /// Prove a batch of payments: signatures, balances, updates of a Merkle tree of depth 24
    Rollup(Rollup),
}

#[derive(Args)]
pub struct Rollup {
    /// Number of payments
    #[arg(long, value_name = "N", default_value_t = 17, value_parser = clap::value_parser!(u32).range(1..=4000))]
    pub transfers: u32,
    /// Price of a core for an hour, in any currency, for the cost of a million payments
    #[arg(long, value_name = "PRICE", default_value_t = 0.04, value_parser = price)]
    pub core_hour_price: f64,
    /// Folder to keep all files in: key, inputs, witness, proof, public signals, verification key; without, the key is
    /// made in a temporary file
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Memory that the setup and the proof may take for themselves: bytes, or as 512M, 2GB, 1.5 GiB (K, M, G are 2^10,
    /// 2^20, 2^30)
    #[arg(long, value_name = "BYTES", value_parser = memory_size)]
    pub max_memory: Option<u64>,
    /// Folder on a disk for an encrypted temporary file of the proof, if it does not fit --max-memory without
    #[arg(long, value_name = "DIR", requires = "max_memory")]
    pub spill: Option<PathBuf>,
}
