//! Clients that are slow, rude, or neither of them HTTP.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use crate::http::{answer, ask};
use crate::support::{Place, Server, Setting, wait_for};
use serde_json::json;

/// Time-outs that a test can wait for.
fn hasty() -> Setting {
    Setting {
        limits: "head_seconds = 0.5\nbody_seconds = 0.5\nconnections = 4".into(),
        ..Setting::default()
    }
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(&server.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream
}

/// Waits until the server closes the connection; what it said.
fn until_closed(mut stream: TcpStream) -> (String, Duration) {
    let start = Instant::now();
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said); // it may be reset
    (String::from_utf8_lossy(&said).into_owned(), start.elapsed())
}

#[test]
fn slow_heads_slow_bodies_and_idle_connections_are_given_up() {
    let place = Place::new();
    let server = place.start(&hasty(), &[]);
    let head = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .json("{\"a\": 3, \"b\": 4}")
        .head();
    let soon = Duration::from_secs(10);

    let stream = connect(&server);
    let (_, took) = until_closed(stream);
    assert!(took < soon, "nothing was said for {took:?}");

    let mut stream = connect(&server);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost").unwrap();
    let (_, took) = until_closed(stream);
    assert!(took < soon, "half a head was kept for {took:?}");

    let mut stream = connect(&server);
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(b"{\"a\"").unwrap();
    let answer = answer(stream).unwrap();
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (408, "time_limit"),
        "{answer:?}"
    );

    // Between two requests.
    let mut stream = connect(&server);
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).unwrap();
    let (said, took) = until_closed(stream);
    assert!(said.contains("200 OK") && took < soon, "{said} {took:?}");

    // However many there are: others get their turn.
    let idle: Vec<TcpStream> = (0..20).map(|_| connect(&server)).collect();
    assert_eq!(server.multiply(3, 4).status, 200);
    drop(idle);
    assert_eq!(server.get("/v1/status").json()["running"], 0);
}

#[test]
fn bodies_are_refused_by_their_length_before_they_are_read() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    for (kind, most) in [
        ("application/json", 70_000),
        ("application/octet-stream", 5_000),
    ] {
        let mut stream = connect(&server);
        let asking = server
            .ask("POST", "/v1/proofs?circuit=mul")
            .header("content-type", kind);
        // Nothing of the body is sent.
        let head = asking
            .header("content-length", &(100 * most).to_string())
            .head();
        stream.write_all(head.as_bytes()).unwrap();
        let answer = answer(stream).unwrap();
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (413, "too_large"),
            "{answer:?}"
        );
    }
    // A body that does not say its length ends where the limit is.
    let mut stream = connect(&server);
    let asking = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .header("content-type", "application/json");
    let head = asking.header("transfer-encoding", "chunked").head();
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("2000\r\n{}\r\n", " ".repeat(0x2000));
    for _ in 0..20 {
        if stream.write_all(chunk.as_bytes()).is_err() {
            break;
        }
    }
    let answer = answer(stream).unwrap();
    assert_eq!(answer.status, 413, "{answer:?}");
    // And one that does is taken.
    let mut stream = connect(&server);
    let asking = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .header("content-type", "application/json");
    let head = asking
        .header("transfer-encoding", "chunked")
        .header("prefer", "wait=60")
        .head();
    stream
        .write_all(format!("{head}10\r\n{{\"a\": 3, \"b\": 5}}\r\n0\r\n\r\n").as_bytes())
        .unwrap();
    let answer = crate::http::answer(stream).unwrap();
    assert_eq!(answer.json()["public"][0], "15", "{answer:?}");
}

