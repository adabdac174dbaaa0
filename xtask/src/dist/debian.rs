//! A Debian package of the program.

use std::os::unix::fs::PermissionsExt;
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
    for (file, text) in DOCUMENTS {
        size += text.len() as u64;
        write(&content.join("usr/share/doc/frumious").join(file), text)?;
    }
    for (script, text) in SCRIPTS {
        let path = content.join("DEBIAN").join(script);
        write(&path, text)?;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, mode).map_err(about(&path))?;
    }
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

/// What Debian's tools look for.
const DOCUMENTS: [(&str, &str); 1] = [(
    "copyright",
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: frumious

Files: *
Copyright: The Frumious developers
License: MIT or Apache-2.0
 The texts are LICENSE-MIT and LICENSE-APACHE beside this file.
Comment:
 What is linked in has the licences of THIRD-PARTY-LICENSES beside this file.
",
)];

/// The manager reads the unit again, and no server goes on that has lost its program. An upgrade ends no proof: a
/// server that runs is the old one until it is restarted. Data and configuration are the administrator's.
///
/// No `postrm`: a removed package that has one stays in dpkg's lists.
const SCRIPTS: [(&str, &str); 2] = [
    (
        "postinst",
        "#!/bin/sh
set -e
if [ \"$1\" = configure ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
fi
",
    ),
    (
        "prerm",
        "#!/bin/sh
set -e
if [ \"$1\" = remove ] && [ -d /run/systemd/system ]; then
    systemctl --quiet disable --now frumious.service || true
fi
",
    ),
];

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

    /// By `serve`'s exit code for it: docs/json.md.
    #[test]
    fn a_mistake_in_the_configuration_is_not_tried_again() {
        let unit = unit().expect("it is there");
        assert!(unit.contains("\nRestartPreventExitStatus=2\n"), "{unit}");
    }

    /// The package has what Debian asks for, and scripts that run.
    #[test]
    fn the_package_has_its_copyright_and_scripts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = tempfile::tempdir().expect("a folder");
        let tree = folder.path().join("tree");
        std::fs::create_dir(&tree).expect("a folder");
        let release = Release::new(&root, folder.path(), crate::dist::Cpu::X86_64);
        let file = package(&release.expect("a release"), &tree).expect("a package");
        let mut list = Command::new("dpkg-deb");
        let listed = output(list.arg("--contents").arg(&file)).expect("a list");
        assert!(
            listed.contains(" ./usr/share/doc/frumious/copyright"),
            "{listed}"
        );
        let kept = SCRIPTS.iter().any(|(script, _)| *script == "postrm");
        assert!(!kept, "dpkg would keep a removed package in its lists");
        for (script, text) in SCRIPTS {
            let mut info = Command::new("dpkg-deb");
            let packed = output(info.arg("--info").arg(&file).arg(script)).expect("a script");
            assert_eq!(packed, text.trim_end());
            let mut shell = Command::new("sh");
            output(shell.args(["-n", "-c", text])).expect("its syntax is right");
        }
    }
}
