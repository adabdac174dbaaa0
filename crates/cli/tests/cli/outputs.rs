//! Where results go: stdout, stderr, and files that are whole or not there.

use std::fs;
#[cfg(unix)]
use std::process::{Command, Stdio};

use super::support::Workplace;

#[test]
fn results_go_to_stdout_and_nothing_else_does() {
    let place = Workplace::new();
    for line in [
        "prove mul.zkey mul.wtns n.json s.json",
        "verify vkey.json public.json proof.json",
        "setup mul.r1cs pot2.ptau n.zkey",
        "witness mul.wasm input.json n.wtns",
        "export vkey mul.zkey n.vkey",
    ] {
        let ending = place.succeed(line);
        assert_eq!(
            ending.stdout.lines().count(),
            1,
            "{line}: {}",
            ending.stdout
        );
        // No progress where no terminal is; a setup and a proof say how much memory they are going to take.
        let notes = usize::from(["setup", "prove"].iter().any(|name| line.starts_with(name)));
        // Nobody has contributed to a key from powers of tau: that is said, and said quietly too.
        let warnings = 2 * usize::from(line.starts_with("setup"));
        let lines = ending.stderr.lines().count();
        assert_eq!(lines, notes + warnings, "{line}");
        let quiet = place.succeed(&format!("{line} --quiet --force"));
        assert_eq!(quiet.stdout, "", "{line}");
        assert_eq!(quiet.stderr.lines().count(), warnings, "{line}");
    }
    // What was asked for is printed even so.
    assert!(
        !place
            .succeed("export calldata public.json proof.json --quiet")
            .stdout
            .is_empty()
    );
}

#[test]
fn old_outputs_survive_a_failure() {
    let place = Workplace::new();
    for name in ["n.json", "s.json", "n.zkey", "n.wtns"] {
        place.write(name, "old");
    }
    let mut key = place.read("mul.zkey");
    // A byte of the last section's last point: noticed late.
    let position = key.len() - 700;
    key[position..].fill(0xff);
    place.write("bad.zkey", key);
    place.write("bad.json", "{");
    let before = place.names();
    for line in [
        "prove bad.zkey mul.wtns n.json s.json",
        "prove mul.zkey bad.json n.json s.json",
        "setup mul.r1cs bad.json n.zkey",
        "witness mul.wasm bad.json n.wtns",
    ] {
        place.end_with(2, line);
    }
    assert_eq!(place.names(), before);
    for name in ["n.json", "s.json", "n.zkey", "n.wtns"] {
        assert_eq!(place.read(name), b"old", "{name}");
    }
}

#[test]
fn outputs_that_cannot_be_written_are_noticed_first() {
    let place = Workplace::new();
    fs::create_dir(place.path("folder")).expect("it can be made");
    let before = place.names();
    for line in [
        "prove mul.zkey mul.wtns none/n.json s.json",
        "prove mul.zkey mul.wtns n.json none/s.json",
        "prove mul.zkey mul.wtns n.json folder",
        "prove mul.zkey mul.wtns n.json n.json",
        "prove mul.zkey mul.wtns n.json ./mul.wtns",
        "setup --dev mul.r1cs mul.r1cs",
        "setup mul.r1cs pot2.ptau none/n.zkey",
        "witness mul.wasm input.json input.json",
        "export vkey mul.zkey none/n.json",
        "export solidity vkey.json vkey.json",
        // Before anything is read: the key does not exist.
        "prove none.zkey mul.wtns n.json none/s.json",
        "prove none.zkey mul.wtns n/ s.json",
        "prove none.zkey mul.wtns n.json s/.",
        "setup none.r1cs pot2.ptau n/",
        "witness none.wasm input.json n/",
    ] {
        let ending = place.end_with(2, line);
        let message = ending.stderr.lines().last().unwrap_or_default();
        assert!(
            message.contains("cannot write") || message.contains("overwrite"),
            "{line}: {message}"
        );
    }
    // The key does not exist: neither is a stream that nobody opened.
    #[cfg(target_os = "linux")]
    {
        let line = "prove none.zkey mul.wtns /dev/fd/4999 s.json";
        let told = place.end_with(2, line).stderr;
        assert!(told.contains("cannot write /dev/fd/4999"), "{told}");
    }
    assert_eq!(place.names(), before);
}

