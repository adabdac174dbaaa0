//! Reasons for which a machine may be slower than expected, as far as it tells them, and what to do.

use std::fs;

use super::machine::Machine;

/// Facts about the machine that explain a low speed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hindrances {
    /// True if this program was not compiled for speed.
    pub is_debug_build: bool,
    /// Processes that wanted to run, averaged over the last minute, beside the CPUs.
    pub load: Option<(f64, usize)>,
    /// The part of the CPUs' time that their host kept, since the machine started.
    pub stolen: Option<f64>,
    /// CPUs that the container may use.
    pub container_cpus: Option<f64>,
    /// The kernel's way of choosing the clock.
    pub governor: Option<String>,
}

impl Hindrances {
    /// Looks at the machine.
    pub fn look(machine: &Machine) -> Self {
        let read = |path: &str| fs::read_to_string(path).ok();
        let load = read("/proc/loadavg")
            .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
        let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Self {
            is_debug_build: cfg!(debug_assertions),
            load: load.map(|load| (load, machine.cpus)),
            stolen: read("/proc/stat").and_then(|text| stolen(&text)),
            container_cpus: machine.limits.cpus,
            governor: governor.map(|text| text.trim().to_owned()),
        }
    }

    /// A sentence for each that may matter, or what to try if there is none.
    pub fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        if self.is_debug_build {
            advice.push(
                "This program was not compiled for speed: cargo build --release -p frumious-cli."
                    .into(),
            );
        }
        if let Some((load, cpus)) = self.load.filter(|(load, cpus)| *load > 1.5 * *cpus as f64) {
            advice.push(format!(
                "Other work runs here (load {load:.1} on {cpus} CPUs): stop it, or try again when it has ended."
            ));
        }
        if let Some(stolen) = self.stolen.filter(|stolen| *stolen > 0.05) {
            advice.push(format!(
                "The host kept {:.0}% of this virtual machine's CPU time: ask for CPUs of its own.",
                100.0 * stolen
            ));
        }
        if let Some(cpus) = self.container_cpus {
            advice.push(format!(
                "The container may use {cpus:.2} CPUs: give it more."
            ));
        }
        if self.governor.as_deref() == Some("powersave") {
            advice.push(
                "The kernel saves power: cpupower frequency-set --governor performance.".into(),
            );
        }
        if advice.is_empty() {
            advice.push(
                "The CPU may lower its clock for vectors: compare frumious bench prove KEY with and without \
                 FRUMIOUS_BACKEND=adx, and set what is faster."
                    .into(),
            );
        }
        advice
    }
}

/// The part of all time that is `steal`, the eighth number of the line of all CPUs. Source: proc(5).
fn stolen(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let times: Vec<f64> = line
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .take(8)
        .collect();
    let all: f64 = times.iter().sum();
    (times.len() == 8 && all > 0.0).then(|| times[7] / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hindrance_has_its_advice() {
        let none = Hindrances {
            load: Some((0.5, 2)),
            stolen: Some(0.01),
            governor: Some("performance".into()),
            ..Hindrances::default()
        };
        assert_eq!(none.advice().len(), 1);
        assert!(none.advice()[0].contains("FRUMIOUS_BACKEND=adx"));
        let all = Hindrances {
            is_debug_build: true,
            load: Some((6.0, 2)),
            stolen: Some(0.25),
            container_cpus: Some(0.5),
            governor: Some("powersave".into()),
        };
        let advice = all.advice();
        assert_eq!(advice.len(), 5);
        for (line, word) in
            advice
                .iter()
                .zip(["--release", "load 6.0 on 2", "25%", "0.50 CPUs", "cpupower"])
        {
            assert!(line.contains(word), "{line}");
        }
    }

    #[test]
    fn stolen_time_is_read_as_linux_writes_it() {
        assert_eq!(
            stolen("cpu  10 0 10 60 0 0 0 20 0 0\ncpu0 1 2\n"),
            Some(0.2)
        );
        assert_eq!(stolen("cpu  10 0 10\n"), None);
        assert_eq!(stolen("cpu  0 0 0 0 0 0 0 0\n"), None);
        assert_eq!(stolen(""), None);
    }
}
