//! Files that change while they are served.

use std::fs::{self, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{LONG, Place, Setting, wait_for};

#[test]
fn a_key_that_is_cut_replaced_or_removed_while_it_is_served_changes_nothing() {
    let place = Place::new().with_squarings("long", LONG);
    let server = place.start(&Setting::default(), &["long"]);
    let witness = place.read("long.wtns");
    let change = |file: &str, how: &str| {
        let path = place.path(file);
        match how {
            "cut" => std::fs::File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_len(100)
                .unwrap(),
            "overwritten" => std::fs::write(&path, vec![0xff; 3 << 20]).unwrap(),
            "replaced" => {
                std::fs::write(place.path("other"), b"another file").unwrap();
                std::fs::rename(place.path("other"), &path).unwrap();
            }
            _ => std::fs::remove_file(&path).unwrap(),
        }
    };
    for how in ["cut", "overwritten", "replaced", "removed"] {
        // In the middle of a proof, too.
        let id = server.submit("long", &witness);
        server.wait_until_it_runs(&id);
        for file in ["long.zkey", "mul.zkey", "mul.wasm"] {
            change(file, how);
        }
        assert_eq!(server.ended(&id)["state"], "succeeded", "{how}");
        assert_eq!(server.multiply(3, 4).json()["public"][0], "12", "{how}");
    }
}

#[test]
fn a_server_with_a_bad_key_does_not_start_and_names_it() {
    let place = Place::new().with_squarings("long", 100);
    let key = place.read("mul.zkey");
    let setting = Setting::default();
    for (contents, reason) in [
        (key[..key.len() / 2].to_vec(), "long.zkey"),
        (b"no key".to_vec(), "long.zkey"),
        (Vec::new(), "long.zkey"),
    ] {
        place.write("long.zkey", contents);
        place.configure(&setting, &["long"]);
        let said = place.try_start(&setting).err().unwrap();
        assert!(said.contains(reason), "{said}");
    }
    // A point of the key is off the curve: the check of the whole key tells.
    let mut corrupt = key.clone();
    corrupt[2440] ^= 1; // section 9
    place.write("mul.zkey", corrupt);
    place.configure(&setting, &[]);
    let said = place.try_start(&setting).err().unwrap();
    assert!(said.contains("mul.zkey"), "{said}");
}

fn check(place: &Place) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_frumious"));
    command.args(["serve", "--check", "--config"]);
    command.env_remove("STATE_DIRECTORY");
    command.arg(place.path("frumious.toml")).output().unwrap()
}

#[test]
fn what_cannot_start_is_not_found_fine() {
    let place = Place::new();
    place.configure(&Setting::default(), &[]);
    let fine = check(&place);
    assert!(fine.status.success(), "{fine:?}");
    assert!(!place.data().exists(), "it makes a folder");
    // Beside a server that runs.
    let server = place.start(&Setting::default(), &[]);
    assert!(check(&place).status.success());
    drop(server);
    let tables = |tables: &str| Setting {
        tables: tables.into(),
        ..Setting::default()
    };
    place.write("open", "1".repeat(64));
    let circuit = "[[circuits]]\nid = \"a\"\nkey = \"mul.zkey\"\n";
    for (more, reason) in [
        ("[tls]\ncertificate = \"c.pem\"\nkey = \"k.pem\"\n", "c.pem"),
        ("[seal]\nfile = \"open\"\n", "chmod 600"),
        ("[seal]\nenv = \"NO_SUCH_VARIABLE_\"\n", "NO_SUCH_VARIABLE_"),
        (
            "[[circuits]]\nid = \"a\"\nkey = \"none.zkey\"\n",
            "none.zkey",
        ),
        ("[[circuits]]\nid = \"a\"\nkey = \"mul.wtns\"\n", "mul.wtns"),
        (
            &format!("{circuit}generator = \"none.wasm\"\n"),
            "none.wasm",
        ),
        (
            &format!("{circuit}generator = \"$STATE_DIRECTORY/a\"\n"),
            "variable STATE_DIRECTORY",
        ),
    ] {
        place.configure(&tables(more), &[]);
        let said = check(&place);
        let line = String::from_utf8_lossy(&said.stderr);
        assert!(
            matches!(said.status.code(), Some(2 | 3)),
            "{more}: {said:?}"
        );
        assert!(line.contains(reason), "{more}: {line}");
        let started = place.try_start(&tables(more)).err().expect(more);
        assert!(started.contains(reason), "{more}: {started}");
    }
}

