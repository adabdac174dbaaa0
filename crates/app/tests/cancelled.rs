//! Tasks that are stopped at each of their phases: they end as cancelled, and leave files whole, absent, or to go on
//! with.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_app::cancellable;
use frumious_app::failure::{Code, Failure};
use frumious_app::key::AnyKey;
use frumious_app::observer::Observer;
use frumious_app::prove::{self, prove};
use frumious_app::setup::{Request, Seed, Source, setup};
use frumious_app::witness::AnyWitness;
use frumious_circom::{R1csBuilder, Wtns};
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_parallel::Cancellation;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// Stops the task when a phase begins.
struct StopAt<'a> {
    phase: &'static str,
    cancellation: &'a Cancellation,
    seen: Mutex<Vec<&'static str>>,
}

impl<'a> StopAt<'a> {
    fn new(phase: &'static str, cancellation: &'a Cancellation) -> Self {
        Self {
            phase,
            cancellation,
            seen: Mutex::default(),
        }
    }
}

impl Observer for StopAt<'_> {
    fn begin(&self, phase: &'static str) {
        self.seen.lock().unwrap().push(phase);
        if phase == self.phase {
            self.cancellation.cancel();
        }
    }

    fn within(&self, phase: &'static str, _done: f64) {
        self.begin(phase);
    }

    fn note(&self, _text: &str) {}

    fn warning(&self, _text: &str) {}
}

/// A folder with a circuit, x_{i+1} = x_i², its witness and a seed.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let mut builder = R1csBuilder::new(0, 0, 1);
        let (mut last, mut values) = (1, vec![Fr::ONE, Fr::from_u64(3)]);
        for _ in 0..5000 {
            let next = builder.new_wire();
            builder.constraint(&[(last, Fr::ONE)], &[(last, Fr::ONE)], &[(next, Fr::ONE)]);
            values.push(values[last as usize].square());
            last = next;
        }
        let mut bytes = Vec::new();
        builder.build().write(&mut bytes).unwrap();
        fs::write(place.path("circuit.r1cs"), &bytes).unwrap();
        let values = values.into_iter().map(Integer::from).collect();
        let mut bytes = Vec::new();
        Wtns::new(values).unwrap().write(&mut bytes).unwrap();
        fs::write(place.path("witness.wtns"), &bytes).unwrap();
        fs::write(place.path("seed"), [7; 32]).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Files that are no inputs.
    fn outputs(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let is_output = |name: &String| name.starts_with("out") || name.starts_with(".out");
        names.filter(is_output).collect()
    }

    /// Makes `key`, stopped at a phase.
    fn setup(&self, phase: &'static str, key: &Path, from_seed: bool) -> Result<(), Failure> {
        let seed = self.path("seed");
        let circuit = self.path("circuit.r1cs");
        let request = Request {
            r1cs: &circuit,
            source: match from_seed {
                true => Source::Seed(Seed::read(&seed).unwrap()),
                false => Source::Drawn,
            },
            key,
            max_memory: None,
        };
        let cancellation = Cancellation::new();
        let observer = StopAt::new(phase, &cancellation);
        cancellable(&cancellation, || setup(&request, &observer).map(|_| ()))
    }
}

/// The phases of a development setup in which there is work to stop.
const PHASES: [&str; 9] = [
    "read circuit",
    "columns",
    "points IC",
    "coefficients",
    "points A",
    "points B1",
    "points B2",
    "points C",
    "points H",
];

#[test]
fn a_setup_that_is_stopped_leaves_nothing() {
    let place = Place::new();
    let key = place.path("out.zkey");
    for phase in PHASES {
        let stopped = place.setup(phase, &key, false);
        assert!(is_interrupted(&stopped), "{phase}");
        assert!(place.outputs().is_empty(), "{phase}: {:?}", place.outputs());
    }
    // One key stays what it was.
    fs::write(&key, "a key").unwrap();
    assert!(place.setup("points A", &key, false).is_err());
    assert_eq!(fs::read(&key).unwrap(), b"a key");
}

