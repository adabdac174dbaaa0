//! Limits of containers: under a memory control group each command keeps to it, or refuses before it works.
//!
//! Skipped, with a message, where no group can be made.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::support::Workplace;

/// A memory group of our own, removed on drop.
struct Group(PathBuf);

impl Group {
    fn new(limit: u64) -> Option<Self> {
        let name = format!("frumious-test-{}-{limit}", std::process::id());
        let old = Path::new("/sys/fs/cgroup/memory");
        let group = match old.is_dir() {
            true => Self(old.join(name)),
            false => Self(Path::new("/sys/fs/cgroup").join(name)),
        };
        fs::create_dir(&group.0).ok()?;
        let files = ["memory.limit_in_bytes", "memory.max"];
        let set = files.iter().any(|file| {
            let path = group.0.join(file);
            path.exists() && fs::write(path, limit.to_string()).is_ok()
        });
        // Without swap the limit is of memory alone.
        let _ = fs::write(group.0.join("memory.swap.max"), "0");
        set.then_some(group)
    }

    /// Runs a command in the group; its exit code, and its object on stdout.
    fn run(&self, place: &Workplace, line: &str) -> (Option<i32>, Value) {
        let enter = format!(
            "echo $$ > {}/cgroup.procs && exec \"$0\" \"$@\"",
            self.0.display()
        );
        let output = Command::new("sh")
            .args(["-c", &enter, env!("CARGO_BIN_EXE_frumious")])
            .args(
                line.split_whitespace()
                    .chain(["--json", "--force", "--threads", "1"]),
            )
            .current_dir(place.path(""))
            .stdin(Stdio::null())
            .output()
            .expect("the shell is there");
        let object = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        (output.status.code(), object)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0); // nobody is in it any more
    }
}

#[test]
fn commands_keep_to_the_memory_of_their_group() {
    let place = Workplace::new();
    place.write_squarings("big", 60_000);
    place.succeed("setup --dev big.r1cs big.zkey");
    place.write("vector.json", "[1, 2, 3]");
    place.write(
        "openings.json",
        r#"[{ "polynomial": [1, 2, 3], "point": 0 }]"#,
    );
    place.write("entries.json", "{}");
    place.succeed("verkle prove openings.json verkle.json claims.json");
    // The least and the most at the same time as those between: about as much work each.
    let halves = [[28, 500], [100, 200]].map(|limits| {
        let place = &place;
        move || limits.map(|mebibytes| keeps_to(place, mebibytes))
    });
    let outcomes = std::thread::scope(|scope| {
        let started = halves.map(|half| scope.spawn(half));
        started.map(|half| half.join().expect("each keeps to its limit"))
    });
    let outcomes: Vec<Option<Outcome>> = outcomes.into_iter().flatten().collect();
    if outcomes.iter().any(Option::is_none) {
        eprintln!("skipped: no memory control group can be made here");
        return;
    }
    let outcomes = outcomes.into_iter().flatten();
    let (refused, tried): (Vec<usize>, Vec<_>) = outcomes.map(|o| (o.refused, o.tried)).unzip();
    assert!(
        refused.iter().sum::<usize>() > 0,
        "no limit was too low for any command"
    );
    let tried: BTreeSet<String> = tried.into_iter().flatten().collect();
    // `fleet` becomes another program before it does any work.
    for command in commands_of_the_readme()
        .iter()
        .filter(|name| *name != "fleet")
    {
        assert!(tried.contains(command), "{command} is not tried");
    }
}

/// Commands that ran under one limit, or were refused.
struct Outcome {
    refused: usize,
    tried: BTreeSet<String>,
}

