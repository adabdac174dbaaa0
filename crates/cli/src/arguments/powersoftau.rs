//! The arguments of `powersoftau`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use frumious_app::curve::PairingCurve;
use frumious_app::phase1::POWERS;
use frumious_app::phase2::MAX_BEACON_EXPONENT;

use super::contribution::{BeaconValue, Person, beacon_exponent};
use super::values::memory_size;

#[derive(Subcommand)]
pub enum PowersOfTau {
    /// Begin a ceremony: powers of tau without a contribution
    New(New),
    /// Contribute to powers of tau: the secrets are drawn here, used once and wiped
    Contribute(Contribute),
    /// End a ceremony with a public random beacon: anyone can make the same contribution
    Beacon(Beacon),
    /// Verify all contributions to powers of tau, and every point
    Verify(Verify),
    /// Make the bases of prepared powers anew: early versions of snarkjs wrote less of them
    Convert(Phase2),
    /// Write the first powers of prepared ones for smaller circuits: 2^1 of them to PTAU_01.ptau, and so on
    Truncate(Truncate),
    /// Write the challenge for a contributor who has another program
    #[command(subcommand, arg_required_else_help = true)]
    Export(Export),
    /// Contribute to a challenge, for who has no powers of tau
    #[command(subcommand, arg_required_else_help = true)]
    Challenge(OfChallenge),
    /// Take the response of a contributor who has another program
    #[command(subcommand, arg_required_else_help = true)]
    Import(Import),
    /// Make what keys of circuits need of powers of tau
    #[command(subcommand, arg_required_else_help = true)]
    Prepare(Prepare),
}

#[derive(Subcommand)]
pub enum Prepare {
    /// Add the Lagrange bases of all domains, for the circuits' own phase
    Phase2(Phase2),
}

