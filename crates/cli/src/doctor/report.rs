//! The doctor's report.

use frumious_limbs::Backend;
use serde_json::{Map, Value, json};

use super::advice::Hindrances;
use super::estimate::Speed;
use super::expected::{Expected, TOLERANCE, expected};
use super::machine::{HugePages, Machine};
use super::selftest::{Measured, Row};
use frumious_app::quantities::{bytes, count, duration, seconds};

/// Everything seen.
pub struct Report {
    pub machine: Machine,
    /// The backend that commands use.
    pub active: Backend,
    pub measured: Measured,
    /// Of proofs, on all threads.
    pub speed: Speed,
}

/// A ratio that was measured, beside the one that should be.
struct Comparison {
    expected: Expected,
    ratio: f64,
}

impl Comparison {
    fn is_as_expected(&self) -> bool {
        self.ratio >= self.expected.ratio * TOLERANCE
    }

    fn verdict(&self) -> &'static str {
        if self.is_as_expected() {
            "as expected"
        } else {
            "slower than expected"
        }
    }
}

impl Report {
    pub fn for_people(&self) -> String {
        let mut lines: Vec<String> = self
            .facts()
            .iter()
            .map(|(name, text)| format!("{name:<13} {text}"))
            .collect();
        lines.push(String::new());
        let names = self
            .measured
            .backends
            .iter()
            .map(|backend| format!("{:>12}", backend.name()));
        lines.push(format!(
            "{:<30}{}",
            "self-test, one thread",
            names.collect::<String>()
        ));
        for row in &self.measured.rows {
            let times = row
                .times
                .iter()
                .map(|time| format!("{:>12}", duration(*time)));
            lines.push(format!(
                "  {:<28}{}",
                row.kind.name(),
                times.collect::<String>()
            ));
            lines.extend(self.comparisons(row).iter().map(|comparison| {
                let Expected { slow, fast, ratio } = &comparison.expected;
                format!(
                    "    {:<36}{:>4.1} times as fast, {ratio:.1} elsewhere: {}",
                    format!("{} against {}", fast.name(), slow.name()),
                    comparison.ratio,
                    comparison.verdict()
                )
            }));
        }
        lines.push(String::new());
        lines.push("OK: all results are the same on every backend.".into());
        if !self.is_as_expected() {
            lines.push("Slower than expected:".into());
            let advice = Hindrances::look(&self.machine).advice();
            lines.extend(advice.iter().map(|line| format!("- {line}")));
        }
        lines.join("\n")
    }

    pub fn for_programs(&self) -> Value {
        let machine = &self.machine;
        let features: Map<String, Value> = machine
            .features
            .iter()
            .map(|(name, there)| ((*name).to_owned(), (*there).into()))
            .collect();
        let names = |backends: &[Backend]| {
            backends
                .iter()
                .map(|backend| backend.name())
                .collect::<Value>()
        };
        json!({
            "cpu": machine.model,
            "cpu_kind": machine.kind.key(),
            "expected_rows_per_second_and_core": machine.kind.rows_per_second(),
            "advice": match self.is_as_expected() {
                true => Vec::new(),
                false => Hindrances::look(machine).advice(),
            },
            "features": features,
            "backends": names(&self.measured.backends),
            "backend": self.active.name(),
            "backend_forced": is_forced(),
            "cpus": machine.cpus,
            "threads": machine.threads,
            "memory_bytes": machine.memory.map(|(all, _)| all),
            "available_bytes": machine.memory.map(|(_, available)| available),
            "container_memory_bytes": machine.limits.memory.map(|group| group.limit),
            "container_left_bytes": machine.limits.memory.map(frumious_app::limits::GroupMemory::room),
            "container_cpus": machine.limits.cpus,
            "constraints_per_second": self.speed.rate().round(),
            "transparent_huge_pages": machine.transparent_huge_pages.map(|pages| pages.name()),
            "reserved_huge_pages": machine.reserved_huge_pages.map(|(all, _)| all),
            "free_huge_pages": machine.reserved_huge_pages.map(|(_, free)| free),
            "self_test": self.measured.rows.iter().map(|row| self.row_for_programs(row)).collect::<Value>(),
            "as_expected": self.is_as_expected(),
        })
    }

