#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
use super::file::parse;
use super::*;
use std::convert::Infallible;
use std::time::Duration;

fn setting(name: &str) -> Parameter {
    let setting = settings().find(|setting| setting.name() == name);
    Parameter::Setting(setting.unwrap())
}

fn plan(names: &[&str]) -> Plan {
    Plan {
        parameters: names.iter().map(|name| setting(name)).collect(),
        steps: 2,
        turns: 6,
        budget: Duration::from_secs(3600),
    }
}

/// A machine whose times are a function of the values, and of noise of a few percent that has no pattern.
struct Simulated<F> {
    time: F,
    noise: f64,
    state: u64,
}

impl<F: Fn(&Values) -> f64> Simulated<F> {
    fn new(noise: f64, time: F) -> Self {
        Self {
            time,
            noise,
            state: 7,
        }
    }

    fn measure(&mut self, values: &Values) -> Result<f64, Infallible> {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(99_991);
        let unit = (self.state >> 11) as f64 / (1_u64 << 53) as f64;
        Ok((self.time)(values) * (1.0 + self.noise * unit))
    }
}

/// Slower by `slope` for each step of a factor of two away from `best`.
fn valley(value: usize, best: usize, slope: f64) -> f64 {
    1.0 + slope * ((value as f64).log2() - (best as f64).log2()).abs()
}

#[test]
fn every_setting_has_one_name_and_starts_at_its_usual_value() {
    let mut names: Vec<&str> = settings().map(Setting::name).collect();
    assert_eq!(names.len(), 14);
    assert!(names.iter().all(|name| name.split('.').count() == 2));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 14);
    assert!(settings().all(|setting| setting.get() == setting.usual()));
    let all = parameters(8, 1 << 24);
    assert!(all.iter().any(|parameter| parameter.name() == THREADS));
    let small = parameters(1, 1 << 10);
    assert!(
        small
            .iter()
            .all(|parameter| !parameter.name().starts_with("key."))
    );
    assert!(
        small
            .iter()
            .all(|parameter| parameter.name() != "msm.tasks")
    );
    // Of lanes and of code without them one kind matters, whatever the CPU has.
    let named = |name: &str| all.iter().any(|parameter| parameter.name() == name);
    assert_ne!(named("msm.batch"), named("msm.lanes_batch"));
    assert_eq!(named("fft.panel_bytes"), named("msm.batch"));
    assert!(named("key.window_rows") && named("key.window_points") && named("msm.tasks"));
}

/// The table of the document has each setting with its range and its usual value.
#[test]
fn the_document_has_every_setting() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tuning.md");
    let text = std::fs::read_to_string(path).unwrap();
    let number = |value: usize| match value.is_power_of_two() && value >= 1 << 12 {
        true => format!("2^{}", value.ilog2()),
        false => value.to_string(),
    };
    for setting in settings() {
        let row = format!("| `{}` |", setting.name());
        let row = text.lines().find(|line| line.starts_with(&row)).unwrap();
        let range = setting.range();
        let [least, most, usual] = [*range.start(), *range.end(), setting.usual()].map(number);
        let end = match setting.is_of_machine() {
            true => format!("| {least}, {most} | of the machine: "),
            false => format!("| {least}, {most} | {usual} |"),
        };
        assert!(row.contains(&end), "{row}: {end}");
    }
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), settings().count() + 1, "and the threads");
}

#[test]
fn threads_are_never_more_than_the_machine_has() {
    let threads = Parameter::Threads(12);
    assert_eq!(threads.near(12, 2), [3, 6, 12]);
    assert_eq!(threads.near(6, 1), [3, 6, 7, 12]);
    assert_eq!(Parameter::Threads(1).near(1, 3), [1]);
}

