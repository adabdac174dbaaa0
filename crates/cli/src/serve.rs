//! `frumious serve`.

use std::path::Path;

use frumious_app::failure::Failure;
use frumious_limbs::backend;
use frumious_server::config::Config;
use frumious_server::{Program, tokens};
use serde_json::json;

use crate::arguments::serve::Serve;
use crate::doctor::Machine;
use crate::output::Output;
use crate::tuning;
use crate::witness::child;

/// Serves until a signal asks for the end. `named`: the file of settings of the command line, before that of the
/// configuration.
pub fn serve(arguments: &Serve, named: Option<&Path>, output: &Output) -> Result<(), Failure> {
    if arguments.new_token {
        return new_token(output);
    }
    let mut config = Config::read(&arguments.config)?;
    let folder = arguments.config.parent().unwrap_or(Path::new(""));
    if let Some(path) = tuning::file(named.or(config.tuning.as_deref()), folder) {
        let threads = tuning::apply_file(&path, output)?;
        config.limits.threads = config.limits.threads.or(threads);
    }
    if arguments.check {
        frumious_server::check(&config)?;
        let (circuits, tokens) = (config.circuits.len(), config.tokens.len());
        return output.result(
            &format!("The server can start: {circuits} circuits, {tokens} tokens"),
            json!({ "circuits": circuits, "tokens": tokens }),
        );
    }
    let program = Program {
        child,
        cpu: Machine::look().model.unwrap_or_default(),
        backend: backend::active().name().to_owned(),
    };
    frumious_server::serve(&config, program, |address| {
        output.note(&format!("listening at {address}"));
    })?;
    output.result("Ended, as asked", json!({}))
}

/// A token for a client, and the hash that the server knows it by.
fn new_token(output: &Output) -> Result<(), Failure> {
    let token =
        tokens::draw().map_err(|error| Failure::bad_input(format!("no random bytes: {error}")))?;
    let hash = tokens::hash(&token).to_hex().to_string();
    output.answer(
        &format!(
            "token (for the client, shown once): {}\nhash (for frumious.toml): {hash}",
            *token
        ),
        json!({ "token": *token, "hash": hash }),
    )
}
