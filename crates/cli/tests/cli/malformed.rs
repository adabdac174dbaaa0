//! Bad files: exit code 2 and one line that names the file. `interop/` has hundreds of them; here is one of each kind.

use super::support::Workplace;

/// Commands with a place for the bad file, and the fixture whose bytes it is made of.
const USES: [(&str, &str); 14] = [
    ("prove BAD mul.wtns n.json s.json", "mul.zkey"),
    ("prove mul.zkey BAD n.json s.json", "mul.wtns"),
    (
        "fullprove BAD mul.wasm mul.zkey n.json s.json",
        "input.json",
    ),
    (
        "fullprove input.json BAD mul.zkey n.json s.json",
        "mul.wasm",
    ),
    (
        "fullprove input.json mul.wasm BAD n.json s.json",
        "mul.zkey",
    ),
    ("witness BAD input.json n.wtns", "mul.wasm"),
    ("witness mul.wasm BAD n.wtns", "input.json"),
    ("setup BAD pot2.ptau n.zkey", "mul.r1cs"),
    ("setup mul.r1cs BAD n.zkey", "pot2.ptau"),
    ("setup --dev BAD n.zkey", "mul.r1cs"),
    ("verify BAD public.json proof.json", "vkey.json"),
    ("verify vkey.json BAD proof.json", "public.json"),
    ("verify vkey.json public.json BAD", "proof.json"),
    ("export solidity BAD n.sol", "vkey.json"),
];

/// Runs every use with the bad file `name`; all must refuse it.
fn refused_everywhere(place: &Workplace, name: &str) {
    for (line, _) in USES {
        refused(place, &line.replace("BAD", name), name);
    }
    refused(place, &format!("inspect {name}"), name);
    refused(place, &format!("export vkey {name} n.json"), name);
}

fn refused(place: &Workplace, line: &str, name: &str) {
    let before = place.names();
    let ending = place.end_with(2, line);
    assert_eq!(ending.stdout, "", "{line}");
    // The warning of a development key comes first.
    let error = ending.stderr.lines().last().unwrap_or_default();
    assert!(
        error.starts_with("error: ") && error.contains(name),
        "{line}: {}",
        ending.stderr
    );
    let lines = ending
        .stderr
        .lines()
        .filter(|line| !line.starts_with("warning: "))
        .count();
    assert_eq!(lines, 1, "{line}: {}", ending.stderr);
    assert_eq!(place.names(), before, "{line}: files were left");
}

#[test]
fn what_is_no_file_of_any_kind() {
    let place = Workplace::new();
    place.write("empty", "");
    place.write("noise", [0x80; 1000]);
    place.write("text", "neither fish nor fowl");
    std::fs::create_dir(place.path("folder")).expect("it can be made");
    for name in ["empty", "noise", "text", "folder", "none"] {
        refused_everywhere(&place, name);
    }
}

#[test]
fn files_that_end_too_early() {
    let place = Workplace::new();
    for (line, fixture) in USES {
        let bytes = place.read(fixture);
        for length in [1, 4, 11, bytes.len() / 2, bytes.len() - 1] {
            place.write("short", &bytes[..length.min(bytes.len() - 1)]);
            refused(&place, &line.replace("BAD", "short"), "short");
        }
    }
}

/// A file with holes can be longer than all memory, and takes no place on the disk.
#[test]
fn files_longer_than_all_memory_are_refused() {
    // A system that promises any memory would have the file read to its end.
    let promises = std::fs::read_to_string("/proc/sys/vm/overcommit_memory");
    let place = Workplace::new();
    // Of a proof's kind, as far as that is looked at.
    let start = "{\"protocol\": \"groth16\", \"pi_a\": [\"".to_owned() + &"1".repeat(4 << 20);
    place.write("long.json", start);
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(place.path("long.json"));
    let longer = file.and_then(|file| file.set_len(8 << 40));
    if longer.is_err() || promises.is_ok_and(|mode| mode.trim() == "1") {
        eprintln!("skipped: no such file can be, or memory is promised without bound");
        return;
    }
    let ending = place.end_with(3, "verify vkey.json public.json long.json");
    let told = "error: long.json: out of memory\n";
    assert!(ending.stderr.ends_with(told), "{}", ending.stderr);
}

#[test]
fn files_of_another_kind() {
    let place = Workplace::new();
    let fixtures = [
        "mul.r1cs",
        "mul.wtns",
        "mul.zkey",
        "pot2.ptau",
        "mul.wasm",
        "vkey.json",
        "proof.json",
    ];
    for (line, right) in USES {
        for wrong in fixtures.into_iter().filter(|wrong| *wrong != right) {
            // A key is as good as its verification key for a contract.
            if line.starts_with("export solidity") && wrong == "mul.zkey" {
                continue;
            }
            let name = format!("wrong-{wrong}");
            place.write(&name, place.read(wrong));
            refused(&place, &line.replace("BAD", &name), &name);
        }
    }
}

#[test]
fn errors_name_section_and_byte() {
    let place = Workplace::new();
    let mut key = place.read("mul.zkey");
    let last = key.len() - 1;
    key.truncate(last);
    place.write("short.zkey", key);
    let ending = place.end_with(2, "prove short.zkey mul.wtns n.json s.json");
    for word in ["short.zkey", "section", "byte"] {
        assert!(ending.stderr.contains(word), "{}", ending.stderr);
    }
}

#[test]
fn a_witness_of_another_circuit() {
    let place = Workplace::new();
    let mut witness = place.read("mul.wtns");
    // One value more, in the count, in the length of section 2, and in the section.
    let (count_at, length_at) = (60, 68);
    witness[count_at] += 1;
    witness[length_at] += 32;
    witness.extend([0; 32]);
    place.write("longer.wtns", witness);
    let ending = place.end_with(2, "prove mul.zkey longer.wtns n.json s.json");
    assert!(ending.stderr.contains("longer.wtns"), "{}", ending.stderr);
    assert!(ending.stderr.contains("5 values"), "{}", ending.stderr);
}
