//! No source file takes a name from one that takes a name from it, not by way of others either.
//!
//! Names that a file takes from the file of its own module do not count: `a.rs` and `a/b.rs` are one module.
//!
//! Files are read as text: `use` declarations, and paths that begin with `crate`, `super` or `self`. A name counts for
//! the file that defines it, and re-exports are followed. Tests inside of files are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn no_files_import_each_other() {
    let mut circles = Vec::new();
    for entry in fs::read_dir(super::root().join("crates")).expect("crates/") {
        let folder = entry.expect("an entry").path().join("src");
        circles.extend(Crate::read(&folder).in_circles());
    }
    let circles: Vec<_> = circles.iter().map(|file| file.display()).collect();
    assert!(circles.is_empty(), "in circles: {circles:#?}");
}

#[test]
fn a_circle_is_found() {
    let file = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
    let of = |files: Vec<(PathBuf, String)>| Crate::of(Path::new("src"), files).in_circles().len();
    let root = || file("src/lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;");
    let a = "use crate::{b::{self, B}};\npub struct A;";
    assert_eq!(
        of(vec![
            root(),
            file("src/a.rs", a),
            file("src/b.rs", "struct B;")
        ]),
        0
    );
    // Through the root's re-export, and by a path in the code.
    for back in [
        "use crate::A;",
        "fn f() { super::a::A }",
        "use super::c::C;",
    ] {
        let others = [file("src/b.rs", back), file("src/c.rs", "use crate::a::A;")];
        let found = of([vec![root(), file("src/a.rs", a)], others.into()].concat());
        assert_eq!(found, if back.contains('C') { 3 } else { 2 }, "{back}");
    }
    let tested = "struct B;\n#[cfg(test)]\nmod tests { use crate::A; }";
    assert_eq!(
        of(vec![root(), file("src/a.rs", a), file("src/b.rs", tested)]),
        0
    );
}

/// A module's name from the crate's root on.
type Module = Vec<String>;

/// The modules of a crate, each with its file and the paths that it names.
struct Crate {
    files: BTreeMap<Module, PathBuf>,
    /// Full paths, with the name by which a `use` makes them known.
    paths: BTreeMap<Module, Vec<(Module, String)>>,
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if path.is_dir() && name != "tests" {
                    folders.push(path);
                } else if name.ends_with(".rs") && name != "tests.rs" {
                    let text = fs::read_to_string(&path).expect("text");
                    files.push((path, text));
                }
            }
        }
        Self::of(folder, files)
    }

    fn of(folder: &Path, files: Vec<(PathBuf, String)>) -> Self {
        let module_of = |path: &Path| -> Module {
            let path = path
                .strip_prefix(folder)
                .expect("a file of the folder")
                .with_extension("");
            let parts = path.iter().map(|part| part.to_string_lossy().into_owned());
            let is_root = |part: &String| ["lib", "main", "mod"].contains(&part.as_str());
            parts.filter(|part| !is_root(part)).collect()
        };
        let named: BTreeMap<Module, PathBuf> = files
            .iter()
            .map(|(path, _)| (module_of(path), path.clone()))
            .collect();
        let paths = files.iter().map(|(path, text)| {
            let module = module_of(path);
            let paths = paths_of(text).into_iter();
            let paths =
                paths.filter_map(|(path, name)| Some((absolute(&module, path, &named)?, name)));
            (module.clone(), paths.collect())
        });
        Self {
            paths: paths.collect(),
            files: named,
        }
    }

    /// The files that stay when those are taken away, again and again, that import none or are imported by none.
    fn in_circles(&self) -> Vec<PathBuf> {
        let mut arrows: BTreeSet<(&Module, &Module)> = BTreeSet::new();
        for (from, paths) in &self.paths {
            for to in paths.iter().filter_map(|(path, _)| self.defining(path, 0)) {
                if !from.starts_with(to) {
                    arrows.insert((from, to));
                }
            }
        }
        loop {
            let from: BTreeSet<_> = arrows.iter().map(|(from, _)| *from).collect();
            let to: BTreeSet<_> = arrows.iter().map(|(_, to)| *to).collect();
            let before = arrows.len();
            arrows.retain(|(a, b)| from.contains(b) && to.contains(a));
            if arrows.len() == before {
                return from
                    .iter()
                    .map(|module| self.files[*module].clone())
                    .collect();
            }
        }
    }

    /// The module that defines what a path names; none if it is of no module's.
    fn defining(&self, path: &[String], depth: usize) -> Option<&Module> {
        let length = (0..=path.len())
            .rev()
            .find(|length| self.files.contains_key(&path[..*length]))?;
        let (module, _) = self.files.get_key_value(&path[..length])?;
        let name = path.get(length)?; // a module itself is no name of its file
        let exported = self.paths[module]
            .iter()
            .find(|(path, known)| known == name && path.len() > 1);
        match exported {
            Some((path, _)) if depth < 8 => self.defining(path, depth + 1),
            _ => Some(module),
        }
    }
}

