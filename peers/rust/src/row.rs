//! One operation at one size, ready to run; and the tables from which the rows are made.

use std::collections::HashMap;
use std::hint::black_box;

/// A prepared measurement.
pub struct Row {
    /// Runs `count` operations.
    pub op: Box<dyn FnMut()>,
    /// Operations in one run of `op`.
    pub count: usize,
    /// The operation's result on the common inputs in canonical hex, where all libraries must agree on it.
    pub check: Option<Box<dyn FnMut() -> String>>,
    /// Bytes that the result of `op` keeps, where somebody asks.
    pub held: Option<Box<dyn Fn() -> usize>>,
}

impl Row {
    /// A row without a result to compare. What `op` returns is kept from being optimised away.
    pub fn new<T>(count: usize, mut op: impl FnMut() -> T + 'static) -> Self {
        Self {
            op: Box::new(move || drop(black_box(op()))),
            count,
            check: None,
            held: None,
        }
    }

    /// Adds the result to compare, computed apart from the measurement.
    pub fn with_check(mut self, check: impl FnMut() -> String + 'static) -> Self {
        self.check = Some(Box::new(check));
        self
    }

    /// Adds the bytes that the result keeps.
    pub fn with_held(mut self, held: impl Fn() -> usize + 'static) -> Self {
        self.held = Some(Box::new(held));
        self
    }
}

/// Prepares the row of one operation for a size.
pub type Builder = Box<dyn Fn(usize) -> Row>;

/// Computes one answer of a cross-check from the words of the request; fails with a text.
pub type Crossing = fn(&[&str]) -> Result<String, String>;

/// All operations of one library.
pub struct Table {
    /// By the ID of the driver's table.
    pub builders: HashMap<String, Builder>,
    /// Of the driver's cross-checks, by name.
    pub crossings: HashMap<&'static str, Crossing>,
    /// Frees what rows share beyond themselves.
    pub forget: Box<dyn FnMut()>,
}

impl Table {
    /// A table without rows, and nothing to free.
    pub fn new() -> Self {
        Self {
            builders: HashMap::new(),
            crossings: HashMap::new(),
            forget: Box::new(|| ()),
        }
    }

    /// Adds a row.
    pub fn add(&mut self, id: impl Into<String>, build: impl Fn(usize) -> Row + 'static) {
        self.builders.insert(id.into(), Box::new(build));
    }
}

/// Runs `op` on every input, keeping its results from being optimised away.
pub fn for_each_kept<T, U>(inputs: &[T], op: impl Fn(&T) -> U) {
    for input in inputs {
        black_box(op(black_box(input)));
    }
}
