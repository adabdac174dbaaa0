//! Proofs, keys and public signals as JSON.
//!
//! Numbers are strings of decimal digits, plain, without leading zeros. A point of G1 is `[x, y, "1"]`, of G2 `[[x₀,
//! x₁], [y₀, y₁], ["1", "0"]]`; infinity is `["0", "1", "0"]` and `[["0","0"], ["1","0"], ["0","0"]]`. snarkjs writes
//! one value a line, with one blank of indent for each level. An empty array takes two lines, and nothing follows the
//! last brace.

mod circuit;
mod import;
mod keys;
mod read;
mod tree;
mod write;

use std::path::Path;

use frumious_curves::engine::ResidueField;

use frumious_circom::{Error, FileKind};
use frumious_mapping::FileBytes;

pub use circuit::{write_r1cs_json, write_r1cs_text, write_witness_json};
pub use import::{zkey_from_json, zkey_json_curve};
pub use keys::{write_ptau_json, write_zkey_json};
pub(crate) use read::{Document, Node};
pub(crate) use write::Layout;

/// Reads the public signals from the JSON file at `path`.
///
/// # Errors
/// As [`FileBytes::map`] and [`public_from_json`].
pub fn open_public<F: ResidueField>(path: impl AsRef<Path>) -> Result<Vec<F>, Error> {
    let path = path.as_ref();
    public_from_json(FileBytes::read(path)?).map_err(|error| error.in_file(path))
}

/// Reads public signals: an array of strings of decimal digits, each below r.
///
/// # Errors
/// [`Error::Malformed`] with the path of the value: text that is not JSON, or anything else than such an array.
pub fn public_from_json<F: ResidueField>(json: impl AsRef<[u8]>) -> Result<Vec<F>, Error> {
    let document = Document::parse(FileKind::PublicJson, json.as_ref())?;
    let root = document.root();
    root.elements()?.map(|signal| signal.number()).collect()
}

/// The public signals as JSON, byte for byte as snarkjs writes them (no newline at the end).
pub fn public_to_json<F: ResidueField>(public: &[F]) -> String {
    Layout::array(public.iter().map(Layout::number)).to_string()
}
