//! C programs over the headers, linked with the library, both ways.
//!
//! `FRUMIOUS_C_CHECK=address` has them compiled for AddressSanitizer, which also tells what leaks, `valgrind` runs them
//! under valgrind, without most proofs. `FRUMIOUS_C_PROOFS` is how many proofs of each circuit a thread of `load.c`
//! makes.

use std::path::{Path, PathBuf};
use std::process::Command;

use frumious_app::failure::Code;
use frumious_testing::symbols::{exported, library};

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Compiles a program, and runs it.
fn run(source: &str, link: &[&str], arguments: &[PathBuf]) {
    run_with(&[], source, link, arguments);
}

/// Runs it with these variables of the environment.
fn run_with(set: &[(&str, &str)], source: &str, link: &[&str], arguments: &[PathBuf]) {
    let check = std::env::var("FRUMIOUS_C_CHECK").ok();
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
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
        .arg(here("tests/c").join(source));
    compiler.arg("-o").arg(&program).args(link);
    match check.as_deref() {
        Some("address") => drop(compiler.arg("-fsanitize=address")),
        None | Some("valgrind") => {}
        Some(other) => panic!("FRUMIOUS_C_CHECK={other}"),
    }
    let compiled = compiler.output().expect("a C compiler: cc");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let mut command = match check.as_deref() {
        Some("valgrind") => {
            let mut command = Command::new("valgrind");
            command.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
            command.args([
                "--show-leak-kinds=definite",
                "--errors-for-leak-kinds=definite",
            ]);
            command.env("FRUMIOUS_BACKEND", "portable");
            command.env("FRUMIOUS_VERKLE_MIB", "4").arg(&program); // of 128 they take a minute
            command
        }
        _ => Command::new(&program),
    };
    let ended = command
        .args(arguments)
        .envs(set.iter().copied())
        .env(
            "LD_LIBRARY_PATH",
            library("libfrumious_c.so").with_file_name(""),
        )
        .env("XDG_CACHE_HOME", folder.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ended.stderr);
    print!("{said}");
    assert!(ended.status.success(), "{:?}: {said}", ended.status);
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "all is well\n");
}

/// Runs the program over rapidsnark's headers on keys and witnesses.
fn run_all(link: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
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
    run("all.c", link, &arguments);
}

/// Runs the program over our own header on a key, a witness, and a graph with its inputs.
fn run_own(link: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = here("../../crates/snarkjs/tests/data");
    let graphs = here("../../crates/witness/tests/data/graphs");
    let lines = std::fs::read_to_string(graphs.join("multiplier.jsonl")).expect("inputs");
    let inputs = folder.path().join("input.json");
    let line = lines.lines().next().expect("a line");
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    std::fs::write(&inputs, line["inputs"].to_string()).expect("it can be written");
    let files = ["mul.zkey", "mul.wtns", "verification_key.json"];
    let mut arguments: Vec<PathBuf> = files.iter().map(|name| data.join(name)).collect();
    arguments.extend([graphs.join("multiplier.wtns2"), inputs]);
    run("own.c", link, &arguments);
}

/// Runs the program that forks, hands over descriptors, and asks programs that are none of ours.
fn run_hosts(link: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = here("../../crates/snarkjs/tests/data");
    // Longer than what a pipe holds: a custom section of zeros.
    let module = folder.path().join("long.wasm");
    let section = [b"\0asm\x01\0\0\0\0\x80\x80\x40".to_vec(), vec![0; 1 << 20]];
    std::fs::write(&module, section.concat()).expect("it can be written");
    let files = ["mul.zkey", "mul.wtns", "verification_key.json"];
    let mut arguments: Vec<PathBuf> = files.iter().map(|name| data.join(name)).collect();
    arguments.push(module);
    run("hosts.c", link, &arguments);
}

