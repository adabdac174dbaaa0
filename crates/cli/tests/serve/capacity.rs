//! More work than there is room for, and a disk that is full.

use std::path::Path;
use std::process::Command;

use crate::http::{Answer, ask};
use crate::support::{LONG, Place, Setting, run, wait_for};

#[test]
fn a_full_queue_says_when_to_come_again() {
    let place = Place::new().with_squarings("long", 4 * LONG);
    let setting = Setting {
        limits: "threads = 1\nqueue = 2".into(),
        tables: "[fronts.zklogin]\nlisten = \"127.0.0.1:0\"\ncircuit = \"mul\"\n\
                 [fronts.prover_server]\nlisten = \"127.0.0.1:0\"\n"
            .into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    let witness = place.read("long.wtns");
    let ids = [(); 3].map(|()| {
        let id = server.submit("long", &witness);
        wait_for(|| server.get("/v1/status").json()["running"] == 1);
        id
    });
    let asking = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .json("{\"a\": 1, \"b\": 2}");
    let answer = asking.send();
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (429, "queue_full"),
        "{answer:?}"
    );
    let seconds = |answer: &Answer| answer.header("retry-after")?.parse().ok();
    assert!((1..=60).contains(&seconds(&answer).unwrap()));
    // Through the fronts, too.
    let inputs = r#"{"a": 1, "b": 2}"#;
    let named = format!(r#"{{"circuit_name": "mul", "inputs": {inputs}}}"#);
    for (front, path, body, status) in [
        (&server.others[0], "/input", inputs, 503),
        (&server.others[1], "/api/v1/proof/generate", &named, 429),
    ] {
        let answer = ask(front, "POST", path).json(body).send();
        assert_eq!(answer.status, status, "{answer:?}");
        assert!((1..=60).contains(&seconds(&answer).unwrap()), "{answer:?}");
    }
    for id in &ids {
        server.ask("DELETE", format!("/v1/proofs/{id}")).send();
    }
    assert_eq!(server.multiply(2, 3).status, 200);
}

#[test]
fn a_repeated_request_is_answered_when_the_queue_is_full() {
    let place = Place::new().with_squarings("long", 4 * LONG);
    let setting = Setting {
        limits: "threads = 1\nqueue = 1".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    let witness = place.read("long.wtns");
    server.submit("long", &witness);
    wait_for(|| server.get("/v1/status").json()["running"] == 1);
    let ask = |key: &str| {
        let asking = server
            .ask("POST", "/v1/proofs?circuit=mul")
            .header("idempotency-key", key);
        asking.json("{\"a\": 1, \"b\": 2}").send()
    };
    let first = ask("k");
    assert_eq!(first.status, 202, "{first:?}");
    assert_eq!(ask("other").status, 429);
    let again = ask("k");
    assert_eq!(
        (again.status, &again.json()["id"]),
        (202, &first.json()["id"])
    );
}

#[test]
fn inputs_take_no_more_memory_than_is_set_aside() {
    let place = Place::new().with_squarings("long", 4 * LONG);
    // Room for one witness of the long circuit, and not for two.
    let setting = Setting {
        limits: "threads = 1\nheld = \"8M\"".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    let witness = place.read("long.wtns");
    assert!(
        (4 << 20..6 << 20).contains(&witness.len()),
        "{}",
        witness.len()
    );
    let first = server.submit("long", &witness);
    let asking = server.ask("POST", "/v1/proofs?circuit=long");
    let answer = asking.bytes("application/octet-stream", &witness).send();
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (429, "queue_full"),
        "{answer:?}"
    );
    server.ask("DELETE", format!("/v1/proofs/{first}")).send();
    server.submit("long", &witness);
}

#[test]
fn what_is_larger_than_the_memory_for_proofs_says_so() {
    let place = Place::new().with_squarings("long", LONG);
    let setting = Setting {
        limits: "memory = \"1M\"".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    let job = server.ended(&id);
    assert_eq!(
        (&job["state"], &job["code"]),
        (&"failed".into(), &"memory_limit".into()),
        "{job}"
    );
}

#[test]
fn results_are_forgotten_when_their_time_is_over() {
    let place = Place::new();
    let setting = Setting {
        limits: "keep_seconds = 0.5".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    let job = server.multiply(3, 4).json();
    let id = job["id"].as_str().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(600));
    // They are swept at the start, and from time to time.
    server.kill();
    let server = place.start(&setting, &[]);
    wait_for(|| server.get(format!("/v1/proofs/{id}")).status == 404);
}

/// A file system of some megabytes; gone when dropped. None for who is not root.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    /// With room for the server's reserve, 8 MiB, and as much again.
    fn mount(folder: &'a Path) -> Option<Self> {
        std::fs::create_dir_all(folder).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=16m,mode=0700", "tmpfs"])
            .arg(folder)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        eprintln!("skipped: only root makes a small disk");
        None
    }

    /// Another program takes what is left, to the last byte: writing fails.
    fn fill(&self, name: &str) {
        let _ = std::fs::write(self.0.join(name), vec![1; 32 << 20]);
    }

    fn remove(&self, name: &str) {
        std::fs::remove_file(self.0.join(name)).unwrap();
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .args(["-l".as_ref(), self.0.as_os_str()])
            .output();
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_promised() {
    let place = Place::new().with_squarings("long", 4 * LONG);
    let folder = place.path("small");
    let Some(disk) = SmallDisk::mount(&folder) else {
        return;
    };
    let place = place.with_data(&folder);
    let server = place.start(&Setting::default(), &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    server.wait_until_it_runs(&id);
    disk.fill("fill");
    // The log takes some more in the room that it has.
    wait_for(|| server.multiply(1, 1).status == 507);
    // What the server gave up for the ends of jobs, others may take.
    disk.fill("more");
    let answer = server.multiply(3, 4);
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (507, "no_space"),
        "{answer:?}"
    );
    assert!(answer.header("retry-after").is_some());
    assert_eq!(server.get("/readyz").status, 503);
    // The proof is made, and it is told when it is durable: in room of the log's own, or when there is room again.
    disk.remove("fill");
    disk.remove("more");
    assert_eq!(server.ended(&id)["state"], "succeeded");
    wait_for(|| server.get("/readyz").status == 200);
    assert_eq!(server.multiply(3, 4).status, 200);
    server.kill();
    let server = place.start(&Setting::default(), &["long"]);
    assert_eq!(server.job(&id)["state"], "succeeded");
}

#[test]
fn a_disk_that_others_fill_takes_requests_when_results_are_forgotten() {
    let place = Place::new();
    let folder = place.path("small");
    let Some(disk) = SmallDisk::mount(&folder) else {
        return;
    };
    let place = place.with_data(&folder);
    let setting = Setting {
        limits: "keep_seconds = 1".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    for _ in 0..100 {
        assert_eq!(server.multiply(3, 4).status, 200);
    }
    disk.fill("fill");
    wait_for(|| server.multiply(1, 1).status == 507);
    // They are swept within 30 seconds, though the disk stays full.
    wait_for(|| server.get("/readyz").status == 200);
    let job = server.multiply(3, 4);
    assert_eq!(job.status, 200, "{job:?}");
}

/// The file of `frumious tune` beside the configuration gives the threads, unless the configuration does.
#[test]
fn settings_of_the_machine_are_read() {
    let place = Place::new();
    let line = "tune mul.zkey mul.wtns --seconds 1 --only memory.huge_pages --threads 1";
    run(place.path("").as_path(), line);
    let threads = |limits: &str| {
        let limits = limits.into();
        let server = place.start(
            &Setting {
                limits,
                ..Setting::default()
            },
            &[],
        );
        server.get("/v1/status").json()["threads"].clone()
    };
    assert_eq!(threads(""), 1);
    assert_eq!(threads("threads = 2"), 2);
}