/// Two parameters that are wrong by three and by one steps: the second pass goes on where the first ended.
#[test]
fn the_search_finds_a_valley_that_is_some_steps_away() {
    let (cache, batch) = (setting("msm.cache_bytes"), setting("msm.batch"));
    let time = |values: &Values| {
        valley(values.of(&cache), 4 << 20, 0.05) * valley(values.of(&batch), 256, 0.04)
    };
    let mut machine = Simulated::new(0.01, time);
    let plan = plan(&["msm.cache_bytes", "msm.batch"]);
    let outcome = search(&plan, &mut |values| machine.measure(values)).unwrap();
    assert_eq!(
        (outcome.best.of(&cache), outcome.best.of(&batch)),
        (4 << 20, 256)
    );
    assert!(outcome.is_complete && outcome.confirmed.is_faster());
    let expected = 1.0 / time(&Values::usual()); // the cache's usual size is of the machine
    assert!(
        (outcome.confirmed.median - expected).abs() < 0.02,
        "{:?}",
        outcome.confirmed
    );
    // sorted, each once, the usual values among them
    let medians = outcome
        .measured
        .iter()
        .map(|measured| measured.ratio.median);
    assert!(medians.is_sorted());
    let usual = outcome
        .measured
        .iter()
        .filter(|measured| measured.values == Values::usual());
    assert_eq!(usual.count(), 1);
}

/// As an exhaustive grid finds it, within its noise, also where the parameters depend on each other.
#[test]
fn the_search_comes_near_the_best_of_a_grid() {
    let (cache, batch, cost) = (
        setting("msm.cache_bytes"),
        setting("msm.batch"),
        setting("msm.bucket_cost"),
    );
    let time = |values: &Values| {
        let batch = values.of(&batch);
        let cache_for_batch = 512 * 2048 * 128 / batch; // small batches want a large cache
        valley(values.of(&cache), cache_for_batch, 0.03)
            * valley(batch, 128, 0.05)
            * valley(values.of(&cost), 200, 0.02)
    };
    let plan = plan(&["msm.cache_bytes", "msm.batch", "msm.bucket_cost"]);
    let mut machine = Simulated::new(0.01, time);
    let all = grid(&plan, &mut |values| machine.measure(values)).unwrap();
    let expected = 5 * 4 * 5; // values near the usual ones; batches have one step up
    assert_eq!(all.measured.len(), expected);
    let mut machine = Simulated::new(0.01, time);
    let found = search(&plan, &mut |values| machine.measure(values)).unwrap();
    assert!(time(&found.best) <= 1.05 * time(&all.best));
    assert!(found.measurements < all.measurements / 2);
}

/// A machine on which nothing changes the time: whatever noise says, the usual values stay or cost nothing.
#[test]
fn noise_alone_is_hardly_ever_taken_for_a_gain() {
    let names = [
        "msm.cache_bytes",
        "msm.batch",
        "msm.bucket_cost",
        "msm.widest_window",
    ];
    let changed = (0..20).filter(|seed| {
        let mut machine = Simulated::new(0.1, |_: &Values| 1.0);
        machine.state = 1 + 1_000_003 * seed;
        let outcome = search(&plan(&names), &mut |values| machine.measure(values)).unwrap();
        outcome.best != Values::usual()
    });
    assert!(changed.count() <= 2);
}

/// The usual values are the fastest: whatever is tried, they stay.
#[test]
fn nothing_slower_than_the_usual_values_is_chosen() {
    let (cache, batch) = (setting("msm.cache_bytes"), setting("msm.batch"));
    let time = |values: &Values| {
        valley(values.of(&cache), cache.usual(), 0.03)
            * valley(values.of(&batch), batch.usual(), 0.03)
    };
    let mut machine = Simulated::new(0.02, time);
    let names = ["msm.cache_bytes", "msm.batch"];
    let outcome = search(&plan(&names), &mut |values| machine.measure(values)).unwrap();
    assert_eq!(outcome.best, Values::usual());
    assert_eq!(outcome.measured[0].values, Values::usual());
    assert_eq!(outcome.confirmed, Ratio::ONE);
}

