//! Systems with templates in templates, beside the same constraints written out one by one.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_r1cs::{BodyBuilder, Interface, Label, System, SystemBuilder, TemplateId, Wire};
use frumious_testing::field_suite::TestRng;

/// Terms by value and number of the wire.
type Terms = Vec<(Fr, u32)>;
type Flat = Vec<[Terms; 3]>;

/// Some coefficients, most of them common.
fn coefficient(rng: &mut TestRng) -> Fr {
    match rng.below(6) {
        0..3 => Fr::ONE,
        3 => -Fr::ONE,
        4 => Fr::from_u64(rng.below(5)), // zero, too
        _ => Fr::from_u64(rng.next_u64()).square(),
    }
}

/// A template as it is known to the test: constraints over local wires, and instances.
struct Known {
    id: Option<TemplateId>,
    n_ports: u32,
    n_own: u32,
    items: Vec<KnownItem>,
}

enum KnownItem {
    Row([Terms; 3]),
    Instance(usize, u32, Vec<u32>),
}

/// A random body that uses some of `known`, in both forms.
fn random_body(
    rng: &mut TestRng,
    builder: &mut SystemBuilder<Fr>,
    known: &[Known],
    mut body: BodyBuilder,
    n_ports: u32,
    items: u64,
) -> (BodyBuilder, Known) {
    let mut wires: Vec<Wire> = vec![Wire::ONE];
    wires.extend((0..n_ports).map(|i| body.port(i)));
    let mut locals: Vec<u32> = (0..=n_ports).collect();
    let mut next = n_ports + 1;
    let own =
        |body: &mut BodyBuilder, wires: &mut Vec<Wire>, locals: &mut Vec<u32>, next: &mut u32| {
            wires.push(body.own_wire());
            locals.push(*next);
            *next += 1;
        };
    own(&mut body, &mut wires, &mut locals, &mut next);
    let mut list = Vec::new();
    for i in 0..items {
        if rng.below(3) == 0 {
            own(&mut body, &mut wires, &mut locals, &mut next);
        }
        if rng.below(4) == 0 && !known.is_empty() {
            let which = rng.below(known.len() as u64) as usize;
            let inner = &known[which];
            let chosen: Vec<usize> = (0..inner.n_ports)
                .map(|_| rng.below(wires.len() as u64) as usize)
                .collect();
            let ports: Vec<Wire> = chosen.iter().map(|i| wires[*i]).collect();
            builder.instance(
                &mut body,
                inner.id.unwrap(),
                Label::indexed("part", i as u32),
                &ports,
            );
            list.push(KnownItem::Instance(
                which,
                next,
                chosen.iter().map(|i| locals[*i]).collect(),
            ));
            next += inner.n_own;
        } else {
            let mut both = || -> (Vec<(Wire, Fr)>, Terms) {
                (0..rng.below(5))
                    .map(|_| {
                        let (i, value) = (rng.below(wires.len() as u64) as usize, coefficient(rng));
                        ((wires[i], value), (value, locals[i]))
                    })
                    .unzip()
            };
            let [(a, fa), (b, fb), (c, fc)] = [both(), both(), both()];
            builder.constrain(&mut body, &a, &b, &c);
            list.push(KnownItem::Row([fa, fb, fc]));
        }
    }
    let known = Known {
        id: None,
        n_ports,
        n_own: next - n_ports - 1,
        items: list,
    };
    (body, known)
}

/// The constraints of a body with these wires, one by one.
fn expand(known: &[Known], body: &Known, ports: &[u32], first: u32, flat: &mut Flat) {
    let global = |local: u32| match local {
        0 => 0,
        port if port <= body.n_ports => ports[port as usize - 1],
        own => first + own - body.n_ports - 1,
    };
    for item in &body.items {
        match item {
            KnownItem::Row(row) => flat.push(row.clone().map(|terms| {
                terms
                    .into_iter()
                    .map(|(value, wire)| (value, global(wire)))
                    .collect()
            })),
            KnownItem::Instance(which, inner_first, inner_ports) => {
                let ports: Vec<u32> = inner_ports.iter().map(|port| global(*port)).collect();
                expand(known, &known[*which], &ports, global(*inner_first), flat);
            }
        }
    }
}

fn random_system(seed: u64) -> (System<Fr>, Flat) {
    let mut rng = TestRng::new(seed);
    let mut builder = SystemBuilder::new();
    let mut known: Vec<Known> = Vec::new();
    for i in 0..3u32 {
        let body = BodyBuilder::template(&format!("template_{i}"), i);
        let (body, mut template) = random_body(
            &mut rng,
            &mut builder,
            &known,
            body,
            i,
            3 + u64::from(i) * 180,
        );
        template.id = Some(builder.add(body));
        known.push(template);
    }
    let (main, top) = random_body(&mut rng, &mut builder, &known, BodyBuilder::main(), 0, 40);
    let system = builder.finish(main, Interface::default());
    let mut flat = Flat::new();
    expand(&known, &top, &[], 1, &mut flat);
    assert_eq!(system.n_wires(), 1 + top.n_own);
    (system, flat)
}

