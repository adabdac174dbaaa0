//! The time of commitments.

use std::hint::black_box;
use std::time::{Duration, Instant};

use frumious_curves::bandersnatch::Fr;
use frumious_msm::fixed::{Banderwagon, FixedBase, Operations};
use frumious_verkle::Crs;

use super::grid::{Candidate, POINTS};
use frumious_app::failure::Failure;

/// Numbers of scalars.
pub const LENGTHS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// A set of tables, measured.
pub struct Measured {
    pub candidate: Candidate,
    pub build: Duration,
    pub rows: Vec<Row>,
}

/// Commitments to `n` scalars.
pub struct Row {
    pub n: usize,
    /// Of one commitment.
    pub operations: Operations,
    /// The shortest time of several commitments.
    pub time: Duration,
}

/// Scalars of full length, the same in every run: `x ↦ x² + 1` from 2^250.
pub struct Scalars(Vec<Fr>);

impl Scalars {
    pub fn new() -> Self {
        let mut value = (0..250).fold(Fr::ONE, |power, _| power.double());
        let next = |_| {
            value = value.square() + Fr::ONE;
            value
        };
        Self((0..VECTORS * POINTS).map(next).collect())
    }

    /// The first `n` of the vector number `index`, counted round.
    fn vector(&self, index: usize, n: usize) -> &[Fr] {
        let start = index % VECTORS * POINTS;
        &self.0[start..start + n]
    }
}

/// Builds the tables and commits through them.
pub fn measure(candidate: Candidate, scalars: &Scalars, quick: bool) -> Result<Measured, Failure> {
    let start = Instant::now();
    let points = Crs::standard().basis();
    let table = FixedBase::<Banderwagon>::with_strategies_vartime(points, &candidate.strategies)
        .map_err(|error| Failure::bad_input(format!("{}: {error}", candidate.name)))?;
    let build = start.elapsed();
    let least = Duration::from_millis(if quick { 2 } else { 20 });
    let rows = LENGTHS
        .iter()
        .map(|n| row(&table, scalars, *n, least))
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::bad_input(error.to_string()))?;
    Ok(Measured {
        candidate,
        build,
        rows,
    })
}

/// As many commitments as take `least`, at least three; the first, which finds nothing in caches, does not count.
fn row(
    table: &FixedBase<Banderwagon>,
    scalars: &Scalars,
    n: usize,
    least: Duration,
) -> Result<Row, frumious_msm::fixed::Error> {
    black_box(table.commit_vartime(scalars.vector(0, n))?);
    let begin = Instant::now();
    let mut time = Duration::MAX;
    let mut runs = 0;
    while runs < 3 || begin.elapsed() < least {
        runs += 1;
        let scalars = scalars.vector(runs, n);
        let start = Instant::now();
        black_box(table.commit_vartime(scalars)?);
        time = time.min(start.elapsed());
    }
    Ok(Row {
        n,
        operations: table.operations_vartime(scalars.vector(1, n))?,
        time,
    })
}

/// Different vectors, so that no branch or cache learns them: 1 MB in all.
const VECTORS: usize = 128;
