//! Trees of SIZE values under different stems: from nothing to the root's commitment.

use frumious_verkle::tree::{Key, Tree, Value};

use super::committer;
use crate::inputs::{STREAM_TREE, SplitMix, hex_bytes};
use crate::row::{Row, Table};

/// Adds the row.
pub fn add_rows(table: &mut Table) {
    table.add("verkle.tree.root", |n| {
        let mut source = SplitMix::new(STREAM_TREE);
        let entries: Vec<(Key, Value)> = (0..n).map(|_| (source.bytes(), source.bytes())).collect();
        let committer = committer();
        let root = move || Tree::from_entries(committer, &entries).root_bytes();
        let again = root.clone();
        Row::new(1, root).with_check(move || hex_bytes(&again()))
    });
}
