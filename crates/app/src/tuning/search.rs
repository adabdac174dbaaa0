//! The search: one parameter after another, each value raced against the best so far.
//!
//! A race measures all its members in turns, so that a machine that becomes slower does so for all. The usual values
//! are a member of every race: each candidate has a ratio to them from the same turns. A candidate becomes the best so
//! far if it is faster with confidence, and by [`LEAST_GAIN`]. In the end the best meets the usual values once more, in
//! fresh turns. To be picked as the fastest of many is no proof of speed. If it is not faster then, the usual values
//! stay.
//!
//! The time is planned by a proof of median length: by some with the usual values first, then by all that a race was
//! against. A race that has no time for all rivals has the nearest ones, or does not begin. One that takes longer than
//! planned ends early.

use super::statistics::{LEAST_TURNS, Ratio};
use super::{Parameter, Values};
use std::time::{Duration, Instant};

/// The extent of a search.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The parameters to vary, in this order.
    pub parameters: Vec<Parameter>,
    /// Values to try on either side of the best so far.
    pub steps: u32,
    /// Turns of a race; at least [`LEAST_TURNS`] are taken.
    pub turns: usize,
    /// The time of all measurements. One is always made. If values seem faster, so is the last race, with
    /// [`LEAST_TURNS`] turns.
    pub budget: Duration,
}

/// Values, and their time in the ratio to that of the usual ones.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The values.
    pub values: Values,
    /// From turns in which both were measured.
    pub ratio: Ratio,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The fastest values with confidence, or the usual ones.
    pub best: Values,
    /// The ratio of the best to the usual values, in turns of their own.
    pub confirmed: Ratio,
    /// Seconds with the usual values: the median of the last race, or of the first measurements.
    pub usual_seconds: f64,
    /// Everything measured, the fastest first; the usual values are among it.
    pub measured: Vec<Measured>,
    /// Measurements that were made, those to warm up included.
    pub measurements: usize,
    /// False if the time was too short for all parameters and their values.
    pub is_complete: bool,
}

/// Looks for the fastest values. `measure` tells the seconds that values take; its first error ends the search.
///
/// # Errors
/// Those of `measure`.
pub fn search<E>(
    plan: &Plan,
    measure: &mut dyn FnMut(&Values) -> Result<f64, E>,
) -> Result<Outcome, E> {
    let mut races = Races::begin(plan, measure)?;
    let mut best = Values::usual();
    for _ in 0..PASSES {
        let before = best.clone();
        for parameter in &plan.parameters {
            let mut rivals = rivals(parameter, &best, plan.steps);
            rivals.retain(|(_, rival)| !races.has_met(rival, &best));
            if rivals.is_empty() {
                continue;
            }
            let room = races.room_beside(&best);
            if room < rivals.len() {
                races.is_complete = false;
                rivals.sort_by_key(|(steps, _)| *steps);
                rivals.truncate(room);
            }
            let rivals: Vec<Values> = rivals.into_iter().map(|(_, rival)| rival).collect();
            if let Some(winner) = races.run(&best, &rivals)? {
                best = winner;
            }
        }
        if best == before || !races.is_complete {
            break;
        }
    }
    races.end(best)
}

/// The values near the best so far, but for one parameter the same; each with the number of steps to it.
fn rivals(parameter: &Parameter, best: &Values, steps: u32) -> Vec<(usize, Values)> {
    let value = best.of(parameter);
    let near = parameter.near(value, steps);
    let own = near.iter().position(|near| *near == value).unwrap_or(0);
    let rivals = near.iter().enumerate().filter(|(_, near)| **near != value);
    rivals
        .map(|(place, near)| (place.abs_diff(own), best.with(parameter, *near)))
        .collect()
}

