//! The words of documents and of documentation comments: short lines, short sentences, the thing named first.
//!
//! | rule | limit |
//! |---|---|
//! | columns of a line, but in tables and code | 120 |
//! | words of a sentence, a code span being one | 25 |
//! | first word of a documentation comment | not What, How, Why or Whether |
//!
//! Records of measurements (`peers/record`) are left as they were written. `xtask/words.txt` has the files that still
//! break a rule, with their number of faults: it may fall, and a file that has fewer says so.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// One broken rule.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    line: usize,
    problem: String,
}

/// Checks every document and source file that git knows below `root`, and prints faults that the list has not.
///
/// True if each file has as many as the list says.
pub fn check(root: &Path) -> Result<bool, String> {
    let listed = Command::new("git")
        .args(["ls-files", "*.md", "*.rs"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("git: {error}"))?;
    if !listed.status.success() {
        return Err("git ls-files failed".into());
    }
    let names = String::from_utf8(listed.stdout).map_err(|error| error.to_string())?;
    let known = known(root)?;
    let (mut files, mut faults, mut holds) = (0, 0, true);
    for name in names.lines().filter(|name| !name.contains("/record/")) {
        let text =
            fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))?;
        files += 1;
        let found = faults_of(&text, name.ends_with(".rs"));
        let allowed = known.get(name).copied().unwrap_or(0);
        faults += found.len();
        if found.len() > allowed {
            for fault in &found {
                println!("{name}:{}: {}", fault.line, fault.problem);
            }
        }
        if found.len() != allowed {
            holds = false;
            let number = found.len();
            println!("{name}: {number} faults, where xtask/words.txt has {allowed}");
        }
    }
    println!("words: {files} files, {faults} faults");
    if files == 0 {
        return Err("git lists no file".into());
    }
    Ok(holds)
}

/// The files of the list, with their faults.
fn known(root: &Path) -> Result<BTreeMap<String, usize>, String> {
    let text = fs::read_to_string(root.join("xtask/words.txt"))
        .map_err(|error| format!("xtask/words.txt: {error}"))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let entry = |line: &str| {
        let (number, name) = line.split_once(" | ")?;
        Some((name.to_owned(), number.trim().parse().ok()?))
    };
    lines
        .map(|line| entry(line).ok_or(format!("xtask/words.txt: {line}")))
        .collect()
}

/// The faults of a file's prose: of the whole of a document, of the documentation comments of a source file.
fn faults_of(text: &str, is_source: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut in_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        let prose = match is_source {
            false => Some(line),
            true => documentation(line),
        };
        let Some(prose) = prose else {
            paragraph.end(&mut faults);
            in_code = false;
            continue;
        };
        let trimmed = prose.trim_start();
        if trimmed.starts_with("```") {
            in_code = !in_code;
            paragraph.end(&mut faults);
            continue;
        }
        if in_code || trimmed.is_empty() || trimmed.starts_with(['|', '#']) {
            paragraph.end(&mut faults);
            continue;
        }
        let columns = line.chars().count();
        if columns > COLUMNS {
            faults.push(Fault {
                line: number,
                problem: format!("{columns} columns, more than {COLUMNS}"),
            });
        }
        if is_source && paragraph.is_first && QUESTIONS.iter().any(|word| opens_with(trimmed, word))
        {
            faults.push(Fault {
                line: number,
                problem: format!("name the thing first: \"{}\"", start_of(trimmed)),
            });
        }
        if is_item(trimmed) {
            paragraph.end(&mut faults);
        }
        paragraph.add(number, trimmed);
    }
    paragraph.end(&mut faults);
    faults
}

/// The text of a line of a documentation comment.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///")
        .or_else(|| line.strip_prefix("//!"))
}

