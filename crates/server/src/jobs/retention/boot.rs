//! A note in the data folder of how the time of day stood to the time since the machine was started.
//!
//! The latter is set by nobody, and goes on when a server ends. So the next server of the same boot learns how far the
//! time of day has jumped meanwhile. After another boot nobody knows: then time counts as it is told.
//!
//! It is written when the clock has jumped, and not otherwise. Without it, or with one that says nonsense, results are
//! kept by the time of day alone.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use frumious_app::files::{opening::open_existing, write_for_owner};
use serde::{Deserialize, Serialize};

use super::millis;
use crate::clock::Millis;

/// The file, and the boot that this process lives in.
pub struct Book {
    path: PathBuf,
    boot: String,
}

/// Jumps of the clock: those that were seen, with the time since then, and how far it went unseen.
#[derive(Debug, PartialEq, Eq)]
pub struct Noted {
    pub jumps: Vec<(Duration, Millis)>,
    pub missed: Millis,
}

#[derive(Serialize, Deserialize)]
struct Page {
    boot: String,
    /// The time of day less the time since the start, in milliseconds.
    offset: Millis,
    /// Milliseconds since the start at which each was seen, and how far it went.
    jumps: Vec<(Millis, Millis)>,
}

impl Book {
    /// That of a folder; none where the system does not tell its boots apart.
    pub fn open(folder: &Path) -> Option<Self> {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let path = folder.join(FILE);
        since_start().map(|_| Self {
            path,
            boot: boot.trim().to_owned(),
        })
    }

    /// The note of an earlier server of this boot.
    pub fn read(&self, time: Millis) -> Option<Noted> {
        let mut text = String::new();
        let file = open_existing(&self.path).ok()?;
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        let page: Page = serde_json::from_str(&text).ok()?;
        if page.boot != self.boot {
            return None;
        }
        let now = since_start()?;
        let ago = |seen: Millis| {
            let passed = u64::try_from(now.saturating_sub(seen)).unwrap_or(0);
            Duration::from_millis(passed)
        };
        let jumps = page.jumps.into_iter().filter(|(_, jump)| *jump > 0);
        Some(Noted {
            jumps: jumps.map(|(seen, jump)| (ago(seen), jump)).collect(),
            missed: time.saturating_sub(now).saturating_sub(page.offset),
        })
    }

    /// Notes how the clocks stand, and the jumps with the time since then. On a full disk it is not noted.
    pub fn write(&self, time: Millis, jumps: &[(Duration, Millis)]) {
        let Some(now) = since_start() else {
            return;
        };
        let seen = |(ago, jump): &(Duration, Millis)| (now.saturating_sub(millis(*ago)), *jump);
        let page = Page {
            boot: self.boot.clone(),
            offset: time.saturating_sub(now),
            // The last ones reach furthest.
            jumps: jumps
                .iter()
                .rev()
                .take(MOST_JUMPS)
                .rev()
                .map(seen)
                .collect(),
        };
        if let Ok(text) = serde_json::to_string(&page) {
            let _ = write_for_owner(&self.path, &text);
        }
    }
}

/// Milliseconds since the machine was started, asleep or awake.
#[cfg(target_os = "linux")]
fn since_start() -> Option<Millis> {
    use rustix::time::{ClockId, clock_gettime};
    let passed = clock_gettime(ClockId::Boottime);
    let of_seconds = passed.tv_sec.checked_mul(1000)?;
    of_seconds.checked_add(passed.tv_nsec / 1_000_000)
}

#[cfg(not(target_os = "linux"))]
fn since_start() -> Option<Millis> {
    None
}

/// The file's name in a data folder.
const FILE: &str = "clock";

const MOST_BYTES: u64 = 1 << 16;

const MOST_JUMPS: usize = 1000;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_later_server_of_this_boot_learns_of_jumps_and_of_nonsense_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = Book::open(folder.path()).expect("it tells its boot");
        assert_eq!(book.read(0), None);
        let second = Duration::from_secs(1);
        book.write(5_000_000, &[(second, 7000)]);
        let noted = book.read(9_000_000).expect("it was noted");
        let [(ago, 7000)] = noted.jumps[..] else {
            panic!("{noted:?}");
        };
        assert!(ago >= second && ago < 60 * second, "{ago:?}");
        assert!((3_900_000..=4_000_000).contains(&noted.missed), "{noted:?}");
        assert!(book.read(0).expect("it was noted").missed < 0);
        let path = folder.path().join(FILE);
        let text = std::fs::read_to_string(&path).expect("it is there");
        let other = text.replace(&book.boot, "another boot");
        let wild = text.replace("7000", &i64::MAX.to_string());
        for nonsense in ["", "{", "[1]", &other, &"1".repeat(1 << 20)] {
            std::fs::write(&path, nonsense).expect("it writes");
            assert_eq!(book.read(0), None);
        }
        std::fs::write(&path, wild).expect("it writes");
        assert!(book.read(i64::MAX).is_some() && book.read(i64::MIN).is_some());
        std::fs::remove_file(&path).expect("it is there");
        std::os::unix::fs::symlink("/dev/zero", &path).expect("it links");
        assert_eq!(book.read(0), None);
    }
}
