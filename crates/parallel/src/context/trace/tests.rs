#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::{
    advance, current_num_threads, filled, for_each_chunk_mut, join, map_in_order, map_indices,
    pipeline, with_threads,
};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

fn clock() -> Duration {
    Duration::from_secs(NOW.get())
}

fn work(seconds: u64) {
    NOW.set(NOW.get() + seconds);
}

/// The tree below a task: seconds of stretches that are not empty, and forks in brackets.
fn tree(tasks: &[Task], task: usize) -> String {
    let mut words = Vec::new();
    for step in &tasks[task].steps {
        match step {
            Step::Work(work) if work.duration.is_zero() => {}
            Step::Work(work) => words.push(work.duration.as_secs().to_string()),
            Step::Fork(fork) => {
                let inner = fork.first..fork.first + fork.count;
                let inner: Vec<_> = inner.map(|child| tree(tasks, child)).collect();
                let (open, close) = match fork.order {
                    Order::Halves => ('[', ']'),
                    Order::Queue => ('<', '>'),
                };
                words.push(format!("{open}{}{close}", inner.join("|")));
            }
        }
    }
    words.join(" ")
}

fn recorded(run: impl FnOnce() + Send) -> String {
    let trace = Trace::new(8, clock);
    with_threads(1, || trace.record(run)).unwrap();
    tree(&trace.take(), 0)
}

#[test]
fn every_door_is_a_fork() {
    let doors = recorded(|| {
        work(1);
        join(|| work(2), || work(3));
        work(4);
        for_each_chunk_mut(&mut [0; 5], 2, |index, _| work(index as u64 + 5));
        map_indices(2, |_| {
            join(|| work(1), || ());
            work(2);
        });
        map_in_order(3, |index| work(9 - index as u64));
    });
    assert_eq!(doors, "1 [2|3] 4 [5|6|7] [[1|] 2|[1|] 2] <9|8|7>");
}

#[test]
fn pipelines_and_other_pools_are_forks() {
    let doors = recorded(|| {
        let consumed: Result<(), ()> = pipeline(1..3, work, |_, ()| {
            work(4);
            Ok(())
        });
        consumed.unwrap();
    });
    assert_eq!(doors, "[1|] [2|4] 4");
    let doors = recorded(|| {
        work(1);
        with_threads(2, || work(2)).unwrap();
        work(3);
    });
    assert_eq!(doors, "1 [2] 3");
}

#[test]
fn work_is_cut_for_the_planned_width() {
    let trace = Trace::new(64, clock);
    let inside = || trace.record(|| map_indices(2, |_| current_num_threads()));
    assert_eq!(with_threads(2, inside).unwrap(), [64, 64]);
    assert_eq!(with_threads(2, current_num_threads).unwrap(), 2);
}

#[test]
fn stretches_have_their_phase_kind_units_and_bytes() {
    let trace = Trace::new(2, clock);
    trace.record(|| {
        phase("first");
        work(1);
        kind("sum", || {
            moves(|| 100);
            join(
                || {
                    work(2);
                    advance(7);
                },
                || moves(|| 5),
            );
        });
        phase("second");
        work(3);
        advance(1);
    });
    let tasks = trace.take();
    let stretches: Vec<_> = tasks
        .iter()
        .flat_map(|task| &task.steps)
        .filter_map(|step| match step {
            Step::Work(work) => Some(*work),
            Step::Fork(_) => None,
        })
        .map(|work| {
            let seconds = work.duration.as_secs();
            (work.phase, work.kind, seconds, work.units, work.bytes)
        })
        .filter(|(.., seconds, units, bytes)| seconds + units + bytes > 0)
        .collect();
    let expected = [
        ("first", "", 1, 0, 0),
        ("first", "sum", 0, 0, 100),
        ("second", "", 3, 1, 0),
        ("first", "sum", 2, 7, 0),
        ("first", "sum", 0, 0, 5),
    ];
    assert_eq!(stretches, expected);
}

/// The pool's own cut is one of equal parts.
#[test]
fn filling_is_a_fork_of_equal_tasks() {
    let trace = Trace::new(2, clock);
    trace.record(|| drop(filled(1u64, (1 << 15) + 1)));
    let tasks = trace.take();
    assert_eq!(tasks.len(), 1 + 3);
    let bytes = tasks[1..].iter().map(|task| match task.steps[..] {
        [Step::Work(work)] => work.bytes,
        _ => 0,
    });
    assert_eq!(bytes.sum::<u64>(), 8 * ((1 << 15) + 1) / 3 * 3);
}

/// On several threads a thread takes tasks of others while it waits: each is counted by itself.
#[test]
fn nothing_is_counted_twice_on_several_threads() {
    fn busy(depth: u32) {
        if depth == 0 {
            return work(1);
        }
        join(|| busy(depth - 1), || busy(depth - 1));
        work(1);
    }
    let trace = Trace::new(4, clock);
    with_threads(3, || trace.record(|| busy(8))).unwrap();
    let seconds = |task: &Task| {
        let steps = task.steps.iter().map(|step| match step {
            Step::Work(work) => work.duration.as_secs(),
            Step::Fork(_) => 0,
        });
        steps.sum::<u64>()
    };
    assert_eq!(trace.take().iter().map(seconds).sum::<u64>(), 511);
}

/// Without a trace nothing is kept, and nothing asked for.
#[test]
fn without_a_trace_nothing_is_recorded() {
    phase("none");
    moves(|| unreachable!("nobody counts"));
    assert_eq!(kind("none", || 3), 3);
}
