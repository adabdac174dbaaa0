//! Tasks on workers, event by event.
//!
//! Each worker has a stack of what it is in, and a queue of halves that it has left to others. At a fork of tasks
//! `lo..hi` it leaves the upper half and goes on with the lower one. It takes its own halves back last in, first out.
//! Others take the oldest, the largest. A worker whose half was taken works for others until that half is done. So it
//! may come back late: the pool's threads cannot leave what is on their stacks.
//!
//! A stretch of work of `d` seconds and `b` bytes asks for `b/d` bytes a second. If all that run ask for more than the
//! memory gives, each gets its share, and takes that much longer.

use frumious_parallel::trace::{Fork, Order, Step, Task};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

/// Where tasks are scheduled.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Number of workers, at least one.
    pub workers: usize,
    /// Bytes a second that all of them get from memory; any number if infinite, and one at least.
    pub bytes_per_second: f64,
    /// The time of a worker to find work of another's and to begin it.
    pub steal: Duration,
}

/// The tasks on the workers.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// From the beginning to the end, in seconds.
    pub seconds: f64,
    /// The time of all tasks together, were memory without bound.
    pub work: f64,
    /// By phase, in the order in which they began.
    pub phases: Vec<Loss>,
}

/// The time of all workers in a phase, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loss {
    /// The phase.
    pub phase: &'static str,
    /// Time that tasks take by themselves.
    pub work: f64,
    /// Time without a task, or to find one. Of phases that overlap each has its part, by the workers that are in it.
    pub idle: f64,
    /// Time that tasks wait for memory.
    pub memory: f64,
}

impl Schedule {
    /// Work for the time of all workers.
    pub fn efficiency(&self, workers: usize) -> f64 {
        self.work / (workers as f64 * self.seconds).max(f64::MIN_POSITIVE)
    }
}

/// Runs the first of `tasks`, and all that it forks into.
pub fn schedule(tasks: &[Task], machine: &Machine) -> Schedule {
    let mut workers: Vec<Worker> = Vec::new();
    workers.resize_with(machine.workers.max(1), Worker::default);
    if !tasks.is_empty() {
        workers[0].stack.push(Frame::Task { task: 0, step: 0 });
    }
    let mut simulation = Simulation {
        tasks,
        machine,
        workers,
        left: 0,
        jobs: Vec::new(),
        next: HashMap::new(),
        phases: BTreeMap::new(),
        order: Vec::new(),
        now: 0.0,
    };
    while simulation.settle() {
        simulation.pass();
    }
    simulation.result()
}

struct Simulation<'a> {
    tasks: &'a [Task],
    machine: &'a Machine,
    workers: Vec<Worker>,
    /// Halves in all queues.
    left: usize,
    /// For each half that was ever left, whether it is done.
    jobs: Vec<bool>,
    /// For the first task of each fork in order, how many of its tasks have begun.
    next: HashMap<usize, usize>,
    phases: BTreeMap<&'static str, Loss>,
    /// Phases as they began.
    order: Vec<&'static str>,
    now: f64,
}

#[derive(Default)]
struct Worker {
    stack: Vec<Frame>,
    queue: VecDeque<Half>,
    busy: Option<Busy>,
}

/// A worker's occupation until an event.
#[derive(Clone, Copy)]
struct Busy {
    /// Seconds that are left if nothing slows it.
    left: f64,
    /// Bytes a second that it asks for.
    demand: f64,
    /// None while it looks for work.
    phase: Option<&'static str>,
}

/// Some tasks of a fork: those numbers, or with [`Order::Queue`] as many takers.
#[derive(Clone, Copy)]
struct Half {
    job: usize,
    fork: Fork,
    low: usize,
    high: usize,
}

#[derive(Clone, Copy)]
enum Frame {
    /// At a step of a task.
    Task { task: usize, step: usize },
    /// Some tasks of a fork are to be run.
    Range { fork: Fork, low: usize, high: usize },
    /// The next task of a fork is to be taken.
    Take { fork: Fork },
    /// A half was left to others.
    After(Half),
    /// A half of another's is done then.
    End { job: usize },
}