/// Measures all combinations of values near the usual ones: for a few parameters at most.
///
/// # Errors
/// Those of `measure`.
pub fn grid<E>(
    plan: &Plan,
    measure: &mut dyn FnMut(&Values) -> Result<f64, E>,
) -> Result<Outcome, E> {
    let mut combinations = vec![Values::usual()];
    for parameter in &plan.parameters {
        let near = parameter.near(parameter.usual(), plan.steps);
        let with_each = |values: &Values| -> Vec<Values> {
            near.iter()
                .map(|value| values.with(parameter, *value))
                .collect()
        };
        combinations = combinations.iter().flat_map(with_each).collect();
    }
    combinations.retain(|values| *values != Values::usual());
    let mut races = Races::begin(plan, measure)?;
    for members in combinations.chunks(MEMBERS) {
        let room = races.room_beside(&Values::usual()).min(members.len());
        races.is_complete &= room == members.len();
        races.run(&Values::usual(), &members[..room])?;
    }
    let fastest = races.measured.iter().min_by(|left, right| {
        let key = |measured: &Measured| measured.ratio.median;
        key(left).total_cmp(&key(right))
    });
    let best = match fastest {
        Some(fastest) if fastest.ratio.median < 1.0 => fastest.values.clone(),
        _ => Values::usual(),
    };
    races.end(best)
}

/// The record of all races.
struct Races<'a, E> {
    plan: &'a Plan,
    measure: &'a mut dyn FnMut(&Values) -> Result<f64, E>,
    begin: Instant,
    measured: Vec<Measured>,
    /// Pairs of values that were in one race: the best of that time, and a rival.
    met: Vec<(Values, Values)>,
    measurements: usize,
    /// Times of the usual values before the first race.
    first: Vec<f64>,
    /// Measurements of values that a race was against, in seconds of the clock. Rivals that take much longer leave a
    /// race early: one thread beside two would have each later race expected to take twice its time.
    lengths: Vec<f64>,
    is_complete: bool,
}

impl<'a, E> Races<'a, E> {
    /// Begins with some measurements of the usual values, by which the time is planned.
    fn begin(
        plan: &'a Plan,
        measure: &'a mut dyn FnMut(&Values) -> Result<f64, E>,
    ) -> Result<Self, E> {
        let mut races = Self {
            plan,
            measure,
            begin: Instant::now(),
            measured: Vec::new(),
            met: Vec::new(),
            measurements: 0,
            first: Vec::new(),
            lengths: Vec::new(),
            is_complete: true,
        };
        for _ in 0..FIRST_MEASUREMENTS {
            let time = races.measure(&Values::usual(), true)?;
            races.first.push(time);
            let half = plan.budget.as_secs_f64() / 2.0;
            if races.left() - races.typical() < half {
                break;
            }
        }
        Ok(races)
    }

    /// The time of a proof with these values. If a race is against them, it is one to plan by.
    fn measure(&mut self, values: &Values, is_base: bool) -> Result<f64, E> {
        let start = Instant::now();
        let time = (self.measure)(values)?;
        if is_base {
            self.lengths.push(start.elapsed().as_secs_f64());
        }
        self.measurements += 1;
        Ok(time)
    }

    /// Seconds that a measurement takes: one slow measurement does not count.
    fn typical(&self) -> f64 {
        median(&self.lengths)
    }

    /// Seconds of the budget that are left.
    fn left(&self) -> f64 {
        self.plan.budget.as_secs_f64() - self.begin.elapsed().as_secs_f64()
    }

    fn turns(&self) -> usize {
        self.plan.turns.max(LEAST_TURNS)
    }

    fn has_met(&self, rival: &Values, best: &Values) -> bool {
        let pairs = [(best, rival), (rival, best)];
        self.met
            .iter()
            .any(|(left, right)| pairs.contains(&(left, right)))
    }

    /// The number of rivals that a race against `best` has time for, and the last race after it.
    fn room_beside(&self, best: &Values) -> usize {
        let last = 2 * (2 * self.turns() + 1);
        let proofs = (self.left() / self.typical()) as usize; // at least 0, and at most all that there can be
        let members = proofs.saturating_sub(last) / (self.turns() + 1);
        members.saturating_sub(1 + usize::from(*best != Values::usual()))
    }

    /// True if only the shortest last race has time.
    fn is_over(&self) -> bool {
        self.left() < self.typical() * (2 * (LEAST_TURNS + 1)) as f64
    }

