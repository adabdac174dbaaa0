//! Tells the program the commit that it is built from, if there is a repository.

use std::process::Command;

fn main() {
    for name in ["HEAD", "logs/HEAD"] {
        println!("cargo:rerun-if-changed=../../.git/{name}");
    }
    println!("cargo:rerun-if-env-changed=FRUMIOUS_COMMIT");
    let given = std::env::var("FRUMIOUS_COMMIT").ok();
    let commit = given.or_else(of_repository);
    println!(
        "cargo:rustc-env=FRUMIOUS_COMMIT={}",
        commit.unwrap_or_default()
    );
}

fn of_repository() -> Option<String> {
    let git = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output()
        .ok()?;
    let commit = String::from_utf8(git.stdout).ok()?.trim().to_owned();
    (git.status.success() && !commit.is_empty()).then_some(commit)
}
