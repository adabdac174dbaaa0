#![forbid(unsafe_code)]
//! Checks that the time of functions that handle secrets does not depend on them. It runs under valgrind's memcheck,
//! and sees what memcheck can see.
//!
//! ```text
//! valgrind --quiet frumious-ct            every function of [`cases`], on the backend of FRUMIOUS_BACKEND: 0 leaks
//! valgrind --quiet frumious-ct --planted  functions that branch on a secret, index by one, and so on: all of them leak
//! ```
//!
//! A case marks its inputs secret ([`valgrind::secret`]) and calls one function. Memcheck reports a conditional jump or
//! an address that depends on a secret, and the case is named. Some decisions on a secret are public, as that a key is
//! not zero. Code declares them where it makes them, by `frumious_limbs::declassify`; nothing else is forgiven.
//!
//! Memcheck does not see AVX-512, nor operands of instructions whose time varies. There is no division, by `cargo xtask
//! ct-check`, and multiplication takes the same time on the CPUs in question.
//!
//! Exit code 1 if there are leaks that are not declared. Outside of valgrind the program refuses to run, as nothing
//! would be shown.

mod cases;
mod planted;
mod valgrind;

use std::process::ExitCode;

use frumious_limbs::Backend;

/// One function, called with secrets.
pub struct Case {
    name: &'static str,
    run: fn(),
}

impl Case {
    /// Uses of secrets that time could depend on.
    fn leaks(&self) -> usize {
        let before = valgrind::errors();
        (self.run)();
        valgrind::errors() - before
    }
}

/// Cases of the form `"name" => expression`, whose value nobody looks at.
macro_rules! case_list {
    ($($name:expr => $value:expr),* $(,)?) => {
        vec![$($crate::Case {
            name: $name,
            run: || {
                core::hint::black_box($value);
            },
        }),*]
    };
}
pub(crate) use case_list;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !valgrind::is_running() {
        eprintln!("frumious-ct: not under valgrind, so there is nothing to be seen");
        return ExitCode::from(2);
    }
    let backend = match Backend::from_environment() {
        Ok(backend) => backend,
        Err(error) => {
            eprintln!("frumious-ct: {error}");
            return ExitCode::from(2);
        }
    };
    let planted = arguments.iter().any(|argument| argument == "--planted");
    let cases = if planted {
        planted::all()
    } else {
        cases::all()
    };
    let mut leaks = 0;
    for case in &cases {
        if case.leaks() != 0 {
            eprintln!("frumious-ct: time depends on a secret: {}", case.name);
            leaks += 1;
        }
    }
    let backend = backend.name();
    println!(
        "{} cases with the backend {backend}, {leaks} leaks",
        cases.len()
    );
    let expected = if planted { cases.len() } else { 0 };
    ExitCode::from(u8::from(leaks != expected))
}
