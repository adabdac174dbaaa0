//! The Node package with its addons, as `npm install FILE` takes it.

use std::path::PathBuf;

use super::{Cpu, Release, about, copy, parts};

/// `frumious-node-VERSION-linux-ARCH.tgz`, or without `-ARCH` with the addons of several CPUs.
///
/// # Errors
/// A file that cannot be read or written.
pub fn package(release: &Release, addons: &[(Cpu, PathBuf)]) -> Result<PathBuf, String> {
    let tree = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = release.root.join("bindings/node");
    for entry in std::fs::read_dir(&source).map_err(about(&source))? {
        let path = entry.map_err(about(&source))?.path();
        let name = path.file_name().unwrap_or_default();
        let text = name.to_string_lossy();
        let endings = [".js", ".json", ".d.ts", ".md"];
        if endings.iter().any(|ending| text.ends_with(ending)) {
            copy(&path, &tree.path().join(name))?;
        }
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&release.root.join(licence), &tree.path().join(licence))?;
    }
    for (cpu, addon) in addons {
        let name = format!("frumious.linux-{}.node", architecture(*cpu));
        copy(addon, &tree.path().join(name))?;
    }
    let ending = match addons {
        [(cpu, _)] => format!("-{}", architecture(*cpu)),
        _ => String::new(),
    };
    let file = format!("frumious-node-{}-linux{ending}.tgz", release.version);
    parts::archive(release, tree.path(), &file, "package")
}

/// Node's name.
fn architecture(cpu: Cpu) -> &'static str {
    match cpu {
        Cpu::X86_64 => "x64",
        Cpu::Aarch64 => "arm64",
    }
}
