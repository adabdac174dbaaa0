//! `frumious tune`, and its file in the commands that read it.

use std::fmt::Write;
use std::sync::OnceLock;

use frumious_app::tuning::settings;
use frumious_limbs::Backend;

use super::support::Workplace;

/// The machine, as a file names it, with one of the backends.
fn machine(place: &Workplace, backend: &str) -> String {
    let line = "tune --only memory.huge_pages --constraints 400 --seconds 1 --out machine.toml";
    let ending = place.run_with(line, &[("FRUMIOUS_BACKEND", backend)]);
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
    let text = String::from_utf8(place.read("machine.toml")).expect("it is text");
    let start = text.find("[machine]").expect("there is a section");
    let end = text[start + 1..]
        .find('[')
        .map_or(text.len(), |end| start + 1 + end);
    text[start..end].to_owned()
}

/// A file in which each setting has the value that `choose` takes of its least and its most.
fn file(machine: &str, choose: impl Fn(usize, usize, usize) -> usize) -> String {
    let mut text = machine.to_owned();
    for (place, setting) in settings().enumerate() {
        let (section, name) = setting.name().split_once('.').expect("names have sections");
        let value = choose(place, *setting.range().start(), *setting.range().end());
        // Dotted names may repeat a section.
        let written = writeln!(text, "{section}.{name} = {value}");
        written.expect("a string takes everything");
    }
    // They belong before the first section.
    let (sections, names) = text.split_at(machine.len());
    format!("{names}{sections}")
}

/// Proofs that are not blinded are the same to the byte, whatever the settings are, with every backend of this CPU.
#[test]
fn settings_never_change_a_proof() {
    let place = Workplace::new();
    place.write_squarings("many", 20_000); // two windows of the smallest size
    place.succeed("setup many.r1cs many.zkey --dev");
    place.succeed("convert many.zkey many.fkey");
    let prove = |key: &str, tuning: &str, backend: &str| {
        let line = format!(
            "prove many.{key} many.wtns proof.json public.json --force --no-zk --threads 2 --tuning {tuning}"
        );
        let ending = place.run_with(&line, &[("FRUMIOUS_BACKEND", backend)]);
        assert_eq!(ending.code, Some(0), "{line}: {}", ending.stderr);
        assert!(
            !ending.stderr.contains("another machine"),
            "{}",
            ending.stderr
        );
        place.read("proof.json")
    };
    let expected = prove("zkey", "none", "portable");
    for backend in Backend::ALL {
        if !backend.is_supported() {
            println!("SKIP {}: not on this CPU", backend.name());
            continue;
        }
        let is_best = backend == Backend::detect();
        let backend = backend.name();
        let machine = machine(&place, backend);
        place.write("least.toml", file(&machine, |_, least, _| least));
        place.write("most.toml", file(&machine, |_, _, most| most));
        let mixed = |place: usize, least, most| if place.is_multiple_of(2) { least } else { most };
        place.write("mixed.toml", file(&machine, mixed));
        let other = |place: usize, least, most| if place.is_multiple_of(2) { most } else { least };
        place.write("other.toml", file(&machine, other));
        // Each backend meets both ends of each setting; on the best one each kind of key does.
        let of_zkey = [("zkey", "least.toml"), ("zkey", "most.toml")];
        let of_fkey = [("fkey", "mixed.toml"), ("fkey", "other.toml")];
        let of_zkey = of_zkey.into_iter().filter(|_| is_best);
        for (key, tuning) in of_zkey.chain(of_fkey) {
            let proof = prove(key, tuning, backend);
            assert!(proof == expected, "{backend}, {key}, {tuning}");
        }
    }
}

