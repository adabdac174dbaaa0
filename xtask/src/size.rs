//! Code size: how many bytes the command has without symbols, and how many of code each curve has, held to
//! `xtask/sizes.txt`.
//!
//! The command is the one that is released. The code of the curves is that of `frumious-ct`, which calls nearly every
//! function of constant time and has little else. Code belongs to the curve that its function's name tells, be it as a
//! type parameter. What serves several counts as `shared`, and what is not ours not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use object::{Object, ObjectSection, SectionFlags, elf};

use crate::binary::{Binary, CannotCheck};

/// The most that a size may be above the one in the list, in percent of that. One further below is only told.
const SLACK: u64 = 10;

/// The command's line in the list.
const COMMAND: &str = "frumious, stripped";

const CURVES: [&str; 4] = ["bn254", "bls12_381", "bandersnatch", "secp256k1"];

/// The command `size`: 0 if sizes are as the list says, 1 if not, 2 if something cannot be read.
pub fn run(paths: &Paths, print: bool) -> ExitCode {
    match sizes(paths).and_then(|sizes| Ok((compare(&sizes, &listed(paths)?), sizes))) {
        Ok((Compared { faults, smaller }, sizes)) => {
            sizes
                .iter()
                .for_each(|(what, size)| println!("{what} | {size}"));
            (smaller.iter())
                .for_each(|line| println!("size: {line}: `cargo xtask bless` puts it there"));
            if print || faults.is_empty() {
                return ExitCode::SUCCESS;
            }
            faults.iter().for_each(|fault| eprintln!("size: {fault}"));
            ExitCode::from(1)
        }
        Err(reason) => {
            eprintln!("size: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The lines of the list, as the binaries are.
pub fn lines(paths: &Paths) -> Result<Vec<String>, CannotCheck> {
    let line = |(what, size)| format!("{what} | {size}");
    Ok(sizes(paths)?.into_iter().map(line).collect())
}

/// The lines of the list that are about the binaries that are named.
fn listed(paths: &Paths) -> Result<BTreeMap<String, u64>, CannotCheck> {
    let mut listed = parse(include_str!("../sizes.txt"))?;
    listed.retain(|what, _| match what == COMMAND {
        true => paths.cli.is_some(),
        false => paths.curves.is_some(),
    });
    Ok(listed)
}

/// Lines `what | bytes`, and comments.
fn parse(text: &str) -> Result<BTreeMap<String, u64>, CannotCheck> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (what, bytes) = line.split_once('|')?;
            Some((what.trim().to_string(), bytes.trim().parse().ok()?))
        })
        .map(|line| line.ok_or_else(|| "sizes.txt: not `what | bytes`".to_string()))
        .collect()
}

/// Sizes in bytes, of the binaries that are named.
fn sizes(paths: &Paths) -> Result<BTreeMap<String, u64>, CannotCheck> {
    let read =
        |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut sizes = match &paths.curves {
        Some(curves) => code_by_curve(&Binary::read(&read(curves)?)?),
        None => BTreeMap::new(),
    };
    if let Some(cli) = &paths.cli {
        sizes.insert(COMMAND.into(), stripped(&read(cli)?)?);
    }
    Ok(sizes)
}

/// Bytes of the sections that are loaded: what is left by `strip`, but for its headers.
fn stripped(bytes: &[u8]) -> Result<u64, CannotCheck> {
    let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
    let is_loaded = |flags| match flags {
        SectionFlags::Elf { sh_flags } => sh_flags & u64::from(elf::SHF_ALLOC) != 0,
        _ => false,
    };
    let loaded = file.sections().filter(|section| is_loaded(section.flags()));
    Ok(loaded
        .filter_map(|section| section.file_range())
        .map(|(_, size)| size)
        .sum())
}

/// Bytes of code by curve.
fn code_by_curve(binary: &Binary) -> BTreeMap<String, u64> {
    let mut sizes = BTreeMap::new();
    for (_, function) in binary
        .functions()
        .filter(|(_, f)| f.name.contains("frumious_"))
    {
        let mut named = CURVES.iter().filter(|curve| function.name.contains(*curve));
        let curve = match (named.next(), named.next()) {
            (Some(curve), None) => curve,
            _ => "shared",
        };
        *sizes.entry(format!("code of {curve}")).or_default() += function.size;
    }
    sizes
}

/// Differences between the sizes found and the list, a line each.
#[derive(Default)]
struct Compared {
    faults: Vec<String>,
    /// Sizes that `cargo xtask bless` should put into the list, lest they grow back unseen.
    smaller: Vec<String>,
}

fn compare(found: &BTreeMap<String, u64>, listed: &BTreeMap<String, u64>) -> Compared {
    let mut compared = Compared::default();
    for (what, size) in found {
        let Some(expected) = listed.get(what) else {
            let line = format!("{what}: {size} bytes, and no line in xtask/sizes.txt");
            compared.faults.push(line);
            continue;
        };
        let line = format!("{what}: {size} bytes where xtask/sizes.txt has {expected}");
        if size.abs_diff(*expected) * 100 <= expected * SLACK {
            continue;
        }
        match size > expected {
            true => compared.faults.push(line),
            false => compared.smaller.push(line),
        }
    }
    let gone = listed.keys().filter(|what| !found.contains_key(*what));
    let gone = gone.map(|what| format!("{what}: in xtask/sizes.txt, but not found"));
    compared.faults.extend(gone);
    compared
}

/// The binaries. Lines of the list about another are not compared.
#[derive(clap::Args)]
#[group(required = true, multiple = true)]
pub struct Paths {
    /// The command as released, with its symbols
    #[arg(long, value_name = "PATH")]
    pub cli: Option<PathBuf>,
    /// `frumious-ct`, with its symbols
    #[arg(long, value_name = "PATH")]
    pub curves: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::{compare, parse};

    #[test]
    fn a_size_may_grow_by_a_tenth_and_shrink() {
        let listed = parse("# a comment\na | 1000\n\nb | 10").unwrap_or_default();
        let against = |found: &str| {
            let compared = compare(&parse(found).unwrap_or_default(), &listed);
            (compared.faults.len(), compared.smaller.len())
        };
        assert_eq!(against("a | 1100\nb | 9"), (0, 0));
        assert_eq!(against("a | 1101\nb | 9"), (1, 0));
        assert_eq!(against("a | 899\nb | 9"), (0, 1));
        assert_eq!(against("a | 1000"), (1, 0), "one is gone");
        assert_eq!(against("a | 1000\nb | 10\nc | 1"), (1, 0), "one is new");
        assert!(parse("a 1000").is_err() && parse("a | much").is_err());
    }
}
