//! The prover's side.

use super::group::Groups;
use super::openings::Statement;
use super::{Opening, evaluation_point, inverse_distances, openings};
use crate::polynomial::add_quotient;
use crate::{Committer, DOMAIN, Error, Multiproof, Transcript, Values, ipa};
use frumious_curves::bandersnatch::Fr;
use frumious_field::vector;

/// Parts of a commitment, at once where there are threads.
const PARTS: usize = 2;

/// Groups of openings that one task divides.
const RUN: usize = 32;

/// A prover with buffers that are reused from proof to proof.
#[derive(Debug)]
pub struct Prover<'a> {
    committer: &'a Committer,
    statement: Statement,
    powers: Vec<Fr>,
    groups: Groups,
    /// The points that occur, and for each the sum of its group.
    points: Vec<u8>,
    sums: Vec<Values>,
    partial: Vec<Values>,
    scratch: Vec<Fr>,
}

impl<'a> Prover<'a> {
    /// A prover that commits with `committer`.
    pub fn new(committer: &'a Committer) -> Self {
        Self {
            committer,
            statement: Statement::default(),
            powers: Vec::new(),
            groups: Groups::default(),
            points: Vec::new(),
            sums: Vec::new(),
            partial: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Proves all openings. Their order matters, repetitions are allowed; the bytes do not depend on the number of
    /// threads.
    ///
    /// Time: about 256 products an opening whose polynomial is dense, and 18 commitments. Parallel over the pool of the
    /// caller.
    ///
    /// # Errors
    /// No openings.
    pub fn prove(
        &mut self,
        transcript: &mut Transcript,
        openings: &[Opening<'_>],
    ) -> Result<Multiproof, Error> {
        if openings.is_empty() {
            return Err(Error::NoOpenings);
        }
        let prove = || self.prove_some(transcript, openings);
        Ok(frumious_parallel::keep_awake(prove))
    }

    fn prove_some(&mut self, transcript: &mut Transcript, openings: &[Opening<'_>]) -> Multiproof {
        let (statement, count) = (&mut self.statement, openings.len());
        let r = statement.append(transcript, count, |i| openings[i].claim(), |_| {});
        openings::powers(&mut self.powers, openings.len(), &r);
        self.groups.sort(openings);
        self.sum_groups(openings);

        let g = self.quotients();
        let d = self.committer.combine_in_parts(&g, PARTS).to_affine();
        let t = evaluation_point(transcript, &d.to_bytes());
        let inverses = inverse_distances(&t, &mut self.scratch);
        let h = self.evaluated(&inverses);
        let e = self.committer.combine_in_parts(&h, PARTS);
        transcript.append_element(b"E", &e);

        let mut difference = h;
        vector::subtract_assign(&mut difference, &g);
        let commitment = e + -d;
        let ipa = ipa::prove(self.committer, transcript, &commitment, &difference, &t);
        Multiproof { d, ipa }
    }

    /// `F_z` for each point `z` that occurs: the sums of the tasks, and then of those of one point.
    fn sum_groups(&mut self, openings: &[Opening<'_>]) {
        let (groups, powers) = (&self.groups, &self.powers);
        reset(&mut self.sums, groups.tasks().len());
        frumious_parallel::for_each_chunk_mut(&mut self.sums, 1, |i, sum| {
            let task = &groups.tasks()[i];
            let terms = groups.terms(task, openings, powers);
            vector::add_combination_vartime(&mut sum[0], terms, groups.after(task, openings));
        });
        self.points.clear();
        for (i, task) in self.groups.tasks().iter().enumerate() {
            let group = self.points.len();
            if self.points.last() == Some(&task.point) {
                let (groups, parts) = self.sums.split_at_mut(i);
                vector::add_assign(&mut groups[group - 1], &parts[0]);
            } else {
                self.points.push(task.point);
                self.sums.swap(group, i);
            }
        }
        self.sums.truncate(self.points.len());
    }

    /// `g = Σ (F_z - F_z(z))/(X - z)`.
    fn quotients(&mut self) -> Values {
        self.sum_over_groups(|sum, points, sums| {
            for (point, values) in points.iter().zip(sums) {
                add_quotient(sum, values, *point);
            }
        })
    }

    /// `h = Σ F_z/(t - z)`.
    fn evaluated(&mut self, inverses: &Values) -> Values {
        self.sum_over_groups(|sum, points, sums| {
            let weights = points.iter().map(|point| inverses[usize::from(*point)]);
            let rows = sums.iter().map(|values| &values[..]);
            vector::add_combination_vartime(sum, rows.zip(weights), []);
        })
    }

    /// The sum of what `add_run` adds for each run of groups, the runs possibly at once.
    fn sum_over_groups(
        &mut self,
        add_run: impl Fn(&mut Values, &[u8], &[Values]) + Send + Sync,
    ) -> Values {
        let (points, sums) = (&self.points, &self.sums);
        reset(&mut self.partial, sums.len().div_ceil(RUN));
        frumious_parallel::for_each_chunk_mut(&mut self.partial, 1, |i, partial| {
            let run = RUN * i..sums.len().min(RUN * (i + 1));
            add_run(&mut partial[0], &points[run.clone()], &sums[run]);
        });
        let mut total = [Fr::ZERO; DOMAIN];
        for partial in &self.partial {
            vector::add_assign(&mut total, partial);
        }
        total
    }
}

/// `count` polynomials that are zero.
fn reset(polynomials: &mut Vec<Values>, count: usize) {
    polynomials.clear();
    polynomials.resize(count, [Fr::ZERO; DOMAIN]);
}