/// Runs each command of the README's table under a limit; nothing where no group can be made.
fn keeps_to(place: &Workplace, mebibytes: u64) -> Option<Outcome> {
    let group = Group::new(mebibytes << 20)?;
    // Outputs have a folder for each limit.
    let out = format!("under{mebibytes}");
    fs::create_dir(place.path(&out)).expect("it is new");
    let (signals, proof) = ("public.json", "proof.json");
    let lines = [
        &format!("prove big.zkey big.wtns {out}/n.json {out}/s.json"),
        &format!("fullprove input.json mul.wasm mul.zkey {out}/n.json {out}/s.json"),
        &format!("verify vkey.json {signals} {proof}"),
        &format!("witness mul.wasm input.json {out}/n.wtns"),
        "check big.r1cs big.wtns",
        &format!("setup --dev big.r1cs {out}/n.zkey"),
        &format!("setup mul.r1cs pot2.ptau {out}/n.zkey"),
        &format!("export vkey big.zkey {out}/n.vkey"),
        &format!("export solidity contributed.zkey {out}/n.sol"),
        &format!("export r1cs big.r1cs {out}/r1cs.json"),
        &format!("export witness big.wtns {out}/values.json"),
        &format!("export calldata {signals} {proof}"),
        &format!("export proof proof.json {out}/p.bin --format gnark"),
        &format!("import proof {out}/p.bin {out}/p.json --format gnark"),
        &format!("zkey export json mul.zkey {out}/key.json"),
        &format!("zkey import json {out}/key.json {out}/of_json.zkey"),
        &format!("convert big.zkey {out}/n.fkey"),
        &format!("powersoftau new bn128 6 {out}/n.ptau"),
        &format!("powersoftau contribute pot2.ptau {out}/c.ptau"),
        &format!("powersoftau beacon pot2.ptau {out}/b.ptau 0102 10"),
        "powersoftau verify pot2.ptau",
        &format!("powersoftau prepare phase2 pot2.ptau {out}/p.ptau"),
        &format!("powersoftau convert pot2.ptau {out}/v.ptau"),
        &format!("zkey contribute contributed.zkey {out}/c.zkey"),
        &format!("zkey beacon contributed.zkey {out}/b.zkey 0102 10"),
        &format!("zkey export bellman contributed.zkey {out}/n.mpcparams"),
        &format!("zkey bellman contribute bn128 {out}/n.mpcparams {out}/m.mpcparams"),
        &format!("zkey import bellman contributed.zkey {out}/m.mpcparams {out}/m.zkey"),
        "zkey verify mul.r1cs pot2.ptau contributed.zkey",
        "inspect big.r1cs",
        "verkle commit vector.json",
        &format!("verkle prove openings.json {out}/n.json {out}/n.claims.json"),
        "verkle verify claims.json verkle.json",
        "verkle root entries.json",
        "demo --log-size 12",
        "bench prove mul.zkey --rounds 1",
        "bench cost mul.r1cs mul.zkey mul.wtns --rounds 1",
        "bench trace mul.zkey --workers 2",
        &format!("tune mul.zkey mul.wtns --seconds 1 --only memory.huge_pages --out {out}/t.toml"),
        "bench witness mul.wasm input.json --rounds 1",
        "bench msm-fixed --quick --max-mib 40",
        "snarkjs g16v vkey.json public.json proof.json",
        "serve --check --config serve.toml",
        "man",
        "completions bash",
    ];
    // What takes long is tried, or refused, under the smaller limits.
    let tune =
        format!("tune --constraints 3000 --seconds 1 --only memory.huge_pages --out {out}/u.toml");
    let large = [
        &tune,
        "demo rollup --transfers 1",
        "doctor --seconds 1",
        "demo --log-size 16",
        "verkle commit vector.json --memory 200",
    ];
    let large = large.into_iter().filter(|_| mebibytes < 200);
    let (mut refused, mut tried) = (0, BTreeSet::new());
    for line in lines.into_iter().chain(large) {
        tried.insert(line.split(' ').next().unwrap_or_default().to_owned());
        let (code, report) = group.run(place, line);
        match code {
            Some(0) => {}
            Some(3) => {
                assert_eq!(report["code"], "memory_limit", "{line}: {report}");
                let error = report["error"].as_str().expect("a line");
                assert!(error.contains("ive the container "), "{line}: {error}");
                refused += 1;
            }
            other => panic!("{line} under {mebibytes} MiB: {other:?} {report}"),
        }
        assert!(mebibytes < 500 || code == Some(0), "{line}: {report}");
    }
    Some(Outcome { refused, tried })
}

/// First words of the commands in the README's table.
fn commands_of_the_readme() -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).expect("it is there");
    let table = readme.lines().filter_map(|line| line.strip_prefix("| `"));
    let table = table.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    let names = table.filter_map(|line| line.split('|').next());
    let words = names.flat_map(|names| names.split('`').step_by(2));
    let first = words.filter_map(|words| words.split([' ', ',']).next());
    let commands: Vec<String> = first.map(str::to_owned).collect();
    assert!(commands.len() >= 15, "{} in the table", commands.len());
    commands
        .into_iter()
        .filter(|name| !name.is_empty())
        .collect()
}
