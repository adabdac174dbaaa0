//! The machine, by the CPU itself and by Linux's /proc and /sys. Elsewhere what only those tell is
//! missing.

use std::fs;
use std::path::Path;

use frumious_app::limits::Limits;
use frumious_limbs::{Backend, backend};

use super::cpu::CpuKind;

/// The facts.
pub struct Machine {
    /// As the CPU calls itself.
    pub model: Option<String>,
    /// As far as speed depends on it.
    pub kind: CpuKind,
    /// Each feature that a backend or a hash asks for, and whether it is there.
    pub features: Vec<(&'static str, bool)>,
    /// CPUs that this process may run on.
    pub cpus: usize,
    /// Threads that commands use.
    pub threads: usize,
    /// Bytes in all, and bytes that can still be had.
    pub memory: Option<(u64, u64)>,
    /// The limits of a container.
    pub limits: Limits,
    /// True if memory comes in huge pages without reserving them.
    pub transparent_huge_pages: Option<HugePages>,
    /// Huge pages that were reserved, and those of them that are free.
    pub reserved_huge_pages: Option<(u64, u64)>,
}

/// When the kernel gives huge pages to ordinary memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HugePages {
    /// To all memory.
    Always,
    /// To memory that asks for them, as our tables and buckets do.
    Madvise,
    /// To none.
    Never,
}

impl Machine {
    /// Looks at the machine.
    pub fn look() -> Self {
        let memory = read("/proc/meminfo");
        let field = |name: &str| memory.as_deref().and_then(|text| number_after(text, name));
        Self {
            model: read("/proc/cpuinfo").and_then(|text| text_after(&text, "model name")),
            kind: CpuKind::look(),
            features: backend::features(),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            threads: frumious_parallel::current_num_threads(),
            memory: field("MemTotal")
                .zip(field("MemAvailable"))
                .map(|(all, free)| (all << 10, free << 10)), // given in KiB
            limits: Limits::now(),
            transparent_huge_pages: read("/sys/kernel/mm/transparent_hugepage/enabled")
                .and_then(|text| HugePages::parse(&text)),
            reserved_huge_pages: field("HugePages_Total").zip(field("HugePages_Free")),
        }
    }
}

/// The backends that this CPU can run, slowest first.
pub fn backends() -> Vec<Backend> {
    Backend::ALL
        .into_iter()
        .filter(|backend| backend.is_supported())
        .collect()
}

impl HugePages {
    /// From the kernel's `always [madvise] never`.
    fn parse(text: &str) -> Option<Self> {
        let chosen = text.split('[').nth(1)?.split(']').next()?;
        match chosen {
            "always" => Some(Self::Always),
            "madvise" => Some(Self::Madvise),
            "never" => Some(Self::Never),
            _ => None,
        }
    }

    /// The kernel's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Madvise => "madvise",
            Self::Never => "never",
        }
    }
}

/// A file of the system, if it is there.
fn read(path: &str) -> Option<String> {
    fs::read_to_string(Path::new(path)).ok()
}

/// The text after `name` and a colon, in the first line that has them.
fn text_after(text: &str, name: &str) -> Option<String> {
    let value = |line: &str| {
        Some(
            line.strip_prefix(name)?
                .trim_start()
                .strip_prefix(':')?
                .trim()
                .to_owned(),
        )
    };
    text.lines().find_map(value)
}

/// The number of `name: 1234 kB`.
fn number_after(text: &str, name: &str) -> Option<u64> {
    text_after(text, name)?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_as_linux_writes_them() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC 9R14 \nMemTotal:       24605680 kB\nmodel name\t: other\n";
        assert_eq!(text_after(text, "model name"), Some("AMD EPYC 9R14".into()));
        assert_eq!(number_after(text, "MemTotal"), Some(24_605_680));
        assert_eq!(number_after(text, "MemFree"), None);
        assert_eq!(number_after(text, "model name"), None);
        for (text, value) in [
            ("always [madvise] never\n", Some(HugePages::Madvise)),
            ("[always] madvise never", Some(HugePages::Always)),
            ("always madvise [never]", Some(HugePages::Never)),
            ("madvise", None),
            ("[sometimes]", None),
        ] {
            assert_eq!(HugePages::parse(text), value, "{text}");
        }
    }
}
