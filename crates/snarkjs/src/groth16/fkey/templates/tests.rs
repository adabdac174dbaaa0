//! Templates against the records they are made of, and against bytes that nobody would write.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::generic::Zkey;
use crate::groth16::fkey::encode::{push, push_step};
use crate::groth16::fkey::table::{ENTRY_BYTES, sign_fkey_for_tests};
use crate::groth16::fkey::tests::{assemble, bytes_of, round_trip, sections};
use crate::groth16::fkey::{Fkey, KeyCoefficients};
use crate::groth16::zkey::COEFFICIENT_BYTES;
use frumious_curves::Bn254;
use frumious_testing::field_suite::TestRng;

type Record = ([u32; 3], u8);

/// A key with these coefficients, each matrix, row, wire, and a byte for its value; points are not looked at.
fn key(records: &[Record], n_wires: u32, domain_size: u32) -> Vec<u8> {
    let mut sections = sections(&bytes_of("mul.zkey"));
    for (id, payload) in &mut sections {
        match id {
            2 => {
                for (place, n) in [n_wires, 1, domain_size].into_iter().enumerate() {
                    payload[72 + 4 * place..][..4].copy_from_slice(&n.to_le_bytes());
                }
            }
            4 => {
                payload.clear();
                payload.extend((records.len() as u32).to_le_bytes());
                for (fields, value) in records {
                    fields
                        .iter()
                        .for_each(|field| payload.extend(field.to_le_bytes()));
                    payload.extend([*value; 31]);
                    payload.push(0);
                }
            }
            5 | 6 => *payload = vec![0; 64 * n_wires as usize],
            7 => *payload = vec![0; 128 * n_wires as usize],
            8 => *payload = vec![0; 64 * (n_wires as usize - 2)],
            9 => *payload = vec![0; 64 * domain_size as usize],
            _ => {}
        }
    }
    assemble(&sections, &[])
}

/// Goes there and back, and reads all and some rows; returns whether they are stored as templates.
fn check(records: &[Record], n_wires: u32, domain_size: u32) -> bool {
    let zkey = key(records, n_wires, domain_size);
    let stored = round_trip::<Bn254>(&zkey);
    let zkey = Zkey::<Bn254>::from_bytes(zkey).unwrap();
    let fkey = Fkey::<Bn254>::from_bytes(stored).unwrap();
    let KeyCoefficients::Templates(rows) = fkey.coefficients() else {
        return false;
    };
    let all: Vec<Coefficient<_>> = zkey.coefficients().iter().map(Result::unwrap).collect();
    assert_eq!(rows.len(), all.len());
    assert_eq!(rows.is_empty(), all.is_empty());
    let n = rows.rows();
    assert_eq!(n, all.last().map_or(0, |last| last.row as usize + 1));
    let mut rng = TestRng::new(5);
    let mut ranges = vec![
        0..n,
        0..usize::MAX,
        0..0,
        n..n + 9,
        n - 1..n,
        n / 2..n,
        0..1,
    ];
    ranges.extend((0..50).map(|_| {
        let start = rng.below(n as u64) as usize;
        start..start + rng.below(70) as usize
    }));
    for range in ranges {
        let mut found = Vec::new();
        rows.for_each(range.clone(), |coefficient| {
            found.push(coefficient);
            Ok(())
        })
        .unwrap();
        let within = |this: &&Coefficient<_>| range.contains(&(this.row as usize));
        let expected: Vec<Coefficient<_>> = all.iter().filter(within).copied().collect();
        assert_eq!(found, expected, "{range:?}");
    }
    true
}

/// Rounds of a kind of cipher over wires of their own, each with inputs from anywhere, now and then rows without
/// coefficients.
fn rounds(n: u32, n_wires: u32) -> Vec<Record> {
    let mut rng = TestRng::new(3);
    let mut records = Vec::new();
    let mut row = 0;
    for round in 0..n {
        let input = rng.below(n_wires.into()) as u32;
        let first = 2 + round * 20 % (n_wires - 30);
        for step in 0..20 {
            records.push(([0, row, first + step], step as u8));
            records.push(([0, row, input], 7));
            if step % 3 == 1 {
                records.push(([0, row, 0], 9));
            }
            records.push(([1, row, first + step + 1], (step % 4) as u8));
            row += 1;
        }
        // An input to add, as linear constraints have neither A nor B.
        row += 2 + 3 * (round % 5);
    }
    records
}

