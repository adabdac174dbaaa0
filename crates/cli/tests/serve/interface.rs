//! The interface: requests, answers, lists, events, pages.

use std::time::Instant;

use serde_json::Value;

use crate::support::{LONG, Place, Setting, is_valid};

#[test]
fn a_proof_is_asked_for_waited_for_and_verified() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let answer = server.multiply(3, 11);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("preference-applied"), Some("wait"));
    let job = answer.json();
    assert_eq!(
        (&job["state"], &job["circuit"]),
        (&"succeeded".into(), &"mul".into())
    );
    assert!(is_valid(&place, &job, &["33"]));
    let place_of_job = answer.header("location").unwrap();
    assert_eq!(server.get(place_of_job).json(), job);

    // By a witness, and without waiting.
    let id = server.submit("mul", &place.read("mul.wtns"));
    let job = server.ended(&id);
    assert_eq!(job["state"], "succeeded", "{job}");
    assert_eq!(job["input"], "witness");

    // The server judges as the command does.
    let verify = |proof: &Value, public: &str| {
        let body = format!("{{\"proof\": {proof}, \"public\": [{public}]}}");
        server
            .ask("POST", "/v1/verify?circuit=mul")
            .json(&body)
            .send()
    };
    assert_eq!(
        verify(&job["proof"], &job["public"][0].to_string()).json()["valid"],
        true
    );
    assert_eq!(verify(&job["proof"], "\"34\"").json()["valid"], false);
    assert_eq!(verify(&Value::Null, "\"34\"").status, 400);
    assert_eq!(verify(&job["proof"], "").status, 400);
}

#[test]
fn requests_that_mean_nothing_are_answered_with_a_code() {
    let place = Place::new().with_squarings("long", 100);
    let server = place.start(&Setting::default(), &["long"]);
    let unknown = "0123456789abcdef0123456789abcdef";
    let post = |path: &str| server.ask("POST", path).json("{\"a\": 1, \"b\": 2}");
    for (asking, status, code) in [
        (post("/v1/proofs"), 400, "usage"),
        (post("/v1/proofs?circuit=none"), 404, "unknown_circuit"),
        (post("/v1/proofs?circuit=..%2Fmul"), 404, "unknown_circuit"),
        (
            post("/v1/proofs?circuit=/etc/passwd"),
            404,
            "unknown_circuit",
        ),
        (post("/v1/proofs?circuit=mul&deadline=soon"), 400, "usage"),
        (post("/v1/proofs?circuit=long"), 400, "usage"),
        (
            post("/v1/proofs?circuit=mul").header("idempotency-key", &"k".repeat(129)),
            400,
            "usage",
        ),
        (
            server
                .ask("POST", "/v1/proofs?circuit=mul")
                .bytes("text/plain", b"{}"),
            415,
            "usage",
        ),
        (server.ask("PUT", "/v1/proofs"), 405, "usage"),
        (server.ask("GET", "/none"), 404, "not_found"),
        (
            server.ask("GET", format!("/v1/proofs/{unknown}")),
            404,
            "unknown_proof",
        ),
        (
            server.ask("GET", "/v1/proofs/..%2f..%2fetc"),
            404,
            "unknown_proof",
        ),
        (
            server.ask("DELETE", format!("/v1/proofs/{unknown}")),
            404,
            "unknown_proof",
        ),
        (
            server.ask("GET", format!("/v1/proofs/{unknown}/events")),
            404,
            "unknown_proof",
        ),
        (server.ask("GET", "/v1/proofs/%ff"), 404, "not_found"),
        (server.ask("DELETE", "/v1/proofs/%ff"), 404, "not_found"),
        (server.ask("GET", "/v1/proofs/%ff/events"), 404, "not_found"),
        (server.ask("GET", "/v1/circuits/%ff"), 404, "not_found"),
        (
            server.ask("GET", format!("/v1/proofs/{unknown}?wait=1&wait=2")),
            400,
            "usage",
        ),
        (
            post("/v1/proofs?circuit=mul").header("content-encoding", "gzip"),
            415,
            "usage",
        ),
        (
            server.ask("GET", "/healthz").header("Host", "localhost"), // a second one
            400,
            "usage",
        ),
        (server.ask("GET", "/v1/proofs?cursor=x"), 400, "usage"),
        (
            server.ask("GET", "/v1/circuits/none"),
            404,
            "unknown_circuit",
        ),
        (
            server
                .ask("GET", "/healthz")
                .header("origin", "http://evil.example"),
            403,
            "forbidden",
        ),
        (
            server.ask("GET", "/healthz").header("host", "evil.example"),
            403,
            "forbidden",
        ),
    ] {
        let answer = asking.send();
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (status, code),
            "{answer:?}"
        );
        assert!(
            !answer.body.contains(&*place.path("").to_string_lossy()),
            "{answer:?}"
        );
    }
}

