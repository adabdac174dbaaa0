//! Constraints as a system gives them: terms with the numbers of their coefficients.

/// A coefficient, by its number in the [`Pool`](crate::Pool), of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PooledTerm {
    /// Number of the coefficient.
    pub coefficient: u32,
    /// Number of the wire, zero for the constant one.
    pub wire: u32,
}

/// The terms of a constraint, in the order in which they were given.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// Of the first factor.
    pub a: &'r [PooledTerm],
    /// Of the second factor.
    pub b: &'r [PooledTerm],
    /// Of the product.
    pub c: &'r [PooledTerm],
}
