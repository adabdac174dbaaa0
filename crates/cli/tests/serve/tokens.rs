//! Who may ask: tokens, their scopes, and what is open to other machines.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Place, Server, Setting, wait_for};

/// A token and its hash.
fn new_token() -> (String, String) {
    let made = Command::new(env!("CARGO_BIN_EXE_frumious"))
        .args(["serve", "--new-token", "--json"])
        .output()
        .unwrap();
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let field = |name: &str| made[name].as_str().unwrap().to_owned();
    (field("token"), field("hash"))
}

struct Tokens {
    setting: Setting,
    /// For all circuits, for `mul` alone, for `other` alone, and an operator's.
    all: String,
    mul: String,
    other: String,
    operator: String,
}

fn tokens() -> Tokens {
    let mut tables = String::new();
    let mut add = |name: &str, more: &str| {
        let (token, hash) = new_token();
        tables += &format!("[[tokens]]\nname = \"{name}\"\nhash = \"{hash}\"\n{more}\n");
        token
    };
    let (all, mul) = (add("all", ""), add("mul", "circuits = [\"mul\"]"));
    let (other, operator) = (
        add("other", "circuits = [\"other\"]"),
        add("operator", "operator = true"),
    );
    Tokens {
        setting: Setting {
            tables,
            ..Setting::default()
        },
        all,
        mul,
        other,
        operator,
    }
}

fn multiply(server: &Server, token: &str) -> crate::http::Answer {
    let asking = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .header("prefer", "wait=60");
    asking.token(token).json("{\"a\": 3, \"b\": 4}").send()
}

