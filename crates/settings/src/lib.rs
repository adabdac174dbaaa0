#![forbid(unsafe_code)]
//! Settings: sizes that change the time of a computation, and never its result.
//!
//! A crate owns its settings as statics, and reads them when it makes a plan. They are those of the whole process.
//! `frumious tune` looks for the values that are fastest on a machine; its file gives them to `prove` and `serve`.
//!
//! ```
//! use frumious_settings::{Scale, Setting};
//!
//! static BLOCK: Setting = Setting::new("sort.block", 64..=1 << 20, 4096, Scale::Doubling);
//! assert_eq!(BLOCK.get(), 4096);
//! BLOCK.set(8192)?;
//! assert_eq!(BLOCK.get(), 8192);
//! assert!(BLOCK.set(63).is_err());
//! # Ok::<(), frumious_settings::OutOfRange>(())
//! ```

pub mod caches;

use std::ops::RangeInclusive;
use std::sync::LazyLock;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// A size that changes the time of a computation, and never its result.
#[derive(Debug)]
pub struct Setting {
    name: &'static str,
    least: usize,
    most: usize,
    usual: Usual,
    scale: Scale,
    is_set: AtomicBool,
    value: AtomicUsize,
}

#[derive(Debug)]
enum Usual {
    Fixed(usize),
    OfMachine(LazyLock<usize>),
}

/// The steps between values that are worth a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Halves and doubles.
    Doubling,
    /// Steps of this size.
    Steps(usize),
}

impl Setting {
    /// A setting of the value `usual`, which may become any value of `range`.
    ///
    /// `name`: section and name in a file of settings, with a dot between.
    ///
    /// # Panics
    /// If `usual` is outside of `range`: when compiled, for a static.
    pub const fn new(
        name: &'static str,
        range: RangeInclusive<usize>,
        usual: usize,
        scale: Scale,
    ) -> Self {
        let (least, most) = (*range.start(), *range.end());
        assert!(
            least <= usual && usual <= most,
            "the usual value is one of the range"
        );
        Self::with(name, [least, most], Usual::Fixed(usual), scale)
    }

    /// A setting whose usual value depends on the machine: `usual` is asked once, when it is first needed. A value
    /// outside of the range becomes the nearest that is inside.
    pub const fn of_machine(
        name: &'static str,
        range: RangeInclusive<usize>,
        usual: fn() -> usize,
        scale: Scale,
    ) -> Self {
        let usual = Usual::OfMachine(LazyLock::new(usual));
        Self::with(name, [*range.start(), *range.end()], usual, scale)
    }

    const fn with(
        name: &'static str,
        [least, most]: [usize; 2],
        usual: Usual,
        scale: Scale,
    ) -> Self {
        Self {
            name,
            least,
            most,
            usual,
            scale,
            is_set: AtomicBool::new(false),
            value: AtomicUsize::new(0),
        }
    }

    /// Section and name, with a dot between.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The value in use.
    #[inline]
    pub fn get(&self) -> usize {
        match self.is_set.load(Acquire) {
            true => self.value.load(Relaxed),
            false => self.usual(),
        }
    }

    /// The value of a process that sets nothing.
    pub fn usual(&self) -> usize {
        match &self.usual {
            Usual::Fixed(value) => *value,
            Usual::OfMachine(value) => (**value).clamp(self.least, self.most),
        }
    }

    /// True if machines differ in the usual value.
    pub fn is_of_machine(&self) -> bool {
        matches!(self.usual, Usual::OfMachine(_))
    }

    /// The values that are possible.
    pub fn range(&self) -> RangeInclusive<usize> {
        self.least..=self.most
    }

    /// Makes `value` the one in use, for all threads of the process.
    ///
    /// # Errors
    /// [`OutOfRange`]; nothing has changed then.
    pub fn set(&self, value: usize) -> Result<(), OutOfRange> {
        if !self.range().contains(&value) {
            return Err(OutOfRange {
                name: self.name,
                value,
                least: self.least,
                most: self.most,
            });
        }
        self.value.store(value, Relaxed);
        self.is_set.store(true, Release);
        Ok(())
    }

    /// `value`, and up to `steps` values on either side of it, in ascending order.
    pub fn near(&self, value: usize, steps: u32) -> Vec<usize> {
        let step = |value: usize, up: bool| match (self.scale, up) {
            (Scale::Doubling, true) => value.checked_mul(2),
            (Scale::Doubling, false) => Some(value / 2),
            (Scale::Steps(size), true) => value.checked_add(size),
            (Scale::Steps(size), false) => value.checked_sub(size),
        };
        let side = |up: bool| {
            let next =
                move |value: &usize| step(*value, up).filter(|next| self.range().contains(next));
            std::iter::successors(next(&value), next).take(steps as usize)
        };
        let mut values: Vec<usize> = side(false).chain([value]).chain(side(true)).collect();
        values.sort_unstable();
        values.dedup(); // zero is its own half
        values
    }
}

/// A value that a setting cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} = {value}: from {least} to {most} is possible")]
pub struct OutOfRange {
    /// The setting.
    pub name: &'static str,
    /// The value that was refused.
    pub value: usize,
    /// The smallest that is possible.
    pub least: usize,
    /// The largest.
    pub most: usize,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;

    #[test]
    fn values_outside_of_the_range_are_refused() {
        let setting = Setting::new("a.b", 2..=9, 3, Scale::Steps(1));
        for value in [0, 1, 10, usize::MAX] {
            let refused = setting.set(value).unwrap_err();
            assert_eq!((refused.name, refused.value), ("a.b", value));
            assert_eq!(setting.get(), 3);
        }
        for value in [2, 9] {
            setting.set(value).unwrap();
            assert_eq!(setting.get(), value);
        }
        assert_eq!(setting.usual(), 3);
    }

    #[test]
    fn a_machine_has_its_usual_value() {
        let cases: [(fn() -> usize, usize); 3] = [(|| 5, 5), (|| 0, 2), (|| 100, 9)];
        for (told, usual) in cases {
            let setting = Setting::of_machine("a.b", 2..=9, told, Scale::Steps(1));
            assert_eq!((setting.get(), setting.usual()), (usual, usual));
            assert!(setting.is_of_machine());
            setting.set(4).unwrap();
            assert_eq!((setting.get(), setting.usual()), (4, usual));
        }
    }

    #[test]
    fn neighbours_are_in_the_range() {
        let doubling = Setting::new("a.b", 64..=1000, 200, Scale::Doubling);
        assert_eq!(doubling.near(200, 3), [100, 200, 400, 800]);
        assert_eq!(doubling.near(200, 0), [200]);
        assert_eq!(doubling.near(800, 1), [400, 800]);
        let steps = Setting::new("a.b", 1..=20, 18, Scale::Steps(2));
        assert_eq!(steps.near(18, 2), [14, 16, 18, 20]);
        let switch = Setting::new("a.b", 0..=1, 1, Scale::Steps(1));
        assert_eq!(switch.near(1, 3), [0, 1]);
        let widest = Setting::new("a.b", 0..=usize::MAX, usize::MAX, Scale::Doubling);
        assert_eq!(widest.near(usize::MAX, 1), [usize::MAX / 2, usize::MAX]);
        let zero = Setting::new("a.b", 0..=4, 0, Scale::Doubling);
        assert_eq!(zero.near(0, 2), [0]);
    }
}
