//! BabyJubJub: the group law beside its definition, known points, and circuits beside native values.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_field::PrimeField;
use frumious_limbs::words;
use frumious_r1cs::gadgets::baby_jubjub::{
    CircuitPoint, Point, PrimeOrderPoint, Scalar, fixed, variable,
};
use frumious_r1cs::gadgets::bits;
use frumious_r1cs::{Circuit, Component, Inputs, InputsAndOutputs, LinearCombination, Names};

type Sum = LinearCombination<Fr>;

const A: u64 = 168_700;
const D: u64 = 168_696;

/// The law as EIP-2494 writes it.
fn add_naive(p: &Point, q: &Point) -> Point {
    let product = Fr::from_u64(D) * p.x * q.x * p.y * q.y;
    let divide = |a: Fr, b: Fr| a * b.invert().unwrap();
    Point {
        x: divide(p.x * q.y + p.y * q.x, Fr::ONE + product),
        y: divide(p.y * q.y - Fr::from_u64(A) * p.x * q.x, Fr::ONE - product),
    }
}

fn mul_naive(p: &Point, words: &[u64; 4]) -> Point {
    let (mut sum, mut power) = (Point::IDENTITY, *p);
    for i in 0..256 {
        if words[i / 64] >> (i % 64) & 1 == 1 {
            sum = add_naive(&sum, &power);
        }
        power = add_naive(&power, &power);
    }
    sum
}

fn decimal(x: &str, y: &str) -> Point {
    let [x, y] = [x, y].map(|text| Fr::from_decimal_vartime(text).unwrap());
    Point { x, y }
}

/// `i·Q` for `Q` of order 8: points of orders 1, 8, 4, 8, 2, 8, 4, 8.
fn small_order(i: u64) -> Point {
    let generator = Point::GENERATOR.mul_words_vartime(&Scalar::MODULUS);
    generator.mul_words_vartime(&[i, 0, 0, 0])
}

/// Words of `l + difference`.
fn order_plus(difference: i64) -> [u64; 4] {
    let mut words = Scalar::MODULUS;
    words[0] = words[0].checked_add_signed(difference).unwrap();
    words
}

fn element(words: [u64; 4]) -> Fr {
    Fr::from_canonical_limbs(words).unwrap()
}

fn points() -> Vec<Point> {
    let mut points: Vec<Point> = (0..8).map(small_order).collect();
    let base = Point::BASE8;
    points.extend([base, base.neg(), base.add(&base), Point::GENERATOR]);
    points.push(Point::GENERATOR.mul_words_vartime(&[1234, 5, 6, 7]));
    points
}

/// Test vectors of EIP-2494, "Addition (Twisted Edwards)", "Doubling", "Doubling the identity", "Membership", "Base
/// point choice", "Base point order".
#[test]
fn known_points() {
    let p1 = decimal(
        "17777552123799933955779906779655732241715742912184938656739573121738514868268",
        "2626589144620713026669568689430873010625803728049924121243784502389097019475",
    );
    let p2 = decimal(
        "16540640123574156134436876038791482806971768689494387082833631921987005038935",
        "20819045374670962167435360035096875258406992893633759881276124905556507972311",
    );
    let sum = decimal(
        "7916061937171219682591368294088513039687205273691143098332585753343424131937",
        "14035240266687799601661095864649209771790948434046947201833777492504781204499",
    );
    let double = decimal(
        "6890855772600357754907169075114257697580319025794532037257385534741338397365",
        "4338620300185947561074059802482547481416142213883829469920100239455078257889",
    );
    assert_eq!(p1.add(&p2), sum);
    assert_eq!(p1.add(&p1), double);
    assert_eq!(Point::IDENTITY.add(&Point::IDENTITY), Point::IDENTITY);
    assert!(p1.is_on_curve() && p2.is_on_curve() && Point::IDENTITY.is_on_curve());
    assert!(!decimal("1", "0").is_on_curve());
    assert_eq!(Point::GENERATOR.mul_by_cofactor(), Point::BASE8);
    assert!(Point::BASE8.is_in_subgroup_vartime());
    assert!(!Point::GENERATOR.is_in_subgroup_vartime());
    let base = decimal(
        "5299619240641551281634865583518297030282874472190772894086521144482721001553",
        "16950150798460657717958625567821834550301663161624707787222815936182638968203",
    );
    assert_eq!(Point::BASE8, base);
}

#[test]
fn the_law_is_that_of_its_definition() {
    for p in points() {
        assert!(p.is_on_curve());
        assert_eq!(p.add(&p.neg()), Point::IDENTITY);
        assert_eq!(p.mul_by_cofactor(), mul_naive(&p, &[8, 0, 0, 0]));
        for q in points() {
            assert_eq!(p.add(&q), add_naive(&p, &q));
        }
        for words in [[0; 4], [1, 0, 0, 0], order_plus(-1), [7, 8, 9, 10]] {
            let expected = mul_naive(&p, &words);
            assert_eq!(p.mul_words_vartime(&words), expected);
            if let Some(scalar) = Scalar::from_canonical_limbs(words).into_option() {
                assert_eq!(p.mul(&scalar), expected);
            }
        }
    }
}

