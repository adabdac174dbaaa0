//! kill -9, and what the next server makes of it.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;

use crate::support::{LONG, Place, Server, Setting, is_final, is_valid, wait_for};

/// Inputs are sealed on disk.
fn sealed(place: &Place) -> Setting {
    use std::os::unix::fs::PermissionsExt;
    place.write("seal.key", "0123456789abcdef".repeat(4));
    let only_ours = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(place.path("seal.key"), only_ours).unwrap();
    Setting {
        tables: "[seal]\nfile = \"seal.key\"\n".into(),
        ..Setting::default()
    }
}

/// All jobs of a server, by id.
fn all(server: &Server) -> HashMap<String, Value> {
    let (mut jobs, mut path) = (HashMap::new(), "/v1/proofs?limit=100".to_owned());
    loop {
        let page = server.get(path.as_str()).json();
        for job in page["proofs"].as_array().unwrap() {
            jobs.insert(job["id"].as_str().unwrap().to_owned(), job.clone());
        }
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/v1/proofs?limit=100&cursor={cursor}"),
            None => return jobs,
        }
    }
}

#[test]
fn killed_at_ten_moments_nothing_is_lost_and_nothing_is_done_twice() {
    let place = Place::new();
    let mut setting = sealed(&place);
    // What crashes the server is given up after three times; here it is the killer's fault.
    setting.limits = "attempts = 100".into();
    let mut known: HashMap<String, Option<Value>> = HashMap::new();
    let mut number = 0;
    for moment in 0..10_u64 {
        let server = place.start(&setting, &[]);
        // Final jobs are as they were told before.
        for (id, before) in &known {
            let job = server.job(id);
            if let Some(before) = before {
                assert_eq!(&job, before, "a final job has changed");
            }
        }
        std::thread::scope(|scope| {
            let killer = scope.spawn(|| {
                // Any moment within the requests and proofs below.
                std::thread::sleep(Duration::from_millis(20 + 37 * moment));
                server.signal("KILL");
            });
            loop {
                number += 1;
                let body = format!("{{\"a\": {}, \"b\": 2}}", 100 + number);
                let asking = server.ask("POST", "/v1/proofs?circuit=mul").json(&body);
                let asking = match number % 2 {
                    0 => asking.header("prefer", "wait=60"),
                    _ => asking,
                };
                match asking
                    .header("idempotency-key", &number.to_string())
                    .try_send()
                {
                    Ok(answer) if answer.status == 200 || answer.status == 202 => {
                        let Ok(job) = serde_json::from_str::<Value>(&answer.body) else {
                            break;
                        };
                        let id = job["id"].as_str().unwrap().to_owned();
                        known.insert(id, is_final(&job).then_some(job));
                    }
                    _ => break,
                }
            }
            killer.join().unwrap();
        });
    }
    let server = place.start(&setting, &[]);
    for id in known.keys() {
        let job = server.ended(id);
        assert_eq!(job["state"], "succeeded", "{job}");
    }
    // Each key has one job, with the product that it asked for.
    let jobs = all(&server);
    assert!(known.keys().all(|id| jobs.contains_key(id)));
    for k in 1..=number {
        let body = format!("{{\"a\": {}, \"b\": 2}}", 100 + k);
        let asking = server
            .ask("POST", "/v1/proofs?circuit=mul")
            .header("prefer", "wait=60");
        let job = asking
            .header("idempotency-key", &k.to_string())
            .json(&body)
            .send()
            .json();
        assert_eq!(job["public"][0], (200 + 2 * k).to_string(), "{job}");
    }
    let jobs = all(&server);
    assert_eq!(jobs.len(), number as usize, "one job for each key");
    let last = jobs.keys().next().unwrap();
    let job = server.job(last);
    let public = job["public"][0].as_str().unwrap();
    assert!(is_valid(&place, &job, &[public]));
}

