//! The memory of the process, as the operating system counts it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytes of memory that are resident.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resident {
    /// The process's own.
    pub private: u64,
    /// Pages of files, which the operating system can take back.
    pub mapped: u64,
}

impl Resident {
    /// Now; none where the system does not tell.
    pub fn now() -> Option<Self> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        Some(Self {
            private: field(&status, "RssAnon:")?,
            mapped: field(&status, "RssFile:")?,
        })
    }
}

/// Memory of the machine in bytes; none where the system does not tell.
pub fn total() -> Option<u64> {
    field(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// `RssAnon:    1234 kB` in bytes.
fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Watches from a thread of its own, a hundred times a second.
pub struct Watch {
    seen: Arc<Seen>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Seen {
    ended: AtomicBool,
    /// Bytes: the most of private memory, and of both together.
    private: AtomicU64,
    all: AtomicU64,
}

/// The most that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peak {
    /// Of private memory.
    pub private: u64,
    /// Of private memory and resident pages of files together.
    pub resident: u64,
}

impl Watch {
    /// Begins.
    pub fn begin() -> Self {
        let seen = Arc::new(Seen::default());
        seen.look();
        let thread = std::thread::Builder::new().spawn({
            let seen = Arc::clone(&seen);
            move || {
                while !seen.ended.load(Relaxed) {
                    seen.look();
                    std::thread::sleep(INTERVAL);
                }
            }
        });
        Self {
            seen,
            thread: thread.ok(),
        }
    }

    /// The most since the beginning, or since the last call; none where the system does not tell.
    pub fn take_peak(&self) -> Option<Peak> {
        Resident::now()?;
        self.seen.look();
        let peak = Peak {
            private: self.seen.private.swap(0, Relaxed),
            resident: self.seen.all.swap(0, Relaxed),
        };
        self.seen.look();
        Some(peak)
    }
}

impl Seen {
    fn look(&self) {
        if let Some(now) = Resident::now() {
            self.private.fetch_max(now.private, Relaxed);
            self.all.fetch_max(now.private + now.mapped, Relaxed);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.seen.ended.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it only looks
        }
    }
}

const INTERVAL: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_status_are_in_bytes() {
        let status = "VmRSS:\t    3000 kB\nRssAnon:\t    1024 kB\nRssFile:\t      12 kB\n";
        assert_eq!(field(status, "RssAnon:"), Some(1 << 20));
        assert_eq!(field(status, "RssFile:"), Some(12 << 10));
        assert_eq!(field(status, "RssShmem:"), None);
        assert_eq!(field("RssAnon: many kB", "RssAnon:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn peaks_are_seen_and_forgotten() {
        let watch = Watch::begin();
        let before = watch.take_peak().map_or(0, |peak| peak.private);
        let memory = vec![1u8; 64 << 20];
        assert_eq!(
            memory.iter().map(|byte| u64::from(*byte)).sum::<u64>(),
            64 << 20
        );
        let during = watch.take_peak().map_or(0, |peak| peak.private);
        assert!(during >= before + (60 << 20), "{before}, {during}");
        drop(memory);
        watch.take_peak();
        let after = watch.take_peak().map_or(0, |peak| peak.private);
        assert!(after < during - (40 << 20), "{during}, {after}");
    }
}
