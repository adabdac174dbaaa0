//! Conditional branches that depend on more than constants, and the list of those that may.

use std::fmt;

use iced_x86::Instruction;

use super::flow::given_branches;
use super::{Which, given_secrets, lines};
use crate::asm_check::decode;
use crate::binary::Binary;

/// Functions whose result is public, whatever they are given.
const PUBLIC_RESULTS: [&str; 1] = ["frumious_limbs::backend::decide"]; // the word that tells the backend

/// A function with such branches.
#[derive(Debug, PartialEq, Eq)]
pub struct Branching {
    pub name: String,
    /// Their addresses.
    pub branches: Vec<u64>,
}

impl fmt::Display for Branching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {}", self.name, self.branches.len())?;
        let addresses = self.branches.iter().map(|address| format!("{address:x}"));
        write!(f, " | at {}", addresses.collect::<Vec<_>>().join(" "))
    }
}

/// The functions with such branches.
pub fn found(binary: &Binary, which: Which) -> Vec<Branching> {
    let gives_public = |address| PUBLIC_RESULTS.contains(&binary.name_at(address).as_str());
    // Of the program around the cases, what is inlined into them counts, and not how it lists them.
    let is_harness = |name: &str| {
        name.contains("frumious_ct::")
            && !(name.contains("frumious_ct::cases::") && name.contains("{closure#"))
    };
    given_secrets(binary, which)
        .filter(|(_, function)| !is_harness(&function.name))
        .map(|(address, function)| {
            let code = binary.code(address, function.size);
            let code: Vec<Instruction> = decode(code, address).into_iter().collect();
            Branching {
                name: function.name.clone(),
                branches: given_branches(&code, &gives_public),
            }
        })
        .filter(|function| !function.branches.is_empty())
        .collect()
}

/// Functions with more of them than the first line that names a part of theirs allows. A line may fit none: what is
/// inlined where depends on the compiler.
pub fn faults(found: &[Branching], allowed: &str) -> Result<Vec<String>, String> {
    let lines = lines(allowed)
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            match cells[..] {
                [part, most, reason] if !part.is_empty() && !reason.is_empty() => {
                    most.parse().ok().map(|most: usize| (part, most))
                }
                _ => None,
            }
            .ok_or_else(|| {
                format!("ct-branches.txt: not `part of a name | most branches | reason`: {line}")
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut faults = Vec::new();
    for function in found {
        let line = lines
            .iter()
            .position(|(part, _)| function.name.contains(part));
        let most = line.map_or(0, |line| lines[line].1);
        if function.branches.len() > most {
            faults.push(format!(
                "{function}: branches on what it was given, in more than {most} places; if all that they tell is public, say so in xtask/ct-branches.txt"
            ));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests;
