//! Distinct coefficients.

use frumious_field::WordField;
use std::collections::HashMap;

/// Values by number. Number 0 is one, number 1 minus one.
///
/// Circuits have few distinct coefficients: a billion terms of a rollup had twenty thousand.
#[derive(Clone, Debug)]
pub struct Pool<F> {
    values: Vec<F>,
}

/// A pool while it grows.
#[derive(Clone, Debug)]
pub(crate) struct PoolBuilder<F> {
    values: Vec<F>,
    numbers: HashMap<[u64; 4], u32>,
}

impl<F: WordField> PoolBuilder<F> {
    pub(crate) fn new() -> Self {
        let mut pool = Self {
            values: Vec::new(),
            numbers: HashMap::new(),
        };
        pool.number(&F::ONE);
        pool.number(&(F::ZERO - F::ONE));
        pool
    }

    pub(crate) fn finish(mut self) -> Pool<F> {
        self.values.shrink_to_fit();
        Pool {
            values: self.values,
        }
    }

    /// The number of a value, a new one if there is none yet.
    ///
    /// # Panics
    /// When there are 2^32 values already.
    pub(crate) fn number(&mut self, value: &F) -> u32 {
        *self.numbers.entry(*value.as_words()).or_insert_with(|| {
            self.values.push(*value);
            u32::try_from(self.values.len() - 1).expect("fewer than 2^32 coefficients")
        })
    }
}

impl<F> Pool<F> {
    /// The value of a number.
    ///
    /// # Panics
    /// For a number that no term has.
    pub fn value(&self, number: u32) -> &F {
        &self.values[number as usize]
    }

    /// All values, by number.
    pub fn values(&self) -> &[F] {
        &self.values
    }

    /// Memory that the values take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<F>()
    }
}
