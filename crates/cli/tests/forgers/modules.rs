//! Witness generators that were made to harm: by running, and by being compiled.

use std::time::{Duration, Instant};

use super::support::Workplace;

#[test]
fn inspecting_a_module_runs_nothing_of_it() {
    let place = Workplace::new();
    let forever = "(loop $again (br $again))";
    let text = format!(
        "(module (memory 65536) (func $start {forever}) (start $start)
           (func (export \"getVersion\") (result i32) {forever} (i32.const 2))
           (func (export \"getWitnessSize\") (result i32) (i32.const -1)))"
    );
    place.write(
        "endless.wasm",
        wat::parse_str(text).expect("the text is right"),
    );
    let start = Instant::now();
    let found = place.succeed("inspect --json endless.wasm").json();
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(found["wires"], u64::from(u32::MAX));
    assert_eq!(
        (found["functions"].as_u64(), found["exports"].as_u64()),
        (Some(3), Some(2))
    );
    assert!(found.get("circom_version").is_none() && found.get("curve").is_none());

    let found = place.succeed("inspect --json mul.wasm").json();
    assert_eq!(
        (found["circom_version"].as_str(), found["curve"].as_str()),
        (Some("2"), Some("bn128"))
    );
    assert_eq!(
        (found["input_values"].as_u64(), found["wires"].as_u64()),
        (Some(2), Some(4))
    );
    let module = place.read("mul.wasm");
    for length in [4, 8, 20, module.len() / 2, module.len() - 1] {
        place.write("cut.wasm", &module[..length]);
        let ending = place.run("inspect cut.wasm");
        // The header alone is a module, of nothing.
        let expected = if length == 8 { 0 } else { 2 };
        assert_eq!(ending.code, Some(expected), "{length}: {}", ending.stderr);
    }
}

/// A module of one function, without imports and exports, from the function's locals and code.
fn module(types: &[Vec<u8>], locals: u32, code: &[u8]) -> Vec<u8> {
    let function = match locals {
        0 => [&[0][..], code, &[END]].concat(),
        _ => [&[1][..], &number(locals), &[I32], code, &[END]].concat(),
    };
    let types = [number(types.len() as u32), types.concat()].concat();
    let code = [vec![1], number(function.len() as u32), function].concat();
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    for (id, bytes) in [(1, types), (3, vec![1, 0]), (10, code)] {
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

/// Loops within loops, and every local changed in the innermost: each loop has all locals as parameters, which is a
/// million values.
fn nested_loops(loops: u32, locals: u32) -> Vec<u8> {
    let mut code = [0x03, 0x40].repeat(loops as usize);
    for local in 0..locals {
        code.push(0x20); // local.get
        code.extend(number(local));
        code.extend([0x41, 1, 0x6a, 0x21]); // add 1, local.set
        code.extend(number(local));
    }
    code.extend([0x41, 0, 0x0d, 0, END].repeat(loops as usize)); // br_if 0
    module(&[vec![0x60, 0, 0]], locals, &code)
}

/// A jump out of any of nested blocks, each of which has the same many results.
fn wide_jumps(blocks: u32, results: u32) -> Vec<u8> {
    let block = [
        vec![0x60, 0],
        number(results),
        [I32].repeat(results as usize),
    ]
    .concat();
    let mut code = [0x02, 1].repeat(blocks as usize);
    code.extend([0x41, 0].repeat(results as usize + 1)); // zeros, and the index
    code.push(0x0e); // br_table
    code.extend(number(blocks - 1));
    code.extend((0..blocks).flat_map(number));
    code.extend([END].repeat(blocks as usize));
    code.extend([0x1a].repeat(results as usize)); // drop
    module(&[vec![0x60, 0, 0], block], 0, &code)
}

const I32: u8 = 0x7f;
const END: u8 = 0x0b;

/// A compiler takes minutes and gigabytes for them. They are read and translated for an interpreter, in proportion to
/// their bytes.
#[cfg(target_os = "linux")]
#[test]
fn modules_made_to_be_slow_or_large_to_translate_are_neither() {
    let place = Workplace::new();
    let mut seen = 0;
    for (name, bomb) in [
        ("small loops", nested_loops(3, 3)),
        ("small jumps", wide_jumps(3, 3)),
        ("loops", nested_loops(600, 600)),
        ("more loops", nested_loops(1000, 1000)),
        ("jumps", wide_jumps(1000, 1000)),
    ] {
        assert!(bomb.len() < 20_000, "{name}: {} bytes", bomb.len());
        place.write("bomb.wasm", bomb);
        for line in [
            "witness bomb.wasm input.json n.wtns --wasm-memory 16 --wasm-time 10",
            "fullprove input.json bomb.wasm mul.zkey p.json s.json --wasm-memory 16 --wasm-time 10",
        ] {
            let start = Instant::now();
            let (ending, most) = watched(&place, line);
            assert!(start.elapsed() < Duration::from_secs(20), "{name}");
            assert_eq!(ending.status.code(), Some(2), "{name}");
            let stderr = String::from_utf8_lossy(&ending.stderr).into_owned();
            // Either it is no witness generator, or it was refused the memory.
            let expected = [
                "it has no function getVersion",
                "translating the module takes more than",
            ];
            let is_told = expected.iter().any(|told| stderr.contains(told));
            assert!(is_told, "{name}: {stderr}");
            assert!(most < 200 << 20, "{name}: {most} bytes");
            seen = seen.max(most);
        }
    }
    // Some end before they are looked at, but not all.
    assert!(seen > 1 << 20, "nothing was seen");
}

/// The output of a command, and the most memory that it and its children had.
#[cfg(target_os = "linux")]
fn watched(place: &Workplace, line: &str) -> (std::process::Output, u64) {
    use std::process::{Command, Stdio};
    let mut command = Command::new(env!("CARGO_BIN_EXE_frumious"))
        .args(line.split(' '))
        .current_dir(place.path("."))
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut most = 0;
    while command.try_wait().expect("it can be asked").is_none() {
        most = most.max(memory_of_family(command.id()));
        std::thread::sleep(Duration::from_millis(1));
    }
    (command.wait_with_output().expect("it has ended"), most)
}

/// Private bytes that a process and its children have.
#[cfg(target_os = "linux")]
fn memory_of_family(parent: u32) -> u64 {
    let field = |status: &str, name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    };
    let entries = std::fs::read_dir("/proc").expect("it is there").flatten();
    let statuses = entries.filter_map(|entry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
        let is_child = field(&status, "PPid:") == Some(parent.into());
        (number == parent || is_child).then_some(status)
    });
    statuses
        .filter_map(|status| field(&status, "RssAnon:"))
        .sum::<u64>()
        << 10
}
