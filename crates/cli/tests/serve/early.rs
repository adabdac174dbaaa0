//! Answers that come before a body was read reach a client that sends all of it first.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::http::{Answer, answer};
use crate::support::{Place, Server, Setting};

fn head(server: &Server, path: &str, kind: &str, length: usize) -> String {
    let asking = server.ask("POST", path).header("content-type", kind);
    asking.header("content-length", &length.to_string()).head()
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(&server.address).unwrap();
    let wait = Some(Duration::from_secs(20));
    stream.set_read_timeout(wait).unwrap();
    stream.set_write_timeout(wait).unwrap();
    stream
}

/// Sends a body to its end, slowly, whatever is answered meanwhile.
fn send_all(server: &Server, path: &str, kind: &str, length: usize) -> Answer {
    let mut stream = connect(server);
    stream
        .write_all(head(server, path, kind, length).as_bytes())
        .unwrap();
    let mut left = length;
    while left > 0 {
        let piece = left.min(length.div_ceil(8));
        std::thread::sleep(Duration::from_millis(40));
        let sent = stream.write_all(&vec![b' '; piece]);
        sent.unwrap_or_else(|error| panic!("{path} {kind}: {error} after {} bytes", length - left));
        left -= piece;
    }
    answer(stream).unwrap()
}

#[test]
fn early_answers_reach_a_client_that_sends_all_of_its_body() {
    let place = Place::new();
    let setting = Setting {
        limits: "queue = 0".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    let (json, most) = ("application/json", 60_000);
    for (path, kind, length, status) in [
        ("/v1/proofs?circuit=mul", json, most, 429),
        ("/v1/proofs?circuit=mul", json, 1_000_000, 413),
        ("/v1/proofs?circuit=mul", "text/plain", most, 415),
        ("/v1/proofs?circuit=none", json, most, 404),
        ("/v1/nothing", json, most, 404),
        ("/v1/verify", json, most, 400),
    ] {
        let answer = send_all(&server, path, kind, length);
        assert_eq!(answer.status, status, "{path} {kind}: {answer:?}");
        assert_eq!(answer.header("retry-after").is_some(), status == 429);
    }
}

#[test]
fn an_early_answer_is_no_way_to_hold_a_connection() {
    let place = Place::new();
    let setting = Setting {
        limits: "queue = 0\nbody_seconds = 1\nconnections = 4".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    let path = "/v1/proofs?circuit=mul";
    // Bytes that come one by one.
    let mut stream = connect(&server);
    let announced = head(&server, path, "application/json", 60_000);
    stream.write_all(announced.as_bytes()).unwrap();
    let start = Instant::now();
    while stream.write_all(b" ").is_ok() {
        assert!(
            start.elapsed() < Duration::from_secs(15),
            "it is still open"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    // Bytes without end.
    let mut stream = connect(&server);
    let announced = head(&server, path, "application/json", 1 << 40);
    stream.write_all(announced.as_bytes()).unwrap();
    let mut sent = 0;
    while stream.write_all(&[b' '; 1 << 16]).is_ok() {
        sent += 1 << 16;
        assert!(sent < 64 << 20, "all of it is read");
    }
    // Nothing: the answer comes at once all the same.
    let silent: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = connect(&server);
            let announced = head(&server, path, "application/json", 60_000);
            stream.write_all(announced.as_bytes()).unwrap();
            stream
        })
        .collect();
    for mut stream in &silent {
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 429");
    }
    assert_eq!(server.get("/healthz").status, 200);
}
