//! `frumious bench witness`: the ways from inputs to a witness, one after another.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use frumious_app::curve::{Bls12_381, Bn254};
use frumious_app::failure::Failure;
use frumious_app::files::{self, streams};
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use frumious_app::source::Source;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_witness::isolated::Refusal;
use frumious_witness::{
    Arithmetic, Error, Graph, Inputs, Limits, Program, Tapes, WitnessCalculator, parse_inputs,
};
use plotters::prelude::*;
use serde_json::{Value, json};

use crate::arguments::bench::Witness;
use crate::output::Output;
use crate::witness::child;

/// A way, and its shortest time.
struct Row {
    way: &'static str,
    time: Duration,
}

/// Measures each way that this module can take.
pub fn witness(arguments: &Witness, output: &Output) -> Result<(), Failure> {
    let Witness {
        wasm, input, svg, ..
    } = arguments;
    let mut places = output.places().input("WASM", Role::Generator, wasm);
    places = places.input("INPUT", Role::Inputs, input);
    if let Some(svg) = svg {
        places = places.output("--svg", Role::Report, svg);
    }
    output.check(&places)?;
    let module = streams::read(wasm)?;
    let text = files::read_secret(input)?;
    let text = str::from_utf8(&text)
        .map_err(|_| Failure::bad_input(format!("{}: not UTF-8", input.display())))?;
    let inputs = parse_inputs(text).map_err(|error| bad(input, &error))?;
    let source = Source::of(wasm, &module, Limits::default());
    let source = source.map_err(|refusal| refused(wasm, &refusal))?;
    let (wires, rows) = match source {
        Source::Module => {
            let calculator =
                WitnessCalculator::from_wasm(&module).map_err(|error| bad(wasm, &error))?;
            let mut rows = match calculator.curve() {
                PairingCurve::Bn254 => ours::<Bn254>(&calculator, &inputs, arguments),
                PairingCurve::Bls12_381 => ours::<Bls12_381>(&calculator, &inputs, arguments),
            }?;
            rows.extend(node(arguments));
            (calculator.witness_size() as usize, rows)
        }
        Source::Graph(graph) => {
            let rows = match graph.curve() {
                PairingCurve::Bn254 => of_graph::<Bn254>(&module, &inputs, arguments),
                PairingCurve::Bls12_381 => of_graph::<Bls12_381>(&module, &inputs, arguments),
            }?;
            (graph.witness_size(), rows)
        }
        Source::Program(program) => match program.curve() {
            PairingCurve::Bn254 => of_program::<Bn254>(&program, text, arguments),
            PairingCurve::Bls12_381 => of_program::<Bls12_381>(&program, text, arguments),
        }?,
    };
    if let Some(svg) = svg {
        files::write_all(&[(svg, &draw(&rows)?)])?;
    }
    let slowest = rows.iter().map(|row| row.time).max().unwrap_or_default();
    let mut lines = String::new();
    for Row { way, time } in &rows {
        let times = slowest.as_secs_f64() / time.as_secs_f64();
        lines += &format!(
            "{way:<28} {:>10} {times:>8.1} times as fast\n",
            duration(*time)
        );
    }
    let fields = rows
        .iter()
        .map(|Row { way, time }| json!({ "way": way, "seconds": seconds(*time) }));
    output.result(
        lines.trim_end(),
        json!({ "wires": wires, "ways": fields.collect::<Vec<Value>>() }),
    )
}

fn ours<E: PairingEngine>(
    calculator: &WitnessCalculator,
    inputs: &Inputs,
    arguments: &Witness,
) -> Result<Vec<Row>, Failure> {
    let failed = |error| bad(&arguments.wasm, &error);
    let rounds = arguments.rounds;
    let mut rows = Vec::new();
    let time = least(rounds, || {
        let witness = calculator.calculate_with::<E>(inputs, Arithmetic::Modules);
        witness.map(drop).map_err(failed)
    })?;
    rows.push(Row {
        way: "the module as it is",
        time,
    });
    let native = least(rounds, || {
        let witness = calculator.calculate_with::<E>(inputs, Arithmetic::Ours);
        witness.map(drop).map_err(failed)
    });
    let Ok(time) = native else {
        return Ok(rows); // its routines are not known
    };
    rows.push(Row {
        way: "with our arithmetic",
        time,
    });
    let mut tapes = Tapes::<E>::default();
    let time = least(1, || {
        let (_, run) = calculator.record_over::<E>(inputs, None).map_err(failed)?;
        if let Some(run) = run {
            tapes.add(run);
        }
        Ok(())
    })?;
    rows.push(Row {
        way: "recorded",
        time,
    });
    if !tapes.is_empty() {
        rows.extend(replayed(&tapes, inputs, arguments)?);
    }
    Ok(rows)
}

