//! Points by serde: the feature `serde`.
//!
//! A point is a tuple of elements of the prime field: x before y, and in G2 the real part before the imaginary one.
//! Infinity is all zeros. An element of Banderwagon is its canonical encoding of 32 bytes. Whatever is
//! read is checked: on the curve and in the group.

use crate::engine::Coordinates;
use crate::{bandersnatch, bls12_381, bn254, secp256k1};
use frumious_field::serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use frumious_field::serde::{deserialize_bytes, serialize_bytes};

/// Writes the coefficients as a tuple.
fn serialize<F: Serialize, S: Serializer>(point: &[F], serializer: S) -> Result<S::Ok, S::Error> {
    use ser::SerializeTuple;
    let mut tuple = serializer.serialize_tuple(point.len())?;
    for coefficient in point {
        tuple.serialize_element(coefficient)?;
    }
    tuple.end()
}

/// Reads `n` coefficients.
fn deserialize<'de, F: Deserialize<'de>, D: Deserializer<'de>>(
    n: usize,
    deserializer: D,
) -> Result<Vec<F>, D::Error> {
    struct Coefficients<F>(usize, core::marker::PhantomData<F>);

    impl<'de, F: Deserialize<'de>> de::Visitor<'de> for Coefficients<F> {
        type Value = Vec<F>;

        fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            write!(f, "the {} coefficients of a point", self.0)
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut read: A) -> Result<Vec<F>, A::Error> {
            let mut coefficients = Vec::with_capacity(self.0);
            while coefficients.len() < self.0 {
                let wrong = || de::Error::invalid_length(coefficients.len(), &self);
                let coefficient = read.next_element()?.ok_or_else(wrong)?;
                coefficients.push(coefficient);
            }
            Ok(coefficients)
        }
    }

    deserializer.deserialize_tuple(n, Coefficients(n, core::marker::PhantomData))
}

macro_rules! impl_serde {
    ($affine:ty, $projective:ty) => {
        impl Serialize for $affine {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize(&self.coefficients(), serializer)
            }
        }

        impl<'de> Deserialize<'de> for $affine {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let coefficients = deserialize(2 * <$affine>::DEGREE, deserializer)?;
                Self::from_coefficients(&coefficients).map_err(de::Error::custom)
            }
        }

        impl Serialize for $projective {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_affine().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $projective {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$affine>::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

impl_serde!(bn254::G1Affine, bn254::G1Projective);
impl_serde!(bn254::G2Affine, bn254::G2Projective);
impl_serde!(bls12_381::G1Affine, bls12_381::G1Projective);
impl_serde!(bls12_381::G2Affine, bls12_381::G2Projective);
impl_serde!(secp256k1::Affine, secp256k1::Projective);

impl Serialize for bandersnatch::AffineElement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_bytes(&self.to_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for bandersnatch::AffineElement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bandersnatch::Element::deserialize(deserializer).map(|element| element.to_affine())
    }
}

impl Serialize for bandersnatch::Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_bytes(&self.to_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for bandersnatch::Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes: [u8; 32] = deserialize_bytes(deserializer)?;
        Self::from_bytes_vartime(&bytes).map_err(de::Error::custom)
    }
}
