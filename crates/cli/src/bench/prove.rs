//! `frumious bench prove`: proofs under a key, one after another, as fast as this machine makes them.

use std::path::Path;
use std::time::Duration;

use frumious_app::failure::Failure;
use frumious_app::key::AnyKey;
use frumious_app::memory::Watch;
use frumious_app::observer::{Observer, Phases, Timings};
use frumious_app::places::Role;
use frumious_app::prove::{Request, prove as make};
use frumious_app::quantities::{bytes, count, duration, seconds};
use frumious_app::witness::AnyWitness;
use serde_json::json;

use crate::arguments::bench::Prove;
use crate::doctor::cpu::{CpuKind, LEAST_ROWS};
use crate::output::Output;
use crate::progress::Progress;

/// Measures proofs; the shortest counts.
pub fn prove(arguments: &Prove, output: &Output) -> Result<(), Failure> {
    let Prove {
        zkey,
        wtns,
        rounds,
        max_memory,
    } = arguments;
    let mut places = output.places().input("KEY", Role::Key, zkey);
    if let Some(wtns) = wtns {
        places = places.input("WITNESS", Role::Witness, wtns);
    }
    output.check(&places)?;
    let progress = Progress::new(output, 2 + *rounds as usize);
    progress.begin("read key");
    let key = AnyKey::open(zkey)?;
    progress.begin("read witness");
    let witness = match wtns {
        Some(wtns) => AnyWitness::open(wtns, key.curve())?,
        None => AnyWitness::made_up(key.curve(), key.n_wires())?,
    };
    let measured = measure(
        &key,
        &witness,
        wtns.as_deref(),
        *rounds,
        *max_memory,
        &progress,
    )?;
    progress.finish();
    let Measured {
        timings,
        predicted,
        peak,
    } = measured;
    let rate = key.domain_size() as f64 / timings.total().as_secs_f64().max(1e-9);
    let threads = frumious_parallel::current_num_threads();
    let cpu = CpuKind::look();
    let expected = cpu
        .rows_per_second()
        .filter(|_| key.domain_size() >= LEAST_ROWS);
    let mut lines = vec![format!(
        "A proof of {} rows takes {} here, on {} threads: {} rows a second, {} of memory{}",
        count(key.domain_size() as u64),
        duration(timings.total()),
        threads,
        count(rate as u64),
        bytes(predicted),
        match wtns {
            Some(_) => "",
            None => " (values were made up; those of circuits are shorter, and faster)",
        }
    )];
    lines.extend(expected.map(|expected| {
        let verdict = match rate < TOLERANCE * expected * threads as f64 {
            true => "slower than expected: frumious doctor tells what to do",
            false => "as expected",
        };
        format!(
            "{}: about {} rows a second and thread; this is {verdict}",
            cpu.name(),
            count(expected as u64)
        )
    }));
    lines.extend(timings.0.iter().map(|(name, time)| line(name, *time)));
    output.answer(
        &lines.join("\n"),
        json!({
            "domain_size": key.domain_size(),
            "wires": key.n_wires(),
            "rows_per_second": rate.round(),
            "predicted_memory_bytes": predicted,
            "peak_private_bytes": peak,
            "made_up_witness": wtns.is_none(),
            "rounds": rounds,
            "threads": threads,
            "cpu_kind": cpu.key(),
            "expected_rows_per_second_and_core": expected,
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// The shortest of several proofs, with the memory of all.
pub struct Measured {
    pub timings: Timings,
    /// Bytes that a proof was said to take for itself.
    pub predicted: u64,
    /// The most private bytes that the process had; none if the system does not tell.
    pub peak: Option<u64>,
}

/// Makes `rounds` proofs, each a step of the progress; they are verified unless the witness is made up.
pub fn measure(
    key: &AnyKey,
    witness: &AnyWitness,
    witness_from: Option<&Path>,
    rounds: u32,
    max_memory: Option<u64>,
    progress: &Progress,
) -> Result<Measured, Failure> {
    let request = Request {
        zero_knowledge: true,
        verify: witness_from.is_some(),
        check: false,
        max_memory,
        spill: None,
        witness_from: witness_from.unwrap_or(Path::new("")),
    };
    let watch = Watch::begin();
    let mut shortest: Option<Timings> = None;
    let mut predicted = 0;
    for _ in 0..rounds {
        progress.begin("prove");
        let observer = Timed::default();
        let proved = make(key, witness, &request, &observer)?;
        predicted = proved.memory.private;
        let timings = observer.0.timings();
        if shortest
            .as_ref()
            .is_none_or(|best| timings.total() < best.total())
        {
            shortest = Some(timings);
        }
    }
    Ok(Measured {
        timings: shortest.unwrap_or(Timings(Vec::new())),
        predicted,
        peak: watch.take_peak().map(|peak| peak.private),
    })
}

fn line(name: &str, time: Duration) -> String {
    format!("  {name:<12} {:>9}", duration(time))
}

/// Notes when phases begin.
#[derive(Default)]
struct Timed(Phases);

impl Observer for Timed {
    fn begin(&self, phase: &'static str) {
        self.0.begin(phase);
    }

    fn within(&self, _phase: &'static str, _done: f64) {}

    fn note(&self, _text: &str) {}

    fn warning(&self, _text: &str) {}
}

/// Below this part of what is expected something is wrong.
const TOLERANCE: f64 = 0.7;
