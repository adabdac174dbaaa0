//! `frumious check`: a witness against its circuit.

use std::time::Instant;

use frumious_app::failure::Failure;
use frumious_app::places::Role;
use frumious_app::quantities::{count, duration, seconds};
use frumious_app::satisfied::{self, Told};
use serde_json::json;

use crate::arguments::witness::Check;
use crate::output::Output;

/// Checks each constraint: a failure that names the first that does not hold.
pub fn check(arguments: &Check, output: &Output) -> Result<(), Failure> {
    let Check {
        r1cs,
        wtns,
        sym,
        values,
    } = arguments;
    let mut places = output.places().input("R1CS", Role::Circuit, r1cs);
    places = places.input("WITNESS", Role::Witness, wtns);
    if let Some(sym) = sym {
        places = places.input("--sym", Role::Symbols, sym);
    }
    output.check(&places)?;
    let beside = r1cs.with_extension("sym");
    let start = Instant::now();
    let sym = sym.as_ref().unwrap_or(&beside);
    let told = match values {
        true => Told::Values,
        false => Told::Names,
    };
    let satisfied = satisfied::check_files(r1cs, wtns, sym, told)?;
    output.result(
        &format!(
            "OK: the witness satisfies all {} constraints ({})",
            count(satisfied.n_constraints.into()),
            duration(start.elapsed()),
        ),
        json!({
            "satisfied": true,
            "constraints": satisfied.n_constraints,
            "wires": satisfied.n_wires,
            "seconds": seconds(start.elapsed()),
        }),
    )
}
