//! Progress where there is no terminal, and commands that are stopped by a signal.

use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::support::{Workplace, program, unwinds};

/// The command, which listens to signals. A shell ignores some for what it runs in the background, as this test may be.
/// Then `env` of GNU undoes it.
pub fn listening() -> Command {
    let mut words = PREFIX.split(' ').filter(|_| is_deaf());
    let binary = program();
    let Some(first) = words.next() else {
        return Command::new(binary);
    };
    let mut command = Command::new(first);
    command.args(words).arg(binary);
    command
}

const PREFIX: &str = "env --default-signal=HUP,INT,TERM";

/// True if this process ignores a signal that the command listens to.
fn is_deaf() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let [hangup, interrupt, terminate] = [1, 2, 15].map(|number| 1_u64 << (number - 1));
    mask.unwrap_or(0) & (hangup | interrupt | terminate) != 0
}

/// A command that runs while the test looks on, in a process group of its own.
fn start(place: &Workplace, line: &str, environment: &[(&str, &str)]) -> Child {
    use std::os::unix::process::CommandExt;
    listening()
        .args(line.split(' '))
        .current_dir(place.path(""))
        .env("XDG_CACHE_HOME", place.path("cache"))
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("it starts")
}

/// A line for each interval: each tells a part of all that never falls, and a sum tells more than once how far it is.
#[test]
fn without_a_terminal_there_is_a_line_for_each_interval() {
    let place = Workplace::new();
    place.write_squarings("long", 20_000);
    place.succeed("setup --dev long.r1cs long.zkey");
    let line = "prove --threads 1 long.zkey long.wtns p.json s.json";
    let said = |interval: &str, line: &str| {
        let child = start(&place, line, &[("FRUMIOUS_PROGRESS", interval)]);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        let stderr = String::from_utf8(output.stderr).expect("text");
        let lines = stderr.lines().filter(|line| line.contains("% done: "));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let lines = said("0.01", line);
    assert!(lines.len() >= 3, "{lines:?}");
    let part = |line: &String| -> u32 {
        let (part, _) = line.split_once("% done: ").expect("a part");
        part.parse().expect("a number")
    };
    let parts: Vec<u32> = lines.iter().map(part).collect();
    assert!(parts.is_sorted(), "{lines:?}");
    // No interval, and no wish for progress.
    assert!(said("3600", line).is_empty());
    assert!(said("0.01", &format!("{line} --quiet")).is_empty());
}

/// With an endless generator: the child is gone, no file is left, and that is said. The request goes to the command,
/// to its process group as by Ctrl-C, or to both processes as by a service manager, the child first.
#[test]
fn a_generator_is_stopped_with_its_command() {
    let place = Workplace::new();
    let text = include_str!("../data/multiplier.wat");
    let endless = text.replace("(func $run", "(func $run (loop (br 0))");
    place.write("endless.wasm", wat::parse_str(endless).expect("a module"));
    std::fs::create_dir(place.path("cache")).expect("it can be made");
    let requests = [
        ("-INT", Whom::Command),
        ("-INT", Whom::Group),
        ("-TERM", Whom::ChildFirst),
    ];
    let lines = [
        "fullprove input.json endless.wasm mul.zkey p.json s.json --json",
        "witness endless.wasm input.json w.wtns --json",
    ];
    let all = lines
        .into_iter()
        .flat_map(|line| requests.map(|request| (line, request)));
    for (line, (request, whom)) in all {
        let before = place.names();
        let parent = start(&place, line, &[]);
        let child = child_of(parent.id());
        let command = parent.id();
        let whom = match whom {
            Whom::Command => vec![command.to_string()],
            Whom::Group => vec![format!("-{command}")],
            Whom::ChildFirst => vec![child.to_string(), command.to_string()],
        };
        let signal = Command::new("kill")
            .args([request, "--"])
            .args(whom)
            .status();
        assert!(signal.expect("kill is there").success());
        let start = Instant::now();
        let Output {
            status,
            stdout,
            stderr,
        } = parent.wait_with_output().expect("it ends");
        assert!(
            start.elapsed() < Duration::from_secs(4),
            "it was not waited for"
        );
        assert!(has_ended(child), "the child goes on");
        assert_eq!(
            status.code(),
            Some(3),
            "{line}: {}",
            String::from_utf8_lossy(&stderr)
        );
        let report: serde_json::Value = serde_json::from_slice(&stdout).expect("an object");
        assert_eq!(report["code"], "interrupted");
        assert_eq!(report["error"], "interrupted; nothing was written");
        assert_eq!(place.names(), before);
    }
}

/// True if the process has ended, or does within two seconds. A command that cannot unwind does not wait for it: the
/// system ends it.
fn has_ended(process: u32) -> bool {
    let status = format!("/proc/{process}/status");
    let until = Instant::now() + Duration::from_secs(if unwinds() { 0 } else { 2 });
    loop {
        let lines = std::fs::read_to_string(&status).unwrap_or_default();
        if lines.is_empty() || (!unwinds() && lines.contains("State:\tZ")) {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The processes that are asked to end.
#[derive(Clone, Copy)]
enum Whom {
    Command,
    Group,
    ChildFirst,
}

/// The process that a command has started to run a module, once it does.
fn child_of(parent: u32) -> u32 {
    let children = format!("/proc/{parent}/task/{parent}/children");
    for _ in 0..2000 {
        std::thread::sleep(Duration::from_millis(5));
        // Started by whichever thread computes the witness.
        let tasks = std::fs::read_dir(format!("/proc/{parent}/task"))
            .into_iter()
            .flatten();
        let files = tasks.flatten().map(|task| task.path().join("children"));
        for file in files.chain([children.clone().into()]) {
            let ids = std::fs::read_to_string(file).unwrap_or_default();
            let Some(id) = ids.split_whitespace().next() else {
                continue;
            };
            let arguments = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&arguments).contains("__calculate-witness") {
                std::thread::sleep(Duration::from_millis(50));
                return id.parse().expect("a number");
            }
        }
    }
    panic!("no child was started");
}

/// On a terminal of 60 columns, by `script`: one line, which leaves room for `^C`, and is gone before the last words.
#[test]
fn on_a_terminal_nothing_of_the_line_stays() {
    let place = Workplace::new();
    place.write_squarings("long", 60_000);
    let line = "setup --dev --threads 1 long.r1cs k.zkey";
    let prefix = if is_deaf() { PREFIX } else { "" };
    let command = format!(
        "stty rows 24 cols 60; exec {prefix} {} {line}",
        program().display()
    );
    let begun = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(place.path(""))
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut terminal) = begun else {
        eprintln!("skipped: there is no script");
        return;
    };
    let mut keys = terminal.stdin.take().expect("it is piped");
    let mut screen = terminal.stdout.take().expect("it is piped");
    let mut shown = Vec::new();
    let mut buffer = [0; 4096];
    let mut was_stopped = false;
    while let Ok(length @ 1..) = screen.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..length]);
        let is_drawn = shown.windows(6).any(|bytes| bytes == b"points");
        if is_drawn && !was_stopped {
            keys.write_all(b"\x03").expect("it listens");
            was_stopped = true;
        }
    }
    terminal.wait().expect("it ends");
    assert!(was_stopped);
    let shown = String::from_utf8_lossy(&shown);
    let (before, words) = shown.rsplit_once("\x1b[2K").expect("a line is cleared");
    assert_eq!(
        words, "error: interrupted; nothing was written\r\n",
        "{before}"
    );
    let drawn = before.split(['\n', '\r']).filter(|line| line.contains('%'));
    let drawn = drawn.map(|line| line.trim_start_matches("\x1b[2K"));
    let widest = drawn.max_by_key(|line| line.chars().count());
    let widest = widest.expect("a line is drawn");
    assert!(widest.chars().count() <= 56 + "^C".len(), "{widest:?}");
}
