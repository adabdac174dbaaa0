//! The ratio of two times that were measured in turns.

/// The ratio of a candidate's time to another's: below one if the candidate is faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The median over the turns.
    pub median: f64,
    /// With a confidence of 95% or more the true median is not below this one.
    pub low: f64,
    /// Nor above this one.
    pub high: f64,
    /// Turns in which both were measured.
    pub turns: usize,
}

impl Ratio {
    /// The ratio of what is compared with itself.
    pub const ONE: Self = Self {
        median: 1.0,
        low: 1.0,
        high: 1.0,
        turns: 0,
    };

    /// From times of the same turns, in order. `None` without turns.
    ///
    /// The interval is that of order statistics, which asks for no distribution of the times. A turn's ratio is above
    /// the median as likely as below it. With fewer than [`LEAST_TURNS`] turns no interval has 95%: it is unbounded.
    /// Source: Conover, Practical Nonparametric Statistics, section 3.2.
    pub fn of(candidate: &[f64], base: &[f64]) -> Option<Self> {
        let mut ratios: Vec<f64> = candidate.iter().zip(base).map(|(c, b)| c / b).collect();
        ratios.sort_by(f64::total_cmp);
        let n = ratios.len();
        let middle = ratios.get(n / 2)?;
        let median = match n % 2 {
            1 => *middle,
            _ => (middle + ratios[n / 2 - 1]) / 2.0,
        };
        let (low, high) = match left_out(n) {
            Some(k) => (ratios[k], ratios[n - 1 - k]),
            None => (0.0, f64::INFINITY),
        };
        Some(Self {
            median,
            low,
            high,
            turns: n,
        })
    }

    /// True if the candidate is faster with a confidence of 97.5%.
    pub fn is_faster(&self) -> bool {
        self.high < 1.0
    }
}

/// Ratios on either side that are outside of the interval: `P(B(n, ½) ≤ k) ≤ 2.5%` for the largest number of them.
fn left_out(n: usize) -> Option<usize> {
    let mut probability = 0.5_f64.powi(i32::try_from(n).ok()?);
    let mut below = probability;
    let mut largest = None;
    for k in 0..n / 2 {
        if below > 0.025 {
            break;
        }
        largest = Some(k);
        probability *= (n - k) as f64 / (k + 1) as f64;
        below += probability;
    }
    largest
}

/// The fewest turns whose interval is bounded.
pub const LEAST_TURNS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of the sign test have these bounds.
    #[test]
    fn the_interval_is_that_of_the_tables() {
        let expected = [
            (5, None),
            (6, Some(0)),
            (8, Some(0)),
            (9, Some(1)),
            (12, Some(2)),
            (15, Some(3)),
            (20, Some(5)),
            (25, Some(7)),
        ];
        for (n, outside) in expected {
            assert_eq!(left_out(n), outside, "{n} turns");
        }
        assert_eq!(left_out(LEAST_TURNS), Some(0));
        assert_eq!(left_out(LEAST_TURNS - 1), None);
    }

    #[test]
    fn ratios_are_of_the_same_turn() {
        // The machine becomes twice as slow in the middle: both times do.
        let base = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
        let candidate = base.map(|time| 0.9 * time);
        let ratio = Ratio::of(&candidate, &base).expect("there are turns");
        assert!((ratio.median - 0.9).abs() < 1e-12 && ratio.is_faster());
        assert_eq!(ratio.turns, 6);
    }

    #[test]
    fn few_turns_and_equal_times_prove_nothing() {
        assert!(Ratio::of(&[], &[]).is_none());
        let five = Ratio::of(&[0.5; 5], &[1.0; 5]).expect("there are turns");
        assert!(!five.is_faster());
        let equal = Ratio::of(&[1.0; 20], &[1.0; 20]).expect("there are turns");
        assert!(!equal.is_faster());
        assert_eq!((equal.low, equal.high), (1.0, 1.0));
        let one_outlier = [0.9, 0.9, 0.9, 0.9, 0.9, 1.5];
        let six = Ratio::of(&one_outlier, &[1.0; 6]).expect("there are turns");
        assert!(!six.is_faster() && six.median < 1.0);
    }
}
