//! EdDSA with Poseidon: signatures of circomlibjs and ours, in circuits and outside; what is not one is refused, and
//! the path says where.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::baby_jubjub::{Point, Scalar};
use frumious_r1cs::gadgets::eddsa::{self, KeyError, PublicKey, SecretKey, Signature};
use frumious_r1cs::gadgets::poseidon;
use frumious_r1cs::{Circuit, Inputs, Label, LinearCombination, Names};

/// `A.x`, `A.y`, `R8.x`, `R8.y`, `S` and the message, made by `signPoseidon` of circomlibjs 0.1.7 with the SHA-256
/// hashes of "frumious" and "bandersnatch" as keys.
const CIRCOMLIBJS: [[&str; 6]; 2] = [
    [
        "4278973431605664357054670611053851790493491431479448417406554561856751392069",
        "158842808858164784473638038059408572590199470000164193876383896034938192759",
        "109356925702791885376380651020492745912607124500810622672827852456442923323",
        "17624304229283019916968313163857282838565459772166809050115171761330192620930",
        "973633333177827427161417845226630121938860018524154061179781689706627243715",
        "1234567",
    ],
    [
        "17429505414080412315678498944719857342918215636999126893617980996743980355541",
        "12310121651942020425427692257608494141151406574383381587208814251408700262620",
        "8846635156540531942836048043519301792381500041768345983281462683717787552690",
        "17726117378046011529440376661073904453948813430202290573517223705287767640043",
        "2670417211117821884021220680898384984097538226323795336767469298304901349226",
        "21888242871839275222246405745257275088548364400416034343698204186575808495616",
    ],
];

fn known() -> impl Iterator<Item = [Fr; 6]> {
    let parse = |text| Fr::from_decimal_vartime(text).unwrap();
    CIRCOMLIBJS.iter().map(move |values| values.map(parse))
}

/// As inputs of the circuit.
fn inputs(key: &PublicKey, signature: &Signature, message: Fr) -> [Fr; 6] {
    let (a, r) = (key.point(), signature.r);
    [a.x, a.y, r.x, r.y, element(&signature.s), message]
}

fn element(scalar: &Scalar) -> Fr {
    Fr::from_canonical_limbs(scalar.to_canonical_limbs()).unwrap()
}

fn key() -> SecretKey {
    SecretKey::new(Scalar::from_words_reduced([1, 2, 3, 4])).unwrap()
}

/// Two signatures.
fn circuit(conditional: bool) -> Circuit<Fr> {
    let n_inputs = if conditional { 7 } else { 6 };
    let names = Names::new().private_input("x", 2 * n_inputs);
    Circuit::define(&names, |c, io| {
        let template = match conditional {
            true => eddsa::template_if(c),
            false => eddsa::template(c),
        };
        for (i, inputs) in io["x"].chunks(n_inputs as usize).enumerate() {
            let inputs: Vec<LinearCombination<Fr>> = inputs.iter().map(Into::into).collect();
            c.instance(&template, Label::indexed("signature", i as u32), &inputs);
        }
    })
}

fn witness(circuit: &Circuit<Fr>, values: &[Fr]) -> Vec<Fr> {
    let mut inputs = Inputs::new();
    inputs.set("x", values);
    circuit.witness(&inputs).unwrap().to_vec()
}

fn error(circuit: &Circuit<Fr>, values: &[Fr]) -> Option<String> {
    let result = circuit.check(&witness(circuit, values));
    result.err().map(|error| error.path)
}

#[test]
fn valid_signatures_are_accepted() {
    let circuit = circuit(false);
    let known: Vec<[Fr; 6]> = known().collect();
    assert_eq!(error(&circuit, &known.concat()), None);
    for values in &known {
        let [ax, ay, rx, ry, s, message] = *values;
        let key = PublicKey::new(Point { x: ax, y: ay }).unwrap();
        let s = Scalar::from_canonical_limbs(s.to_canonical_limbs()).unwrap();
        let r = Point { x: rx, y: ry };
        assert!(key.verify_vartime(&message, &Signature { r, s }));
    }
    let secret = key();
    for message in [Fr::ZERO, -Fr::ONE] {
        let signature = secret.sign(&message);
        assert_eq!(signature, secret.sign(&message));
        assert!(secret.public_key().verify_vartime(&message, &signature));
        assert!(!secret.public_key().verify_vartime(&Fr::ONE, &signature));
        let values = inputs(&secret.public_key(), &signature, message);
        assert_eq!(error(&circuit, &[known[0], values].concat()), None);
    }
    assert_ne!(secret.sign(&Fr::ZERO).r, secret.sign(&Fr::ONE).r);
}

/// A key with a component of order 8: `8·A` removes it. `h` is that of `A` as it is.
#[test]
fn keys_outside_of_the_subgroup_are_accepted() {
    let circuit = circuit(false);
    let secret = Scalar::from_u64(77);
    let torsion = Point::GENERATOR.mul_words_vartime(&Scalar::MODULUS);
    let a = Point::BASE8.mul(&secret).add(&torsion);
    let message = Fr::from_u64(9);
    let nonce = Scalar::from_u64(123_456_789);
    let r = Point::BASE8.mul(&nonce);
    let h = poseidon::hash_native(&[r.x, r.y, a.x, a.y, message]);
    let h = Scalar::from_words_reduced(h.to_canonical_limbs());
    let s = nonce + h * secret * Scalar::from_u64(8);
    let key = PublicKey::new(a).unwrap();
    let signature = Signature { r, s };
    assert!(key.verify_vartime(&message, &signature));
    let values = inputs(&key, &signature, message);
    assert_eq!(error(&circuit, &[values, values].concat()), None);

    // With a component in R the equation does not hold, though eight times it would.
    let signature = Signature {
        r: r.add(&torsion),
        s,
    };
    assert!(!key.verify_vartime(&message, &signature));
}

