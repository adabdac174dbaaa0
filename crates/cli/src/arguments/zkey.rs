//! The arguments of `zkey`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use frumious_app::curve::PairingCurve;
use frumious_app::failure::{Code, Failure};
use frumious_app::phase2::MAX_BEACON_EXPONENT;

use super::contribution::{BeaconValue, Person, beacon_exponent};
use super::powersoftau::curve;

#[derive(Subcommand)]
pub enum Zkey {
    /// Contribute to a key: its secret is drawn here, used once and wiped
    Contribute(Contribute),
    /// End a ceremony with a public random beacon: anyone can make the same contribution
    Beacon(Beacon),
    /// Verify all contributions to a key, and that it is the circuit's under the powers of tau
    Verify(Verify),
    /// Write a key in another form
    #[command(subcommand, arg_required_else_help = true)]
    Export(Export),
    /// Contribute to a key's parameters in bellman's form, without the key
    #[command(subcommand, arg_required_else_help = true)]
    Bellman(Bellman),
    /// Make a key of what others wrote
    #[command(subcommand, arg_required_else_help = true)]
    Import(Import),
}

#[derive(Subcommand)]
pub enum Bellman {
    /// Contribute to parameters: the secret is drawn here, used once and wiped
    Contribute(Answer),
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Answer {
    /// The curve, which parameters do not tell: bn128 (or bn254), bls12381 (or bls12-381)
    #[arg(value_name = "CURVE", value_parser = curve)]
    pub curve: PairingCurve,
    /// Parameters to contribute to (.mpcparams)
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Parameters with the contribution, to write [default: OLD with the extension response]
    #[arg(value_name = "NEW")]
    new: Option<PathBuf>,
    /// Random text to mix with the operating system's randomness; without TEXT, a line is read from stdin. TEXT may be
    /// in lists of processes and in the shell's history
    #[arg(long, short, value_name = "TEXT", num_args = 0..=1, default_missing_value = "")]
    pub entropy: Option<String>,
}

impl Answer {
    /// The parameters to write.
    pub fn output(&self) -> PathBuf {
        let beside = || self.old.with_extension("response");
        self.new.clone().unwrap_or_else(beside)
    }
}

#[derive(Subcommand)]
pub enum Import {
    /// Make the key of parameters in bellman's form; contributions that the key lacks are verified
    #[command(arg_required_else_help = true)]
    Bellman {
        /// Proving key that the parameters were made of (.zkey)
        #[arg(value_name = "OLD")]
        old: PathBuf,
        /// Parameters with contributions (.mpcparams)
        #[arg(value_name = "PARAMS")]
        params: PathBuf,
        /// Proving key with the contributions, to write (.zkey)
        #[arg(value_name = "NEW")]
        new: PathBuf,
        /// Name of the contributors; 64 characters are kept
        #[arg(long, short, value_name = "NAME")]
        name: Option<String>,
    },
    /// Make the key that was exported as JSON, without contributions, which JSON has not
    #[command(arg_required_else_help = true)]
    Json {
        /// Proving key as JSON
        #[arg(value_name = "JSON")]
        old: PathBuf,
        /// Proving key to write (.zkey)
        #[arg(value_name = "KEY")]
        key: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum Export {
    /// Write a key as JSON, as snarkjs zkey export json
    Json {
        /// Proving key (.zkey)
        #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
        key: PathBuf,
        /// JSON to write
        #[arg(value_name = "JSON", default_value = "circuit_final.zkey.json")]
        out: PathBuf,
    },
    /// Write a key's parameters for contributors with bellman's programs, as snarkjs zkey export bellman
    #[command(arg_required_else_help = true)]
    Bellman {
        /// Proving key (.zkey)
        #[arg(value_name = "KEY")]
        key: PathBuf,
        /// Parameters to write (.mpcparams)
        #[arg(value_name = "PARAMS", default_value = "circuit.mpcparams")]
        out: PathBuf,
    },
}

impl Zkey {
    /// Name of the command.
    pub fn name(&self) -> &'static str {
        match self {
            Zkey::Contribute(_) => "zkey contribute",
            Zkey::Beacon(_) => "zkey beacon",
            Zkey::Verify(_) => "zkey verify",
            Zkey::Export(Export::Json { .. }) => "zkey export json",
            Zkey::Export(Export::Bellman { .. }) => "zkey export bellman",
            Zkey::Bellman(Bellman::Contribute(_)) => "zkey bellman contribute",
            Zkey::Import(Import::Bellman { .. }) => "zkey import bellman",
            Zkey::Import(Import::Json { .. }) => "zkey import json",
        }
    }
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Contribute {
    /// Proving key to contribute to (.zkey)
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Proving key with the contribution, to write (.zkey)
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    #[command(flatten)]
    pub person: Person,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Beacon {
    /// Proving key to contribute to (.zkey)
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Proving key with the contribution, to write (.zkey)
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    #[command(flatten)]
    pub beacon: BeaconValue,
}

#[derive(Args)]
#[command(
    override_usage = "frumious zkey verify [R1CS] [PTAU] [KEY]\n       frumious zkey verify --from <INIT> [PTAU] [KEY]"
)]
pub struct Verify {
    /// Constraint system (.r1cs) [default: circuit.r1cs]; left out with --from
    #[arg(value_name = "R1CS")]
    first: Option<PathBuf>,
    /// Powers of tau, prepared for phase 2 (.ptau) [default: powersoftau.ptau]
    #[arg(value_name = "PTAU")]
    second: Option<PathBuf>,
    /// Proving key to verify (.zkey) [default: circuit_final.zkey]
    #[arg(value_name = "KEY")]
    third: Option<PathBuf>,
    /// Take the circuit from this key without contributions (.zkey), which is trusted to be the circuit's. It is as
    /// snarkjs' zkey verify init
    #[arg(long, value_name = "INIT")]
    pub from: Option<PathBuf>,
    /// Compute beacons of up to 2^K iterations; longer ones are refused (exit code 3)
    #[arg(long, value_name = "K", value_parser = beacon_exponent, default_value_t = MAX_BEACON_EXPONENT)]
    pub max_iterations_exp: u8,
}

impl Verify {
    /// The constraint system unless `--from` stands for it, the powers of tau, the key.
    ///
    /// # Errors
    /// [`Code::Usage`] for a constraint system beside `--from`.
    pub fn files(&self) -> Result<(Option<&Path>, &Path, &Path), Failure> {
        let [first, second, third] =
            [&self.first, &self.second, &self.third].map(|path| path.as_deref());
        match (&self.from, third) {
            (None, third) => Ok((
                Some(first.unwrap_or(Path::new(R1CS))),
                second.unwrap_or(Path::new(POWERS)),
                third.unwrap_or(Path::new(KEY)),
            )),
            (Some(_), None) => Ok((
                None,
                first.unwrap_or(Path::new(POWERS)),
                second.unwrap_or(Path::new(KEY)),
            )),
            (Some(_), Some(_)) => Err(Failure::new(
                Code::Usage,
                "--from stands for the constraint system: frumious zkey verify --from INIT PTAU KEY",
            )),
        }
    }
}

/// The names that snarkjs takes where none is given.
const R1CS: &str = "circuit.r1cs";
const POWERS: &str = "powersoftau.ptau";
const KEY: &str = "circuit_final.zkey";
