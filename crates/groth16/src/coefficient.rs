//! A non-zero entry of the matrix A or B.

use frumious_field::TwiceMontgomery;

/// One of the two matrices of a key. C is not stored: for a satisfied witness it follows from A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// The left factor of each constraint.
    A,
    /// The right factor of each constraint.
    B,
}

/// One coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficient<F> {
    /// The matrix.
    pub matrix: Matrix,
    /// Row, below the domain's size: the constraints, then a row for the constant and for each public signal.
    pub row: u32,
    /// Wire, below the number of wires.
    pub wire: u32,
    /// The coefficient times R² mod r, R = 2^256.
    pub value: TwiceMontgomery<F>,
}
