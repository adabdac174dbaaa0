//! Tests that try every kernel of the CPU by themselves, whatever backend is in use. They differ by the scalar code
//! alone. So CI runs them once for each of its kinds (`New` in `xtask/src/test_programs.rs`).

mod lanes;
mod membership;
mod on_curve;
mod scale;

use super::{Numbers, TestGroup, infinity, integers, order_minus};
