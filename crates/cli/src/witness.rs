//! `frumious witness`, and the generator of `frumious fullprove`.
//!
//! It is calculated by a process of its own: this program, started with the argument [`CHILD`].

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use frumious_app::cache::TapeCache;
use frumious_app::failure::Failure;
use frumious_app::files::{OutputFile, Readers};
use frumious_app::observer::Observer;
use frumious_app::places::Role;
use frumious_app::prepared::{PreparedGenerator, Rehearsal};
use frumious_app::quantities::{count, duration, seconds};
use frumious_app::satisfied;
use frumious_app::witness::{CHILD, Calculated, Generator, Way, serve_child};
use frumious_witness::Limits;
use serde_json::json;

use crate::arguments::prove::GeneratorOptions;
use crate::arguments::witness::Witness;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Progress;

/// Calculates a witness and writes it; or many, or none.
pub fn witness(arguments: &Witness, output: &Output) -> Result<(), Failure> {
    // One witness alone may be there at once: its generator begins to listen if it is not.
    if arguments.prepare || arguments.batch || arguments.check.is_some() {
        interrupt::listen();
    }
    let wtns = match (&arguments.wtns, arguments.prepare) {
        (Some(wtns), _) => Some(wtns.as_path()),
        (None, false) => Some(Path::new("witness.wtns")),
        (None, true) => None,
    };
    let default = Path::new("input.json");
    let input = match (&arguments.input, arguments.prepare) {
        (Some(input), _) => input,
        (None, false) => default,
        (None, true) => return rehearse(arguments, output),
    };
    check_files(arguments, input, wtns, output)?;
    let progress = Progress::new(output, 3 + usize::from(arguments.check.is_some()));
    let cache = cache(&arguments.generator, &progress);
    let options = &arguments.generator;
    let generator = generator(&arguments.wasm, input, options, cache.as_ref());
    match wtns {
        Some(folder) if arguments.batch => many(&generator, folder, progress, output),
        Some(wtns) => one(
            &generator,
            wtns,
            arguments.check.as_deref(),
            progress,
            output,
        ),
        None => prepare(&generator, progress, output),
    }
}

fn check_files(
    arguments: &Witness,
    input: &Path,
    wtns: Option<&Path>,
    output: &Output,
) -> Result<(), Failure> {
    let mut places = output
        .places()
        .input("WASM", Role::Generator, &arguments.wasm);
    places = places.input("INPUT", Role::Inputs, input);
    if let Some(circuit) = &arguments.check {
        places = places.input("--check", Role::Circuit, circuit);
    }
    if let Some(wtns) = wtns.filter(|_| !arguments.batch) {
        places = places.output("WITNESS", Role::Witness, wtns);
    }
    output.check(&places)
}

