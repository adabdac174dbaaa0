//! Programs that Cargo compiled for the workspace's tests: the test programs, and the examples.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Folders of crates that calculate by the backend. The tests of others come to the same on each: they parse, or call
/// these, which have tests of their own. Those of groth16 name no backend, and [`PROOFS`] run all of it.
const ENGINE: [&str; 11] = [
    "limbs",
    "field",
    "curves",
    "fft",
    "msm",
    "tape",
    "witness",
    "verkle",
    "bls",
    "precompiles",
    "signatures",
];

/// Tests of groth16's proofs beside a naive prover, on keys of snarkjs: folder and name.
const PROOFS: (&str, &str) = ("snarkjs", "groth16");

/// Tests that go over all backends by themselves: folder and name.
const OVER_ALL: [(&str, &str); 2] = [("msm", "memory"), ("msm", "backends")];

/// The part of the names of tests that go over all kernels by themselves.
const OVER_ALL_KERNELS: &str = "::over_all::";

/// Tests that take long and do not depend on the backend: parts of their names, and their files. They resume work,
/// refuse bytes, stop modules, or count additions.
const ON_ANY: [(&str, &str); 10] = [
    ("every_checkpoint", "snarkjs/tests/groth16/setups.rs"),
    ("every_changed_byte", "verkle/tests/tree/binary.rs"),
    (
        "the_cost_model_is_near_the_best",
        "msm/src/tests/adversarial.rs",
    ),
    (
        "crowded_buckets_cost_no_more",
        "msm/src/tests/adversarial.rs",
    ),
    ("every_entry_counts", "msm/src/fixed/file/forgeries.rs"),
    (
        "too_small_budgets_and_no_points_are_errors",
        "msm/src/fixed/tests/budgets.rs",
    ),
    ("endless_loops_are_stopped", "witness/src/tests/hostile.rs"),
    (
        "messages_may_take_most_of_the_time",
        "witness/src/tests/hostile.rs",
    ),
    (
        "a_recording_takes_no_more_memory",
        "witness/src/tests/circom/bounds.rs",
    ),
    (
        "slow_operations_are_stopped",
        "witness/src/tests/circom/bounds.rs",
    ),
];

/// Those of [`ENGINE`] with lane kernels. On a backend that adds lanes to the scalar code of another, the other crates
/// run nothing new.
const WITH_LANES: [&str; 6] = ["field", "curves", "fft", "msm", "tape", "verkle"];

/// Those of [`ENGINE`] with scalar code, or an instance of a kernel, for each way to a product. Where the products
/// alone differ from those of a backend whose tests run whole, the other crates run nothing new.
const WITH_PRODUCTS: [&str; 6] = ["limbs", "field", "curves", "fft", "msm", "tape"];

/// The code of a backend that no backend has whose tests run whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum New {
    All,
    Lanes,
    Products,
}

/// A compiled program.
#[derive(Debug, PartialEq, Eq)]
pub struct Program {
    path: PathBuf,
    /// The folder of its crate, where Cargo runs it.
    folder: PathBuf,
    /// Its target's name.
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The unit tests of a library.
    UnitTests,
    /// Other tests: those in `tests`, and unit tests of a program.
    Tests,
    Example,
    /// The package's own programs.
    Other,
}

/// The programs in the messages of `cargo test --no-run --message-format=json`, one message a line.
///
/// # Errors
/// A line that is not JSON; no test program at all.
pub fn compiled(messages: &str) -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: Value =
            serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let (Some(path), Some(manifest)) = (
            message["executable"].as_str(),
            message["manifest_path"].as_str(),
        ) else {
            continue;
        };
        let folder = Path::new(manifest)
            .parent()
            .ok_or("a manifest without a folder")?;
        let target = &message["target"];
        let is_test = message["profile"]["test"].as_bool() == Some(true);
        let kind = match (target["kind"][0].as_str(), is_test) {
            (Some("lib"), true) => Kind::UnitTests,
            (_, true) => Kind::Tests,
            (Some("example"), false) => Kind::Example,
            (_, false) => Kind::Other,
        };
        programs.push(Program {
            path: path.into(),
            folder: folder.into(),
            name: target["name"].as_str().unwrap_or_default().into(),
            kind,
        });
    }
    match programs.iter().any(Program::is_test) {
        true => Ok(programs),
        false => Err("no test program".into()),
    }
}