/// The file, the table and the chart of a short search; proofs read the file.
#[test]
fn a_search_writes_a_file_that_proofs_read() {
    let place = Workplace::new();
    let line = "tune contributed.zkey mul.wtns --constraints 400 --only msm.cache_bytes,msm.bucket_cost --steps 1 \
                --seconds 3600 --grid --csv all.csv --svg all.svg --json";
    let result = place.succeed(line).json();
    assert_eq!(result["command"], "tune");
    assert_eq!(result["complete"], true, "{result}");
    let measured = result["measured"].as_array().expect("a list");
    assert!(measured.len() >= 5, "{result}");
    let medians: Vec<f64> = measured
        .iter()
        .map(|measured| measured["median"].as_f64().expect("a ratio"))
        .collect();
    assert!(medians.is_sorted() && medians.iter().all(|ratio| *ratio > 0.0));
    let usual: Vec<_> = measured
        .iter()
        .filter(|measured| measured["values"] == "the usual values")
        .collect();
    assert!(usual.len() == 1 && usual[0]["median"] == 1.0, "{result}");
    assert_eq!(result["grid"]["combinations"], 9);
    assert_eq!(result["circuits"].as_array().map(Vec::len), Some(2));
    let is_changed = !result["settings"]
        .as_object()
        .expect("an object")
        .is_empty();
    let is_faster = result["ratio"]["high"]
        .as_f64()
        .is_some_and(|high| high < 1.0);
    assert_eq!(
        is_changed, is_faster,
        "only what is faster with confidence is written: {result}"
    );

    let csv = String::from_utf8(place.read("all.csv")).expect("it is text");
    assert!(csv.starts_with("kind,ratio,low,high,turns,values\n"));
    assert_eq!(
        csv.lines().filter(|line| line.starts_with("grid,")).count(),
        9
    );
    let svg = String::from_utf8(place.read("all.svg")).expect("it is text");
    assert!(svg.starts_with("<svg") && svg.contains("the usual values"));

    // The file has the usual name, and lies where the command runs.
    let told = place
        .succeed("prove mul.zkey mul.wtns proof.json public.json --force -v")
        .stderr;
    assert!(told.contains("frumious.tune.toml: "), "{told}");
    let told =
        place.succeed("prove mul.zkey mul.wtns proof.json public.json --force -v --tuning none");
    assert!(
        !told.stderr.contains("frumious.tune.toml"),
        "{}",
        told.stderr
    );
}

#[test]
fn a_file_of_another_machine_is_told_and_not_used() {
    let place = Workplace::new();
    place.write(
        "frumious.tune.toml",
        "[machine]\ncpu = \"Jabberwock\"\nbackend = \"vorpal\"\ncpus = 4\n[pool]\nthreads = 1000\n",
    );
    let line = "prove mul.zkey mul.wtns proof.json public.json --force --json";
    let ending = place.succeed(line);
    assert!(
        ending
            .stderr
            .contains("of another machine (Jabberwock, vorpal, 4 CPUs)"),
        "{}",
        ending.stderr
    );
    assert!(
        ending.json()["threads"]
            .as_u64()
            .is_some_and(|threads| threads < 1000)
    );
}

#[test]
fn the_number_of_threads_of_the_command_line_comes_first() {
    static MACHINE: OnceLock<String> = OnceLock::new();
    let place = Workplace::new();
    let backend = Backend::from_environment().expect("a known name").name();
    let machine = MACHINE.get_or_init(|| machine(&place, backend));
    place.write("frumious.tune.toml", format!("pool.threads = 3\n{machine}"));
    let line = "prove mul.zkey mul.wtns proof.json public.json --force --json";
    assert_eq!(place.succeed(line).json()["threads"], 3);
    assert_eq!(
        place.succeed(&format!("{line} --threads 2")).json()["threads"],
        2
    );
    // Commands that do not prove do not read it.
    assert_eq!(place.succeed("inspect mul.zkey --json").stderr, "");
}

