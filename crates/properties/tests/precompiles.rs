//! The fuzz target's properties over mutated inputs, on stable Rust, the same on every run.

use frumious_properties::precompiles as properties;
use frumious_testing::mutate::{Generator, mutate};

#[test]
fn properties_hold_for_mutated_inputs() {
    let mut generator = Generator::new(17);
    let seeds: [&[u8]; 6] = [
        include_bytes!("../../precompiles/tests/data/ec_recover.bin"),
        include_bytes!("../../precompiles/tests/data/bn254_pairing.bin"),
        // inputs of go-ethereum's vectors
        include_bytes!("../../precompiles/tests/data/bls12_pairing_check.bin"),
        include_bytes!("../../precompiles/tests/data/bls12_g1_msm.bin"),
        include_bytes!("../../precompiles/tests/data/bls12_g2_msm.bin"),
        include_bytes!("../../precompiles/tests/data/bls12_map_fp2_to_g2.bin"),
    ];
    for seed in seeds {
        properties::precompiles(seed);
        for _ in 0..100 {
            properties::precompiles(&mutate(seed, &mut generator));
        }
    }
}
