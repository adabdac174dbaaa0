//! Certificates and keys of a server, as `serve` and `submit --ca` read them.

use frumious_server::certificates::{chain_of, is_authority, signing_key_of, validity};

/// Any bytes as a certificate (DER), as a chain of them (PEM), and as a private key (PEM).
pub fn certificates(bytes: &[u8]) {
    certificate(bytes);
    for der in chain_of(bytes).into_iter().flatten() {
        certificate(&der);
    }
    if let Ok(key) = signing_key_of(bytes) {
        assert!(!bytes.is_empty());
        let _ = key.algorithm();
    }
}

/// It has a time of years with four digits, or none. What is behind it says nothing, and what is cut off says no more.
fn certificate(der: &[u8]) {
    let (valid, signs) = (validity(der), is_authority(der));
    if let Some(valid) = &valid {
        let years = OF_YEAR_0..OF_YEAR_10000;
        assert!(years.contains(valid.start()) && years.contains(valid.end()));
    }
    let longer = [der, &[0x30, 0]].concat();
    if valid.is_some() || signs {
        assert_eq!((validity(&longer), is_authority(&longer)), (valid, signs));
        let shorter = &der[..der.len() / 2];
        assert!(validity(shorter).is_none() || validity(shorter) == validity(der));
    }
}

/// Seconds since 1970.
const OF_YEAR_0: i64 = -62_167_219_200;
const OF_YEAR_10000: i64 = 253_402_300_800;