#[test]
fn repeated_rows_are_stored_once_and_come_back() {
    for n in [3, 40, 250] {
        let records = rounds(n, 3000);
        assert!(check(&records, 3000, 1 << 13), "{n} rounds");
    }
    let stored = round_trip::<Bn254>(&key(&rounds(250, 3000), 3000, 1 << 13));
    let fkey = Fkey::<Bn254>::from_bytes(stored).unwrap();
    let KeyCoefficients::Templates(rows) = fkey.coefficients() else {
        panic!("there is much to find");
    };
    assert!(rows.n_templates() > 1);
    let per_coefficient = rows.stored_length() as f64 / rows.len() as f64;
    assert!(
        per_coefficient < 0.5,
        "{per_coefficient} bytes a coefficient"
    );
    assert!(rows.memory() < 10 * rows.stored_length());
}

/// One row many times, over the same wires, over others, over the last wire and the constant one.
#[test]
fn simple_repetitions() {
    let row = |row, wire| [([0, row, wire], 1), ([1, row, 999], 2), ([1, row, 0], 2)];
    for wire in [|_| 5, |row| row % 1000, |row| 999 - row % 1000] {
        let records: Vec<Record> = (0..2048).flat_map(|at| row(at, wire(at))).collect();
        assert!(check(&records, 1000, 2048));
    }
    // Only every hundredth row has any: rows without are not worth more.
    let records: Vec<Record> = (0..40).flat_map(|at| row(100 * at + 99, at)).collect();
    check(&records, 1000, 4096);
}

/// The format does not change unnoticed; the file is a seed of the fuzzer and of mutations too.
#[test]
fn the_file_in_the_repository_is_what_is_written() {
    let records = rounds(3, 60);
    assert!(check(&records, 60, 1 << 7));
    let stored = round_trip::<Bn254>(&key(&records, 60, 1 << 7));
    assert!(stored == bytes_of("templates.fkey"));
}

#[test]
fn nothing_to_find_is_stored_by_row() {
    assert!(!check(&[], 10, 16));
    assert!(!check(&[([0, 0, 9], 1)], 10, 16));
    check(&[([1, 15, 9], 1)], 10, 16);
    let mut rng = TestRng::new(8);
    let mut any = |row| {
        let wire = rng.below(1000) as u32;
        ([0, row, wire], rng.below(200) as u8)
    };
    let records: Vec<Record> = (0..2000).map(&mut any).collect();
    assert!(!check(&records, 1000, 2048));
    // More coefficients than readers take from templates.
    let records: Vec<Record> = (0..20_000).map(|k| ([0, k / 1250, 4], 1)).collect();
    assert!(!check(&records, 10, 16));
}

/// Code of integers, for a section of these numbers of rows, values and coefficients, read under these bounds.
struct Section4 {
    numbers: Vec<u32>,
    rows: u64,
    values: u64,
    coefficients: u64,
    n_wires: u32,
}

impl Section4 {
    /// Rows of one coefficient, of the value of number 0.
    fn of(numbers: &[u32], rows: u64) -> Self {
        Self {
            numbers: numbers.to_vec(),
            rows,
            values: 1,
            coefficients: rows,
            n_wires: 10,
        }
    }

    fn read(&self) -> Result<TemplateRows<Bn254>, String> {
        let mut code = Vec::new();
        self.numbers
            .iter()
            .for_each(|number| push(&mut code, *number));
        self.read_code(code, &vec![1; 32 * self.values as usize])
    }

    fn read_code(&self, mut bytes: Vec<u8>, values: &[u8]) -> Result<TemplateRows<Bn254>, String> {
        bytes.extend(values);
        let zkey = Zkey::<Bn254>::from_bytes(bytes_of("mul.zkey")).unwrap();
        let mut header = *zkey.header();
        (header.n_wires, header.domain_size) = (self.n_wires, 1 << 20);
        let entry = crate::groth16::fkey::table::Entry {
            section: 4,
            encoding: crate::groth16::fkey::table::Encoding::Templates,
            zkey_length: 4 + COEFFICIENT_BYTES as u64 * self.coefficients,
            offset: 1000,
            length: bytes.len() as u64,
            n: self.rows,
            m: self.values,
        };
        let section = frumious_circom::container::Section {
            file: frumious_circom::FileKind::Fkey,
            id: 4,
            offset: 1000,
            bytes: &bytes,
        };
        TemplateRows::read(section, &entry, &header).map_err(|error| error.to_string())
    }

