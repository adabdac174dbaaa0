//! Fronts, by exchanges in the form that the servers in whose place they stand document.

use serde_json::{Value, json};

use crate::http::{Answer, ask};
use crate::support::{Place, Server, Setting, wait_for};

fn start(place: &Place) -> Server {
    let setting = Setting {
        tables: "[fronts.rapidsnark]\nlisten = \"127.0.0.1:0\"\n\
                 [fronts.zklogin]\nlisten = \"127.0.0.1:0\"\ncircuit = \"mul\"\nwait_seconds = 60.0\n\
                 [fronts.prover_server]\nlisten = \"127.0.0.1:0\"\n"
            .into(),
        ..Setting::default()
    };
    place.start(&setting, &[])
}

fn is_valid(server: &Server, proof: &Value, public: &Value) -> bool {
    let body = json!({ "proof": proof, "public": public }).to_string();
    let judged = server
        .ask("POST", "/v1/verify?circuit=mul")
        .json(&body)
        .send();
    judged.json()["valid"] == true
}

/// As its own client sends it: a body without a content type.
fn post(address: &str, path: &str, body: &str) -> Answer {
    ask(address, "POST", path)
        .bytes("application/x-www-form-urlencoded", body.as_bytes())
        .send()
}

#[test]
fn rapidsnarks_server_input_status_cancel() {
    let place = Place::new();
    let server = start(&place);
    let front = server.others[0].as_str();
    let status = || ask(front, "GET", "/status").send().json();
    assert_eq!(status(), json!({ "status": "ready" }));
    assert_eq!(post(front, "/start", "").status, 200);

    let answer = post(front, "/input/mul", "{\"a\": \"3\", \"b\": \"11\"}");
    assert_eq!((answer.status, answer.body.as_str()), (200, ""));
    wait_for(|| status()["status"] != "busy");
    let done = status();
    assert_eq!(done["status"], "success", "{done}");
    // JSON in strings.
    let [proof, public] = ["proof", "pubData"]
        .map(|name| -> Value { serde_json::from_str(done[name].as_str().unwrap()).unwrap() });
    assert_eq!(
        (&public, &proof["protocol"]),
        (&json!(["33"]), &json!("groth16"))
    );
    assert!(is_valid(&server, &proof, &public));

    post(front, "/input/mul", "{\"a\": \"7\", \"b\": \"11\"}");
    wait_for(|| status()["status"] != "busy");
    let failed = status();
    assert_eq!(failed["status"], "failed");
    assert!(
        failed["error"].as_str().unwrap().contains("assertion"),
        "{failed}"
    );

    // Where theirs ends the one or hangs, both are proved; the status is the later one's.
    for b in ["5", "6"] {
        post(
            front,
            "/input/mul",
            &format!("{{\"a\": \"3\", \"b\": \"{b}\"}}"),
        );
    }
    wait_for(|| status()["status"] != "busy");
    assert_eq!(
        status()["pubData"]
            .as_str()
            .unwrap()
            .replace(['\n', ' '], ""),
        "[\"18\"]"
    );
    let states = || -> Vec<Value> {
        let jobs = server.get("/v1/proofs").json();
        let jobs = jobs["proofs"].as_array().unwrap().iter();
        jobs.map(|job| job["state"].clone()).collect()
    };
    wait_for(|| states() == ["succeeded", "succeeded", "failed", "succeeded"]);

    assert_eq!(post(front, "/input/none", "{}").status, 404);
    assert_eq!(
        post(front, "/input/..%2f..%2fetc%2fpasswd", "{}").status,
        404
    );
    assert_eq!(post(front, "/input/mul;touch%20x", "{}").status, 404);
    assert_eq!(post(front, "/cancel", "").status, 200);
    assert_eq!(post(front, "/stop", "").status, 200);
}

