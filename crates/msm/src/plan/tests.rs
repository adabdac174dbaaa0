use super::*;
use crate::buckets::Scalar;
use crate::kernel::Portable;
use crate::points::Weighed;
use crate::sums::Backend;
use frumious_curves::bn254::{Fr, G1Affine};
use frumious_field::Integer;

const COSTS: Costs = <Scalar<Portable<G1Affine>> as Backend<G1Affine>>::COSTS;

/// A census of `n` pairs with scalars by index.
fn census(n: usize, scalar: impl Fn(usize) -> [u64; 4]) -> Census {
    let points = vec![G1Affine::GENERATOR; n];
    let scalars: Vec<Integer<Fr>> = (0..n)
        .map(|i| Integer::from_words_unchecked(scalar(i)))
        .collect();
    Census::take(&[Weighed {
        points: (&points).into(),
        scalars: &scalars,
    }])
}

fn full(i: usize) -> [u64; 4] {
    [i as u64, 0x1234, 77, 0x1000_0000_0000_0000 + i as u64]
}

/// Half of the pairs have a one, all of them at the end, the others are long.
fn half_ones(n: usize) -> impl Fn(usize) -> [u64; 4] {
    move |i| if 2 * i < n { full(i) } else { [1, 0, 0, 0] }
}

#[test]
fn tasks_cover_everything_once() {
    for n in [30, 5000, 50_000] {
        for census in [census(n, full), census(n, half_ones(n))] {
            for threads in [1, 2, 3, 7, 64] {
                let plan = Plan::choose(&Fr::MODULUS, &census, 64, &COSTS, threads, Others::None);
                let windows = plan.windows.all().len();
                let mut seen = vec![0; windows * census.chunks()];
                for task in &plan.tasks {
                    for window in task.windows.clone() {
                        for chunk in task.chunks.clone() {
                            seen[window * census.chunks() + chunk] += 1;
                        }
                    }
                }
                assert!(
                    seen.iter().all(|count| *count == 1),
                    "{n} pairs, {threads} threads"
                );
            }
        }
    }
}

/// Additions of the task and of its reduction.
fn cost(plan: &Plan, census: &Census, task: &Task) -> usize {
    let windows = &plan.windows.all()[task.windows.clone()];
    windows
        .iter()
        .map(|window| {
            let chunks = task.chunks.clone();
            let entries: usize = chunks
                .map(|chunk| census.at_least_in(chunk, window.least_bits()))
                .sum();
            entries + 2 * window.buckets()
        })
        .sum()
}

/// The time when each thread takes the next task in order as soon as it is free.
fn makespan(plan: &Plan, census: &Census, threads: usize) -> usize {
    let mut busy = vec![0; threads];
    for task in &plan.tasks {
        let next = busy.iter_mut().min().expect("there is a thread");
        *next += cost(plan, census, task);
    }
    busy.into_iter().max().expect("there is a thread")
}

/// With slots of many sizes, as caches of as many sizes come to the same.
#[test]
fn threads_share_the_work() {
    for n in [1 << 11, 1 << 14, 1 << 16, 1 << 18] {
        for census in [census(n, full), census(n, half_ones(n))] {
            for slot_bytes in [8, 16, 32, 64, 128, 256, 512] {
                shared(n, &census, slot_bytes);
            }
        }
    }
}

fn shared(n: usize, census: &Census, slot_bytes: usize) {
    let time = |threads| {
        let none = Others::None;
        let plan = Plan::choose(&Fr::MODULUS, census, slot_bytes, &COSTS, threads, none);
        makespan(&plan, census, threads)
    };
    for (threads, percent) in [(2, 185), (4, 340), (7, 500), (64, 1600)] {
        if n < 1 << 14 && threads > 2 {
            continue; // windows are more work then, and are few
        }
        let (alone, together) = (time(1), time(threads));
        assert!(
            100 * alone >= percent * together,
            "{n} pairs, slots of {slot_bytes} bytes, {threads} threads: {alone} to {together}"
        );
    }
}

