//! The kind of a file, told by its first bytes.
//!
//! Nothing is parsed to its end: who asks wants to name a file that is in the wrong place. Values of inputs and
//! witnesses are passed over, and what was read of them is wiped.

mod json;

use std::ffi::OsStr;
use std::io::{Read, Seek};
use std::path::Path;

use frumious_mapping::open_regular_file;
use zeroize::Zeroizing;

/// A kind of file that people have beside a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Constraint system.
    R1cs,
    /// Witness.
    Wtns,
    /// Groth16 proving key in snarkjs' container.
    Zkey,
    /// PLONK proving key of snarkjs.
    PlonkKey,
    /// FFLONK proving key of snarkjs.
    FflonkKey,
    /// Groth16 proving key in our own container.
    Fkey,
    /// Proving key that a setup has begun.
    PartialKey,
    /// Powers of tau.
    Ptau,
    /// WebAssembly module.
    Wasm,
    /// Graph that computes a witness.
    Graph,
    /// List of a circuit's signals.
    Sym,
    /// Source of a circuit.
    Circom,
    /// Script, such as those that circom writes beside a module.
    Script,
    /// Solidity source.
    Solidity,
    /// Groth16 proof.
    Proof,
    /// Groth16 proof with its public signals, one a line.
    Statements,
    /// Groth16 verification key.
    VerifyingKey,
    /// Groth16 proving key as JSON.
    KeyJson,
    /// Proof of another proof system of snarkjs.
    OtherProof,
    /// Verification key of another proof system of snarkjs.
    OtherVerifyingKey,
    /// JSON array of numbers: public signals, or one vector.
    Numbers,
    /// Proof of a Verkle tree.
    VerkleProof,
    /// Claims about a Verkle tree.
    VerkleClaims,
    /// Openings to prove.
    VerkleOpenings,
    /// Tables for commitments.
    VerkleTables,
    /// Execution witness of a block.
    ExecutionWitness,
    /// Any other JSON object: inputs of a circuit.
    Inputs,
    /// JSON that says no more.
    Json,
    /// Web page, as a failed download leaves.
    Html,
    /// Compressed file or archive.
    Archive,
    /// Stand-in of Git LFS for a file that was not fetched.
    LfsPointer,
    /// Executable program.
    Program,
    /// Any other text.
    Text,
    /// Any other bytes.
    Bytes,
    /// File without a byte.
    Empty,
    /// Folder.
    Folder,
}

impl Kind {
    /// The kind of the file at `path`; none if it cannot be read, or is a pipe or a device.
    pub fn of_file(path: &Path) -> Option<Self> {
        if path.is_dir() {
            return Some(Kind::Folder);
        }
        let (mut file, metadata) = match open_regular_file(path) {
            Err(frumious_mapping::Error::Empty { .. }) => return Some(Kind::Empty),
            opened => opened.ok()?,
        };
        let length = metadata.len().min(HEAD_BYTES);
        let mut head = Zeroizing::new(vec![0; usize::try_from(length.min(MAGIC_BYTES)).ok()?]);
        file.read_exact(&mut head).ok()?;
        if !MAGIC.iter().any(|(magic, _)| head.starts_with(magic)) {
            // Text, which its first level tells.
            head = Zeroizing::new(Vec::with_capacity(usize::try_from(length).ok()?));
            file.rewind().ok()?;
            file.take(length).read_to_end(&mut head).ok()?;
        }
        match Self::of_bytes(&head) {
            Kind::Zkey | Kind::Bytes if has_extension(path, "partial") => Some(Kind::PartialKey),
            Kind::Text if has_extension(path, "sol") => Some(Kind::Solidity),
            Kind::Text if has_extension(path, "circom") => Some(Kind::Circom),
            Kind::Text if has_extension(path, "js") => Some(Kind::Script),
            kind => Some(kind),
        }
    }

    /// The kind of a file that begins with these bytes, or is these bytes.
    pub fn of_bytes(head: &[u8]) -> Self {
        for (magic, kind) in MAGIC {
            if head.starts_with(magic) {
                return match kind {
                    Kind::Zkey => kind_of_zkey(head),
                    other => *other,
                };
            }
        }
        if head.is_empty() {
            return Kind::Empty;
        }
        match text_of(head) {
            Some(text) => kind_of_text(text),
            None => Kind::Bytes,
        }
    }

