//! Our side of the driver's cross-checks of trees; cases are drawn as in `peers/go-verkle/cross_tree.go`.

use frumious_verkle::tree::{ExecutionWitness, Key, Tree, Value};
use frumious_verkle::{Prover, Verifier};

use super::committer;
use super::cross::{ACCEPTED, MALFORMED, REFUSED, seeded};
use crate::inputs::{SplitMix, bytes_from_hex, hex_bytes};
use crate::row::Table;

/// Adds the crossings.
pub fn add(table: &mut Table) {
    table.crossings.insert("verkle.tree.witness", witness);
    table.crossings.insert("verkle.tree.verify", verify);
}

/// A random tree, reads and writes; the roots before and after, and the execution witness in JSON, all in hex.
fn witness(arguments: &[&str]) -> Result<String, String> {
    let block = Block::draw(&mut seeded(arguments)?);
    let mut tree = Tree::from_entries(committer(), &block.entries);
    let pre_root = tree.root_bytes();
    let mut prover = Prover::new(committer());
    let witness = ExecutionWitness::new(&mut prover, &tree, &block.accesses);
    let witness = witness.map_err(|error| error.to_string())?;
    let written: Vec<(Key, Value)> = block
        .accesses
        .iter()
        .filter_map(|(key, value)| Some((*key, (*value)?)))
        .collect();
    tree.update(committer(), &written)
        .map_err(|error| error.to_string())?;
    let [before, after] = [pre_root, tree.root_bytes()].map(|root| hex_bytes(&root));
    let json = hex_bytes(witness.to_json().as_bytes());
    Ok(format!("{before} {after} {json}"))
}

/// The verdict on roots and witness in the form of [`witness`].
fn verify(arguments: &[&str]) -> Result<String, String> {
    let [pre_root, post_root, json] = arguments else {
        return Err("two roots and a witness are wanted".into());
    };
    let bytes = |text: &str| bytes_from_hex(text).ok_or_else(|| "not hex".to_string());
    let pre_root = bytes(pre_root)?;
    let pre_root = pre_root.try_into().map_err(|_| "a root has 32 bytes")?;
    let Ok(witness) = ExecutionWitness::from_json(&bytes(json)?) else {
        return Ok(MALFORMED.into());
    };
    let mut verifier = Verifier::new(committer());
    let found = witness.post_root(committer(), &mut verifier, &pre_root);
    let accepted = matches!(found, Ok(Some(root)) if root[..] == bytes(post_root)?);
    Ok(if accepted { ACCEPTED } else { REFUSED }.into())
}

/// A tree, and the keys that a block touches with the values that it writes.
struct Block {
    entries: Vec<(Key, Value)>,
    accesses: Vec<(Key, Option<Value>)>,
}

impl Block {
    /// A tree of 1..64 stems, half of them sharing up to four bytes with an earlier one. Keys touched, sorted, of which
    /// some are absent (a suffix of a stem that is there, or a stem that is not). And new values for a third of them.
    fn draw(source: &mut SplitMix) -> Self {
        let count = 1 + source.below(64);
        let mut stems = Vec::with_capacity(count);
        for _ in 0..count {
            stems.push(draw_stem(source, &stems));
        }
        let mut entries = Vec::new();
        for stem in &stems {
            for _ in 0..1 + source.below(6) {
                let key = with_suffix(*stem, source);
                entries.push((key, source.bytes()));
            }
        }
        let mut touched = Vec::new();
        for _ in 0..1 + source.below(32) {
            touched.push(match source.below(4) {
                0 | 1 => entries[source.below(entries.len())].0,
                2 => with_suffix(stems[source.below(stems.len())], source),
                _ => with_suffix(draw_stem(source, &stems), source),
            });
        }
        touched.sort();
        touched.dedup();
        let access = |key| (key, (source.below(3) == 0).then(|| source.bytes()));
        Self {
            entries,
            accesses: touched.into_iter().map(access).collect(),
        }
    }
}

/// 31 bytes (and a zero), half of the time with a prefix of an earlier stem.
fn draw_stem(source: &mut SplitMix, earlier: &[Key]) -> Key {
    let mut stem = source.bytes();
    if !earlier.is_empty() && source.below(2) == 0 {
        let like = earlier[source.below(earlier.len())];
        let shared = source.below(5);
        stem[..shared].copy_from_slice(&like[..shared]);
    }
    stem[31] = 0;
    stem
}

fn with_suffix(mut key: Key, source: &mut SplitMix) -> Key {
    key[31] = source.next() as u8;
    key
}
