//! The Node package with its addon, as `npm install FILE` takes it.

use std::path::{Path, PathBuf};

use super::{Cpu, Release, about, copy, parts};

/// `frumious-node-VERSION-linux-ARCH.tgz`.
///
/// # Errors
/// A file that cannot be read or written.
pub fn package(release: &Release, addon: &Path) -> Result<PathBuf, String> {
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
    let arch = match release.cpu {
        Cpu::X86_64 => "x64",
        Cpu::Aarch64 => "arm64",
    };
    copy(
        addon,
        &tree.path().join(format!("frumious.linux-{arch}.node")),
    )?;
    let file = format!("frumious-node-{}-linux-{arch}.tgz", release.version);
    parts::archive(release, tree.path(), &file, "package")
}
