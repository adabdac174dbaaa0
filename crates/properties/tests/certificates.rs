//! Certificates and keys, mutated.

use frumious_properties::certificates::certificates;
use frumious_testing::mutate::{Generator, mutate};
use std::path::Path;

#[test]
fn properties_hold_for_mutated_seeds() {
    let mut random = Generator::new(17);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/certificates");
    let files = std::fs::read_dir(folder).expect("it is in the repository");
    let mut mutated = 0;
    for file in files {
        let bytes = std::fs::read(file.expect("an entry").path()).expect("a file");
        for length in 0..bytes.len() {
            certificates(&bytes[..length]);
        }
        for _ in 0..300 {
            certificates(&mutate(&bytes, &mut random));
        }
        mutated += 1;
    }
    assert!(mutated > 0, "no seeds");
}
