//! Inputs that are wrong, and generators that were made to harm.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Place, Server, Setting};

fn ended(server: &Server, circuit: &str, body: &str) -> Value {
    let asking = server.ask("POST", format!("/v1/proofs?circuit={circuit}"));
    asking.header("prefer", "wait=60").json(body).send().json()
}

#[test]
fn wrong_inputs_and_witnesses_end_with_a_code_and_without_a_proof() {
    let place = Place::new().with_squarings("other", 10);
    let server = place.start(&Setting::default(), &["other"]);
    for (body, code) in [
        ("{\"a\": 7, \"b\": 2}", "unsatisfied"),
        ("{\"a\": 3}", "bad_input"),
        ("{\"a\": \"three\", \"b\": 2}", "bad_input"),
        ("{\"a\": 3, \"b\": 2", "bad_input"),
        ("[]", "bad_input"),
        ("", "bad_input"),
        ("\u{0}", "bad_input"),
    ] {
        let job = ended(&server, "mul", body);
        assert_eq!(
            (&job["state"], &job["code"]),
            (&"failed".into(), &code.into()),
            "{body}: {job}"
        );
        assert!(job["proof"].is_null());
        assert!(
            !job["error"]
                .as_str()
                .unwrap()
                .contains(&*place.path("").to_string_lossy()),
            "{job}"
        );
    }
    let witness = place.read("mul.wtns");
    let mut wrong = witness.clone();
    let last = wrong.len() - 32;
    wrong[last] ^= 1;
    for (bytes, code) in [
        (&wrong[..], "unsatisfied"),
        (&place.read("other.wtns"), "bad_input"),
        (&witness[..witness.len() - 1], "bad_input"),
        (b"wtns", "bad_input"),
        (b"", "bad_input"),
    ] {
        let job = server.ended(&server.submit("mul", bytes));
        assert_eq!(
            (&job["state"], &job["code"]),
            (&"failed".into(), &code.into()),
            "{job}"
        );
    }
    assert_eq!(server.multiply(3, 4).json()["state"], "succeeded");
}

/// The multiplier's module, with something else done when it runs.
pub fn module(at_run: &str) -> Vec<u8> {
    let text = include_str!("../data/multiplier.wat");
    let with = text.replace("(func $run\n", &format!("(func $run\n {at_run}\n"));
    assert_ne!(with, text);
    wat::parse_str(with).unwrap()
}

/// Thirty megabytes of functions without a parameter, which take long to read and to translate.
fn large_module() -> Vec<u8> {
    const FUNCTIONS: u32 = 100;
    let body = [&[0][..], &[0x41, 1, 0x1a].repeat(100_000), &[0x0b]].concat();
    let function = [number(body.len() as u32), body].concat();
    let functions = [number(FUNCTIONS), vec![0; FUNCTIONS as usize]].concat();
    let code = [number(FUNCTIONS), function.repeat(FUNCTIONS as usize)].concat();
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    for (id, bytes) in [(1, vec![1, 0x60, 0, 0]), (3, functions), (10, code)] {
        module.push(id);
        module.extend(number(bytes.len() as u32));
        module.extend(bytes);
    }
    module
}

/// LEB128.
fn number(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

#[test]
fn generators_that_loop_grab_memory_or_take_for_ever_to_read_are_stopped() {
    let place = Place::new();
    let grab = "(loop $again (drop (memory.grow (i32.const 1000))) (br $again))";
    let modules = [
        ("loops", module("(loop $again (br $again))")),
        ("grabs", module(grab)),
        ("large", large_module()),
    ];
    let mut tables = String::new();
    for (id, module) in &modules {
        place.write(&format!("{id}.wasm"), module);
        tables += &format!(
            "[[circuits]]\nid = \"{id}\"\nkey = \"mul.zkey\"\ngenerator = \"{id}.wasm\"\n\
             generator_seconds = 1.0\ngenerator_memory = \"64M\"\n"
        );
    }
    let setting = Setting {
        tables,
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    for (id, _) in modules {
        let start = Instant::now();
        let job = ended(&server, id, "{\"a\": 3, \"b\": 4}");
        assert_eq!(job["state"], "failed", "{job}");
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{id}: {:?}",
            start.elapsed()
        );
    }
    // A generator that loops is stopped by its owner, too.
    let asking = server
        .ask("POST", "/v1/proofs?circuit=loops")
        .json("{\"a\": 3, \"b\": 4}");
    let id = asking.send().json()["id"].as_str().unwrap().to_owned();
    crate::support::wait_for(|| server.job(&id)["state"] == "running");
    let job = server
        .ask("DELETE", format!("/v1/proofs/{id}"))
        .send()
        .json();
    assert_eq!(job["state"], "cancelled", "{job}");
    assert_eq!(server.multiply(3, 4).json()["state"], "succeeded");
}

/// Circuits are prepared beside the first jobs. A module that does not even tell what it is holds nobody up.
#[cfg(target_os = "linux")]
#[test]
fn a_generator_that_hangs_at_the_start_delays_neither_jobs_nor_the_end() {
    let text = include_str!("../data/multiplier.wat");
    let version = "(func (export \"getVersion\") (result i32)";
    let endless = text.replace(version, &format!("{version} (loop $again (br $again))"));
    let place = Place::new();
    place.write("endless.wasm", wat::parse_str(endless).unwrap());
    let setting = Setting {
        tables:
            "[[circuits]]\nid = \"endless\"\nkey = \"mul.zkey\"\ngenerator = \"endless.wasm\"\n"
                .into(),
        ..Setting::default()
    };
    let mut server = place.start(&setting, &[]);
    let children = |server: &Server| {
        let path = format!("/proc/{0}/task", server.pid());
        let threads = std::fs::read_dir(path).unwrap().filter_map(Result::ok);
        let of =
            |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children"));
        let lists: Vec<String> = threads.filter_map(|thread| of(thread).ok()).collect();
        lists
            .join(" ")
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    crate::support::wait_for(|| !children(&server).is_empty());
    assert_eq!(server.multiply(3, 4).json()["state"], "succeeded");
    let hanging = children(&server);
    assert!(!hanging.is_empty(), "it hangs");
    let start = Instant::now();
    server.signal("TERM");
    assert_eq!(server.end(), Some(0));
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    let is_gone = |id: &String| !std::path::Path::new("/proc").join(id).join("exe").exists();
    crate::support::wait_for(|| hanging.iter().all(is_gone));
}
