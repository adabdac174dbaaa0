//! Randomness of contributions to a ceremony: what a person types, and what a beacon is.

use std::io::{BufRead, Read};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use frumious_app::failure::Failure;
use frumious_app::phase2;
use zeroize::Zeroizing;

use crate::arguments::contribution::{BeaconValue, Person};
use crate::interrupt;
use crate::output::Output;

/// The text to mix with the operating system's randomness: the one that was given, or a line from stdin.
pub fn entropy(person: &Person, output: &Output) -> Result<Zeroizing<Vec<u8>>, Failure> {
    match person.entropy.as_deref() {
        Some("") => line(output),
        given => Ok(Zeroizing::new(given.unwrap_or_default().into())),
    }
}

/// A line of random text from stdin, or of any bytes. A signal ends the wait for it.
fn line(output: &Output) -> Result<Zeroizing<Vec<u8>>, Failure> {
    output.note("Enter a random text. (Entropy):");
    let (sender, receiver) = sync_channel(1);
    let read = move || {
        let mut line = Zeroizing::new(Vec::with_capacity(MOST_ENTROPY));
        let mut stdin = std::io::stdin().lock().take(MOST_ENTROPY as u64);
        let read = stdin.read_until(b'\n', &mut line);
        let _ = sender.send(read.map(|_| line)); // nobody waits for it after a signal
    };
    let refused = |error| Failure::of_system("cannot read from stdin", &error);
    thread::Builder::new().spawn(read).map_err(refused)?;
    loop {
        match receiver.recv_timeout(BETWEEN_LOOKS) {
            Ok(read) => return read.map_err(refused),
            Err(RecvTimeoutError::Timeout) if !interrupt::work().is_cancelled() => {}
            Err(_) => return Err(Failure::interrupted()),
        }
    }
}

/// More adds nothing, and a line without an end must end somewhere.
const MOST_ENTROPY: usize = 1 << 12;

const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

impl BeaconValue {
    /// The beacon itself.
    pub fn origin(&self) -> phase2::Beacon {
        phase2::Beacon {
            hash: self.hash.0.clone(),
            exponent: self.exponent,
        }
    }
}
