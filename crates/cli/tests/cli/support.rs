//! Runs the command in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use frumious_circom::{R1csBuilder, Wtns};
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with copies of the fixtures, in which commands run; removed on drop.
pub struct Workplace(TempDir);

/// The command: that of this build, or the one of another profile that the environment names.
pub fn program() -> PathBuf {
    let other = std::env::var_os(OTHER).map(PathBuf::from);
    other.unwrap_or_else(|| env!("CARGO_BIN_EXE_frumious").into())
}

/// True if the command unwinds when its work is stopped: the other profile is `quick`.
pub fn unwinds() -> bool {
    std::env::var_os(OTHER).is_none()
}

const OTHER: &str = "FRUMIOUS_BIN";

/// The end of a command.
pub struct Ending {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Workplace {
    /// With `mul.r1cs`, `mul.wtns`, `mul.zkey`, `contributed.zkey`, `pot2.ptau`, `proof.json`, `public.json`,
    /// `vkey.json`, `mul.wasm`, `input.json`, `serve.toml`.
    pub fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a temporary folder"));
        for (from, to) in [
            ("mul.r1cs", "mul.r1cs"),
            ("mul.wtns", "mul.wtns"),
            ("mul.zkey", "mul.zkey"),
            ("contributed.zkey", "contributed.zkey"),
            ("pot2.ptau", "pot2.ptau"),
            ("proof.json", "proof.json"),
            ("public.json", "public.json"),
            ("verification_key.json", "vkey.json"),
            ("calldata.txt", "calldata.txt"),
        ] {
            place.copy_fixture(from, to);
        }
        let wasm =
            wat::parse_str(include_str!("../data/multiplier.wat")).expect("the text is right");
        place.write("mul.wasm", wasm);
        place.write("input.json", r#"{"a": "3", "b": 11}"#);
        place.write(
            "serve.toml",
            "data = \"data\"\n[[circuits]]\nid = \"mul\"\nkey = \"mul.zkey\"\n",
        );
        place
    }

    /// Copies one of the files of `frumious-circom`'s tests.
    pub fn copy_fixture(&self, from: &str, to: &str) {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data");
        fs::copy(data.join(from), self.path(to)).expect("the fixture is there");
    }

    /// Writes a constraint system, each of whose wires is the square of the one before it, and a witness.
    pub fn write_squarings(&self, name: &str, count: u32) {
        let mut builder = R1csBuilder::new(1, 0, 1);
        let mut values = vec![Fr::ONE, Fr::ZERO, Fr::from_u64(3)];
        let mut last = 2;
        for k in 1..=count {
            let next = if k == count { 1 } else { builder.new_wire() };
            builder.constraint(&[(last, Fr::ONE)], &[(last, Fr::ONE)], &[(next, Fr::ONE)]);
            let square = values[last as usize].square();
            match k == count {
                true => values[1] = square,
                false => values.push(square),
            }
            last = next;
        }
        let values = values.iter().copied().map(Integer::from).collect();
        let file = |kind| fs::File::create(self.path(&format!("{name}.{kind}"))).expect("a file");
        builder
            .build()
            .write(file("r1cs"))
            .expect("a file of constraints");
        let witness = Wtns::new(values).expect("a witness");
        witness.write(file("wtns")).expect("a file of values");
    }

    /// Writes a constraint system without a constraint.
    pub fn write_empty_circuit(&self, name: &str) {
        let file = fs::File::create(self.path(&format!("{name}.r1cs"))).expect("a file");
        let circuit = R1csBuilder::new(0, 1, 0).build();
        circuit.write(file).expect("a file of constraints");
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).expect("it can be written");
    }

    /// The names of all files in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder is there");
        let name =
            |entry: std::io::Result<fs::DirEntry>| entry.expect("it can be read").file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Runs `frumious` in the folder; `line` is split at blanks.
    pub fn run(&self, line: &str) -> Ending {
        self.run_with(line, &[])
    }

    /// As [`Workplace::run`], with variables added to the environment.
    pub fn run_with(&self, line: &str, environment: &[(&str, &str)]) -> Ending {
        self.run_from(line, environment, None)
    }

    /// As [`Workplace::run_with`], with the contents of a file on stdin.
    pub fn run_from(
        &self,
        line: &str,
        environment: &[(&str, &str)],
        stdin: Option<&Path>,
    ) -> Ending {
        let stdin = match stdin {
            Some(path) => Stdio::from(fs::File::open(path).expect("the input is there")),
            None => Stdio::null(),
        };
        let output = Command::new(program())
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .envs(environment.iter().copied())
            .stdin(stdin)
            .output()
            .expect("the command starts");
        let ending = Ending {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        };
        assert!(
            !ending.stderr.contains("panicked"),
            "{line}: {}",
            ending.stderr
        );
        ending
    }

    /// Runs `frumious` and requires exit code 0.
    pub fn succeed(&self, line: &str) -> Ending {
        self.end_with(0, line)
    }

    /// Runs `frumious` and requires an exit code.
    pub fn end_with(&self, code: i32, line: &str) -> Ending {
        let ending = self.run(line);
        let Ending { stdout, stderr, .. } = &ending;
        assert_eq!(ending.code, Some(code), "{line}\n{stdout}{stderr}");
        ending
    }
}

impl Ending {
    /// Stdout as one JSON object, and nothing else.
    pub fn json(&self) -> Value {
        let value = serde_json::from_str(&self.stdout);
        let value: Value = value.unwrap_or_else(|error| panic!("{error}: {}", self.stdout));
        assert!(value.is_object(), "{value}");
        value
    }
}
