//! `cargo xtask bless`: the lists that are measured are written anew, from the sources and from the binaries of CI's
//! steps.
//!
//! | list | written anew |
//! |---|---|
//! | `vartime.txt` | the list |
//! | `sizes.txt` | the list |
//! | `lanes.txt` | the products of kernels; kernels that are gone leave, new ones come last, to be looked at |
//!
//! In the other lists each line has a reason, which a person gives: `ct-check` says which to add or take out.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use crate::ci::Place;
use crate::{asm_check, ct_check, size};

/// Writes the lists: 0 if it could, 2 if something cannot be read, built or written.
pub fn run() -> ExitCode {
    match bless(&Place::find()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bless: {reason}");
            ExitCode::from(2)
        }
    }
}

fn bless(place: &Place) -> Result<(), String> {
    let command = place.released()?;
    let text = |lines: Vec<String>| {
        lines
            .into_iter()
            .map(|line| line + "\n")
            .collect::<String>()
    };
    rewrite(&place.path("xtask/vartime.txt"), |old| {
        Ok(heading(old) + &text(ct_check::variable_time()?))
    })?;
    rewrite(&place.path("xtask/sizes.txt"), |old| {
        Ok(heading(old)
            + &text(size::lines(&size::Paths {
                cli: Some(command.clone()),
                curves: Some(place.constant_time()?),
            })?))
    })?;
    rewrite(&place.path("xtask/lanes.txt"), |old| {
        asm_check::blessed(&command, old)
    })
}

fn rewrite(path: &Path, new: impl FnOnce(&str) -> Result<String, String>) -> Result<(), String> {
    let wrong = |error| format!("{}: {error}", path.display());
    let old = fs::read_to_string(path).map_err(wrong)?;
    let new = new(&old)?;
    if new != old {
        println!("bless: {}", path.display());
        fs::write(path, new).map_err(wrong)?;
    }
    Ok(())
}

/// The comments, and the empty line, above a list.
fn heading(text: &str) -> String {
    text.split_inclusive('\n')
        .take_while(|line| line.starts_with('#') || line.trim().is_empty())
        .collect()
}