/// The key does not exist: what would fail at the rename is told before anything is read.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_no_other_can_replace_is_noticed_first() {
    let place = Workplace::new();
    let too_long = "n".repeat(256);
    let told = place.end_with(2, &format!("prove none.zkey mul.wtns {too_long} s.json"));
    assert!(
        told.stderr.contains("File name too long"),
        "{}",
        told.stderr
    );
    // As `docker run -v FILE:FILE` does.
    place.write("n.json", "");
    let at = place.path("n.json");
    let mounted = Command::new("mount")
        .arg("--bind")
        .args([&at, &at])
        .output();
    if !mounted.is_ok_and(|said| said.status.success()) {
        eprintln!("skipped: only root mounts");
        return;
    }
    let told = place.run("prove none.zkey mul.wtns n.json s.json");
    let gone = Command::new("umount").arg("-l").arg(&at).status();
    assert!(gone.expect("it is there").success());
    assert_eq!(told.code, Some(2), "{}", told.stderr);
    assert!(told.stderr.contains("mount its folder"), "{}", told.stderr);
    // Anybody may write the file, and its owner alone replace it.
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    let allow = |name: &str, mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(place.path(name), mode).expect("it is ours");
    };
    allow("", 0o755);
    fs::create_dir(place.path("shared")).expect("it can be made");
    allow("shared", 0o1777);
    place.write("shared/n.json", "");
    allow("shared/n.json", 0o666);
    for name in ["shared", "shared/n.json"] {
        chown(place.path(name), Some(1), None).expect("root gives it away");
    }
    let run = |user| {
        Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args("prove none.zkey mul.wtns shared/n.json shared/s.json".split(' '))
            .current_dir(place.path(""))
            .uid(user)
            .output()
            .expect("it starts")
    };
    let told = String::from_utf8_lossy(&run(65_534).stderr).into_owned();
    assert!(
        told.contains("another user's") && told.contains("shared/n.json"),
        "{told}"
    );
    let told = String::from_utf8_lossy(&run(1).stderr).into_owned();
    assert!(told.contains("none.zkey is not there"), "{told}");
}

/// As long as a folder takes it: the name of the file that becomes it is shorter.
#[test]
fn names_may_be_as_long_as_a_folder_takes_them() {
    let place = Workplace::new();
    for length in [229, 230, 231, 255] {
        let [proof, signals] = ["n", "s"].map(|letter| letter.repeat(length));
        place.succeed(&format!("prove mul.zkey mul.wtns {proof} {signals}"));
        assert_eq!(place.read(&signals), place.read("public.json"), "{length}");
        place.succeed(&format!("witness mul.wasm input.json {proof} --force"));
        assert_eq!(place.read(&proof), place.read("mul.wtns"), "{length}");
    }
    assert!(!place.names().iter().any(|name| name.starts_with('.')));
}

#[cfg(unix)]
#[test]
fn witnesses_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let place = Workplace::new();
    place.write("n.wtns", "old, and readable by all");
    place.succeed("witness mul.wasm input.json n.wtns");
    let mode = fs::metadata(place.path("n.wtns"))
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn devices_are_written_to_and_stay_devices() {
    let place = Workplace::new();
    let ending = place.succeed("prove --quiet mul.zkey mul.wtns /dev/null /dev/stdout");
    assert_eq!(ending.stdout.as_bytes(), place.read("public.json"));
    assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
}

/// Pipes that a shell opened: a process substitution is `/dev/fd/63`.
#[cfg(target_os = "linux")]
#[test]
fn pipes_that_are_open_are_written_to() {
    let place = Workplace::new();
    for name in ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"] {
        let ending = place.succeed(&format!(
            "export vkey mul.zkey {name} --quiet --allow-uncontributed"
        ));
        assert_eq!(ending.stderr.as_bytes(), place.read("vkey.json"), "{name}");
        let ending = place.succeed(&format!("prove mul.zkey mul.wtns n.json {name} --quiet"));
        assert_eq!(
            ending.stderr.as_bytes(),
            place.read("public.json"),
            "{name}"
        );
    }
    place.succeed("setup mul.r1cs pot2.ptau n.zkey");
    std::os::unix::fs::symlink("/dev/fd/3", place.path("link")).expect("it can be linked");
    for (line, expected) in [
        (
            "export vkey mul.zkey /dev/fd/3 --allow-uncontributed",
            "vkey.json",
        ),
        (
            "export vkey mul.zkey link --allow-uncontributed",
            "vkey.json",
        ),
        (
            "prove mul.zkey mul.wtns n.json /proc/self/fd/3",
            "public.json",
        ),
        ("setup mul.r1cs pot2.ptau /dev/fd/3", "n.zkey"),
    ] {
        let script =
            format!("{{ \"$0\" {line} --quiet 3>&1 >&2 && echo done >&2; }} | cat > piped");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_frumious")])
            .current_dir(place.path(""))
            .output()
            .expect("there is a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.ends_with("done\n"), "{line}: {told}");
        assert_eq!(place.read("piped"), place.read(expected), "{line}");
    }
}

