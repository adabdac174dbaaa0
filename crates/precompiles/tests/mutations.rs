//! The fuzz target's properties over mutated inputs, on stable Rust, the same on every run.

#[path = "../../circom/tests/support/mutate.rs"]
mod mutate;
#[path = "support/properties.rs"]
mod properties;

use mutate::{Generator, mutate};

#[test]
fn properties_hold_for_mutated_inputs() {
    let mut generator = Generator::new(17);
    let seeds: [&[u8]; 2] = [
        include_bytes!("data/ec_recover.bin"),
        include_bytes!("data/bn254_pairing.bin"),
    ];
    for seed in seeds {
        properties::precompiles(seed);
        for _ in 0..150 {
            properties::precompiles(&mutate(seed, &mut generator));
        }
    }
}
