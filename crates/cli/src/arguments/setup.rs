//! The arguments of `setup`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use frumious_app::failure::{Code, Failure};
use frumious_app::kind::Kind;

use super::values::memory_size;

#[derive(Args)]
#[command(
    override_usage = "frumious setup [R1CS] [PTAU] [KEY]\n       frumious setup --dev [--seed <FILE>] [R1CS] [KEY]"
)]
pub struct Setup {
    /// Constraint system (.r1cs)
    #[arg(value_name = "R1CS", default_value = "circuit.r1cs")]
    pub r1cs: PathBuf,
    /// Powers of tau, prepared for phase 2 (.ptau) [default: powersoftau.ptau]; left out with --dev
    #[arg(value_name = "PTAU")]
    pub second: Option<PathBuf>,
    /// Proving key to write: a .zkey, or our own container if the name ends in .fkey [default: circuit_0000.zkey]
    #[arg(value_name = "KEY")]
    pub third: Option<PathBuf>,
    /// UNSAFE, for tests only: draw the secrets here; whoever sees them can forge proofs
    #[arg(long)]
    pub dev: bool,
    /// With --dev: compute the secrets from this file of 16 to 4096 bytes, of which whoever has them can forge proofs.
    /// The same circuit, seed and version give the same key to the byte, for tests; and a setup that was interrupted
    /// goes on
    #[arg(long, value_name = "FILE", requires = "dev")]
    pub seed: Option<PathBuf>,
    /// Memory that the setup may take for itself: bytes, or as 512M, 2GB, 1.5 GiB (K, M, G are 2^10, 2^20, 2^30). With
    /// less it goes over the constraints more often
    #[arg(long, value_name = "BYTES", value_parser = memory_size)]
    pub max_memory: Option<u64>,
}

impl Setup {
    /// The powers of tau, if the key is to be made of some; and the key.
    ///
    /// # Errors
    /// [`Code::Usage`] if the powers are missing, or not wanted.
    pub fn powers_and_key(&self) -> Result<(Option<&Path>, &Path), Failure> {
        let usage = |message: String| Err(Failure::new(Code::Usage, message));
        let (second, third) = (self.second.as_deref(), self.third.as_deref());
        if self.dev {
            let is_powers = |path: &&Path| Kind::of_file(path) == Some(Kind::Ptau);
            let powers = second.filter(|path| third.is_some() || is_powers(path));
            return match powers {
                Some(powers) => usage(format!(
                    "--dev takes no powers of tau, as it draws the secrets itself: leave out {}, or --dev",
                    powers.display()
                )),
                None => Ok((None, second.unwrap_or(Path::new(KEY)))),
            };
        }
        let is_key = |path: &Path| {
            let extension = path.extension();
            ["zkey", "fkey"]
                .iter()
                .any(|known| extension == Some(OsStr::new(known)))
        };
        match (second, third) {
            (Some(second), None) if is_key(second) => usage(format!(
                "PTAU is missing before {}: frumious setup R1CS PTAU KEY; for tests only, frumious setup --dev R1CS KEY",
                second.display()
            )),
            _ => Ok((
                Some(second.unwrap_or(Path::new(POWERS))),
                third.unwrap_or(Path::new(KEY)),
            )),
        }
    }
}

/// The names that snarkjs takes where none is given.
const POWERS: &str = "powersoftau.ptau";
const KEY: &str = "circuit_0000.zkey";
