//! The steps.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use super::Place;
use super::passed::{Inputs, unless_passed};
use super::place::Task;
use crate::ct_check::Which;
use crate::semver::latest_release;
use crate::test_programs::New;
use crate::{api, asm_check, ct_check, semver, size, test_programs, words};
use frumious_limbs::Backend;

/// One step.
pub(super) struct Step {
    pub(super) name: &'static str,
    /// One line for the list.
    pub(super) about: &'static str,
    /// Steps that must have ended.
    pub(super) needs: &'static [&'static str],
    pub(super) run: fn(&Place) -> Result<(), String>,
}

/// The steps of every change, in the order in which CI begins them: those that take long first.
pub(super) const STEPS: [Step; 21] = [
    Step {
        name: "format",
        about: "rustfmt",
        needs: &[],
        run: |place| {
            place.run(place.cargo("fmt --all --check"))?;
            place.run(place.cargo("fmt --check --manifest-path xtask/Cargo.toml"))
        },
    },
    Step {
        name: "words",
        about: "long sentences, long lines, documentation that opens with a question",
        needs: &[],
        run: |place| match words::check(&place.root)? {
            true => Ok(()),
            false => Err("see the lines above".into()),
        },
    },
    Step {
        name: "programs",
        about: "the test programs, compiled",
        needs: &[],
        run: |place| place.test_programs().map(|_| ()),
    },
    Step {
        name: "interop",
        about: "real circom, snarkjs, EVM and rust-verkle",
        needs: &["programs"],
        run: interop,
    },
    Step {
        name: "tests",
        about: "every test suite, on the backend that this CPU has: README's test command",
        needs: &["programs"],
        run: |place| place.run(place.cargo("test --workspace --locked")),
    },
    Step {
        name: "kernels",
        about: "the command as README's first line builds it: lane kernels, constant time, its proof, and signals",
        needs: &["programs"],
        run: |place| {
            let command = place.command()?;
            kernels(&command)?;
            place.run(Task(Command::new(&command)).with("demo"))?;
            signals(place, &command)
        },
    },
    Step {
        name: "memory",
        about: "the C library, and unsafe code, under valgrind and AddressSanitizer",
        needs: &["programs"],
        run: |place| {
            let programs = place.test_programs()?;
            let tests = test_programs::tests(&programs, "c", "programs")?;
            let library = place.script(".ci/memory").with("library");
            place.run(library.setting("FRUMIOUS_C_TESTS", tests))?;
            unless_passed(place, &UNSAFE_CODE, || {
                place.run(place.script(".ci/memory").with("code"))
            })
        },
    },
    Step {
        name: "page",
        about: "the browser package, built: optimised as a whole, which takes one CPU long",
        needs: &["programs"],
        run: |place| {
            let build = place.script("bindings/browser/build");
            place.run(build.with(&place.page().to_string_lossy()))
        },
    },
    Step {
        name: "python",
        about: "the Python package: its tests, with modules of circom that interop has compiled, and its types",
        needs: &["interop"],
        run: python,
    },
    Step {
        name: "browser",
        about: "the browser package in Chromium, beside snarkjs, with circuits that interop has compiled",
        needs: &["interop", "page"],
        run: |place| {
            let run = place.script(".ci/browser");
            let run = run.setting("FRUMIOUS_BROWSER", place.page());
            place.run(run.setting("FRUMIOUS_BIN", place.of_tests("frumious")))
        },
    },
    Step {
        name: "backends",
        about: "tests of the engine on each other backend, of crates with code of their own for it",
        needs: &["programs"],
        run: backends,
    },
    Step {
        name: "targets",
        about: "another CPU: aarch64 under qemu, a proof is verified",
        needs: &["programs"],
        run: |place| unless_passed(place, &OTHER_CPU, || place.run(place.script(".ci/targets"))),
    },
    Step {
        name: "ct",
        about: "constant time, under valgrind and by reading machine code; the code size of each curve",
        needs: &["programs"],
        run: |place| unless_passed(place, &CONSTANT_TIME, || constant_time(place)),
    },
    Step {
        name: "clippy",
        about: "clippy, without warnings",
        needs: &["programs"],
        run: |place| {
            let options = "--all-targets --locked -- -D warnings";
            place.run(place.cargo(&format!("clippy --workspace {options}")))?;
            place.run(place.cargo(&format!(
                "clippy --manifest-path xtask/Cargo.toml {options}"
            )))
        },
    },
    Step {
        name: "docs",
        about: "documentation, without warnings",
        needs: &["programs"],
        run: |place| {
            let doc = place.cargo("doc --workspace --no-deps --locked --features frumious/full");
            place.run(doc.setting("RUSTDOCFLAGS", "-D warnings"))
        },
    },
    Step {
        name: "features",
        about: "the library with each feature alone, and with none; no feature of others that changes its user's program",
        needs: &["programs"],
        run: features,
    },
    Step {
        name: "api",
        about: "the public interface of the library against xtask/api",
        needs: &["programs"],
        run: |place| match api::check(&place.root, &place.target)? {
            true => Ok(()),
            false => Err("see the lines above".into()),
        },
    },
    Step {
        name: "semver",
        about: "the public interface of the library against the latest release, if there is one",
        needs: &["programs"],
        run: semver,
    },
    Step {
        name: "publish",
        about: "packages of all crates that are published, in an order in which each finds those that it needs",
        needs: &["programs"],
        run: |place| {
            let options = "--dry-run --no-verify --allow-dirty --locked";
            place.run(place.cargo(&format!("publish --workspace {options}")))
        },
    },
    Step {
        name: "checks",
        about: "the tests of these checks, which are a workspace of their own",
        needs: &["programs"],
        run: |place| place.run(place.cargo("test --locked --manifest-path xtask/Cargo.toml")),
    },
    Step {
        name: "deny",
        about: "licences and sources of third-party crates",
        needs: &["programs"],
        run: |place| unless_passed(place, &PINS, || deny(place)),
    },
];

