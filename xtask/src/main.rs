#![forbid(unsafe_code)]
//! `cargo xtask`: checks of the workspace that Cargo has no command for.
//!
//! - `api`: the public interface of the library ([`api`]); `bless-api` writes its lists.
//! - `asm-check`: what the compiler made of the lane kernels, read from a release binary ([`asm_check`]).
//! - `ct-check`: which functions are of variable time, and what calls them ([`ct_check`]).
//! - `size`: how much code there is, for each curve and in the command ([`size`]).
//! - `words`: sentences and lines of documents and of documentation comments ([`words`]).
//! - `ci`: CI, by steps that run alone ([`ci`]).
//! - `dist`: the files of a release ([`dist`]).
//! - `library`: the C library as a release has it, of any build, for tests.
//! - `notices`: licences of the crates that a package links, for the builds of packages.
//! - `bless`: writes the lists that are measured ([`bless`]).
//! - `backends`: the values of `FRUMIOUS_BACKEND` that this CPU can run, one a line, for scripts.
//!
//! Exit codes: 0 as it should be; 1 it is not; 2 the check could not be made.

mod api;
mod asm_check;
mod binary;
mod bless;
mod cargo;
mod ci;
mod ct_check;
mod dist;
mod semver;
mod size;
mod test_programs;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use ct_check::Which;
use frumious_limbs::Backend;

/// Checks of the workspace that Cargo has no command for.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Count the vector products in every lane kernel of a release binary, and the calls left in them; compare with
    /// xtask/lanes.txt
    AsmCheck {
        /// The binary, for x86-64 Linux and with v0 symbol names [default: builds frumious-cli into target/asm-check]
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
        /// Print a line of the table for each kernel found, with four fifths of its products, and compare nothing
        #[arg(long)]
        print: bool,
    },
    /// Compare what is of variable time with xtask/vartime.txt, and what calls it with xtask/vartime-calls.txt
    CtCheck {
        /// A binary in which no function that may be given secrets may divide, or branch on what it is given but as in
        /// xtask/ct-branches.txt
        #[arg(long, value_name = "PATH")]
        binary: Option<PathBuf>,
        /// Of the binary, look at the lane kernels of constant time alone
        #[arg(long, requires = "binary")]
        kernels: bool,
        /// Print and compare nothing: the public functions of variable time, as in xtask/vartime.txt. With a binary,
        /// the functions that branch on what they are given
        #[arg(long)]
        print: bool,
    },
    /// Compare how many bytes the command has, and the code of each curve, with xtask/sizes.txt
    Size {
        #[command(flatten)]
        paths: size::Paths,
        /// Compare nothing
        #[arg(long)]
        print: bool,
    },
    /// Compare the public interface of the library with xtask/api
    Api,
    /// Write xtask/api anew
    BlessApi,
    /// Find long sentences, long lines, and documentation that opens with a question
    Words,
    /// Run steps of CI; without a name, list them
    Ci {
        /// Names of steps, or `all` for those of every change
        #[arg(value_name = "STEP")]
        steps: Vec<String>,
        /// A step to leave out of `all`
        #[arg(long, value_name = "STEP")]
        skip: Vec<String>,
    },
    /// Write the measured lists anew: xtask/vartime.txt, sizes.txt and lanes.txt
    Bless,
    /// Make the files of a release: static program, Debian package, container image, C library, bill of materials
    Dist {
        /// The CPUs, separated by commas
        #[arg(
            long,
            value_name = "CPU",
            value_delimiter = ',',
            default_value = "x86_64"
        )]
        cpu: Vec<dist::Cpu>,
        /// The folder for the files [default: target/dist]
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// Lay out the C library as a release has it, from a static library that Cargo has built
    Library {
        /// `libfrumious_c.a`
        #[arg(value_name = "ARCHIVE")]
        built: PathBuf,
        /// The folder: a new one
        #[arg(value_name = "FOLDER")]
        out: PathBuf,
    },
    /// Print the licences of the crates of others that a package links
    Notices {
        #[arg(value_name = "PACKAGE")]
        package: String,
        /// Such as x86_64-unknown-linux-gnu
        #[arg(value_name = "TARGET")]
        target: String,
    },
    /// Print the backends that this CPU can run, slowest first
    Backends,
}

fn main() -> ExitCode {
    match Task::parse() {
        Task::AsmCheck { binary, print } => asm_check::run(binary, print),
        Task::CtCheck {
            binary,
            kernels,
            print,
        } => {
            let which = if kernels { Which::Kernels } else { Which::All };
            ct_check::run(binary, which, print)
        }
        Task::Size { paths, print } => size::run(&paths, print),
        Task::Ci { steps, skip } => ci::run(&steps, &skip),
        Task::Bless => bless::run(),
        Task::Api => {
            let place = ci::Place::find();
            verdict("api", api::check(&place.root, &place.target))
        }
        Task::BlessApi => {
            let place = ci::Place::find();
            let blessed = api::bless(&place.root, &place.target);
            verdict("bless-api", blessed.map(|()| true))
        }
        Task::Words => verdict("words", words::check(&root())),
        Task::Dist { cpu, out } => {
            let out = out.unwrap_or_else(|| root().join("target/dist"));
            verdict("dist", dist::run(&root(), &out, &cpu))
        }
        Task::Library { built, out } => verdict("library", dist::library(&root(), &built, &out)),
        Task::Notices { package, target } => verdict(
            "notices",
            dist::notices(&root(), &target, &package).map(|notices| {
                print!("{notices}");
                true
            }),
        ),
        Task::Backends => {
            Backend::ALL
                .into_iter()
                .filter(|backend| backend.is_supported())
                .for_each(|backend| println!("{}", backend.name()));
            ExitCode::SUCCESS
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// 0 for a check that passed, 1 for one that found faults, 2 for one that could not be made.
fn verdict(check: &str, passed: Result<bool, String>) -> ExitCode {
    match passed {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{check}: {error}");
            ExitCode::from(2)
        }
    }
}
