//! The workspace as steps see it: its folders, what they build in it, and the commands that they run.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::cargo::{cargo, forget_package};
use crate::test_programs::{self, Program};

/// Where the workspace and its builds are.
pub struct Place {
    pub root: PathBuf,
    pub target: PathBuf,
}

impl Place {
    /// The workspace that this program was built in.
    pub fn find() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(target) => PathBuf::from(target),
            None => root.join("target"),
        };
        Self { root, target }
    }

    /// A file of the workspace.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The command as README's first line builds it, but that names of symbols tell the types of generic functions.
    /// Without the server. Built if it is not.
    pub fn command(&self) -> Result<PathBuf, String> {
        self.built("quick")
    }

    /// Likewise, with the optimisations of a release: 766 s of CPU time to compile, where the other takes 570 (Emerald
    /// Rapids, two cores).
    pub fn released(&self) -> Result<PathBuf, String> {
        self.built("release")
    }

    fn built(&self, profile: &str) -> Result<PathBuf, String> {
        let build = self
            .cargo("build --locked -p frumious-cli --no-default-features --profile")
            .with(profile);
        self.run(build.setting("RUSTFLAGS", "-Csymbol-mangling-version=v0"))?;
        Ok(self.target.join(profile).join("frumious"))
    }

    /// The program of the step `ct`, as released but for the word that ADX is there: see
    /// `frumious_limbs::adx::Adx::detect`. Built if it is not.
    pub fn constant_time(&self) -> Result<PathBuf, String> {
        let target = self.target.join("valgrind");
        let mut build = self
            .cargo("build --release --locked -p frumious-ct --target-dir")
            .setting("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only")
            .setting(
                "RUSTFLAGS",
                "--cfg frumious_under_valgrind -Csymbol-mangling-version=v0",
            );
        build.0.arg(&target);
        // groth16 needs them and no case calls them. To optimise them takes about a third of the time to compile.
        for uncalled in ["msm", "fft"] {
            let setting = format!("profile.release.package.frumious-{uncalled}.opt-level=0");
            build = build.with("--config").with(&setting);
        }
        self.run(build)?;
        Ok(target.join("release/frumious-ct"))
    }

    /// Where the step `page` puts the browser package.
    pub fn page(&self) -> PathBuf {
        self.target.join("browser")
    }

    /// The programs of the step `tests`, compiled if they are not.
    pub fn test_programs(&self) -> Result<Vec<Program>, String> {
        let mut build = self.cargo("test --workspace --locked --no-run");
        build.0.arg("--message-format=json-render-diagnostics");
        test_programs::compiled(&self.output(build)?)
    }

    /// A program or a library that Cargo builds with the tests.
    pub fn of_tests(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(name)
    }

    pub fn cargo(&self, arguments: &str) -> Task {
        let mut command = cargo();
        command.args(arguments.split(' '));
        Task(command)
    }

    pub fn script(&self, name: &str) -> Task {
        let mut command = Command::new(self.path(name));
        forget_package(&mut command);
        Task(command)
    }

    pub fn run(&self, Task(mut command): Task) -> Result<(), String> {
        command.current_dir(&self.root);
        self.run_there(Task(command))
    }

    /// Runs a task in the folder that it names.
    pub fn run_there(&self, Task(mut command): Task) -> Result<(), String> {
        let status = command.status();
        ended(&command, status)
    }

    /// The text that a task prints on its standard output.
    pub fn output(&self, Task(mut command): Task) -> Result<String, String> {
        let command = command.current_dir(&self.root).stderr(Stdio::inherit());
        let output = command.output();
        let text = (output.as_ref().map(|output| output.stdout.clone())).unwrap_or_default();
        ended(command, output.map(|output| output.status))?;
        String::from_utf8(text).map_err(|error| error.to_string())
    }
}

fn ended(command: &Command, status: io::Result<ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{:?} ended with {status}", command.get_program())),
        Err(error) => Err(format!("{:?}: {error}", command.get_program())),
    }
}

/// A command to run in the workspace.
pub struct Task(pub Command);

impl Task {
    pub fn with(mut self, argument: &str) -> Self {
        self.0.arg(argument);
        self
    }

    pub fn setting(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.0.env(name, value);
        self
    }
}