#[test]
fn rapidsnarks_server_aborts_what_is_cancelled() {
    let place = Place::new();
    place.write(
        "mul.wasm",
        crate::witnesses::module("(loop $again (br $again))"),
    );
    let server = start(&place);
    let front = server.others[0].as_str();
    let status = || ask(front, "GET", "/status").send().json();
    post(front, "/input/mul", "{\"a\": \"3\", \"b\": \"11\"}");
    assert_eq!(status()["status"], "busy");
    post(front, "/cancel", "");
    wait_for(|| status()["status"] == "aborted");
}

#[test]
fn zklogins_prover_answers_with_the_proof() {
    let place = Place::new();
    let server = start(&place);
    let front = server.others[1].as_str();
    assert_eq!(ask(front, "GET", "/ping").send().body, "pong");
    for path in ["/input", "/v1"] {
        let answer = ask(front, "POST", path)
            .json("{\"a\": \"3\", \"b\": \"11\"}")
            .send();
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(
            is_valid(&server, &answer.json(), &json!(["33"])),
            "{answer:?}"
        );
    }
    for body in ["{\"a\": \"7\", \"b\": \"1\"}", "{\"a\": 1}", "no JSON"] {
        let answer = ask(front, "POST", "/input").json(body).send();
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(serde_json::from_str::<Value>(&answer.body).is_err() && !answer.body.is_empty());
    }
    // Requests at the same time get each their own.
    std::thread::scope(|scope| {
        for b in 1..=8 {
            let server = &server;
            scope.spawn(move || {
                let body = format!("{{\"a\": \"3\", \"b\": \"{b}\"}}");
                let answer = ask(front, "POST", "/input").json(&body).send();
                assert!(
                    is_valid(server, &answer.json(), &json!([(3 * b).to_string()])),
                    "{answer:?}"
                );
            });
        }
    });
}

#[test]
fn iden3s_prover_server_generates_and_verifies() {
    let place = Place::new();
    let server = start(&place);
    let front = server.others[2].as_str();
    let generate = |body: &Value| {
        ask(front, "POST", "/api/v1/proof/generate")
            .json(&body.to_string())
            .send()
    };
    let verify = |body: &Value| {
        ask(front, "POST", "/api/v1/proof/verify")
            .json(&body.to_string())
            .send()
    };
    let answer = generate(&json!({ "circuit_name": "mul", "inputs": { "a": "3", "b": "11" } }));
    assert_eq!(answer.status, 200, "{answer:?}");
    let zkp = answer.json();
    assert_eq!(zkp["pub_signals"], json!(["33"]));
    assert!(is_valid(&server, &zkp["proof"], &zkp["pub_signals"]));
    let judged = verify(&json!({ "circuit_name": "mul", "zkp": zkp }));
    assert_eq!(judged.json(), json!({ "valid": true }));
    let mut other = zkp.clone();
    other["pub_signals"] = json!(["34"]);
    assert_eq!(
        verify(&json!({ "circuit_name": "mul", "zkp": other })).json(),
        json!({ "valid": false })
    );
    for (body, status, details) in [
        (
            json!({ "circuit_name": "../mul", "inputs": {} }),
            400,
            "illegal circuitPath",
        ),
        (
            json!({ "circuit_name": "none", "inputs": {} }),
            400,
            "illegal circuitPath",
        ),
        (json!({ "inputs": {} }), 400, "can't bind request"),
        (
            json!({ "circuit_name": "mul", "inputs": { "a": 7, "b": 1 } }),
            500,
            "can't generate identifier",
        ),
    ] {
        let answer = generate(&body);
        assert_eq!(
            (answer.status, &answer.json()["details"]),
            (status, &json!(details)),
            "{answer:?}"
        );
        assert_eq!(answer.json()["code"], 0);
    }
}

#[test]
fn fronts_answer_no_page_of_another_origin_and_no_other_name() {
    let place = Place::new();
    let server = start(&place);
    for front in &server.others {
        for (name, value) in [("origin", "http://evil.example"), ("host", "evil.example")] {
            let answer = ask(front, "GET", "/status").header(name, value).send();
            assert_eq!(answer.status, 403, "{answer:?}");
        }
    }
}
