//! The arguments of contributions to a ceremony, of either phase.

use clap::Args;
use frumious_app::phase2::{BEACON_EXPONENTS, BEACON_HASH_BYTES};

/// A contribution by a person.
#[derive(Args)]
pub struct Person {
    /// Name of the contributor; 64 characters are kept
    #[arg(long, short, value_name = "NAME")]
    pub name: Option<String>,
    /// Random text to mix with the operating system's randomness; without TEXT, a line is read from stdin. TEXT may be
    /// in lists of processes and in the shell's history
    #[arg(long, short, value_name = "TEXT", num_args = 0..=1, default_missing_value = "")]
    pub entropy: Option<String>,
}

/// A contribution by a public random beacon.
#[derive(Args)]
pub struct BeaconValue {
    /// The beacon: 1 to 255 bytes in hexadecimal
    #[arg(value_name = "HEX", value_parser = beacon_hash)]
    pub hash: BeaconHash,
    /// SHA-256 is applied 2^K times, K from 10 to 63
    #[arg(value_name = "ITERATIONS_EXP", value_parser = beacon_exponent)]
    pub exponent: u8,
    /// Name of the contribution; 64 characters are kept
    #[arg(long, short, value_name = "NAME")]
    pub name: Option<String>,
}

/// The bytes of a beacon.
#[derive(Clone)]
pub struct BeaconHash(pub Vec<u8>);

/// Reads the bytes of a beacon.
pub fn beacon_hash(text: &str) -> Result<BeaconHash, String> {
    let wrong = || "an even number of hexadecimal digits is expected".to_owned();
    if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let pairs = (0..text.len()).step_by(2).map(|at| &text[at..at + 2]);
    let bytes: Result<Vec<u8>, _> = pairs.map(|pair| u8::from_str_radix(pair, 16)).collect();
    let bytes = bytes.map_err(|_| wrong())?;
    match BEACON_HASH_BYTES.contains(&bytes.len()) {
        true => Ok(BeaconHash(bytes)),
        false => Err("1 to 255 bytes are expected".into()),
    }
}

/// Reads the logarithm of the number of iterations.
pub fn beacon_exponent(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(exponent) if BEACON_EXPONENTS.contains(&exponent) => Ok(exponent),
        _ => Err("a number from 10 to 63 is expected".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{beacon_exponent, beacon_hash};

    #[test]
    fn beacons_are_hexadecimal() {
        for (text, bytes) in [
            ("00fF", Some(vec![0, 255])),
            ("", None),
            ("0x01", None),
            ("012", None),
            ("0g", None),
            ("é1", None),
        ] {
            assert_eq!(beacon_hash(text).ok().map(|hash| hash.0), bytes, "{text}");
        }
        assert!(beacon_hash(&"ab".repeat(255)).is_ok());
        assert!(beacon_hash(&"ab".repeat(256)).is_err());
        let exponents = ["9", "10", "63", "64", "-1", "x"];
        let expected = [None, Some(10), Some(63), None, None, None];
        assert_eq!(exponents.map(|text| beacon_exponent(text).ok()), expected);
    }
}