/// Tasks in order of their costs, longest first, on threads that take the next one as soon as they are free.
fn time_by_turns(tasks: &[(f64, usize)], threads: usize) -> f64 {
    let mut busy = vec![0.0_f64; threads];
    for (cost, count) in tasks {
        for _ in 0..*count {
            let next = busy.iter_mut().min_by(|a, b| a.total_cmp(b));
            *next.expect("there is a thread") += cost;
        }
    }
    busy.into_iter().fold(0.0, f64::max)
}

/// Groups of windows, of which some have one more than others, each in as many parts.
#[test]
fn times_of_plans_are_near_those_of_threads_that_take_tasks_by_turns() {
    let (mut total, mut plans) = (0.0, 0);
    for windows in (4..60).step_by(5) {
        for groups in 1..=windows {
            for (parts, threads) in [1, 2, 3, 5]
                .into_iter()
                .flat_map(|parts| [1, 2, 3, 7, 16, 64].map(|threads| (parts, threads)))
            {
                let longer = windows % groups;
                let cost = |windows: usize| windows as f64 / parts as f64 + 0.02;
                let tasks = [
                    (cost(windows / groups + 1), parts * longer),
                    (cost(windows / groups), parts * (groups - longer)),
                ];
                let by_turns = time_by_turns(&tasks, threads);
                let tasks = tasks.into_iter().filter(|(_, count)| *count > 0);
                let ratio = time_on_threads(tasks.collect(), threads) / by_turns;
                assert!(
                    (0.66..1.5).contains(&ratio),
                    "{windows} windows, {groups} groups, {parts} parts, {threads} threads: {ratio}"
                );
                assert!(longer > 0 || (ratio - 1.0).abs() < 1e-9, "of one cost");
                total += (ratio - 1.0).abs();
                plans += 1;
            }
        }
    }
    assert!(
        total / f64::from(plans) < 0.03,
        "{}",
        total / f64::from(plans)
    );
}

#[test]
fn times_of_few_tasks() {
    type Tasks = &'static [(f64, usize)];
    let cases: [(Tasks, usize, f64); 6] = [
        (&[], 3, 0.0),
        (&[(2.0, 1)], 4, 2.0),
        (&[(3.0, 5)], 1, 15.0),
        (&[(1.0, 1), (2.0, 9)], 2, 10.0), // 19 windows in ten tasks
        (&[(10.0, 1), (1.0, 5)], 2, 10.0),
        (&[(4.0, 2), (2.0, 3)], 2, 8.0),
    ];
    for (tasks, threads, expected) in cases {
        assert_eq!(
            time_on_threads(tasks.to_vec(), threads),
            expected,
            "{tasks:?}, {threads} threads"
        );
    }
}

/// Whatever a thread's share of the cache is, the buckets of a window fit it.
#[test]
fn windows_keep_to_their_share_of_the_cache() {
    let census = census(1 << 17, full);
    let widest = |slot_bytes| {
        let plan = Plan::choose(&Fr::MODULUS, &census, slot_bytes, &COSTS, 8, Others::None);
        let buckets = plan.windows.all().iter().map(Window::buckets);
        buckets.max().expect("there is a window")
    };
    let free = widest(1);
    for log in 8..14 {
        assert!(1 << log < free, "a share that matters");
        assert!(widest(WINDOW_BYTES.get() >> log) <= 1 << log);
    }
}

#[test]
fn widths_grow_with_the_number_of_pairs() {
    let mut last = 0;
    for log_n in [5, 8, 11, 14, 17] {
        let plan = Plan::choose(
            &Fr::MODULUS,
            &census(1 << log_n, full),
            64,
            &COSTS,
            1,
            Others::None,
        );
        let width = plan.windows.all()[0].width;
        assert!(width > last, "2^{log_n}: {width}");
        last = width;
    }
    assert!((12..17).contains(&last));
}

#[test]
fn short_scalars_need_one_window() {
    let plan = Plan::choose(
        &Fr::MODULUS,
        &census(5000, |_| [1, 0, 0, 0]),
        64,
        &COSTS,
        1,
        Others::None,
    );
    assert_eq!(plan.windows.all().len(), 1);
    assert_eq!(plan.windows.all()[0].width, 3);
}