/// The steps that are due before a release. Each compiles much for what tests find on most days: the stored inputs of
/// fuzz targets, and mutated ones, are among the tests (`crates/properties`).
pub(super) const BEFORE_RELEASE: [Step; 5] = [
    Step {
        name: "fuzz",
        about: "fuzz targets over their stored inputs, then for a minute each",
        needs: &[],
        run: |place| place.run(place.script(".ci/fuzz").with("60")),
    },
    Step {
        name: "cpus",
        about: "other CPUs: s390x, which is big-endian, under qemu; wasm32 in node; generators for aarch64",
        needs: &[],
        run: |place| {
            let run = place.script(".ci/targets");
            place.run(run.with("s390x").with("wasm32").with("generators"))
        },
    },
    Step {
        name: "instrumented",
        about: "AddressSanitizer in the C library itself, under C programs",
        needs: &[],
        run: |place| place.run(place.script(".ci/memory").with("instrumented")),
    },
    Step {
        name: "release",
        about: "with the optimisations of a release: tests of lanes; the command's kernels, constant time, size, interop",
        needs: &[],
        run: release,
    },
    Step {
        name: "graphs",
        about: "graphs that the crates of others write; on other days, the stored ones (crates/witness/tests/data)",
        needs: &[],
        run: |place| place.run(interop_script(place)?.with("test/generators.test.js")),
    },
];

/// For `.ci/memory code`.
const UNSAFE_CODE: Inputs = Inputs {
    name: "memory",
    packages: &["frumious-limbs", "frumious-simd", "frumious-mapping"],
    files: &[".ci/memory", ".ci/install"],
    is_of_machine: true,
};

/// For `.ci/targets`.
const OTHER_CPU: Inputs = Inputs {
    name: "targets",
    packages: &["frumious-limbs", "frumious-field", "frumious-portable"],
    files: &[".ci/targets", ".ci/install"],
    is_of_machine: false,
};

