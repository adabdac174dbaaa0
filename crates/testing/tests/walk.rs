//! Each function that `docs/walk.md` names is in the file that it names.

use std::fs;
use std::path::Path;

#[test]
fn the_walk_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let walk = fs::read_to_string(root.join("docs/walk.md")).expect("docs/walk.md");
    let mut steps = 0;
    for row in walk.lines().filter(|line| line.starts_with("| `")) {
        let mut names = row.split('`').skip(1).step_by(2);
        let (Some(file), Some(function)) = (names.next(), names.next()) else {
            panic!("a file and a function: {row}");
        };
        let text = fs::read_to_string(root.join("crates").join(file)).expect(file);
        let is_there = ['(', '<']
            .iter()
            .any(|after| text.contains(&format!("fn {function}{after}")));
        assert!(is_there, "{file} has no function {function}");
        steps += 1;
    }
    assert!(steps > 20);
}
