//! Counts, as Prometheus reads them (text format 0.0.4). Labels are ids of circuits and words of states: no secret.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use frumious_app::memory::Resident;

use crate::executor::Health;
use crate::journal::State;

/// Counts since the start.
#[derive(Default)]
pub struct Metrics(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    ended: BTreeMap<(String, &'static str), u64>,
    seconds: BTreeMap<String, Histogram>,
    answers: BTreeMap<u16, u64>,
    /// A mean in which the latest count most.
    mean: f64,
}

#[derive(Clone, Default)]
struct Histogram {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    /// A job has ended, so long after its request.
    pub fn ended(&self, circuit: &str, state: State, age: Duration) {
        let mut counts = self.counts();
        let key = (circuit.to_owned(), state.name());
        *counts.ended.entry(key).or_default() += 1;
        if state == State::Succeeded {
            let seconds = age.as_secs_f64();
            counts.mean = match counts.mean {
                0.0 => seconds,
                mean => mean + (seconds - mean) / 8.0,
            };
            counts
                .seconds
                .entry(circuit.to_owned())
                .or_default()
                .add(seconds);
        }
    }

    /// A request was answered with this status.
    pub fn answered(&self, status: u16) {
        *self.counts().answers.entry(status).or_default() += 1;
    }

    /// The time of the latest jobs in seconds, from request to proof; 1 if there was none.
    pub fn mean_seconds(&self) -> f64 {
        match self.counts().mean {
            0.0 => 1.0,
            mean => mean,
        }
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Histogram {
    fn add(&mut self, seconds: f64) {
        for (bucket, bound) in self.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= bound);
        }
        self.count += 1;
        self.sum += seconds;
    }
}

/// The jobs as they are now.
pub struct Gauges {
    /// Jobs that wait.
    pub queued: u64,
    /// Jobs that are being proved.
    pub running: u64,
    /// Bytes of inputs in memory.
    pub held: u64,
    /// True if the disk takes what is written.
    pub is_durable: bool,
    /// The state of the executor's machines.
    pub executor: Health,
}

impl Metrics {
    /// All counts, with these.
    pub fn text(&self, now: &Gauges) -> String {
        text(&self.counts(), now)
    }
}

fn text(counts: &Counts, now: &Gauges) -> String {
    let mut text = String::new();
    let mut gauges = vec![
        ("frumious_jobs_queued", "Jobs that wait.", now.queued),
        (
            "frumious_jobs_running",
            "Jobs that are being proved.",
            now.running,
        ),
        ("frumious_held_bytes", "Inputs in memory.", now.held),
        (
            "frumious_journal_healthy",
            "1 if the disk takes what is written.",
            now.is_durable.into(),
        ),
        (
            "frumious_resident_bytes",
            "Private memory of the server.",
            Resident::now().map_or(0, |resident| resident.private),
        ),
    ];
    if let Health::Fleet(fleet) = now.executor {
        gauges.extend([
            (
                "frumious_fleet_nodes",
                "Nodes of the fleet that work.",
                fleet.nodes,
            ),
            (
                "frumious_fleet_jobs",
                "Jobs in the hands of the fleet.",
                fleet.jobs,
            ),
            (
                "frumious_fleet_restarts",
                "Times that the driver was begun anew.",
                fleet.restarts,
            ),
        ]);
    }
    for (name, help, value) in gauges {
        let _ = writeln!(
            text,
            "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}"
        );
    }
    let _ = writeln!(
        text,
        "# HELP frumious_jobs_total Jobs that have ended.\n# TYPE frumious_jobs_total counter"
    );
    for ((circuit, state), count) in &counts.ended {
        let _ = writeln!(
            text,
            "frumious_jobs_total{{circuit=\"{circuit}\",state=\"{state}\"}} {count}"
        );
    }
    let _ = writeln!(
        text,
        "# HELP frumious_answers_total Answers by status.\n# TYPE frumious_answers_total counter"
    );
    for (status, count) in &counts.answers {
        let _ = writeln!(
            text,
            "frumious_answers_total{{status=\"{status}\"}} {count}"
        );
    }
    let name = "frumious_job_seconds";
    let _ = writeln!(
        text,
        "# HELP {name} From request to proof.\n# TYPE {name} histogram"
    );
    for (circuit, histogram) in &counts.seconds {
        for (bound, count) in BUCKETS.iter().zip(histogram.buckets) {
            let _ = writeln!(
                text,
                "{name}_bucket{{circuit=\"{circuit}\",le=\"{bound}\"}} {count}"
            );
        }
        let Histogram { count, sum, .. } = histogram;
        let _ = writeln!(
            text,
            "{name}_bucket{{circuit=\"{circuit}\",le=\"+Inf\"}} {count}"
        );
        let _ = writeln!(text, "{name}_sum{{circuit=\"{circuit}\"}} {sum}");
        let _ = writeln!(text, "{name}_count{{circuit=\"{circuit}\"}} {count}");
    }
    text
}

/// Upper bounds in seconds.
const BUCKETS: [f64; 14] = [
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0,
];
