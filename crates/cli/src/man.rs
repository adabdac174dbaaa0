//! `frumious man`: manual pages, made of the same source as `--help`.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use frumious_app::failure::Failure;
use frumious_app::files;
use serde_json::json;

use crate::arguments::{Arguments, ManPages};
use crate::output::Output;

/// Writes the page of each command into a folder, or prints the first.
pub fn man(arguments: &ManPages, output: &Output) -> Result<(), Failure> {
    let root = Arguments::command();
    let Some(folder) = &arguments.folder else {
        return output.verbatim(&page(&root)?);
    };
    std::fs::create_dir_all(folder).map_err(|error| files::cannot_write(folder, &error))?;
    let mut written = Vec::new();
    write(root, "frumious", folder, &mut written)?;
    output.result(
        &format!("{} pages written to {}", written.len(), folder.display()),
        json!({ "folder": folder.display().to_string(), "pages": written }),
    )
}

/// Writes the page of a command, and those of the commands below it.
fn write(
    command: Command,
    name: &str,
    folder: &Path,
    written: &mut Vec<String>,
) -> Result<(), Failure> {
    let below: Vec<Command> = command.get_subcommands().cloned().collect();
    let file = format!("{name}.1");
    // The global options are on the page of the program.
    files::write(&folder.join(&file), &page(&command.name(name.to_owned()))?)?;
    written.push(file);
    for command in below.into_iter().filter(|command| !command.is_hide_set()) {
        let name = format!("{name}-{}", command.get_name());
        write(command, &name, folder, written)?;
    }
    Ok(())
}

fn page(command: &Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
