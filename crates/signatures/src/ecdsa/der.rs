//! Signatures in DER: `SEQUENCE { INTEGER r, INTEGER s }`. Strict: one encoding of each signature and no other is read
//! (BIP-66).

use super::Signature;
use crate::Error;

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;

impl Signature {
    /// From DER, as X.509, Bitcoin's scripts and OpenSSL have it.
    ///
    /// # Errors
    /// [`Error::SignatureDer`] where the bytes are not two positive integers of at most 256 bits encoded so.
    /// [`Error::SignatureRange`] where one is zero or not below the group's order.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        // lengths below 128 take one byte, and this is at most 2·35
        let [SEQUENCE, length, rest @ ..] = bytes else {
            return Err(Error::SignatureDer);
        };
        if usize::from(*length) != rest.len() || rest.len() > 2 * 35 {
            return Err(Error::SignatureDer);
        }
        let (r, rest) = integer(rest)?;
        let (s, rest) = integer(rest)?;
        if !rest.is_empty() {
            return Err(Error::SignatureDer);
        }
        Self::from_scalars(&r, &s)
    }

    /// DER, at most 72 bytes.
    pub fn to_der(&self) -> Vec<u8> {
        let compact = self.to_bytes();
        let mut bytes = vec![SEQUENCE, 0];
        for number in compact.chunks(32) {
            let digits = number
                .iter()
                .position(|byte| *byte != 0)
                .map_or(&number[31..], |first| &number[first..]);
            let padded = digits[0] >> 7;
            bytes.extend([INTEGER, digits.len() as u8 + padded]);
            bytes.extend(core::iter::repeat_n(0, padded.into()));
            bytes.extend(digits);
        }
        bytes[1] = bytes.len() as u8 - 2;
        bytes
    }
}

/// A positive integer of at most 32 bytes in the fewest bytes, and what follows it.
fn integer(bytes: &[u8]) -> Result<([u8; 32], &[u8]), Error> {
    let [INTEGER, length, rest @ ..] = bytes else {
        return Err(Error::SignatureDer);
    };
    let (digits, rest) = rest
        .split_at_checked((*length).into())
        .ok_or(Error::SignatureDer)?;
    let digits = match digits {
        [0, next, ..] if *next < 0x80 => return Err(Error::SignatureDer), // a zero too many
        [0, digits @ ..] if !digits.is_empty() => digits,
        [0..0x80, ..] => digits,
        _ => return Err(Error::SignatureDer), // none, or negative
    };
    let mut number = [0; 32];
    let start = 32usize
        .checked_sub(digits.len())
        .ok_or(Error::SignatureDer)?;
    number[start..].copy_from_slice(digits);
    Ok((number, rest))
}
