//! Checks that the lane kernels are what they should be after compilation.
//!
//! A kernel is compiled as one function, `frumious_simd::ifma::shell::<Kernel>`, into which all of it must be inlined.
//! If one helper is not, or one closure is compiled outside, the kernel computes the same, a hundred times slower. No
//! test notices, so this looks at the machine code. It needs a binary and no CPU with AVX-512:
//!
//! 1. [`crate::binary`]: the functions of an ELF file, with their names;
//! 2. [`function`]: of one function, the `vpmadd52luq` and `vpmadd52huq` with `zmm` registers, and the calls, in loops
//!    or not;
//! 3. [`table`]: what is expected, from `xtask/lanes.txt`;
//! 4. [`verdict`]: what differs. Also any `vpmadd52` that stands outside of every shell;
//! 5. [`doubles`]: the same kernels where a product is by doubles, for AVX2.

mod blessed;
mod doubles;
mod function;
mod table;
#[cfg(test)]
pub mod tests;
mod verdict;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::binary::{Binary, CannotCheck};
use crate::cargo::cargo;
pub use function::decode;
use table::Table;
use verdict::{Shell, faults, shells};

/// The command: 0 if the binary is as the table says, 1 if not, 2 if either cannot be read.
pub fn run(binary: Option<PathBuf>, print: bool) -> ExitCode {
    match check(binary, print) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            faults
                .iter()
                .for_each(|fault| eprintln!("asm-check: {fault}"));
            eprintln!(
                "asm-check: {} faults; what is expected stands in xtask/lanes.txt, and how to change it in CONTRIBUTING.md",
                faults.len()
            );
            ExitCode::from(1)
        }
        Err(reason) => {
            eprintln!("asm-check: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The faults of the binary, a line each.
fn check(binary: Option<PathBuf>, print: bool) -> Result<Vec<String>, CannotCheck> {
    let path = match binary {
        Some(path) => path,
        None => build()?,
    };
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let binary = Binary::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let table = Table::parse(include_str!("../lanes.txt"))?;
    let found = shells(&binary, &table)?;
    if print {
        found
            .iter()
            .for_each(|shell| println!("{}", shell.as_line(&table)));
        return Ok(Vec::new());
    }
    found
        .iter()
        .for_each(|shell| println!("{}", summary(shell)));
    let mut faults = faults(&table, &found, &binary);
    faults.extend(doubles::faults(&table, &binary));
    println!("{} shells in {}", found.len(), path.display());
    Ok(faults)
}

/// The text of the table with the products that the kernels of `binary` have. Kernels that are gone leave it; new ones
/// come last, under a comment that asks for a look.
pub fn blessed(binary: &Path, text: &str) -> Result<String, CannotCheck> {
    let bytes = std::fs::read(binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    let binary = Binary::read(&bytes)?;
    let table = Table::parse(text)?;
    Ok(blessed::blessed(text, &table, &shells(&binary, &table)?))
}

fn summary(shell: &Shell) -> String {
    let code = &shell.code;
    format!(
        "{:>6} vpmadd52, {:>3} a hundred instructions, {:>4} zmm on the stack, {:>2} calls: {}",
        code.products,
        code.products * 100 / code.instructions.max(1),
        code.stack_accesses,
        code.calls.len(),
        shell.kernel
    )
}

/// Builds the command as it is released, but for the form of its symbols' names: the default form leaves kernels out.
fn build() -> Result<PathBuf, CannotCheck> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => root.join("target"),
    };
    let target = target.join("asm-check");
    let status = cargo()
        .args([
            "build",
            "--release",
            "--locked",
            "--package",
            "frumious-cli",
        ])
        .current_dir(&root)
        .env("RUSTFLAGS", "-Csymbol-mangling-version=v0")
        .env("CARGO_TARGET_DIR", &target)
        .status();
    match status {
        Ok(status) if status.success() => Ok(target.join("release/frumious")),
        Ok(status) => Err(format!("the build of frumious-cli ended with {status}")),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}
