//! Checks that every public function of constant time is run under valgrind, as far as names tell.
//!
//! Functions are compared by name alone: that `mul` is called for one type does not say that it is for another. The
//! cases are written by macros over all fields, groups and curves. A function can go missing only if it is new, for one
//! of them or for all.

use super::lines;
use super::sources::Source;

/// Public functions that no case names and no line leaves out, and lines that leave nothing out.
pub fn faults(sources: &[Source], cases: &[Source], left_out: &str) -> Result<Vec<String>, String> {
    let lines = lines(left_out)
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            match cells[..] {
                [path, functions, reason] if !reason.is_empty() => {
                    Ok((path, functions.split(' ').collect::<Vec<_>>()))
                }
                _ => Err(format!(
                    "ct-uncovered.txt: not `path | functions | reason`: {line}"
                )),
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut used = vec![false; lines.len()];
    let mut faults = Vec::new();
    for source in sources {
        let named = |name: &String| cases.iter().any(|case| case.words.contains(name));
        for name in source.constant_time.iter().filter(|name| !named(name)) {
            let line = lines.iter().position(|(path, functions)| {
                source.path.starts_with(path)
                    && functions
                        .iter()
                        .any(|function| function == name || *function == "*")
            });
            match line {
                Some(line) => used[line] = true,
                None => faults.push(format!(
                    "{}: {name} is public and of constant time, and no case of frumious-ct calls it; write one, or say in xtask/ct-uncovered.txt why not",
                    source.path
                )),
            }
        }
    }
    let unused = lines.iter().zip(used).filter(|(_, used)| !used);
    faults.extend(unused.map(|((path, functions), _)| {
        format!(
            "ct-uncovered.txt: {path} | {} leaves nothing out; take the line out",
            functions.join(" ")
        )
    }));
    Ok(faults)
}
