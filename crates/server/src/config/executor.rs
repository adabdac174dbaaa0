//! Where proofs are made: by the server itself, or by a fleet.

use std::path::PathBuf;

use serde::Deserialize;

use super::Seconds;

/// Where proofs are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExecutorKind {
    /// In the server's process.
    #[default]
    Local,
    /// On a fleet of the Python package.
    Ray,
}

/// A fleet.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleetEntry {
    /// Ray's head: `HOST:PORT`.
    pub address: String,
    /// The program `frumious-fleet`, if it is not that of `FRUMIOUS_FLEET` or `PATH`.
    pub program: Option<PathBuf>,
    /// Folder of the fleet's token and key; the program's own if there is none.
    pub state: Option<PathBuf>,
    /// Most jobs in the hands of the fleet.
    #[serde(default = "sixty_four")]
    pub jobs: usize,
    /// Most jobs that a node gets at once.
    #[serde(default = "sixteen")]
    pub batch: usize,
    /// The driver is begun anew if it says nothing for as long.
    #[serde(default = "minute")]
    pub silence_seconds: Seconds,
}

fn sixty_four() -> usize {
    64
}

fn sixteen() -> usize {
    16
}

fn minute() -> Seconds {
    Seconds(60.0)
}

/// The reason to refuse them, if there is one.
pub(super) fn fault(executor: ExecutorKind, fleet: Option<&FleetEntry>) -> Option<String> {
    let fleet = match (executor, fleet) {
        (ExecutorKind::Local, None) => return None,
        (ExecutorKind::Local, Some(_)) => return Some("[fleet] needs executor = \"ray\"".into()),
        (ExecutorKind::Ray, None) => {
            return Some("executor = \"ray\" needs [fleet] with the head's address".into());
        }
        (ExecutorKind::Ray, Some(fleet)) => fleet,
    };
    let is_usual = |c: char| c.is_ascii_alphanumeric() || "[]:.-_".contains(c);
    let parts = fleet.address.rsplit_once(':');
    let is_address = parts.is_some_and(|(host, port)| {
        !host.is_empty() && host.chars().all(is_usual) && port.parse::<u16>().is_ok()
    });
    if !is_address {
        return Some("fleet: address is HOST:PORT".into());
    }
    if !(1..=MOST_JOBS).contains(&fleet.jobs) {
        return Some(format!("fleet: jobs is 1 to {MOST_JOBS}"));
    }
    if fleet.batch == 0 {
        return Some("fleet: batch is at least 1".into());
    }
    (fleet.silence_seconds.0 < 1.0).then(|| "fleet: silence_seconds is at least 1".into())
}

/// A thread waits for each.
const MOST_JOBS: usize = 1024;
