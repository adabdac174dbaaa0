//! The kind of CPU, as far as speed depends on it, by the vendor, family and model that it tells.
//!
//! Sources: Linux, `arch/x86/kernel/cpu/amd.c` (families 0x19 and 0x1a) and `arch/x86/include/asm/intel-family.h`.

use std::fs;

/// CPUs that speed was measured on, and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuKind {
    /// AMD's Zen 4: one vector of eight products a cycle.
    Zen4,
    /// AMD's Zen 5: two.
    Zen5,
    /// Intel's Sapphire and Emerald Rapids, whose cores are the same.
    GoldenCove,
    /// Any other, or unknown.
    Other,
}

impl CpuKind {
    /// That of this machine.
    pub fn look() -> Self {
        Self::parse(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
    }

    /// From the kernel's account of the first CPU.
    fn parse(text: &str) -> Self {
        let field = |name: &str| {
            let line = text.lines().find(|line| {
                let (key, _) = line.split_once(':').unwrap_or_default();
                key.trim() == name
            })?;
            Some(line.split_once(':')?.1.trim())
        };
        let number = |name| field(name).and_then(|text| text.parse::<u32>().ok());
        let (Some(vendor), Some(family), Some(model)) =
            (field("vendor_id"), number("cpu family"), number("model"))
        else {
            return Self::Other;
        };
        match (vendor, family, model) {
            ("AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0xaf) => Self::Zen4,
            // Those of 0x20 to 0x2f and of 0x60 to 0x6f, for laptops, split vectors in halves.
            ("AuthenticAMD", 0x1a, 0x00..=0x1f | 0x40..=0x4f | 0x70..=0x7f) => Self::Zen5,
            ("GenuineIntel", 6, 0x8f | 0xcf) => Self::GoldenCove,
            _ => Self::Other,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zen4 => "AMD Zen 4",
            Self::Zen5 => "AMD Zen 5",
            Self::GoldenCove => "Intel Sapphire or Emerald Rapids",
            Self::Other => "of a kind that was not measured",
        }
    }

    /// The word for it in JSON results; none if it is not known.
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::Zen4 => Some("zen4"),
            Self::Zen5 => Some("zen5"),
            Self::GoldenCove => Some("golden_cove"),
            Self::Other => None,
        }
    }

    /// Rows of a proof in a second, on one core with the fastest backend. Of circom's rollup of 17, which has half a
    /// million constraints.
    pub fn rows_per_second(self) -> Option<f64> {
        match self {
            Self::Zen4 => Some(ZEN_4_ROWS),
            Self::Zen5 => Some(ZEN_5_ROWS),
            Self::GoldenCove => Some(GOLDEN_COVE_ROWS),
            Self::Other => None,
        }
    }
}

/// 2^19 rows in 2.5 s of CPU time, 2026-11-23, least of six.
const ZEN_4_ROWS: f64 = 210e3;

/// 2^19 rows in 1.43 s, with a sum over part B1 that is no longer taken: `peers/record/2026-11-22-container.md`.
const ZEN_5_ROWS: f64 = 367e3;

/// 2^19 rows in 2.463 s of CPU time on Emerald Rapids: `peers/record/2026-11-29-intel.md`.
const GOLDEN_COVE_ROWS: f64 = 213e3;

/// The least domain that rates are told for: smaller ones are slower by a row.
pub const LEAST_ROWS: usize = 1 << 17;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_family_and_model() {
        for (vendor, family, model, kind) in [
            ("AuthenticAMD", 25, 17, CpuKind::Zen4),
            ("AuthenticAMD", 25, 0x61, CpuKind::Zen4),
            ("AuthenticAMD", 25, 0xa0, CpuKind::Zen4),
            ("AuthenticAMD", 25, 1, CpuKind::Other),
            ("AuthenticAMD", 25, 0x21, CpuKind::Other),
            ("AuthenticAMD", 26, 2, CpuKind::Zen5),
            ("AuthenticAMD", 26, 0x44, CpuKind::Zen5),
            ("AuthenticAMD", 26, 0x24, CpuKind::Other),
            ("AuthenticAMD", 26, 0x60, CpuKind::Other),
            ("AuthenticAMD", 23, 49, CpuKind::Other),
            ("GenuineIntel", 6, 0x8f, CpuKind::GoldenCove),
            ("GenuineIntel", 6, 0xcf, CpuKind::GoldenCove),
            ("GenuineIntel", 6, 0x6a, CpuKind::Other),
            ("AuthenticAMD", 6, 0xcf, CpuKind::Other),
            ("GenuineIntel", 25, 17, CpuKind::Other),
        ] {
            let text = format!(
                "processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\nmodel name\t: x\n\
                 processor\t: 1\nvendor_id\t: other\n"
            );
            assert_eq!(CpuKind::parse(&text), kind, "{vendor} {family} {model}");
        }
        assert_eq!(CpuKind::parse(""), CpuKind::Other);
        assert_eq!(
            CpuKind::parse("cpu family : 25\nmodel : 17\n"),
            CpuKind::Other
        );
    }
}
