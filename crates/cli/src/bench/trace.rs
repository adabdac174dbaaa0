//! `frumious bench trace`: a proof's tasks, and the time that they would take on more cores than there are.

use std::fmt::Write;

use frumious_app::cores::{self, Machine, Schedule, bytes_moved, schedule};
use frumious_app::failure::Failure;
use frumious_app::files;
use frumious_app::key::AnyKey;
use frumious_app::observer::Silent;
use frumious_app::places::Role;
use frumious_app::prove::{Request, prove as make};
use frumious_app::quantities::{bytes, count, duration, seconds};
use frumious_app::witness::AnyWitness;
use frumious_parallel::trace::Task;
use serde_json::{Value, json};
use std::time::Duration;

use crate::arguments::bench::Trace;
use crate::output::Output;
use crate::progress::Progress;

/// Records a proof for each number of workers, and schedules it.
pub fn trace(arguments: &Trace, output: &Output) -> Result<(), Failure> {
    let Trace {
        zkey,
        wtns,
        workers,
        rounds,
        bandwidth,
        steal_us,
        times,
        max_memory,
        out,
    } = arguments;
    let mut places = output.places().input("KEY", Role::Key, zkey);
    if let Some(wtns) = wtns {
        places = places.input("WITNESS", Role::Witness, wtns);
    }
    if let Some(out) = out {
        places = places.output("--out", Role::Report, out);
    }
    output.check(&places)?;
    let progress = Progress::new(output, 2 + (1 + workers.len()) * *rounds as usize);
    progress.begin("read key");
    let key = AnyKey::open(zkey)?;
    progress.begin("read witness");
    let witness = match wtns {
        Some(wtns) => AnyWitness::open(wtns, key.curve())?,
        None => AnyWitness::made_up(key.curve(), key.n_wires())?,
    };
    let request = Request {
        zero_knowledge: true,
        verify: wtns.is_some(),
        check: false,
        max_memory: *max_memory,
        spill: None,
        witness_from: wtns.as_deref().unwrap_or(zkey),
    };
    let mut traced = Traced {
        alone: Duration::ZERO,
        rows: Vec::new(),
        lines: String::new(),
    };
    for width in [1].iter().chain(workers).map(|width| *width as usize) {
        let mut shortest: Option<Vec<Task>> = None;
        for _ in 0..*rounds {
            progress.begin("prove");
            let prove = || cores::record(width, || make(&key, &witness, &request, &Silent));
            let (proved, tasks) = frumious_parallel::with_threads(1, prove)
                .map_err(|error| Failure::bad_input(format!("cannot start a thread: {error}")))?;
            proved?;
            if shortest
                .as_ref()
                .is_none_or(|best| cores::work(&tasks) < cores::work(best))
            {
                shortest = Some(tasks);
            }
        }
        let machine = Machine {
            workers: width,
            bytes_per_second: *bandwidth * 1e9,
            steal: Duration::from_nanos((steal_us * 1e3) as u64),
        };
        let mut tasks = shortest.unwrap_or_default();
        cores::enlarge(&mut tasks, *times);
        traced.add(&tasks, &machine, out.is_some());
    }
    progress.finish();
    if let Some(out) = out {
        files::write_for_owner(out, &traced.lines)?;
    }
    let heading = format!(
        "A proof of {} rows{} is {} of work on one thread here. Predicted, at {bandwidth} GB/s of memory and {steal_us} µs \
         to take over work:",
        count(key.domain_size() as u64),
        match times {
            1.0 => String::new(),
            times => format!(", {times} times over,"),
        },
        duration(traced.alone),
    );
    output.answer(
        &format!("{heading}\n{}", traced.for_people()),
        json!({
            "domain_size": key.domain_size(),
            "wires": key.n_wires(),
            "made_up_witness": wtns.is_none(),
            "rounds": rounds,
            "times": times,
            "gigabytes_per_second": bandwidth,
            "steal_seconds": steal_us / 1e6,
            "seconds_alone": seconds(traced.alone),
            "workers": traced.for_programs(),
        }),
    )
}

/// Records and predictions.
struct Traced {
    /// Work of the proof that is cut for one worker.
    alone: Duration,
    rows: Vec<Row>,
    /// All tasks, for other programs.
    lines: String,
}

/// The prediction for a number of workers.
struct Row {
    workers: usize,
    tasks: usize,
    bytes: u64,
    schedule: Schedule,
}

impl Traced {
    fn add(&mut self, tasks: &[Task], machine: &Machine, keep: bool) {
        if machine.workers == 1 {
            self.alone = cores::work(tasks);
        } else {
            self.rows.push(Row {
                workers: machine.workers,
                tasks: tasks.len(),
                bytes: bytes_moved(tasks),
                schedule: schedule(tasks, machine),
            });
        }
        for (number, task) in tasks.iter().enumerate().filter(|_| keep) {
            self.lines += &cores::task_to_json(machine.workers, number, task).to_string();
            self.lines.push('\n');
        }
    }

    fn for_people(&self) -> String {
        let mut text = format!(
            "{:>7} {:>9} {:>10} {:>6} {:>7} {:>9}   lost (idle, of it in each phase; memory)\n",
            "workers", "time", "efficiency", "busy", "tasks", "moved"
        );
        for row in &self.rows {
            let all = row.workers as f64 * row.schedule.seconds;
            let part = |seconds: f64| 100.0 * seconds / all;
            let phases = row.schedule.phases.iter();
            let idle: f64 = phases.clone().map(|loss| part(loss.idle)).sum();
            let memory: f64 = phases.clone().map(|loss| part(loss.memory)).sum();
            let mut worst: Vec<_> = phases
                .filter(|loss| part(loss.idle) >= 0.5)
                .map(|loss| format!("{} {:.0}", loss.phase, part(loss.idle)))
                .collect();
            worst.insert(0, format!("{idle:.0}%"));
            let written = writeln!(
                text,
                "{:>7} {:>9} {:>9.0}% {:>5.0}% {:>7} {:>9}   {}; {memory:.0}%",
                row.workers,
                duration(cores::span(row.schedule.seconds)),
                100.0 * self.efficiency(row),
                100.0 * row.schedule.efficiency(row.workers),
                row.tasks,
                bytes(row.bytes),
                worst.join(", "),
            );
            written.expect("a string takes everything");
        }
        text + "Efficiency: the work on one thread for the time of all workers. Busy: the work cut for so many, which is more."
    }

    fn for_programs(&self) -> Value {
        let to_seconds = |value: f64| seconds(cores::span(value));
        let rows = self.rows.iter().map(|row| {
            let phases = row.schedule.phases.iter().map(|loss| {
                json!({
                    "phase": loss.phase,
                    "work_seconds": to_seconds(loss.work),
                    "idle_seconds": to_seconds(loss.idle),
                    "memory_seconds": to_seconds(loss.memory),
                })
            });
            json!({
                "workers": row.workers,
                "predicted_seconds": to_seconds(row.schedule.seconds),
                "work_seconds": to_seconds(row.schedule.work),
                "efficiency": self.efficiency(row),
                "busy": row.schedule.efficiency(row.workers),
                "tasks": row.tasks,
                "bytes_moved": row.bytes,
                "phases": phases.collect::<Value>(),
            })
        });
        rows.collect()
    }

    /// The part of so many times one thread's speed that is reached.
    fn efficiency(&self, row: &Row) -> f64 {
        self.alone.as_secs_f64() / (row.workers as f64 * row.schedule.seconds).max(1e-9)
    }
}
