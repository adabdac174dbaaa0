//! Jobs that are stopped: by their owner, by their deadline, and not by a client that goes away.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::support::{LONG, Place, Setting, is_final};

#[test]
fn a_running_job_is_cancelled_in_the_middle_of_a_sum() {
    let place = Place::new().with_squarings("long", LONG);
    let server = place.start(&Setting::default(), &["long"]);
    let mut times = Vec::new();
    for _ in 0..3 {
        let id = server.submit("long", &place.read("long.wtns"));
        server.wait_until_it_runs(&id);
        let start = Instant::now();
        let job = server
            .ask("DELETE", format!("/v1/proofs/{id}"))
            .send()
            .json();
        times.push(start.elapsed());
        assert_eq!(job["state"], "cancelled", "{job}");
        // Once more changes nothing.
        assert_eq!(
            server
                .ask("DELETE", format!("/v1/proofs/{id}"))
                .send()
                .json(),
            job
        );
    }
    // The best of three: other tests take the cores, too.
    let best = times.iter().min().unwrap();
    assert!(*best < Duration::from_millis(200), "{times:?}");
    // The threads are there for the next.
    assert_eq!(server.multiply(3, 5).json()["state"], "succeeded");
}

#[test]
fn a_job_that_waits_is_cancelled_at_once_and_never_runs() {
    let place = Place::new().with_squarings("long", LONG);
    let setting = Setting {
        limits: "threads = 1".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    let witness = place.read("long.wtns");
    let [first, second] = [(); 2].map(|()| server.submit("long", &witness));
    let job = server
        .ask("DELETE", format!("/v1/proofs/{second}"))
        .send()
        .json();
    assert_eq!(
        (&job["state"], &job["started_ms"]),
        (&"cancelled".into(), &serde_json::Value::Null)
    );
    assert_eq!(server.ended(&first)["state"], "succeeded");
    assert_eq!(server.job(&second), job);
    // A final state never changes.
    let job = server
        .ask("DELETE", format!("/v1/proofs/{first}"))
        .send()
        .json();
    assert_eq!(job["state"], "succeeded");
}

#[test]
fn a_deadline_ends_jobs_that_wait_and_that_run() {
    let place = Place::new().with_squarings("long", 4 * LONG);
    let setting = Setting {
        limits: "threads = 1".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    let submit = |deadline: &str| {
        let asking = server.ask(
            "POST",
            format!("/v1/proofs?circuit=long&deadline={deadline}"),
        );
        let asking = asking.bytes("application/octet-stream", &place.read("long.wtns"));
        asking.send().json()["id"].as_str().unwrap().to_owned()
    };
    let (running, waiting) = (submit("0.5"), submit("0.2"));
    for id in [running, waiting] {
        let job = server.ended(&id);
        assert_eq!(job["state"], "expired", "{job}");
        let took = job["finished_ms"].as_i64().unwrap() - job["deadline_ms"].as_i64().unwrap();
        assert!((-100..2000).contains(&took), "{took} ms after the deadline");
    }
    assert_eq!(server.multiply(2, 3).json()["state"], "succeeded");
}

#[test]
fn a_client_that_goes_away_takes_nothing_with_it() {
    let place = Place::new().with_squarings("long", LONG);
    let server = place.start(&Setting::default(), &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    // In the middle of the events, and in the middle of a wait.
    for path in [
        format!("/v1/proofs/{id}/events"),
        format!("/v1/proofs/{id}?wait=60"),
    ] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        stream.write_all(head.as_bytes()).unwrap();
        if path.ends_with("events") {
            stream.read_exact(&mut [0; 64]).unwrap();
        }
        drop(stream);
    }
    // While it waits for its own request.
    let body = "{\"a\": 3, \"b\": 4}";
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let asking = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .header("idempotency-key", "gone");
    let head = asking.header("prefer", "wait=60").json(body).head();
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .unwrap();
    drop(stream);
    assert_eq!(server.ended(&id)["state"], "succeeded");
    // Its job is there if its request was, and runs once.
    let again = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .header("idempotency-key", "gone");
    let job = again.header("prefer", "wait=60").json(body).send().json();
    assert_eq!(job["state"], "succeeded", "{job}");
    let all = server.get("/v1/proofs").json();
    let all = all["proofs"].as_array().unwrap();
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all.iter().all(is_final));
}
