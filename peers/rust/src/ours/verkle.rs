//! Our Verkle cryptography on the inputs of `peers/go-verkle`.

mod commit;
mod cross;
mod cross_tree;
mod group;
mod multiproof;
mod tree;

use std::sync::OnceLock;

use frumious_curves::bandersnatch::{Element, Fr};
use frumious_verkle::{Budget, Committer, Preset};
use sha2::{Digest, Sha256};

use crate::inputs::{STREAM_POINTS, SplitMix, bytes_of, chain, hex_bytes};
use crate::row::Table;

/// Starts every transcript here; tree proofs use the same.
const LABEL: &[u8] = b"vt";

/// All rows and cross-checks.
pub fn add_rows(table: &mut Table) {
    group::add_rows(table);
    commit::add_rows(table);
    multiproof::add_rows(table);
    tree::add_rows(table);
    cross::add(table);
    cross_tree::add(table);
}

/// The tables in use; made at first need, as it takes seconds.
fn committer() -> &'static Committer {
    static COMMITTER: OnceLock<Committer> = OnceLock::new();
    COMMITTER.get_or_init(|| Committer::new(budget()).expect("memory for tables"))
}

/// Tables of at most 64 MiB, whatever the option says.
fn committer_64_mib() -> &'static Committer {
    static COMMITTER: OnceLock<Committer> = OnceLock::new();
    COMMITTER.get_or_init(|| Committer::new(Budget::mib(64)).expect("memory for tables"))
}

/// The value of the driver's option `--tables`.
fn budget() -> Budget {
    let name = std::env::var("FRUMIOUS_PEERS_TABLES").unwrap_or_default();
    match name.as_str() {
        "verifier" => Preset::Verifier.into(),
        "small" => Preset::Small.into(),
        "default" => Preset::Default.into(),
        "full" | "" => Preset::Full.into(),
        mib => Budget::mib(mib.parse().expect("a preset or a number of MiB")),
    }
}

/// The stream's integer, which may be above the group's order, reduced.
fn draw_scalar(source: &mut SplitMix) -> Fr {
    Fr::from_bytes_reduced(&bytes_of(source.integer()))
}

fn draw_scalars(stream: u64, n: usize) -> Vec<Fr> {
    let mut source = SplitMix::new(stream);
    (0..n).map(|_| draw_scalar(&mut source)).collect()
}

/// The common chain of points, in projective coordinates, as they come from additions.
fn draw_points(n: usize) -> Vec<Element> {
    let mut source = SplitMix::new(STREAM_POINTS);
    let [first, step] = [(); 2].map(|()| Element::GENERATOR.mul_vartime(&draw_scalar(&mut source)));
    chain(n, first, step, |p| p.double(), |p, q| p + q)
}

/// SHA-256 of the parts, in hex.
fn digest<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut hash = Sha256::new();
    parts.into_iter().for_each(|part| hash.update(part));
    hex_bytes(&hash.finalize())
}