/// The file is the one that the shell opened, and what was in it stays.
#[cfg(target_os = "linux")]
#[test]
fn files_that_are_open_are_written_to_and_not_replaced() {
    let place = Workplace::new();
    let expected = [b"before\n".as_slice(), &place.read("vkey.json")].concat();
    for name in ["/dev/stderr", "/dev/fd/2", "/dev/fd/3", "/proc/self/fd/3"] {
        place.write("out", "before\n");
        let line = format!("export vkey mul.zkey {name} --quiet --allow-uncontributed");
        let script = format!("exec 3>>out 4<out; \"$0\" {line} 2>&3 && cat <&4");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_frumious")])
            .current_dir(place.path(""))
            .output()
            .expect("there is a shell");
        assert!(output.stdout == expected, "{name}: {output:?}");
        assert!(place.read("out") == expected, "{name}");
    }
    // A socket is opened by no name.
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().expect("a pair");
    let run = |line: &str, script: &str, theirs: std::os::unix::net::UnixStream| {
        Command::new("sh")
            .args([
                "-c",
                &format!("\"$0\" {line} {script}"),
                env!("CARGO_BIN_EXE_frumious"),
            ])
            .current_dir(place.path(""))
            .stdin(std::os::fd::OwnedFd::from(theirs))
            .output()
            .expect("there is a shell")
    };
    let again = theirs.try_clone().expect("it is open");
    let refused = run("prove none.zkey mul.wtns /dev/fd/3 s.json", "3<&0", again);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(told.contains("a socket has no name"), "{told}");
    let line = "export vkey mul.zkey /dev/stderr --quiet --allow-uncontributed";
    assert!(run(line, "2>&0", theirs).status.success());
    let mut got = Vec::new();
    std::io::Read::read_to_end(&mut &ours, &mut got).expect("it is closed");
    assert!(got == place.read("vkey.json"));
}

/// A result tells of work that is done. An output that is lost is a failure.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_a_failure_for_an_output_alone() {
    let place = Workplace::new();
    for (line, code) in [
        ("export vkey mul.zkey - --allow-uncontributed", 2),
        ("prove mul.zkey mul.wtns n.json -", 2),
        ("inspect mul.zkey --json", 0),
        ("prove mul.zkey mul.wtns n.json s.json --json", 0),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args(line.split(' '))
            .current_dir(place.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(code), "{line}: {told}");
        assert_eq!(told.contains("Broken pipe"), code != 0, "{line}: {told}");
    }
}

/// Standard output takes one output, whatever it is called; what is printed for people goes to stderr then.
#[cfg(unix)]
#[test]
fn standard_output_is_one_place_by_all_its_names() {
    let place = Workplace::new();
    for (outputs, word) in [
        ("/dev/stdout /dev/stdout", "more than one output"),
        ("- /dev/fd/1", "more than one output"),
        ("/dev/stdout s.json --json", "--json prints to stdout"),
    ] {
        let ending = place.end_with(2, &format!("prove mul.zkey mul.wtns {outputs}"));
        assert!(ending.stderr.contains(word), "{outputs}: {}", ending.stderr);
    }
    let ending = place.succeed("prove mul.zkey mul.wtns n.json /dev/stdout");
    assert_eq!(ending.stdout.as_bytes(), place.read("public.json"));
}

/// Told before the work: of large powers it takes minutes.
#[test]
fn powers_that_are_read_again_go_to_no_stream() {
    let place = Workplace::new();
    place.succeed("powersoftau new bn128 3 first.ptau");
    for line in [
        "powersoftau contribute first.ptau -",
        "powersoftau beacon first.ptau /dev/null 0a0b 10",
    ] {
        let ending = place.end_with(2, line);
        assert!(
            ending.stderr.contains("the name of a file"),
            "{}",
            ending.stderr
        );
        assert!(ending.stdout.is_empty(), "{line}");
    }
}
