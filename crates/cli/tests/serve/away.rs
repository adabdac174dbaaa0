//! `frumious submit` where the server breaks off, never answers, or cannot be asked at all.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Place;

/// The head and the body of a request.
type Asked = (String, Vec<u8>);

const ID: &str = "0123456789abcdef0123456789abcdef";

/// A server that gives each request the next of `answers`, where an empty one breaks the connection, and is gone then.
/// It has one connection for each request. It ends with the requests.
fn fake(answers: Vec<String>) -> (String, JoinHandle<Vec<Asked>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            requests.push(request(&stream));
            stream.write_all(answer.as_bytes()).unwrap();
        }
        requests
    });
    (url, server)
}

fn request(stream: &TcpStream) -> Asked {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let length = |line: &str| line.strip_prefix("content-length: ")?.parse().ok();
    let length = head.to_lowercase().lines().find_map(length);
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    (head, body)
}

fn answer(status: &str, body: &Value) -> String {
    let body = body.to_string();
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn accepted() -> String {
    answer("202 Accepted", &json!({ "id": ID, "state": "queued" }))
}

fn submit(place: &Place, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_frumious"));
    command
        .args(["submit", "--server", url])
        .args(arguments)
        .env_remove("FRUMIOUS_TOKEN")
        .current_dir(place.path(""))
        .stdin(Stdio::null());
    command
}

/// The line of a request: its method and its path.
fn lines(requests: &[Asked]) -> Vec<&str> {
    let lines = requests.iter().map(|(head, _)| head.split_once(" HTTP"));
    lines.map(|line| line.unwrap().0).collect()
}

/// Inputs are private, and a token is as good as its owner.
#[test]
fn who_sends_in_the_clear_is_told() {
    let place = Place::new();
    for (host, is_told) in [
        ("127.0.0.1", false),
        ("localhost", false),
        ("0.0.0.0", true),
    ] {
        let (url, server) = fake(vec![answer("200 OK", &json!({}))]);
        let url = url.replace("127.0.0.1", host);
        let mut jobs = Command::new(env!("CARGO_BIN_EXE_frumious"));
        let jobs = jobs.args(["jobs", "--health", "--quiet", "--server", &url]);
        let output = jobs.current_dir(place.path("")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert_eq!(
            stderr.contains("not encrypted"),
            is_told,
            "{host}: {stderr}"
        );
        server.join().unwrap();
    }
}

#[test]
fn an_input_of_a_pipe_is_sent_again() {
    let place = Place::new();
    let away = answer("502 Bad Gateway", &Value::Null);
    let (url, server) = fake(vec![String::new(), away, accepted()]);
    let input = b"{\"a\": 3, \"b\": 4}";
    let mut child = submit(&place, &url, &["mul", "-", "--no-wait", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["id"], ID);
    let requests = server.join().unwrap();
    let key = |head: &str| {
        let mut lines = head.lines();
        let key = lines.find(|line| line.starts_with("idempotency-key: "));
        key.unwrap().to_owned()
    };
    for (head, body) in &requests {
        assert_eq!(body, input);
        assert_eq!(key(head), key(&requests[0].0));
    }
}

/// A server that says so would be sent the input as often as the network allows.
#[test]
fn there_is_a_pause_between_two_tries_whatever_a_server_says() {
    let place = Place::new();
    let full = answer(
        "429 Too Many Requests",
        &json!({ "code": "queue_full", "error": "x" }),
    );
    let full = full.replacen("\r\n", "\r\nretry-after: 0\r\n", 1);
    let (url, server) = fake(vec![full.clone(), full, accepted()]);
    let start = Instant::now();
    let output = submit(&place, &url, &["--no-wait", "mul", "mul.wtns"]).output();
    assert!(output.unwrap().status.success());
    assert!(
        start.elapsed() >= Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(server.join().unwrap().len(), 3);
}

#[test]
fn a_job_is_followed_through_a_restart_of_its_server() {
    let place = Place::new();
    let running = json!({ "id": ID, "state": "running" });
    let done = json!({ "id": ID, "state": "succeeded", "proof": {}, "public": ["12"] });
    let event = "event: progress\ndata: {\"state\": \"running\", \"done\": 0.5}\n\n";
    let (url, server) = fake(vec![
        accepted(),
        // Cut off in the midst of a piece.
        format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n{event}"),
        String::new(),
        answer("200 OK", &running),
        String::new(),
        answer("200 OK", &done),
    ]);
    let arguments = ["mul", "mul.wtns", "p.json", "s.json"];
    let output = submit(&place, &url, &arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.read("p.json"), b"{}\n");
    let (job, requests) = (format!("/v1/proofs/{ID}"), server.join().unwrap());
    assert_eq!(
        lines(&requests),
        [
            "POST /v1/proofs?circuit=mul".to_owned(),
            format!("GET {job}/events"),
            format!("GET {job}?wait=20"),
            format!("GET {job}?wait=0"),
            format!("GET {job}/events"),
            format!("GET {job}?wait=20"),
        ]
    );
}

#[test]
fn a_job_whose_server_stays_away_is_named() {
    let place = Place::new();
    let (url, server) = fake(vec![accepted(), String::new()]);
    let arguments = ["mul", "mul.wtns", "p.json", "s.json", "--patience", "2"];
    let output = submit(&place, &url, &arguments).output().unwrap();
    server.join().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("frumious jobs {ID}")), "{said}");
    assert!(!place.path("p.json").exists());
}

fn refused(output: &Output, start: Instant, word: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(word), "{word}: {said}");
    assert!(start.elapsed() < Duration::from_secs(20), "{word}: {said}");
}

#[test]
fn what_cannot_be_sent_is_told_at_once() {
    let place = Place::new();
    let nobody = "http://127.0.0.1:1";
    place.write("token", "frum_a\nfrum_b\n");
    for (arguments, word) in [
        (&["a b", "mul.wtns"][..], "no id of a circuit"),
        (&["a&deadline=1", "mul.wtns"], "no id of a circuit"),
        (
            &["mul", "mul.wtns", "--idempotency-key", "a\nb"],
            "--idempotency-key",
        ),
        (
            &["mul", "mul.wtns", "--idempotency-key", ""],
            "--idempotency-key",
        ),
        (&["mul", "mul.wtns", "--token-file", "token"], "token"),
    ] {
        let start = Instant::now();
        let output = submit(&place, nobody, arguments).output().unwrap();
        refused(&output, start, word);
    }
    let start = Instant::now();
    let mut command = submit(&place, nobody, &["mul", "mul.wtns"]);
    let output = command.env("FRUMIOUS_TOKEN", "a\nb").output().unwrap();
    refused(&output, start, "token");
}

#[test]
fn a_variable_that_is_set_to_nothing_is_no_token() {
    let place = Place::new();
    for (token, is_sent) in [("", false), ("t", true)] {
        let (url, server) = fake(vec![accepted()]);
        let mut command = submit(&place, &url, &["mul", "mul.wtns", "--no-wait"]);
        let output = command.env("FRUMIOUS_TOKEN", token).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let heads = server.join().unwrap();
        let head = heads[0].0.to_lowercase();
        assert_eq!(head.contains("authorization:"), is_sent, "{head}");
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let place = Place::new();
    // The system takes the connection and the request.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let start = Instant::now();
    let arguments = ["mul", "mul.wtns", "--patience", "3"];
    let output = submit(&place, &url, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
    drop(listener);
}

#[test]
fn an_answer_without_end_is_refused() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        request(&stream);
        let mut sent = stream.write_all(b"HTTP/1.1 202 Accepted\r\n\r\n");
        while sent.is_ok() {
            sent = stream.write_all(&[b' '; 1 << 16]);
        }
    });
    let start = Instant::now();
    let output = submit(&place, &url, &["mul", "mul.wtns"]).output().unwrap();
    refused(&output, start, "longer than");
    server.join().unwrap();
}

