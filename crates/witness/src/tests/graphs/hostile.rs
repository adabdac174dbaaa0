//! Bytes that are no graph: an error, in time and memory that follow from their number.

use serde_json::json;

use super::writer::{File, constant, node, part, varint};
use crate::tests::given;
use crate::{BadGraph, Graph};

fn refused(bytes: &[u8]) -> BadGraph {
    match Graph::from_bytes(bytes, 1 << 20) {
        Ok(graph) => panic!("it is taken, with {} nodes", graph.len()),
        Err(bad) => bad,
    }
}

#[test]
fn references_are_to_earlier_nodes() {
    for (kind, fields) in [
        (4, vec![0, 1, 3]),     // itself
        (4, vec![0, 4, 1]),     // the next one
        (3, vec![0, u32::MAX]), // none
        (5, vec![0, 1, 2, 3]),
    ] {
        let bad = refused(&File::of_two().with(node(kind, &fields)).bytes());
        assert!(bad.problem.contains("earlier"), "{bad}");
    }
    let mut file = File::of_two();
    file.wires.push(3);
    assert!(refused(&file.bytes()).problem.contains("wire"));
}

#[test]
fn counts_do_not_allocate() {
    let good = File::of_two().bytes();
    for count in [u64::MAX, 1 << 60, 1 << 32, 4, 0] {
        let mut bytes = good.clone();
        bytes[14..22].copy_from_slice(&count.to_le_bytes());
        refused(&bytes);
    }
    // A length beyond the file, in place of the first node's.
    for length in [u64::MAX, 1 << 40, 1 << 20] {
        let mut bytes = good[..22].to_vec();
        varint(&mut bytes, length);
        bytes.extend(&good[23..]);
        refused(&bytes);
    }
    // Lists of circom-witness-rs.
    for count in [u64::MAX, 1 << 60, 1 << 40, 1 << 31] {
        let mut bytes = Vec::new();
        varint(&mut bytes, count);
        bytes.extend([0; 100]);
        refused(&bytes);
    }
}

#[test]
fn metadata_are_in_the_file() {
    let good = File::of_two().bytes();
    let end = good.len() - 8;
    for offset in [
        0,
        14,
        21,
        end as u64 - 1,
        end as u64,
        good.len() as u64,
        u64::MAX,
    ] {
        let mut bytes = good.clone();
        bytes[end..].copy_from_slice(&offset.to_le_bytes());
        refused(&bytes);
    }
}

#[test]
fn inputs_are_apart_and_in_bounds() {
    for inputs in [
        vec![("a", 1, 2), ("b", 2, 1)],
        vec![("a", 0, 1), ("b", 2, 1)],
        vec![("a", 1, 1), ("a", 2, 1)],
        vec![("a", 1, 1), ("b", 2, u32::MAX)],
        vec![("a", 1, 1), ("b", u32::MAX, 1)],
        vec![("a", 1, 1)], // and place 2 is nobody's
    ] {
        let mut file = File::of_two();
        file.inputs = inputs.clone();
        let bad = refused(&file.bytes());
        assert!(bad.problem.contains("input"), "{inputs:?}: {bad}");
    }
}

#[test]
fn constants_are_below_the_prime() {
    for bytes in [[0xff; 32].to_vec(), vec![1; 33]] {
        refused(&File::of_two().with(constant(&bytes)).bytes());
    }
    let padded = [[7].as_slice(), &[0; 40]].concat();
    let file = File::of_two().with(constant(&padded));
    assert!(Graph::from_bytes(&file.bytes(), 0).is_ok());
}

#[test]
fn unknown_parts_are_refused() {
    for broken in [
        node(6, &[1]),
        node(3, &[5, 1]),
        node(4, &[20, 1, 2]),
        node(5, &[1, 1, 1, 1]),
        node(4, &[0, 1, 1, 1]), // a fourth field
        Vec::new(),
        [node(1, &[1]), node(1, &[1])].concat(),
        vec![0x0d, 1, 2, 3, 4], // four bytes in place of a number
    ] {
        refused(&File::of_two().with(broken).bytes());
    }
    let mut later = File::of_two().bytes();
    later[13] = b'9';
    assert!(refused(&later).problem.contains("version"));
    for version in [3, 5] {
        let bytes = [b"CWGR", [version].as_slice(), b"PZ\0", &[0; 40]].concat();
        assert!(refused(&bytes).problem.contains("version"));
    }
}

/// Buses that hold themselves, or two of the next each.
#[test]
fn buses_end() {
    let word = |out: &mut Vec<u8>, word: u32| out.extend(word.to_le_bytes());
    let mut described = Vec::new();
    word(&mut described, 1);
    word(&mut described, 1);
    described.push(b'a');
    word(&mut described, 1);
    word(&mut described, 0);
    described.push(1);
    word(&mut described, 1);
    described.push(b'B');
    for next in [[0, 0], [1, 1]] {
        let mut described = described.clone();
        word(&mut described, 40);
        for bus in 0..40 {
            word(&mut described, 1);
            described.push(b'B' + bus as u8);
            word(&mut described, 2);
            for (field, next) in next.iter().enumerate() {
                word(&mut described, 1);
                described.push(b'x' + field as u8);
                described.push(1);
                word(&mut described, (next * (bus + 1)).min(39));
                described.extend([0; 8]);
                word(&mut described, 0);
            }
        }
        let mut file = File::of_two();
        file.second = true;
        file.inputs.clear();
        file.described = described;
        assert!(refused(&file.bytes()).problem.contains("buses"));
    }
}