#[test]
fn content_types_have_no_case() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let json = &b"{\"a\": 3, \"b\": 4}"[..];
    let witness = place.read("mul.wtns");
    for (kind, body) in [
        ("Application/JSON", json),
        ("APPLICATION/JSON; Charset=UTF-8", json),
        ("application/Octet-Stream", &witness),
    ] {
        let asking = server.ask("POST", "/v1/proofs?circuit=mul");
        let answer = asking.bytes(kind, body).send();
        assert!(matches!(answer.status, 200 | 202), "{kind}: {answer:?}");
    }
}

#[test]
fn lists_have_pages_and_tell_no_proof() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let ids: Vec<String> = (1..=5)
        .map(|k| {
            server.multiply(k, 1).json()["id"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let (mut seen, mut path) = (Vec::new(), "/v1/proofs?limit=2".to_owned());
    loop {
        let page = server.get(path.as_str()).json();
        for job in page["proofs"].as_array().unwrap() {
            assert!(
                job["proof"].is_null() && job["state"] == "succeeded",
                "{job}"
            );
            seen.push(job["id"].as_str().unwrap().to_owned());
        }
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/v1/proofs?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    seen.reverse();
    assert_eq!(seen, ids);
}

#[test]
fn circuits_are_described_with_what_verifies_their_proofs() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let circuits = server.get("/v1/circuits").json();
    let mul = &circuits["circuits"][0];
    assert_eq!(
        (&mul["id"], &mul["wires"], &mul["curve"]),
        (&"mul".into(), &4.into(), &"bn128".into())
    );
    assert_eq!(mul["generator"], true);
    let key = server.get("/v1/circuits/mul").json()["verification_key"].clone();
    assert_eq!(
        (&key["protocol"], &key["nPublic"]),
        (&"groth16".into(), &1.into())
    );
}

#[test]
fn progress_is_told_while_a_proof_is_made() {
    let place = Place::new().with_squarings("long", LONG);
    let server = place.start(&Setting::default(), &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    let stream = server.get(format!("/v1/proofs/{id}/events"));
    assert_eq!(stream.header("content-type"), Some("text/event-stream"));
    let data =
        |line: &str| -> Option<Value> { serde_json::from_str(line.strip_prefix("data: ")?).ok() };
    let events: Vec<Value> = stream.body.lines().filter_map(data).collect();
    assert_eq!(
        events.last().unwrap(),
        &serde_json::json!({ "state": "succeeded" }),
        "{stream:?}"
    );
    let parts: Vec<f64> = events
        .iter()
        .filter_map(|event| event["done"].as_f64())
        .collect();
    assert!(
        parts.is_sorted() && parts.iter().any(|part| *part > 0.0 && *part < 1.0),
        "{parts:?}"
    );
    // The sums are one phase, or several. Their progress is told within them.
    let is_sum = |event: &&Value| {
        event["phase"]
            .as_str()
            .is_some_and(|p| p.starts_with("sum"))
    };
    let in_sums = events.iter().filter(is_sum);
    let in_sums: Vec<f64> = in_sums.filter_map(|event| event["done"].as_f64()).collect();
    assert!(in_sums.first() < in_sums.last(), "{events:?}");
    // Of a job that has ended there is its end.
    let stream = server.get(format!("/v1/proofs/{id}/events"));
    assert_eq!(
        stream.body,
        "event: end\ndata: {\"state\":\"succeeded\"}\n\n"
    );
    assert_eq!(server.job(&id)["state"], "succeeded");
}

#[test]
fn health_readiness_and_counts_are_told() {
    let place = Place::new();
    let setting = Setting {
        top: "metrics = \"127.0.0.1:0\"".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    assert_eq!(
        (server.get("/healthz").status, server.get("/readyz").status),
        (200, 200)
    );
    assert_eq!(
        server.get("/metrics").status,
        404,
        "counts have a port of their own"
    );
    assert_eq!(server.multiply(3, 5).status, 200);
    server
        .ask("POST", "/v1/proofs?circuit=mul")
        .header("prefer", "wait=60")
        .json("{\"a\": 1}")
        .send();
    let counts = crate::http::ask(&server.others[0], "GET", "/metrics")
        .send()
        .body;
    for line in [
        "frumious_jobs_total{circuit=\"mul\",state=\"succeeded\"} 1",
        "frumious_jobs_total{circuit=\"mul\",state=\"failed\"} 1",
        "frumious_job_seconds_count{circuit=\"mul\"} 1",
        "frumious_jobs_queued 0",
        "frumious_jobs_running 0",
        "frumious_held_bytes 0",
        "frumious_journal_healthy 1",
        "frumious_answers_total{status=\"404\"} 1",
    ] {
        assert!(
            counts.lines().any(|other| other == line),
            "{line}\n{counts}"
        );
    }
    let rebound = crate::http::ask(&server.others[0], "GET", "/metrics");
    assert_eq!(rebound.header("host", "evil.example").send().status, 403);
    // Every line is one that Prometheus reads.
    for line in counts.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(
            name.starts_with("frumious_") && value.parse::<f64>().is_ok(),
            "{line}"
        );
    }
}

#[test]
fn a_wait_ends_when_its_time_is_over() {
    let place = Place::new().with_squarings("long", LONG);
    let server = place.start(&Setting::default(), &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    let start = Instant::now();
    let job = server.get(format!("/v1/proofs/{id}?wait=0.2")).json();
    assert!(start.elapsed().as_secs_f64() < 30.0);
    assert!(
        job["proof"].is_null() || job["state"] == "succeeded",
        "{job}"
    );
    assert_eq!(
        server.get(format!("/v1/proofs/{id}?wait=never")).status,
        400
    );
    assert_eq!(server.ended(&id)["state"], "succeeded");
}

#[test]
fn a_unix_socket_is_its_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let path = place.path("s.sock");
    let text = format!(
        "listen = \"unix:{}\"\ndata = \"data\"\n[[circuits]]\nid = \"mul\"\nkey = \"mul.zkey\"\n",
        path.display()
    );
    let list = || {
        let url = format!("unix:{}", path.display());
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args(["jobs", "--json", "--server", &url])
            .output();
        command.unwrap().status.code()
    };
    for _ in 0..2 {
        // The second finds the socket of the first, which was killed.
        place.write("frumious.toml", &text);
        let started = place.try_start(&Setting::default());
        let server = started.unwrap_or_else(|said| panic!("{said}"));
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(list(), Some(0));
        // While somebody listens there it is not replaced.
        place.write("frumious.toml", text.replace("\"data\"", "\"other\""));
        let said = place.try_start(&Setting::default()).err().unwrap();
        assert!(said.contains("cannot listen"), "{said}");
        server.kill();
        assert_eq!(list(), Some(3));
    }
    place.write("file", "no socket");
    place.write("frumious.toml", text.replace("s.sock", "file"));
    assert!(place.try_start(&Setting::default()).is_err());
    assert_eq!(place.read("file"), b"no socket");
}
