//! Rows of a prime field, written once: each library's field is a type parameter, so the loops are compiled for it.

use std::hint::black_box;

use crate::inputs::{STREAM_A, STREAM_B, hex, integers};
use crate::row::{Row, Table};

/// What a measured field offers. Every method is one call of the library's own operation.
pub trait BenchField: Copy + 'static {
    fn from_words(words: [u64; 4]) -> Self;
    fn to_words(&self) -> [u64; 4];
    fn zero() -> Self;
    fn add(a: &Self, b: &Self) -> Self;
    fn sub(a: &Self, b: &Self) -> Self;
    fn neg(a: &Self) -> Self;
    fn mul(a: &Self, b: &Self) -> Self;
    fn square(a: &Self) -> Self;
    /// The library's default inverse of a value that is not zero.
    fn invert(a: &Self) -> Self;
    /// Its variable-time inverse; the default one where it has only one.
    fn invert_vartime(a: &Self) -> Self;
    /// A root of a square.
    fn sqrt(a: &Self) -> Self;
    fn batch_invert(values: &mut [Self]);
}

/// Values of a common stream.
pub fn draw<F: BenchField>(stream: u64, n: usize) -> Vec<F> {
    integers(stream, n).into_iter().map(F::from_words).collect()
}

/// Adds the rows of field `name`. SIZE is the number of independent elements, small enough for the first-level cache;
/// rows named `.latency` run a chain in which each operation needs the last result.
pub fn add_rows<F: BenchField>(table: &mut Table, name: &str) {
    add_pair::<F>(table, &format!("{name}.add"), F::add);
    add_pair::<F>(table, &format!("{name}.sub"), F::sub);
    add_pair::<F>(table, &format!("{name}.mul"), F::mul);
    add_pair::<F>(table, &format!("{name}.square"), |a, _| F::square(a));
    let same = |value| value;
    table.add(format!("{name}.neg"), move |n| {
        throughput::<F>(n, draw(STREAM_A, n), |a, _| F::neg(a), same)
    });
    table.add(format!("{name}.invert"), move |n| {
        throughput::<F>(n, draw(STREAM_A, n), |a, _| F::invert(a), same)
    });
    table.add(format!("{name}.invert_vartime"), move |n| {
        throughput::<F>(n, draw(STREAM_A, n), |a, _| F::invert_vartime(a), same)
    });
    table.add(format!("{name}.sqrt"), move |n| {
        let squares = draw::<F>(STREAM_A, n).iter().map(F::square).collect();
        throughput::<F>(n, squares, |a, _| F::sqrt(a), |root| F::square(&root)) // either root is right
    });
    table.add(format!("{name}.invert.array"), batch_invert::<F>);
}

/// Adds throughput and latency of `op`.
fn add_pair<F: BenchField>(table: &mut Table, id: &str, op: impl Fn(&F, &F) -> F + Copy + 'static) {
    table.add(id, move |n| {
        throughput(n, draw(STREAM_A, n), op, |value| value)
    });
    table.add(format!("{id}.latency"), move |n| latency(n, op));
}

/// `n` independent operations on arrays; the check sums `judge` of the results. Each pass pairs the elements anew, so
/// that no branch predictor learns them.
pub fn throughput<F: BenchField>(
    n: usize,
    a: Vec<F>,
    op: impl Fn(&F, &F) -> F + Copy + 'static,
    judge: impl Fn(F) -> F + 'static,
) -> Row {
    let b = draw::<F>(STREAM_B, n);
    let (a_again, b_again) = (a.clone(), b.clone());
    let (twice, mut shift) = ([&b[..], &b[..]].concat(), 0);
    let mut out = vec![F::zero(); n];
    Row::new(n, move || {
        let (a, b) = (black_box(&a[..]), black_box(&twice[shift..shift + n]));
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            *out = op(a, b);
        }
        black_box(&mut out);
        shift = (shift + 1) % n;
    })
    .with_check(move || {
        let results = a_again.iter().zip(&b_again).map(|(a, b)| judge(op(a, b)));
        hex(results
            .fold(F::zero(), |sum, result| F::add(&sum, &result))
            .to_words())
    })
}

/// A chain of `n` operations x ← op(x, a[i]), carried on from run to run.
fn latency<F: BenchField>(n: usize, op: impl Fn(&F, &F) -> F + Copy + 'static) -> Row {
    let (start, a) = (draw::<F>(STREAM_B, 1)[0], draw::<F>(STREAM_A, n));
    let a_again = a.clone();
    let mut x = start;
    Row::new(n, move || {
        x = black_box(&a[..]).iter().fold(x, |x, a| op(&x, a))
    })
    .with_check(move || hex(a_again.iter().fold(start, |x, a| op(&x, a)).to_words()))
}

/// `n` inverses at once. The values go back and forth between themselves and their inverses.
fn batch_invert<F: BenchField>(n: usize) -> Row {
    let mut values = draw::<F>(STREAM_A, n);
    Row::new(n, move || F::batch_invert(black_box(&mut values))).with_check(move || {
        let mut values = draw::<F>(STREAM_A, n);
        F::batch_invert(&mut values);
        hex(values
            .iter()
            .fold(F::zero(), |sum, value| F::add(&sum, value))
            .to_words())
    })
}
