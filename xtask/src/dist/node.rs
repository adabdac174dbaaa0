//! The Node package with its addons, as `npm install FILE` takes it.

use std::path::PathBuf;

use super::{Cpu, Release, about, copy, licences, parts, write};

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
    let notices = release.notices("frumious-node")?;
    write(&tree.path().join(licences::FILE), notices)?;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;
    use std::path::Path;
    use std::process::Command;

    /// One CPU's addon, or both: the package's name, and the names in it.
    #[test]
    fn a_package_has_the_addons_of_all_its_cpus() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = tempfile::tempdir().unwrap();
        let addon = folder.path().join("addon");
        std::fs::write(&addon, "addon").unwrap();
        for (cpus, name) in [
            (&[Cpu::X86_64][..], "linux-x64.tgz"),
            (&[Cpu::Aarch64], "linux-arm64.tgz"),
            (&[Cpu::X86_64, Cpu::Aarch64], "linux.tgz"),
        ] {
            let release = Release::new(&root, folder.path(), Cpu::X86_64).unwrap();
            let addons: Vec<_> = cpus.iter().map(|cpu| (*cpu, addon.clone())).collect();
            let file = package(&release, &addons).unwrap();
            assert!(file.to_string_lossy().ends_with(name), "{file:?}");
            let listed = Command::new("tar").arg("-tzf").arg(&file).output().unwrap();
            let listed = String::from_utf8(listed.stdout).unwrap();
            let mut found: Vec<_> = listed
                .lines()
                .filter(|line| line.ends_with(".node"))
                .collect();
            found.sort_unstable();
            let mut expected: Vec<_> = (cpus.iter())
                .map(|cpu| format!("package/frumious.linux-{}.node", architecture(*cpu)))
                .collect();
            expected.sort();
            assert_eq!(found, expected);
            for licence in ["LICENSE-APACHE", "LICENSE-MIT", licences::FILE] {
                let line = format!("package/{licence}");
                assert!(listed.lines().any(|listed| listed == line), "no {line}");
            }
        }
    }
}
