//! Measures how soon a setup and a proof stop when they are asked to, phase by phase.
//!
//! `cargo run --release -p frumious-app --example cancel [CONSTRAINTS]`: the circuit is a chain of squares, by default
//! of 200,000. Each phase is stopped some milliseconds after it begins; the time until the task has returned is
//! printed.

use frumious_app::cancellable;
use frumious_app::failure::Failure;
use frumious_app::key::AnyKey;
use frumious_app::observer::{Observer, Silent};
use frumious_app::prove::{self, prove};
use frumious_app::setup::{self, setup};
use frumious_app::witness::AnyWitness;
use frumious_circom::{R1csBuilder, Wtns};
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_groth16::{Phase, SetupPhase};
use frumious_parallel::Cancellation;
use std::error::Error;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let constraints = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 200_000,
    };
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    let [circuit, witness, key] = ["c.r1cs", "w.wtns", "k.zkey"].map(path);
    write_circuit(constraints, &circuit, &witness)?;
    let request = setup::Request {
        r1cs: &circuit,
        source: setup::Source::Drawn,
        key: &key,
        max_memory: None,
    };
    for phase in SetupPhase::DEVELOPMENT {
        report("setup", phase.name(), |observer| {
            setup(&request, observer).map(|_| ())
        });
    }
    setup(&request, &Silent).map_err(|failure| failure.message())?;
    let key = AnyKey::open(&key).map_err(|failure| failure.message())?;
    let values = AnyWitness::open(&witness, key.curve()).map_err(|failure| failure.message())?;
    let request = prove::Request {
        zero_knowledge: true,
        verify: true,
        check: true,
        max_memory: None,
        spill: None,
        witness_from: &witness,
    };
    // Part B1 is not summed, the others at once.
    let apart = [
        Phase::SumH,
        Phase::SumC,
        Phase::SumHAndC,
        Phase::SumA,
        Phase::SumB2,
        Phase::SumB1,
    ];
    let phases = Phase::ALL.iter().filter(|phase| !apart.contains(phase));
    let phases = phases.map(|phase| phase.name());
    for phase in ["check key"].into_iter().chain(phases) {
        report("proof", phase, |observer| {
            prove(&key, &values, &request, observer).map(|_| ())
        });
    }
    Ok(())
}

/// x_{i+1} = x_i².
fn write_circuit(constraints: usize, circuit: &Path, witness: &Path) -> Result<(), Box<dyn Error>> {
    let mut builder = R1csBuilder::new(0, 0, 1);
    let (mut last, mut values) = (1, vec![Fr::ONE, Fr::from_u64(3)]);
    for _ in 0..constraints {
        let next = builder.new_wire();
        builder.constraint(&[(last, Fr::ONE)], &[(last, Fr::ONE)], &[(next, Fr::ONE)]);
        values.push(values[last as usize].square());
        last = next;
    }
    let mut bytes = Vec::new();
    builder.build().write(&mut bytes)?;
    std::fs::write(circuit, &bytes)?;
    let values = values.into_iter().map(Integer::from).collect();
    Wtns::new(values)?.write(std::fs::File::create(witness)?)?;
    Ok(())
}

/// Stops `task` in a phase, several times, and prints the longest time that it took.
fn report(
    name: &str,
    phase: &'static str,
    task: impl Fn(&dyn Observer) -> Result<(), Failure> + Sync,
) {
    let mut longest = Duration::ZERO;
    for after in [1, 7, 30] {
        let cancellation = Cancellation::new();
        let begun = Mutex::new(None);
        let observer = Begun {
            phase,
            begun: &begun,
        };
        let asked = std::thread::scope(|scope| {
            let stopper = scope.spawn(|| {
                while begun.lock().is_ok_and(|begun| begun.is_none()) {
                    std::thread::sleep(Duration::from_micros(200));
                }
                std::thread::sleep(Duration::from_millis(after));
                cancellation.cancel();
                Instant::now()
            });
            let ended = cancellable(&cancellation, || task(&observer));
            let end = Instant::now();
            if let Ok(mut begun) = begun.lock() {
                begun.get_or_insert(end); // a phase that never began
            }
            let asked = stopper.join().unwrap_or(end);
            (ended.is_err()).then(|| end.saturating_duration_since(asked))
        });
        longest = longest.max(asked.unwrap_or_default());
    }
    println!("{name:6} {phase:14} {:8.1} ms", longest.as_secs_f64() * 1e3);
}

/// Notes when a phase begins.
struct Begun<'a> {
    phase: &'static str,
    begun: &'a Mutex<Option<Instant>>,
}

impl Observer for Begun<'_> {
    fn begin(&self, phase: &'static str) {
        if phase == self.phase
            && let Ok(mut begun) = self.begun.lock()
        {
            begun.get_or_insert_with(Instant::now);
        }
    }

    fn within(&self, phase: &'static str, _done: f64) {
        self.begin(phase);
    }

    fn note(&self, _text: &str) {}

    fn warning(&self, _text: &str) {}
}
