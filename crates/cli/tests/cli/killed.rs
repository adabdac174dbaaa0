//! Commands that are killed by a signal that nobody can catch, at any moment.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::support::{Workplace, program};

/// Beacons begin anew: what they read is as it was, nothing half has the new name, and the bytes are those of one run.
#[test]
fn beacons_killed_at_any_moment_lose_nothing() {
    let place = Workplace::new();
    place.write_squarings("many", 1000);
    place.succeed("powersoftau new bn128 10 new.ptau");
    place.succeed("powersoftau prepare phase2 new.ptau powers.ptau");
    place.succeed("setup many.r1cs powers.ptau first.zkey");
    for (command, from, to) in [
        ("zkey beacon", "first.zkey", "last.zkey"),
        ("powersoftau beacon", "new.ptau", "last.ptau"),
    ] {
        let start = Instant::now();
        place.succeed(&format!("{command} {from} {to} 0102030405 10"));
        let lasted = start.elapsed();
        let (source, expected) = (place.read(from), place.read(to));
        let remove = || std::fs::remove_file(place.path(to)).expect("it is there");
        remove();
        let before = place.names();
        let mut kills = 0;
        for k in 0..10 {
            let mut child = Command::new(program())
                .args(command.split(' '))
                .args([from, to, "0102030405", "10"])
                .current_dir(place.path("."))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            // Moments without a pattern, all over the run: multiples of the golden ratio.
            std::thread::sleep(lasted.mul_f64((0.618 * f64::from(k)).fract()));
            child.kill().expect("it is ours");
            kills += usize::from(child.wait().expect("it ends").signal().is_some());
            assert!(place.read(from) == source, "{command}, kill {k}");
            if place.names().contains(&to.to_owned()) {
                assert!(place.read(to) == expected, "{command}, kill {k}");
                remove();
            }
        }
        assert!(kills >= 3, "{command}: {kills} kills");
        place.succeed(&format!("{command} {from} {to} 0102030405 10"));
        assert!(place.read(to) == expected, "{command}: other bytes");
        remove();
        assert_eq!(place.names(), before, "{command} leaves something behind");
    }
}

/// The key that a verification makes to compare with has no name. It may be as long as a disk has room.
#[test]
fn verifications_killed_at_any_moment_leave_nothing() {
    let place = Workplace::new();
    place.write_squarings("many", 1000);
    place.succeed("powersoftau new bn128 10 new.ptau");
    place.succeed("powersoftau prepare phase2 new.ptau powers.ptau");
    place.succeed("setup many.r1cs powers.ptau first.zkey");
    place.succeed("zkey beacon first.zkey last.zkey 0102030405 10");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let verify = || {
        let mut command = Command::new(program());
        command
            .args(["zkey", "verify", "many.r1cs", "powers.ptau", "last.zkey"])
            .current_dir(place.path("."))
            .env("TMPDIR", folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    let start = Instant::now();
    verify().status().expect("it starts");
    let lasted = start.elapsed();
    let mut kills = 0;
    for k in 0..10 {
        let mut child = verify().spawn().expect("it starts");
        std::thread::sleep(lasted.mul_f64((0.618 * f64::from(k)).fract()));
        child.kill().expect("it is ours");
        kills += usize::from(child.wait().expect("it ends").signal().is_some());
        let left = std::fs::read_dir(folder.path())
            .expect("it is there")
            .count();
        assert_eq!(left, 0, "kill {k}");
    }
    assert!(kills >= 3, "{kills} kills");
}
