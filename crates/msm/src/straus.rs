//! Straus' method, for so few points that buckets would stay empty.
//!
//! Each point has a table of its multiples up to the largest digit, and all scalars share one chain of doublings.
//! Source: Straus 1964, "Addition chains of vectors" (problem 5125).

use crate::census::Census;
use crate::recode::{Windows, covered_bits};
use crate::{MsmPoint, Points};

/// Up to this many pairs this method is at least as fast as buckets (measured in G1 and G2).
pub(crate) const LIMIT: usize = 12;

/// `Σ scalars[i]·points[i]` over the pairs in `census`, the identity if there are none.
pub(crate) fn msm_vartime<A: MsmPoint, P: Points<A> + ?Sized>(
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
) -> A::Projective {
    let bits = covered_bits(&A::ORDER, census.longest());
    let count = (bits / WIDTH).max(1) as usize;
    let windows = Windows::new(&A::ORDER, bits, count);
    let pairs: Vec<(usize, Vec<A::Projective>)> = census
        .indices(0..census.chunks(), 1)
        .map(|index| {
            (
                index,
                multiples(&points.get(index), windows.all()[0].buckets()),
            )
        })
        .collect();
    let mut result = A::IDENTITY;
    for (index, window) in windows.all().iter().enumerate().rev() {
        for _ in 0..window.width {
            result = A::double(&result);
        }
        for (pair, table) in &pairs {
            windows.for_each_digit(&scalars[*pair], index..index + 1, |_, digit| {
                let multiple = table[digit.unsigned_abs() as usize - 1];
                result += if digit < 0 { -multiple } else { multiple };
            });
        }
    }
    result
}

/// `[P, 2P, …, count·P]`.
fn multiples<A: MsmPoint>(point: &A, count: usize) -> Vec<A::Projective> {
    let first = A::Projective::from(*point);
    core::iter::successors(Some(first), |last| Some(point.add_to(last)))
        .take(count)
        .collect()
}

/// Least width of a window: a table of `2^(WIDTH-1)` additions and `254/WIDTH` more are fewest at 4 and 5.
const WIDTH: u32 = 5;
