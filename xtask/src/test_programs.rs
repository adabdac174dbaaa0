//! Test programs of the workspace that depend on the backend, as Cargo reports them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Folders of crates whose tests come to the same on every backend: they parse, or start the command, whose engine
/// has tests of its own.
const SAME_ON_EVERY_BACKEND: [&str; 5] = ["cli", "testing", "circom", "mapping", "wasm"];

/// A compiled test program.
#[derive(Debug, PartialEq, Eq)]
pub struct TestProgram {
    path: PathBuf,
    /// The folder of its crate, where Cargo runs it.
    folder: PathBuf,
}

impl TestProgram {
    /// Runs all its tests, as `cargo test` does.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).arg("--quiet");
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }
}

/// The programs in the messages of `cargo test --no-run --message-format=json`, one message a line.
///
/// # Errors
/// A line that is not JSON; no program at all.
pub fn compiled(messages: &str) -> Result<Vec<TestProgram>, String> {
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: Value =
            serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let is_test = message["profile"]["test"].as_bool() == Some(true);
        let (Some(path), Some(manifest)) = (
            message["executable"].as_str(),
            message["manifest_path"].as_str(),
        ) else {
            continue;
        };
        let folder = Path::new(manifest)
            .parent()
            .ok_or("a manifest without a folder")?;
        let name = folder.file_name().and_then(|name| name.to_str());
        if is_test && !name.is_some_and(|name| SAME_ON_EVERY_BACKEND.contains(&name)) {
            programs.push(TestProgram {
                path: path.into(),
                folder: folder.into(),
            });
        }
    }
    match programs.is_empty() {
        true => Err("no test program".into()),
        false => Ok(programs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(folder: &str, test: bool) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"/w/crates/{folder}/Cargo.toml","profile":{{"test":{test}}},"executable":"/t/{folder}-1"}}"#
        )
    }

    #[test]
    fn programs_of_the_engine_run_in_their_folders() {
        let library = r#"{"reason":"compiler-artifact","manifest_path":"/w/crates/msm/Cargo.toml","profile":{"test":false},"executable":null}"#;
        let end = r#"{"reason":"build-finished","success":true}"#;
        let lines = [
            message("msm", true),
            message("cli", true),
            message("ct", false),
            library.into(),
            end.into(),
        ];
        let expected = TestProgram {
            path: "/t/msm-1".into(),
            folder: "/w/crates/msm".into(),
        };
        assert_eq!(compiled(&lines.join("\n")), Ok(vec![expected]));
    }

    #[test]
    fn no_program_is_an_error() {
        assert!(compiled("").is_err());
        assert!(compiled(&message("cli", true)).is_err());
        assert!(compiled("Compiling").is_err());
    }

    /// A folder that is gone would exclude nothing, unseen.
    #[test]
    fn excluded_crates_exist() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        for name in SAME_ON_EVERY_BACKEND {
            assert!(crates.join(name).join("Cargo.toml").is_file(), "{name}");
        }
    }
}