/// The paths in a file: those of `use` with the names that they give, and others.
fn paths_of(text: &str) -> Vec<(Module, String)> {
    let kept = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let text: String = kept.flat_map(|line| [line, "\n"]).collect();
    let is_inline = |at: &usize| {
        text[*at..]
            .lines()
            .nth(1)
            .is_some_and(|line| line.contains('{'))
    };
    let tests = text
        .match_indices("#[cfg(test)]\nmod ")
        .map(|(at, _)| at)
        .find(is_inline);
    let text = &text[..tests.unwrap_or(text.len())];
    let mut words = words(text).into_iter().peekable();
    let mut paths = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "use" => {
                let declaration: Vec<&str> =
                    words.by_ref().take_while(|word| *word != ";").collect();
                tree(&declaration, &[], &mut paths);
            }
            "crate" | "super" | "self" if words.peek() == Some(&"::") => {
                let mut path = vec![word.to_owned()];
                while words.next_if_eq(&"::").is_some() {
                    let is_name =
                        |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
                    path.extend(words.next_if(is_name).map(str::to_owned));
                }
                paths.push((path, String::new()));
            }
            _ => {}
        }
    }
    paths
}

/// The paths of a tree of `use`, in the order of its words.
fn tree(words: &[&str], prefix: &[String], paths: &mut Vec<(Module, String)>) {
    let (mut depth, mut from) = (0, 0);
    let mut branches = Vec::new();
    for (index, word) in words.iter().enumerate() {
        match *word {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 0 => {
                branches.push(&words[from..index]);
                from = index + 1;
            }
            _ => {}
        }
    }
    branches.push(&words[from..]);
    for branch in branches {
        let mut path = prefix.to_vec();
        let mut name = None;
        let mut rest = branch.iter().enumerate();
        while let Some((index, word)) = rest.next() {
            match *word {
                "::" => {}
                "{" => {
                    tree(&branch[index + 1..branch.len() - 1], &path, paths);
                    path.clear();
                    break;
                }
                "as" => name = rest.next().map(|(_, word)| (*word).to_owned()),
                "self" if !path.is_empty() => {}
                word => path.push(word.to_owned()),
            }
        }
        if let Some(last) = path.last() {
            let name = name.unwrap_or_else(|| last.clone());
            paths.push((path, name));
        }
    }
}

/// Words, `::` and single characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            _ if rest.starts_with("::") => 2,
            first if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        if !word.trim().is_empty() {
            words.push(word);
        }
        rest = after;
    }
    words
}

/// A path from the crate's root on. None if it leads out of the crate.
fn absolute(module: &Module, path: Module, files: &BTreeMap<Module, PathBuf>) -> Option<Module> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => module.clone(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        child => {
            let known = [module.as_slice(), &[child.to_owned()]].concat();
            return files
                .contains_key(&known)
                .then(|| [known.as_slice(), &path[1..]].concat());
        }
    };
    for part in &path[1..] {
        match part.as_str() {
            "super" => drop(base.pop()?),
            part => base.push(part.to_owned()),
        }
    }
    Some(base)
}
