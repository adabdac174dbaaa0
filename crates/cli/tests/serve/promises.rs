//! The table of `docs/server.md`: each promise has a test of the name that it tells.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of all Rust files in a folder and below.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => text += &sources(&path),
            false if path.extension().is_some_and(|kind| kind == "rs") => {
                text += &fs::read_to_string(&path).unwrap();
            }
            false => {}
        }
    }
    text
}

#[test]
fn each_promise_of_the_document_has_its_test() {
    let document = fs::read_to_string(root().join("docs/server.md")).unwrap();
    let table = document.split("## Promises and tests").nth(1).unwrap();
    let here = root().join("crates/cli/tests/serve");
    let server = sources(&root().join("crates/server/src"));
    let mut count = 0;
    for line in table
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'))
    {
        let tests = line.split(" | ").nth(1).unwrap();
        let is_of_the_server = tests.contains("(`server`)");
        for name in tests
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| *name != "server")
        {
            count += 1;
            let (module, function) = name.rsplit_once("::").unwrap_or((name, ""));
            let is_there = match (is_of_the_server, function) {
                _ if name.contains('/') => root().join(name).exists(),
                (true, "tests") => server.contains("mod tests"),
                (true, _) => server.contains(&format!("fn {function}(")),
                (false, "") => here.join(format!("{module}.rs")).exists(),
                (false, _) => {
                    let file = fs::read_to_string(here.join(format!("{module}.rs")));
                    file.is_ok_and(|text| text.contains(&format!("fn {function}(")))
                }
            };
            assert!(is_there, "{name}: {line}");
        }
    }
    assert!(count >= 30, "{count} tests in the table");
}
