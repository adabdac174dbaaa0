//! Batches against single operations: over the model, and in every backend that this CPU has.

use super::*;
use crate::bandersnatch::Fr;
use crate::to_affine::ToAffine;
use frumious_limbs::{Backend, backend};
use frumious_simd::Model;
use std::sync::Mutex;

/// Lengths around one block, two blocks and three.
const LENGTHS: [usize; 10] = [0, 1, 2, 3, 7, 8, 9, 16, 17, 25];

/// Elements by either representative, the neutral one among them, with `Z = 1` and with others.
fn elements(length: usize) -> Vec<Element> {
    let mut element = Element::GENERATOR.mul_vartime(&Fr::from_u64(0x1234_5678_9abc));
    (0..length)
        .map(|i| {
            element = element.double();
            let [x, y, z] = element.coordinates();
            let t = x * y;
            match i % 5 {
                0 => element,
                1 => Element::from_coordinates([-x * z, -y * z, z * z, t]),
                2 => Element::from(element.to_affine()),
                3 => element.sub(&element), // neutral, with a Z of its own
                _ => Element::IDENTITY,
            }
        })
        .collect()
}

/// Encodings of no element, with what is wrong; the last is the modulus.
fn bad_encodings() -> Vec<([u8; 32], EncodingError)> {
    let mut modulus = (-Fq::ONE).to_be_bytes();
    modulus[31] += 1;
    let mut bad: Vec<_> = (0..40)
        .map(|x| Fq::from_u64(x).to_be_bytes())
        .chain([[0xff; 32], modulus])
        .filter_map(|bytes| Some((bytes, AffineElement::from_bytes(&bytes).err()?)))
        .collect();
    bad.dedup_by_key(|(_, error)| *error);
    bad
}

fn in_every_backend(check: impl Fn()) {
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock();
    let before = backend::active();
    for backend in Backend::ALL {
        if backend::set(backend).is_ok() {
            check();
        } else {
            println!("SKIP: no {backend:?} on this CPU");
        }
    }
    backend::set(before).expect("it was in use");
}

fn coordinates(points: &[AffineElement]) -> Vec<(Fq, Fq)> {
    points.iter().map(|point| (point.x(), point.y())).collect()
}

#[test]
fn bad_encodings_are_of_every_kind() {
    let bad = bad_encodings();
    for kind in [
        EncodingError::NonCanonical,
        EncodingError::NotOnCurve,
        EncodingError::NotInSubgroup,
    ] {
        assert!(bad.iter().any(|(_, error)| *error == kind), "{kind}");
    }
    assert!(bad.len() >= 6);
}

#[test]
fn decoding_equals_single_decoding() {
    let encodings: Vec<_> = elements(25).iter().map(Element::to_bytes).collect();
    let expected: Vec<_> = encodings
        .iter()
        .map(|bytes| AffineElement::from_bytes(bytes).expect("an element"))
        .collect();
    let expected = coordinates(&expected);
    for length in LENGTHS {
        let mut points = vec![AffineElement::GENERATOR; length];
        let result = Model::run(Decode::new(&encodings[..length], &mut points));
        assert_eq!(result, Ok(()));
        assert_eq!(coordinates(&points), expected[..length]);
    }
    in_every_backend(|| {
        for length in LENGTHS {
            let points = batch_from_bytes_vartime(&encodings[..length]).expect("elements");
            assert_eq!(coordinates(&points), expected[..length]);
        }
    });
}

#[test]
fn the_first_bad_encoding_is_told() {
    let good: Vec<_> = elements(25).iter().map(Element::to_bytes).collect();
    let bad = bad_encodings();
    let cases = bad.iter().enumerate().flat_map(|(n, (bytes, error))| {
        // one bad, and another after it, near and far
        [0, 7, 8, 15, 16, 24].map(|index| {
            let mut encodings = good.clone();
            let after = index + 1 + n % 12;
            if let Some(later) = encodings.get_mut(after) {
                *later = bad[(n + 1) % bad.len()].0;
            }
            encodings[index] = *bytes;
            (encodings, index, *error)
        })
    });
    let cases: Vec<_> = cases.collect();
    for (encodings, index, _) in cases.iter().step_by(5) {
        let mut points = vec![AffineElement::GENERATOR; encodings.len()];
        let result = Model::run(Decode::new(encodings, &mut points));
        assert_eq!(result, Err(*index));
    }
    in_every_backend(|| {
        for (encodings, index, error) in &cases {
            let (index, error) = (*index, *error);
            let found = batch_from_bytes_vartime(encodings).expect_err("one is none");
            assert_eq!(found, BatchError { index, error });
        }
    });
}

