//! Checks that code that handles secrets keeps to the rules of constant time that can be seen without running it.
//!
//! 1. [`sources`]: a function without the suffix `_vartime` calls none with it, but where `xtask/vartime-calls.txt`
//!    says why it may;
//! 2. the public functions with the suffix are those of `xtask/vartime.txt`, which `--print` writes: a change of what
//!    is constant time is seen in review;
//! 3. [`covered`]: every public function without the suffix is named by a case of `frumious-ct`, or by
//!    `xtask/ct-uncovered.txt`;
//! 4. with a binary: no function of those crates divides, as the time of a division depends on its operands;
//! 5. [`branches`]: none branches on what it was given, but where `xtask/ct-branches.txt` says why it may.
//!
//! Compiled code does not say which addresses are public, nor which branches on given values are, for example on a
//! length. That is for valgrind (`.ci/ct`).

mod branches;
mod covered;
mod flow;
mod sources;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use iced_x86::Mnemonic;

use crate::asm_check::decode;
use crate::binary::{Binary, Function};
use sources::Source;

/// Crates whose functions may be given secrets.
const CRATES: [&str; 6] = ["simd", "limbs", "field", "curves", "bls", "signatures"];

/// The command: 0 if all is as it should be, 1 if not, 2 if something cannot be read.
pub fn run(binary: Option<PathBuf>, which: Which, print: bool) -> ExitCode {
    match check(binary, which, print) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            faults
                .iter()
                .for_each(|fault| eprintln!("ct-check: {fault}"));
            eprintln!("ct-check: {} faults", faults.len());
            ExitCode::from(1)
        }
        Err(reason) => {
            eprintln!("ct-check: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The lines of `xtask/vartime.txt`, as the sources are.
pub fn variable_time() -> Result<Vec<String>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Ok(exports(&sources::read_all(&root, &CRATES)?))
}

/// The faults, a line each.
fn check(binary: Option<PathBuf>, which: Which, print: bool) -> Result<Vec<String>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = sources::read_all(&root, &CRATES)?;
    if print && binary.is_none() {
        exports(&sources)
            .iter()
            .for_each(|export| println!("{export}"));
        return Ok(Vec::new());
    }
    let mut faults = calls_faults(&sources, include_str!("../vartime-calls.txt"))?;
    faults.extend(exports_faults(
        &exports(&sources),
        include_str!("../vartime.txt"),
    ));
    let cases = sources::read_all(&root, &["ct"])?;
    faults.extend(covered::faults(
        &sources,
        &cases,
        include_str!("../ct-uncovered.txt"),
    )?);
    if let Some(path) = binary {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let binary =
            Binary::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        let found = branches::found(&binary, which);
        if print {
            found.iter().for_each(|function| println!("{function}"));
            return Ok(Vec::new());
        }
        faults.extend(divisions(&binary, which)?);
        faults.extend(branches::faults(
            &found,
            include_str!("../ct-branches.txt"),
        )?);
    }
    Ok(faults)
}

/// Calls of variable-time functions by others that no line allows, and lines that allow nothing.
fn calls_faults(sources: &[Source], allowed: &str) -> Result<Vec<String>, String> {
    let lines = lines(allowed)
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            match cells[..] {
                [path, function, reason] if !reason.is_empty() => Ok((path, function)),
                _ => Err(format!(
                    "vartime-calls.txt: not `path | function | reason`: {line}"
                )),
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut used = vec![false; lines.len()];
    let mut faults = Vec::new();
    for source in sources {
        for call in &source.calls {
            let line = lines
                .iter()
                .position(|line| *line == (source.path.as_str(), call.caller.as_str()));
            match line {
                Some(i) => used[i] = true,
                None => faults.push(format!(
                    "{}:{}: {} calls {}, and has not its suffix; if all that it is called with is public, say so in xtask/vartime-calls.txt:\n  {} | {} | reason",
                    source.path, call.line, call.caller, call.callee, source.path, call.caller
                )),
            }
        }
    }
    let unused = lines.iter().zip(used).filter(|(_, used)| !used);
    faults.extend(unused.map(|((path, function), _)| {
        format!("vartime-calls.txt: {path} | {function} calls no variable-time function; take the line out")
    }));
    Ok(faults)
}

/// The public functions with the suffix, as lines of the list.
fn exports(sources: &[Source]) -> Vec<String> {
    let mut lines: Vec<String> = sources
        .iter()
        .flat_map(|source| {
            source
                .exports
                .iter()
                .map(|name| format!("{} | {name}", source.path))
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines
}

fn exports_faults(found: &[String], listed: &str) -> Vec<String> {
    let listed: Vec<&str> = lines(listed).collect();
    let new = found
        .iter()
        .filter(|line| !listed.contains(&line.as_str()))
        .map(|line| format!("a new variable-time function; add to xtask/vartime.txt\n  {line}"));
    let gone = listed
        .iter()
        .filter(|line| !found.iter().any(|found| found == *line))
        .map(|line| format!("no such function any more; take out of xtask/vartime.txt\n  {line}"));
    new.chain(gone).collect()
}

/// Functions of the crates with an integer division. Errors: a binary that has none of their functions.
fn divisions(binary: &Binary, which: Which) -> Result<Vec<String>, String> {
    let mut functions = 0;
    let mut faults = Vec::new();
    for (address, function) in given_secrets(binary, which) {
        functions += 1;
        let code = binary.code(address, function.size);
        let divides = decode(code, address)
            .into_iter()
            .any(|instruction| matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv));
        if divides {
            faults.push(format!("{}: divides", function.name));
        }
    }
    if functions == 0 {
        return Err("the binary has no function of the crates that handle secrets".into());
    }
    println!("{functions} functions without the suffix looked at for divisions and branches");
    Ok(faults)
}

/// Which functions of a binary are looked at.
#[derive(Clone, Copy)]
pub enum Which {
    /// All that may be given secrets.
    All,
    /// Lane kernels that may: those of `frumious_field::vector`. All other lanes are of variable time by decision.
    Kernels,
}

/// The functions that may be given secrets, with their addresses.
fn given_secrets<'b>(
    binary: &'b Binary<'_>,
    which: Which,
) -> impl Iterator<Item = (u64, &'b Function)> {
    let is_ours = move |name: &str| {
        let within = |of: &str| name.contains(&format!("frumious_{of}::"));
        match which {
            Which::All => CRATES.into_iter().any(within) || within("ct"), // what is inlined into a case of `frumious-ct`
            Which::Kernels => {
                let shells = ["ifma", "fma"]
                    .map(|of| format!("frumious_simd::{of}::shell::<frumious_field::vector::"));
                let is_kernel = shells.iter().any(|shell| name.starts_with(shell));
                let is_product = name.starts_with("frumious_simd::lanes::"); // by doubles
                is_kernel && !name.contains("::sparse::") // add_combination_vartime
                    || is_product
            }
        }
    };
    binary
        .functions()
        .filter(move |(_, function)| is_ours(&function.name) && !function.name.contains("_vartime"))
}

/// The content of a list: its lines without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}