#[test]
fn without_the_right_token_nothing_is_told() {
    let place = Place::new().with_squarings("other", 10);
    let tokens = tokens();
    let server = place.start(&tokens.setting, &["other"]);
    let job = multiply(&server, &tokens.all).json();
    let id = job["id"].as_str().unwrap();
    let paths = [
        ("POST", "/v1/proofs?circuit=mul".to_owned()),
        ("GET", "/v1/proofs".into()),
        ("GET", format!("/v1/proofs/{id}")),
        ("GET", format!("/v1/proofs/{id}/events")),
        ("DELETE", format!("/v1/proofs/{id}")),
        ("GET", "/v1/circuits".into()),
        ("GET", "/v1/circuits/mul".into()),
        ("POST", "/v1/verify?circuit=mul".into()),
        ("GET", "/v1/status".into()),
    ];
    let short = &tokens.all[..tokens.all.len() - 1];
    for (method, path) in &paths {
        let body = "{\"a\": 3, \"b\": 4}";
        let answer = server.ask(method, path.as_str()).json(body).send();
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (401, "unauthorized"),
            "{path}"
        );
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        for wrong in [
            "",
            "x",
            short,
            &format!("{}0", tokens.all),
            &tokens.all.to_uppercase(),
        ] {
            let answer = server
                .ask(method, path.as_str())
                .json(body)
                .token(wrong)
                .send();
            assert_eq!(answer.status, 401, "{path}: {wrong}");
        }
        let basic = format!("Basic {}", tokens.all);
        let answer = server
            .ask(method, path.as_str())
            .json(body)
            .header("authorization", &basic)
            .send();
        assert_eq!(answer.status, 401, "{path}");
    }
    // Whether the process lives is no secret.
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_token_reaches_its_circuits_and_its_jobs_alone() {
    let place = Place::new().with_squarings("other", 10);
    let tokens = tokens();
    let server = place.start(&tokens.setting, &["other"]);
    let job = multiply(&server, &tokens.mul).json();
    assert_eq!(
        (&job["state"], &job["owner"]),
        (&"succeeded".into(), &"mul".into())
    );
    let id = job["id"].as_str().unwrap();
    let answer = multiply(&server, &tokens.other);
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (404, "unknown_circuit")
    );
    let ids = |token: &str| {
        let circuits = server.ask("GET", "/v1/circuits").token(token).send().json();
        let circuits = circuits["circuits"].as_array().unwrap().clone();
        circuits
            .iter()
            .map(|circuit| circuit["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&tokens.other), ["other"]);
    assert_eq!(ids(&tokens.all), ["mul", "other"]);
    let status =
        |method: &str, path: &str, token: &str| server.ask(method, path).token(token).send().status;
    let of_job = format!("/v1/proofs/{id}");
    for (token, expected) in [
        (&tokens.mul, 200),
        (&tokens.operator, 200),
        (&tokens.all, 404),
        (&tokens.other, 404),
    ] {
        assert_eq!(status("GET", &of_job, token), expected);
        assert_eq!(status("GET", &format!("{of_job}/events"), token), expected);
        assert_eq!(status("DELETE", &of_job, token), expected);
        let listed = server.ask("GET", "/v1/proofs").token(token).send().json();
        let count = listed["proofs"].as_array().unwrap().len();
        assert_eq!(count, usize::from(expected == 200));
    }
    // The same idempotency key of another token is another job.
    let with_key = |token: &str| {
        let asking = server
            .ask("POST", "/v1/proofs?circuit=mul")
            .header("idempotency-key", "k");
        asking
            .token(token)
            .json("{\"a\": 3, \"b\": 4}")
            .send()
            .json()["id"]
            .clone()
    };
    assert_ne!(with_key(&tokens.mul), with_key(&tokens.all));
}

#[test]
fn the_scheme_of_a_token_has_no_case() {
    let place = Place::new().with_squarings("other", 10);
    let tokens = tokens();
    let server = place.start(&tokens.setting, &["other"]);
    for (scheme, status) in [("bearer", 200), ("BEARER", 200), ("basic", 401)] {
        let value = format!("{scheme} {}", tokens.all);
        let asking = server.ask("GET", "/v1/proofs");
        let answer = asking.header("authorization", &value).send();
        assert_eq!(answer.status, status, "{scheme}: {answer:?}");
    }
}

#[test]
fn what_is_open_to_other_machines_without_protection_is_refused() {
    let place = Place::new();
    let (_, hash) = new_token();
    let token = format!("[[tokens]]\nname = \"a\"\nhash = \"{hash}\"\n");
    let start = |top: &str, tables: &str| {
        let text = format!("listen = \"0.0.0.0:0\"\ndata = \"data\"\n{top}\n{tables}");
        place.write("frumious.toml", text);
        place.try_start(&Setting::default())
    };
    let said = start("", "").err().unwrap();
    assert!(said.contains("[[tokens]]"), "{said}");
    let said = start("", &token).err().unwrap();
    assert!(said.contains("[tls]"), "{said}");
    start("behind_proxy = true", &token).unwrap_or_else(|said| panic!("{said}"));
}

/// Prometheus asks by whatever name leads here. A page of another origin still gets nothing.
#[test]
fn counts_for_other_machines_are_told_by_any_name() {
    let place = Place::new().with_squarings("other", 10);
    let mut setting = tokens().setting;
    setting.top = "metrics = \"0.0.0.0:0\"\nbehind_proxy = true".into();
    let server = place.start(&setting, &["other"]);
    let ask = |host: &str| {
        let asking = crate::http::ask(&server.others[0], "GET", "/metrics");
        asking.header("host", host)
    };
    for host in ["frumious:7769", "192.0.2.2:7769", "localhost:7769"] {
        assert_eq!(ask(host).send().status, 200, "{host}");
        let strange = ask(host).header("origin", "http://evil.example");
        assert_eq!(strange.send().status, 403, "{host}");
    }
}

#[test]
fn under_tls_a_client_sees_the_certificate_and_nothing_goes_in_the_clear() {
    let place = Place::new();
    let (token, hash) = new_token();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let text = format!(
        "listen = \"127.0.0.1:0\"\ndata = \"data\"\n\
         [tls]\ncertificate = \"{data}/localhost.pem\"\nkey = \"localhost.key\"\n\
         [[circuits]]\nid = \"mul\"\nkey = \"mul.zkey\"\n[[tokens]]\nname = \"a\"\nhash = \"{hash}\"\n"
    );
    place.write("frumious.toml", text);
    let key = std::fs::read(format!("{data}/localhost.key")).unwrap();
    place.write_secret("localhost.key", key);
    let server = place
        .try_start(&Setting::default())
        .unwrap_or_else(|said| panic!("{said}"));
    assert!(
        server.ask("GET", "/healthz").try_send().is_err(),
        "it answers in the clear"
    );
    let url = format!(
        "https://localhost:{}",
        server.address.rsplit(':').next().unwrap()
    );
    let list = |ca: &str| {
        Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args(["jobs", "--json", "--server", &url, "--ca", ca])
            .env("FRUMIOUS_TOKEN", &token)
            .output()
            .unwrap()
    };
    let listed = list(&format!("{data}/localhost.pem"));
    assert!(
        listed.status.success(),
        "{}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let other = list(&format!("{data}/other.pem"));
    assert_eq!(
        other.status.code(),
        Some(2),
        "a certificate that nobody vouches for is taken"
    );
    // It is told at once, however long a server that is away would be waited for.
    let start = Instant::now();
    let submitted = Command::new(env!("CARGO_BIN_EXE_frumious"))
        .args(["submit", "mul", "mul.wtns", "--patience", "60"])
        .args(["--server", &url, "--ca", &format!("{data}/other.pem")])
        .env("FRUMIOUS_TOKEN", &token)
        .current_dir(place.path(""))
        .output()
        .unwrap();
    assert_eq!(submitted.status.code(), Some(2), "{submitted:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// Bodies that are announced, and do not come, leave room for the first of another token.
#[test]
fn a_token_takes_no_memory_for_inputs_from_another() {
    let place = Place::new().with_squarings("other", 10);
    let mut tokens = tokens();
    let most = |setting: &Setting| {
        let server = place.start(setting, &["other"]);
        let circuit = server.ask("GET", "/v1/circuits/mul").token(&tokens.mul);
        circuit.send().json()["most_input_bytes"].as_u64().unwrap()
    };
    let most = most(&tokens.setting);
    tokens.setting.limits = format!("held = {}", 4 * most);
    let server = place.start(&tokens.setting, &["other"]);
    let announce = || {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let head = format!(
            "POST /v1/proofs?circuit=mul HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {most}\r\n\r\n{{",
            tokens.all
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let open: Vec<TcpStream> = (0..4).map(|_| announce()).collect();
    wait_for(|| server.get("/healthz").status == 200);
    // Those that are refused are answered, the others wait for their bodies.
    let is_refused = |mut stream: &TcpStream| {
        let wait = Some(Duration::from_millis(500));
        stream.set_read_timeout(wait).unwrap();
        stream.read(&mut [0; 12]).is_ok_and(|read| read > 0)
    };
    assert_eq!(open.iter().filter(|stream| is_refused(stream)).count(), 2);
    assert_eq!(multiply(&server, &tokens.mul).status, 200);
}
