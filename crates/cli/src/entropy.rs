//! Randomness of contributions to a ceremony: what a person types, and what a beacon is.

use frumious_app::failure::Failure;
use frumious_app::phase2;
use zeroize::Zeroizing;

use crate::arguments::contribution::{BeaconValue, Person};
use crate::output::Output;

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