#[derive(Subcommand)]
pub enum OfChallenge {
    /// Contribute to a challenge file: its secrets are drawn here, used once and wiped
    Contribute(Answer),
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Answer {
    /// The curve, which a challenge does not tell: bn128 (or bn254), bls12381 (or bls12-381)
    #[arg(value_name = "CURVE", value_parser = curve)]
    pub curve: PairingCurve,
    /// Challenge, of powersoftau export challenge
    #[arg(value_name = "CHALLENGE")]
    pub challenge: PathBuf,
    /// Response to write, for powersoftau import response [default: CHALLENGE with the extension response]
    #[arg(value_name = "RESPONSE")]
    response: Option<PathBuf>,
    /// Random text to mix with the operating system's randomness; without TEXT, a line is read from stdin. TEXT may be
    /// in lists of processes and in the shell's history
    #[arg(long, short, value_name = "TEXT", num_args = 0..=1, default_missing_value = "")]
    pub entropy: Option<String>,
}

impl Answer {
    /// The response to write.
    pub fn output(&self) -> PathBuf {
        let beside = || self.challenge.with_extension("response");
        self.response.clone().unwrap_or_else(beside)
    }
}

#[derive(Subcommand)]
pub enum Export {
    /// The powers as the next contributor needs them
    Challenge(Challenge),
    /// Prepared powers as JSON, as snarkjs powersoftau export json: of each point one number, which nobody can read
    /// back
    Json {
        /// Powers of tau, prepared for phase 2 (.ptau)
        #[arg(value_name = "PTAU")]
        powers: PathBuf,
        /// JSON to write
        #[arg(value_name = "JSON")]
        out: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum Import {
    /// The contribution that answers a challenge
    Response(Response),
}

impl PowersOfTau {
    /// Name of the command.
    pub fn name(&self) -> &'static str {
        match self {
            PowersOfTau::New(_) => "powersoftau new",
            PowersOfTau::Contribute(_) => "powersoftau contribute",
            PowersOfTau::Beacon(_) => "powersoftau beacon",
            PowersOfTau::Verify(_) => "powersoftau verify",
            PowersOfTau::Convert(_) => "powersoftau convert",
            PowersOfTau::Truncate(_) => "powersoftau truncate",
            PowersOfTau::Challenge(OfChallenge::Contribute(_)) => {
                "powersoftau challenge contribute"
            }
            PowersOfTau::Export(Export::Challenge(_)) => "powersoftau export challenge",
            PowersOfTau::Export(Export::Json { .. }) => "powersoftau export json",
            PowersOfTau::Import(Import::Response(_)) => "powersoftau import response",
            PowersOfTau::Prepare(Prepare::Phase2(_)) => "powersoftau prepare phase2",
        }
    }
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct New {
    /// The curve: bn128 (or bn254), bls12381 (or bls12-381)
    #[arg(value_name = "CURVE", value_parser = curve)]
    pub curve: PairingCurve,
    /// Binary logarithm of the number of powers, 1 to 28: circuits of up to so many constraints
    #[arg(value_name = "POWER", value_parser = power)]
    pub power: u32,
    /// Powers of tau to write (.ptau) [default: powersOfTauPOWER_0000.ptau]
    #[arg(value_name = "NEW")]
    pub new: Option<PathBuf>,
}

impl New {
    /// The powers of tau to write.
    pub fn output(&self) -> PathBuf {
        let name = || PathBuf::from(format!("powersOfTau{}_0000.ptau", self.power));
        self.new.clone().unwrap_or_else(name)
    }
}

/// Reads the name of a curve.
pub(super) fn curve(text: &str) -> Result<PairingCurve, String> {
    match text.to_lowercase().replace(['-', '_'], "").as_str() {
        "bn128" | "bn254" | "altbn128" => Ok(PairingCurve::Bn254),
        "bls12381" => Ok(PairingCurve::Bls12_381),
        _ => Err("bn128 or bls12381 is expected".into()),
    }
}

/// Reads the logarithm of the number of powers.
fn power(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(power) if POWERS.contains(&power) => Ok(power),
        _ => Err("a number from 1 to 28 is expected".into()),
    }
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Contribute {
    /// Powers of tau to contribute to (.ptau)
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Powers of tau with the contribution, to write (.ptau)
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    #[command(flatten)]
    pub person: Person,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Beacon {
    /// Powers of tau to contribute to (.ptau)
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Powers of tau with the contribution, to write (.ptau)
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    #[command(flatten)]
    pub beacon: BeaconValue,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Verify {
    /// Powers of tau to verify (.ptau)
    #[arg(value_name = "PTAU")]
    pub powers: PathBuf,
    /// Compute beacons of up to 2^K iterations; longer ones are refused (exit code 3)
    #[arg(long, value_name = "K", value_parser = beacon_exponent, default_value_t = MAX_BEACON_EXPONENT)]
    pub max_iterations_exp: u8,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Phase2 {
    /// Powers of tau (.ptau)
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Powers of tau with the bases, to write (.ptau)
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Memory that this may take for itself: bytes, or as 512M, 2GB, 1.5 GiB (K, M, G are 2^10, 2^20, 2^30). With less
    /// than it needs, which it tells, it fails
    #[arg(long, value_name = "BYTES", value_parser = memory_size)]
    pub max_memory: Option<u64>,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Truncate {
    /// Powers of tau (.ptau)
    #[arg(value_name = "PTAU")]
    pub powers: PathBuf,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Challenge {
    /// Powers of tau (.ptau)
    #[arg(value_name = "PTAU")]
    pub powers: PathBuf,
    /// Challenge to write
    #[arg(value_name = "CHALLENGE", default_value = "challenge")]
    pub challenge: PathBuf,
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Response {
    /// Powers of tau that the response answers (.ptau)
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The response
    #[arg(value_name = "RESPONSE")]
    pub response: PathBuf,
    /// Powers of tau with the contribution, to write (.ptau)
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Name of the contributor; 64 characters are kept
    #[arg(long, short, value_name = "NAME")]
    pub name: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::{curve, power};
    use frumious_app::curve::PairingCurve::{Bls12_381, Bn254};

    #[test]
    fn curves_and_powers_are_read() {
        let names = [
            "bn128",
            "BN254",
            "alt_bn128",
            "bls12381",
            "bls12-381",
            "BLS12_381",
            "bn",
            "",
        ];
        let curves = names.map(|name| curve(name).ok());
        let (bn, bls) = (Some(Bn254), Some(Bls12_381));
        assert_eq!(curves, [bn, bn, bn, bls, bls, bls, None, None]);
        let powers = ["0", "1", "28", "29", "-1", "x"].map(|text| power(text).ok());
        assert_eq!(powers, [None, Some(1), Some(28), None, None, None]);
    }
}
