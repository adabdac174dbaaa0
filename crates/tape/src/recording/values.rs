//! Values of a run, which are secret: no copy of them stays behind.

use std::mem;
use std::ops::Index;
use zeroize::Zeroize;

/// A list that is wiped when it is dropped, and where it was when it moves to grow.
pub(crate) struct Values<T: Zeroize>(Vec<T>);

impl<T: Zeroize + Copy> Values<T> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn push(&mut self, value: T) {
        if self.0.len() == self.0.capacity() {
            let mut larger = Vec::with_capacity((2 * self.0.len()).max(LEAST));
            larger.extend_from_slice(&self.0);
            mem::replace(&mut self.0, larger).zeroize();
        }
        self.0.push(value);
    }
}

/// Elements of the first allocation.
const LEAST: usize = 32;

impl<T: Zeroize> Index<usize> for Values<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.0[index]
    }
}

impl<T: Zeroize> Drop for Values<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Counts how often it is wiped, in a counter of its own.
    #[derive(Clone, Copy)]
    struct Secret<'a>(&'a Cell<usize>);

    impl Zeroize for Secret<'_> {
        fn zeroize(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn every_copy_is_wiped() {
        for length in [0, 1, LEAST, LEAST + 1, 2 * LEAST, 2 * LEAST + 1, 1000] {
            let wiped = vec![Cell::new(0); length];
            let mut values = Values::new();
            // The numbers of elements at which the list was full, so moved.
            let mut moves = Vec::new();
            for (k, counter) in wiped.iter().enumerate() {
                if k > 0 && k == values.0.capacity() {
                    moves.push(k);
                }
                values.push(Secret(counter));
                assert!(k < values.0.capacity(), "no other moves");
            }
            drop(values);
            for (k, counter) in wiped.iter().enumerate() {
                let moved = moves.iter().filter(|full| k < **full).count();
                assert_eq!(counter.get(), moved + 1, "element {k} of {length}");
            }
            assert_eq!(
                moves.len(),
                (LEAST..length)
                    .step_by(LEAST)
                    .filter(|k| (k / LEAST).is_power_of_two())
                    .count()
            );
        }
    }
}
