//! Circuits: witnesses computed in any order that finds operands first, inputs by name, paths of what is not satisfied.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_r1cs::{
    Circuit, Component, InputError, Inputs, Label, LinearCombination, Names, Signal, Template,
};

type Sum = LinearCombination<Fr>;

/// `out = x² + 1`, and `before`, which is read by a constraint only, is `x`.
fn link(component: &mut Component<'_, Fr>) -> Template {
    component.template("link", 2, 1, |t, inputs, outputs| {
        let [x, before] = [inputs[0], inputs[1]];
        let square = square(t);
        let squared = t.instance(&square, Label::new("square"), &[x.into()])[0];
        t.define_linear(outputs[0], Sum::from(squared) + Signal::ONE);
        t.assert_equal(x, before);
    })
}

/// `out = x²`.
fn square(component: &mut Component<'_, Fr>) -> Template {
    component.template("square", 1, 1, |t, inputs, outputs| {
        t.define_product(outputs[0], inputs[0], inputs[0]);
    })
}

/// Two chains of links, placed in another order than the one in which values are found. Beside them stand links whose
/// checks wait for each other's results.
fn chains(n: u32) -> Circuit<Fr> {
    let names = Names::new()
        .public_output("y", 2)
        .public_input("x", 1)
        .private_input("steps", n);
    Circuit::define(&names, |c, io| {
        let link = link(c);
        let mut ends = [io["x"][0]; 2];
        for i in 0..n {
            for (k, end) in ends.iter_mut().enumerate() {
                let label = Label::indexed(["left", "right"][k], i);
                *end = c.instance(&link, label, &[(*end).into(), (*end).into()])[0];
            }
        }
        // x of the next is given; that it is what comes out before is checked alone.
        let mut before = io["steps"][0];
        for (step, i) in io["steps"].iter().zip(0..) {
            let label = Label::indexed("side_by_side", i);
            before = c.instance(&link, label, &[step.into(), before.into()])[0];
        }
        for (y, end) in io["y"].iter().zip(ends) {
            c.define_linear(*y, end);
        }
    })
}

fn steps(x: Fr, n: usize) -> Vec<Fr> {
    std::iter::successors(Some(x), |x| Some(x.square() + Fr::ONE))
        .take(n)
        .collect()
}

fn inputs(n: usize) -> Inputs<Fr> {
    let mut inputs = Inputs::new();
    inputs.set("x", &[Fr::from_u64(3)]);
    inputs.set("steps", &steps(Fr::from_u64(4), n));
    inputs
}

#[test]
fn chains_are_computed_and_checked() {
    for n in [1, 2, 40] {
        let circuit = chains(n);
        assert_eq!(circuit.system().n_constraints(), 3 * 3 * u64::from(n) + 2);
        let witness = circuit.witness(&inputs(n as usize)).unwrap();
        circuit.check(&witness).unwrap();
        let expected = steps(Fr::from_u64(3), n as usize + 1)[n as usize];
        assert_eq!(circuit.wires("y"), Some(1..3));
        assert_eq!(witness[1..3], [expected; 2]);
        let alone = frumious_parallel::with_threads(1, || circuit.witness(&inputs(n as usize)));
        assert_eq!(*alone.unwrap().unwrap(), *witness);
        // Every wire but the one is constrained.
        let mut witness = witness.to_vec();
        for wire in 1..witness.len() {
            witness[wire] += Fr::ONE;
            assert!(circuit.check(&witness).is_err(), "wire {wire}");
            witness[wire] -= Fr::ONE;
        }
    }
}

#[test]
fn the_path_names_what_does_not_hold() {
    let circuit = chains(5);
    let mut wrong = inputs(5);
    let mut values = steps(Fr::from_u64(4), 5);
    values[3] += Fr::ONE;
    wrong.set("steps", &values);
    let witness = circuit.witness(&wrong).unwrap();
    let error = circuit.check(&witness).unwrap_err();
    assert_eq!(error.path, "side_by_side[3]: constraint 2 of link");
    let mut witness = circuit.witness(&inputs(5)).unwrap();
    let last = witness.len() - 1; // the square of the last link
    witness[last] += Fr::ONE;
    let error = circuit.check(&witness).unwrap_err();
    assert_eq!(error.path, "side_by_side[4].square: constraint 0 of square");
}