#[test]
fn files_that_are_wrong_end_the_command_by_name() {
    let place = Workplace::new();
    let line = "prove mul.zkey mul.wtns proof.json public.json --force";
    for text in ["", "[msm", "[msm]\nbatch = 0\n", "\u{0}", "[[machine]]\n"] {
        place.write("frumious.tune.toml", text);
        let told = place.end_with(2, line).stderr;
        assert!(told.contains("frumious.tune.toml"), "{told}");
        #[cfg(feature = "server")]
        {
            let told = place
                .end_with(2, "serve --check --config serve.toml")
                .stderr;
            assert!(told.contains("frumious.tune.toml"), "{told}");
            place.succeed("serve --check --config serve.toml --tuning none");
        }
    }
    let told = place
        .end_with(2, &format!("{line} --tuning absent.toml"))
        .stderr;
    assert!(told.contains("absent.toml"), "{told}");
    place.write("frumious.tune.toml", vec![0xff; 10]);
    place.end_with(2, line);
}

/// A file from fewer threads than the machine has asks for as many.
#[test]
fn threads_of_the_search_are_written() {
    let place = Workplace::new();
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let line = "tune contributed.zkey mul.wtns --seconds 1 --only memory.huge_pages --threads";
    place.succeed(&format!("{line} 1"));
    let text = String::from_utf8(place.read("frumious.tune.toml")).expect("it is text");
    assert_eq!(text.contains("threads = 1\n"), cpus > 1, "{text}");
    place.succeed(&format!("{line} {cpus}"));
    let text = String::from_utf8(place.read("frumious.tune.toml")).expect("it is text");
    assert!(!text.contains("threads = "), "{text}");
}

#[test]
fn mistakes_are_told_before_anything_is_measured() {
    let place = Workplace::new();
    for (line, word) in [
        ("tune mul.zkey", "KEY WITNESS"),
        ("tune --only msm.colour", "msm.cache_bytes"),
        ("tune --grid", "--only"),
        ("tune mul.zkey mul.wtns --out mul.zkey", "mul.zkey"),
        ("tune mul.wtns mul.zkey", "mul.wtns"),
    ] {
        let ending = place.end_with(2, line);
        assert!(ending.stderr.contains(word), "{line}: {}", ending.stderr);
    }
    assert!(!place.names().contains(&"frumious.tune.toml".to_owned()));
}

/// A witness of another circuit, or of no inputs: the search ends as the proof does, and writes nothing.
#[test]
fn a_witness_that_is_wrong_ends_the_search() {
    let place = Workplace::new();
    place.write_squarings("four", 2); // as many wires as the multiplier has, and 3·9 is not 81
    place.write_squarings("five", 3);
    for (witness, code) in [("four", 1), ("five", 2)] {
        let line = format!("tune contributed.zkey {witness}.wtns --seconds 2");
        place.end_with(code, &line);
        assert!(!place.names().contains(&"frumious.tune.toml".to_owned()));
    }
}

/// The sums run side by side where each part of the key is one window, and one after another where it is not.
#[test]
fn more_threads_have_larger_windows() {
    let place = Workplace::new();
    place.write_squarings("many", 20_000);
    place.succeed("setup many.r1cs many.zkey --dev");
    let machine = machine(&place, frumious_limbs::backend::active().name());
    place.write("least.toml", file(&machine, |_, least, _| least));
    let proves = |threads: u32| {
        let line = format!(
            "prove many.zkey many.wtns proof{threads}.json public.json --force --no-zk --json --tuning least.toml"
        );
        let phases = place.succeed(&format!("{line} --threads {threads}")).json()["phases"].clone();
        phases.to_string()
    };
    let (two, four) = (proves(2), proves(4));
    assert!(two.contains("sum A") && !two.contains("sums"), "{two}");
    assert!(!four.contains("sum A") && four.contains("sums"), "{four}");
    assert_eq!(place.read("proof2.json"), place.read("proof4.json"));
    // A record plans for more threads than those on which the key was opened.
    let line = "bench trace many.zkey many.wtns --workers 2,4 --json --tuning least.toml";
    let trace = place.succeed(line).json();
    let [two, four] = [0, 1].map(|place| trace["workers"][place]["phases"].to_string());
    assert!(two.contains("sum A") && !two.contains("sums"), "{two}");
    assert!(!four.contains("sum A") && four.contains("sums"), "{four}");
}
