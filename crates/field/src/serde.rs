//! Field elements and bytes of fixed length by serde: the feature `serde`.
//!
//! Where text is read by people (JSON) an element is a string of decimal digits, as circom and snarkjs have it. Bytes
//! are a string of hexadecimal digits after `0x`. Elsewhere an element is the bytes of its value, the least significant
//! first. Bytes are a tuple there, without a length before them.
//!
//! Time depends on the values: for public ones.

use core::fmt;
pub use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

/// Gives a prime field of `$bytes` bytes `Serialize` and `Deserialize`.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_serde {
    ($field:ident, $bytes:literal) => {
        impl $crate::serde::Serialize for $field {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    $crate::serde::serialize_bytes(&self.to_le_bytes(), serializer)
                }
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $field {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    return $crate::serde::from_text(deserializer);
                }
                let bytes: [u8; $bytes] = $crate::serde::deserialize_bytes(deserializer)?;
                $crate::serde::element::<Self, D::Error>(Self::from_le_bytes(&bytes))
            }
        }
    };
}

/// An element of bytes that were below the modulus.
///
/// # Errors
/// Of serde, for bytes that were not.
pub fn element<T, E: de::Error>(element: crate::CtOption<T>) -> Result<T, E> {
    let error = crate::ParseElementError::NotBelowModulus;
    element.into_option().ok_or_else(|| E::custom(error))
}

/// A value from its text.
///
/// # Errors
/// Of serde, for what is no string, or none of such a value.
pub fn from_text<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: core::str::FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    struct Text<T>(core::marker::PhantomData<T>);

    impl<T: core::str::FromStr<Err: fmt::Display>> de::Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string of digits")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Text(core::marker::PhantomData))
}

/// Writes bytes as the head of this module says.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    use ser::SerializeTuple;
    if serializer.is_human_readable() {
        return serializer.collect_str(&Hexadecimal(bytes));
    }
    let mut tuple = serializer.serialize_tuple(bytes.len())?;
    for byte in bytes {
        tuple.serialize_element(byte)?;
    }
    tuple.end()
}

struct Hexadecimal<'a>(&'a [u8]);

impl fmt::Display for Hexadecimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Reads what [`serialize_bytes`] wrote.
///
/// # Errors
/// Of serde, for another number of bytes, or characters that are no hexadecimal digits.
pub fn deserialize_bytes<'de, const N: usize, D>(deserializer: D) -> Result<[u8; N], D::Error>
where
    D: Deserializer<'de>,
{
    struct Bytes<const N: usize>;

    impl<'de, const N: usize> de::Visitor<'de> for Bytes<N> {
        type Value = [u8; N];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{N} bytes, as text 0x and {} hexadecimal digits", 2 * N)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<[u8; N], E> {
            let wrong = || E::invalid_value(de::Unexpected::Other("another text"), &self);
            let digits = text.strip_prefix("0x").ok_or_else(wrong)?.as_bytes();
            if digits.len() != 2 * N {
                return Err(wrong());
            }
            let mut bytes = [0; N];
            for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
                for digit in pair {
                    let digit = (*digit as char).to_digit(16).ok_or_else(wrong)?;
                    *byte = *byte << 4 | digit as u8;
                }
            }
            Ok(bytes)
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut bytes: A) -> Result<[u8; N], A::Error> {
            let mut read = [0; N];
            for (place, byte) in read.iter_mut().enumerate() {
                let wrong = || de::Error::invalid_length(place, &self);
                *byte = bytes.next_element()?.ok_or_else(wrong)?;
            }
            Ok(read)
        }
    }

    if deserializer.is_human_readable() {
        deserializer.deserialize_str(Bytes)
    } else {
        deserializer.deserialize_tuple(N, Bytes)
    }
}
