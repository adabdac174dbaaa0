//! The part of the work that is done, by the shares of the time that its phases are expected to take.

use std::time::Duration;

/// The shares of phases.
pub struct Shares {
    /// Each name with the sum of the shares before it, and its own.
    phases: Vec<(&'static str, f64, f64)>,
    /// Number of phases where nothing is known of them.
    steps: usize,
    total: f64,
}

impl Shares {
    /// Of phases in this order.
    pub fn new(shares: &[(&'static str, f64)]) -> Self {
        let mut total = 0.0;
        let mut phases = Vec::new();
        for (name, share) in shares {
            phases.push((*name, total, *share));
            total += share;
        }
        // Sums that are taken at once, in place of one after the other.
        let of = |wanted: &dyn Fn(&str) -> bool| {
            let each = phases.iter().filter(|(name, ..)| wanted(name));
            let (_, first, _) = each.clone().next().copied()?;
            Some((first, each.map(|(.., share)| share).sum()))
        };
        let all = of(&|name| name.starts_with("sum "));
        let two = of(&|name| matches!(name, "sum H" | "sum C"));
        for (name, sums) in [("sums", all), ("sum H+C", two)] {
            phases.extend(sums.map(|(first, share)| (name, first, share)));
        }
        Self {
            phases,
            steps: 0,
            total,
        }
    }

    /// Of phases whose names are not known, each as long as the others.
    pub fn equal(steps: usize) -> Self {
        Self {
            phases: Vec::new(),
            steps,
            total: 0.0,
        }
    }

    /// The part of everything that is done, from 0 to 1, when `within` of a phase is, and `before` phases came before
    /// it.
    pub fn done(&self, name: &str, before: usize, within: f64) -> f64 {
        let known = self.phases.iter().find(|(other, ..)| *other == name);
        let done = match known {
            Some((_, sum, share)) if self.total > 0.0 => (sum + within * share) / self.total,
            _ if self.steps > 0 => (before as f64 + within) / self.steps as f64,
            _ => 0.0,
        };
        done.clamp(0.0, 1.0)
    }

    /// The time left; none if too little is done to tell, or nothing is known of the phases.
    pub fn left(&self, done: f64, elapsed: Duration) -> Option<Duration> {
        let is_known = self.total > 0.0 && elapsed >= SOON && (0.02..1.0).contains(&done);
        is_known.then(|| elapsed.mul_f64((1.0 - done) / done))
    }
}

/// The time by which what is over needs no estimate.
const SOON: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_the_shares() {
        let shares = Shares::new(&[("a", 1.0), ("b", 3.0), ("c", 4.0)]);
        let ten = Duration::from_secs(10);
        let left = |name, within| shares.left(shares.done(name, 0, within), ten);
        assert_eq!(left("b", 1.0), Some(ten));
        assert_eq!(left("a", 0.5), Some(15 * ten));
        assert_eq!(left("c", 1.0), None);
        assert_eq!(left("a", 0.01), None);
        assert_eq!(left("other", 0.5), None);
        assert_eq!(shares.left(0.5, Duration::from_secs(1)), None);
    }

    #[test]
    fn sums_side_by_side_have_the_share_of_all() {
        let (h, c, a) = (("sum H", 2.0), ("sum C", 1.0), ("sum A", 3.0));
        let shares = Shares::new(&[("rows", 1.0), h, c, a, ("end", 1.0)]);
        assert_eq!(shares.done("sums", 1, 0.0), 0.125);
        assert_eq!(shares.done("sums", 1, 0.5), 0.5);
        assert_eq!(shares.done("sums", 1, 1.0), shares.done("end", 2, 0.0));
        assert_eq!(shares.done("sum H+C", 1, 0.0), 0.125);
        assert_eq!(shares.done("sum H+C", 1, 1.0), shares.done("sum A", 2, 0.0));
    }

    #[test]
    fn phases_of_which_nothing_is_known_are_counted() {
        let shares = Shares::equal(4);
        assert_eq!(shares.done("any", 1, 0.5), 0.375);
        assert_eq!(shares.done("any", 9, 0.0), 1.0);
        assert_eq!(shares.left(0.5, Duration::from_secs(10)), None);
        assert_eq!(Shares::equal(0).done("any", 0, 1.0), 0.0);
    }
}
