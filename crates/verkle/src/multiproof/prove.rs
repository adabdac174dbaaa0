//! The prover's side.

use super::aggregate::add_combination;
use super::openings::Normalized;
use super::{Opening, evaluation_point, inverse_distances, openings};
use crate::polynomial::add_quotient;
use crate::{Committer, DOMAIN, Error, Multiproof, Transcript, Values, ipa};
use core::ops::Range;
use frumious_curves::bandersnatch::Fr;

/// Openings that one task sums at most.
const TASK: usize = 512;

/// Groups of openings that one task divides at most.
const GROUPS: usize = 32;

/// A prover with buffers that are reused from proof to proof.
#[derive(Debug)]
pub struct Prover<'a> {
    committer: &'a Committer,
    commitments: Vec<Normalized>,
    powers: Vec<Fr>,
    order: Vec<Entry>,
    terms: Vec<Term>,
    tasks: Vec<Task>,
    sums: Vec<Values>,
    partial: Vec<Values>,
    scratch: Vec<Fr>,
}

/// An opening by what is summed together: the point, then the polynomial's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    point: u8,
    address: usize,
    index: usize,
}

/// A polynomial, by an opening of it, and the sum of the powers of `r` that its openings at one point have.
#[derive(Clone, Copy, Debug)]
struct Term {
    index: usize,
    weight: Fr,
}

/// Terms of one point, summed at once.
#[derive(Clone, Debug)]
struct Task {
    point: u8,
    terms: Range<usize>,
}

impl<'a> Prover<'a> {
    /// A prover that commits with `committer`.
    pub fn new(committer: &'a Committer) -> Self {
        Self {
            committer,
            commitments: Vec::new(),
            powers: Vec::new(),
            order: Vec::new(),
            terms: Vec::new(),
            tasks: Vec::new(),
            sums: Vec::new(),
            partial: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Proves all openings. Their order matters, repetitions are allowed; the bytes do not depend on the number of threads.
    ///
    /// Time: about 256 products an opening whose polynomial is dense, in parallel, and 18 commitments.
    ///
    /// Errors: no openings.
    pub fn prove(
        &mut self,
        transcript: &mut Transcript,
        openings: &[Opening<'_>],
    ) -> Result<Multiproof, Error> {
        if openings.is_empty() {
            return Err(Error::NoOpenings);
        }
        openings::normalize(&mut self.commitments, openings.len(), |i| {
            openings[i].commitment
        });
        let r = openings::append(transcript, &self.commitments, |i| {
            openings[i].claim().evaluation()
        });
        openings::powers(&mut self.powers, openings.len(), &r);

        self.group(openings);
        self.sum_groups(openings);
        let g = self.quotients();
        let d = self.committer.commit_values(&g).to_affine();
        let t = evaluation_point(transcript, &d.to_bytes());
        let inverses = inverse_distances(&t, &mut self.scratch);
        let h = self.evaluated(&inverses);
        let e = self.committer.commit_values(&h);
        transcript.append_element(b"E", &e);

        let difference: Values = core::array::from_fn(|j| h[j] - g[j]);
        let commitment = e + -d;
        let ipa = ipa::prove(self.committer, transcript, &commitment, &difference, &t);
        Ok(Multiproof { d, ipa })
    }

    /// Merges openings of the same polynomial at the same point, and cuts the rest into tasks of one point each.
    fn group(&mut self, openings: &[Opening<'_>]) {
        self.order.clear();
        self.order
            .extend(openings.iter().enumerate().map(|(index, opening)| Entry {
                point: opening.point,
                address: core::ptr::from_ref(opening.polynomial).addr(),
                index,
            }));
        self.order.sort_unstable();
        self.terms.clear();
        self.tasks.clear();
        let same_polynomial = |a: &Entry, b: &Entry| (a.point, a.address) == (b.point, b.address);
        for run in self.order.chunk_by(same_polynomial) {
            let next = self.terms.len();
            self.terms.push(Term {
                index: run[0].index,
                weight: run
                    .iter()
                    .fold(Fr::ZERO, |sum, e| sum + self.powers[e.index]),
            });
            match self.tasks.last_mut() {
                Some(task) if task.point == run[0].point && task.terms.len() < TASK => {
                    task.terms.end += 1;
                }
                _ => self.tasks.push(Task {
                    point: run[0].point,
                    terms: next..next + 1,
                }),
            }
        }
    }

    /// `F_z` for each point `z` that occurs: one task for each, and its sum.
    fn sum_groups(&mut self, openings: &[Opening<'_>]) {
        let (tasks, terms) = (&self.tasks, &self.terms);
        reset(&mut self.sums, tasks.len());
        frumious_parallel::for_each_chunk_mut(&mut self.sums, 1, |i, sum| {
            let terms = &terms[tasks[i].terms.clone()];
            add_combination(&mut sum[0], terms.len(), |k| {
                (openings[terms[k].index].polynomial, &terms[k].weight)
            });
        });
        let mut groups = 0;
        for i in 0..self.tasks.len() {
            if groups > 0 && self.tasks[groups - 1].point == self.tasks[i].point {
                let (sums, parts) = self.sums.split_at_mut(i);
                add(&mut sums[groups - 1], &parts[0]);
            } else {
                self.tasks.swap(groups, i);
                self.sums.swap(groups, i);
                groups += 1;
            }
        }
        self.tasks.truncate(groups);
        self.sums.truncate(groups);
    }

    /// `g = Σ (F_z - F_z(z))/(X - z)`.
    fn quotients(&mut self) -> Values {
        self.sum_over_groups(|sum, tasks, sums| {
            for (task, values) in tasks.iter().zip(sums) {
                add_quotient(sum, values, task.point);
            }
        })
    }

    /// `h = Σ F_z/(t - z)`.
    fn evaluated(&mut self, inverses: &Values) -> Values {
        self.sum_over_groups(|sum, tasks, sums| {
            add_combination(sum, sums.len(), |k| {
                (&sums[k], &inverses[usize::from(tasks[k].point)])
            });
        })
    }

    /// The sum of what `add` adds for each run of groups, the runs possibly at once.
    fn sum_over_groups(
        &mut self,
        add_run: impl Fn(&mut Values, &[Task], &[Values]) + Send + Sync,
    ) -> Values {
        let (tasks, sums) = (&self.tasks, &self.sums);
        reset(&mut self.partial, sums.len().div_ceil(GROUPS));
        frumious_parallel::for_each_chunk_mut(&mut self.partial, 1, |i, partial| {
            let run = GROUPS * i..sums.len().min(GROUPS * (i + 1));
            add_run(&mut partial[0], &tasks[run.clone()], &sums[run]);
        });
        let mut total = [Fr::ZERO; DOMAIN];
        for partial in &self.partial {
            add(&mut total, partial);
        }
        total
    }
}

/// `count` polynomials that are zero.
fn reset(polynomials: &mut Vec<Values>, count: usize) {
    polynomials.clear();
    polynomials.resize(count, [Fr::ZERO; DOMAIN]);
}

fn add(sum: &mut Values, summand: &Values) {
    for (sum, summand) in sum.iter_mut().zip(summand) {
        *sum += *summand;
    }
}