#[test]
fn a_setup_from_a_seed_goes_on_where_it_was_stopped() {
    let place = Place::new();
    let (whole, key) = (place.path("whole.zkey"), place.path("out.zkey"));
    place.setup("none", &whole, true).unwrap();
    // Stopped again and again at later and later phases, and from one end to the other.
    for phase in PHASES {
        let stopped = place.setup(phase, &key, true);
        assert!(is_interrupted(&stopped), "{phase}");
        assert!(!key.exists());
    }
    assert!(key.with_extension("zkey.partial").exists());
    place.setup("none", &key, true).unwrap();
    assert_eq!(fs::read(&key).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(place.outputs(), ["out.zkey"]);
}

#[test]
fn a_proof_stops_in_each_phase() {
    let place = Place::new();
    let key_path = place.path("out.zkey");
    place.setup("none", &key_path, false).unwrap();
    let key = AnyKey::open(&key_path).unwrap();
    let witness_path = place.path("witness.wtns");
    let witness = AnyWitness::open(&witness_path, key.curve()).unwrap();
    let spill = tempfile::tempdir().unwrap();
    let request = |max_memory| prove::Request {
        zero_knowledge: true,
        verify: true,
        check: true,
        max_memory,
        spill: Some(spill.path()),
        witness_from: &witness_path,
    };
    let run = |phase, max_memory| {
        let cancellation = Cancellation::new();
        let observer = StopAt::new(phase, &cancellation);
        let proved = cancellable(&cancellation, || {
            prove(&key, &witness, &request(max_memory), &observer)
        });
        (proved, observer.seen.into_inner().unwrap())
    };
    let least = match run("none", Some(1)).0 {
        Err(failure) if failure.code() == Code::MemoryLimit => least_of(&failure.message()),
        other => panic!("{other:?}"),
    };
    for max_memory in [None, Some(least)] {
        let (proved, phases) = run("none", max_memory);
        assert!(max_memory.is_none_or(|limit| proved.unwrap().memory.private <= limit));
        for phase in ["check key", "rows", "quotient"] {
            assert!(phases.contains(&phase), "{phase}");
        }
        let has = |sums: &[&str]| sums.iter().all(|sum| phases.contains(sum));
        let of_c = has(&["sum H", "sum C"]) || has(&["sum H+C"]);
        let is_apart = of_c && has(&["sum A", "sum B2"]);
        assert!(is_apart || has(&["sums"]), "{phases:?}");
        let last = phases.iter().rposition(|phase| phase.starts_with("sum"));
        for phase in phases[..=last.unwrap()].iter().copied() {
            let (stopped, seen) = run(phase, max_memory);
            assert!(is_interrupted(&stopped), "{phase}");
            assert_eq!(seen.last(), Some(&phase), "nothing after it begins");
        }
        assert_eq!(fs::read_dir(spill.path()).unwrap().count(), 0);
    }
    // The key is as good as before.
    assert!(run("none", None).0.is_ok());
}

fn least_of(text: &str) -> u64 {
    let from = text.find("at least ").unwrap() + 9;
    let digits = text[from..].split('K').next().unwrap();
    digits.parse::<u64>().unwrap() << 10
}

fn is_interrupted<T>(result: &Result<T, Failure>) -> bool {
    matches!(result, Err(failure) if failure.code() == Code::Interrupted)
}

/// The first call makes tables, which takes a second: it is stopped meanwhile, and the next one makes them.
#[test]
fn a_first_call_that_is_stopped_leaves_the_next_one_whole() {
    let values = [&[7][..], &[0; 31]].concat();
    let cancellation = Cancellation::new();
    let stopped = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            cancellation.cancel();
        });
        cancellable(&cancellation, || frumious_app::verkle::commit(&values))
    });
    assert!(is_interrupted(&stopped));
    frumious_app::verkle::commit(&values).expect("the tables are made anew");
}