#[test]
fn requests_that_are_cut_off_leave_nothing() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let body = "{\"a\": 3, \"b\": 4}";
    let head = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .json(body)
        .head();
    let whole = format!("{head}{body}");
    for length in (0..whole.len()).step_by(7) {
        let mut stream = connect(&server);
        stream.write_all(&whole.as_bytes()[..length]).unwrap();
        let _ = stream.shutdown(Shutdown::Write);
        let (said, _) = until_closed(stream);
        assert!(
            said.is_empty() || said.starts_with("HTTP/1.1 4"),
            "{length}: {said}"
        );
    }
    assert_eq!(
        server.get("/v1/proofs").json()["proofs"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    wait_for(|| server.get("/v1/status").json()["queued"] == 0);
}

#[test]
fn what_is_no_request_is_answered_shortly_or_not_at_all() {
    let place = Place::new();
    let server = place.start(&hasty(), &[]);
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(100_000));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(20_000));
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"\0\0\0\0",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/proofs HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/proofs HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
        b"GET / HTTP/1.1\r\nhost: a\r\n b\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ] {
        let mut stream = connect(&server);
        let _ = stream.write_all(bytes); // it may be closed before all is sent
        let (said, _) = until_closed(stream);
        assert!(
            said.is_empty() || said.starts_with("HTTP/1.1 4") || said.starts_with("HTTP/1.0 4"),
            "{said}"
        );
    }
    assert_eq!(server.get("/healthz").status, 200);
    assert!(!server.log().contains("fault"), "{}", server.log());
}

/// Connections take no file that a job needs, whatever few files the server was allowed at first.
#[test]
fn connections_leave_files_for_jobs() {
    let place = Place::new();
    let setting = Setting {
        shell: Some("ulimit -Sn 64; exec \"$0\" \"$@\"".into()),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    let open: Vec<TcpStream> = (0..200).map(|_| connect(&server)).collect();
    for mut stream in &open {
        stream
            .write_all(b"GET /healthz HTTP/1.1\r\n")
            .expect("it is open");
    }
    assert_eq!(server.multiply(3, 5).status, 200);
    drop(open);
    drop(server);
    let setting = Setting {
        shell: Some("ulimit -n 700; exec \"$0\" \"$@\"".into()),
        ..Setting::default()
    };
    let said = place.try_start(&setting).err().expect("it does not begin");
    assert!(said.contains("limits.connections: 768 files"), "{said}");
}

/// An input for which there can never be memory is not asked to come again.
#[test]
fn what_no_memory_is_set_aside_for_is_too_large() {
    let place = Place::new();
    let setting = Setting {
        limits: "held = 100".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    let asking = server.ask("POST", "/v1/proofs?circuit=mul");
    let witness = place.read("mul.wtns");
    let answer = asking.bytes("application/octet-stream", &witness).send();
    assert_eq!((answer.status, answer.code().as_str()), (413, "too_large"));
    assert_eq!(server.multiply(3, 5).status, 200);
}

/// `serde_json::Value` reads the strings anew, as documents whose nesting is counted from zero.
#[test]
fn documents_in_strings_of_documents_end_no_server() {
    let place = Place::new();
    let setting = Setting {
        tables: "[fronts.prover_server]\nlisten = \"127.0.0.1:0\"\n".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    // As long as a body may be: some thousand levels.
    let nest = |levels: usize| {
        let mut nested = "1".to_owned();
        for _ in 0..levels {
            let inner = json!({ "$serde_json::private::RawValue": nested }).to_string();
            nested = "[".repeat(120) + &inner + &"]".repeat(120);
        }
        nested
    };
    let body = format!("{{\"proof\": {}, \"public\": []}}", nest(7));
    let verified = server.ask("POST", "/v1/verify?circuit=mul").json(&body);
    assert_eq!(verified.send().status, 400);

    let proof = nest(14);
    let body = format!(
        "{{\"circuit_name\": \"mul\", \"zkp\": {{\"proof\": {proof}, \"pub_signals\": []}}}}"
    );
    let front = server.others[0].as_str();
    let judged = ask(front, "POST", "/api/v1/proof/verify")
        .json(&body)
        .send();
    assert_eq!(judged.json()["valid"], false);
    assert_eq!(server.get("/healthz").status, 200);
}
