//! Openings by point, in tasks of bounded length.

use super::Opening;
use crate::DOMAIN;
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

    /// The polynomials of a task's openings, with their powers.
    pub(super) fn terms<'a>(
        &self,
        task: &Task,
        openings: &'a [Opening<'a>],
        powers: &[Fr],
    ) -> impl Iterator<Item = (&'a [Fr], Fr)> {
        let members = self.order[task.places.clone()].iter();
        members.map(|index| (&openings[*index].polynomial[..], powers[*index]))
    }

    /// The polynomials that come after those of a task.
    pub(super) fn after<'a>(
        &self,
        task: &Task,
        openings: &'a [Opening<'a>],
    ) -> impl Iterator<Item = &'a [Fr]> {
        let others = self.order[task.places.end..].iter();
        others.map(|index| &openings[*index].polynomial[..])
    }
}
