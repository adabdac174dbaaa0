//! `frumious setup`.

use frumious_app::failure::Failure;
use frumious_app::memory::{Resident, Watch};
use frumious_app::places::Role;
use frumious_app::quantities::{bytes, count, duration, seconds};
use frumious_app::setup::{Request, Seed, Source, setup as make};
use serde_json::json;

use crate::arguments::setup::Setup;
use crate::output::Output;
use crate::progress::Progress;

/// Makes a proving key.
pub fn setup(arguments: &Setup, output: &Output) -> Result<(), Failure> {
    let r1cs = &arguments.r1cs;
    let (powers, key) = arguments.powers_and_key()?;
    let mut places = output.places().input("R1CS", Role::Circuit, r1cs);
    if let Some(powers) = powers {
        places = places.input("PTAU", Role::Powers, powers);
    }
    if let Some(seed) = &arguments.seed {
        places = places.input("--seed", Role::Seed, seed);
    }
    output.check(&places.output("KEY", Role::Key, key))?;
    let source = match (powers, &arguments.seed) {
        (Some(powers), _) => Source::Ceremony(powers),
        (None, Some(seed)) => Source::Seed(Seed::read(seed)?),
        (None, None) => Source::Drawn,
    };
    let development = !matches!(source, Source::Ceremony(_));
    let request = Request {
        r1cs,
        source,
        key,
        max_memory: arguments.max_memory,
    };
    let watch = Watch::begin();
    let before = Resident::now();
    let progress = Progress::weighted(output, request.phases());
    let made = make(&request, &progress)?;
    let timings = progress.finish();
    let kind = match development {
        true => "UNSAFE development key",
        false => "UNFINISHED proving key",
    };
    let peak = watch.take_peak().map(|peak| peak.private);
    let measured = match peak {
        Some(peak) => format!(", {} of private memory", bytes(peak)),
        None => String::new(),
    };
    output.result(
        &format!(
            "{kind} written to {}: {} constraints, {} wires, {}{measured}",
            key.display(),
            count(made.n_constraints.into()),
            count(made.n_wires.into()),
            duration(timings.total()),
        ),
        json!({
            "zkey": key.display().to_string(),
            "kind": if made.is_fkey { "fkey" } else { "zkey" },
            "unsafe_development_key": development,
            "contributed": made.missing.is_none(),
            "constraints": made.n_constraints,
            "wires": made.n_wires,
            "public_signals": made.n_public,
            "predicted_memory_bytes": made.plan.memory,
            "private_bytes_before": before.map(|resident| resident.private),
            "peak_private_bytes": peak,
            "passes_over_constraints": made.plan.passes,
            "resumed_bytes": made.resumed_bytes,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}
