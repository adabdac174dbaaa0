//! The formats, each with a valid file and its reader, and how a refusal must read.

use super::super::support::binfile::Binfile;
use frumious_circom::{Error, R1cs, Wtns};
use frumious_snarkjs::{Ptau, Zkey, bls12_381};

/// A format with a valid file and its complete check.
pub struct Format {
    pub name: &'static str,
    pub file: Binfile,
    pub read: fn(Vec<u8>) -> Result<(), Error>,
}

pub fn expect(format: &Format, bytes: Vec<u8>, message: &str) {
    let error = (format.read)(bytes).expect_err(message);
    assert_names_place(&error, format.name);
    let text = error.to_string();
    assert!(text.contains(message), "{:?} expected in {text:?}", message);
}

pub fn assert_names_place(error: &Error, name: &str) {
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("{name} file, section ")),
        "{text}"
    );
    assert!(text.contains(", byte "), "{text}");
}

/// Sections without which a file is valid.
pub fn is_optional(format: &Format, id: u32) -> bool {
    match format.name {
        "zkey" => id == 10,
        "ptau" => id == 7 || id >= 12,
        _ => false,
    }
}

/// Sections whose contents are not looked at.
pub fn is_unread(format: &Format, id: u32) -> bool {
    format.name == "ptau" && id == 7
}

/// True if the file remains valid with the first `count` sections only.
pub fn is_optional_last(format: &Format, count: u32) -> bool {
    let rest = &format.file.ids()[count as usize..];
    rest.iter().all(|&id| is_optional(format, id))
}

pub fn modulus_bytes(words: &[u64; 4]) -> [u8; 32] {
    std::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
}

pub fn read_zkey(bytes: Vec<u8>) -> Result<(), Error> {
    Zkey::from_bytes(bytes)?.check()
}

/// r1cs, wtns, zkey, ptau, over BLS12-381.
pub fn formats_bls12_381() -> [Format; 4] {
    [
        Format {
            name: "r1cs",
            file: Binfile::parse(include_bytes!("../../data/bls12_381/mul.r1cs")),
            read: |bytes| frumious_circom::bls12_381::R1cs::from_bytes(bytes).map(|_| ()),
        },
        Format {
            name: "wtns",
            file: Binfile::parse(include_bytes!("../../data/bls12_381/mul.wtns")),
            read: |bytes| frumious_circom::bls12_381::Wtns::from_bytes(&bytes).map(|_| ()),
        },
        Format {
            name: "zkey",
            file: Binfile::parse(include_bytes!("../../data/bls12_381/contributed.zkey")),
            read: |bytes| bls12_381::Zkey::from_bytes(bytes)?.check(),
        },
        Format {
            name: "ptau",
            file: Binfile::parse(include_bytes!("../../data/bls12_381/pot2.ptau")),
            read: |bytes| bls12_381::Ptau::from_bytes(bytes).map(|_| ()),
        },
    ]
}

/// r1cs, wtns, zkey, ptau.
pub fn formats() -> [Format; 4] {
    [
        Format {
            name: "r1cs",
            file: Binfile::parse(include_bytes!("../../data/mul.r1cs")),
            read: |bytes| R1cs::from_bytes(bytes).map(|_| ()),
        },
        Format {
            name: "wtns",
            file: Binfile::parse(include_bytes!("../../data/mul.wtns")),
            read: |bytes| Wtns::from_bytes(&bytes).map(|_| ()),
        },
        Format {
            name: "zkey",
            file: Binfile::parse(include_bytes!("../../data/mul.zkey")),
            read: read_zkey,
        },
        Format {
            name: "ptau",
            file: Binfile::parse(include_bytes!("../../data/pot2.ptau")),
            read: |bytes| Ptau::from_bytes(bytes).map(|_| ()),
        },
    ]
}