#[test]
fn a_job_that_ran_is_begun_again_and_one_that_waited_waits_again() {
    let place = Place::new().with_squarings("long", LONG);
    let mut setting = sealed(&place);
    setting.limits = "threads = 1".into();
    let server = place.start(&setting, &["long"]);
    let witness = place.read("long.wtns");
    let running = server.submit("long", &witness);
    let waiting = server.submit("mul", &place.read("mul.wtns"));
    server.wait_until_it_runs(&running);
    server.kill();
    let server = place.start(&setting, &["long"]);
    assert_eq!(server.ended(&running)["state"], "succeeded");
    assert_eq!(server.ended(&waiting)["state"], "succeeded");
}

#[test]
fn without_a_seal_a_lost_input_is_said_to_be_lost() {
    let place = Place::new().with_squarings("long", LONG);
    let server = place.start(&Setting::default(), &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    server.kill();
    let server = place.start(&Setting::default(), &["long"]);
    let job = server.ended(&id);
    assert_eq!(
        (&job["state"], &job["code"]),
        (&"failed".into(), &"lost_input".into()),
        "{job}"
    );
}

#[test]
fn another_seal_and_another_key_begin_no_job_again() {
    let place = Place::new().with_squarings("long", LONG);
    let setting = sealed(&place);
    let server = place.start(&setting, &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    server.kill();
    place.write("seal.key", "0".repeat(64));
    let server = place.start(&setting, &["long"]);
    assert_eq!(server.ended(&id)["code"], "lost_input");
    let id = server.submit("long", &place.read("long.wtns"));
    server.kill();
    place.write("long.zkey", place.read("mul.zkey"));
    let server = place.start(&setting, &["long"]);
    assert_eq!(server.ended(&id)["code"], "changed");
}

#[test]
fn a_job_that_ends_the_server_again_and_again_is_given_up() {
    let place = Place::new().with_squarings("long", LONG);
    let mut setting = sealed(&place);
    setting.limits = "attempts = 2".into();
    let mut server = place.start(&setting, &["long"]);
    let id = server.submit("long", &place.read("long.wtns"));
    for _ in 0..2 {
        server.wait_until_it_runs(&id);
        server.kill();
        server = place.start(&setting, &["long"]);
    }
    let job = server.ended(&id);
    assert_eq!(
        (&job["state"], &job["code"]),
        (&"failed".into(), &"crashed".into()),
        "{job}"
    );
}

#[test]
fn a_server_that_is_asked_to_end_finishes_what_would_be_lost() {
    let place = Place::new().with_squarings("long", LONG);
    let mut server = place.start(&Setting::default(), &["long"]);
    let witness = place.read("long.wtns");
    let ids = [(); 3].map(|()| server.submit("long", &witness));
    server.wait_until_it_runs(&ids[0]);
    server.signal("TERM");
    // It answers to the end, but takes nothing new.
    wait_for(|| server.get("/readyz").status == 503);
    let answer = server.multiply(2, 3);
    assert_eq!(
        (answer.status, answer.header("retry-after").is_some()),
        (503, true),
        "{answer:?}"
    );
    assert_eq!(server.end(), Some(0), "{}", server.log());
    let server = place.start(&Setting::default(), &["long"]);
    for id in &ids {
        assert_eq!(server.job(id)["state"], "succeeded");
    }
}

#[test]
fn with_a_seal_it_leaves_what_waits_to_the_next() {
    let place = Place::new().with_squarings("long", 4 * LONG);
    let mut setting = sealed(&place);
    setting.limits = "threads = 1\ndrain_seconds = 0.1".into();
    let mut server = place.start(&setting, &["long"]);
    let witness = place.read("long.wtns");
    let running = server.submit("long", &witness);
    let waiting = server.submit("mul", &place.read("mul.wtns"));
    server.wait_until_it_runs(&running);
    server.signal("TERM");
    assert_eq!(server.end(), Some(0), "{}", server.log());
    let server = place.start(&setting, &["long"]);
    let before = server.job(&waiting);
    assert!(
        before["state"] == "queued" || before["state"] == "succeeded",
        "{before}"
    );
    server.ask("DELETE", format!("/v1/proofs/{running}")).send();
    assert_eq!(server.ended(&waiting)["state"], "succeeded");
}

#[test]
fn two_servers_never_have_one_folder() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let said = place.try_start(&Setting::default()).err().unwrap();
    assert!(
        said.contains("another server has this data folder"),
        "{said}"
    );
    assert_eq!(server.get("/healthz").status, 200);
}
