//! A sum in steps, for [`together`](crate::together): what [`pippenger`](crate::pippenger) does in one go.

use std::sync::{Mutex, PoisonError};

use crate::buckets::Scalar;
use crate::census::Census;
use crate::kernel::Portable;
use crate::lanes::{self, InLanes};
use crate::pippenger::{of_terms_vartime, plan, task_vartime};
use crate::plan::{Others, Plan};
use crate::points::Weighed;
use crate::reduce::ShiftedPoint;
use crate::sums::Backend;
use crate::{BucketPoint, straus};

/// A sum in steps, in this order. Between them other sums have theirs.
pub trait Waiting<S>: Send + Sync {
    /// Looks at all pairs; what the sum weighs.
    fn look(&mut self) -> f64;
    /// Plans for so many threads, beside other sums or alone; the cost of each task, in the unit of the weight.
    fn plan(&mut self, threads: usize, others: Others) -> Vec<f64>;
    /// Units of the planned work, as [`advance`](frumious_parallel::advance) counts them.
    fn units(&self) -> u64;
    /// Does a task.
    fn run(&self, task: usize);
    /// The sum, of all tasks' results.
    fn finish(&mut self) -> S;
}

/// The sum over all pairs of the lists, on the backend in use.
pub(crate) fn wait<'a, A: BucketPoint>(
    lists: Vec<Weighed<'a, A>>,
) -> Box<dyn Waiting<A::Sum> + 'a> {
    let are_few = |list: &Weighed<'_, A>| list.points.len() < lanes::MAX_POINTS;
    match frumious_field::lanes::active() {
        Some(cpu) if lists.iter().all(are_few) => Steps::begin(InLanes(cpu), lists),
        _ => Steps::begin(Scalar::<Portable<A>>::NEW, lists),
    }
}

struct Steps<'a, A: BucketPoint, B> {
    backend: B,
    lists: Vec<Weighed<'a, A>>,
    census: Census,
    method: Method,
    parts: Mutex<Parts<A>>,
}

/// The way in which the sum is taken.
enum Method {
    /// By buckets, in the tasks of a plan.
    Buckets(Box<Plan>),
    /// By Straus' method, in one task, or in none if no pair matters.
    Straus,
}

/// Results of tasks, in any order.
struct Parts<A: BucketPoint> {
    terms: Vec<ShiftedPoint<A>>,
    sum: A::Sum,
}

impl<'a, A: BucketPoint, B: Backend<A> + 'a> Steps<'a, A, B> {
    fn begin(backend: B, lists: Vec<Weighed<'a, A>>) -> Box<dyn Waiting<A::Sum> + 'a> {
        Box::new(Self {
            backend,
            lists,
            census: Census::empty(),
            method: Method::Straus,
            parts: Mutex::new(Parts {
                terms: Vec::new(),
                sum: A::NEUTRAL,
            }),
        })
    }
}

impl<A: BucketPoint, B: Backend<A>> Waiting<A::Sum> for Steps<'_, A, B> {
    fn look(&mut self) -> f64 {
        self.census = Census::take(&self.lists);
        let windows = (1..=self.census.longest()).step_by(USUAL_WIDTH);
        let entries = windows.map(|bits| self.census.at_least(bits));
        entries.sum::<usize>() as f64 * A::WEIGHT
    }

    fn plan(&mut self, threads: usize, others: Others) -> Vec<f64> {
        if straus::is_better(self.census.total(), B::SIZES.straus, threads) {
            self.method = Method::Straus;
            let pairs = self.census.total() as f64;
            return Vec::from_iter((pairs > 0.0).then_some(pairs * A::WEIGHT));
        }
        let (slot, costs) = (B::SIZES.slot_bytes, &B::COSTS);
        let plan = plan::<A, B>(&self.census, threads, others);
        let cost = |task| A::WEIGHT * plan.cost_of(task, &self.census, slot, costs);
        let costs = plan.tasks.iter().map(cost).collect();
        self.method = Method::Buckets(Box::new(plan));
        costs
    }

    fn units(&self) -> u64 {
        match &self.method {
            Method::Buckets(plan) => plan.units(&self.census),
            Method::Straus => 0,
        }
    }

    fn run(&self, task: usize) {
        let Self {
            backend,
            lists,
            census,
            ..
        } = self;
        match &self.method {
            Method::Buckets(plan) => {
                let task = &plan.tasks[task];
                let terms = task_vartime(*backend, lists, census, plan, task);
                self.lock().terms.extend(terms);
            }
            Method::Straus => {
                let sum = straus::msm_vartime(*backend, lists, census);
                self.lock().sum += sum;
            }
        }
    }

    fn finish(&mut self) -> A::Sum {
        let mut parts = self.lock();
        of_terms_vartime(std::mem::take(&mut parts.terms)) + parts.sum
    }
}

impl<A: BucketPoint, B> Steps<'_, A, B> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Parts<A>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A width of windows, for the weight alone.
const USUAL_WIDTH: usize = 14;
