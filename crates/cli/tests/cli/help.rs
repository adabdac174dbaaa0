//! What `--help` says of every command, in `docs/commands.txt`: an option that changes is seen there.
//! `FRUMIOUS_BLESS=1` writes it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::support::Workplace;

/// Commands whose arguments go to another program, or are those of another.
const PASSED_ON: [&str; 2] = ["fleet", "snarkjs"];

#[test]
fn the_help_of_every_command_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.txt");
    let mut text = String::from(
        "The commands of frumious, as `--help` has them. A test of the command compares.\n",
    );
    add_help(&Workplace::new(), "", &mut text);
    if std::env::var_os("FRUMIOUS_BLESS").is_some() {
        fs::write(&path, &text).expect("it can be written");
    }
    let documented = fs::read_to_string(&path).expect("it is there");
    let (mut documented, mut said) = (documented.lines(), text.lines());
    let mut heading = "";
    loop {
        let (expected, line) = (documented.next(), said.next());
        assert_eq!(
            line, expected,
            "after {heading:?}; FRUMIOUS_BLESS=1 writes docs/commands.txt"
        );
        match line {
            Some(line) if line.starts_with("$ ") => heading = line,
            Some(_) => {}
            None => return,
        }
    }
}

/// The help of a command, then that of its own commands.
fn add_help(place: &Workplace, command: &str, text: &mut String) {
    let said = place.succeed(&format!("{command} --help")).stdout;
    let name = format!("frumious {command}");
    write!(text, "\n$ {} --help\n\n{said}", name.trim_end()).expect("a text takes it");
    let commands = said.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in commands.take_while(|line| line.starts_with("  ")) {
        let name = line.split_whitespace().next().expect("a name");
        let is_name = line.starts_with("  ") && !line.starts_with("   ");
        if is_name && name != "help" && !PASSED_ON.contains(&name) {
            add_help(place, format!("{command} {name}").trim_start(), text);
        }
    }
}
