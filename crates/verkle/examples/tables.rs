//! Times of tables: built, and opened from a file with every entry checked.
//!
//! `cargo run --release -p frumious-verkle --example tables`; one thread, the time that it was on a CPU, the least of
//! some runs.

use frumious_verkle::{Committer, Preset};
use std::sync::LazyLock;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("frumious-tables-{}", std::process::id()));
    for preset in [Preset::Small, Preset::Default, Preset::Full] {
        frumious_parallel::with_threads(1, || {
            let built = least(3, || Committer::new(preset).map(drop));
            let committer = Committer::new(preset)?;
            committer.save(&path)?;
            let opened = least(5, || Committer::open(&path).map(drop));
            let mib = committer.memory_bytes() >> 20;
            println!("{mib:4} MiB: built in {built:7.1} ms, opened in {opened:6.1} ms");
            Ok::<(), frumious_msm::fixed::Error>(())
        })??;
    }
    std::fs::remove_file(path)?;
    Ok(())
}

/// Milliseconds of the fastest run.
fn least<E: core::fmt::Debug>(runs: usize, mut run: impl FnMut() -> Result<(), E>) -> f64 {
    let times = (0..runs).map(|_| {
        let start = cpu_time();
        run().expect("tables of a preset");
        1e3 * (cpu_time() - start)
    });
    times.fold(f64::MAX, f64::min)
}

/// Seconds that this process was on a CPU, as Linux counts them, in hundredths; elsewhere the time of the clock.
fn cpu_time() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let clock = START.elapsed().as_secs_f64();
    let Ok(statistics) = std::fs::read_to_string("/proc/self/stat") else {
        return clock;
    };
    // Behind the name in parentheses: user time and system time are the 12th and the 13th field.
    let fields = statistics.rsplit(')').next().unwrap_or("");
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}
