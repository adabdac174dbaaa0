//! Openings by point, in tasks of bounded length.

use super::Opening;
use crate::{DOMAIN, Values};
use core::ops::Range;
use frumious_curves::bandersnatch::Fr;

/// Openings that one task sums at most.
const TASK: usize = 512;

/// Openings sorted by point.
#[derive(Debug, Default)]
pub(super) struct Groups {
    order: Vec<usize>,
    tasks: Vec<Task>,
}

/// Some openings of one point.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) point: u8,
    places: Range<usize>,
}

/// Distinct polynomials and their weights: what one task sums.
pub(super) struct Terms<'a> {
    rows: [&'a Values; TASK],
    weights: [Fr; TASK],
    len: usize,
}

impl Groups {
    /// Sorts the openings by point and cuts each group into tasks.
    pub(super) fn sort(&mut self, openings: &[Opening<'_>]) {
        let mut ends = [0; DOMAIN];
        for opening in openings {
            ends[usize::from(opening.point)] += 1;
        }
        self.tasks.clear();
        let mut start = 0;
        for (point, end) in (0..=u8::MAX).zip(&mut ends) {
            *end += start;
            while start < *end {
                let places = start..(*end).min(start + TASK);
                start = places.end;
                self.tasks.push(Task { point, places });
            }
        }
        self.order.clear();
        self.order.resize(openings.len(), 0);
        for (index, opening) in openings.iter().enumerate().rev() {
            let place = &mut ends[usize::from(opening.point)];
            *place -= 1;
            self.order[*place] = index;
        }
    }

    /// The tasks, by point.
    pub(super) fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The polynomials of a task with their openings' powers. The same polynomial, at the same address, occurs once with
    /// the sum of its powers.
    pub(super) fn terms<'a>(
        &self,
        task: &Task,
        openings: &[Opening<'a>],
        powers: &[Fr],
    ) -> Terms<'a> {
        let mut members = [(0, 0); TASK];
        let members = &mut members[..task.places.len()];
        for (member, index) in members.iter_mut().zip(&self.order[task.places.clone()]) {
            *member = (
                core::ptr::from_ref(openings[*index].polynomial).addr(),
                *index,
            );
        }
        members.sort_unstable();
        let mut terms = Terms {
            rows: [&[Fr::ZERO; DOMAIN]; TASK],
            weights: [Fr::ZERO; TASK],
            len: 0,
        };
        for same in members.chunk_by(|a, b| a.0 == b.0) {
            terms.rows[terms.len] = openings[same[0].1].polynomial;
            for (_, index) in same {
                terms.weights[terms.len] += powers[*index];
            }
            terms.len += 1;
        }
        terms
    }
}

impl<'a> Terms<'a> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, i: usize) -> (&Values, &Fr) {
        (self.rows[i], &self.weights[i])
    }
}
