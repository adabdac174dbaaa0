//! Contributions to a ceremony, and the option to work with a key that lacks one and proves nothing. `setup`, `prove`
//! and `convert` warn of such a key, `inspect` tells.

use std::path::Path;

use clap::Args;
use frumious_app::contribution;
use frumious_app::failure::Failure;
use frumious_app::observer::Observer;
use frumious_app::phase2;
use frumious_groth16::Uncontributed as Missing;
use zeroize::Zeroizing;

use crate::arguments::contribution::{BeaconValue, Person};
use crate::output::Output;

/// The option to work with a key that proves nothing.
#[derive(Args, Clone, Copy)]
pub struct Uncontributed {
    /// UNSAFE, for tests only: take a key without a contribution, under which anyone can forge proofs
    #[arg(long = "allow-uncontributed")]
    allowed: bool,
}

impl Uncontributed {
    /// Refuses the key at `path` if it lacks a contribution; where that is allowed, warns.
    pub fn refuse(
        self,
        missing: Option<Missing>,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<(), Failure> {
        let how = "give --allow-uncontributed for a test";
        contribution::refuse(missing, path, self.allowed, how, observer)
    }
}

/// The text to mix with the operating system's randomness: the one that was given, or a line from stdin.
pub fn entropy(person: &Person, output: &Output) -> Result<Zeroizing<String>, Failure> {
    match person.entropy.as_deref() {
        Some("") => line(output),
        given => Ok(Zeroizing::new(given.unwrap_or_default().to_owned())),
    }
}

/// A line of random text from stdin.
fn line(output: &Output) -> Result<Zeroizing<String>, Failure> {
    output.note("Enter a random text. (Entropy):");
    let mut line = Zeroizing::new(String::with_capacity(1 << 12));
    std::io::stdin()
        .read_line(&mut line)
        .map_err(|error| Failure::of_system("cannot read from stdin", &error))?;
    Ok(line)
}

impl BeaconValue {
    /// The beacon itself.
    pub fn origin(&self) -> phase2::Beacon {
        phase2::Beacon {
            hash: self.hash.0.clone(),
            exponent: self.exponent,
        }
    }
}
