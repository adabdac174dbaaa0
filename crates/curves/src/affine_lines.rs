//! The lines of many points of a twist at once, in affine coordinates: one inversion a step for all points.
//!
//! A step then costs 6 products and 2 squares for each point. By itself, in projective coordinates, a point takes 9 and
//! 6 to double, 16 and 2 to add. Source: affine pairings as in Lauter, Montgomery and Naehrig 2010 (eprint 2010/363),
//! section 4.

use frumious_field::{Field, batch_invert_vartime};

/// The running multiples of points `Q` on `y² = x³ + b`.
pub(crate) struct Multiples<F> {
    points: Vec<[F; 2]>,
    /// True for a point that met an exception of the formulas: a multiple that is infinity, or equal to its addend.
    exceptions: Vec<bool>,
    denominators: Vec<F>,
    scratch: Vec<F>,
}

/// The line through a multiple: its slope λ, and λ·x - y.
pub(crate) struct AffineLine<F> {
    pub slope: F,
    pub intercept: F,
}

impl<F: Field> Multiples<F> {
    /// The points themselves. Infinity is `(0, 0)`, whose lines are zero.
    pub(crate) fn new(points: Vec<[F; 2]>) -> Self {
        let n = points.len();
        Self {
            points,
            exceptions: vec![false; n],
            denominators: vec![F::ZERO; n],
            scratch: Vec::new(),
        }
    }

    /// Doubles each; `put` is given the number of the point, and its tangent.
    pub(crate) fn double_vartime(&mut self, put: impl FnMut(usize, AffineLine<F>)) {
        for (denominator, [_, y]) in self.denominators.iter_mut().zip(&self.points) {
            *denominator = y.double();
        }
        let tangent = |[x, _]: [F; 2], _| {
            let square = x.square();
            (square.double() + square, x)
        };
        self.step_vartime(tangent, put);
    }

    /// Adds `addend` of each point's number; `put` is given the number of the point, and the chord.
    pub(crate) fn add_vartime(
        &mut self,
        addend: impl Fn(usize) -> [F; 2],
        put: impl FnMut(usize, AffineLine<F>),
    ) {
        let points = self.points.iter().enumerate();
        for (denominator, (index, [x, _])) in self.denominators.iter_mut().zip(points) {
            *denominator = addend(index)[0] - *x;
        }
        let chord = |[_, y]: [F; 2], index| {
            let [other_x, other_y] = addend(index);
            (other_y - y, other_x)
        };
        self.step_vartime(chord, put);
    }

    /// One step, whose denominators are there; `line` gives the numerator of the slope, and the other point's x.
    fn step_vartime(
        &mut self,
        line: impl Fn([F; 2], usize) -> (F, F),
        mut put: impl FnMut(usize, AffineLine<F>),
    ) {
        for (exception, denominator) in self.exceptions.iter_mut().zip(&self.denominators) {
            *exception |= denominator.is_zero_vartime();
        }
        batch_invert_vartime(&mut self.denominators, &mut self.scratch);
        for (index, point) in self.points.iter_mut().enumerate() {
            let (rise, other_x) = line(*point, index);
            let [x, y] = *point;
            let slope = rise * self.denominators[index];
            let intercept = slope * x - y;
            let sum_x = slope.square() - x - other_x;
            *point = [sum_x, intercept - slope * sum_x];
            put(index, AffineLine { slope, intercept });
        }
    }

    /// True if multiple `index` is that affine point, and met no exception on its way.
    pub(crate) fn is_vartime(&self, index: usize, point: [F; 2]) -> bool {
        !self.exceptions[index] && self.points[index] == point
    }
}
