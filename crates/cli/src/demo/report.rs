//! The demonstration's report.

use std::time::Duration;

use frumious_groth16::{Phase, SetupPhase};
use serde_json::{Value, json};

use frumious_app::observer::Timings;
use frumious_app::quantities::{count, duration, seconds};

/// Sizes and times.
pub struct Report {
    pub hashes: u32,
    pub constraints: u32,
    pub wires: u32,
    pub domain_size: usize,
    pub key_bytes: usize,
    /// All phases but the separate verification.
    pub timings: Timings,
    pub verification: Duration,
}

impl Report {
    pub fn for_people(&self) -> String {
        let mut lines = vec![
            "I know a secret that becomes a public digest when it is hashed again and again."
                .to_owned(),
            format!(
                "  {} MiMC-7 hashes: {} constraints, {} wires, domain of 2^{}; {} threads",
                count(self.hashes.into()),
                count(self.constraints.into()),
                count(self.wires.into()),
                self.domain_size.ilog2(),
                frumious_parallel::current_num_threads(),
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
        lines.push("OK: the proof is valid; for another digest it is refused.".into());
        lines.join("\n")
    }

    pub fn for_programs(&self) -> Value {
        let part = |(name, time): (&str, Duration)| (name.replace(' ', "_"), seconds(time));
        let parts: serde_json::Map<String, Value> = self.parts().into_iter().map(part).collect();
        json!({
            "hash": "mimc7",
            "hashes": self.hashes,
            "constraints": self.constraints,
            "wires": self.wires,
            "domain_size": self.domain_size,
            "zkey_bytes": self.key_bytes,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": parts,
            "phases": self.timings.to_json(),
            "constraints_per_second": self.constraints_per_second(self.prove_time()).map(f64::round),
            "valid": true,
        })
    }

    /// The parts of the demonstration, in order.
    fn parts(&self) -> Vec<(&'static str, Duration)> {
        let setup = self.timings.of(SetupPhase::ALL.map(SetupPhase::name));
        vec![
            ("make the circuit", self.timings.of(["circuit"])),
            ("calculate the witness", self.timings.of(["witness"])),
            ("make a development key", setup),
            ("load the key", self.timings.of(["load key"])),
            (PROVE, self.prove_time()),
            ("verify", self.verification),
        ]
    }

    fn prove_time(&self) -> Duration {
        self.timings.of(Phase::ALL.map(Phase::name))
    }

    /// `   123,456 constraints/s`, for the parts that have a rate.
    fn rate(&self, part: &str, time: Duration) -> String {
        let has_rate = [PROVE, "make a development key"].contains(&part);
        match self.constraints_per_second(time).filter(|_| has_rate) {
            Some(rate) => format!("{:>12} constraints/s", count(rate as u64)),
            None => String::new(),
        }
    }

    /// None if it took no time.
    fn constraints_per_second(&self, time: Duration) -> Option<f64> {
        (!time.is_zero()).then(|| f64::from(self.constraints) / time.as_secs_f64())
    }
}

const PROVE: &str = "prove";
