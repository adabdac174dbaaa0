//! The lanes against big integers and the scalar arithmetic, over the model always and over the registers where the CPU
//! has them. And the registers against the model, bit for bit.

mod arithmetic;
mod bounds;
mod factor;
mod fields;
mod kernels;
mod memory;
mod numbers;
mod operations;
mod wide;

use frumious_simd::{Kernel, Model, Unit};

/// Runs the kernels that `make` makes over the model and over registers, and checks that both return the same, in
/// every bit. Returns what the model did.
fn both<K: Kernel>(make: impl Fn() -> K) -> K::Output
where
    K::Output: PartialEq + core::fmt::Debug,
{
    let model = Model::run(make());
    let mut units = 0;
    for unit in Unit::all() {
        assert_eq!(unit.run(make()), model, "{unit:?} against the model");
        units += 1;
    }
    if units == 0 {
        println!("SKIP: no vector unit, the model alone was tested");
    }
    model
}