#[test]
fn inputs_must_be_the_circuits() {
    let circuit = chains(2);
    let error = |change: fn(&mut Inputs<Fr>)| {
        let mut inputs = inputs(2);
        change(&mut inputs);
        circuit.witness(&inputs).unwrap_err()
    };
    let unknown = |name: &str| InputError::Unknown { name: name.into() };
    assert_eq!(error(|inputs| inputs.set("z", &[])), unknown("z"));
    assert_eq!(error(|inputs| inputs.set("y", &[Fr::ONE; 2])), unknown("y"));
    let length = error(|inputs| inputs.extend("x", &[Fr::ONE]));
    assert_eq!(length.to_string(), "input x has 1 values, but 2 were given");
    let missing = circuit.witness(&Inputs::new()).unwrap_err();
    assert_eq!(missing.to_string(), "input steps is missing");
}

/// Side by side, where their operands are fetched before all of them.
#[test]
fn the_constant_one_may_be_an_input() {
    let circuit = Circuit::<Fr>::define(&Names::new().public_output("y", 2), |c, io| {
        let square = square(c);
        for (y, i) in io["y"].iter().zip(0..) {
            c.define_instance(&square, Label::indexed("one", i), &[Signal::ONE], &[*y]);
        }
    });
    let witness = circuit.witness(&Inputs::new()).unwrap();
    assert_eq!(*witness, [Fr::ONE; 3]);
    circuit.check(&witness).unwrap();
}

#[test]
fn sums_are_merged() {
    let names = Names::new().private_input("x", 3);
    Circuit::<Fr>::define(&names, |_, io| {
        let [x, y, z] = [0, 1, 2].map(|i| Sum::from(io["x"][i]));
        let two = Fr::from_u64(2);
        let sum = z.clone() * two + &x + Sum::constant(two) - &z + &y;
        assert_eq!(
            sum,
            x.clone() + &y + &z + Sum::constant(Fr::ONE) + Signal::ONE
        );
        assert_eq!(sum.clone() - &sum, Sum::ZERO);
        assert_eq!(sum.clone() - &x - &y - &z, Sum::constant(two));
        assert_eq!((sum.clone() - &x - &y - &z).as_constant(), Some(two));
        assert_eq!(-(-sum.clone()), sum);
        assert_eq!(sum * Fr::ZERO, Sum::ZERO);
        assert_eq!(x.as_signal(), Some(io["x"][0]));
        assert_eq!((x * two).as_signal(), None);
    });
}

#[test]
#[should_panic(expected = "gets no value")]
fn signals_without_a_value_are_refused() {
    Circuit::<Fr>::define(&Names::new().public_output("y", 1), |_, _| {});
}

#[test]
#[should_panic(expected = "gets a value for the second time")]
fn signals_with_two_values_are_refused() {
    Circuit::<Fr>::define(&Names::new().public_output("y", 1), |c, io| {
        c.define_linear(io["y"][0], Signal::ONE);
        c.define_linear(io["y"][0], Signal::ONE);
    });
}

#[test]
#[should_panic(expected = "is used before it gets a value")]
fn operands_without_a_value_are_refused() {
    Circuit::<Fr>::define(&Names::new().public_output("y", 1), |c, io| {
        let square = square(c);
        c.instance(&square, Label::new("too_early"), &[io["y"][0].into()]);
    });
}

#[test]
#[should_panic(expected = "is used before it gets a value")]
fn factors_without_a_value_are_refused() {
    Circuit::<Fr>::define(&Names::new().private_input("x", 1), |c, io| {
        let later = c.new_signal();
        c.product(io["x"][0], later);
        c.define_linear(later, io["x"][0]);
    });
}

