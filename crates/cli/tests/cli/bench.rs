//! `frumious bench`: that it measures, and writes what it says; not how fast anything is.

use super::support::Workplace;

#[test]
fn a_scan_is_told_in_three_forms() {
    let place = Workplace::new();
    let ending = place
        .succeed("bench msm-fixed --scan --quick --max-mib 4 --csv scan.csv --svg scan.svg --json");
    let result: serde_json::Value = serde_json::from_str(&ending.stdout).expect("JSON");
    assert_eq!(result["command"], "bench msm-fixed");
    let tables = result["tables"].as_array().expect("an array");
    let csv = String::from_utf8(place.read("scan.csv")).expect("text");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("table,bytes,build_us,n,additions,doublings,operations,time_us")
    );
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), tables.len() * 9, "a line for each length");
    // (23, 6): s = 11 bits of each of 256 points, 470 blocks; at most 470·23 additions and 22 doublings.
    let table = tables
        .iter()
        .find(|table| table["name"] == "t = 23, b = 6")
        .expect("it takes 2.7 MiB");
    let all = &table["commitments"][8];
    assert_eq!((&all["n"], &all["doublings"]), (&256.into(), &22.into()));
    let additions = all["additions"].as_u64().expect("a number");
    assert!((10_400..=470 * 23).contains(&additions), "{additions}");
    assert!(
        tables
            .iter()
            .all(|table| table["bytes"].as_u64() <= Some(4 << 20))
    );
    let svg = String::from_utf8(place.read("scan.svg")).expect("text");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("n = 256") && svg.contains("t = 23"));
}

#[test]
fn presets_are_measured_within_the_limit() {
    let place = Workplace::new();
    let ending = place.succeed("bench msm-fixed --quick --max-mib 5");
    assert!(ending.stdout.contains("verifier"), "{}", ending.stdout);
    assert!(!ending.stdout.contains("full"), "{}", ending.stdout);
}

#[test]
fn nothing_to_measure_is_bad_usage() {
    let place = Workplace::new();
    place.end_with(2, "bench msm-fixed --quick --max-mib 1");
    place.end_with(2, "bench msm-fixed --signed");
    place.end_with(2, "bench msm-fixed --scan --max-mib 0");
}

/// Numbers without bounds made the prediction panic, or a price of nothing.
#[test]
fn numbers_out_of_bounds_are_bad_usage() {
    let place = Workplace::new();
    for line in [
        "bench trace mul.zkey --workers 4 --times 1e300",
        "bench trace mul.zkey --workers 4 --bandwidth 1e-300",
        "bench trace mul.zkey --workers 4 --steal-us 1e300",
        "bench cost mul.r1cs mul.zkey mul.wtns --vcpus 2 --price 1e308",
        "demo rollup --transfers 1 --core-hour-price nan",
        "demo rollup --transfers 1 --core-hour-price=-1",
        "demo rollup --transfers 1 --core-hour-price 1e308",
    ] {
        let report = place.end_with(2, &format!("{line} --json")).json();
        assert_eq!(report["code"], "usage", "{line}");
        let error = report["error"].as_str().expect("a message");
        assert!(error.contains("a number from"), "{line}: {error}");
    }
    // The bounds themselves.
    for ends in [
        "--times 1000000 --bandwidth 0.001 --steal-us 1000000",
        "--times 0.000001 --bandwidth 1000000 --steal-us 0.000001",
    ] {
        let line = format!("bench trace contributed.zkey --workers 2,1024 --json {ends}");
        let report = place.succeed(&line).json();
        let row = &report["workers"][1];
        let predicted = row["predicted_seconds"].as_f64().expect("a number");
        assert!(predicted < 1e15, "{report}");
    }
}
