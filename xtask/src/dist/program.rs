//! The program with what belongs to it, as it is installed below a prefix.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::build::is_native;
use super::{Release, about, copy, licences, output, write};

/// Names that make the program behave as another: `frumious prove ZKEY WTNS PROOF PUBLIC`, and snarkjs's commands.
const LINKS: [&str; 1] = ["frumious-prover"];

/// Completions, by shell: where the shell looks for them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/frumious"),
    ("fish", "share/fish/vendor_completions.d/frumious.fish"),
    ("zsh", "share/zsh/vendor-completions/_frumious"),
];

/// A folder with `bin` and `share`. `notices` are those of what is linked.
///
/// # Errors
/// A file that cannot be read or written; a program that does not run here and cannot print its own pages.
pub fn tree(release: &Release, program: &Path, notices: &str) -> Result<TempDir, String> {
    let tree = tempfile::tempdir().map_err(|error| error.to_string())?;
    let place = |name: &str| tree.path().join(name);
    let installed = place("bin/frumious");
    copy(program, &installed)?;
    for link in LINKS {
        let link = place("bin").join(link);
        symlink("frumious", &link).map_err(about(&link))?;
    }
    let runner = runner(release);
    let run = |arguments: &[&str]| {
        let mut words = runner
            .iter()
            .copied()
            .chain([installed.to_str().unwrap_or_default()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        output(command.args(words).args(arguments))
    };
    for (shell, file) in COMPLETIONS {
        write(&place(file), run(&["completions", shell])? + "\n")?;
    }
    let pages = place("share/man/man1");
    run(&["man", pages.to_str().unwrap_or_default()])?;
    for file in [
        "README.md",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "CHANGELOG.md",
        "SECURITY.md",
    ] {
        copy(
            &release.root.join(file),
            &place("share/doc/frumious").join(file),
        )?;
    }
    write(&place("share/doc/frumious").join(licences::FILE), notices)?;
    Ok(tree)
}

/// The emulator of the CPU, if it is not this one.
fn runner(release: &Release) -> Vec<&'static str> {
    match (is_native(release), release.cpu) {
        (true, _) => vec![],
        (false, super::Cpu::Aarch64) => vec!["qemu-aarch64"],
        (false, super::Cpu::X86_64) => vec!["qemu-x86_64"],
    }
}
