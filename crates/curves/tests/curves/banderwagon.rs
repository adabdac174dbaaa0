//! The group Banderwagon: laws, the curve's equation in affine coordinates as the twin, both backends, vectors.

use frumious_curves::EncodingError;
use frumious_curves::bandersnatch::{
    AffineElement, Element, Fq, Fr, TableEntry, batch_from_bytes_vartime,
    batch_from_uncompressed_vartime, batch_map_to_scalar_field_vartime,
    batch_to_affine_into_vartime, batch_to_affine_vartime, batch_to_bytes_vartime,
};
use frumious_curves::edwards::Extended;
use frumious_field::kernel::{Dispatched, KernelField};
use frumious_field::{ConditionallySelectable, Reduced, dispatch_kernel};
use frumious_testing::field_suite::TestRng;
use serde_json::Value;

/// `2^i·G`, i = 0..16: go-ipa `banderwagon/element_test.go` `TestEncodingFixedVectors`, also in rust-verkle and
/// Constantine.
const DOUBLINGS: [&str; 16] = [
    "4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9",
    "43aa74ef706605705989e8fd38df46873b7eae5921fbed115ac9d937399ce4d5",
    "5e5f550494159f38aa54d2ed7f11a7e93e4968617990445cc93ac8e59808c126",
    "0e7e3748db7c5c999a7bcd93d71d671f1f40090423792266f94cb27ca43fce5c",
    "14ddaa48820cb6523b9ae5fe9fe257cbbd1f3d598a28e670a40da5d1159d864a",
    "6989d1c82b2d05c74b62fb0fbdf8843adae62ff720d370e209a7b84e14548a7d",
    "26b8df6fa414bf348a3dc780ea53b70303ce49f3369212dec6fbe4b349b832bf",
    "37e46072db18f038f2cc7d3d5b5d1374c0eb86ca46f869d6a95fc2fb092c0d35",
    "2c1ce64f26e1c772282a6633fac7ca73067ae820637ce348bb2c8477d228dc7d",
    "297ab0f5a8336a7a4e2657ad7a33a66e360fb6e50812d4be3326fab73d6cee07",
    "5b285811efa7a965bd6ef5632151ebf399115fcc8f5b9b8083415ce533cc39ce",
    "1f939fa2fd457b3effb82b25d3fe8ab965f54015f108f8c09d67e696294ab626",
    "3088dcb4d3f4bacd706487648b239e0be3072ed2059d981fe04ce6525af6f1b8",
    "35fbc386a16d0227ff8673bc3760ad6b11009f749bb82d4facaea67f58fc60ed",
    "00f29b4f3255e318438f0a31e058e4c081085426adb0479f14c64985d0b956e0",
    "3fa4384b2fa0ecc3c0582223602921daaa893a97b64bdf94dcaa504e8b7b9e5f",
];

/// Curve points outside the subgroup: go-ipa `banderwagon/element_test.go` `TestPointAtInfinityComponent`.
const OUTSIDE: [&str; 4] = [
    "280e608d5bbbe84b16aac62aa450e8921840ea563f1c9c266e0240d89cbe6a78",
    "1b6989e2393c65bbad7567929cdbd72bbf0218521d975b0fb209fba0ee493c32",
    "31468782818807366dbbcd20b9f10f0d5b93f22e33fe49b450dfbddaf3ba6a9b",
    "120faa1df94d5d831bbb69fc44816e25afd27288a333299ac3c94518fd0e016f",
];

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    let hex = hex.strip_prefix("0x").unwrap_or(hex);
    assert_eq!(hex.len(), 2 * N, "{hex}");
    core::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex"))
}

fn scalar(rng: &mut TestRng) -> Fr {
    let bytes: [u8; 64] = core::array::from_fn(|_| rng.next_u64() as u8);
    Fr::from_uniform_bytes(&bytes)
}

/// The other representative, `(-x, -y)`, through the encoding that keeps representatives.
fn other(element: &Element) -> Element {
    let point = element.to_affine();
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&(-point.x()).to_be_bytes());
    bytes[32..].copy_from_slice(&(-point.y()).to_be_bytes());
    Element::from_uncompressed(&bytes).expect("the other representative")
}

/// Elements at the edges and some without pattern, in both representatives, with Z other than one.
fn elements() -> Vec<Element> {
    let mut rng = TestRng::new(3);
    let mut elements = vec![Element::IDENTITY, Element::GENERATOR, -Element::GENERATOR];
    for _ in 0..6 {
        elements.push(Element::GENERATOR.mul_vartime(&scalar(&mut rng)));
    }
    let others: Vec<Element> = elements.iter().map(other).collect();
    elements.extend(others);
    elements
}