    /// The kind with its article and its usual extension: "a witness (.wtns)".
    pub fn name(self) -> &'static str {
        match self {
            Kind::R1cs => "a constraint system (.r1cs)",
            Kind::Wtns => "a witness (.wtns)",
            Kind::Zkey => "a proving key (.zkey)",
            Kind::PlonkKey => "a PLONK proving key (.zkey)",
            Kind::FflonkKey => "an FFLONK proving key (.zkey)",
            Kind::Fkey => "a proving key (.fkey)",
            Kind::PartialKey => "a proving key that is not finished (.partial)",
            Kind::Ptau => "powers of tau (.ptau)",
            Kind::Wasm => "a WebAssembly module (.wasm)",
            Kind::Graph => "a graph of a witness generator",
            Kind::Sym => "a list of signals (.sym)",
            Kind::Circom => "the source of a circuit (.circom)",
            Kind::Script => "a script (.js)",
            Kind::Solidity => "a Solidity contract (.sol)",
            Kind::Proof => "a proof (JSON)",
            Kind::Statements => "proofs with their public signals (JSON)",
            Kind::VerifyingKey => "a verification key (JSON)",
            Kind::KeyJson => "a proving key as JSON",
            Kind::OtherProof => "a proof of PLONK or FFLONK (JSON)",
            Kind::OtherVerifyingKey => "a verification key of PLONK or FFLONK (JSON)",
            Kind::Numbers => "a JSON array of numbers, such as public signals",
            Kind::VerkleProof => "a proof of a Verkle tree (JSON)",
            Kind::VerkleClaims => "claims about a Verkle tree (JSON)",
            Kind::VerkleOpenings => "openings of polynomials (JSON)",
            Kind::VerkleTables => "tables for commitments",
            Kind::ExecutionWitness => "an execution witness (JSON)",
            Kind::Inputs => "a JSON object, such as inputs of a circuit",
            Kind::Json => "JSON",
            Kind::Html => "a web page (HTML)",
            Kind::Archive => "a compressed file or an archive",
            Kind::LfsPointer => "a stand-in of Git LFS for a file that was not fetched",
            Kind::Program => "a program",
            Kind::Text => "text of no known kind",
            Kind::Bytes => "of no known kind",
            Kind::Empty => "empty",
            Kind::Folder => "a folder",
        }
    }

    /// True for proving keys of any kind.
    pub fn is_key(self) -> bool {
        matches!(
            self,
            Kind::Zkey | Kind::Fkey | Kind::PlonkKey | Kind::FflonkKey
        )
    }

    /// True for what is made of other files at any time, and may be replaced by another such.
    pub fn is_product(self) -> bool {
        matches!(
            self,
            Kind::Proof
                | Kind::VerifyingKey
                | Kind::OtherProof
                | Kind::OtherVerifyingKey
                | Kind::Numbers
                | Kind::VerkleProof
                | Kind::VerkleClaims
                | Kind::Solidity
        )
    }

    /// True if the bytes tell nothing of what the file is for.
    pub fn is_unknown(self) -> bool {
        matches!(self, Kind::Text | Kind::Bytes | Kind::Empty | Kind::Json)
    }
}

/// The first bytes of what has some.
const MAGIC: &[(&[u8], Kind)] = &[
    (b"r1cs", Kind::R1cs),
    (b"wtns.", Kind::Graph), // of circom-witnesscalc; a witness has its version there, a number
    (b"CWGR", Kind::Graph),  // of circom-witness-rs
    (b"wtns", Kind::Wtns),
    (b"zkey", Kind::Zkey),
    (b"fkey", Kind::Fkey),
    (b"ptau", Kind::Ptau),
    (b"frumtbl\n", Kind::VerkleTables),
    (b"\0asm", Kind::Wasm),
    (b"\x7fELF", Kind::Program),
    (b"PK\x03\x04", Kind::Archive),
    (b"\x1f\x8b", Kind::Archive),
    (b"BZh", Kind::Archive),
    (b"\xfd7zXZ", Kind::Archive),
    (b"\x28\xb5\x2f\xfd", Kind::Archive),
    (b"version https://git-lfs", Kind::LfsPointer),
];

