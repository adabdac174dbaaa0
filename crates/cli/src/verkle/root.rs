//! `frumious verkle root`.

use std::collections::HashSet;

use frumious_verkle::tree::Tree;
use serde_json::json;

use super::tables::{self, Work};
use crate::arguments::verkle::Root;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::{About, Failure};
use frumious_app::files::read_text;
use frumious_app::places::Role;
use frumious_app::quantities::seconds;
use frumious_verkle_json as formats;
use frumious_verkle_json::to_hexadecimal;

/// Prints the root of the tree that has these entries and no others.
pub fn root(arguments: &Root, output: &Output) -> Result<(), Failure> {
    let Root {
        entries: input,
        tables,
    } = arguments;
    let places = output.places().input("ENTRIES", Role::Entries, input);
    output.check(&tables::placed(places, tables))?;
    let progress = Progress::new(output, 3);
    progress.begin("read");
    let entries = formats::entries(&read_text(input)?).about(input)?;
    let stems: HashSet<&[u8]> = entries.iter().map(|(key, _)| &key[..31]).collect();
    let work = Work::of_tree(entries.len(), stems.len());
    let committer = tables::committer(tables, work, &progress)?;
    progress.begin("commit");
    let tree = Tree::from_entries(&committer, &entries);
    let root = to_hexadecimal(&tree.root_bytes());
    let timings = progress.finish();
    output.answer(
        &root,
        json!({
            "root": root,
            "entries": entries.len(),
            "stems": stems.len(),
            "table_bytes": committer.memory_bytes(),
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}
