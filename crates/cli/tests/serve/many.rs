//! Many clients at once: every job is proved, once, and is its own client's.

use std::collections::HashSet;

use crate::support::{Place, Setting, run};

/// Jobs of each of the clients.
const EACH: u32 = 25;
const CLIENTS: u32 = 8;

#[test]
fn two_hundred_proofs_of_eight_clients_are_neither_lost_nor_doubled_nor_mixed_up() {
    let place = Place::new();
    std::fs::create_dir(place.path("rollup")).unwrap();
    run(&place.path(""), "demo rollup --transfers 1 --dir rollup");
    std::fs::rename(place.path("rollup/rollup.zkey"), place.path("rollup.zkey")).unwrap();
    let server = place.start(&Setting::default(), &["rollup"]);
    let witness = place.read("rollup/rollup.wtns");
    let ids = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (server, witness) = (&server, &witness);
                scope.spawn(move || {
                    let mut ids = Vec::new();
                    for k in 0..EACH {
                        // Two are of the rollup, which takes long in this build.
                        if k % 12 == 11 {
                            ids.push(server.submit("rollup", witness));
                            continue;
                        }
                        let (a, b) = (1000 * (client + 1) + k, 1 + k);
                        let job = server.multiply(a + 1, b).json();
                        assert_eq!(
                            job["public"][0],
                            u64::from((a + 1) * b).to_string(),
                            "{job}"
                        );
                        let body = format!(
                            "{{\"proof\": {}, \"public\": {}}}",
                            job["proof"], job["public"]
                        );
                        let judged = server
                            .ask("POST", "/v1/verify?circuit=mul")
                            .json(&body)
                            .send();
                        assert_eq!(judged.json()["valid"], true, "{judged:?}");
                        ids.push(job["id"].as_str().unwrap().to_owned());
                    }
                    ids
                })
            })
            .collect();
        let ids = clients
            .into_iter()
            .flat_map(|client| client.join().unwrap());
        ids.collect::<Vec<String>>()
    });
    let different: HashSet<&String> = ids.iter().collect();
    assert_eq!(different.len() as u32, CLIENTS * EACH);
    for id in &ids {
        let job = server.ended(id);
        assert_eq!(job["state"], "succeeded", "{job}");
        if job["circuit"] == "rollup" {
            let body = format!(
                "{{\"proof\": {}, \"public\": {}}}",
                job["proof"], job["public"]
            );
            let judged = server
                .ask("POST", "/v1/verify?circuit=rollup")
                .json(&body)
                .send();
            assert_eq!(judged.json()["valid"], true, "{judged:?}");
        }
    }
    let page = server.get("/v1/proofs?limit=100").json();
    assert!(page["next_cursor"].is_string());
}

#[test]
fn one_idempotency_key_leads_to_one_job_however_many_ask_at_once() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let ask = |body: &str| {
        let asking = server
            .ask("POST", "/v1/proofs?circuit=mul")
            .header("idempotency-key", "k");
        asking.header("prefer", "wait=60").json(body).send()
    };
    let ids: HashSet<String> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| ask("{\"a\": 3, \"b\": 4}").json()))
            .collect();
        let jobs = clients.into_iter().map(|client| client.join().unwrap());
        jobs.map(|job| job["id"].as_str().unwrap().to_owned())
            .collect()
    });
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert_eq!(
        server.get("/v1/proofs").json()["proofs"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // Another input under the same key is no repetition.
    let answer = ask("{\"a\": 3, \"b\": 5}");
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (422, "conflict"),
        "{answer:?}"
    );
}
