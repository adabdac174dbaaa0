#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use frumious_parallel::trace::Work;

/// Tasks are written down as `Whole`, and numbered as a trace does.
enum Part {
    /// Seconds, and gigabytes.
    Does(u64, u64),
    Splits(Order, Vec<Vec<Part>>),
}

use Order::{Halves, Queue};
use Part::{Does, Splits};

fn numbered(whole: Vec<Part>) -> Vec<Task> {
    let mut tasks = vec![Task::default()];
    number(whole, 0, &mut tasks);
    tasks
}

fn number(parts: Vec<Part>, at: usize, tasks: &mut Vec<Task>) {
    for part in parts {
        let step = match part {
            Does(seconds, gigabytes) => Step::Work(Work {
                phase: "all",
                duration: Duration::from_secs(seconds),
                bytes: gigabytes << 30,
                ..Work::default()
            }),
            Splits(order, children) => {
                let (first, count) = (tasks.len(), children.len());
                tasks.resize(first + count, Task::default());
                for (index, child) in children.into_iter().enumerate() {
                    number(child, first + index, tasks);
                }
                Step::Fork(Fork {
                    first,
                    count,
                    order,
                })
            }
        };
        tasks[at].steps.push(step);
    }
}

fn seconds(tasks: &[Task], workers: usize) -> f64 {
    on(tasks, workers, f64::INFINITY).seconds
}

fn on(tasks: &[Task], workers: usize, bytes_per_second: f64) -> Schedule {
    let machine = Machine {
        workers,
        bytes_per_second,
        steal: Duration::ZERO,
    };
    schedule(tasks, &machine)
}

fn each(seconds: &[u64]) -> Vec<Vec<Part>> {
    seconds
        .iter()
        .map(|seconds| vec![Does(*seconds, 0)])
        .collect()
}

#[test]
fn a_chain_takes_its_length_on_any_number_of_workers() {
    let chain = numbered(vec![Does(1, 0), Does(2, 0), Does(3, 0)]);
    for workers in [1, 2, 64] {
        let schedule = on(&chain, workers, f64::INFINITY);
        assert_eq!((schedule.seconds, schedule.work), (6.0, 6.0));
        assert_eq!(schedule.efficiency(workers), 1.0 / workers as f64);
        let idle = 6.0 * (workers as f64 - 1.0);
        let expected = Loss {
            phase: "all",
            work: 6.0,
            idle,
            memory: 0.0,
        };
        assert_eq!(schedule.phases, [expected]);
    }
    assert_eq!(seconds(&[], 3), 0.0);
}

#[test]
fn independent_tasks_are_shared() {
    for order in [Halves, Queue] {
        let tasks = numbered(vec![
            Does(1, 0),
            Splits(order, each(&[1; 8])),
            Does(1, 0),
            Splits(order, Vec::new()),
        ]);
        for (workers, expected) in [(1, 10.0), (2, 6.0), (3, 5.0), (4, 4.0), (8, 3.0), (9, 3.0)] {
            assert_eq!(seconds(&tasks, workers), expected, "{order:?} on {workers}");
        }
    }
}

/// In a queue the long one begins first. By halves it may be the last of its half: two workers have 1 + 1 and 1 + 6.
#[test]
fn a_long_tail_counts_by_who_takes_which() {
    let queue = numbered(vec![Splits(Queue, each(&[6, 1, 1, 1]))]);
    assert_eq!(seconds(&queue, 2), 6.0);
    let halves = numbered(vec![Splits(Halves, each(&[1, 1, 1, 6]))]);
    assert_eq!(seconds(&halves, 2), 7.0);
    // The third takes the upper half of the lower half.
    assert_eq!(seconds(&halves, 3), 7.0);
    assert_eq!(seconds(&halves, 4), 6.0);
    // The upper half has 6 + 1. Who did the lower one takes that 1 back.
    let halves = numbered(vec![Splits(Halves, each(&[1, 1, 6, 1]))]);
    assert_eq!(seconds(&halves, 2), 6.0);
}