#[test]
fn anything_else_is_refused_with_its_path() {
    let circuit = circuit(false);
    let valid = known().next().unwrap();
    let order = Fr::from_words_reduced(Scalar::MODULUS);
    for i in 0..6 {
        let mut wrong = valid;
        wrong[i] += Fr::ONE;
        let path = error(&circuit, &[valid, wrong].concat()).unwrap();
        assert!(path.starts_with("signature[1]"), "{path}");
        assert!(path.ends_with("of eddsa_poseidon"), "{path}");
    }
    for (what, change) in [
        ("S + l", [0, 0, 0, 0, 1, 0]),
        ("-A.x", [1, 0, 0, 0, 0, 0]),
        ("-R.x", [0, 0, 1, 0, 0, 0]),
    ] {
        let mut wrong = valid;
        for (i, changed) in change.into_iter().enumerate() {
            if changed == 1 {
                wrong[i] = if i == 4 { wrong[i] + order } else { -wrong[i] };
            }
        }
        let path = error(&circuit, &[wrong, valid].concat()).expect(what);
        assert!(path.starts_with("signature[0]"), "{path}");
    }
    // l and -1 for S, neutral points, points off the curve.
    for (i, value) in [(4, order), (4, -Fr::ONE)] {
        let mut wrong = valid;
        wrong[i] = value;
        assert!(error(&circuit, &[wrong, valid].concat()).is_some());
    }
    for point in [[Fr::ZERO, Fr::ONE], [Fr::ZERO, -Fr::ONE], [Fr::ZERO; 2]] {
        for place in [0, 2] {
            let mut wrong = valid;
            wrong[place..place + 2].copy_from_slice(&point);
            assert!(error(&circuit, &[wrong, valid].concat()).is_some());
        }
    }
}

/// With such a key `S = 0` and a neutral `R` satisfy the equation for any message.
#[test]
fn keys_of_small_order_sign_nothing() {
    let circuit = circuit(false);
    let torsion = Point::GENERATOR.mul_words_vartime(&Scalar::MODULUS);
    for i in 0..8 {
        let a = torsion.mul_words_vartime(&[i, 0, 0, 0]);
        assert_eq!(PublicKey::new(a), Err(KeyError::SmallOrder));
        let values = [a.x, a.y, Fr::ZERO, Fr::ONE, Fr::ZERO, Fr::ONE];
        assert!(error(&circuit, &[values, values].concat()).is_some());
    }
    let off = Point {
        x: Fr::ONE,
        y: Fr::ONE,
    };
    assert_eq!(PublicKey::new(off), Err(KeyError::OffCurve));
    assert_eq!(SecretKey::new(Scalar::ZERO).unwrap_err(), KeyError::Zero);
}

#[test]
fn disabled_signatures_are_not_looked_at() {
    let circuit = circuit(true);
    let valid = known().next().unwrap();
    let with = |values: [Fr; 6], enabled: u64| [&values[..], &[Fr::from_u64(enabled)]].concat();
    let good = with(valid, 1);
    assert_eq!(
        error(&circuit, &[good.clone(), with(valid, 0)].concat()),
        None
    );
    for wrong in [[Fr::ZERO; 6], [-Fr::ONE; 6]] {
        assert_eq!(
            error(&circuit, &[good.clone(), with(wrong, 0)].concat()),
            None
        );
        let path = error(&circuit, &[good.clone(), with(wrong, 1)].concat()).unwrap();
        assert!(path.starts_with("signature[1]"), "{path}");
    }
    for i in 0..6 {
        let mut wrong = valid;
        wrong[i] += Fr::ONE;
        assert_eq!(
            error(&circuit, &[with(wrong, 0), good.clone()].concat()),
            None
        );
        assert!(error(&circuit, &[with(wrong, 1), good.clone()].concat()).is_some());
    }
    assert!(error(&circuit, &[with(valid, 2), good].concat()).is_some());
}

/// A wire whose change no constraint sees may only be a quotient of a comparison that is over, or the inverse of what
/// is zero.
#[test]
fn no_wire_is_free() {
    let names = Names::new().private_input("x", 6);
    let circuit = Circuit::define(&names, |c, io| {
        let template = eddsa::template(c);
        let inputs: Vec<LinearCombination<Fr>> = io["x"].iter().map(Into::into).collect();
        c.instance(&template, Label::new("signature"), &inputs);
    });
    let system = circuit.system();
    let (mut a, mut b, mut c) = (0, 0, 0);
    system.for_each_row(0..system.n_constraints(), |_, row| {
        a += row.a.len();
        b += row.b.len();
        c += row.c.len();
    });
    assert_eq!(system.n_constraints(), 2758);
    assert_eq!((a, b, c), (4231, 4218, 9334), "terms of A, B and C");
    let mut witness = witness(&circuit, &known().next().unwrap());
    for wire in 1..witness.len() {
        witness[wire] += Fr::ONE;
        let changed = circuit.check(&witness).is_err();
        witness[wire] -= Fr::ONE;
        assert!(changed || witness[wire] == Fr::ZERO, "wire {wire}");
    }
}

#[test]
fn secrets_are_not_shown() {
    assert_eq!(format!("{:?}", key()), "SecretKey { .. }");
}
