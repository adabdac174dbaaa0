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

/// Examples of the crates that the library re-exports compile as pasted into a program that knows `frumious` alone.
///
/// A hidden line of each makes `frumious` of the crates that it needs, so that it is a test of its own crate. But for
/// kernels, whose vectors are no chapter.
#[test]
fn examples_have_the_paths_of_the_facade() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let facade = fs::read_to_string(root.join("crates/frumious/src/lib.rs")).expect("the facade");
    let chapters = (facade.lines())
        .filter_map(|line| {
            line.trim()
                .strip_prefix("pub use frumious_")?
                .strip_suffix("::*;")
        })
        .collect::<Vec<_>>();
    assert!(chapters.len() > 12, "{chapters:?}");
    let mut examples = 0;
    for chapter in chapters {
        let mut folders = vec![root.join("crates").join(chapter).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).expect("a source");
                    for example in examples_of(&text) {
                        let is_kernel = example.contains("frumious_simd");
                        let names_crate = example.contains("frumious_") && !is_kernel;
                        assert!(!names_crate, "{}:\n{example}", path.display());
                        examples += usize::from(example.contains("frumious::"));
                    }
                }
            }
        }
    }
    assert!(examples > 20, "{examples}");
}

/// The visible lines of the code blocks in documentation comments.
fn examples_of(text: &str) -> Vec<String> {
    let mut examples = Vec::new();
    let mut example: Option<String> = None;
    for line in text.lines().map(str::trim_start) {
        let Some(line) = (line.strip_prefix("///")).or(line.strip_prefix("//!")) else {
            continue;
        };
        let line = line.strip_prefix(' ').unwrap_or(line);
        match &mut example {
            Some(_) if line.starts_with("```") => examples.extend(example.take()),
            Some(example) if !line.starts_with("# ") => {
                example.push_str(line);
                example.push('\n');
            }
            None if line.starts_with("```") => example = Some(String::new()),
            _ => {}
        }
    }
    examples
}
