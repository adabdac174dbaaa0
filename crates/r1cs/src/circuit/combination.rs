//! Sums of signals times coefficients.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use frumious_field::WordField;

use crate::builder::Wire;

/// A wire of the component in which it was made, whose value the witness computation finds.
///
/// A signal means nothing in another component: what goes from one to another goes through inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(pub(crate) Wire);

impl Signal {
    /// The signal whose value is one.
    pub const ONE: Self = Self(Wire::ONE);
}

/// `Σ coefficient·signal`; the constant part is the coefficient of [`Signal::ONE`].
///
/// Terms are in the order of their wires, each wire once, none zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearCombination<F> {
    terms: Vec<(Wire, F)>,
}

impl<F: WordField> LinearCombination<F> {
    /// The empty sum.
    pub const ZERO: Self = Self { terms: Vec::new() };

    /// A constant.
    pub fn constant(value: F) -> Self {
        Self::term(Signal::ONE, value)
    }

    /// A signal times a coefficient.
    pub fn term(signal: Signal, coefficient: F) -> Self {
        let mut terms = vec![(signal.0, coefficient)];
        terms.retain(|(_, coefficient)| *coefficient != F::ZERO);
        Self { terms }
    }

    /// Its signal, if it is one signal times one.
    pub fn as_signal(&self) -> Option<Signal> {
        match self.terms[..] {
            [(wire, coefficient)] if coefficient == F::ONE => Some(Signal(wire)),
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

    /// Adds `other` times `factor`.
    fn add_scaled(&mut self, other: &Self, factor: F) {
        if self.terms.is_empty() && factor == F::ONE {
            self.terms.clone_from(&other.terms);
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