fn one(
    generator: &Generator<'_>,
    wtns: &Path,
    check: Option<&Path>,
    progress: Progress<'_>,
    output: &Output,
) -> Result<(), Failure> {
    let Calculated { witness, way, runs } = generator.start(child, &progress)?.run(&progress)?;
    if let Some(circuit) = check {
        progress.begin("check");
        satisfied::check(&witness, circuit, &circuit.with_extension("sym"))?;
    }
    progress.begin("write");
    let mut file = OutputFile::create(wtns, Readers::Owner)?;
    witness
        .write(&mut file)
        .map_err(|failure| failure.about(wtns))?;
    file.commit()?;
    let timings = progress.finish();
    output.result(
        &format!(
            "Witness of {} wires {} and written to {}: {}",
            count(witness.n_wires() as u64),
            said(way),
            wtns.display(),
            duration(timings.total())
        ),
        json!({
            "witness": wtns.display().to_string(),
            "wires": witness.n_wires(),
            "way": way.name(),
            "tapes": runs,
            "checked": check.is_some(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// Records a run, if none applies to the inputs yet.
fn prepare(
    generator: &Generator<'_>,
    progress: Progress<'_>,
    output: &Output,
) -> Result<(), Failure> {
    let Calculated { way, runs, .. } = generator.start(child, &progress)?.run(&progress)?;
    let timings = progress.finish();
    let said = match way {
        Way::Replayed => "A tape applies to these inputs",
        Way::Recorded => "The run was recorded",
        Way::Ran => "The run cannot be recorded: the module will run each time",
    };
    output.result(
        &format!("{said}: {}", duration(timings.total())),
        json!({
            "way": way.name(),
            "tapes": runs + usize::from(way == Way::Recorded),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// Records a run without inputs, if none is recorded yet.
fn rehearse(arguments: &Witness, output: &Output) -> Result<(), Failure> {
    let Witness {
        wasm, generator, ..
    } = arguments;
    output.check(&output.places().input("WASM", Role::Generator, wasm))?;
    let progress = Progress::new(output, 1);
    progress.begin("record");
    let cache = TapeCache::open(generator.cache.as_deref())?;
    let prepared = PreparedGenerator::open(wasm, limits(generator), Some(&cache))?;
    let rehearsed = prepared.rehearse(child);
    let rehearsed = rehearsed.map_err(|refusal| prepared.failure(refusal, &[]).about(wasm))?;
    let timings = progress.finish();
    let (said, way) = match rehearsed {
        Rehearsal::Recorded => ("A run was recorded without inputs", Way::Recorded),
        Rehearsal::Before => ("A run was recorded before", Way::Replayed),
        Rehearsal::NotKept(failure) => return Err(failure),
        Rehearsal::Needless => ("A program has no runs to record", Way::Ran),
        Rehearsal::Refused => (
            "No run can be recorded without inputs: give INPUT",
            Way::Ran,
        ),
    };
    output.result(
        &format!("{said}: {}", duration(timings.total())),
        json!({
            "way": way.name(),
            "tapes": prepared.runs(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

fn many(
    generator: &Generator<'_>,
    folder: &Path,
    progress: Progress<'_>,
    output: &Output,
) -> Result<(), Failure> {
    let done = generator.batch(folder, child, &progress)?;
    for (line, reason) in &done.failed {
        progress.warning(&format!("line {line}: {reason}"));
    }
    let timings = progress.finish();
    let made = done.replayed + done.ran;
    let summary = format!(
        "{} witnesses written to {}, {} of them from tapes: {}",
        count(made as u64),
        folder.display(),
        count(done.replayed as u64),
        duration(timings.total())
    );
    let Some((line, reason)) = done.failed.first() else {
        return output.result(
            &summary,
            json!({
                "folder": folder.display().to_string(),
                "witnesses": made,
                "replayed": done.replayed,
                "seconds": seconds(timings.total()),
                "phases": timings.to_json(),
            }),
        );
    };
    output.note(&summary);
    let failure = Failure::rejected(format!(
        "{} of {} lines gave no witness; line {line}: {reason}",
        done.failed.len(),
        made + done.failed.len()
    ));
    let lines = done.failed.iter().map(|(line, _)| *line as u64);
    Err(failure.of_lines(lines.collect()))
}

/// The way a witness was come by, in a sentence of which it is the subject.
pub fn said(way: Way) -> &'static str {
    match way {
        Way::Replayed => "replayed from a tape",
        Way::Recorded => "calculated, its run recorded,",
        Way::Ran => "calculated",
    }
}

/// The cache that the arguments ask for. What is wrong with it is a warning: without it the module runs.
pub fn cache(options: &GeneratorOptions, progress: &Progress<'_>) -> Option<TapeCache> {
    if options.no_cache {
        return None;
    }
    match TapeCache::open(options.cache.as_deref()) {
        Ok(cache) => Some(cache),
        Err(failure) => {
            progress.warning(&failure.message());
            None
        }
    }
}

/// The generator that the arguments describe.
pub fn generator<'a>(
    wasm: &'a Path,
    input: &'a Path,
    options: &GeneratorOptions,
    cache: Option<&'a TapeCache>,
) -> Generator<'a> {
    Generator {
        wasm,
        input,
        limits: limits(options),
        log: options.log,
        values: options.values,
        cache,
        before_long: || {
            interrupt::listen();
        },
    }
}

fn limits(options: &GeneratorOptions) -> Limits {
    Limits {
        memory_bytes: options.wasm_memory << 20,
        time: Duration::from_secs(options.wasm_time.into()),
    }
}

/// This program, to be the child.
pub fn child() -> Result<Command, Failure> {
    // The file that runs, whatever has its name by now.
    let path = match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
    };
    let path = path.map_err(|error| {
        Failure::bad_input(format!("cannot find this program's own file: {error}"))
    })?;
    let mut program = Command::new(path);
    program.arg(CHILD);
    Ok(program)
}

/// True if this process was started to calculate a witness.
pub fn is_child() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == CHILD)
}

/// Calculates a witness for the parent process.
pub fn serve() -> ExitCode {
    match serve_child() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2), // nobody is left to tell
    }
}
