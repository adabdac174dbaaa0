//! `frumious doctor`: that it tells what there is, and computes the same on every backend; not how fast anything is.

use frumious_limbs::Backend;

use super::support::Workplace;

fn supported() -> Vec<&'static str> {
    let supported = |backend: &Backend| backend.is_supported();
    Backend::ALL
        .into_iter()
        .filter(supported)
        .map(Backend::name)
        .collect()
}

#[test]
fn every_backend_is_told_of_and_tested() {
    let place = Workplace::new();
    let report = place.succeed("doctor --seconds 1 --json").json();
    assert_eq!(report["command"], "doctor");
    assert_eq!(report["backends"], serde_json::json!(supported()));
    let features = report["features"].as_object().expect("an object");
    for backend in [
        ("adx", "adx"),
        ("avx2fma", "avx2"),
        ("avx2fma", "fma"),
        ("avx512ifma", "avx512ifma"),
    ] {
        let (name, feature) = backend;
        if supported().contains(&name) {
            assert_eq!(features[feature], true, "{name} without {feature}");
        }
    }
    let rows = report["self_test"].as_array().expect("an array");
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!(row["same"], true, "{row}");
        let times = row["seconds"].as_object().expect("an object");
        assert_eq!(times.len(), supported().len(), "{row}");
        assert!(
            times.values().all(|time| time.as_f64() > Some(0.0)),
            "{row}"
        );
        let ratios = row["ratios"].as_array().expect("an array");
        assert_eq!(
            ratios.len(),
            supported().len() - 1,
            "each against the one it builds on: {row}"
        );
    }
}

#[test]
fn the_backend_in_use_is_the_one_that_was_asked_for() {
    let place = Workplace::new();
    let line = "doctor --seconds 1 --threads 3";
    let ending = place.run_with(line, &[("FRUMIOUS_BACKEND", "portable")]);
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
    for expected in [
        "portable, as FRUMIOUS_BACKEND says",
        "3 on ",
        "OK: all results are the same on every backend",
    ] {
        assert!(ending.stdout.contains(expected), "{}", ending.stdout);
    }
    let ending = place.run_with(line, &[("FRUMIOUS_BACKEND", "abacus")]);
    assert_eq!(ending.code, Some(2));
    place.end_with(2, "doctor --seconds 0");
}