const CONSTANT_TIME: Inputs = Inputs {
    name: "ct",
    packages: &["frumious-ct"],
    files: &[
        ".ci/ct",
        ".ci/install",
        "xtask/src/binary.rs",
        "xtask/src/ci/place.rs",
        "xtask/src/ct_check",
        "xtask/src/ct_check.rs",
        "xtask/src/size.rs",
        "xtask/ct-branches.txt",
        "xtask/ct-uncovered.txt",
        "xtask/vartime-calls.txt",
        "xtask/vartime.txt",
        "xtask/sizes.txt",
    ],
    is_of_machine: true,
};

fn constant_time(place: &Place) -> Result<(), String> {
    let program = place.constant_time()?;
    let curves = size::Paths {
        cli: None,
        curves: Some(program.clone()),
    };
    passed("size", size::run(&curves, false))?;
    place.run(place.script(".ci/ct").setting("FRUMIOUS_CT", program))
}

fn backends(place: &Place) -> Result<(), String> {
    let supported: Vec<Backend> = Backend::ALL
        .into_iter()
        .filter(|b| b.is_supported())
        .collect();
    let (_, others) = supported.split_last().ok_or("no backend")?; // the last is that of the step `tests`
    let programs = place.test_programs()?;
    others.iter().try_for_each(|backend| {
        println!("--- FRUMIOUS_BACKEND={}", backend.name());
        let new = match *backend {
            // Beside ADX, whose tests run whole: here, or in the step `tests`.
            Backend::AVX2FMA => New::Lanes,
            Backend::PORTABLE => New::Products,
            _ => New::All,
        };
        test_programs::of_backends(&programs, new).try_for_each(|program| {
            let task = Task(program.command());
            place.run_there(task.setting("FRUMIOUS_BACKEND", backend.name()))
        })
    })
}

/// Tests of signals, of a command that cannot unwind.
fn signals(place: &Place, command: &Path) -> Result<(), String> {
    let programs = place.test_programs()?;
    let tests = test_programs::tests(&programs, "cli", "cli")?;
    let run = Task(Command::new(tests))
        .with("interrupted")
        .with("progress");
    place.run(run.setting("FRUMIOUS_BIN", command))
}

fn kernels(command: &Path) -> Result<(), String> {
    let command = || Some(command.to_path_buf());
    passed("asm-check", asm_check::run(command(), false))?;
    passed("ct-check", ct_check::run(command(), Which::Kernels, false))
}

/// The command with the optimisations of a release: its kernels, its size, and interop.
fn release(place: &Place) -> Result<(), String> {
    // Loops over limbs have another form without debug assertions (crates/simd/src/lanes/unroll.rs).
    place.run(place.cargo("test --release --locked --package frumious-simd"))?;
    let command = place.released()?;
    kernels(&command)?;
    let sizes = size::Paths {
        cli: Some(command.clone()),
        curves: None,
    };
    passed("size", size::run(&sizes, false))?;
    let run = interop_script(place)?.setting("FRUMIOUS_BIN", &command);
    let run = run.setting("FRUMIOUS_SERVER", place.of_tests("frumious"));
    place.run(run.setting("FRUMIOUS_GRAPHS", "none"))
}

/// Features of serde_json that change how all crates of a user's program read JSON, as features are of the program.
const OF_WHOLE_PROGRAMS: [&str; 3] = ["arbitrary_precision", "preserve_order", "unbounded_depth"];