#[test]
fn quotients_equal_single_quotients() {
    let elements = elements(25);
    let affine: Vec<_> = elements.iter().map(Element::to_affine).collect();
    let affine = coordinates(&affine);
    let encodings: Vec<_> = elements.iter().map(Element::to_bytes).collect();
    let scalars: Vec<_> = elements.iter().map(Element::map_to_scalar_field).collect();
    for length in LENGTHS {
        let elements = &elements[..length];
        let mut points = vec![AffineElement::GENERATOR; length];
        let mut quotients = ToAffine::new(elements, &mut points);
        Model::run(InvertAll(&mut quotients));
        quotients.targets.finish();
        assert_eq!(coordinates(&points), affine[..length]);

        let mut bytes = vec![[1; 32]; length];
        let mut room = vec![[1; 4]; length.next_multiple_of(LANES)];
        let mut quotients = Encode::new(elements, &mut bytes, &mut room);
        Model::run(InvertAll(&mut quotients));
        quotients.encodings.finish();
        assert_eq!(bytes, encodings[..length]);

        let mut found = vec![Fr::ONE; length];
        let mut quotients = ToScalars::new(elements, &mut found);
        Model::run(InvertAll(&mut quotients));
        quotients.scalars.finish();
        assert_eq!(found, scalars[..length]);
    }
    in_every_backend(|| {
        for length in LENGTHS {
            let elements = &elements[..length];
            let points = batch_to_affine_vartime(elements);
            assert_eq!(coordinates(&points), affine[..length]);
            assert_eq!(batch_to_bytes_vartime(elements), encodings[..length]);
            assert_eq!(
                batch_map_to_scalar_field_vartime(elements),
                scalars[..length]
            );
        }
    });
}

#[test]
fn encodings_of_affine_points_over_the_model_and_in_every_backend() {
    let points = batch_to_affine_vartime(&elements(25));
    let both: Vec<_> = points
        .iter()
        .flat_map(|point| [*point, point.neg()])
        .collect();
    let expected: Vec<_> = both.iter().map(AffineElement::to_bytes).collect();
    for length in LENGTHS {
        let mut bytes = vec![[1; 32]; length];
        Model::run(EncodeAffine::new(&both[..length], &mut bytes));
        assert_eq!(bytes, expected[..length]);
    }
    in_every_backend(|| {
        for length in LENGTHS {
            let mut bytes = vec![[1; 32]; length];
            batch_encode_affine_into_vartime(&both[..length], &mut bytes);
            assert_eq!(bytes, expected[..length]);
            let affine: Vec<Element> = both[..length].iter().map(|point| (*point).into()).collect();
            let targets = batch_to_affine_vartime(&affine);
            assert_eq!(coordinates(&targets), coordinates(&both[..length]));
        }
    });
}

#[test]
fn batches_longer_than_one_inversion() {
    let few = elements(16);
    let many: Vec<_> = (0..AT_ONCE + 9).map(|i| few[i * i % 16]).collect();
    in_every_backend(|| {
        let encodings = batch_to_bytes_vartime(&many);
        let scalars = batch_map_to_scalar_field_vartime(&many);
        let points = batch_to_affine_vartime(&many);
        for i in [0, 1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 8] {
            assert_eq!(encodings[i], many[i].to_bytes());
            assert_eq!(scalars[i], many[i].map_to_scalar_field());
            let single = many[i].to_affine();
            assert_eq!((points[i].x(), points[i].y()), (single.x(), single.y()));
        }
    });
}
