//! The search: one parameter after another, each value raced against the best so far.
//!
//! A race measures all its members in turns, so that a machine that becomes slower does so for all. The usual values
//! are a member of every race: each candidate has a ratio to them from the same turns. A candidate becomes the best so
//! far if it is faster with confidence, and by [`LEAST_GAIN`]. In the end the best meets the usual values once more, in
//! fresh turns. To be picked as the fastest of many is no proof of speed. If it is not faster then, the usual values
//! stay.

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
    /// No race begins that would end later. The last one, of the best with the usual values, always takes place.
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
    /// Seconds with the usual values: the median of the last race.
    pub usual_seconds: f64,
    /// Everything measured, the fastest first; the usual values are among it.
    pub measured: Vec<Measured>,
    /// Measurements that were made, those to warm up included.
    pub measurements: usize,
    /// False if the time was too short for all parameters.
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
    let mut races = Races::new(plan, measure);
    let mut best = Values::usual();
    let mut is_complete = true;
    for _ in 0..PASSES {
        let before = best.clone();
        for parameter in &plan.parameters {
            let value = best.of(parameter);
            let near = parameter.near(value, plan.steps);
            let rivals = near.iter().filter(|near| **near != value);
            let rivals: Vec<Values> = rivals.map(|near| best.with(parameter, *near)).collect();
            let new = rivals
                .into_iter()
                .filter(|rival| !races.has_met(rival, &best));
            let new: Vec<Values> = new.collect();
            if new.is_empty() {
                continue;
            }
            if !races.has_time_for(new.len() + 2) {
                is_complete = false;
                break;
            }
            if let Some(winner) = races.run(&best, &new)? {
                best = winner;
            }
        }
        if best == before || !is_complete {
            break;
        }
    }
    races.end(best, is_complete)
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
    let mut races = Races::new(plan, measure);
    let mut is_complete = true;
    for members in combinations.chunks(MEMBERS) {
        if !races.has_time_for(members.len() + 1) {
            is_complete = false;
            break;
        }
        races.run(&Values::usual(), members)?;
    }
    let fastest = races.measured.iter().min_by(|left, right| {
        let key = |measured: &Measured| measured.ratio.median;
        key(left).total_cmp(&key(right))
    });
    let best = match fastest {
        Some(fastest) if fastest.ratio.median < 1.0 => fastest.values.clone(),
        _ => Values::usual(),
    };
    races.end(best, is_complete)
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
    /// Longest measurement so far of values that a race was against, in seconds of the clock. Rivals that take much
    /// longer leave a race early: one thread beside two would have each later race expected to take twice its time.
    longest: f64,
}

impl<'a, E> Races<'a, E> {
    fn new(plan: &'a Plan, measure: &'a mut dyn FnMut(&Values) -> Result<f64, E>) -> Self {
        Self {
            plan,
            measure,
            begin: Instant::now(),
            measured: Vec::new(),
            met: Vec::new(),
            measurements: 0,
            longest: 0.0,
        }
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

    /// True if a race of so many members ends within the budget, and the last one after it.
    fn has_time_for(&self, members: usize) -> bool {
        let last = 2 * (2 * self.turns() + 1);
        let proofs = members * (self.turns() + 1) + last;
        let needed = self.longest * proofs as f64;
        self.begin.elapsed().as_secs_f64() + needed <= self.plan.budget.as_secs_f64()
    }

    /// Races `rivals` against `best`. The rival that is faster than it, with confidence, by most.
    fn run(&mut self, best: &Values, rivals: &[Values]) -> Result<Option<Values>, E> {
        let mut members = vec![Values::usual()];
        if *best != Values::usual() {
            members.push(best.clone());
        }
        let base = members.len() - 1;
        members.extend_from_slice(rivals);
        let times = self.times(&members, base, self.turns())?;
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
    /// in each of the first turns leaves.
    fn times(&mut self, members: &[Values], base: usize, turns: usize) -> Result<Vec<Vec<f64>>, E> {
        let mut times = vec![Vec::new(); members.len()];
        for turn in 0..=turns {
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
                let start = Instant::now();
                let time = (self.measure)(&members[member])?;
                if member <= base {
                    self.longest = self.longest.max(start.elapsed().as_secs_f64());
                }
                self.measurements += 1;
                if turn > 0 {
                    times[member].push(time);
                }
            }
        }
        Ok(times)
    }

    /// The last race, of `best` with the usual values.
    fn end(mut self, best: Values, is_complete: bool) -> Result<Outcome, E> {
        let usual = Values::usual();
        let turns = 2 * self.turns();
        let members = [usual.clone(), best.clone()];
        let members = if best == usual {
            &members[..1]
        } else {
            &members[..]
        };
        let times = self.times(members, members.len() - 1, turns)?;
        let confirmed = match times.get(1) {
            Some(own) => Ratio::of(own, &times[0]).unwrap_or(Ratio::ONE),
            None => Ratio::ONE,
        };
        let mut seconds = times[0].clone();
        seconds.sort_by(f64::total_cmp);
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
            usual_seconds: seconds[seconds.len() / 2],
            measured: self.measured,
            measurements: self.measurements,
            is_complete,
        })
    }
}

/// Times that all parameters are gone through, the second and later ones only if something changed.
const PASSES: usize = 3;

/// Turns after which a member that was slower in each of them leaves.
const FIRST_TURNS: usize = 3;

/// Members of a race of the grid, besides the usual values.
const MEMBERS: usize = 8;

/// A gain below that is not worth a line in a file.
const LEAST_GAIN: f64 = 0.005;