#[test]
#[should_panic(expected = "is used before it gets a value")]
fn summands_without_a_value_are_refused() {
    Circuit::<Fr>::define(&Names::new().private_input("x", 1), |c, io| {
        let later = c.new_signal();
        c.signal(LinearCombination::from(later) + io["x"][0]);
        c.define_linear(later, io["x"][0]);
    });
}

/// A template that takes `x` of the circuit by closure, where the number of its wire is that of another one.
fn foreign(take: fn(&mut Component<'_, Fr>, Signal, Signal)) -> Result<(), String> {
    let define = move || {
        let names = Names::new().private_input("x", 1);
        Circuit::<Fr>::define(&names, |c, io| {
            let x = io["x"][0];
            c.template("foreign", 1, 0, |t, inputs, _| take(t, inputs[0], x));
        });
    };
    let panic = std::panic::catch_unwind(define);
    panic.map_err(|panic| panic.downcast_ref::<&str>().unwrap().to_string())
}

#[test]
fn signals_of_other_components_are_refused() {
    let uses: [fn(&mut Component<'_, Fr>, Signal, Signal); 9] = [
        |t, own, x| t.constrain(own, own, x),
        |t, own, x| t.assert_equal(own, x),
        |t, own, x| _ = t.product(own, x),
        |t, own, x| _ = t.signal(Sum::from(own) + x),
        |t, _, x| _ = t.signal(Sum::from(x) * Fr::from_u64(2)),
        |t, _, x| _ = t.native(&[x.into()], 0, |_, _| {}),
        |t, own, x| t.define_linear(x, own),
        |t, own, x| _ = t.signal(Sum::from(own) - Signal::ONE - x),
        |t, _, x| {
            let square = square(t);
            t.instance(&square, Label::new("square"), &[x.into()]);
        },
    ];
    for (i, take) in uses.into_iter().enumerate() {
        let message = foreign(take).expect_err("a signal of the circuit in a template");
        assert!(message.contains("of another component"), "{i}: {message}");
    }
}

/// Each has one template, of as many inputs and outputs.
#[test]
#[should_panic(expected = "`template` is one of another circuit")]
fn templates_of_other_circuits_are_refused() {
    let mut kept = None;
    let names = Names::new().private_input("x", 1);
    Circuit::<Fr>::define(&names, |c, _| kept = Some(square(c)));
    Circuit::<Fr>::define(&names, |c, io| {
        c.template("double", 1, 1, |t, inputs, outputs| {
            t.define_linear(outputs[0], Sum::from(inputs[0]) + inputs[0]);
        });
        c.instance(&kept.unwrap(), Label::new("square"), &[io["x"][0].into()]);
    });
}

#[test]
fn constants_belong_to_all_components() {
    let two = Sum::from(Signal::ONE) + Signal::ONE;
    assert_eq!(two, Sum::constant(Fr::from_u64(2)));
    let names = Names::new().private_input("x", 1);
    Circuit::<Fr>::define(&names, |c, io| {
        let x = Sum::from(io["x"][0]);
        let one = x.clone() - &x + Signal::ONE;
        assert_eq!(one, Signal::ONE.into());
        assert_eq!(x.clone() + Signal::ONE - &x, one);
        assert_eq!(x.clone() - &x, Sum::ZERO);
        c.template("constants", 1, 0, |t, inputs, _| {
            t.constrain(inputs[0], two.clone(), one.clone());
            t.signal(one - inputs[0]);
        });
    });
}

/// Nothing but zeros satisfies every constraint there is.
#[test]
#[should_panic(expected = "must be one")]
fn zeros_are_no_witness() {
    let names = Names::new().public_output("y", 1).private_input("x", 1);
    let circuit = Circuit::<Fr>::define(&names, |c, io| {
        c.define_linear(io["y"][0], Sum::from(io["x"][0]) + Signal::ONE);
    });
    let zeros = vec![Fr::ZERO; circuit.system().n_wires() as usize];
    let _ = circuit.check(&zeros);
}