/// The test programs that depend on what is new in a backend.
pub fn of_backends(programs: &[Program], new: New) -> impl Iterator<Item = &Program> {
    let folders: &[&str] = match new {
        New::All => &ENGINE,
        New::Lanes => &WITH_LANES,
        New::Products => &WITH_PRODUCTS,
    };
    let depends = move |program: &&Program| match (program.crate_folder(), &*program.name) {
        of if OVER_ALL.contains(&of) => false,
        PROOFS => new != New::Products,
        (folder, _) => folders.contains(&folder),
    };
    programs
        .iter()
        .filter(|program| program.is_test())
        .filter(depends)
}

/// The path of an example.
///
/// # Errors
/// There is none of that name.
pub fn example<'a>(programs: &'a [Program], name: &str) -> Result<&'a Path, String> {
    let is_it = |program: &&Program| program.kind == Kind::Example && program.name == name;
    let found = programs.iter().find(is_it);
    Ok(&found.ok_or_else(|| format!("no example {name}"))?.path)
}

/// The path of the tests `tests/NAME.rs` of the crate in the folder.
///
/// # Errors
/// There are none.
pub fn tests<'a>(programs: &'a [Program], folder: &str, name: &str) -> Result<&'a Path, String> {
    let mut found = (programs.iter())
        .filter(|program| program.kind == Kind::Tests && program.crate_folder() == folder);
    let found = found.find(|program| program.name == name);
    found
        .map(|program| program.path.as_path())
        .ok_or_else(|| format!("no tests {name} in {folder}"))
}

/// The path of the unit tests of the library in `crates/folder`.
///
/// # Errors
/// There are none.
pub fn unit_tests<'a>(programs: &'a [Program], folder: &str) -> Result<&'a Path, String> {
    let is_it =
        |program: &&Program| program.kind == Kind::UnitTests && program.crate_folder() == folder;
    let found = programs.iter().find(is_it);
    Ok(&found
        .ok_or_else(|| format!("no unit tests of {folder}"))?
        .path)
}

