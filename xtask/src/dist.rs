//! `cargo xtask dist`: the files of a release, for operators who build nothing.
//!
//! | file | holds |
//! |---|---|
//! | `frumious-VERSION-TARGET.tar.gz` | the program, linked statically, its links, manual pages, completions |
//! | `frumious_VERSION_ARCH.deb` | the same as a Debian package |
//! | `libfrumious-VERSION-TARGET.tar.gz` | the C library: shared and static, headers, pkg-config, CMake |
//! | `frumious-node-VERSION-TARGET.tgz` | the Node package with its addon; without CPU in its name, with those of all |
//! | `frumious-VERSION-TARGET.oci.tar` | a container image of the program alone, which runs as nobody |
//! | `frumious-VERSION-TARGET.cdx.json` | the crates that are linked, as CycloneDX 1.5 |
//! | `SHA256SUMS` | digests of the above |
//!
//! Paths are cut out of the programs, and all times are that of the commit, so that builds can be compared.

mod build;
mod debian;
mod image;
mod library;
mod licences;
mod node;
mod parts;
mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

/// A CPU that releases are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Cpu {
    /// All backends, chosen when the program starts.
    #[value(name = "x86_64")]
    X86_64,
    /// Portable code.
    #[value(name = "aarch64")]
    Aarch64,
}

impl Cpu {
    fn name(self) -> &'static str {
        match self {
            Cpu::X86_64 => "x86_64",
            Cpu::Aarch64 => "aarch64",
        }
    }

    /// Debian's and the container world's name.
    fn short(self) -> &'static str {
        match self {
            Cpu::X86_64 => "amd64",
            Cpu::Aarch64 => "arm64",
        }
    }

    fn triple(self) -> String {
        format!("{}-unknown-linux-gnu", self.name())
    }
}

/// A release for one CPU.
struct Release {
    /// The workspace.
    root: PathBuf,
    /// The folder that the files go to.
    out: PathBuf,
    cpu: Cpu,
    version: String,
    /// Seconds since 1970 of the commit: the time of every file.
    epoch: String,
}

impl Release {
    /// Makes the folder of the files.
    fn new(root: &Path, out: &Path, cpu: Cpu) -> Result<Self, String> {
        let root = root.canonicalize().map_err(|error| error.to_string())?;
        fs::create_dir_all(out).map_err(about(out))?;
        Ok(Self {
            out: out.canonicalize().map_err(about(out))?,
            cpu,
            version: version(&root)?,
            epoch: output(Command::new("git").current_dir(&root).args([
                "log",
                "-1",
                "--format=%ct",
            ]))?,
            root,
        })
    }

    /// The notices of the crates that a package links.
    fn notices(&self, package: &str) -> Result<String, String> {
        notices(&self.root, &self.cpu.triple(), package)
    }

    /// `NAME-VERSION-CPU-linux`.
    fn named(&self, name: &str) -> String {
        format!("{name}-{}-{}-linux", self.version, self.cpu.name())
    }
}

/// Makes the files of releases for some CPUs in `out`, and prints their digests.
///
/// # Errors
/// A build that fails; a file that cannot be written.
pub fn run(root: &Path, out: &Path, cpus: &[Cpu]) -> Result<bool, String> {
    let (mut files, mut addons) = (Vec::new(), Vec::new());
    let mut releases = Vec::new();
    for cpu in cpus {
        let release = Release::new(root, out, *cpu)?;
        let program = build::program(&release)?;
        files.extend(of_program(&release, &program)?);
        let (library, addon) = build::libraries(&release)?;
        files.push(of_library(&release, &library)?);
        addons.push((*cpu, addon));
        releases.push(release);
    }
    let last = releases.last().ok_or("no CPU is named")?;
    files.push(node::package(last, &addons)?);
    let mut sums = String::new();
    for file in files {
        let bytes = fs::read(&file).map_err(about(&file))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        sums += &format!("{}  {name}\n", digest(&bytes));
    }
    write(&last.out.join("SHA256SUMS"), &sums)?;
    print!("{sums}");
    Ok(true)
}

fn of_program(release: &Release, program: &Path) -> Result<[PathBuf; 4], String> {
    let notices = release.notices("frumious-cli")?;
    let tree = program::tree(release, program, &notices)?;
    Ok([
        archive(release, tree.path(), "frumious")?,
        debian::package(release, tree.path())?,
        image::image(release, program, &notices)?,
        parts::bill_of_materials(release)?,
    ])
}

fn of_library(release: &Release, library: &Path) -> Result<PathBuf, String> {
    let installed = tempfile::tempdir().map_err(|error| error.to_string())?;
    library::fill(release, library, installed.path())?;
    let notices = release.notices("frumious-c")?;
    let place = installed.path().join("share/doc/libfrumious");
    write(&place.join(licences::FILE), notices)?;
    archive(release, installed.path(), "libfrumious")
}

fn archive(release: &Release, tree: &Path, name: &str) -> Result<PathBuf, String> {
    let name = release.named(name);
    parts::archive(release, tree, &format!("{name}.tar.gz"), &name)
}

/// Lays out the C library in a new folder, as its archive has it, for the CPU that this runs on.
///
/// `built` is the static form that any build has made. Tests link programs with what is laid out.
///
/// # Errors
/// A file that cannot be read or written; a CPU that no release is made for.
pub fn library(root: &Path, built: &Path, out: &Path) -> Result<bool, String> {
    let cpu = <Cpu as clap::ValueEnum>::from_str(std::env::consts::ARCH, false)?;
    let release = Release::new(root, out, cpu)?;
    library::fill(&release, built, &release.out)?;
    Ok(true)
}

/// The notices of the crates that a package links for a target: see [`licences::notices`].
///
/// # Errors
/// Cargo's lists or a crate's files cannot be read.
pub fn notices(root: &Path, target: &str, package: &str) -> Result<String, String> {
    licences::notices(root, target, package)
}

/// The version in the workspace's manifest.
fn version(root: &Path) -> Result<String, String> {
    let path = root.join("Cargo.toml");
    let manifest = fs::read_to_string(&path).map_err(about(&path))?;
    let line = manifest.lines().find(|line| line.starts_with("version = "));
    let quoted = line.and_then(|line| line.split('"').nth(1));
    quoted
        .map(str::to_owned)
        .ok_or_else(|| "Cargo.toml: no version".into())
}

/// SHA-256 in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text that a command prints, without the line's end.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name} ended with {}: {error}", output.status));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    Ok(text.trim_end().to_owned())
}

/// Writes a file, and the folders that it is in.
fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(about(folder))?;
    }
    fs::write(path, content).map_err(about(path))
}

/// Copies a file, and makes the folders that it is in.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    write(to, fs::read(from).map_err(about(from))?)?;
    let permissions = fs::metadata(from).map_err(about(from))?.permissions();
    fs::set_permissions(to, permissions).map_err(about(to))
}

/// An error with the path that it is about.
fn about(path: &Path) -> impl FnOnce(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}