fn features(place: &Place) -> Result<(), String> {
    let check = "check --locked --package frumious --no-default-features";
    place.run(place.cargo(check))?;
    let tree = "tree --locked --package frumious --features full --edges normal,features --invert serde_json";
    let tree = place.output(place.cargo(tree))?;
    if let Some(feature) = (OF_WHOLE_PROGRAMS.iter()).find(|feature| tree.contains(**feature)) {
        return Err(format!("serde_json has its feature {feature}"));
    }
    let manifest = fs::read_to_string(place.path("crates/frumious/Cargo.toml"))
        .map_err(|error| format!("crates/frumious/Cargo.toml: {error}"))?;
    let mut table = (manifest.lines())
        .skip_while(|line| *line != "[features]")
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    table.try_for_each(|line| match line.split_once(" = ") {
        Some((feature, _)) if !line.starts_with('#') => {
            println!("--- {feature}");
            place.run(place.cargo(&format!("{check} --features {feature}")))
        }
        _ => Ok(()),
    })
}

/// They pin every third-party crate by its checksum, and tell what is allowed. A version `*` for a crate that is there
/// already does not show in them: outside CI the step does all of its work.
const PINS: Inputs = Inputs {
    name: "deny",
    packages: &[],
    files: &["Cargo.lock", "Cargo.toml", "deny.toml"],
    is_of_machine: false,
};

fn deny(place: &Place) -> Result<(), String> {
    let version = place.cargo("deny --version").0.output();
    if !version.is_ok_and(|output| output.status.success()) {
        // it has little to do: the time to compile it is all that counts
        let install = place.cargo("install cargo-deny --locked --quiet --debug");
        place.run(install.setting("CARGO_PROFILE_DEV_DEBUG", "false"))?;
    }
    place.run(place.cargo("fetch --locked"))?; // of every platform, for what follows is offline
    place.run(place.cargo("deny --offline check licenses bans sources"))
}

fn semver(place: &Place) -> Result<(), String> {
    let mut tags = Command::new("git");
    tags.args(["tag", "--list", "--merged"]);
    let tags = place.output(Task(tags))?;
    let Some(release) = latest_release(&tags) else {
        println!("no release to compare with");
        return Ok(());
    };
    let version = place.cargo("semver-checks --version").0.output();
    if !version.is_ok_and(|output| output.status.success()) {
        place.run(place.cargo("install cargo-semver-checks --locked --quiet --debug"))?;
    }
    place.run(place.cargo(&semver::arguments(release)))
}

fn interop(place: &Place) -> Result<(), String> {
    place.run(interop_script(place)?.setting("FRUMIOUS_GRAPHS", "none"))
}

/// `interop/run` with the programs that other steps have built.
fn interop_script(place: &Place) -> Result<Task, String> {
    let programs = place.test_programs()?;
    let example = |name| test_programs::example(&programs, name);
    let witness = test_programs::unit_tests(&programs, "witness")?;
    let run = place.script("interop/run");
    let run = run.setting("FRUMIOUS_BIN", place.of_tests("frumious"));
    let run = run.setting("FRUMIOUS_NODE", place.of_tests("deps/libfrumious_node.so"));
    let run = run.setting("FRUMIOUS_C", place.of_tests("deps/libfrumious_c.a"));
    let run = run.setting("FRUMIOUS_WITNESS_TESTS", witness);
    let run = run.setting("FRUMIOUS_EDDSA", example("eddsa")?);
    Ok(run.setting("FRUMIOUS_GADGETS", example("gadgets")?))
}

fn python(place: &Place) -> Result<(), String> {
    place.test_programs()?;
    let module = place.of_tests("deps/libfrumious_python.so");
    let circuits = place.path("interop/.cache/circuits");
    let run = place.script(".ci/python");
    let run = run.setting("FRUMIOUS_PYTHON", module.canonicalize().unwrap_or(module));
    let circuits = circuits.canonicalize().unwrap_or(circuits);
    place.run(run.setting("FRUMIOUS_CIRCOM_MODULES", circuits))
}

fn passed(check: &str, code: ExitCode) -> Result<(), String> {
    match code == ExitCode::SUCCESS {
        true => Ok(()),
        false => Err(format!("{check} found faults")),
    }
}
