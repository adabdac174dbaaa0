//! Sums of signals times coefficients.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use core::sync::atomic::{AtomicU32, Ordering};
use frumious_field::WordField;

use crate::builder::Wire;

/// A wire of the component in which it was made, whose value the witness computation finds.
///
/// A signal means nothing in another component, which refuses it: what goes from one to another goes through inputs and
/// outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal {
    pub(crate) wire: Wire,
    pub(crate) home: Home,
}

impl Signal {
    /// The signal whose value is one, in every component.
    pub const ONE: Self = Self {
        wire: Wire::ONE,
        home: Home::ANY,
    };
}

/// The component of a signal, or of the signals of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Home(u32);

impl Home {
    /// Of constants.
    pub(crate) const ANY: Self = Self(0);
    /// Of a sum of signals that belong to different components.
    const SEVERAL: Self = Self(u32::MAX);

    /// That of a new component, of whatever circuit.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(1 + COUNT.fetch_add(1, Ordering::Relaxed) % (u32::MAX - 1))
    }

    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::ANY, home) | (home, Self::ANY) => home,
            (home, same) if home == same => home,
            _ => Self::SEVERAL,
        }
    }
}

/// `Σ coefficient·signal`; the constant part is the coefficient of [`Signal::ONE`].
///
/// Terms are in the order of their wires, each wire once, none zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearCombination<F> {
    terms: Vec<(Wire, F)>,
    home: Home,
}

impl<F: WordField> LinearCombination<F> {
    /// The empty sum.
    pub const ZERO: Self = Self {
        terms: Vec::new(),
        home: Home::ANY,
    };

    /// A constant.
    pub fn constant(value: F) -> Self {
        Self::term(Signal::ONE, value)
    }

    /// A signal times a coefficient.
    pub fn term(signal: Signal, coefficient: F) -> Self {
        if coefficient == F::ZERO {
            return Self::ZERO;
        }
        Self {
            terms: vec![(signal.wire, coefficient)],
            home: signal.home,
        }
    }

    /// Its signal, if it is one signal times one.
    pub fn as_signal(&self) -> Option<Signal> {
        match self.terms[..] {
            [(wire, coefficient)] if coefficient == F::ONE => Some(Signal {
                wire,
                home: self.home,
            }),
            _ => None,
        }
    }

    /// Its value, if it has no other signal than the one.
    pub fn as_constant(&self) -> Option<F> {
        match self.terms[..] {
            [] => Some(F::ZERO),
            [(Wire::ONE, value)] => Some(value),
            _ => None,
        }
    }

    /// The wires with their coefficients.
    pub(crate) fn terms(&self) -> &[(Wire, F)] {
        &self.terms
    }

    /// The component of its signals.
    pub(crate) fn home(&self) -> Home {
        self.home
    }

    /// Adds `other` times `factor`.
    fn add_scaled(&mut self, other: &Self, factor: F) {
        if *self == Self::ZERO && factor == F::ONE {
            self.clone_from(other);
            return;
        }
        let old = core::mem::take(&mut self.terms);
        self.terms.reserve(old.len() + other.terms.len());
        let mut old = old.into_iter().peekable();
        for (wire, coefficient) in &other.terms {
            while let Some(term) = old.next_if(|(before, _)| before < wire) {
                self.terms.push(term);
            }
            let mut sum = *coefficient * factor;
            if let Some((_, same)) = old.next_if(|(same, _)| same == wire) {
                sum += same;
            }
            if sum != F::ZERO {
                self.terms.push((*wire, sum));
            }
        }
        self.terms.extend(old);
        // The constant one is the first of all wires. A sum over several components stays one, whatever cancels: equal
        // numbers in it are different wires.
        let home = self.home.join(other.home);
        let is_constant = self.terms.last().is_none_or(|(wire, _)| *wire == Wire::ONE);
        self.home = match home {
            Home::SEVERAL => Home::SEVERAL,
            _ if is_constant => Home::ANY,
            _ => home,
        };
    }
}

impl<F: WordField> From<Signal> for LinearCombination<F> {
    fn from(signal: Signal) -> Self {
        Self::term(signal, F::ONE)
    }
}

impl<F: WordField> From<&Signal> for LinearCombination<F> {
    fn from(signal: &Signal) -> Self {
        Self::from(*signal)
    }
}

impl<F: WordField> From<&Self> for LinearCombination<F> {
    fn from(combination: &Self) -> Self {
        combination.clone()
    }
}

impl<F: WordField, T: Into<Self>> AddAssign<T> for LinearCombination<F> {
    fn add_assign(&mut self, other: T) {
        self.add_scaled(&other.into(), F::ONE);
    }
}

impl<F: WordField, T: Into<Self>> SubAssign<T> for LinearCombination<F> {
    fn sub_assign(&mut self, other: T) {
        self.add_scaled(&other.into(), F::ZERO - F::ONE);
    }
}

impl<F: WordField, T: Into<Self>> Add<T> for LinearCombination<F> {
    type Output = Self;

    fn add(mut self, other: T) -> Self {
        self += other;
        self
    }
}

impl<F: WordField, T: Into<Self>> Sub<T> for LinearCombination<F> {
    type Output = Self;

    fn sub(mut self, other: T) -> Self {
        self -= other;
        self
    }
}

impl<F: WordField> Mul<F> for LinearCombination<F> {
    type Output = Self;

    fn mul(mut self, factor: F) -> Self {
        if factor == F::ZERO {
            return Self::ZERO;
        }
        for (_, coefficient) in &mut self.terms {
            *coefficient *= factor;
        }
        self
    }
}

impl<F: WordField> Neg for LinearCombination<F> {
    type Output = Self;

    fn neg(self) -> Self {
        self * (F::ZERO - F::ONE)
    }
}