/// A winner by luck: fast while it is raced, slower than the usual values in the last race.
#[test]
fn a_gain_that_does_not_come_again_is_given_up() {
    let pages = setting("memory.huge_pages");
    let mut calls = 0;
    let plan = plan(&["memory.huge_pages"]);
    let before_the_last = 3 + 2 * (plan.turns + 1);
    let mut measure = |values: &Values| {
        calls += 1;
        let is_changed = values.of(&pages) != pages.usual();
        let gain = if calls <= before_the_last { 0.9 } else { 1.1 };
        Ok::<f64, Infallible>(if is_changed { gain } else { 1.0 })
    };
    let outcome = search(&plan, &mut measure).unwrap();
    assert_eq!(outcome.best, Values::usual());
    assert!(outcome.confirmed.low > 1.0, "{:?}", outcome.confirmed);
}

/// A rival that takes ten times as long leaves its race early; the time that is left is enough for the other parameter.
#[test]
fn a_slow_rival_takes_no_time_from_later_races() {
    let batch = setting("msm.batch");
    let mut plan = plan(&["msm.batch", "memory.huge_pages"]);
    plan.steps = 1;
    plan.budget = Duration::from_millis(1000);
    let measure = |values: &Values| {
        let is_slow = values.of(&batch) != batch.usual();
        let seconds = if is_slow { 0.02 } else { 0.002 };
        std::thread::sleep(Duration::from_secs_f64(seconds));
        Ok::<f64, Infallible>(seconds)
    };
    let outcome = search(&plan, &mut { measure }).unwrap();
    assert!(outcome.is_complete);
}

/// The first measurement takes the time of all others: a page cache that was cold.
#[test]
fn one_slow_measurement_does_not_end_a_search() {
    let mut plan = plan(&["memory.huge_pages", "msm.batch"]);
    plan.steps = 1;
    plan.budget = Duration::from_secs(3);
    let mut calls = 0;
    let mut measure = |_: &Values| {
        calls += 1;
        let milliseconds = if calls == 1 { 250 } else { 1 };
        std::thread::sleep(Duration::from_millis(milliseconds));
        Ok::<f64, Infallible>(1.0)
    };
    let outcome = search(&plan, &mut measure).unwrap();
    assert!(outcome.is_complete);
}

/// Proofs that a race has no time for, nor a whole turn of one: what there is time for is measured.
#[test]
fn a_search_takes_no_more_than_its_time() {
    let mut plan = plan(&["msm.cache_bytes", "msm.batch"]);
    for (budget, at_most) in [(1, 1), (100, 5), (900, 45)] {
        plan.budget = Duration::from_millis(budget);
        let measure = |_: &Values| {
            std::thread::sleep(Duration::from_millis(20));
            Ok::<f64, Infallible>(0.02)
        };
        let outcome = search(&plan, &mut { measure }).unwrap();
        assert!(!outcome.is_complete && outcome.usual_seconds == 0.02);
        let made = outcome.measurements;
        assert!((1..=at_most).contains(&made), "{budget} ms: {made}");
        let outcome = grid(&plan, &mut { measure }).unwrap();
        assert!(!outcome.is_complete && outcome.measurements <= at_most);
    }
}

/// A race that takes longer than a proof before it said: it ends early, with what the last race needs.
#[test]
fn a_race_that_becomes_slow_ends_early() {
    let mut plan = plan(&["memory.huge_pages"]);
    plan.budget = Duration::from_millis(400);
    let mut calls = 0;
    let mut measure = |_: &Values| {
        calls += 1;
        let milliseconds = if calls < 8 { 1 } else { 100 };
        std::thread::sleep(Duration::from_millis(milliseconds));
        Ok::<f64, Infallible>(1.0)
    };
    let outcome = search(&plan, &mut measure).unwrap();
    assert!(!outcome.is_complete && outcome.best == Values::usual());
    // Eight or fewer fast ones, four slow ones, and the turn in which the time ends.
    assert!(outcome.measurements <= 15, "{}", outcome.measurements);
}

