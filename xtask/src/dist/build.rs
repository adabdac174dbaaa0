//! Builds that give the same bytes in any folder.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Cpu, Release, output};
use crate::cargo::forget_package;

/// The program without symbols, with the C library linked in.
///
/// # Errors
/// A build that fails.
pub fn program(release: &Release) -> Result<PathBuf, String> {
    let built = build(
        release,
        &["frumious-cli"],
        "program",
        &["-Ctarget-feature=+crt-static", RANDOMNESS],
    )?;
    let program = built.join("frumious");
    let stripped = built.join("frumious-stripped");
    let mut strip = tool(release, "strip");
    output(
        strip
            .arg("--strip-all")
            .arg("-o")
            .arg(&stripped)
            .arg(&program),
    )?;
    Ok(stripped)
}

/// A tool of binutils, or the C compiler as `gcc`, for the release's CPU.
pub fn tool(release: &Release, name: &str) -> Command {
    Command::new(match is_native(release) {
        true => name.to_owned(),
        false => format!("{}-linux-gnu-{name}", release.cpu.name()),
    })
}

/// Random bytes by the system call. A static program does not find the C library's function at run time, and would read
/// `/dev/urandom`, which a bare root has not.
const RANDOMNESS: &str = "--cfg=getrandom_backend=\"linux_getrandom\"";

/// The static form of the C library, and the addon of Node.
///
/// # Errors
/// A build that fails.
pub fn libraries(release: &Release) -> Result<(PathBuf, PathBuf), String> {
    let built = build(release, &["frumious-c", "frumious-node"], "library", &[])?;
    let addon = built.join("frumious.node");
    let mut strip = tool(release, "strip");
    strip.arg("--strip-unneeded").arg("-o").arg(&addon);
    output(strip.arg(built.join("libfrumious_node.so")))?;
    Ok((built.join("libfrumious_c.a"), addon))
}

/// Builds packages, and returns the folder of what was built.
fn build(
    release: &Release,
    packages: &[&str],
    folder: &str,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let target = release.root.join("target/dist-build").join(folder);
    let triple = release.cpu.triple();
    let mut flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    flags.extend(remapped(release)?);
    let mut cargo = cargo(release);
    cargo
        .current_dir(&release.root)
        .args(["build", "--release", "--locked"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args(["--target", &triple, "--target-dir"])
        .arg(&target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env("CARGO_INCREMENTAL", "0")
        .env("SOURCE_DATE_EPOCH", &release.epoch)
        .env("FRUMIOUS_COMMIT", commit(release)?);
    // The C code of crates has no assertions that tell where it was compiled.
    cargo.env(
        "CFLAGS",
        format!("-ffile-prefix-map={}=/cargo", home()?.display()),
    );
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    match status.success() {
        true => Ok(target.join(triple).join("release")),
        false => Err(format!(
            "the build of {} ended with {status}",
            packages.join(", ")
        )),
    }
}

/// Cargo with a compiler that has a standard library for the CPU: for others than this one, Debian's, which has its
/// sources (`.ci/targets`).
fn cargo(release: &Release) -> Command {
    if is_native(release) {
        return crate::cargo::cargo();
    }
    let mut cargo = Command::new("/usr/bin/cargo");
    forget_package(&mut cargo);
    cargo
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_unwind");
    if release.cpu == Cpu::Aarch64 {
        cargo
            .env(
                "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
                "aarch64-linux-gnu-gcc",
            )
            .env("CC_aarch64_unknown_linux_gnu", "aarch64-linux-gnu-gcc");
    }
    cargo
}

/// True if the release is for the CPU that this runs on.
pub fn is_native(release: &Release) -> bool {
    env::consts::ARCH == release.cpu.name()
}

/// Flags that take the paths of this machine out of what is built.
fn remapped(release: &Release) -> Result<Vec<String>, String> {
    let remap = |path: &Path, name: &str| format!("--remap-path-prefix={}={name}", path.display());
    Ok(vec![
        remap(&release.root, "/frumious"),
        remap(&home()?, "/cargo"),
    ])
}

/// Cargo's folder, with the sources of crates.
fn home() -> Result<PathBuf, String> {
    if let Some(home) = env::var_os("CARGO_HOME") {
        return Ok(home.into());
    }
    let home = env::home_dir().ok_or("no home folder")?;
    Ok(home.join(".cargo"))
}

fn commit(release: &Release) -> Result<String, String> {
    output(
        Command::new("git")
            .current_dir(&release.root)
            .args(["rev-parse", "--short=12", "HEAD"]),
    )
}
