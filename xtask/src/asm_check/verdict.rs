//! The differences between a binary and the table.

use super::function::{Analysis, decode, is_product};
use super::table::Table;
use crate::binary::Binary;
use crate::binary::CannotCheck;

/// A shell in the binary.
pub struct Shell {
    /// The kernel that it was compiled for.
    pub kernel: String,
    /// Its code, counted.
    pub code: Analysis,
}

impl Shell {
    /// As a line of the table: the calls that it has now and that need to be allowed, and four fifths of its products.
    /// Small changes of a kernel or another compiler then pass, and a part that is not inlined does not.
    pub fn as_line(&self, table: &Table) -> String {
        let mut calls: Vec<String> = self
            .code
            .calls
            .iter()
            .filter(|call| !table.allows_anywhere(&call.name))
            .map(|call| {
                if call.in_loop {
                    call.name.clone()
                } else {
                    format!("once {}", call.name)
                }
            })
            .collect();
        calls.sort();
        calls.dedup();
        format!(
            "{} | {} | {}",
            self.code.products * 4 / 5,
            self.kernel,
            calls.join("; ")
        )
    }
}

/// Every shell, in the order of the code.
///
/// Errors: shells whose names have no kernels in them.
pub fn shells(binary: &Binary, table: &Table) -> Result<Vec<Shell>, CannotCheck> {
    binary
        .functions()
        .filter(|(_, function)| function.name.starts_with(SHELL))
        .map(|(address, function)| {
            let kernel = kernel_of(&function.name).ok_or(
                "its symbols do not name kernels; build with RUSTFLAGS=-Csymbol-mangling-version=v0",
            )?;
            let code = Analysis::of(binary, address, function.size, |name| table.never_returns(name));
            Ok(Shell { kernel: kernel.into(), code })
        })
        .collect()
}

/// `K` of `frumious_simd::ifma::shell::<K>`.
fn kernel_of(function: &str) -> Option<&str> {
    function
        .strip_prefix(SHELL)?
        .strip_prefix("::<")?
        .strip_suffix('>')
}

/// The faults, a line each; nothing if all is well.
pub fn faults(table: &Table, shells: &[Shell], binary: &Binary) -> Vec<String> {
    let of_shells = shells.iter().flat_map(|shell| faults_of(table, shell));
    let missing = table
        .kernels
        .iter()
        .filter(|kernel| shells.iter().all(|shell| shell.kernel != kernel.name))
        .map(|kernel| {
            format!(
                "{}: in the table, but not in the binary; take its line out",
                kernel.name
            )
        });
    of_shells.chain(missing).chain(strays(binary)).collect()
}

fn faults_of(table: &Table, shell: &Shell) -> Vec<String> {
    let Shell { kernel: name, code } = shell;
    let Some(kernel) = table.kernel(name) else {
        return vec![format!(
            "{name}: in the binary, but not in the table; if no call in it is wrong, add this line, with the reason for its calls:\n  {}",
            shell.as_line(table)
        )];
    };
    let mut faults = Vec::new();
    if code.products < kernel.products {
        faults.push(format!(
            "{name}: {} vpmadd52 with zmm, where at least {} are expected",
            code.products, kernel.products
        ));
    }
    for call in code.calls.iter().filter(|call| !table.allows(kernel, call)) {
        let place = if call.in_loop {
            "in a loop"
        } else {
            "outside of loops"
        };
        faults.push(format!("{name}: calls {}, {place}", call.name));
    }
    if let Some(last) = faults.last_mut() {
        last.push_str(&format!(
            "; if that is as it should be, change its line to\n  {}",
            shell.as_line(table)
        ));
    }
    faults
}

/// Functions with vector products that are no shells: pieces of kernels that were not inlined.
fn strays(binary: &Binary) -> Vec<String> {
    let mut strays: Vec<String> = Vec::new();
    for section in binary.sections() {
        for instruction in decode(section.bytes, section.address) {
            if !is_product(&instruction) {
                continue;
            }
            let name = match binary.function_around(instruction.ip()) {
                Some((_, function)) => function.name.clone(),
                None => "code without a name".into(),
            };
            if kernel_of(&name).is_none() && strays.last() != Some(&name) {
                strays.push(name);
            }
        }
    }
    strays
        .into_iter()
        .map(|name| format!("{name}: has vpmadd52 with zmm, outside of every shell"))
        .collect()
}

/// The function that kernels are compiled in.
const SHELL: &str = "frumious_simd::ifma::shell";
