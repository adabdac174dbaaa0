//! Rows of a prime field, written once: each library's field is a type parameter, so the loops are compiled for it.

use std::hint::black_box;

use crate::inputs::{STREAM_A, STREAM_B, integers};
use crate::row::{Row, Table};

/// The operations of a measured field. Every method is one call of the library's own operation.
pub trait BenchField: Copy + 'static {
    /// The residue of an integer below 2^253; of an extension, an element made of it by [`twisted`].
    fn from_words(words: [u64; 4]) -> Self;
    /// The value, in as many digits as the modulus has; of an extension, its coefficients one after another.
    fn to_hex(&self) -> String;
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

/// The words of the second coefficient of an element of a quadratic extension, given those of the first.
pub fn twisted([w0, w1, w2, w3]: [u64; 4]) -> [u64; 4] {
    [w1, w2, w0, w3]
}

/// Values of a common stream.
pub fn draw<F: BenchField>(stream: u64, n: usize) -> Vec<F> {
    integers(stream, n).into_iter().map(F::from_words).collect()
}

/// One operation of two operands, as a type. Its `apply` is inlined into every loop. A closure shared by several loops
/// would stay a function, whose calls and copies cost half of a product.
pub trait Operation<F> {
    fn apply(a: &F, b: &F) -> F;

    /// The part of a result that the check compares.
    fn judge(result: F) -> F {
        result
    }
}

macro_rules! operations {
    ($($name:ident($a:ident, $b:ident) = $apply:expr;)*) => {$(
        pub struct $name;

        impl<F: BenchField> Operation<F> for $name {
            #[inline(always)]
            fn apply($a: &F, $b: &F) -> F {
                $apply
            }
        }
    )*};
}

operations! {
    Add(a, b) = F::add(a, b);
    Sub(a, b) = F::sub(a, b);
    Neg(a, _b) = F::neg(a);
    Mul(a, b) = F::mul(a, b);
    Square(a, _b) = F::square(a);
    Invert(a, _b) = F::invert(a);
    InvertVartime(a, _b) = F::invert_vartime(a);
}

/// The root of a square.
pub struct Sqrt;

impl<F: BenchField> Operation<F> for Sqrt {
    #[inline(always)]
    fn apply(a: &F, _b: &F) -> F {
        F::sqrt(a)
    }

    fn judge(root: F) -> F {
        F::square(&root) // either root is right
    }
}

/// Adds the rows of field `name`. SIZE is the number of independent elements, small enough for the first-level cache.
/// Rows named `.latency` run a chain in which each operation needs the last result.
pub fn add_rows<F: BenchField>(table: &mut Table, name: &str) {
    table.add(format!("{name}.add"), throughput::<F, Add>);
    table.add(format!("{name}.add.latency"), latency::<F, Add>);
    table.add(format!("{name}.sub"), throughput::<F, Sub>);
    table.add(format!("{name}.sub.latency"), latency::<F, Sub>);
    table.add(format!("{name}.mul"), throughput::<F, Mul>);
    table.add(format!("{name}.mul.lanes"), throughput::<F, Mul>); // ours replaces it where it has lanes
    table.add(format!("{name}.mul.latency"), latency::<F, Mul>);
    table.add(format!("{name}.square"), throughput::<F, Square>);
    table.add(format!("{name}.square.latency"), latency::<F, Square>);
    table.add(format!("{name}.neg"), throughput::<F, Neg>);
    table.add(format!("{name}.invert"), throughput::<F, Invert>);
    table.add(
        format!("{name}.invert_vartime"),
        throughput::<F, InvertVartime>,
    );
    table.add(format!("{name}.sqrt"), |n| {
        let squares = draw::<F>(STREAM_A, n).iter().map(F::square).collect();
        throughput_on::<F, Sqrt>(n, squares)
    });
    table.add(format!("{name}.invert.array"), batch_invert::<F>);
}

/// `n` independent operations on arrays.
pub fn throughput<F: BenchField, O: Operation<F>>(n: usize) -> Row {
    throughput_on::<F, O>(n, draw(STREAM_A, n))
}

/// The same with given first operands. Each pass pairs the elements anew, so that no branch predictor learns them.
fn throughput_on<F: BenchField, O: Operation<F>>(n: usize, a: Vec<F>) -> Row {
    let b = draw::<F>(STREAM_B, n);
    let (a_again, b_again) = (a.clone(), b.clone());
    let (twice, mut shift) = ([&b[..], &b[..]].concat(), 0);
    let mut out = vec![F::zero(); n];
    Row::new(n, move || {
        let (a, b) = (black_box(&a[..]), black_box(&twice[shift..shift + n]));
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            *out = O::apply(a, b);
        }
        black_box(&mut out);
        shift = (shift + 1) % n;
    })
    .with_check(move || {
        let results = a_again.iter().zip(&b_again);
        let results = results.map(|(a, b)| O::judge(O::apply(a, b)));
        results
            .fold(F::zero(), |sum, result| F::add(&sum, &result))
            .to_hex()
    })
}

/// A chain of `n` operations x ← x ∘ a[i], carried on from run to run.
fn latency<F: BenchField, O: Operation<F>>(n: usize) -> Row {
    let (start, a) = (draw::<F>(STREAM_B, 1)[0], draw::<F>(STREAM_A, n));
    let a_again = a.clone();
    let mut carried = start;
    Row::new(n, move || {
        let mut x = carried;
        for a in black_box(&a[..]) {
            x = O::apply(&x, a);
        }
        carried = x;
    })
    .with_check(move || a_again.iter().fold(start, |x, a| O::apply(&x, a)).to_hex())
}

/// `n` inverses at once. The values go back and forth between themselves and their inverses.
fn batch_invert<F: BenchField>(n: usize) -> Row {
    let mut values = draw::<F>(STREAM_A, n);
    Row::new(n, move || F::batch_invert(black_box(&mut values))).with_check(move || {
        let mut values = draw::<F>(STREAM_A, n);
        F::batch_invert(&mut values);
        values
            .iter()
            .fold(F::zero(), |sum, value| F::add(&sum, value))
            .to_hex()
    })
}
