//! Texts that list the backends by name have every one, in the order of `Backend::ALL`.

use std::fs;
use std::path::Path;

use frumious_limbs::backend::{Backend, BackendError};

#[test]
fn every_list_of_backends_is_complete() {
    let names = |between| Backend::ALL.map(Backend::name).join(between);
    let setting = format!("FRUMIOUS_BACKEND={}", names("|"));
    for (file, list) in [
        ("README.md", setting.clone()),
        ("CONTRIBUTING.md", setting),
        (
            "crates/cli/src/arguments.rs",
            format!("FRUMIOUS_BACKEND ({})", names(", ")),
        ),
        (".ci/ct", format!("for backend in {};", names(" "))),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(file);
        let text = fs::read_to_string(path).expect(file);
        assert!(text.contains(&list), "{file} has not `{list}`");
    }
}

#[test]
fn an_unknown_name_is_answered_with_all_names() {
    let message = BackendError::UnknownName.to_string();
    for backend in Backend::ALL {
        assert!(message.contains(backend.name()), "{message}");
    }
}
