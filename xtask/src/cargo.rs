//! Cargo, as it is run by hand.
//!
//! Cargo tells a program that it runs of that program's package, and all that the program runs inherits it. The build
//! script of ring asks for it. It would run again after each build by hand, and all that depends on it would be
//! compiled again.

use std::env;
use std::process::Command;

/// The Cargo that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    forget_package(&mut command);
    command
}

/// Takes away from a command what Cargo tells this program of its own package.
pub fn forget_package(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cargo runs this test, and tells it of its package.
    #[test]
    fn commands_are_told_nothing_of_this_package() {
        let told = |name: &str| env::var_os(name).is_some();
        assert!(told("CARGO_PKG_NAME") && told("CARGO_MANIFEST_DIR"));
        let forgotten = |name: &str| {
            let command = cargo();
            command.get_envs().any(|env| env == (name.as_ref(), None))
        };
        assert!(forgotten("CARGO_PKG_NAME") && forgotten("CARGO_MANIFEST_DIR"));
        assert!(!forgotten("CARGO_HOME") && !forgotten("PATH"));
    }
}
