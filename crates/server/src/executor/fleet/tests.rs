//! The desk, and lines of a driver. `crates/cli/tests/serve/fleet.rs` has whole drivers.

use std::sync::Arc;
use std::time::Duration;

use zeroize::Zeroizing;

use super::desk::{Answer, Ask, Desk, Letter, Place};
use super::lines::{Event, harmless, known_code, write_ask};
use crate::jobs::Holds;
use crate::journal::{JobId, Kind};

fn ask(input: &[u8]) -> Ask {
    Ask {
        id: JobId::draw().expect("random bytes"),
        circuit: "mul".into(),
        kind: Kind::Inputs,
        input: Zeroizing::new(input.to_vec()),
        _hold: Holds::new(1 << 20).take_anyway(&"owner".into(), input.len() as u64),
    }
}

fn put(desk: &Arc<Desk>) -> (String, Place) {
    let ask = ask(b"{}");
    let id = ask.id.to_string();
    (id, desk.put(ask))
}

/// The next letter: `prove ID` or `cancel ID`.
fn letter(desk: &Desk, driver: u64) -> Option<String> {
    desk.next_letter(driver).map(|letter| match letter {
        Letter::Prove(ask) => format!("prove {}", ask.id),
        Letter::Cancel(id) => format!("cancel {id}"),
    })
}

fn fail(desk: &Desk, job: &str) -> bool {
    desk.tell_answer(job, |_| Answer::Failed {
        code: "usage".into(),
        message: String::new(),
    })
}

#[test]
fn a_job_is_answered_once_and_only_if_it_was_given() {
    let desk = Arc::new(Desk::default());
    let (id, place) = put(&desk);
    let driver = desk.begin_driver();
    assert!(!fail(&desk, &id), "nobody has it yet");
    desk.greet();
    assert_eq!(letter(&desk, driver), Some(format!("prove {id}")));
    for _ in 0..3 {
        desk.tell_begun(&id);
    }
    assert!(fail(&desk, &id) && !fail(&desk, &id));
    for strange in ["", "../x", &"0".repeat(32), &id[1..]] {
        assert!(!fail(&desk, strange), "{strange}");
    }
    assert_eq!(place.answer(), Answer::Sent);
    assert_eq!(place.answer(), Answer::Begun);
    assert!(matches!(place.answer(), Answer::Failed { .. }));
    drop(place);
    assert_eq!(desk.health().jobs, 0);
    assert!(
        desk.wait_for_end(driver + 1, Duration::ZERO),
        "it is another"
    );
    desk.close();
    assert_eq!(
        letter(&desk, driver),
        None,
        "an answered job is not cancelled"
    );
}

#[test]
fn what_a_driver_has_not_answered_is_given_to_the_next() {
    let desk = Arc::new(Desk::default());
    let [first, second, third] = [(); 3].map(|()| put(&desk));
    let driver = desk.begin_driver();
    desk.greet();
    for (id, _) in [&first, &second] {
        assert_eq!(letter(&desk, driver), Some(format!("prove {id}")));
    }
    assert!(fail(&desk, &first.0));
    desk.dismiss(driver);
    assert_eq!(letter(&desk, driver), None);
    desk.end_driver();
    let next = desk.begin_driver();
    desk.greet();
    assert_eq!(letter(&desk, driver), None, "of the one before");
    assert_eq!(letter(&desk, next), Some(format!("prove {}", second.0)));
    assert_eq!(letter(&desk, next), Some(format!("prove {}", third.0)));
    assert_eq!(desk.health().restarts, 1);
}

#[test]
fn what_drivers_die_of_is_given_alone_and_not_for_ever() {
    let desk = Arc::new(Desk::default());
    let (bad, place) = put(&desk);
    let others: Vec<(String, Place)> = (0..3).map(|_| put(&desk)).collect();
    let mut left: Vec<&String> = others.iter().map(|(id, _)| id).collect();
    for round in 0..5 {
        let driver = desk.begin_driver();
        desk.greet();
        let mut given = Vec::new();
        loop {
            // A round gives all at once, or each alone once its answer is there.
            let all = if round < 2 { left.len() + 1 } else { 1 };
            for _ in 0..all {
                let letter = letter(&desk, driver).expect("there is one");
                given.push(letter.trim_start_matches("prove ").to_owned());
                desk.tell_begun(given.last().expect("it was pushed"));
            }
            if given.contains(&bad) {
                break;
            }
            let id = given.pop().expect("one");
            assert!(fail(&desk, &id));
            left.retain(|other| **other != id);
        }
        desk.end_driver();
    }
    let answers = || std::iter::repeat_with(|| place.answer());
    let end = answers().find(|answer| !matches!(answer, Answer::Sent | Answer::Begun));
    assert!(matches!(end, Some(Answer::Failed { code, .. }) if code == "crashed"));
    // A driver that has reached no node is no job's fault.
    let (innocent, _place) = put(&desk);
    for _ in 0..9 {
        let driver = desk.begin_driver();
        desk.greet();
        let expected = format!("prove {innocent}");
        while letter(&desk, driver).is_some_and(|letter| letter != expected) {}
        desk.end_driver();
    }
}

