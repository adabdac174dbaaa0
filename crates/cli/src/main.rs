#![forbid(unsafe_code)]
//! The `frumious` command: circom's files in, Groth16 keys, proofs and verdicts out; and the same for Verkle trees, in
//! JSON.
//!
//! Arguments are in the order of snarkjs and rapidsnark. Exit codes are part of the contract (`docs/json.md`). Results
//! go to stdout, everything else to stderr.
//!
//! Organisation: `arguments` is what may be typed. One module for each group of commands, which parses and prints; the
//! work is done by the library `frumious-app`. `output` and `progress` are the only doors to the terminal. Witnesses
//! are calculated by a process of their own, which is this program, too (`witness`).

mod arguments;
mod bellman;
mod bench;
mod check;
mod contribution;
mod convert;
mod demo;
mod doctor;
mod entropy;
mod export;
mod fleet;
mod inspect;
mod interrupt;
mod layouts;
mod man;
mod output;
mod powersoftau;
mod progress;
mod prove;
mod rapidsnark;
#[cfg(feature = "server")]
mod remote;
#[cfg(feature = "server")]
mod serve;
mod setup;
mod snarkjs;
mod tune;
mod tuning;
mod usage;
mod verify;
mod verkle;
mod witness;
mod zkey;

use std::process::ExitCode;

use arguments::export::Export;
use arguments::{Arguments, Command, environment};
use clap::CommandFactory;
use frumious_app::failure::Failure;
use frumious_app::secrecy;
use frumious_limbs::Backend;
use frumious_mapping::HugePages;
use output::Output;

#[global_allocator]
static ALLOCATOR: HugePages = HugePages;

fn main() -> ExitCode {
    frumious_mapping::begin_heap_on_huge_pages();
    if witness::is_child() {
        return witness::serve();
    }
    frumious_app::files::give_minus_its_meaning();
    if let Some(words) = snarkjs::words(std::env::args_os()) {
        return snarkjs::run(words, execute);
    }
    match rapidsnark::arguments(std::env::args_os()) {
        Some(Ok(arguments)) => {
            interrupt::fail_with(rapidsnark::FAILED);
            match execute(&arguments) {
                0 => ExitCode::SUCCESS,
                _ => ExitCode::from(rapidsnark::FAILED),
            }
        }
        Some(Err(usage)) => {
            output::complain(usage);
            ExitCode::FAILURE
        }
        None => match arguments::frequent::parse(std::env::args_os())
            .map_or_else(|| environment::parse::<Arguments>(std::env::args_os()), Ok)
        {
            Ok(Arguments {
                command: Command::Snarkjs { words },
                global,
            }) => snarkjs::run(global.words().chain(words).collect(), execute),
            Ok(arguments) => ExitCode::from(execute(&arguments)),
            Err(error) => usage::end(&error),
        },
    }
}

/// Does what the arguments say; the exit code.
fn execute(arguments: &Arguments) -> u8 {
    if arguments.command.holds_secrets() {
        secrecy::keep_from_others();
    }
    // A mapped file may be truncated under us: end as for any other bad input.
    frumious_mapping::exit_on_truncated_mapping();
    let output = Output::of(arguments);
    let told = Output::of(arguments);
    interrupt::tell_with(&arguments.command, move |failure| told.failure(failure));
    let work = match arguments.command.minds_signals() {
        true => interrupt::work(),
        false => interrupt::listen(),
    };
    let ended = frumious_app::cancellable(&work, || run(arguments, &output));
    interrupt::take_last_word();
    match ended {
        Ok(()) => 0,
        Err(failure) => {
            let failure = interrupt::explain(failure);
            output.failure(&failure);
            failure.exit_code()
        }
    }
}

/// Runs the command on as many threads as asked for.
fn run(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    // What is set but cannot be had is an error here, not silently something else.
    Backend::from_environment().map_err(|error| Failure::bad_input(error.to_string()))?;
    progress::interval()?;
    let tuned = tuning::apply(&arguments.command, &arguments.global, output)?;
    let Some(threads) = arguments.global.threads.map(usize::from).or(tuned) else {
        return dispatch(arguments, output);
    };
    frumious_parallel::with_threads(threads, || dispatch(arguments, output))
        .map_err(|error| Failure::of_system(&format!("cannot start {threads} threads"), &error))?
}

fn dispatch(typed: &Arguments, output: &Output) -> Result<(), Failure> {
    match &typed.command {
        Command::Prove(arguments) => prove::prove(arguments, output),
        Command::Fullprove(arguments) => prove::fullprove(arguments, output),
        Command::Verify(arguments) => verify::verify(arguments, output),
        Command::Setup(arguments) => setup::setup(arguments, output),
        Command::PowersOfTau(command) => powersoftau::run(command, output),
        Command::Zkey(command) => zkey::run(command, output),
        Command::Witness(arguments) => witness::witness(arguments, output),
        Command::Check(arguments) => check::check(arguments, output),
        Command::Export(Export::Vkey {
            zkey,
            out,
            format: None,
            uncontributed,
        }) => export::vkey(zkey, out, *uncontributed, output),
        Command::Export(Export::Vkey {
            zkey,
            out,
            format: Some(format),
            uncontributed,
        }) => layouts::export_vkey(zkey, out, *format, *uncontributed, output),
        Command::Export(Export::Solidity {
            key,
            out,
            uncontributed,
        }) => export::solidity(key, out, *uncontributed, output),
        Command::Export(Export::R1cs { r1cs, out }) => export::r1cs(r1cs, out, output),
        Command::Export(Export::Witness { witness, out }) => export::witness(witness, out, output),
        Command::Export(Export::Calldata { public, proof }) => {
            export::calldata(public, proof, output)
        }
        Command::Export(Export::Proof(arguments)) => layouts::export_proof(arguments, output),
        Command::Export(Export::Public(arguments)) => layouts::export_public(arguments, output),
        Command::Import(command) => layouts::import(command, output),
        Command::Print(arguments) => export::print(arguments, output),
        Command::Convert(arguments) => convert::convert(arguments, output),
        Command::Inspect(arguments) => inspect::inspect(arguments, output),
        Command::Verkle(command) => verkle::run(command, output),
        Command::Bench(command) => bench::run(command, output),
        Command::Tune(arguments) => tune::tune(arguments, output),
        Command::Demo(arguments) => demo::demo(arguments, output),
        Command::Doctor(arguments) => doctor::doctor(arguments, output),
        #[cfg(feature = "server")]
        Command::Serve(arguments) => {
            serve::serve(arguments, typed.global.tuning.as_deref(), output)
        }
        #[cfg(feature = "server")]
        Command::Submit(arguments) => remote::submit(arguments, output),
        #[cfg(feature = "server")]
        Command::Jobs(arguments) => remote::jobs(arguments, output),
        Command::Fleet { words } => fleet::fleet(words),
        Command::Man(arguments) => man::man(arguments, output),
        Command::Snarkjs { .. } => unreachable!("its words are another command's"),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "frumious", &mut script);
            output.verbatim(&String::from_utf8_lossy(&script))
        }
    }
}
