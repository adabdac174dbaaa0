//! A Debian package of the program.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Release, about, copy, output, write};

/// `frumious_VERSION_ARCH.deb` of a tree that is installed below `/usr`.
///
/// # Errors
/// `dpkg-deb` is missing or refuses.
pub fn package(release: &Release, tree: &Path) -> Result<PathBuf, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let content = folder.path().join("content");
    let mut size = 0;
    copy_tree(tree, &content.join("usr"), &mut size)?;
    let unit = unit()?;
    size += unit.len() as u64;
    write(&content.join(UNIT), unit)?;
    let control = format!(
        "Package: frumious\nVersion: {}\nArchitecture: {}\nMaintainer: The Frumious developers\n\
         Installed-Size: {}\nSection: utils\nPriority: optional\n\
         Description: Groth16 prover and Verkle cryptography\n \
         Proves circuits of circom in place of rapidsnark and snarkjs. Statically linked.\n",
        release.version,
        release.cpu.short(),
        size.div_ceil(1024),
    );
    write(&content.join("DEBIAN/control"), control)?;
    let name = format!("frumious_{}_{}.deb", release.version, release.cpu.short());
    let path = release.out.join(name);
    let mut command = Command::new("dpkg-deb");
    command
        .args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&content)
        .arg(&path)
        .env("SOURCE_DATE_EPOCH", &release.epoch);
    output(&mut command)?;
    Ok(path)
}

/// The unit of `deploy/`, which starts the program where the package puts it. The package does not enable the unit.
///
/// # Errors
/// The unit cannot be read, or starts another program.
fn unit() -> Result<String, String> {
    let path = crate::root().join("deploy/frumious.service");
    let unit = std::fs::read_to_string(&path).map_err(about(&path))?;
    let (by_hand, packaged) = ("=/usr/local/bin/frumious ", "=/usr/bin/frumious ");
    match unit.matches(by_hand).count() {
        1 => Ok(unit.replace(by_hand, packaged)),
        count => Err(format!(
            "{}: {by_hand:?} is there {count} times",
            path.display()
        )),
    }
}

const UNIT: &str = "usr/lib/systemd/system/frumious.service";

/// Copies files, folders and links, and adds up the bytes of files.
fn copy_tree(from: &Path, to: &Path, size: &mut u64) -> Result<(), String> {
    std::fs::create_dir_all(to).map_err(about(to))?;
    for entry in std::fs::read_dir(from).map_err(about(from))? {
        let entry = entry.map_err(about(from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(about(&source))?;
        if kind.is_dir() {
            copy_tree(&source, &target, size)?;
        } else if kind.is_symlink() {
            let leads = std::fs::read_link(&source).map_err(about(&source))?;
            std::os::unix::fs::symlink(leads, &target).map_err(about(&target))?;
        } else {
            copy(&source, &target)?;
            *size += entry.metadata().map_err(about(&source))?.len();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_unit_starts_the_packages_program() {
        let unit = unit().expect("it is there");
        assert!(
            unit.contains("\nExecStart=/usr/bin/frumious serve "),
            "{unit}"
        );
        assert!(!unit.contains("/usr/local"), "{unit}");
    }
}