/// Runs the program that proves with two circuits from many threads, and looks at its memory.
fn run_load(link: &[&str]) {
    let data = here("../../crates/snarkjs/tests/data");
    let proofs = std::env::var("FRUMIOUS_C_PROOFS").unwrap_or_else(|_| "20".into());
    let names = [
        "mul.zkey",
        "mul.wtns",
        "verification_key.json",
        "bls12_381/contributed.zkey",
        "bls12_381/mul.wtns",
        "bls12_381/verification_key.json",
    ];
    let files = names.map(|name| data.join(name));
    let arguments: Vec<PathBuf> = [PathBuf::from(proofs)].into_iter().chain(files).collect();
    run("load.c", link, &arguments);
}

/// The same verification key with δ = γ.
fn of_unfinished(key: &Path) -> String {
    let text = std::fs::read_to_string(key).expect("a verification key");
    let mut key: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    key["vk_delta_2"] = key["vk_gamma_2"].clone();
    key.to_string()
}

#[test]
fn programs_use_the_shared_library() {
    let library = library("libfrumious_c.so");
    let folder = library.parent().and_then(Path::to_str).expect("UTF-8");
    let link = ["-L", folder, "-lfrumious_c", "-lpthread"];
    run_all(&link);
    run_own(&link);
    run_hosts(&link);
    run_load(&link);
}

#[test]
fn programs_contain_the_static_library() {
    let library = library("libfrumious_c.a");
    let link = [library.to_str().expect("UTF-8"), "-lpthread", "-ldl", "-lm"];
    run_all(&link);
    run_own(&link);
    run_hosts(&link);
    run_load(&link);
}

#[test]
fn the_memory_of_tables_is_set_from_outside() {
    let library = library("libfrumious_c.so");
    let folder = library.parent().and_then(Path::to_str).expect("UTF-8");
    let link = ["-L", folder, "-lfrumious_c"];
    let values = [&[7][..], &[0; 31], &[9], &[0; 31]].concat();
    let commitment = frumious_app::verkle::commit(&values).expect("two values");
    let commitment: String = commitment.map(|byte| format!("{byte:02x}")).concat();
    for (mib, code, expected) in [
        ("1", 0, &*commitment),
        ("0", 101, "0 MiB"),
        ("many", 101, "FRUMIOUS_VERKLE_MIB"),
    ] {
        let arguments = [code.to_string(), expected.into()].map(PathBuf::from);
        run_with(
            &[("FRUMIOUS_VERKLE_MIB", mib)],
            "tables.c",
            &link,
            &arguments,
        );
    }
}

/// The library has the functions that the headers declare, and no others but Rust's own.
#[test]
fn headers_and_library_agree() {
    let symbols = exported(&library("libfrumious_c.so"));
    let mut declared = Vec::new();
    for header in ["prover.h", "verifier.h", "frumious.h"] {
        let text = std::fs::read_to_string(here("include").join(header)).expect("a header");
        for line in text.lines() {
            let declaration = line.split_once('(').map(|(before, _)| before);
            let name = declaration.and_then(|declaration| declaration.split_once(' '));
            if let Some(("int" | "void", name)) = name {
                declared.push(name.to_owned());
            }
        }
    }
    declared.sort();
    assert_eq!(symbols, declared);
}

/// Each code of a failure has a name in the header, and no number has two.
#[test]
fn header_and_failures_agree() {
    let text = std::fs::read_to_string(here("include/frumious.h")).expect("a header");
    let mut defined = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["#define", name, number] = words[..] {
            defined.push((name.to_owned(), number.parse::<usize>().expect("a number")));
        }
    }
    let failures = Code::ALL.iter().enumerate();
    let failures = failures.map(|(place, code)| (code.name().to_uppercase(), place + 1));
    let others = [
        ("OK", 0),
        ("SHORT_BUFFER", 100),
        ("ARGUMENT", 101),
        ("INTERNAL", 102),
    ];
    let others = others.map(|(name, number)| (name.to_owned(), number));
    let mut expected: Vec<(String, usize)> = failures.chain(others).collect();
    expected
        .iter_mut()
        .for_each(|(name, _)| *name = format!("FRUMIOUS_{name}"));
    defined.sort();
    expected.sort();
    assert_eq!(defined, expected);
}