#[test]
fn a_search_ends_in_time_and_says_that_it_is_not_complete() {
    let mut plan = plan(&["msm.cache_bytes", "msm.batch", "msm.bucket_cost"]);
    plan.budget = Duration::from_millis(200);
    let measure = |_: &Values| {
        std::thread::sleep(Duration::from_millis(4));
        Ok::<f64, Infallible>(1.0)
    };
    let outcome = search(&plan, &mut { measure }).unwrap();
    assert!(!outcome.is_complete);
    assert_eq!(outcome.best, Values::usual());
    let failed = search(&plan, &mut |_| Err("no witness")).map(|_| ());
    assert_eq!(failed, Err("no witness"));
}

fn here() -> Machine {
    Machine {
        cpu: "Jabberwock \"3\" 9000".into(),
        backend: "adx".into(),
        cpus: 12,
    }
}

#[test]
fn a_file_gives_back_what_was_written() {
    let values = Values::usual()
        .with(&Parameter::Threads(12), 6)
        .with(&setting("msm.cache_bytes"), 1 << 20)
        .with(&setting("memory.huge_pages"), 0);
    let text = to_toml(&values, &here(), "two\nlines");
    assert!(text.starts_with("# two\n# lines\n"));
    assert_eq!(parse(&text, &here()), Ok(Loaded::Values(values.clone())));
    assert_eq!(values.threads(), Some(6));
    let usual = to_toml(&Values::usual(), &here(), "");
    assert_eq!(parse(&usual, &here()), Ok(Loaded::Values(Values::usual())));
    for other in [
        Machine { cpus: 8, ..here() },
        Machine {
            backend: "portable".into(),
            ..here()
        },
        Machine {
            cpu: "Bandersnatch".into(),
            ..here()
        },
    ] {
        assert_eq!(parse(&text, &other), Ok(Loaded::OfAnotherMachine(here())));
    }
}

#[test]
fn files_that_are_wrong_are_refused_by_name() {
    let machine = "[machine]\ncpu = \"a\"\nbackend = \"b\"\ncpus = 4\n";
    let cases = [
        ("", "there is no section [machine]"),
        ("machine = 3", "machine is no section"),
        ("[machine]\ncpu = \"a\"\nbackend = \"b\"\n", "machine.cpus"),
        (
            "[machine]\ncpu = 1\nbackend = \"b\"\ncpus = 4\n",
            "machine.cpu",
        ),
        (
            "[machine]\ncpu = \"a\"\nbackend = \"b\"\ncpus = 4\nage = 3\n",
            "machine.age",
        ),
        (
            "[msm]\ncache_bytes = 0\n",
            "msm.cache_bytes = 0: from 65536",
        ),
        ("[msm]\ncache_bytes = -1\n", "msm.cache_bytes: a number"),
        ("[msm]\ncache_bytes = \"1\"\n", "msm.cache_bytes: a number"),
        ("[msm]\nbatch = 1e3\n", "msm.batch: a number"),
        (
            "[msm]\nbatch = 9223372036854775807\n",
            "msm.batch = 9223372036854775807",
        ),
        ("[msm]\nbatch = 99999999999999999999\n", ""),
        ("[msm]\nbuckets = 4\n", "msm.buckets: no such setting"),
        ("[fft]\nbatch = 4\n", "fft.batch: no such setting"),
        ("[pool]\nthreads = 0\n", "pool.threads = 0: from 1"),
        ("[pool]\nthreads = 4000000\n", "pool.threads"),
        ("[msm]\nbatch = 256\nbatch = 512\n", ""),
        ("[msm\n", ""),
    ];
    for (text, expected) in cases {
        let text = match text.contains("machine") || text.is_empty() {
            true => text.to_owned(),
            false => format!("{text}{machine}"),
        };
        let error = parse(&text, &here()).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn files_that_are_too_long_or_not_there_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(USUAL_FILE);
    assert!(read(&path, &here()).is_err());
    std::fs::write(&path, "#".repeat(1 << 17)).unwrap();
    let error = read(&path, &here()).unwrap_err();
    assert!(error.message().contains(USUAL_FILE) && error.message().contains("longer"));
    assert!(read(folder.path(), &here()).is_err());
}
