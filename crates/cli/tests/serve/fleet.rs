//! `executor = "ray"`: a driver that dies, hangs and lies, in the place of the Python package's
//! (`tests/data/driver.py`). `bindings/python/tests/test_fleet_serve.py` has the same server with a fleet.

mod fake;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Place, is_final, is_valid, wait_for};
use fake::{Fleet, check_products, multiply, products};

#[test]
fn a_fleet_proves_what_the_server_verifies_and_is_told_of() {
    let Some(mut fleet) = Fleet::new("proves").map(|fleet| fleet.set("jobs = 4")) else {
        return;
    };
    fleet.setting.top += "\nmetrics = \"127.0.0.1:0\"";
    fleet.setting.tables += "[seal]\nfile = \"seal\"\n";
    fleet.place.write("seal", "1".repeat(64));
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(fleet.place.path("seal"), private).unwrap();
    let server = fleet.start();
    wait_for(|| server.get("/readyz").status == 200);
    let ids = products(&server, 6);
    let long = server.submit("long", &fleet.place.read("long.wtns"));
    check_products(&fleet.place, &server, &ids);
    assert_eq!(server.ended(&long)["state"], "succeeded");
    assert!(ids.iter().all(|id| fleet.given(id) == ["1"]));
    let status = server.get("/v1/status").json();
    assert_eq!(status["executor"], "ray");
    assert_eq!(
        status["fleet"],
        serde_json::json!({ "nodes": 2, "jobs": 0, "restarts": 0 })
    );
    let counts = crate::http::ask(&server.others[0], "GET", "/metrics").send();
    assert!(
        counts.body.contains("frumious_fleet_nodes 2\n"),
        "{counts:?}"
    );
    // What does not satisfy the circuit is a failure with a code, and a line that can be shown.
    let mut wrong = fleet.place.read("mul.wtns");
    let place = wrong.len() - 32;
    wrong[place] ^= 1;
    let job = server.ended(&server.submit("mul", &wrong));
    assert_eq!(
        (&job["state"], &job["code"]),
        (&"failed".into(), &"unsatisfied".into())
    );
    let error = job["error"].as_str().unwrap();
    assert!(
        error.len() == 300 && error.starts_with("no [2J proof"),
        "{error}"
    );
    // What is no witness of the circuit does not go there.
    let job = server.ended(&server.submit("mul", &wrong[..place]));
    assert_eq!(job["code"], "bad_input", "{job}");
    assert!(fleet.given(job["id"].as_str().unwrap()).is_empty());
}

#[test]
fn a_driver_that_dies_is_begun_anew_and_given_what_it_has_not_answered() {
    let Some(fleet) = Fleet::new("dies dies proves") else {
        return;
    };
    let server = fleet.start();
    let ids = products(&server, 8);
    check_products(&fleet.place, &server, &ids);
    let given: Vec<Vec<String>> = ids.iter().map(|id| fleet.given(id)).collect();
    assert!(
        given.iter().all(|starts| starts.last().unwrap() == "3"),
        "{given:?}"
    );
    assert!(
        given.iter().filter(|starts| starts.len() > 1).count() >= 3,
        "{given:?}"
    );
    assert!(
        server
            .log()
            .contains("fleet: the driver has ended: exit status: 1")
    );
    // One proof each, and one end.
    let all = server.get("/v1/proofs?limit=100").json();
    assert_eq!(all["proofs"].as_array().unwrap().len(), 8);
    assert_eq!(server.get("/v1/status").json()["fleet"]["restarts"], 2);
}

#[test]
fn garbage_floods_and_answers_that_nobody_waits_for_change_nothing() {
    for mode in ["garbage", "flood", "twice"] {
        let Some(fleet) = Fleet::new(mode) else {
            return;
        };
        let server = fleet.start();
        let ids = products(&server, 2);
        check_products(&fleet.place, &server, &ids);
        assert_eq!(fleet.starts(), 1, "{mode}: {}", server.log());
    }
}