/// The affine law, from the curve's definition.
fn naive_sum(p: &AffineElement, q: &AffineElement) -> (Fq, Fq) {
    let product = AffineElement::D * p.x() * q.x() * p.y() * q.y();
    let invert = |value: Fq| value.invert().expect("complete on Banderwagon");
    let five = Fq::from_u64(5);
    (
        (p.x() * q.y() + p.y() * q.x()) * invert(Fq::ONE + product),
        (p.y() * q.y() + five * p.x() * q.x()) * invert(Fq::ONE - product),
    )
}

#[test]
fn sums_are_those_of_the_definition() {
    for p in elements() {
        for q in elements() {
            let (a, b) = (p.to_affine(), q.to_affine());
            let sum = (p + q).to_affine();
            assert_eq!((sum.x(), sum.y()), naive_sum(&a, &b)); // of the points, not only of the classes
            assert_eq!(p + q, q + p);
            assert_eq!(p + b, p + q);
            assert_eq!((p - q) + q, p);
            let mut assigned = p;
            assigned += q;
            assigned -= p;
            assert_eq!(assigned, q);
        }
        assert_eq!(p.double(), p + p);
        let (double, a) = (p.double().to_affine(), p.to_affine());
        assert_eq!((double.x(), double.y()), naive_sum(&a, &a));
        assert_eq!(p - p, Element::IDENTITY);
        assert!(bool::from((p - p).is_identity()));
        assert!(bool::from((p + other(&-p)).is_identity()));
        assert_eq!(p, other(&p));
        assert_ne!(p, p + Element::GENERATOR);
        assert_eq!(Element::conditional_select(&p, &-p, 1.into()), -p);
    }
}

#[test]
fn kernels_of_every_backend_equal_the_group() {
    fn check<V: KernelField<Scalar = Fq>>(cpu: V::Cpu) {
        let d = V::load(cpu, AffineElement::D);
        for p in elements() {
            for q in elements() {
                let entry = TableEntry::from(q.to_affine());
                assert_eq!(entry.to_element(), Some(q));
                let kernel: Extended<V> = p.to_kernel(cpu);
                let back = |point| Element::from_kernel_unchecked(point);
                assert_eq!(back(kernel.add(q.to_kernel(cpu), d)), p + q);
                assert_eq!(back(kernel.add_entry(entry.to_kernel(cpu))), p + q);
                assert_eq!(back(kernel.add_entry(entry.neg().to_kernel(cpu))), p - q);
                let last = kernel.add_entry_last(entry.to_kernel(cpu));
                assert_eq!(Element::from_kernel_projective_unchecked(last), p + q);
                assert_eq!(back(last.double_extended()), (p + q).double());
                assert_eq!(
                    back(
                        last.double()
                            .double_extended()
                            .add_entry(entry.to_kernel(cpu))
                    ),
                    (p + q).double().double() + q
                );
                assert_eq!(back(kernel.double()), p.double());
                assert_eq!(back(Extended::identity(cpu).add(kernel, d)), p);
                let a = p.to_affine();
                let affine = Extended::from_affine(cpu, V::load(cpu, a.x()), V::load(cpu, a.y()));
                assert_eq!(back(affine.add(q.to_kernel(cpu), d)), p + q);
            }
        }
    }
    check::<Reduced<Fq, _>>(Dispatched);
    dispatch_kernel!(cpu => check::<Reduced<Fq, _>>(cpu));
    check::<Reduced<Fq, _>>(frumious_field::kernel::Portable);
}

frumious_testing::group_suite!(group, scalars: Fr, points: Element, special: []);

#[test]
fn multiples_of_either_representative_are_equal() {
    let point = Element::GENERATOR.double();
    for scalar in group::scalars() {
        let expected = group::naive_mul(&point, &scalar);
        assert_eq!(point * scalar, expected);
        assert_eq!(other(&point).mul(&scalar), expected);
        assert_eq!(other(&point).mul_vartime(&scalar), expected);
    }
}

#[test]
fn known_encodings() {
    let mut element = Element::GENERATOR;
    for hex in DOUBLINGS {
        assert_eq!(element.to_bytes(), bytes::<32>(hex));
        assert_eq!(format!("{element:?}"), format!("0x{hex}"));
        for decoded in [
            Element::from_bytes(&bytes(hex)),
            Element::from_bytes_vartime(&bytes(hex)),
        ] {
            assert_eq!(decoded, Ok(element));
        }
        element = element.double();
    }
    assert_eq!(Element::IDENTITY.to_bytes(), [0; 32]);
    assert_eq!(Element::from_bytes(&[0; 32]), Ok(Element::IDENTITY));
    assert_eq!(Element::from_bytes_vartime(&[0; 32]), Ok(Element::IDENTITY));
    for hex in OUTSIDE {
        assert_eq!(
            Element::from_bytes(&bytes(hex)),
            Err(EncodingError::NotInSubgroup)
        );
        assert_eq!(
            Element::from_bytes_vartime(&bytes(hex)),
            Err(EncodingError::NotInSubgroup)
        );
    }
}

