//! Compiles the loops over libsecp256k1's internal functions, against the sources of the crate `secp256k1-sys` in
//! Cargo's registry.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/secp256k1/internals.c");
    let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("set by Cargo");
    let sources = sources(&manifest).join("depend/secp256k1");
    cc::Build::new()
        .file("src/secp256k1/internals.c")
        .include(&sources)
        .include(sources.join("src"))
        .include(sources.join("include"))
        .opt_level(3)
        .warnings(false)
        .compile("secp256k1_internals");
}

/// The folder of `secp256k1-sys`: the one entry of the metadata with that manifest.
fn sources(manifest: &str) -> PathBuf {
    // On a fresh machine Cargo has fetched the packages of this platform alone.
    let output = Command::new(std::env::var("CARGO").expect("set by Cargo"))
        .args(["metadata", "--format-version=1", "--offline"])
        .args([
            "--filter-platform",
            &std::env::var("TARGET").expect("set by Cargo"),
        ])
        .current_dir(manifest)
        .output()
        .expect("cargo metadata");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {said}");
    let text = String::from_utf8(output.stdout).expect("JSON");
    text.split('"')
        .map(PathBuf::from)
        .find(|path| {
            let folder = path.parent().and_then(|folder| folder.file_name());
            path.ends_with("Cargo.toml")
                && folder.is_some_and(|name| name.to_string_lossy().starts_with("secp256k1-sys-"))
        })
        .and_then(|path| path.parent().map(PathBuf::from))
        .expect("secp256k1-sys among the dependencies")
}
