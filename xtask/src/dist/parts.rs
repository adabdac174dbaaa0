//! Archives, and the list of what is linked.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{Release, licences, output, write};

/// A compressed archive of a folder, whose files are below `folder` in it.
///
/// # Errors
/// A file that cannot be read or written.
pub fn archive(
    release: &Release,
    tree: &Path,
    file: &str,
    folder: &str,
) -> Result<PathBuf, String> {
    let path = release.out.join(file);
    let mut tar = tar(release, tree, &path);
    tar.arg(format!("--transform=s,^\\.,{folder},S"))
        .args(["--use-compress-program", "gzip -9 --no-name"])
        .args(["--create", "."]);
    output(&mut tar)?;
    Ok(path)
}

/// GNU tar, told to write a folder the same way each time; the order (`--create`) and names follow.
pub fn tar(release: &Release, tree: &Path, path: &Path) -> Command {
    let mut tar = Command::new("tar");
    tar.env("LC_ALL", "C")
        .args(["--format=gnu", "--sort=name", "--owner=0", "--group=0"])
        .args(["--numeric-owner", "--mode=u+rw,go=rX"])
        .arg(format!("--mtime=@{}", release.epoch))
        .arg("--directory")
        .arg(tree)
        .arg("--file")
        .arg(path);
    tar
}

/// The crates that the program is made of, as CycloneDX 1.5.
///
/// # Errors
/// Cargo's list cannot be had.
pub fn bill_of_materials(release: &Release) -> Result<PathBuf, String> {
    let linked =
        licences::linked(&release.root, &release.cpu.triple(), "frumious-cli")?.into_iter();
    let components: Vec<Value> = linked
        .map(|(name, version, licence)| {
            json!({
                "type": "library",
                "name": name,
                "version": version,
                "purl": format!("pkg:cargo/{name}@{version}"),
                "licenses": [{ "expression": licence.replace('/', " OR ") }],
            })
        })
        .collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": { "type": "application", "name": "frumious", "version": release.version },
        },
        "components": components,
    });
    let path = release
        .out
        .join(format!("{}.cdx.json", release.named("frumious")));
    let text = serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())?;
    write(&path, text + "\n")?;
    Ok(path)
}