    fn expect_error(&self, text: &str) {
        let error = self.read().map(|_| ()).unwrap_err();
        assert!(error.contains(text), "{error}");
        let place = "fkey file, section 4 (coefficients), byte 1";
        assert!(error.starts_with(place), "{error}");
    }
}

/// The step to a wire that is so much further.
fn up(by: u32) -> u32 {
    let mut code = Vec::new();
    push_step(&mut code, 0, by);
    assert_eq!(code.len(), 1);
    code[0].into()
}

/// A row with the wire of one step.
fn row(step: u32) -> [u32; 4] {
    [3, 0, 0, step]
}

fn numbers(parts: &[&[u32]]) -> Vec<u32> {
    parts.concat()
}

#[test]
fn what_is_written_by_hand_is_read() {
    // A template with a port and two wires of its own; three instances, the second of which is in another template,
    // whose port is the first of its own.
    let inner = numbers(&[&[1, 3], &row(up(1)), &row(up(1)), &row(up(1))]);
    let outer = numbers(&[&[1, 2], &row(0), &[0, up(1), 0]]);
    let whole = numbers(&[
        &[0, 4],
        &[0, up(2), up(4)],
        &[2, 1],
        &[1, 0, 5],
        &row(up(4)),
    ]);
    let section = Section4 {
        coefficients: 8,
        ..Section4::of(&numbers(&[&[2], &inner, &outer, &whole]), 13)
    };
    let rows = section.read().unwrap();
    let mut wires = Vec::new();
    rows.for_each(0..13, |coefficient| {
        assert_eq!(coefficient.matrix, Matrix::A);
        wires.push((coefficient.row, coefficient.wire));
        Ok(())
    })
    .unwrap();
    // The port is wire 6 in the first instance, own wires are 2 and 3; then all are from wire 5 on, that of the outer
    // instance's port.
    let expected = [
        (0, 6),
        (1, 2),
        (2, 3),
        (3, 0),
        (4, 5),
        (5, 5),
        (6, 6),
        (12, 9),
    ];
    assert_eq!(wires, expected);
    assert_eq!(rows.n_templates(), 2);
    // With one wire fewer, the last row's is none.
    Section4 {
        n_wires: 9,
        ..section
    }
    .expect_error("wire 9 is not below 9");
}

#[test]
fn templates_in_circles_are_refused() {
    // An instance of itself, of a later one, of one that is none.
    for template in [0, 1, 7, (1 << 31) - 1] {
        let whole = numbers(&[&[0, 1], &[2 * template]]);
        let code = numbers(&[&[1], &[0, 2], &row(0), &[2 * template], &whole]);
        Section4::of(&code, 4).expect_error(&format!("template {template} is not below 0"));
    }
}

