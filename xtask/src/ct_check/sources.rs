//! Which functions a source file has, and which of variable time they name. By lines, as rustfmt leaves them: a
//! function ends where a brace stands as far in as its `fn`.

use std::collections::HashSet;
use std::path::Path;

/// The functions and calls of one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// From the folder of the crates.
    pub path: String,
    /// Public functions with the suffix.
    pub exports: Vec<String>,
    /// Public functions without it, but for `const` ones.
    pub constant_time: Vec<String>,
    /// All words of it.
    pub words: HashSet<String>,
    /// Uses of functions with the suffix in functions without.
    pub calls: Vec<Call>,
}

/// A use of a variable-time function.
#[derive(Debug, PartialEq, Eq)]
pub struct Call {
    /// Line, from 1.
    pub line: usize,
    /// The function that uses it.
    pub caller: String,
    /// The function that is used.
    pub callee: String,
}

/// All files of the crates, but for tests.
///
/// Errors: a folder or file that cannot be read.
pub fn read_all(root: &Path, crates: &[&str]) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for name in crates {
        let mut files = Vec::new();
        let crates = root.join("crates");
        list(&crates, &crates.join(name).join("src"), &mut files)?;
        files.sort();
        let mut tests = vec!["tests".to_string()];
        for (_, text) in &files {
            tests.extend(test_modules(text));
        }
        for (path, text) in &files {
            let inner = path.strip_suffix(".rs").unwrap_or(path);
            if inner
                .split('/')
                .any(|part| tests.iter().any(|test| test == part))
            {
                continue;
            }
            sources.push(Source::read(path, text));
        }
    }
    Ok(sources)
}

/// Paths from `root` and texts of the Rust files below a folder.
fn list(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).map_err(cannot)?;
            let path = path.strip_prefix(root).unwrap_or(&path);
            files.push((path.display().to_string(), text));
        }
    }
    Ok(())
}

/// Names of the modules in files of their own that only tests have.
fn test_modules(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let modules: Vec<String> = lines
        .windows(2)
        .filter(|pair| pair[0] == "#[cfg(test)]")
        .filter_map(|pair| {
            pair[1]
                .strip_prefix("mod ")?
                .strip_suffix(';')
                .map(str::to_string)
        })
        .collect();
    modules.into_iter()
}

impl Source {
    /// Reads a file's text, up to the tests in it.
    pub fn read(path: &str, text: &str) -> Self {
        let mut source = Self {
            path: path.into(),
            words: text.split(|c| !is_in_name(c)).map(str::to_string).collect(),
            ..Self::default()
        };
        let mut open: Vec<(usize, String)> = Vec::new(); // functions around the line, by how far in they stand
        for (number, line) in text.lines().enumerate() {
            let code = line.trim();
            let depth = line.len() - line.trim_start().len();
            if code.starts_with("mod tests ") {
                break;
            }
            if code.starts_with("//") {
                continue;
            }
            let code = code.split("//").next().unwrap_or(code);
            let mut rest = code;
            if let Some((before, name, after)) = function(code) {
                if before.starts_with("pub ") && name.ends_with(SUFFIX) {
                    source.exports.push(name.into());
                } else if before == "pub " && !name.contains(SUFFIX) {
                    source.constant_time.push(name.into());
                }
                open.push((depth, name.into()));
                rest = after;
            }
            if let Some((_, caller)) = open.last()
                && !caller.contains(SUFFIX)
            {
                source.calls.extend(names(rest).map(|callee| Call {
                    line: number + 1,
                    caller: caller.clone(),
                    callee: callee.into(),
                }));
            }
            let ends = code.ends_with('}') || code.ends_with(';'); // the latter of a declaration in a trait
            if ends && open.last().is_some_and(|(start, _)| *start == depth) {
                open.pop();
            }
        }
        source
    }
}

/// The words before `fn`, its name, and the words that follow, of a line that begins a function.
fn function(code: &str) -> Option<(&str, &str, &str)> {
    let start = code
        .find("fn ")
        .filter(|start| *start == 0 || code.as_bytes()[start - 1] == b' ')?;
    let name = &code[start + 3..];
    let end = name.find(|c: char| !is_in_name(c)).unwrap_or(name.len());
    (end > 0).then_some((&code[..start], &name[..end], &name[end..]))
}

/// Names with the suffix.
fn names(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_in_name(c))
        .filter(|name| name.ends_with(SUFFIX))
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

const SUFFIX: &str = "_vartime";