#[test]
fn what_cannot_hold_a_journal_or_a_socket_is_not_found_fine() {
    let place = Place::new();
    let refused = |setting: &Setting, reason: &str| {
        let said = check(&place);
        let line = String::from_utf8_lossy(&said.stderr);
        assert!(
            matches!(said.status.code(), Some(2 | 3)),
            "{reason}: {said:?}"
        );
        assert!(line.contains(reason), "{reason}: {line}");
        let started = place.try_start(setting).err().expect(reason);
        assert!(started.contains(reason), "{reason}: {started}");
    };
    let setting = Setting::default();
    place.configure(&setting, &[]);
    std::os::unix::fs::symlink(place.path("none"), place.data()).unwrap();
    refused(&setting, "data: ");
    std::fs::remove_file(place.data()).unwrap();
    drop(place.start(&setting, &[]));
    assert!(check(&place).status.success(), "a server was here");
    let _ = std::fs::remove_file(place.data().join("jobs.sqlite-wal")); // it would be read in its place
    std::fs::write(place.data().join("jobs.sqlite"), "x".repeat(100)).unwrap();
    refused(&setting, "not a database");
    // Folders and pipes in place of its files. Nobody writes to the pipe: an open would wait for ever.
    let begin_anew = || {
        std::fs::remove_dir_all(place.data()).unwrap();
        let mut folder = std::fs::DirBuilder::new();
        folder.mode(0o700).create(place.data()).unwrap();
    };
    for name in ["lock", "reserve", "jobs.sqlite", "jobs.sqlite-wal"] {
        for make in ["mkdir", "mkfifo"] {
            begin_anew();
            let made = Command::new(make).arg(place.data().join(name)).status();
            assert!(made.unwrap().success());
            refused(&setting, &format!("{name}: not a regular file"));
        }
    }
    begin_anew();
    std::fs::write(place.data().join("tapes"), "").unwrap();
    refused(&setting, "tapes: cannot be a cache");
    std::fs::remove_dir_all(place.data()).unwrap();
    place.write("file", "");
    for (socket, reason) in [
        ("file", "in use"),
        ("none/f.sock", "No such file"),
        ("file/f.sock", "ot a directory"),
    ] {
        let setting = Setting {
            top: format!("metrics = \"unix:{}\"", place.path(socket).display()),
            ..Setting::default()
        };
        place.configure(&setting, &[]);
        refused(&setting, reason);
    }
    assert!(place.path("file").exists());
}

/// Nobody writes in it, root neither, until it is dropped.
struct Frozen<'a>(&'a Path);

impl<'a> Frozen<'a> {
    /// None where nothing stops root.
    fn new(path: &'a Path) -> Option<Self> {
        let mode = |mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        mode(0o500);
        let frozen = Command::new("chattr").arg("+i").arg(path).output();
        let is_roots = fs::metadata(path).unwrap().uid() == 0;
        if frozen.is_ok_and(|said| said.status.success()) || !is_roots {
            return Some(Self(path));
        }
        mode(0o700);
        eprintln!("skipped: nothing stops root here");
        None
    }
}

impl Drop for Frozen<'_> {
    fn drop(&mut self) {
        let _ = Command::new("chattr").arg("-i").arg(self.0).output();
        let _ = fs::set_permissions(self.0, Permissions::from_mode(0o700));
    }
}

#[test]
fn a_data_folder_that_cannot_be_written_or_made_is_not_found_fine() {
    let place = Place::new();
    let setting = Setting::default();
    let above = place.path("above");
    fs::create_dir(&above).unwrap();
    let place = place.with_data(&above.join("new/data"));
    place.configure(&setting, &[]);
    let refused = |reason: &str| {
        let said = check(&place);
        assert_eq!(said.status.code(), Some(3), "{said:?}");
        let line = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(line.contains(reason), "{line}");
        let started = place.try_start(&setting).err().expect(reason);
        assert!(started.contains(reason), "{started}");
    };
    let Some(frozen) = Frozen::new(&above) else {
        return;
    };
    refused("data: cannot be made");
    drop(frozen);
    drop(place.start(&setting, &[]));
    let Some(frozen) = Frozen::new(place.data()) else {
        return;
    };
    refused("data: cannot be written");
    drop(frozen);
    let database = place.data().join("jobs.sqlite");
    let Some(frozen) = Frozen::new(&database) else {
        return;
    };
    refused("jobs.sqlite: cannot be written");
    drop(frozen);
    assert!(check(&place).status.success());
}

#[test]
fn without_its_folder_a_server_takes_no_requests() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let id = server.multiply(3, 4).json()["id"].clone();
    let away = place.path("away");
    std::fs::rename(place.data(), &away).unwrap();
    let refused = server.multiply(3, 5);
    assert_eq!((refused.status, refused.code().as_str()), (503, "changed"));
    assert_eq!(server.get("/readyz").status, 503);
    wait_for(|| server.log().contains("its folder was removed or replaced"));
    // Another one in its place is another.
    std::fs::create_dir(place.data()).unwrap();
    std::fs::write(place.data().join("lock"), "").unwrap();
    assert_eq!(server.multiply(3, 5).status, 503);
    std::fs::remove_dir_all(place.data()).unwrap();
    std::fs::rename(&away, place.data()).unwrap();
    wait_for(|| server.get("/readyz").status == 200);
    assert_eq!(server.multiply(3, 5).status, 200);
    assert_eq!(server.job(id.as_str().unwrap())["state"], "succeeded");
    // Nobody asks: the watchman sees it.
    std::fs::remove_dir_all(place.data()).unwrap();
    wait_for(|| server.get("/readyz").status == 503);
}