    fn row_for_programs(&self, row: &Row) -> Value {
        let times = self.measured.backends.iter().zip(&row.times);
        let times: Map<String, Value> = times
            .map(|(backend, time)| (backend.name().to_owned(), seconds(*time)))
            .collect();
        let comparison = |comparison: &Comparison| {
            json!({
                "backend": comparison.expected.fast.name(),
                "against": comparison.expected.slow.name(),
                "ratio": (comparison.ratio * 100.0).round() / 100.0,
                "expected": comparison.expected.ratio,
                "as_expected": comparison.is_as_expected(),
            })
        };
        json!({
            "work": row.kind.key(),
            "seconds": times,
            "same": row.same,
            "ratios": self.comparisons(row).iter().map(comparison).collect::<Value>(),
        })
    }

    /// The machine, a line each.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let machine = &self.machine;
        let features = |wanted: bool| {
            let names = machine
                .features
                .iter()
                .filter(|(_, there)| *there == wanted)
                .map(|(name, _)| *name);
            match names.collect::<Vec<_>>() {
                names if names.is_empty() => "none".into(),
                names => names.join(" "),
            }
        };
        let backends: Vec<_> = self
            .measured
            .backends
            .iter()
            .map(|backend| backend.name())
            .collect();
        let reason = if is_forced() {
            "as FRUMIOUS_BACKEND says"
        } else {
            "the fastest that this CPU can run"
        };
        let model = machine.model.as_deref().unwrap_or("of unknown name");
        let mut facts = vec![
            ("CPU", format!("{model} ({})", machine.kind.name())),
            ("it has", features(true)),
            ("it lacks", features(false)),
            ("backends", backends.join(", ")),
            ("in use", format!("{}, {reason}", self.active.name())),
            (
                "threads",
                format!("{} on {} CPUs", machine.threads, machine.cpus),
            ),
        ];
        if let Some((all, available)) = machine.memory {
            let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
            facts.push((
                "memory",
                format!("{:.1} GiB, {:.1} available", gib(all), gib(available)),
            ));
        }
        if let Some(group) = machine.limits.memory {
            facts.push((
                "container",
                format!(
                    "{} of memory, {} left",
                    bytes(group.limit),
                    bytes(group.room())
                ),
            ));
        }
        if let Some(cpus) = machine.limits.cpus {
            facts.push(("container", format!("{cpus:.2} CPUs")));
        }
        facts.push(("proofs", self.speed.for_people()));
        if let Some(rows) = machine.kind.rows_per_second() {
            let told = "constraints a second and core, of half a million";
            let rows = count((rows / 1e4).round() as u64 * 10_000);
            facts.push((
                "expected",
                format!("about {rows} {told} ({})", machine.kind.name()),
            ));
        }
        if let Some(pages) = machine.transparent_huge_pages {
            let effect = match pages {
                HugePages::Always => "large tables get them",
                HugePages::Madvise => "large tables ask for them",
                HugePages::Never => "large tables do without, and are slower",
            };
            facts.push(("huge pages", format!("{}: {effect}", pages.name())));
        }
        if let Some((all, free)) = machine.reserved_huge_pages.filter(|(all, _)| *all > 0) {
            facts.push((
                "reserved",
                format!("{free} of {all} huge pages are free; they are not used"),
            ));
        }
        facts
    }

    fn comparisons(&self, row: &Row) -> Vec<Comparison> {
        let compare = |expected: Expected| {
            let ratio = self.measured.ratio(row, expected.slow, expected.fast)?;
            Some(Comparison { expected, ratio })
        };
        expected(row.kind, self.machine.kind)
            .into_iter()
            .filter_map(compare)
            .collect()
    }

    fn is_as_expected(&self) -> bool {
        let mut comparisons = self
            .measured
            .rows
            .iter()
            .flat_map(|row| self.comparisons(row));
        comparisons.all(|comparison| comparison.is_as_expected())
    }
}

/// True if the environment chose the backend. `main` has refused what it cannot choose.
fn is_forced() -> bool {
    std::env::var_os("FRUMIOUS_BACKEND").is_some_and(|name| !name.is_empty())
}
