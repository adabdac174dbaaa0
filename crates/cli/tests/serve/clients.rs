//! `frumious submit` and `frumious jobs`.

use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{LONG, Place, Server, Setting};

fn client(place: &Place, server: &Server, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_frumious"))
        .args(line.split(' '))
        .args(["--server", &format!("http://{}", server.address)])
        .current_dir(place.path(""))
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_proof_is_submitted_and_written_as_by_prove() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    place.write("input.json", "{\"a\": \"3\", \"b\": \"11\"}");
    for input in ["input.json", "mul.wtns"] {
        let output = client(
            &place,
            &server,
            &format!("submit mul {input} p.json s.json --json"),
        );
        assert!(output.status.success(), "{output:?}");
        assert_eq!(json(&output)["status"], "ok");
        let verify = format!(
            "verify {} s.json p.json",
            crate::support::verification_key()
        );
        crate::support::run(&place.path(""), &verify);
    }
    let list = json(&client(&place, &server, "jobs --json"));
    assert_eq!(list["proofs"].as_array().unwrap().len(), 2, "{list}");
}

#[test]
fn failures_of_jobs_are_those_of_the_command() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    place.write("refused.json", "{\"a\": 7, \"b\": 11}");
    for (line, code, word) in [
        (
            "submit mul refused.json p.json s.json --json",
            1,
            "unsatisfied",
        ),
        (
            "submit none refused.json p.json s.json --json",
            2,
            "not_found",
        ),
        ("jobs 00 --json", 2, "not_found"),
    ] {
        let output = client(&place, &server, line);
        assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
        assert_eq!(json(&output)["code"], word, "{line}");
    }
    assert!(!place.path("p.json").exists());
}

#[test]
fn a_job_is_left_alone_shown_and_cancelled() {
    let place = Place::new().with_squarings("long", LONG);
    let server = place.start(&Setting::default(), &["long"]);
    let id = json(&client(
        &place,
        &server,
        "submit long long.wtns --no-wait --json",
    ))["id"]
        .clone();
    let id = id.as_str().unwrap();
    let job = json(&client(&place, &server, &format!("jobs {id} --json")));
    assert_eq!(job["job"]["circuit"], "long");
    let job = json(&client(
        &place,
        &server,
        &format!("jobs {id} --cancel --json"),
    ));
    let state = job["job"]["state"].as_str().unwrap();
    assert!(state == "cancelled" || state == "succeeded", "{job}");
    // By the same name it is the same job.
    let line = "submit mul mul.wtns --no-wait --json --idempotency-key mine";
    let ids = [(); 2].map(|()| json(&client(&place, &server, line))["id"].clone());
    assert_eq!(ids[0], ids[1]);
}