fn rows(system: &System<Fr>, range: core::ops::Range<u64>) -> Vec<(u64, [Terms; 3])> {
    let mut found = Vec::new();
    system.for_each_row(range, |number, row| {
        let terms = [row.a, row.b, row.c].map(|terms| {
            let value = |number| *system.pool().value(number);
            terms
                .iter()
                .map(|term| (value(term.coefficient), term.wire))
                .collect()
        });
        found.push((number, terms));
    });
    found
}

#[test]
fn rows_are_those_that_were_given() {
    for seed in 1..4 {
        let (system, flat) = random_system(seed);
        assert_eq!(system.n_constraints(), flat.len() as u64);
        let expected: Vec<_> = (0..).zip(flat.clone()).collect();
        assert_eq!(rows(&system, 0..system.n_constraints()), expected);
        let n_terms = |i: usize| flat.iter().map(|row| row[i].len() as u64).sum::<u64>();
        assert_eq!(system.n_terms(), [0, 1, 2].map(n_terms));
    }
}

#[test]
fn ranges_begin_and_end_anywhere() {
    let (system, flat) = random_system(5);
    let (mut rng, n) = (TestRng::new(6), system.n_constraints());
    let mut ranges = vec![0..0, n..n, 0..1, n - 1..n, 511..513];
    ranges.extend((0..40).map(|_| {
        let start = rng.below(n);
        start..start + rng.below((n - start).min(700))
    }));
    for range in ranges {
        let own = range.start as usize..range.end as usize;
        let expected: Vec<_> = range.clone().zip(flat[own].iter().cloned()).collect();
        assert_eq!(rows(&system, range), expected);
    }
}

/// A chain of products `w[i]·w[i] = w[i + 1]`, by a template; one witness, and all that differ from it in a value.
#[test]
fn the_first_unsatisfied_row_and_its_path() {
    let mut builder = SystemBuilder::<Fr>::new();
    let mut square = BodyBuilder::template("square", 2);
    let (x, y) = (square.port(0), square.port(1));
    builder.constrain(
        &mut square,
        &[(x, Fr::ONE)],
        &[(x, Fr::ONE)],
        &[(y, Fr::ONE)],
    );
    let square = builder.add(square);
    let mut pair = BodyBuilder::template("pair", 2);
    let (start, end, middle) = (pair.port(0), pair.port(1), pair.own_wire());
    builder.instance(&mut pair, square, Label::new("first"), &[start, middle]);
    builder.instance(&mut pair, square, Label::new("second"), &[middle, end]);
    let pair = builder.add(pair);
    let mut main = BodyBuilder::main();
    let mut last = main.own_wire();
    for i in 0..20_000 {
        let next = main.own_wire();
        builder.instance(&mut main, pair, Label::indexed("step", i), &[last, next]);
        last = next;
    }
    builder.constrain(
        &mut main,
        &[(last, Fr::ONE)],
        &[(Wire::ONE, Fr::ONE)],
        &[(last, Fr::ONE)],
    );
    let system = builder.finish(main, Interface::default());
    assert_eq!((system.n_constraints(), system.n_wires()), (40_001, 40_002));

    // wires: one, x0, then of each step: its result, its middle
    let mut witness = vec![Fr::ONE, Fr::from_u64(3)];
    let mut value = witness[1];
    for _ in 0..20_000 {
        let middle = value.square();
        value = middle.square();
        witness.extend([value, middle]);
    }
    assert_eq!(system.first_unsatisfied(&witness), None);
    for (wire, row) in [
        (1, 0),
        (3, 0),
        (2, 1),
        (2 + 2 * 9000, 18_001),
        (40_001, 39_998),
    ] {
        let mut wrong = witness.clone();
        wrong[wire] += Fr::ONE;
        assert_eq!(system.first_unsatisfied(&wrong), Some(row), "wire {wire}");
    }
    assert_eq!(
        system.path(18_001),
        "step[9000].second: constraint 0 of square"
    );
    assert_eq!(system.path(0), "step[0].first: constraint 0 of square");
    assert_eq!(system.path(40_000), "constraint 40000 of main");
    for threads in [1, 2, 3] {
        let first = frumious_parallel::with_threads(threads, || {
            system.first_unsatisfied(&vec![Fr::ONE; 40_002])
        });
        assert_eq!(first.unwrap(), None, "all ones are a witness, too");
    }
    // a step takes its instance: template, label, index, wires, in bytes
    assert!(system.bytes() < 20_000 * 13, "{}", system.bytes());
}

#[test]
fn an_empty_system() {
    let system = SystemBuilder::<Fr>::new().finish(BodyBuilder::main(), Interface::default());
    assert_eq!((system.n_constraints(), system.n_wires()), (0, 1));
    assert_eq!(system.first_unsatisfied(&[Fr::ONE]), None);
    system.for_each_row(0..0, |_, _| panic!("there is none"));
}