#[test]
fn encodings_round_trip() {
    for p in elements() {
        assert_eq!(p.to_bytes(), other(&p).to_bytes());
        assert_eq!(Element::from_bytes(&p.to_bytes()), Ok(p));
        let point = p.to_affine();
        let kept = AffineElement::from_uncompressed(&p.to_uncompressed()).expect("an element");
        assert_eq!((kept.x(), kept.y()), (point.x(), point.y()));
        let kept =
            AffineElement::from_uncompressed_le(&p.to_uncompressed_le()).expect("an element");
        assert_eq!((kept.x(), kept.y()), (point.x(), point.y()));
        assert_eq!(Element::from_uncompressed(&p.to_uncompressed()), Ok(p));
        assert_eq!(
            Element::from_uncompressed_le(&p.to_uncompressed_le()),
            Ok(p)
        );
        let canonical = AffineElement::from_uncompressed_canonical(&p.to_uncompressed());
        if bool::from(point.y().is_lexicographically_largest()) {
            assert_eq!(canonical, Ok(point));
        } else {
            assert_eq!(canonical, Err(EncodingError::NonCanonical));
        }
    }
}

/// Every x, on random bytes and edges: both decoders agree with the definition.
#[test]
fn decoding_accepts_exactly_the_elements() {
    let mut rng = TestRng::new(17);
    let mut seen = [0; 4];
    for case in 0..400u64 {
        let mut x: [u8; 32] = core::array::from_fn(|_| rng.next_u64() as u8);
        x[0] >>= case % 2;
        if case < 20 {
            x = Fq::from_u64(case).to_be_bytes();
        }
        let result = AffineElement::from_bytes_vartime(&x);
        assert_eq!(result, AffineElement::from_bytes(&x));
        let expected = match Fq::from_be_bytes(&x).into_option() {
            None => Err(EncodingError::NonCanonical),
            Some(x) => {
                let square = x.square();
                let numerator = Fq::ONE + Fq::from_u64(5) * square;
                let denominator = Fq::ONE - AffineElement::D * square;
                let quotient = numerator * denominator.invert().expect("not zero");
                match (
                    quotient.sqrt().into_option(),
                    numerator.sqrt().into_option(),
                ) {
                    (None, _) => Err(EncodingError::NotOnCurve),
                    (_, None) => Err(EncodingError::NotInSubgroup),
                    (Some(y), _) => Ok((x, y)),
                }
            }
        };
        match (result, expected) {
            (Ok(point), Ok((x, y))) => {
                assert_eq!(point.x(), x);
                assert!(point.y() == y || point.y() == -y);
                assert!(bool::from(point.y().is_lexicographically_largest()));
                seen[0] += 1;
            }
            (Err(error), Err(expected)) => {
                assert_eq!(error, expected);
                seen[1 + error as usize] += 1;
            }
            (result, expected) => panic!("{result:?} instead of {expected:?}"),
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn uncompressed_bytes_are_checked() {
    let good = Element::GENERATOR.to_uncompressed();
    for i in 0..64 {
        let mut bad = good;
        bad[i] ^= 1;
        assert!(Element::from_uncompressed(&bad).is_err());
        assert!(Element::from_uncompressed_le(&bad).is_err());
    }
    // p itself instead of 0
    let mut bad = Element::IDENTITY.to_uncompressed();
    bad[..32].copy_from_slice(&(-Fq::ONE).to_be_bytes());
    bad[31] += 1;
    assert_eq!(
        Element::from_uncompressed(&bad),
        Err(EncodingError::NonCanonical)
    );
}

#[test]
fn batches_equal_single_operations() {
    let elements = elements();
    let encodings = batch_to_bytes_vartime(&elements);
    assert_eq!(
        encodings,
        elements.iter().map(Element::to_bytes).collect::<Vec<_>>()
    );
    let maps = batch_map_to_scalar_field_vartime(&elements);
    assert_eq!(
        maps,
        elements
            .iter()
            .map(Element::map_to_scalar_field)
            .collect::<Vec<_>>()
    );
    for (element, point) in elements.iter().zip(batch_to_affine_vartime(&elements)) {
        let single = element.to_affine();
        assert_eq!((point.x(), point.y()), (single.x(), single.y()));
        assert_eq!(point.map_to_scalar_field(), element.map_to_scalar_field());
        assert_eq!(element.map_to_base_field() * point.y(), point.x());
    }
    // affine elements between others, at the ends and alone
    for range in (0..=elements.len()).flat_map(|end| [0..end, end / 2..end, end..elements.len()]) {
        let mut targets = vec![AffineElement::GENERATOR; range.len()];
        batch_to_affine_into_vartime(&elements[range.clone()], &mut targets);
        for (element, target) in elements[range].iter().zip(targets) {
            let single = element.to_affine();
            assert_eq!((target.x(), target.y()), (single.x(), single.y()));
        }
    }
    let decoded = batch_from_bytes_vartime(&encodings).expect("elements");
    assert_eq!(decoded, batch_to_affine_vartime(&elements));
    let uncompressed: Vec<[u8; 64]> = elements.iter().map(Element::to_uncompressed).collect();
    assert_eq!(batch_from_uncompressed_vartime(&uncompressed), Ok(decoded));

    let mut bad = encodings;
    bad[4] = bytes(OUTSIDE[0]);
    let error = batch_from_bytes_vartime(&bad).expect_err("one is outside");
    assert_eq!(
        (error.index, error.error),
        (4, EncodingError::NotInSubgroup)
    );
    for empty in [
        batch_from_bytes_vartime(&[]).map(|e| e.len()),
        Ok(batch_to_bytes_vartime(&[]).len()),
    ] {
        assert_eq!(empty, Ok(0));
    }
    assert!(batch_map_to_scalar_field_vartime(&[]).is_empty());
}

#[test]
fn known_map_to_scalar_field() {
    // jsign/verkle-test-vectors crypto/002_map_to_field_element.json
    let point = bytes("524996a95838712c4580220bb3de453d76cffd7f732f89914d4417bc8e99b513");
    let element = Element::from_bytes(&point).expect("an element");
    assert_eq!(
        element.map_to_scalar_field().to_decimal_vartime(),
        "1602367074286641892936178194767539697052310289002448301322215915698370022151"
    );
    assert_eq!(Element::IDENTITY.map_to_scalar_field(), Fr::ZERO);
}

fn vector(name: &str) -> Option<Value> {
    let path = frumious_testing::shared(format!("vectors/verkle/{name}"))?;
    let text = std::fs::read_to_string(path).expect("a vector");
    Some(serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn vectors_of_curve_and_encodings() {
    let Some(curve) = vector("01_curve_params.json") else {
        return;
    };
    let text = |key: &str| curve[key].as_str().expect("text");
    assert_eq!(AffineElement::D.to_decimal_vartime(), text("d_dec"));
    assert_eq!(
        AffineElement::GENERATOR.x().to_decimal_vartime(),
        text("generator_x_dec")
    );
    assert_eq!(
        AffineElement::GENERATOR.y().to_decimal_vartime(),
        text("generator_y_dec")
    );
    let Some(bad) = vector("03_bad_points.json") else {
        return;
    };
    for hex in bad["compressed"].as_array().expect("a list") {
        let result = Element::from_bytes_vartime(&bytes(hex.as_str().expect("hex")));
        assert_eq!(result, Err(EncodingError::NotInSubgroup));
    }
    let Some(ops) = vector("12_ffi_uncompressed_ops.json") else {
        return;
    };
    let point = |key: &str| {
        let hex = ops["add_commitment"][key].as_str().expect("hex");
        Element::from_uncompressed_le(&bytes(hex)).expect("an element")
    };
    assert_eq!(point("lhs") + point("rhs"), point("sum"));
}

#[test]
fn vectors_of_jsign() {
    let Some(highest) = vector("jsign_crypto_003_serialize_lexicographically_highest.json") else {
        return;
    };
    let data = |value: &Value, key: &str| value["testData"][key].as_str().expect("hex").to_owned();
    let join = |value: &Value| -> [u8; 64] {
        let x: [u8; 32] = bytes(&data(value, "serializedXCoordinate"));
        let y: [u8; 32] = bytes(&data(value, "serializedYCoordinate"));
        core::array::from_fn(|i| if i < 32 { x[i] } else { y[i - 32] })
    };
    let point = AffineElement::from_uncompressed_canonical(&join(&highest)).expect("an element");
    assert_eq!(
        point.to_bytes(),
        bytes::<32>(&data(&highest, "expectedSerializedPoint"))
    );

    let lowest = vector("jsign_crypto_004_deserialize_lexicographically_lowest.json").expect("004");
    let result = AffineElement::from_uncompressed_canonical(&join(&lowest));
    assert_eq!(result, Err(EncodingError::NonCanonical));

    for (name, error) in [
        (
            "jsign_crypto_005_deserialize_point_not_in_curve.json",
            EncodingError::NotOnCurve,
        ),
        (
            "jsign_crypto_006_deserialize_point_not_in_subgroup.json",
            EncodingError::NotInSubgroup,
        ),
        (
            "jsign_crypto_007_deserialize_point_x_bigger_than_field.json",
            EncodingError::NonCanonical,
        ),
    ] {
        let vector = vector(name).expect(name);
        let result = Element::from_bytes_vartime(&bytes(&data(&vector, "serializedPoint")));
        assert_eq!(result, Err(error), "{name}");
    }
}