#[test]
fn a_driver_that_hangs_or_never_stops_talking_is_begun_anew() {
    for (modes, reason) in [
        ("endless proves", "a line that is too long"),
        ("chatter proves", "what is no answer, again and again"),
        ("silent proves", "it said nothing for "),
        ("deaf proves", "it read nothing for "),
        ("stranger proves", "another version"),
    ] {
        let fleet = Fleet::new(modes).map(|fleet| fleet.set("silence_seconds = 2.0"));
        let Some(fleet) = fleet else { return };
        let server = fleet.start();
        let ids = products(&server, 2);
        check_products(&fleet.place, &server, &ids);
        assert!(server.log().contains(reason), "{modes}: {}", server.log());
        let memory = server.get("/v1/status").json()["resident_bytes"].as_u64();
        assert!(memory.unwrap() < 200 << 20, "{modes}: {memory:?}");
        // To a stranger, and to one that has not said who it is, no input is given.
        if modes.starts_with('s') {
            assert!(ids.iter().all(|id| fleet.given(id) == ["2"]), "{modes}");
        }
    }
}

#[test]
fn no_wrong_proof_is_a_result() {
    for mode in ["forged", "other", "empty"] {
        let Some(fleet) = Fleet::new(&format!("{mode} {mode} proves")) else {
            return;
        };
        let server = fleet.start();
        let witness = fleet.place.read("mul.wtns");
        // Of other values than the fixture's.
        place_inputs(&fleet.place);
        let other = fleet.place.read("other.wtns");
        let job = server.ended(&server.submit("mul", &other));
        assert_eq!(job["state"], "succeeded", "{mode}: {job}");
        assert!(is_valid(&fleet.place, &job, &["35"]), "{mode}");
        assert_eq!(
            fleet.given(job["id"].as_str().unwrap()),
            ["1", "2", "3"],
            "{mode}"
        );

        server.kill();
        fleet.place.write("state/modes", mode);
        let server = fleet.start();
        let job = server.ended(&server.submit("mul", &other));
        assert_eq!(
            (&job["state"], &job["code"]),
            (&"failed".into(), &"invalid_proof".into())
        );
        assert!(job["proof"].is_null() && job["public"].is_null(), "{job}");
        // The very signals of the witness: then that proof is one.
        if mode == "other" {
            let job = server.ended(&server.submit("mul", &witness));
            assert_eq!(job["state"], "succeeded", "{job}");
        }
    }
}

/// Writes `other.wtns`, of 5 and 7.
fn place_inputs(place: &Place) {
    place.write("other.json", "{\"a\": 5, \"b\": 7}");
    let folder = place.path("other.json");
    let folder = folder.parent().unwrap();
    crate::support::run(folder, "witness mul.wasm other.json other.wtns");
}

#[test]
fn a_job_that_is_stopped_stays_so_whatever_the_fleet_answers() {
    let Some(fleet) = Fleet::new("late") else {
        return;
    };
    let server = fleet.start();
    let id = multiply(&server, 3, 5);
    wait_for(|| !fleet.given(&id).is_empty());
    let start = Instant::now();
    let job = server
        .ask("DELETE", format!("/v1/proofs/{id}"))
        .send()
        .json();
    let took = start.elapsed();
    assert_eq!(job["state"], "cancelled", "{job}");
    assert!(took < Duration::from_secs(2), "{took:?}");
    wait_for(|| fleet.has_order(&format!(" cancel {id}")));
    let asking = server.ask("POST", "/v1/proofs?circuit=mul&deadline=0.3");
    let asked = asking.json("{\"a\": 3, \"b\": 4}").send().json();
    let late = server.ended(asked["id"].as_str().unwrap());
    assert_eq!(late["state"], "expired", "{late}");
    let order = format!(" cancel {}", late["id"].as_str().unwrap());
    wait_for(|| fleet.has_order(&order));
    // The proofs have come by now.
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(server.job(&id), job);
    assert_eq!(server.job(late["id"].as_str().unwrap()), late);
    assert_eq!(server.get("/v1/status").json()["fleet"]["jobs"], 0);
    assert_eq!(fleet.starts(), 1);
}

#[test]
fn a_fleet_has_no_more_jobs_than_it_may_and_the_rest_waits_or_is_refused() {
    let fleet = Fleet::new("slow").map(|fleet| fleet.set("jobs = 2").limit("queue = 3"));
    let Some(fleet) = fleet else { return };
    let server = fleet.start();
    let ids: Vec<String> = (0..5)
        .map(|a| {
            let id = multiply(&server, a, 7);
            // So that the first two are not in the queue.
            let at_work = usize::min(a as usize + 1, 2);
            wait_for(|| server.get("/v1/status").json()["running"] == at_work);
            id
        })
        .collect();
    let full = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .json("{\"a\": 1, \"b\": 2}");
    let full = full.send();
    assert_eq!((full.status, full.code().as_str()), (429, "queue_full"));
    wait_for(|| fleet.has_order(&format!(" prove {}", ids[1])));
    std::thread::sleep(Duration::from_millis(300));
    let given = |id: &String| !fleet.given(id).is_empty();
    assert_eq!(ids.iter().filter(|id| given(id)).count(), 2);
    // One goes, the next comes.
    server
        .ask("DELETE", format!("/v1/proofs/{}", ids[0]))
        .send();
    wait_for(|| given(&ids[2]));
}