/// 2^k rows in k steps, and as many as 32 bits cannot count; without rows each would take as many steps.
#[test]
fn chains_of_doublings_are_bounded_by_the_table() {
    let chain = |bottom: &[u32], k: usize| {
        let double = |template: usize| [0, 2, 2 * template as u32, 2 * template as u32];
        let mut code = vec![1 + k as u32];
        code.extend(bottom);
        (0..k).for_each(|template| code.extend(double(template)));
        code.extend([0, 1, 2 * k as u32]);
        code
    };
    let one_row = numbers(&[&[0, 1], &row(0)]);
    let rows = Section4::of(&chain(&one_row, 20), 1 << 20).read().unwrap();
    let mut count = 0;
    rows.for_each(0..1 << 20, |coefficient| {
        assert_eq!((coefficient.row, coefficient.wire), (count, 0));
        count += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(count, 1 << 20);
    for k in [20, 21, 40, 63] {
        let section = Section4::of(&chain(&one_row, k), (1 << 20) - 1);
        section.expect_error("number of rows 1048576 is not below 1048576");
    }
    Section4::of(&chain(&[0, 0], 40), 1).expect_error("there are 0 rows of a template");
    // Rows without coefficients count too.
    let empty = [0, 1, 1, 0, u32::MAX];
    Section4::of(&chain(&empty, 3), 9).expect_error("number of rows 4294967295 is not below 10");
}

/// Each way to a row would take as many steps as there are ports in all templates around it.
#[test]
fn ports_handed_on_from_template_to_template_are_bounded() {
    let ports = 1_u32 << 16;
    let steps = vec![up(1); ports as usize];
    for (templates, is_good) in [(15, true), (16, false)] {
        let mut code = vec![templates, ports, 1, 1 + 2 * ports, 0];
        steps.iter().for_each(|step| code.extend([0, *step]));
        for template in 1..templates {
            code.extend([ports, 1, 2 * (template - 1)]);
            code.extend(&steps);
        }
        code.extend([0, 1, 2 * (templates - 1)]);
        code.extend(&steps);
        let section = Section4 {
            rows: 1,
            coefficients: ports.into(),
            n_wires: ports + 1,
            ..Section4::of(&code, 1)
        };
        match is_good {
            true => {
                let mut wires = 1..;
                let read = section.read().unwrap();
                assert!(read.memory() > 4 * 15 * ports as usize);
                read.for_each(0..1, |coefficient| {
                    assert_eq!(Some(coefficient.wire), wires.next());
                    Ok(())
                })
                .unwrap();
                assert_eq!(wires.next(), Some(1 + ports));
            }
            false => section.expect_error("number of ports of templates in each other 1048592"),
        }
    }
}

#[test]
fn templates_are_nested_so_deep() {
    for (depth, is_good) in [(64, true), (65, false), (3000, false)] {
        let mut code = vec![depth];
        code.extend(numbers(&[&[0, 1], &row(0)]));
        (1..depth).for_each(|template| code.extend([0, 1, 2 * (template - 1)]));
        code.extend([0, 1, 2 * (depth - 1)]);
        let section = Section4::of(&code, 1);
        match is_good {
            true => assert_eq!(section.read().unwrap().n_templates(), depth as usize),
            false => section.expect_error("depth of templates 65 is not below 65"),
        }
    }
}

#[test]
fn wires_and_values_that_are_none_are_refused() {
    let whole = |step| numbers(&[&[0, 0, 1], &row(step)]);
    assert!(Section4::of(&whole(up(9)), 1).read().is_ok());
    Section4::of(&whole(up(10)), 1).expect_error("wire 10 is not below 10");
    Section4::of(&whole(1), 1).expect_error("wire 4294967295 is not below 10");
    Section4::of(&[0, 0, 1, 3, 0, 1, 0], 1).expect_error("number of a value 1 is not below 1");
    // Of the wires of an instance: own ones from one that leaves no room, of a template, of a port, of a template in
    // it.
    let two_own = numbers(&[&[0, 2], &row(up(1)), &row(up(1))]);
    let passes = [0, 1, 0, up(3)]; // from its third wire on
    let port = [1, 1, 0, up(1)];
    for (template, within, instance, is_good) in [
        (0, None, [0, 1, 0, up(8)].to_vec(), true),
        (0, None, [0, 1, 0, up(9)].to_vec(), false),
        (0, Some(&passes), [0, 1, 2, up(6)].to_vec(), true),
        (0, Some(&passes), [0, 1, 2, up(7)].to_vec(), false),
        (0, Some(&port), [0, 1, 2, up(8)].to_vec(), true),
        (0, Some(&port), [0, 1, 2, up(9)].to_vec(), false),
    ] {
        let within: &[u32] = within.map_or(&[], |within| within);
        let count = 1 + u32::from(!within.is_empty());
        let code = numbers(&[&[count], &two_own, within, &instance]);
        let section = Section4::of(&code, 2);
        match is_good {
            true => assert!(section.read().is_ok(), "{template} {instance:?}"),
            false => section.expect_error("wire 10 is not below 10"),
        }
    }
    // Wires at the very end of what 32 bits count.
    let code = numbers(&[&[1], &[0, 1], &row(u32::MAX - 1), &[0, 1, 0, up(1)]]);
    Section4::of(&code, 1).expect_error("wire 2147483646 is not below 10");
    // A value that is the modulus or more.
    let good = Section4::of(&whole(0), 1);
    let mut code = Vec::new();
    good.numbers
        .iter()
        .for_each(|number| push(&mut code, *number));
    let error = good.read_code(code, &[0xff; 32]).unwrap_err();
    assert!(
        error.ends_with("byte 1007: the number is not below the modulus"),
        "{error}"
    );
}

#[test]
fn counts_that_do_not_fit_are_refused() {
    let whole = numbers(&[&[0, 0, 2], &row(0), &row(0)]);
    assert!(Section4::of(&whole, 2).read().is_ok());
    Section4::of(&whole, 1).expect_error("number of rows 2 is not below 2");
    Section4::of(&whole, 3).expect_error("there are 2 rows where there should be 3");
    let section = |coefficients| Section4 {
        coefficients,
        ..Section4::of(&whole, 2)
    };
    section(1).expect_error("number of coefficients 2 is not below 2");
    section(3).expect_error("there are 2 coefficients where there should be 3");
    section((64 << 20) + 1).expect_error("number of coefficients 67108865 is not below 67108865");
    let longer = numbers(&[&whole, &[0]]);
    Section4::of(&longer, 2).expect_error("has 12 bytes where the header's counts need 11");
    Section4::of(&whole[..8], 2).expect_error("1 bytes are needed");
    // Ports: of the whole, of a template that does not name them all, more than the file has bytes.
    Section4::of(&[0, 1, 0], 1).expect_error("number of ports 1 is not below 1");
    let code = numbers(&[&[1], &[2, 1], &row(up(1)), &[0, 1, 0, 0, 0]]);
    Section4::of(&code, 1).expect_error("port 2 is not below 2");
    Section4::of(&[1, u32::MAX, 1], 1).expect_error("number of ports 4294967295 is not below");
    // Numbers of templates, items, coefficients of a row that are not there.
    Section4::of(&[u32::MAX], 1).expect_error("1 bytes are needed");
    Section4::of(&[0, 0, u32::MAX], 1).expect_error("1 bytes are needed");
    Section4::of(&[0, 0, 1, u32::MAX, u32::MAX], 1)
        .expect_error("number of coefficients 6442450942 is not below 2");
    Section4::of(&[0, 0, 1, 1, 0, 0], 1).expect_error("there are 0 rows where there should be 1");
    let many = |rows, values| Section4 {
        values,
        ..Section4::of(&whole, rows)
    };
    many((1 << 20) + 1, 1).expect_error("number of rows 1048577 is not below 1048577");
    many(2, 4).expect_error("number of values 4 is not below 3");
}

/// With digests that fit: an error that says where, or a key that gives as many coefficients as the table says.
#[test]
fn changed_bytes_are_refused_or_give_no_more_than_the_table_says() {
    let good = round_trip::<Bn254>(&key(&rounds(3, 300), 300, 1 << 7));
    let fkey = Fkey::<Bn254>::from_bytes(good.clone()).unwrap();
    let KeyCoefficients::Templates(rows) = fkey.coefficients() else {
        panic!("there is much to find");
    };
    let start = fkey.section_offset(4) as usize;
    let entry = good.len() - 64 - 32 * fkey.blocks() - 8 * ENTRY_BYTES;
    let mut refused = 0;
    let places = (start..start + rows.stored_length()).chain(entry..good.len() - 40);
    for place in places {
        for value in [0x01, 0x02, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[place] ^= value;
            sign_fkey_for_tests(&mut bad);
            match Fkey::<Bn254>::from_bytes(bad) {
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with("fkey file, "), "{error}");
                    assert!(error.contains("byte"), "{error}");
                    refused += 1;
                }
                Ok(fkey) => {
                    let mut count = 0;
                    let wires = fkey.header().n_wires;
                    if let KeyCoefficients::Templates(rows) = fkey.coefficients() {
                        rows.for_each(0..usize::MAX, |coefficient| {
                            assert!(coefficient.wire < wires);
                            count += 1;
                            Ok(())
                        })
                        .unwrap();
                        assert_eq!(count, rows.len());
                    }
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
    // Cut off anywhere: by what the table says of its length.
    let length_of = |length: u64| {
        let mut bad = good.clone();
        let entry = (entry..good.len())
            .step_by(ENTRY_BYTES)
            .find(|at| good[*at..at + 8] == [4, 0, 0, 0, 4, 0, 0, 0]);
        bad[entry.unwrap() + 24..][..8].copy_from_slice(&length.to_le_bytes());
        sign_fkey_for_tests(&mut bad);
        Fkey::<Bn254>::from_bytes(bad)
    };
    assert!(length_of(rows.stored_length() as u64).is_ok());
    for length in 0..rows.stored_length() as u64 {
        assert!(length_of(length).is_err(), "{length}");
    }
}