impl Program {
    /// Runs its tests on another backend than that of the step `tests`: all whose code is new there.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).arg("--quiet");
        for (part, _) in ON_ANY {
            command.args(["--skip", part]);
        }
        command.args(["--skip", OVER_ALL_KERNELS]);
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }

    fn is_test(&self) -> bool {
        matches!(self.kind, Kind::UnitTests | Kind::Tests)
    }

    fn crate_folder(&self) -> &str {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        name.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(folder: &str, kind: &str, test: bool) -> String {
        named(folder, kind, &format!("{folder}_{kind}"), test)
    }

    fn named(folder: &str, kind: &str, name: &str, test: bool) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"/w/crates/{folder}/Cargo.toml","target":{{"kind":["{kind}"],"name":"{name}"}},"profile":{{"test":{test}}},"executable":"/t/{name}"}}"#
        )
    }

    fn programs() -> Vec<Program> {
        let library = r#"{"reason":"compiler-artifact","manifest_path":"/w/crates/msm/Cargo.toml","profile":{"test":false},"executable":null}"#;
        let end = r#"{"reason":"build-finished","success":true}"#;
        let lines = [
            message("msm", "test", true),
            message("msm", "lib", true),
            message("msm", "example", false),
            named("msm", "test", "memory", true),
            named("snarkjs", "test", "groth16", true),
            named("snarkjs", "test", "formats", true),
            message("cli", "test", true),
            message("ct", "bin", false),
            library.into(),
            end.into(),
        ];
        compiled(&lines.join("\n")).unwrap_or_default()
    }

    #[test]
    fn programs_of_the_engine_run_in_their_folders() {
        let programs = programs();
        assert_eq!(programs.len(), 8);
        for (new, expected) in [
            (New::All, &["msm_test", "msm_lib", "groth16"][..]),
            (New::Lanes, &["msm_test", "msm_lib", "groth16"]),
            (New::Products, &["msm_test", "msm_lib"]),
        ] {
            let of_backends = of_backends(&programs, new);
            let names: Vec<&str> = of_backends.map(|program| &*program.name).collect();
            assert_eq!(names, expected);
        }
        let folder = Path::new("/w/crates/msm");
        let command = programs[0].command();
        assert_eq!(command.get_current_dir(), Some(folder));
        let names = ON_ANY.iter().map(|(name, _)| *name);
        for name in names.chain([OVER_ALL_KERNELS]) {
            assert!(command.get_args().any(|part| part == name), "{name}");
        }
    }

    #[test]
    fn crates_that_name_lanes_have_their_tests_run_there() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        let mut with_lanes = 0;
        for folder in std::fs::read_dir(crates).expect("crates").flatten() {
            let name = folder.file_name().to_string_lossy().into_owned();
            let manifest = std::fs::read_to_string(folder.path().join("Cargo.toml"));
            let names_lanes = manifest.is_ok_and(|text| text.contains("\nfrumious-simd"));
            if names_lanes && name != "limbs" {
                assert!(WITH_LANES.contains(&&*name), "{name}");
                with_lanes += 1;
            }
        }
        assert_eq!(with_lanes, 5);
    }

    #[test]
    fn crates_with_an_instance_for_each_way_to_a_product_have_their_tests_run_there() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        let mut dispatching = Vec::new();
        for folder in std::fs::read_dir(crates).expect("crates").flatten() {
            if dispatches(&folder.path().join("src")) {
                dispatching.push(folder.file_name().to_string_lossy().into_owned());
            }
        }
        for name in &dispatching {
            assert!(WITH_PRODUCTS.contains(&&**name), "{name}");
        }
        let limbs = 1; // chooses in the product itself
        assert_eq!(dispatching.len() + limbs, WITH_PRODUCTS.len());
    }

    /// Tests that have other names by now would be run again and again, unseen.
    #[test]
    fn tests_that_do_not_depend_on_the_backend_exist() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        for (name, file) in ON_ANY {
            let text = std::fs::read_to_string(crates.join(file)).unwrap_or_default();
            let mut tests = text.lines().filter(|line| line.starts_with("fn "));
            assert!(tests.any(|line| line.contains(name)), "{name}, {file}");
        }
    }

    /// A module that has another name by now would be run again and again, unseen.
    #[test]
    fn tests_over_all_kernels_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/msm/src/tests");
        let module = OVER_ALL_KERNELS.trim_matches(':');
        let text = std::fs::read_to_string(folder.join(module).with_extension("rs"));
        assert!(text.is_ok_and(|text| text.contains("\nmod ")));
    }

    /// True if a source file in the folder chooses a kernel.
    fn dispatches(folder: &Path) -> bool {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return false;
        };
        entries.flatten().any(|entry| match entry.path() {
            path if path.is_dir() => dispatches(&path),
            path => std::fs::read_to_string(path).is_ok_and(|t| t.contains("dispatch_kernel!")),
        })
    }

    #[test]
    fn programs_are_found_by_name() {
        let programs = programs();
        let path = |path: &'static str| Ok(Path::new(path));
        assert_eq!(example(&programs, "msm_example"), path("/t/msm_example"));
        assert_eq!(unit_tests(&programs, "msm"), path("/t/msm_lib"));
        assert_eq!(tests(&programs, "msm", "msm_test"), path("/t/msm_test"));
        assert!(tests(&programs, "msm", "msm_lib").is_err());
        assert!(example(&programs, "msm_lib").is_err());
        assert!(unit_tests(&programs, "cli").is_err());
    }

    #[test]
    fn no_program_is_an_error() {
        assert!(compiled("").is_err());
        assert!(compiled(&message("ct", "bin", false)).is_err());
        assert!(compiled("Compiling").is_err());
    }

    /// A crate that has another name by now would not be run, unseen.
    #[test]
    fn crates_of_the_engine_exist() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        for name in ENGINE {
            assert!(crates.join(name).join("Cargo.toml").is_file(), "{name}");
        }
        let parts = WITH_LANES.iter().chain(&WITH_PRODUCTS);
        assert!(parts.into_iter().all(|name| ENGINE.contains(name)));
        assert!(crates.join("snarkjs/tests/groth16").is_dir());
        let over_all = std::fs::read_to_string(crates.join("msm/tests/memory.rs"));
        assert!(over_all.is_ok_and(|text| text.contains("for backend in Backend::ALL")));
    }
}
