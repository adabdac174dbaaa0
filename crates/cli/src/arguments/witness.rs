//! Arguments of commands for witnesses.

use std::path::PathBuf;

use clap::Args;

use super::prove::GeneratorOptions;

#[derive(Args)]
pub struct Witness {
    /// Witness generator: a module that circom wrote (.wasm), its C++ program (with its .dat beside it), or a graph of
    /// circom-witnesscalc or circom-witness-rs
    #[arg(value_name = "WASM", default_value = "circuit.wasm")]
    pub wasm: PathBuf,
    /// Inputs of the circuit (JSON); with --batch one object a line [default: input.json; with --prepare none]
    #[arg(value_name = "INPUT", required_if_eq("batch", "true"))]
    pub input: Option<PathBuf>,
    /// Witness to write (.wtns), readable by its owner only [default: witness.wtns]; with --batch the folder for
    /// LINE.wtns
    #[arg(value_name = "WITNESS", required_if_eq("batch", "true"))]
    pub wtns: Option<PathBuf>,
    /// Many witnesses: INPUT has one JSON object a line
    #[arg(long, conflicts_with = "values")]
    pub batch: bool,
    /// Only record a run, so that the next ones are replayed. Without INPUT a run on made-up inputs
    #[arg(long, conflicts_with_all = ["batch", "wtns", "no_cache", "check"])]
    pub prepare: bool,
    /// Check the witness against this circuit (.r1cs), and name the signals of the first constraint that does not hold
    /// (from the .sym beside it)
    #[arg(long, value_name = "R1CS", conflicts_with = "batch")]
    pub check: Option<PathBuf>,
    #[command(flatten)]
    pub generator: GeneratorOptions,
}

#[derive(Args)]
pub struct Check {
    /// Constraint system (.r1cs)
    #[arg(value_name = "R1CS", default_value = "circuit.r1cs")]
    pub r1cs: PathBuf,
    /// Witness (.wtns)
    #[arg(value_name = "WITNESS", default_value = "witness.wtns")]
    pub wtns: PathBuf,
    /// Names of the signals [default: the .sym beside the constraint system]
    #[arg(long, value_name = "SYM")]
    pub sym: Option<PathBuf>,
    /// Of a constraint that does not hold, tell the values of its signals, too. SECRET: they are parts of the witness,
    /// and go to the terminal, to logs and to --json
    #[arg(long)]
    pub values: bool,
}