fn replayed<E: PairingEngine>(
    tapes: &Tapes<E>,
    inputs: &Inputs,
    arguments: &Witness,
) -> Result<[Row; 2], Failure> {
    let failed = |error| bad(&arguments.wasm, &error);
    let one = least(arguments.rounds, || {
        tapes.replay(inputs, &mut |_| {}).map(drop).map_err(failed)
    })?;
    let eight = vec![inputs.clone(); 8];
    let eight = least(arguments.rounds, || {
        let outputs = vec![std::io::sink(); eight.len()];
        tapes.replay_batch(&eight, outputs);
        Ok(())
    })?;
    Ok([
        Row {
            way: "replayed",
            time: one,
        },
        Row {
            way: "eight replayed, each",
            time: eight / 8,
        },
    ])
}

fn of_graph<E: PairingEngine>(
    bytes: &[u8],
    inputs: &Inputs,
    arguments: &Witness,
) -> Result<Vec<Row>, Failure> {
    let limits = Limits::default();
    let mut tapes = Tapes::<E>::default();
    let time = least(arguments.rounds, || {
        let graph = Graph::from_bytes(bytes, limits.memory_bytes).map_err(Error::from);
        let recorded = graph.and_then(|graph| graph.record_over::<E>(inputs, limits));
        let (_, run) = recorded.map_err(|error| bad(&arguments.wasm, &error))?;
        tapes.add(run);
        Ok(())
    })?;
    let mut rows = vec![Row {
        way: "the graph, read and run",
        time,
    }];
    rows.extend(replayed(&tapes, inputs, arguments)?);
    Ok(rows)
}

/// With the number of wires, which its witness tells.
fn of_program<E: PairingEngine>(
    program: &Program,
    inputs: &str,
    arguments: &Witness,
) -> Result<(usize, Vec<Row>), Failure> {
    let mut wires = 0;
    let time = least(arguments.rounds, || {
        let witness =
            program.calculate::<E>(child()?, inputs.as_bytes(), Limits::default(), |_| {});
        wires = witness
            .map_err(|refusal| refused(&arguments.wasm, &refusal))?
            .len();
        Ok(())
    })?;
    let row = Row {
        way: "the program",
        time,
    };
    Ok((wires, vec![row]))
}

/// node with circom's script, if both are there and agree to run.
fn node(arguments: &Witness) -> Option<Row> {
    let script = arguments.wasm.with_file_name("generate_witness.js");
    let written = tempfile::NamedTempFile::new().ok()?;
    let time = least(arguments.rounds, || {
        let status = Command::new("node")
            .args([&script, &arguments.wasm, &arguments.input])
            .arg(written.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match status.is_ok_and(|status| status.success()) {
            true => Ok(()),
            false => Err(Failure::interrupted()),
        }
    });
    time.ok().map(|time| Row { way: "node", time })
}

/// The shortest of several times.
fn least(rounds: u32, mut task: impl FnMut() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let mut shortest = Duration::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        task()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

/// A bar for each way.
fn draw(rows: &[Row]) -> Result<String, Failure> {
    let mut svg = String::new();
    let drawn = draw_bars(&mut svg, rows);
    drawn
        .map(|()| svg)
        .map_err(|error| Failure::bad_input(format!("the plot: {error}")))
}

fn draw_bars(svg: &mut String, rows: &[Row]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (900, 60 + 60 * rows.len() as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let most = rows
        .iter()
        .map(|row| row.time.as_secs_f64())
        .fold(0.0, f64::max);
    for (index, Row { way, time }) in rows.iter().enumerate() {
        let (top, length) = (40 + 60 * index as i32, time.as_secs_f64() / most * 560.0);
        let bar = [(240, top), (241 + length as i32, top + 32)];
        area.draw(&Rectangle::new(bar, BLUE.filled()))?;
        let font = ("sans-serif", 18).into_font();
        area.draw(&Text::new(*way, (10, top + 8), font.clone()))?;
        let label = (250 + length as i32, top + 8);
        area.draw(&Text::new(duration(*time), label, font))?;
    }
    area.present()?;
    Ok(())
}

fn refused(path: &Path, refusal: &Refusal) -> Failure {
    Failure::bad_input(refusal.message.clone()).about(path)
}

fn bad(path: &Path, error: &Error) -> Failure {
    Failure::bad_input(error.to_string()).about(path)
}