#[test]
fn scalars_are_a_field() {
    let five = Scalar::from_u64(5);
    assert_eq!(five * five.invert().unwrap(), Scalar::ONE);
    assert!(bool::from(
        Scalar::from_canonical_limbs(order_plus(0)).is_none()
    ));
    assert_eq!(
        Scalar::from_words_reduced(order_plus(3)),
        Scalar::from_u64(3)
    );
    assert!(!bool::from(Scalar::from_u64(19).is_square()));
    assert!(bool::from(
        Scalar::from_u64(18).is_square() | Scalar::from_u64(17).is_square()
    ));
}

#[test]
fn the_root_of_unity_is_the_power_that_its_documentation_says() {
    let odd_part = words::shift_right(&Scalar::MODULUS, <Scalar as PrimeField>::TWO_ADICITY);
    assert_eq!(odd_part[0] & 1, 1);
    let root = <Scalar as PrimeField>::ROOT_OF_UNITY;
    assert_eq!(root, Scalar::from_u64(19).pow_vartime(&odd_part));
    assert_eq!(root.pow_vartime(&[8]), -Scalar::ONE);
}

fn circuit(
    n_inputs: u32,
    n_outputs: u32,
    define: impl FnOnce(&mut Component<'_, Fr>, &InputsAndOutputs) -> Vec<Sum>,
) -> Circuit<Fr> {
    let names = Names::new()
        .public_output("y", n_outputs)
        .private_input("x", n_inputs);
    Circuit::define(&names, |c, io| {
        let values = define(c, io);
        for (out, value) in io["y"].iter().zip(values) {
            c.define_linear(*out, value);
        }
    })
}

fn run(circuit: &Circuit<Fr>, x: &[Fr]) -> (Vec<Fr>, bool) {
    let mut inputs = Inputs::new();
    inputs.set("x", x);
    let witness = circuit.witness(&inputs).unwrap();
    let satisfied = circuit.check(&witness).is_ok();
    (witness.to_vec(), satisfied)
}

/// No wire but the one can be changed alone.
fn assert_every_wire_matters(circuit: &Circuit<Fr>, witness: &mut [Fr]) {
    for wire in 1..witness.len() {
        let value = witness[wire];
        for other in [value + Fr::ONE, -value, Fr::ZERO, Fr::ONE - value] {
            if other != value {
                witness[wire] = other;
                assert!(circuit.check(witness).is_err(), "wire {wire}");
            }
        }
        witness[wire] = value;
    }
}

fn point_of(io: &InputsAndOutputs, place: usize) -> CircuitPoint {
    CircuitPoint::new(io["x"][place], io["x"][place + 1])
}

#[test]
fn complete_additions_in_circuits() {
    let sums = circuit(4, 4, |c, io| {
        let (p, q) = (point_of(io, 0), point_of(io, 2));
        p.assert_on_curve(c);
        q.assert_on_curve(c);
        let before = c.n_constraints();
        let sum = p.add(c, &q);
        assert_eq!(c.n_constraints() - before, 6);
        p.assert_sum(c, &q, &sum);
        let double = p.double(c);
        assert_eq!(c.n_constraints() - before, 17);
        vec![sum.x, sum.y, double.x, double.y]
    });
    for p in points() {
        for q in points() {
            let (witness, satisfied) = run(&sums, &[p.x, p.y, q.x, q.y]);
            assert!(satisfied, "{p:?} {q:?}");
            let [sum, double] = [add_naive(&p, &q), add_naive(&p, &p)];
            assert_eq!(witness[1..5], [sum.x, sum.y, double.x, double.y]);
        }
    }
    let (p, q) = (Point::GENERATOR, points()[12]);
    let (mut witness, _) = run(&sums, &[p.x, p.y, q.x, q.y]);
    assert_every_wire_matters(&sums, &mut witness);
    assert!(
        !run(&sums, &[p.x, p.y + Fr::ONE, q.x, q.y]).1,
        "off the curve"
    );
}

#[test]
fn multiples_of_the_base_point_in_circuits() {
    let circuit = circuit(1, 2, |c, io| {
        let bits = bits::to_bits(c, io["x"][0], 251);
        let before = c.n_constraints();
        let point = fixed::mul_base8(c, &bits);
        assert_eq!(c.n_constraints() - before, 421);
        vec![point.x, point.y]
    });
    let top = |bit: usize| {
        let mut words = [0; 4];
        words[bit / 64] = 1 << (bit % 64);
        element(words)
    };
    let largest = top(250).double() - Fr::ONE;
    let mut scalars: Vec<Fr> = (-2..3).map(|i| element(order_plus(i))).collect();
    scalars.extend((0..10).map(Fr::from_u64));
    scalars.extend([largest, top(250), top(249), top(249) - Fr::ONE]);
    scalars.extend([
        top(249) + top(250) - Fr::ONE,
        Fr::from_words_reduced([1, 2, 3, 4]),
    ]);
    for scalar in &scalars {
        let (witness, satisfied) = run(&circuit, &[*scalar]);
        assert!(satisfied, "{scalar:?}");
        let expected = mul_naive(&Point::BASE8, &scalar.to_canonical_limbs());
        assert_eq!(witness[1..3], [expected.x, expected.y], "{scalar:?}");
    }
    let (mut witness, _) = run(&circuit, &scalars[scalars.len() - 1..]);
    assert_every_wire_matters(&circuit, &mut witness);
}

/// The multiple of eight times a point.
fn multiple() -> Circuit<Fr> {
    circuit(3, 2, |c, io| {
        let point = PrimeOrderPoint::eight_times(c, &point_of(io, 0));
        assert_eq!(c.n_constraints(), 16);
        let multiple = variable::mul(c, &point, io["x"][2]);
        assert_eq!(c.n_constraints() - 16, 1673);
        vec![multiple.x, multiple.y]
    })
}

#[test]
fn multiples_of_any_point_in_circuits() {
    let circuit = multiple();
    let mut scalars: Vec<Fr> = (0..10).map(Fr::from_u64).collect();
    scalars.extend((1..4).map(|i| -Fr::from_u64(i)));
    let order = element(order_plus(0));
    let small: Vec<Fr> = (0..4).map(Fr::from_u64).collect();
    let mut multiple = Fr::ZERO;
    for _ in 0..8 {
        // Around multiples of l, where intermediate points are near the neutral element.
        scalars.extend(small.iter().flat_map(|i| [multiple + *i, multiple - *i]));
        multiple += order;
    }
    // Where k begins another way, and all ones.
    let power = element([0, 0, 0, 1 << 58]);
    for i in 1..8 {
        let edge = power * Fr::from_u64(i);
        scalars.extend([edge, edge - Fr::ONE, order + edge, order + edge - Fr::ONE]);
    }
    let [base, other] = [Point::BASE8, points()[12]];
    for (i, scalar) in scalars.iter().enumerate() {
        let point = [base, other, Point::GENERATOR][i % 3];
        let (witness, satisfied) = run(&circuit, &[point.x, point.y, *scalar]);
        assert!(satisfied, "{scalar:?}");
        let expected = mul_naive(&point.mul_by_cofactor(), &scalar.to_canonical_limbs());
        assert_eq!(witness[1..3], [expected.x, expected.y], "{scalar:?}");
    }
}

#[test]
fn no_wire_of_a_multiple_is_free() {
    let circuit = multiple();
    let point = points()[12];
    for scalar in [Fr::from_words_reduced([5, 6, 7, 8]), Fr::ZERO, -Fr::ONE] {
        let (mut witness, satisfied) = run(&circuit, &[point.x, point.y, scalar]);
        assert!(satisfied);
        assert_every_wire_matters_but_quotients(&circuit, &mut witness);
    }
}

/// A quotient of a comparison is free where both its sum and its slack are zero; nothing else is.
fn assert_every_wire_matters_but_quotients(circuit: &Circuit<Fr>, witness: &mut [Fr]) {
    for wire in 1..witness.len() {
        witness[wire] += Fr::ONE;
        let changed = circuit.check(witness).is_err();
        witness[wire] -= Fr::ONE;
        assert!(changed || witness[wire] == Fr::ZERO, "wire {wire}");
    }
}

#[test]
fn points_of_small_order_and_off_the_curve_have_no_multiples() {
    let circuit = multiple();
    let scalar = Fr::from_u64(5);
    for i in 0..8 {
        let point = small_order(i);
        let (_, satisfied) = run(&circuit, &[point.x, point.y, scalar]);
        assert!(!satisfied, "order of {i}Q");
        let point = point.add(&Point::BASE8);
        assert!(run(&circuit, &[point.x, point.y, scalar]).1);
    }
    let base = Point::BASE8;
    for (x, y) in [
        (base.x + Fr::ONE, base.y),
        (Fr::ZERO, Fr::ZERO),
        (Fr::ZERO, Fr::from_u64(2)),
        (Fr::ONE, Fr::ONE),
        (Fr::ONE, -Fr::ONE),
        (base.y, base.x),
    ] {
        assert!(!run(&circuit, &[x, y, scalar]).1);
    }
}