impl Simulation<'_> {
    /// Gives every worker something to do that takes time, if there is. False if nobody has.
    fn settle(&mut self) -> bool {
        let mut changed = true;
        while changed {
            changed = false;
            for worker in 0..self.workers.len() {
                if self.workers[worker].busy.is_none() {
                    changed |= self.proceed(worker);
                }
            }
        }
        self.workers.iter().any(|worker| worker.busy.is_some())
    }

    /// Takes one worker on until it is busy, or has nothing to do. True if anything changed.
    fn proceed(&mut self, worker: usize) -> bool {
        let mut changed = false;
        while self.workers[worker].busy.is_none() {
            let Some(frame) = self.workers[worker].stack.last().copied() else {
                return self.steal(worker) || changed;
            };
            match frame {
                Frame::Task { task, step } => self.step(worker, task, step),
                Frame::Range { fork, low, high } => self.cut(worker, fork, low, high),
                Frame::Take { fork } => self.take(worker, fork),
                Frame::After(half) => {
                    let own = &mut self.workers[worker];
                    if own.queue.back().is_some_and(|last| last.job == half.job) {
                        own.queue.pop_back();
                        self.left -= 1;
                        own.stack.pop();
                        own.stack.push(half.range());
                    } else if self.jobs[half.job] {
                        own.stack.pop();
                    } else {
                        return self.steal(worker) || changed;
                    }
                }
                Frame::End { job } => {
                    self.jobs[job] = true;
                    self.workers[worker].stack.pop();
                }
            }
            changed = true;
        }
        changed
    }

    fn step(&mut self, worker: usize, task: usize, step: usize) {
        let own = &mut self.workers[worker];
        own.stack.pop();
        let Some(what) = self.tasks[task].steps.get(step) else {
            return;
        };
        own.stack.push(Frame::Task {
            task,
            step: step + 1,
        });
        match what {
            Step::Work(work) if work.duration.is_zero() => {}
            Step::Work(work) => {
                let left = work.duration.as_secs_f64();
                own.busy = Some(Busy {
                    left,
                    demand: work.bytes as f64 / left,
                    phase: Some(work.phase),
                });
                if !self.order.contains(&work.phase) {
                    self.order.push(work.phase);
                }
            }
            Step::Fork(fork) => {
                let high = match fork.order {
                    Order::Halves => fork.count,
                    Order::Queue => fork.count.min(self.machine.workers),
                };
                if high > 0 {
                    let fork = *fork;
                    own.stack.push(Frame::Range { fork, low: 0, high });
                }
            }
        }
    }

    fn cut(&mut self, worker: usize, fork: Fork, low: usize, high: usize) {
        let own = &mut self.workers[worker];
        own.stack.pop();
        if high - low == 1 {
            own.stack.push(match fork.order {
                Order::Halves => Frame::Task {
                    task: fork.first + low,
                    step: 0,
                },
                Order::Queue => Frame::Take { fork },
            });
            return;
        }
        let middle = low + (high - low) / 2;
        let half = Half {
            job: self.jobs.len(),
            fork,
            low: middle,
            high,
        };
        self.jobs.push(false);
        own.queue.push_back(half);
        self.left += 1;
        own.stack.push(Frame::After(half));
        own.stack.push(Frame::Range {
            fork,
            low,
            high: middle,
        });
    }

    fn take(&mut self, worker: usize, fork: Fork) {
        let next = self.next.entry(fork.first).or_default();
        let own = &mut self.workers[worker];
        if *next == fork.count {
            own.stack.pop();
            return;
        }
        own.stack.push(Frame::Task {
            task: fork.first + *next,
            step: 0,
        });
        *next += 1;
    }

    /// Takes the oldest half of the next worker that left one.
    fn steal(&mut self, worker: usize) -> bool {
        if self.left == 0 {
            return false;
        }
        let count = self.workers.len();
        let taken = (1..count).find_map(|offset| {
            let victim = (worker + offset) % count;
            self.workers[victim].queue.pop_front()
        });
        let Some(half) = taken else {
            return false;
        };
        self.left -= 1;
        let own = &mut self.workers[worker];
        own.stack.push(Frame::End { job: half.job });
        own.stack.push(half.range());
        let left = self.machine.steal.as_secs_f64();
        own.busy = (left > 0.0).then_some(Busy {
            left,
            demand: 0.0,
            phase: None,
        });
        true
    }

    /// Lets time pass until the first worker is done with what it does.
    fn pass(&mut self) {
        let busy = || self.workers.iter().filter_map(|worker| worker.busy);
        let demand: f64 = busy().map(|busy| busy.demand).sum();
        let slowed = (self.machine.bytes_per_second.max(1.0) / demand).min(1.0);
        let speed = |busy: &Busy| if busy.demand > 0.0 { slowed } else { 1.0 };
        let first = busy().map(|busy| busy.left / speed(&busy));
        let time = first.fold(f64::INFINITY, f64::min);
        let at_work = busy().filter(|busy| busy.phase.is_some()).count();
        let idle = (self.workers.len() - at_work) as f64 * time;
        // Where nobody works somebody looks for work, in the phase that began last.
        let last = self.order.last().copied().unwrap_or("");
        if at_work == 0 {
            self.phases.entry(last).or_default().idle += idle;
        }
        for worker in &mut self.workers {
            let Some(busy) = &mut worker.busy else {
                continue;
            };
            let done = time * speed(busy);
            if let Some(phase) = busy.phase {
                let loss = self.phases.entry(phase).or_default();
                loss.work += done;
                loss.memory += time - done;
                loss.idle += idle / at_work as f64;
            }
            busy.left -= done;
            if busy.left <= ROUNDING {
                worker.busy = None;
            }
        }
        self.now += time;
    }

    fn result(self) -> Schedule {
        let mut phases = self.phases;
        let in_order = self.order.into_iter().map(|phase| Loss {
            phase,
            ..phases.remove(phase).unwrap_or_default()
        });
        let phases: Vec<Loss> = in_order.collect();
        Schedule {
            seconds: self.now,
            work: phases.iter().map(|loss| loss.work).sum(),
            phases,
        }
    }
}

impl Half {
    fn range(self) -> Frame {
        let Self {
            fork, low, high, ..
        } = self;
        Frame::Range { fork, low, high }
    }
}

/// A tenth of a nanosecond, the least that a clock tells.
const ROUNDING: f64 = 1e-10;

#[cfg(test)]
mod tests;