/// Escapes of a terminal, ends of lines, and marks that turn letters around are told as what they are: no letters.
#[test]
fn words_of_a_server_move_no_terminal() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[31mred\r\nfake: OK\u{202e}\u{9b}2J";
    let job = json!({ "id": evil, "circuit": evil, "state": evil, "error": evil, "code": evil });
    let place = Place::new();
    let list = answer("200 OK", &json!({ "proofs": [job, job] }));
    let problem = answer("400 Bad Request", &job);
    let failed = json!({ "id": ID, "circuit": "mul", "state": "failed", "code": "bad_input", "error": evil });
    let told = [
        (list, vec!["jobs"], 2),
        (problem.clone(), vec!["jobs", ID], 0),
        (answer("200 OK", &failed), vec!["jobs", ID], 1),
        (problem, vec!["submit", "mul", "mul.wtns"], 0),
    ];
    for (answer, arguments, lines) in told {
        let (url, server) = fake(vec![answer]);
        let output = Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args(&arguments)
            .args(["--server", &url])
            .current_dir(place.path(""))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        server.join().unwrap();
        let [out, err] = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
        let said = format!("{out}{err}");
        assert!(said.contains("fake: OK"), "{arguments:?}: {said:?}");
        let is_bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!said.contains(is_bad), "{arguments:?}: {said:?}");
        assert!(!said.contains("\nfake"), "{arguments:?}: {said:?}");
        assert_eq!(out.lines().count(), lines, "{arguments:?}: {said:?}");
    }
}
