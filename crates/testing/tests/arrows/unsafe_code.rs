//! Unsafe code stays in the crates that docs/decisions/unsafe-code.md names. `.ci/memory` tests those, and only those.

use std::fs;

use super::root;

/// Crates that may have unsafe code, in the library and the program.
const ALLOWED: [&str; 3] = ["limbs", "mapping", "simd"];

#[test]
fn all_crates_but_three_forbid_it() {
    let mut forbidding = 0;
    for entry in fs::read_dir(root().join("crates")).expect("crates/") {
        let folder = entry.expect("an entry").path();
        let name = folder.file_name().expect("a name").to_string_lossy();
        if ALLOWED.contains(&name.as_ref()) {
            continue;
        }
        for file in ["src/lib.rs", "src/main.rs"] {
            let Ok(text) = fs::read_to_string(folder.join(file)) else {
                continue;
            };
            let forbids = text.lines().any(|line| line == "#![forbid(unsafe_code)]");
            assert!(forbids, "crates/{name}/{file} does not forbid unsafe code");
            forbidding += 1;
        }
    }
    assert!(forbidding > 20, "{forbidding} files read");
}

#[test]
fn each_exception_is_in_the_decision_and_in_the_step() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("a file");
    let (decision, step) = (read("docs/decisions/unsafe-code.md"), read(".ci/memory"));
    for name in ALLOWED {
        assert!(decision.contains(&format!("`{name}`")), "{name}");
        assert!(step.contains(&format!("-p frumious-{name}")), "{name}");
    }
}