/// The second worker takes what waits in the queue of the first, and that of what it forks into.
#[test]
fn nested_forks_are_shared() {
    let inner = |seconds: &[u64]| vec![Splits(Halves, each(seconds)), Does(1, 0)];
    let tasks = numbered(vec![Splits(Halves, vec![inner(&[2, 2]), inner(&[1, 1])])]);
    assert_eq!(seconds(&tasks, 1), 8.0);
    // One does 2, 2 less what the other takes after 1 + 1 + 1: nothing, the second 2 begins at 2.
    assert_eq!(seconds(&tasks, 2), 5.0);
    assert_eq!(seconds(&tasks, 4), 3.0);
}

/// Who waits for a half that was taken takes other work, and is not back before that is done.
#[test]
fn who_waits_may_come_back_late() {
    // Two workers. The first does 1, the second takes the fork [4, 9] and leaves 9. The first, which waits for it,
    // takes the 9 at 1. The whole ends at 10, then 1 more.
    let tasks = numbered(vec![
        Splits(
            Halves,
            vec![vec![Does(1, 0)], vec![Splits(Halves, each(&[4, 9]))]],
        ),
        Does(1, 0),
    ]);
    assert_eq!(seconds(&tasks, 2), 11.0);
}

#[test]
fn memory_bounds_those_who_ask_for_it() {
    let gigabyte = (1u64 << 30) as f64;
    let tasks = |gigabytes| {
        let children = (0..4).map(|_| vec![Does(1, gigabytes)]);
        numbered(vec![Splits(Halves, children.collect())])
    };
    // 40 gigabytes at 20 a second.
    let bound = on(&tasks(10), 4, 20.0 * gigabyte);
    assert_eq!((bound.seconds, bound.work), (2.0, 4.0));
    assert_eq!(bound.phases[0].memory, 4.0);
    assert_eq!(bound.efficiency(4), 0.5);
    assert_eq!(on(&tasks(5), 4, 20.0 * gigabyte).seconds, 1.0);
    assert_eq!(on(&tasks(10), 2, 20.0 * gigabyte).seconds, 2.0);
    // One of two asks for twice what there is, and the other, which asks for nothing, is not slowed.
    let mixed = vec![vec![Does(1, 20)], vec![Does(3, 0)]];
    let mixed = on(&numbered(vec![Splits(Halves, mixed)]), 2, 10.0 * gigabyte);
    assert_eq!(mixed.seconds, 3.0);
    assert_eq!(mixed.phases[0].memory, 1.0);
    assert_eq!(mixed.phases[0].idle, 1.0);
}

#[test]
fn to_take_work_of_others_costs_time() {
    let tasks = numbered(vec![Splits(Halves, each(&[2, 2]))]);
    let machine = Machine {
        workers: 2,
        bytes_per_second: f64::INFINITY,
        steal: Duration::from_secs(1),
    };
    let schedule = schedule(&tasks, &machine);
    assert_eq!((schedule.seconds, schedule.work), (3.0, 4.0));
    assert_eq!(schedule.phases[0].idle, 2.0);
}

/// Whatever the number of workers: all work is done, and no bound is passed.
#[test]
fn any_tree_is_done_within_its_bounds() {
    let mut state = 1u64;
    let mut random = move |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    fn tree(depth: u32, random: &mut impl FnMut(u64) -> u64) -> Vec<Part> {
        let mut parts = vec![Does(random(5), random(3))];
        if depth > 0 {
            let order = if random(2) == 0 { Halves } else { Queue };
            let count = random(6);
            let children = (0..count).map(|_| tree(depth - 1, random));
            parts.push(Splits(order, children.collect()));
            parts.push(Does(random(3), 0));
        }
        parts
    }
    for _ in 0..50 {
        let tasks = numbered(tree(4, &mut random));
        let whole = seconds(&tasks, 1);
        for workers in [1, 2, 3, 7, 64] {
            let schedule = on(&tasks, workers, f64::INFINITY);
            assert!((schedule.work - whole).abs() < 1e-6);
            assert!(schedule.seconds >= whole / workers as f64 - 1e-6);
            assert!(schedule.seconds <= whole + 1e-6);
            let lost: f64 = schedule.phases.iter().map(|loss| loss.idle).sum();
            let all = workers as f64 * schedule.seconds;
            assert!((schedule.work + lost - all).abs() < 1e-6);
        }
    }
}