#[test]
fn without_a_fleet_the_server_is_not_ready_and_without_its_program_it_does_not_begin() {
    let Some(fleet) = Fleet::new("silent") else {
        return;
    };
    let server = fleet.start();
    assert_eq!(server.get("/readyz").status, 503);
    assert_eq!(server.get("/healthz").status, 200);
    server.kill();
    fleet.place.write("version", "frumious-fleet 0.0.1\n");
    let said = fleet.place.try_start(&fleet.setting).err().unwrap();
    assert!(said.contains("is version 0.0.1"), "{said}");
    fs::remove_file(fleet.place.path("driver")).unwrap();
    let said = fleet.place.try_start(&fleet.setting).err().unwrap();
    assert!(
        said.contains("driver: the fleet's program") && said.contains("frumious[ray]"),
        "{said}"
    );
}

#[test]
fn a_server_that_ends_waits_for_the_fleet_and_takes_its_driver_along() {
    let Some(fleet) = Fleet::new("proves") else {
        return;
    };
    let mut server = fleet.start();
    let ids = products(&server, 3);
    server.signal("TERM");
    assert_eq!(server.end(), Some(0), "{}", server.log());
    let lives = || {
        let line = fleet.lines("starts").pop().unwrap();
        let process = line.split(' ').next().unwrap().to_owned();
        Path::new("/proc").join(process).exists()
    };
    assert!(!lives());
    let server = fleet.start();
    check_products(&fleet.place, &server, &ids);
    // Killed at once, its driver ends with its stdin.
    server.kill();
    wait_for(|| !lives());
}

#[test]
fn a_job_of_a_killed_server_is_given_to_the_next_ones_fleet() {
    let Some(mut fleet) = Fleet::new("slow proves") else {
        return;
    };
    fleet.setting.tables += "[seal]\nenv = \"FRUMIOUS_TEST_SEAL\"\n";
    let seal = "export FRUMIOUS_TEST_SEAL=2222222222222222222222222222222222222222222222222222222222222222";
    fleet.setting.shell = Some(format!("{seal} FRUMIOUS_TOKEN=x; exec \"$0\" \"$@\""));
    let server = fleet.start();
    let ids = products(&server, 3);
    wait_for(|| ids.iter().all(|id| !fleet.given(id).is_empty()));
    server.kill();
    let server = fleet.start();
    check_products(&fleet.place, &server, &ids);
    // Neither the key of the server's nor a client's token is its driver's.
    for line in fleet.lines("starts") {
        assert!(
            line.contains("\"PATH\"")
                && !line.contains("FRUMIOUS_TEST_SEAL")
                && !line.contains("FRUMIOUS_TOKEN")
        );
    }
}

#[test]
fn inputs_on_their_way_to_a_fleet_are_in_no_log_no_answer_and_no_file() {
    let Some(fleet) = Fleet::new("dies proves") else {
        return;
    };
    let server = fleet.start();
    let secret = "982451653";
    let ids: Vec<String> = (0..3)
        .map(|b| {
            let body = format!("{{\"a\": {secret}, \"b\": {b}}}");
            let asking = server.ask("POST", "/v1/proofs?circuit=mul").json(&body);
            asking.send().json()["id"].as_str().unwrap().to_owned()
        })
        .collect();
    for id in &ids[..1] {
        assert_eq!(server.ended(id)["public"], serde_json::json!(["0"]));
    }
    let told: Vec<Value> = ids.iter().map(|id| server.ended(id)).collect();
    assert!(told.iter().all(is_final));
    assert!(!server.log().contains(secret));
    for entry in fs::read_dir(fleet.place.data()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = fs::read(&path).unwrap();
            // Of b = 1 it is the public signal, and so in the journal: as JSON, with quotes.
            let text = String::from_utf8_lossy(&bytes).replace(&format!("\"{secret}\""), "");
            assert!(!text.contains(secret), "{}", path.display());
        }
    }
}
