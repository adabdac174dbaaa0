//! `frumious verkle witness verify`.

use std::time::Instant;

use frumious_verkle::Verifier;
use frumious_verkle::tree::ExecutionWitness;
use serde_json::json;

use super::tables::{self, Work};
use crate::arguments::verkle::WitnessVerify;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::{About, Failure};
use frumious_app::files::read_text;
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use frumious_verkle_json as formats;
use frumious_verkle_json::to_hexadecimal;

/// Verifies an execution witness against the root before the block, and tells the root after it.
pub fn verify(arguments: &WitnessVerify, output: &Output) -> Result<(), Failure> {
    let WitnessVerify {
        witness: input,
        pre_root,
        any_keys,
        post_root,
        tables,
    } = arguments;
    let pre_root = root(pre_root, "the root before the block")?;
    let expected = match post_root {
        Some(text) => Some(root(text, "--post-root")?),
        None => None,
    };
    let places = output
        .places()
        .input("WITNESS", Role::ExecutionWitness, input);
    output.check(&tables::placed(places, tables))?;
    let progress = Progress::new(output, 3);
    progress.begin("read");
    let text = read_text(input)?;
    let json = formats::execution_witness(&text).about(input)?;
    let witness = ExecutionWitness::from_json(json.as_bytes()).about(input)?;
    let committer = tables::committer(tables, Work::of_verification(), &progress)?;
    progress.begin("verify");
    let start = Instant::now();
    let mut verifier = Verifier::new(&committer);
    let part = match any_keys {
        true => witness.open_any_keys(&mut verifier, &pre_root),
        false => witness.open(&mut verifier, &pre_root),
    };
    let post_root = match part.about(input)? {
        Some(mut tree) => {
            let update = tree.update(&committer, &witness.new_values());
            update.about(input)?;
            Some(tree.root_bytes())
        }
        None => None,
    };
    let time = start.elapsed();
    progress.finish();
    let rejected = |reason: &str| Failure::rejected(format!("{}: {reason}", input.display()));
    let post_root = post_root.ok_or_else(|| rejected("INVALID witness"))?;
    if expected.is_some_and(|expected| expected != post_root) {
        return Err(rejected(&format!(
            "WRONG root after the block: the witness gives {}",
            to_hexadecimal(&post_root)
        )));
    }
    let post_root = to_hexadecimal(&post_root);
    output.result(
        &format!(
            "OK: valid witness; root after the block {post_root} ({})",
            duration(time)
        ),
        json!({
            "valid": true,
            "pre_root": to_hexadecimal(&pre_root),
            "post_root": post_root,
            "stems": witness.state_diff.len(),
            "seconds": seconds(time),
        }),
    )
}

fn root(text: &str, name: &str) -> Result<[u8; 32], Failure> {
    formats::element_bytes(text).map_err(|problem| Failure::bad_input(format!("{name}: {problem}")))
}