/// A file of the second version with one signal, an array of 2^18 buses, whose field has this name and these lengths.
fn of_many_buses(name: &str, lengths: &[u32]) -> Vec<u8> {
    let word = |out: &mut Vec<u8>, word: u32| out.extend(word.to_le_bytes());
    let text = |out: &mut Vec<u8>, text: &str| {
        word(out, text.len() as u32);
        out.extend(text.as_bytes());
    };
    let mut described = Vec::new();
    word(&mut described, 1);
    text(&mut described, "a");
    for number in [0, 1, 1 << 18] {
        word(&mut described, number); // offset, number of lengths, length
    }
    described.push(1);
    text(&mut described, "B");
    word(&mut described, 1);
    text(&mut described, "B");
    word(&mut described, 1);
    text(&mut described, name);
    described.extend([0; 9]); // no bus
    word(&mut described, lengths.len() as u32);
    lengths
        .iter()
        .for_each(|length| word(&mut described, *length));
    let mut file = File::of_two();
    file.second = true;
    file.inputs.clear();
    file.described = described;
    file.bytes()
}

/// Each would take many minutes, if a name or a length cost nothing.
#[test]
fn long_names_and_lengths_in_buses_end() {
    let bad = refused(&of_many_buses(&"x".repeat(1 << 22), &[]));
    assert!(bad.problem.contains("too long"), "{bad}");
    let bad = refused(&of_many_buses("x", &[1; 1 << 20]));
    assert!(bad.problem.contains("too long"), "{bad}");
    // Its nodes name places that its signals do not have.
    let bad = refused(&of_many_buses("x", &[0]));
    assert!(!bad.problem.contains("buses"), "{bad}");
}

/// Each signal names the last of all buses: to compare with each would take minutes.
#[test]
fn buses_are_found_at_once() {
    const COUNT: u32 = 1 << 18;
    let word = |out: &mut Vec<u8>, word: u32| out.extend(word.to_le_bytes());
    let mut described = Vec::new();
    word(&mut described, COUNT);
    for _ in 0..COUNT {
        described.extend([0; 12]); // no name, offset, no lengths
        described.push(1);
        word(&mut described, 4);
        word(&mut described, 0);
    }
    word(&mut described, COUNT);
    for number in (0..COUNT).rev() {
        word(&mut described, 4);
        let text = [number, number >> 7, number >> 14, 0].map(|part| (part % 128) as u8);
        described.extend(text); // the last is zero
        word(&mut described, 0);
    }
    let mut file = File::of_two();
    file.second = true;
    file.inputs.clear();
    file.described = described;
    assert!(refused(&file.bytes()).problem.contains("input"));
}

#[test]
fn a_decompression_bomb_is_stopped() {
    let zeros = vec![0; 64 << 20];
    let compressed =
        ruzstd::encoding::compress_to_vec(&zeros[..], ruzstd::encoding::CompressionLevel::Fastest);
    assert!(compressed.len() < 1 << 20);
    let bytes = [b"CWGR\x04PZ\0".as_slice(), &compressed].concat();
    let bad = refused(&bytes);
    assert!(bad.problem.contains("decompressed"), "{bad}");
}

/// A file of circom-witness-rs 0.5: a constant, then copies of one instruction. Its only sum has four terms.
fn of_instructions(instruction: &[u8], count: u64) -> Vec<u8> {
    let mut program = vec![1]; // coefficients
    program.extend([7; 32].map(|byte| byte & 1));
    varint(&mut program, 1 + count);
    program.extend([1, 0]);
    (0..count).for_each(|_| program.extend(instruction));
    program.extend([0, 1]); // sums of three, of four
    program.extend([0; 8]);
    program.extend([0; 4]);
    program.extend([1, 0]); // wires
    program.extend([0; 2]);
    varint(&mut program, 1 + count);
    program.extend([0; 3]);
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let compressed = ruzstd::encoding::compress_to_vec(&program[..], level);
    [b"CWGR\x04PZ\0".as_slice(), &compressed].concat()
}

/// An instruction of two bytes becomes eleven nodes, or is itself eight times as large in memory.
#[test]
fn instructions_take_no_more_memory_than_is_allowed() {
    const SUM_OF_FOUR: &[u8] = &[9, 0];
    const COPY: &[u8] = &[14, 0, 0];
    for instruction in [SUM_OF_FOUR, COPY] {
        let graph = Graph::from_bytes(&of_instructions(instruction, 100), 1 << 20);
        assert!(graph.is_ok(), "{:?}", graph.map(|graph| graph.len()));
    }
    for (instruction, count) in [(SUM_OF_FOUR, 1000), (COPY, 100_000)] {
        let bad = refused(&of_instructions(instruction, count));
        assert!(bad.problem.contains("memory"), "{bad}");
    }
}

/// Every byte of a good file, changed in each of its bits, and every length.
#[test]
fn every_byte_is_changed_and_cut() {
    let file = File::of_two()
        .with(constant(&[200, 1]))
        .with(node(4, &[1, 1, 3]))
        .with(node(5, &[0, 2, 3, 4]));
    let mut second = file.clone();
    second.second = true;
    second.described = vec![
        1, 0, 0, 0, 1, 0, 0, 0, b'a', 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    second.inputs.clear();
    for file in [file, second] {
        let good = file.bytes();
        let run = |bytes: &[u8]| {
            if let Ok(graph) = Graph::from_bytes(bytes, 1 << 20) {
                let inputs = given(&json!({"a": 1, "b": 2}));
                let _ =
                    graph.record_over::<frumious_curves::Bn254>(&inputs, crate::Limits::default());
            }
        };
        for at in 0..good.len() {
            run(&good[..at]);
            for bit in 0..8 {
                let mut bytes = good.clone();
                bytes[at] ^= 1 << bit;
                run(&bytes);
            }
        }
        let mut longer = good.clone();
        part(&mut longer, 1, &[0]);
        refused(&longer);
    }
}
