//! The arguments of `zkey`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use frumious_app::failure::{Code, Failure};
use frumious_app::phase2::{BEACON_EXPONENTS, BEACON_HASH_BYTES, MAX_BEACON_EXPONENT};

#[derive(Subcommand)]
pub enum Zkey {
    /// Contribute to a key: its secret is drawn here, used once and wiped
    Contribute(Contribute),
    /// End a ceremony with a public random beacon: anyone can make the same contribution
    Beacon(Beacon),
    /// Verify all contributions to a key, and that it is the circuit's under the powers of tau
    Verify(Verify),
}

impl Zkey {
    /// Name of the command.
    pub fn name(&self) -> &'static str {
        match self {
            Zkey::Contribute(_) => "zkey contribute",
            Zkey::Beacon(_) => "zkey beacon",
            Zkey::Verify(_) => "zkey verify",
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
    /// Name of the contributor; 64 characters are kept
    #[arg(long, short, value_name = "NAME")]
    pub name: Option<String>,
    /// Random text to mix with the operating system's randomness; without TEXT, a line is read from stdin. TEXT may be
    /// in lists of processes and in the shell's history
    #[arg(long, short, value_name = "TEXT", num_args = 0..=1, default_missing_value = "")]
    pub entropy: Option<String>,
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
    /// The beacon: 1 to 255 bytes in hexadecimal
    #[arg(value_name = "HEX", value_parser = beacon_hash)]
    pub hash: BeaconHash,
    /// SHA-256 is applied 2^K times, K from 10 to 63
    #[arg(value_name = "ITERATIONS_EXP", value_parser = beacon_exponent)]
    pub exponent: u8,
    /// Name of the contribution; 64 characters are kept
    #[arg(long, short, value_name = "NAME")]
    pub name: Option<String>,
}

/// The bytes of a beacon.
#[derive(Clone)]
pub struct BeaconHash(pub Vec<u8>);

/// Reads the bytes of a beacon.
pub fn beacon_hash(text: &str) -> Result<BeaconHash, String> {
    let wrong = || "an even number of hexadecimal digits is expected".to_owned();
    if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let pairs = (0..text.len()).step_by(2).map(|at| &text[at..at + 2]);
    let bytes: Result<Vec<u8>, _> = pairs.map(|pair| u8::from_str_radix(pair, 16)).collect();
    let bytes = bytes.map_err(|_| wrong())?;
    match BEACON_HASH_BYTES.contains(&bytes.len()) {
        true => Ok(BeaconHash(bytes)),
        false => Err("1 to 255 bytes are expected".into()),
    }
}

/// Reads the logarithm of the number of iterations.
pub fn beacon_exponent(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(exponent) if BEACON_EXPONENTS.contains(&exponent) => Ok(exponent),
        _ => Err("a number from 10 to 63 is expected".into()),
    }
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

#[cfg(test)]
mod tests {
    use super::{beacon_exponent, beacon_hash};

    #[test]
    fn beacons_are_hexadecimal() {
        for (text, bytes) in [
            ("00fF", Some(vec![0, 255])),
            ("", None),
            ("0x01", None),
            ("012", None),
            ("0g", None),
            ("é1", None),
        ] {
            assert_eq!(beacon_hash(text).ok().map(|hash| hash.0), bytes, "{text}");
        }
        assert!(beacon_hash(&"ab".repeat(255)).is_ok());
        assert!(beacon_hash(&"ab".repeat(256)).is_err());
        let exponents = ["9", "10", "63", "64", "-1", "x"];
        let expected = [None, Some(10), Some(63), None, None, None];
        assert_eq!(exponents.map(|text| beacon_exponent(text).ok()), expected);
    }
}
