//! Signatures and points for `interop/`: `eddsa WHAT VALUE...`, integers in decimal digits.
//!
//! | what | values | prints |
//! |---|---|---|
//! | `sign` | secret scalar, message | `A.x A.y R8.x R8.y S M` |
//! | `verify` | the six of them | `valid`, or what is not satisfied in the circuit |
//! | `add` | two points, `x y x y` | the sum, by the circuit |
//! | `mul` | point, scalar | `scalar·8·point`, by the circuit |
//! | `base8` | scalar below 2^251 | its multiple of the base point, by the circuit |

use std::process::ExitCode;

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::baby_jubjub::{
    CircuitPoint, Point, PrimeOrderPoint, Scalar, fixed, variable,
};
use frumious_r1cs::gadgets::bits;
use frumious_r1cs::gadgets::eddsa::{PublicKey, SecretKey, Signature, template};
use frumious_r1cs::{Circuit, Component, Inputs, InputsAndOutputs, Label, Names};

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<String, String> {
    let (what, values) = arguments.split_first().ok_or("nothing is asked for")?;
    let values = values
        .iter()
        .map(|text| Fr::from_decimal_vartime(text).ok_or(format!("{text} is no integer below r")));
    let values: Vec<Fr> = values.collect::<Result<_, String>>()?;
    match (&what[..], &values[..]) {
        ("sign", [secret, message]) => sign(secret, message),
        ("verify", values @ [_, _, _, _, _, _]) => verify(values),
        ("add", values @ [_, _, _, _]) => show(values, |c, io| {
            let [p, q] = [point(io, 0), point(io, 2)];
            p.add(c, &q)
        }),
        ("mul", values @ [_, _, _]) => show(values, |c, io| {
            let point = PrimeOrderPoint::eight_times(c, &point(io, 0));
            variable::mul(c, &point, io["in"][2])
        }),
        ("base8", values @ [_]) => show(values, |c, io| {
            let bits = bits::to_bits(c, io["in"][0], 251);
            fixed::mul_base8(c, &bits)
        }),
        _ => Err(format!("no {what} of {} values", values.len())),
    }
}

fn sign(secret: &Fr, message: &Fr) -> Result<String, String> {
    let secret = Scalar::from_words_reduced(secret.to_canonical_limbs());
    let secret = SecretKey::new(secret).map_err(|error| error.to_string())?;
    let (a, signature) = (secret.public_key().point(), secret.sign(message));
    let Signature { r, s } = signature;
    let texts = [a.x, a.y, r.x, r.y].map(|value| value.to_decimal_vartime());
    let (s, message) = (s.to_decimal_vartime(), message.to_decimal_vartime());
    Ok(format!("{} {s} {message}", texts.join(" ")))
}

/// By the circuit; what is known outside of it must agree.
fn verify(values: &[Fr]) -> Result<String, String> {
    let [x, y, rx, ry, s, message] = [0, 1, 2, 3, 4, 5].map(|i| values[i]);
    let s = Scalar::from_canonical_limbs(s.to_canonical_limbs()).into_option();
    let signature = s.map(|s| {
        let r = Point { x: rx, y: ry };
        Signature { r, s }
    });
    let valid = PublicKey::new(Point { x, y })
        .ok()
        .zip(signature)
        .is_some_and(|(key, signature)| key.verify_vartime(&message, &signature));
    let names = Names::new().private_input("in", 6);
    let circuit = Circuit::define(&names, |c, io| {
        let template = template(c);
        let inputs: Vec<_> = io["in"].iter().map(Into::into).collect();
        c.instance(&template, Label::new("signature"), &inputs);
    });
    let mut inputs = Inputs::new();
    inputs.set("in", values);
    let witness = circuit
        .witness(&inputs)
        .map_err(|error| error.to_string())?;
    match circuit.check(&witness) {
        Ok(()) if valid => Ok("valid".into()),
        Err(error) if !valid => Ok(error.to_string()),
        _ => Err("the circuit and the library do not agree".into()),
    }
}

fn point(io: &InputsAndOutputs, place: usize) -> CircuitPoint {
    CircuitPoint::new(io["in"][place], io["in"][place + 1])
}

fn show(
    values: &[Fr],
    define: impl FnOnce(&mut Component<'_, Fr>, &InputsAndOutputs) -> CircuitPoint,
) -> Result<String, String> {
    let names = Names::new()
        .public_output("out", 2)
        .private_input("in", values.len() as u32);
    let circuit = Circuit::define(&names, |c, io| {
        let point = define(c, io);
        c.define_linear(io["out"][0], point.x);
        c.define_linear(io["out"][1], point.y);
    });
    let mut inputs = Inputs::new();
    inputs.set("in", values);
    let witness = circuit
        .witness(&inputs)
        .map_err(|error| error.to_string())?;
    circuit.check(&witness).map_err(|error| error.to_string())?;
    let [x, y] = [1, 2].map(|wire| witness[wire].to_decimal_vartime());
    Ok(format!("{x} {y}"))
}
