//! The lanes against big integers and the scalar arithmetic, over the model always and over the registers where the CPU
//! has them. And the registers against the model, bit for bit where they promise it.

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

/// Runs the kernels that `make` makes over the model and over registers, and returns each result. They may differ by a
/// multiple of the modulus.
fn of_each<K: Kernel>(make: impl Fn() -> K) -> Vec<K::Output> {
    let of_units = Unit::all().map(|unit| unit.run(make()));
    [Model::run(make())].into_iter().chain(of_units).collect()
}
