//! Times of tables: built, and opened from a file with every entry checked.
//!
//! `cargo run --release -p frumious-verkle --example tables [threads]`; the least of some runs.

use frumious_verkle::{Committer, Preset};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let path = std::env::temp_dir().join(format!("frumious-tables-{}", std::process::id()));
    for preset in [
        Preset::Verifier,
        Preset::Small,
        Preset::Default,
        Preset::Full,
    ] {
        frumious_parallel::with_threads(threads.unwrap_or(1), || {
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
        let start = Instant::now();
        run().expect("tables of a preset");
        1e3 * start.elapsed().as_secs_f64()
    });
    times.fold(f64::MAX, f64::min)
}