/// True for a line that begins an item of a list.
fn is_item(line: &str) -> bool {
    let after_number = line.trim_start_matches(|character: char| character.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || (after_number.len() < line.len() && after_number.starts_with(". "))
}

fn opens_with(line: &str, word: &str) -> bool {
    let rest = line
        .strip_prefix(word)
        .and_then(|rest| rest.strip_prefix(' '));
    rest.is_some_and(|rest| rest.starts_with(|character: char| character.is_lowercase()))
}

/// Lines that are read together.
struct Paragraph {
    first_line: usize,
    text: String,
    /// Nothing came before it in its comment.
    is_first: bool,
}

impl Default for Paragraph {
    fn default() -> Self {
        Self {
            first_line: 0,
            text: String::new(),
            is_first: true,
        }
    }
}

impl Paragraph {
    fn add(&mut self, number: usize, line: &str) {
        if self.text.is_empty() {
            self.first_line = number;
        }
        self.text.push_str(line);
        self.text.push(' ');
        self.is_first = false;
    }

    /// Reports the sentences that are too long, and begins anew.
    fn end(&mut self, faults: &mut Vec<Fault>) {
        for sentence in sentences(&self.text) {
            let words = words_of(sentence);
            if words > WORDS {
                faults.push(Fault {
                    line: self.first_line,
                    problem: format!("a sentence of {words} words: \"{}\"", start_of(sentence)),
                });
            }
        }
        self.text.clear();
        self.is_first = true;
    }
}

/// Sentences end at a full stop, a question mark or an exclamation mark before a blank.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ends = |(at, _): &(usize, &str)| rest[at + 1..].starts_with(' ');
        let end = rest.match_indices(['.', '?', '!']).find(ends);
        let (sentence, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at + 1));
        rest = after;
        (!sentence.is_empty()).then_some(sentence.trim())
    })
}

/// Words with a letter or a digit; a code span is one word, a link is its text.
fn words_of(sentence: &str) -> usize {
    let mut outside = String::new();
    for (index, part) in sentence.split('`').enumerate() {
        outside.push_str(match index % 2 {
            0 => part,
            _ => "code",
        });
    }
    outside
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric))
        .count()
}

fn start_of(text: &str) -> String {
    text.chars().take(60).collect()
}

const COLUMNS: usize = 120;
const WORDS: usize = 25;
const QUESTIONS: [&str; 4] = ["What", "How", "Why", "Whether"];

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn problems(text: &str, is_source: bool) -> Vec<usize> {
        let faults = faults_of(text, is_source);
        faults.iter().map(|fault| fault.line).collect()
    }

    #[test]
    fn sentences_have_at_most_25_words() {
        let sentence = |words: usize| format!("{}.", vec!["w"; words].join(" "));
        assert_eq!(problems(&sentence(25), false), NONE);
        assert_eq!(problems(&sentence(26), false), [1]);
        let two = format!("{} {}", sentence(20), sentence(20));
        assert_eq!(problems(&two, false), NONE);
        let split = format!("\n\n{}\n{}", vec!["w"; 20].join(" "), sentence(6));
        assert_eq!(problems(&split, false), [3]);
        let items = format!("- {}\n- {}", vec!["w"; 20].join(" "), sentence(20));
        assert_eq!(problems(&items, false), NONE);
        assert_eq!(words_of("`a b c d` is one, 2.5 is one - and so"), 8);
    }

    #[test]
    fn lines_have_at_most_120_columns() {
        let line = |columns: usize| "x".repeat(columns);
        assert_eq!(problems(&line(120), false), NONE);
        assert_eq!(problems(&line(121), false), [1]);
        assert_eq!(
            problems(
                &format!("```\n{}\n```\n| {} |", line(130), line(130)),
                false
            ),
            NONE
        );
        // In source files documentation only.
        assert_eq!(
            problems(&format!("// {}\n/// {}", line(130), line(130)), true),
            [2]
        );
    }

    #[test]
    fn documentation_names_the_thing_first() {
        assert_eq!(problems("/// What is left.\nfn f() {}", true), [1]);
        assert_eq!(
            problems("/// The rest.\n/// What is left.\nfn f() {}", true),
            NONE
        );
        assert_eq!(problems("/// Whether it is empty.", true), [1]);
        assert_eq!(
            problems("// What a comment says inside of a function.", true),
            NONE
        );
    }
}
