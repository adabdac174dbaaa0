//! Times of the tree: roots of new trees, updates, keys, witnesses.
//!
//! `cargo run --release -p frumious-verkle --example tree [threads]`; the least of many runs.

use frumious_verkle::tree::{AccountKeys, ExecutionWitness, Key, Tree, Value};
use frumious_verkle::{Committer, Preset, Prover, Verifier};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

fn main() {
    let threads = std::env::args().nth(1).and_then(|n| n.parse().ok());
    frumious_parallel::with_threads(threads.unwrap_or(1), measure).expect("threads");
}

fn measure() {
    for preset in [Preset::Default, Preset::Full] {
        let committer = Committer::new(preset).expect("tables of a preset");
        println!("tables of {} MiB", committer.memory_bytes() >> 20);
        for n in [100, 1_000, 10_000] {
            let entries = random_entries(n);
            report("new tree", n, || Tree::from_entries(&committer, &entries));
            let tree = Tree::from_entries(&committer, &entries);
            let keys: Vec<Key> = entries.iter().map(|entry| entry.0).step_by(10).collect();
            let changes: Vec<(Key, Value)> = keys.iter().map(|key| (*key, *key)).collect();
            // Each run changes the values of the run before.
            let mut copy = tree.clone();
            let mut changes = changes;
            report("update of a tenth", keys.len(), || {
                changes
                    .iter_mut()
                    .for_each(|change| change.1.rotate_left(1));
                copy.update(&committer, &changes).expect("a whole tree");
            });
            witnesses(&committer, &tree, &changes);
        }
        let addresses: Vec<[u8; 20]> = random_entries(1000)
            .iter()
            .map(|(key, _)| core::array::from_fn(|i| key[i]))
            .collect();
        report("account", 1000, || {
            AccountKeys::batch(&committer, &addresses)
        });
        let account = AccountKeys::new(&committer, &addresses[0]);
        let slots: Vec<Key> = random_entries(1000).iter().map(|entry| entry.0).collect();
        report("storage key", 1000, || {
            account.storage_batch(&committer, &slots)
        });
    }
}

fn witnesses(committer: &Committer, tree: &Tree, changes: &[(Key, Value)]) {
    let n = changes.len();
    let accesses: Vec<(Key, Option<Value>)> = changes
        .iter()
        .map(|(key, value)| (*key, Some(*value)))
        .collect();
    let make = || ExecutionWitness::new(&mut Prover::new(committer), tree, &accesses);
    report("witness made", n, make);
    let witness = make().expect("a whole tree");
    let json = witness.to_json();
    let parse = || ExecutionWitness::from_json(json.as_bytes());
    report("witness read", n, parse);
    let root = tree.root_bytes();
    let verifier = &mut Verifier::new(committer);
    report("witness verified", n, || witness.verify(verifier, &root));
    report("and root after", n, || {
        let root = witness.post_root(committer, verifier, &root);
        root.expect("well-formed").expect("true")
    });
}

/// Prints the least time of many runs, at least two, for about a second.
fn report<T>(what: &str, items: usize, mut run: impl FnMut() -> T) {
    let (begin, mut least, mut runs) = (Instant::now(), f64::MAX, 0);
    while begin.elapsed() < Duration::from_secs(1) || runs < 2 {
        let (start, busy) = (Instant::now(), cpu_time());
        core::hint::black_box(run());
        let time = start.elapsed().as_secs_f64();
        // Of many short runs one is not interrupted; of long ones each is, but there the system's counts are exact enough.
        least = least.min(if time < 0.1 { time } else { cpu_time() - busy });
        runs += 1;
    }
    let (all, each) = (1e3 * least, 1e6 * least / items as f64);
    println!("{what:20} {items:6} {all:9.3} ms {each:8.2} us each");
}

/// Seconds that all threads were on a CPU, as Linux counts them; elsewhere the time of the clock.
fn cpu_time() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let clock = START.elapsed().as_secs_f64();
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return clock;
    };
    let time = |thread: std::fs::DirEntry| {
        let statistics = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        statistics.split(' ').next()?.parse::<f64>().ok()
    };
    1e-9 * threads.flatten().filter_map(time).sum::<f64>()
}

/// Random keys with random values, repeatable (SplitMix64).
fn random_entries(n: usize) -> Vec<(Key, Value)> {
    let mut state = 1u64;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut bytes = || -> [u8; 32] { core::array::from_fn(|_| word() as u8) };
    (0..n).map(|_| (bytes(), bytes())).collect()
}
