//! The table written anew from a binary.

use super::table::Table;
use super::verdict::Shell;

/// The text of a table with the products of the kernels that were found. Small changes keep the number, as the compiler
/// makes them too: it is written anew where a kernel has less, or has grown by half.
pub fn blessed(text: &str, table: &Table, found: &[Shell]) -> String {
    let of = |name: &str| found.iter().find(|shell| shell.kernel == name);
    let mut blessed = String::new();
    for line in text.lines() {
        let kernel = line
            .split('|')
            .nth(1)
            .and_then(|name| table.kernel(name.trim()));
        match kernel {
            None => blessed += line,
            Some(kernel) => {
                let Some(shell) = of(&kernel.name) else {
                    continue;
                };
                let products = shell.code.products;
                let (_, rest) = line.split_once('|').unwrap_or_default();
                match products < kernel.products || products * 4 / 5 > kernel.products * 3 / 2 {
                    true => blessed += &format!("{} |{rest}", products * 4 / 5),
                    false => blessed += line,
                }
            }
        }
        blessed.push('\n');
    }
    let new = found
        .iter()
        .filter(|shell| table.kernel(&shell.kernel).is_none());
    let new: Vec<String> = new.map(|shell| shell.as_line(table)).collect();
    if !new.is_empty() {
        blessed += "\n# New: give the reason for each call, and move the lines to their kind.\n";
        new.iter().for_each(|line| blessed += &format!("{line}\n"));
    }
    blessed
}