    /// Races `rivals` against `best`. The rival that is faster than it, with confidence, by most.
    fn run(&mut self, best: &Values, rivals: &[Values]) -> Result<Option<Values>, E> {
        if rivals.is_empty() {
            return Ok(None);
        }
        let mut members = vec![Values::usual()];
        if *best != Values::usual() {
            members.push(best.clone());
        }
        let base = members.len() - 1;
        members.extend_from_slice(rivals);
        let times = self.times(&members, base, self.turns(), Self::is_over)?;
        self.is_complete &= times[base].len() == self.turns();
        let mut winner: Option<(f64, &Values)> = None;
        for (member, own) in members.iter().zip(&times).skip(1) {
            if let Some(ratio) = Ratio::of(own, &times[0]) {
                let values = member.clone();
                self.measured.push(Measured { values, ratio });
            }
        }
        for (rival, own) in rivals.iter().zip(&times[base + 1..]) {
            self.met.push((best.clone(), rival.clone()));
            let ratio = Ratio::of(own, &times[base]);
            if let Some(ratio) = ratio.filter(|ratio| ratio.is_faster())
                && ratio.median < 1.0 - LEAST_GAIN
                && winner.is_none_or(|(least, _)| ratio.median < least)
            {
                winner = Some((ratio.median, rival));
            }
        }
        Ok(winner.map(|(_, values)| values.clone()))
    }

    /// The times of all members, turn by turn, after a turn that does not count. A member that was slower than `base`
    /// in each of the first turns leaves. There are fewer turns if it is over before.
    fn times(
        &mut self,
        members: &[Values],
        base: usize,
        turns: usize,
        is_over: impl Fn(&Self) -> bool,
    ) -> Result<Vec<Vec<f64>>, E> {
        let mut times = vec![Vec::new(); members.len()];
        for turn in 0..=turns {
            if is_over(self) {
                break;
            }
            let is_in = |times: &[Vec<f64>], member: usize| {
                let pairs = times[member].iter().zip(&times[base]);
                let is_slower = pairs.clone().all(|(own, base)| own > base);
                member <= base || pairs.len() < FIRST_TURNS || !is_slower
            };
            let racing: Vec<usize> = (0..members.len())
                .filter(|member| is_in(&times, *member))
                .collect();
            for place in 0..racing.len() {
                // Another one begins each turn.
                let member = racing[(place + turn) % racing.len()];
                let time = self.measure(&members[member], member <= base)?;
                if turn > 0 {
                    times[member].push(time);
                }
            }
        }
        Ok(times)
    }

    /// The last race, of `best` with the usual values: in fewer turns if there is no time for all.
    fn end(mut self, best: Values) -> Result<Outcome, E> {
        let usual = Values::usual();
        let members = [usual.clone(), best.clone()];
        // Values that changed nothing are measured once more only if there is time.
        let (members, least) = match best == usual {
            true => (&members[..1], 0),
            false => (&members[..], LEAST_TURNS),
        };
        let turns = (self.left() / self.typical()) as usize / members.len();
        let turns = turns.saturating_sub(1).clamp(least, 2 * self.turns());
        let mut times = match turns {
            0 => vec![Vec::new()],
            _ => self.times(members, members.len() - 1, turns, |_| false)?,
        };
        let confirmed = match times.get(1) {
            Some(own) => Ratio::of(own, &times[0]).unwrap_or(Ratio::ONE),
            None => Ratio::ONE,
        };
        if times[0].is_empty() {
            times[0] = self.first;
        }
        self.measured.push(Measured {
            values: usual.clone(),
            ratio: Ratio::ONE,
        });
        let by_time =
            |left: &Measured, right: &Measured| left.ratio.median.total_cmp(&right.ratio.median);
        // Of values that were in several races the one with most turns counts.
        self.measured.sort_by(|left, right| {
            left.values
                .cmp(&right.values)
                .then(right.ratio.turns.cmp(&left.ratio.turns))
        });
        self.measured
            .dedup_by(|later, first| later.values == first.values);
        self.measured.sort_by(by_time);
        Ok(Outcome {
            best: if confirmed.is_faster() { best } else { usual },
            confirmed,
            usual_seconds: median(&times[0]),
            measured: self.measured,
            measurements: self.measurements,
            is_complete: self.is_complete,
        })
    }
}

/// The one in the middle, or the greater of two; 0 of none.
fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Times that all parameters are gone through, the second and later ones only if something changed.
const PASSES: usize = 3;

/// Measurements before the first race, if they take no more than half of the time. The first may be slower than others.
const FIRST_MEASUREMENTS: usize = 3;

/// Turns after which a member that was slower in each of them leaves.
const FIRST_TURNS: usize = 3;

/// Members of a race of the grid, besides the usual values.
const MEMBERS: usize = 8;

/// A gain below that is not worth a line in a file.
const LEAST_GAIN: f64 = 0.005;
