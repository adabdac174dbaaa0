//! C programs over the headers, linked with the library, both ways.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the library as it was built for this test.
fn built() -> PathBuf {
    let this = std::env::current_exe().expect("this program");
    this.parent().expect("its folder").to_path_buf()
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Compiles a program, and runs it on a key, a witness and their like.
fn run(name: &str, link: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join(name);
    let mut compiler = Command::new("cc");
    compiler.args([
        "-std=c11",
        "-D_GNU_SOURCE",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O1",
        "-g",
    ]);
    compiler
        .arg("-I")
        .arg(here("include"))
        .arg(here("tests/c/all.c"));
    compiler.arg("-o").arg(&program).args(link);
    let compiled = compiler.output().expect("a C compiler: cc");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let data = here("../../crates/snarkjs/tests/data");
    let files = [
        "mul.zkey",
        "mul.wtns",
        "half.zkey",
        "verification_key.json",
        "public.json",
    ];
    let mut arguments: Vec<PathBuf> = files.iter().map(|name| data.join(name)).collect();
    let unfinished = folder.path().join("unfinished.json");
    std::fs::write(&unfinished, of_unfinished(&arguments[3])).expect("it can be written");
    arguments.push(unfinished);
    let bls = ["contributed.zkey", "mul.wtns", "verification_key.json"];
    arguments.extend(bls.map(|name| data.join("bls12_381").join(name)));
    let ended = Command::new(&program)
        .args(&arguments)
        .env("LD_LIBRARY_PATH", built())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{:?}: {said}", ended.status);
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "all is well\n");
}

/// The same verification key with δ = γ.
fn of_unfinished(key: &Path) -> String {
    let text = std::fs::read_to_string(key).expect("a verification key");
    let mut key: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    key["vk_delta_2"] = key["vk_gamma_2"].clone();
    key.to_string()
}

#[test]
fn a_program_uses_the_shared_library() {
    let folder = built();
    run(
        "shared",
        &[
            "-L",
            folder.to_str().expect("UTF-8"),
            "-lfrumious_c",
            "-lpthread",
        ],
    );
}

#[test]
fn a_program_contains_the_static_library() {
    let library = built().join("libfrumious_c.a");
    run(
        "static",
        &[library.to_str().expect("UTF-8"), "-lpthread", "-ldl", "-lm"],
    );
}

/// The library has the functions that the headers declare, and no others but Rust's own.
#[test]
fn headers_and_library_agree() {
    let mut symbols = symbols_of(&built().join("libfrumious_c.so"));
    symbols.sort();
    let mut declared: Vec<String> = ["include/prover.h", "include/verifier.h"]
        .iter()
        .flat_map(|header| {
            let text = std::fs::read_to_string(here(header)).expect("a header");
            let names = text.match_indices("groth16_").map(|(at, _)| {
                let name = text[at..].split('(').next().unwrap_or_default();
                name.to_owned()
            });
            names.collect::<Vec<_>>()
        })
        .collect();
    declared.sort();
    assert_eq!(symbols, declared);
}

fn symbols_of(library: &Path) -> Vec<String> {
    let listing = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library)
        .output();
    let output = listing.expect("nm, of binutils");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = text.lines().filter_map(|line| line.split(' ').nth(2));
    let is_rusts =
        |name: &&str| name.starts_with("rust_eh_personality") || name.starts_with("__rust");
    names
        .filter(|name| !is_rusts(name))
        .map(str::to_owned)
        .collect()
}
