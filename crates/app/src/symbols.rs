//! Names of a circuit's signals, from the list that circom writes beside it (`.sym`).
//!
//! A line is a signal: label, wire, number of its template, and name. The wire of a signal that was simplified away is
//! -1. Source: circom's documentation, "sym file".

use std::path::{Path, PathBuf};

/// The text of a `.sym`.
pub struct Symbols(String);

/// A line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The label: its number among all signals, from 1 on.
    pub label: u64,
    /// The wire; none if it was simplified away.
    pub wire: Option<u32>,
    /// The number of its template.
    pub template: u32,
    /// From `main` on, with an index for each dimension.
    pub name: &'a str,
}

impl Symbols {
    /// The list at `path`. Without it no signal has a name.
    pub fn read(path: &Path) -> Self {
        Self(std::fs::read_to_string(path).unwrap_or_default())
    }

    /// The list beside a witness generator, if there is one.
    pub fn beside(generator: &Path) -> Option<Self> {
        Some(Self::read(&beside(generator, "sym")?))
    }

    /// The signals, in the order of the list. Lines that are none are left out.
    pub fn all(&self) -> impl Iterator<Item = Symbol<'_>> {
        self.0.lines().filter_map(|line| {
            let mut fields = line.splitn(4, ',');
            let label = fields.next()?.parse().ok()?;
            let wire = fields.next()?.parse().ok();
            let template = fields.next()?.parse().ok()?;
            let name = fields.next()?;
            Some(Symbol {
                label,
                wire,
                template,
                name,
            })
        })
    }
}

impl<'a> Symbol<'a> {
    /// The component, and the name of the signal in it without the indices of its values.
    pub fn parts(&self) -> Option<(&'a str, &'a str)> {
        let (component, signal) = self.name.rsplit_once('.')?;
        Some((component, without_indices(signal)))
    }

    /// The name of an input of the whole circuit, if this is one: as inputs give it, fields of buses qualified.
    pub fn of_main(&self) -> Option<&'a str> {
        Some(without_indices(self.name.strip_prefix("main.")?))
    }
}

/// `a` of `a[1][2]`, and `p[0].x` of `p[0].x[3]`.
fn without_indices(name: &str) -> &str {
    let mut name = name;
    while let Some((before, index)) = name
        .strip_suffix(']')
        .and_then(|name| name.rsplit_once('['))
    {
        if !index.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        name = before;
    }
    name
}

/// A file of a generator's name beside it, or beside the folder that circom makes for it.
pub fn beside(generator: &Path, extension: &str) -> Option<PathBuf> {
    let name = Path::new(generator.file_name()?).with_extension(extension);
    let folder = generator.parent()?;
    let here = folder.join(&name);
    let above = folder.join("..").join(&name);
    [here, above].into_iter().find(|path| path.is_file())
}

/// A list of names for people, of which the first few are told.
pub fn listed(names: impl IntoIterator<Item = String>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names
        .by_ref()
        .take(MOST_NAMES)
        .map(|name| printable(&name))
        .collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Nothing that could steer a terminal.
pub fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}

/// Names that are told.
pub const MOST_NAMES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_circom_writes_them() {
        let text =
            "1,1,2,main.out\n2,-1,0,main.t[0].b.in[3][1]\nno line\n3,x\n4,5,6,main.p[0].x[7]\n";
        let symbols = Symbols(text.into());
        let all: Vec<Symbol<'_>> = symbols.all().collect();
        assert_eq!(all.len(), 3);
        assert_eq!(all[0].wire, Some(1));
        assert_eq!(all[0].of_main(), Some("out"));
        assert_eq!((all[1].wire, all[1].template), (None, 0));
        assert_eq!(all[1].parts(), Some(("main.t[0].b", "in")));
        assert_eq!(all[2].of_main(), Some("p[0].x"));
        for (name, without) in [
            ("a", "a"),
            ("a[1]", "a"),
            ("a]", "a]"),
            ("a[x]", "a[x]"),
            ("[1]", ""),
        ] {
            assert_eq!(without_indices(name), without);
        }
    }

    #[test]
    fn lists_of_names_end() {
        let names = |count: usize| (0..count).map(|k| format!("n{k}"));
        assert_eq!(listed(names(2)), "n0, n1");
        assert_eq!(
            listed(names(10)),
            "n0, n1, n2, n3, n4, n5, n6, n7 and 2 more"
        );
        assert_eq!(listed(["\u{1b}[2J".into()]), "\u{fffd}[2J");
    }
}