/// The proof system of a zkey is a number at the start of section 1, which comes first. Source: snarkjs, its constants
/// (1 Groth16, 2 PLONK, 10 FFLONK).
fn kind_of_zkey(head: &[u8]) -> Kind {
    let word = |at: usize| {
        let bytes = head.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    match (word(12), word(24)) {
        (Some(1), Some(2)) => Kind::PlonkKey,
        (Some(1), Some(10)) => Kind::FflonkKey,
        _ => Kind::Zkey,
    }
}

/// The head as text, if it is any; its last character may be cut.
fn text_of(head: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let is_text = |character: char| !character.is_control() || "\n\r\t".contains(character);
    text.chars().all(is_text).then_some(text)
}

fn kind_of_text(text: &str) -> Kind {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with(['{', '[']) {
        return json::kind(text);
    }
    let lines = || text.lines().map(str::trim_start).take(200);
    let starts = |word: &str| lines().any(|line| line.starts_with(word));
    let first = lines().next().unwrap_or_default();
    if first
        .get(..9)
        .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"))
        || first
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("<html"))
    {
        return Kind::Html;
    }
    if starts("pragma circom") {
        return Kind::Circom;
    }
    if starts("pragma solidity") {
        return Kind::Solidity;
    }
    if is_symbol(first) {
        return Kind::Sym;
    }
    if starts("module.exports") || starts("const wc") || first.starts_with("#!") {
        return Kind::Script;
    }
    Kind::Text
}

/// A line of a `.sym`: label, wire, component, name. Source: circom's documentation, "sym file".
fn is_symbol(line: &str) -> bool {
    let fields: Vec<&str> = line.splitn(4, ',').collect();
    let numbers = fields.iter().take(3);
    fields.len() == 4
        && numbers.clone().all(|field| field.parse::<i64>().is_ok())
        && fields[3].contains('.')
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}

/// Bytes that tell the kind of what has [`MAGIC`]: of a zkey, its proof system too.
const MAGIC_BYTES: u64 = 64;

/// Bytes of all else that are looked at.
pub(crate) const HEAD_BYTES: u64 = 1 << 18;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_magic_and_by_fields() {
        let zkey = |protocol: u8| {
            let mut head = b"zkey\x01\0\0\0\x0a\0\0\0\x01\0\0\0\x04\0\0\0\0\0\0\0".to_vec();
            head.extend([protocol, 0, 0, 0]);
            head
        };
        assert_eq!(Kind::of_bytes(&zkey(1)), Kind::Zkey);
        assert_eq!(Kind::of_bytes(&zkey(2)), Kind::PlonkKey);
        assert_eq!(Kind::of_bytes(&zkey(10)), Kind::FflonkKey);
        let cases: &[(&[u8], Kind)] = &[
            (b"", Kind::Empty),
            (b"r1cs", Kind::R1cs),
            (b"wtns\x02", Kind::Wtns),
            (b"zkey", Kind::Zkey),
            (b"fkey", Kind::Fkey),
            (b"ptau", Kind::Ptau),
            (b"\0asm\x01\0\0\0", Kind::Wasm),
            (b"\x7fELF\x02", Kind::Program),
            (b"\x1f\x8b\x08", Kind::Archive),
            (b"zke", Kind::Text),
            (b"\xff\xfe", Kind::Bytes),
            (b"a\0b", Kind::Bytes),
            ("é".as_bytes(), Kind::Text),
            (&"é".as_bytes()[..1], Kind::Text),
            (b"<!DOCTYPE html><html>", Kind::Html),
            (b"<HTML>", Kind::Html),
            (b"<!d", Kind::Text),
            (b"1,1,0,main.c\n2,2,0,main.a\n", Kind::Sym),
            (b"1,-1,0,main.c", Kind::Sym),
            (b"1,2,3,4", Kind::Text),
            (b"// x\npragma circom 2.0.0;\n", Kind::Circom),
            (b"// SPDX\npragma solidity >=0.7.0;", Kind::Solidity),
            (
                b"const wc  = require(\"./witness_calculator.js\");",
                Kind::Script,
            ),
            (
                b"version https://git-lfs.github.com/spec/v1",
                Kind::LfsPointer,
            ),
            (b"[]", Kind::Numbers),
            (b"{}", Kind::Json),
            ("\u{feff} {\"a\": 1}".as_bytes(), Kind::Inputs),
        ];
        for (bytes, kind) in cases {
            assert_eq!(
                Kind::of_bytes(bytes),
                *kind,
                "{}",
                String::from_utf8_lossy(bytes)
            );
        }
    }
}
