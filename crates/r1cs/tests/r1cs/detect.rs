//! Templates found in flat systems: the same constraints, in less memory.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::{bits, poseidon};
use frumious_r1cs::{
    BodyBuilder, Circuit, Content, Interface, LinearCombination, Names, Part, System,
    SystemBuilder, Wire,
};
use frumious_testing::field_suite::TestRng;

type Terms = Vec<(u32, Fr)>;
type Rows = Vec<[Terms; 3]>;

fn rows(system: &System<Fr>) -> Rows {
    let mut rows = Vec::new();
    system.for_each_row(0..system.n_constraints(), |number, row| {
        assert_eq!(number, rows.len() as u64);
        rows.push([row.a, row.b, row.c].map(|terms| {
            let value = |number| *system.pool().value(number);
            terms
                .iter()
                .map(|term| (term.wire, value(term.coefficient)))
                .collect()
        }));
    });
    rows
}

/// A system without templates.
fn flat(rows: &Rows, n_wires: u32) -> System<Fr> {
    let mut builder = SystemBuilder::new();
    let mut main = BodyBuilder::main();
    main.own_wires(n_wires - 1);
    for row in rows {
        let [a, b, c] = row.each_ref().map(|terms| {
            let terms = terms.iter().map(|(wire, value)| (main.wire(*wire), *value));
            terms.collect::<Vec<(Wire, Fr)>>()
        });
        builder.constrain(&mut main, &a, &b, &c);
    }
    let interface = Interface {
        public_outputs: 1,
        ..Interface::default()
    };
    builder.finish(main, interface)
}

/// Checks that nothing but the form changes; returns the number of bytes before and after.
fn check(rows_before: &Rows, n_wires: u32) -> [usize; 2] {
    let before = flat(rows_before, n_wires);
    let after = before.with_templates();
    assert_eq!(rows(&after), *rows_before);
    assert_eq!(after.n_wires(), n_wires);
    assert_eq!(after.n_terms(), before.n_terms());
    assert_eq!(after.interface(), before.interface());
    // From the middle as well.
    let mut number = before.n_constraints() / 2;
    after.for_each_row(number..before.n_constraints(), |row, terms| {
        assert_eq!(row, number);
        assert_eq!(terms.a.len(), rows_before[row as usize][0].len());
        number += 1;
    });
    assert_eq!(number, before.n_constraints());
    // And as whoever stores templates in another form reads them.
    let contents: Vec<Content<'_>> = after.contents().collect();
    let mut expanded = Vec::new();
    let whole = contents[after.n_templates()];
    assert_eq!(whole.n_ports(), 0);
    expand(&after, &contents, whole, &|wire| wire, &mut expanded);
    assert_eq!(expanded, *rows_before);
    [before.bytes(), after.bytes()]
}

/// Appends the rows of a content, whose wires are in the system what `global` says.
fn expand(
    system: &System<Fr>,
    contents: &[Content<'_>],
    content: Content<'_>,
    global: &dyn Fn(u32) -> u32,
    rows: &mut Rows,
) {
    let start = rows.len();
    content.for_each(|part| match part {
        Part::Row(row) => rows.push([row.a, row.b, row.c].map(|terms| {
            let value = |number| *system.pool().value(number);
            terms
                .iter()
                .map(|term| (global(term.wire), value(term.coefficient)))
                .collect()
        })),
        Part::Instance {
            template,
            first,
            ports,
        } => {
            let n_ports = ports.len() as u32;
            let inner = |wire: u32| match wire {
                0 => 0,
                wire if wire <= n_ports => global(ports[wire as usize - 1]),
                own => global(first) + (own - 1 - n_ports),
            };
            assert_eq!(contents[template].n_ports(), n_ports);
            expand(system, contents, contents[template], &inner, rows);
        }
    });
    assert_eq!((rows.len() - start) as u64, content.n_constraints());
}

#[test]
fn systems_with_nothing_to_find() {
    check(&vec![], 2);
    check(&vec![[vec![], vec![], vec![]]], 2);
    check(&vec![[vec![], vec![], vec![]]; 100], 2);
    let row = |wire| [vec![(wire, Fr::ONE)], vec![(wire, Fr::ONE)], vec![]];
    check(&vec![row(1)], 2);
    check(&vec![row(1); 100], 2);
    check(&(1..100).map(row).collect(), 100);
    check(&(0..100).map(row).collect(), 100); // the constant wire among others
}

/// Constraints of few shapes over wires without a pattern.
#[test]
fn random_systems_come_back() {
    let mut rng = TestRng::new(11);
    for n_wires in [2, 10, 5000] {
        let terms = |rng: &mut TestRng| -> Terms {
            let count = rng.below(3);
            let mut term = || {
                let wire = rng.below(n_wires) as u32;
                (wire, Fr::from_u64(rng.below(2)))
            };
            (0..count).map(|_| term()).collect()
        };
        let rows = (0..3000)
            .map(|_| [(); 3].map(|()| terms(&mut rng)))
            .collect();
        check(&rows, n_wires as u32);
    }
}

/// Hashes whose inputs lie anywhere, each followed by bits: as circuits are, without templates.
fn hashes(n: u32) -> Circuit<Fr> {
    let names = Names::new().public_output("y", 1).private_input("x", n);
    Circuit::define(&names, |c, io| {
        let mut last = io["x"][0];
        for (i, x) in io["x"].iter().enumerate() {
            let other = io["x"][i * i % io["x"].len()];
            let inputs = [x, &other, &last].map(LinearCombination::from);
            last = poseidon::hash(c, &inputs);
            bits::to_bits_strict(c, last);
        }
        c.define_linear(io["y"][0], last);
    })
}

#[test]
fn repeated_parts_are_stored_once() {
    let circuit = hashes(60);
    let flat_rows = rows(circuit.system());
    let [before, after] = check(&flat_rows, circuit.system().n_wires());
    let count = flat_rows.len();
    assert!(count > 30_000, "{count} constraints");
    let pool = circuit.system().pool().values().len() * 32;
    assert!(before > 14 * count, "{before} bytes");
    assert!(
        after - pool < 2 * count,
        "{after} bytes, {pool} of them coefficients"
    );
}

/// Two copies that differ in one wire, in one coefficient, by one constraint.
#[test]
fn copies_with_differences_are_kept_apart() {
    let circuit = hashes(2);
    let n_wires = circuit.system().n_wires();
    let copy = rows(circuit.system());
    let mut changed = copy.clone();
    changed[20][0][0].0 = 1;
    changed[30][2][0].1 += Fr::ONE;
    changed.remove(40);
    changed[200][1].clear();
    let all = [copy.clone(), changed.clone(), copy, changed].concat();
    check(&all, n_wires);
}
