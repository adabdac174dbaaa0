//! The report of the rollup's demonstration.

use std::time::Duration;

use frumious_groth16::{Phase, ProvingMemory, SetupPhase};
use serde_json::{Value, json};

use frumious_app::memory::Peak;
use frumious_app::observer::Timings;
use frumious_app::quantities::{bytes, count, duration, seconds};

/// Sizes, times and memory.
pub struct Report {
    pub transfers: u32,
    pub constraints: u64,
    pub wires: u32,
    pub domain_size: usize,
    pub circuit_bytes: usize,
    pub key_bytes: usize,
    /// The price of a core for an hour, in any currency.
    pub core_hour_price: f64,
    pub memory: Memory,
    /// All phases but the separate verification.
    pub timings: Timings,
    pub verification: Duration,
}

/// The most memory of each part, where the system tells, and the proof's prediction.
pub struct Memory {
    pub circuit: Option<Peak>,
    pub setup: Option<Peak>,
    pub prove: Option<Peak>,
    pub expected: ProvingMemory,
}

impl Report {
    pub fn for_people(&self) -> String {
        let threads = frumious_parallel::current_num_threads();
        let mut lines = vec![
            "Payments between accounts in a Merkle tree: each is signed, its balances are checked, both accounts are updated."
                .to_owned(),
            format!(
                "  {} transfers: {} constraints, {} a transfer, domain of 2^{}; {threads} threads",
                count(self.transfers.into()),
                count(self.constraints),
                count(self.constraints / u64::from(self.transfers)),
                self.domain_size.ilog2(),
            ),
            format!(
                "  circuit {}, {:.2} bytes a constraint; key {}",
                bytes(self.circuit_bytes as u64),
                self.bytes_per_constraint(),
                bytes(self.key_bytes as u64)
            ),
            String::new(),
        ];
        for (name, time) in self.parts() {
            lines.push(format!(
                "  {name:<28}{:>10}{}",
                duration(time),
                self.rate(name, time)
            ));
            if name == PROVE {
                let phases = Phase::ALL.map(Phase::name);
                let phases = self
                    .timings
                    .0
                    .iter()
                    .filter(|(name, _)| phases.contains(name));
                lines.extend(
                    phases.map(|(name, time)| format!("    {name:<26}{:>10}", duration(*time))),
                );
            }
        }
        lines.push(String::new());
        for (name, peak) in self.peaks() {
            if let Some(Peak { private, resident }) = peak {
                lines.push(format!(
                    "  memory to {name:<18}{:>10} private, {} with pages of files",
                    bytes(private),
                    bytes(resident)
                ));
            }
        }
        lines.push(format!(
            "  {:.2} transfers a second and core; {:.2} for a million transfers at {} a core-hour",
            self.transfers_per_core_second(),
            self.cost_of_a_million(),
            self.core_hour_price
        ));
        lines.push("OK: the proof is valid; for another root it is refused.".into());
        lines.join("\n")
    }

    pub fn for_programs(&self) -> Value {
        let part = |(name, time): (&str, Duration)| (name.replace(' ', "_"), seconds(time));
        let parts: serde_json::Map<String, Value> = self.parts().into_iter().map(part).collect();
        let peak = |peak: Option<Peak>| {
            peak.map(|peak| json!({ "private": peak.private, "resident": peak.resident }))
        };
        json!({
            "transfers": self.transfers,
            "constraints": self.constraints,
            "constraints_per_transfer": self.constraints / u64::from(self.transfers),
            "wires": self.wires,
            "domain_size": self.domain_size,
            "circuit_bytes": self.circuit_bytes,
            "circuit_bytes_per_constraint": self.bytes_per_constraint(),
            "zkey_bytes": self.key_bytes,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": parts,
            "phases": self.timings.to_json(),
            "memory_bytes": {
                "circuit": peak(self.memory.circuit),
                "setup": peak(self.memory.setup),
                "prove": peak(self.memory.prove),
                "prove_expected": {
                    "private": self.memory.expected.private,
                    "mapped": self.memory.expected.mapped,
                },
            },
            "constraints_per_core_second": self.per_core_second(self.constraints as f64).round(),
            "transfers_per_core_second": self.transfers_per_core_second(),
            "core_hour_price": self.core_hour_price,
            "cost_of_a_million_transfers": self.cost_of_a_million(),
            "valid": true,
        })
    }

    /// The parts of the demonstration, in order.
    fn parts(&self) -> Vec<(&'static str, Duration)> {
        let setup = self.timings.of(SetupPhase::ALL.map(SetupPhase::name));
        vec![
            ("make the circuit", self.timings.of(["circuit"])),
            ("make the transfers", self.timings.of(["transfers"])),
            ("calculate the witness", self.timings.of(["witness"])),
            ("check the witness", self.timings.of(["check"])),
            (SETUP, setup),
            ("load the key", self.timings.of(["load key"])),
            (PROVE, self.prove_time()),
            ("verify", self.verification),
        ]
    }

    fn peaks(&self) -> [(&'static str, Option<Peak>); 3] {
        [
            ("build the circuit", self.memory.circuit),
            ("make the key", self.memory.setup),
            ("prove", self.memory.prove),
        ]
    }

    fn prove_time(&self) -> Duration {
        self.timings.of(Phase::ALL.map(Phase::name))
    }

    /// `   123,456 constraints/s`, for the parts that have a rate.
    fn rate(&self, part: &str, time: Duration) -> String {
        if ![PROVE, SETUP].contains(&part) || time.is_zero() {
            return String::new();
        }
        let rate = self.constraints as f64 / time.as_secs_f64();
        format!("{:>12} constraints/s", count(rate as u64))
    }

    fn bytes_per_constraint(&self) -> f64 {
        self.circuit_bytes as f64 / self.constraints as f64
    }

    /// A core's share of `work` in a second of proving.
    fn per_core_second(&self, work: f64) -> f64 {
        let cores = frumious_parallel::current_num_threads() as f64;
        work / (self.prove_time().as_secs_f64() * cores).max(f64::MIN_POSITIVE)
    }

    fn transfers_per_core_second(&self) -> f64 {
        self.per_core_second(self.transfers.into())
    }

    fn cost_of_a_million(&self) -> f64 {
        1e6 / self.transfers_per_core_second() / 3600.0 * self.core_hour_price
    }
}

const PROVE: &str = "prove";
const SETUP: &str = "make a development key";
