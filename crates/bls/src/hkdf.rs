//! Keys from key material: HKDF with HMAC-SHA-256. Source: RFC 5869, RFC 2104. What is derived is wiped when dropped.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Bytes of a block of the hash function.
const BLOCK: usize = 64;

/// `HKDF-Extract` of the concatenated parts of the key material.
pub fn extract(salt: &[u8], key_material: &[&[u8]]) -> Zeroizing<[u8; 32]> {
    hmac(salt, key_material)
}

/// `HKDF-Expand`; `info` in parts. `N` is at most 255·32.
pub fn expand<const N: usize>(key: &[u8; 32], info: &[&[u8]]) -> Zeroizing<[u8; N]> {
    const { assert!(N <= 255 * 32) };
    let mut output = Zeroizing::new([0; N]);
    let mut previous = Zeroizing::new([0; 32]);
    for (chunk, index) in output.chunks_mut(32).zip(1..=255u8) {
        let counter = [index];
        let mut parts = vec![];
        if index > 1 {
            parts.push(&previous[..]);
        }
        parts.extend(info);
        parts.push(&counter);
        let next = hmac(key, &parts);
        previous = next;
        chunk.copy_from_slice(&previous[..chunk.len()]);
    }
    output
}

/// HMAC of the concatenated parts.
fn hmac(key: &[u8], parts: &[&[u8]]) -> Zeroizing<[u8; 32]> {
    let mut block = Zeroizing::new([0; BLOCK]);
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Zeroizing::new(<[u8; 32]>::from(Sha256::digest(key)))[..]);
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let padded = |pad: u8| Zeroizing::new(block.map(|byte| byte ^ pad));
    let mut inner = Sha256::new_with_prefix(&padded(0x36)[..]);
    for part in parts {
        inner.update(part);
    }
    let inner = Zeroizing::new(<[u8; 32]>::from(inner.finalize()));
    let mut outer = Sha256::new_with_prefix(&padded(0x5c)[..]);
    outer.update(&inner[..]);
    Zeroizing::new(outer.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(digits: &str) -> Vec<u8> {
        let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hex");
        (0..digits.len()).step_by(2).map(byte).collect()
    }

    /// RFC 5869, appendix A.1.
    #[test]
    fn short_inputs() {
        let key = extract(&bytes("000102030405060708090a0b0c"), &[&[0x0b; 22]]);
        let expected = "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5";
        assert_eq!(key[..], bytes(expected));
        let output = expand::<42>(&key, &[&bytes("f0f1f2f3f4"), &bytes("f5f6f7f8f9")]);
        let expected =
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865";
        assert_eq!(output[..], bytes(expected));
    }

    /// RFC 5869, appendix A.2: a salt longer than a block, three digests of output.
    #[test]
    fn long_inputs() {
        let count = |from: u8, to: u8| (from..=to).collect::<Vec<u8>>();
        let material = count(0, 0x4f);
        let key = extract(&count(0x60, 0xaf), &[&material[..7], &material[7..]]);
        let expected = "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244";
        assert_eq!(key[..], bytes(expected));
        let output = expand::<82>(&key, &[&count(0xb0, 0xff)]);
        let expected = "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
                        59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
                        cc30c58179ec3e87c14c01d5c1f3434f1d87";
        assert_eq!(output[..], bytes(expected));
    }

    /// RFC 5869, appendix A.3: no salt, no info.
    #[test]
    fn empty_inputs() {
        let key = extract(&[], &[&[0x0b; 22]]);
        let output = expand::<42>(&key, &[]);
        let expected =
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8";
        assert_eq!(output[..], bytes(expected));
    }
}
