//! Each work on each backend: times and results.

use std::time::{Duration, Instant};

use frumious_limbs::{Backend, backend};

use super::machine::backends;
use super::works::{COUNT, Kind, Work};
use crate::progress::Progress;
use frumious_app::failure::Failure;

/// All that was measured.
pub struct Measured {
    /// The backends, slowest first.
    pub backends: Vec<Backend>,
    /// One row for each work.
    pub rows: Vec<Row>,
}

/// One work on all backends.
pub struct Row {
    /// The kind of operation.
    pub kind: Kind,
    /// The shortest time, by backend.
    pub times: Vec<Duration>,
    /// True if results were the same on all.
    pub same: bool,
}

/// Computes every work on every backend, in turns, so that a moment in which the machine is busy hits all of them.
///
/// Takes about `time`, and no less than two rounds. Leaves the last backend in use.
pub fn run(time: Duration, progress: &Progress) -> Result<Measured, Failure> {
    let backends = backends();
    let begin = Instant::now();
    let mut rows = Vec::with_capacity(COUNT);
    for (place, kind) in Kind::ALL.into_iter().enumerate() {
        progress.begin(kind.name());
        let end = begin + time * (place as u32 + 1) / COUNT as u32; // what one saves is the next one's
        let (times, same) = measure(|| kind.prepare(), &backends, end)?;
        rows.push(Row { kind, times, same });
    }
    Ok(Measured { backends, rows })
}

/// The shortest time on each backend, and whether the results are the same.
fn measure(
    prepare: impl Fn() -> Result<Box<dyn Work>, Failure>,
    backends: &[Backend],
    end: Instant,
) -> Result<(Vec<Duration>, bool), Failure> {
    let mut works: Vec<(Backend, Box<dyn Work>)> = Vec::with_capacity(backends.len());
    for &backend in backends {
        switch(backend)?;
        works.push((backend, prepare()?));
    }
    let mut times = vec![Duration::MAX; works.len()];
    let mut rounds = 0;
    while rounds < LEAST_ROUNDS || Instant::now() < end {
        rounds += 1;
        for ((backend, work), least) in works.iter_mut().zip(&mut times) {
            switch(*backend)?;
            let start = Instant::now();
            work.run();
            *least = start.elapsed().min(*least);
        }
    }
    let results: Vec<_> = works.iter().map(|(_, work)| work.result()).collect();
    Ok((times, results.windows(2).all(|pair| pair[0] == pair[1])))
}

fn switch(backend: Backend) -> Result<(), Failure> {
    backend::set(backend).map_err(|error| Failure::bad_input(error.to_string()))
}

impl Measured {
    /// The works whose results were not the same everywhere.
    pub fn differences(&self) -> Vec<&'static str> {
        self.rows
            .iter()
            .filter(|row| !row.same)
            .map(|row| row.kind.name())
            .collect()
    }

    /// The speed of `fast` as a multiple of that of `slow`, if both were measured.
    pub fn ratio(&self, row: &Row, slow: Backend, fast: Backend) -> Option<f64> {
        let time = |wanted: Backend| {
            let place = self
                .backends
                .iter()
                .position(|backend| *backend == wanted)?;
            Some(row.times[place].as_secs_f64())
        };
        Some(time(slow)? / time(fast)?)
    }
}

/// The first warms caches up, and touches memory that is new.
const LEAST_ROUNDS: u32 = 2;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;

    /// Computes what it is told to: the same always, or the length of the backend's name.
    struct Fake {
        depends: bool,
        result: u8,
    }

    impl Work for Fake {
        fn run(&mut self) {
            self.result = if self.depends {
                backend::active().name().len() as u8
            } else {
                7
            };
        }

        fn result(&self) -> Vec<[u8; 32]> {
            vec![[0; 32], [self.result; 32]]
        }
    }

    #[test]
    fn results_that_depend_on_the_backend_are_noticed() {
        let backends = backends();
        for depends in [false, true] {
            let prepare = || Ok(Box::new(Fake { depends, result: 0 }) as Box<dyn Work>);
            let (times, same) = measure(prepare, &backends, Instant::now()).unwrap();
            assert_eq!(times.len(), backends.len());
            assert!(times.iter().all(|time| *time < Duration::from_secs(60)));
            assert_eq!(same, !depends || backends.len() == 1);
        }
    }

    #[test]
    fn ratios_and_differences_are_of_the_right_columns() {
        let millis = Duration::from_millis;
        let measured = Measured {
            backends: vec![Backend::PORTABLE, Backend::ADX],
            rows: vec![
                Row {
                    kind: Kind::Fft,
                    times: vec![millis(30), millis(20)],
                    same: true,
                },
                Row {
                    kind: Kind::Msm,
                    times: vec![millis(30), millis(20)],
                    same: false,
                },
            ],
        };
        let ratio = |slow, fast| measured.ratio(&measured.rows[0], slow, fast);
        assert_eq!(ratio(Backend::PORTABLE, Backend::ADX), Some(1.5));
        assert_eq!(ratio(Backend::ADX, Backend::AVX512IFMA), None);
        assert_eq!(measured.differences(), [Kind::Msm.name()]);
    }
}