#[test]
fn what_is_given_alone_has_its_turn_while_others_come() {
    let desk = Arc::new(Desk::default());
    let (bad, _place) = put(&desk);
    for _ in 0..2 {
        let driver = desk.begin_driver();
        desk.greet();
        letter(&desk, driver).expect("the job");
        desk.tell_begun(&bad);
        desk.end_driver();
    }
    let driver = desk.begin_driver();
    desk.greet();
    let mut places = Vec::new();
    let turn = (0..100).find(|_| {
        let (id, place) = put(&desk);
        places.push(place);
        let given = letter(&desk, driver).expect("there is one");
        let given = given.trim_start_matches("prove ");
        given == bad || (given == id && !fail(&desk, given))
    });
    assert!(matches!(turn, Some(1..50)), "{turn:?}");
}

#[test]
fn a_wrong_answer_ends_its_driver_and_goes_to_the_next() {
    let desk = Arc::new(Desk::default());
    let (id, place) = put(&desk);
    let driver = desk.begin_driver();
    desk.greet();
    letter(&desk, driver).expect("the job");
    assert!(fail(&desk, &id));
    place.reject(driver);
    assert_eq!(letter(&desk, driver), None, "it is not trusted");
    desk.end_driver();
    let next = desk.begin_driver();
    desk.greet();
    assert_eq!(letter(&desk, next), Some(format!("prove {id}")));
    // The end of one is not that of another.
    assert!(fail(&desk, &id));
    place.reject(driver);
    assert_eq!(letter(&desk, next), Some(format!("prove {id}")));
}

#[test]
fn jobs_that_nobody_wants_are_cancelled_or_never_given() {
    let desk = Arc::new(Desk::default());
    let [given, waiting, last] = [(); 3].map(|()| put(&desk));
    let driver = desk.begin_driver();
    desk.greet();
    letter(&desk, driver).expect("the first");
    drop((given.1, waiting.1));
    assert_eq!(letter(&desk, driver), Some(format!("cancel {}", given.0)));
    assert_eq!(letter(&desk, driver), Some(format!("prove {}", last.0)));
    assert!(!fail(&desk, &given.0), "too late");
    let id = JobId::parse(&last.0).expect("an id");
    desk.stop(&id);
    assert_eq!(last.1.answer(), Answer::Sent);
    assert_eq!(last.1.answer(), Answer::Stopped);
}

#[test]
fn an_input_follows_its_line_as_it_is() {
    let input = b"\n\0{\"event\"}\xff";
    let mut out = Vec::new();
    write_ask(&mut out, &ask(input)).expect("a vector");
    let end = out.iter().position(|byte| *byte == b'\n').expect("a line");
    let line: serde_json::Value = serde_json::from_slice(&out[..end]).expect("JSON");
    assert_eq!(
        (&line["do"], &line["bytes"]),
        (&"prove".into(), &input.len().into())
    );
    assert_eq!(&out[end + 1..], input);
}

#[test]
fn lines_that_are_none_are_none() {
    for line in [
        &b"{\"event\": \"beat\", \"nodes\": 2, \"more\": []}"[..],
        b"{\"event\": \"hello\", \"version\": \"1\"}",
    ] {
        assert!(Event::parse(line).is_some());
    }
    for line in [
        &b""[..],
        b"{}",
        b"[]",
        b"\xff",
        b"{\"event\": \"beat\", \"nodes\": -1}",
        b"{\"event\": \"beat\"}",
        b"{\"event\": \"end\"}",
        b"{\"event\": \"proved\", \"job\": 1}",
        &[b'['; 100_000],
    ] {
        assert!(
            Event::parse(line).is_none(),
            "{}",
            String::from_utf8_lossy(line)
        );
    }
    assert_eq!(known_code("unsatisfied"), "unsatisfied");
    assert_eq!(known_code("retries"), "retries");
    assert_eq!(known_code("<script>"), "internal");
    assert_eq!(harmless("a\u{1b}[2Jb\nc\u{202e}d"), "a[2Jbcd");
    assert_eq!(harmless(&"é".repeat(1000)).chars().count(), 300);
}
