#![deny(unsafe_code)] // but for the counting allocator and calls of blst, which are no part of the product
//! Measures Frumious, arkworks, halo2curves, blst, libsecp256k1 and k256 in one process, for `peers/run`.
//!
//! Reads one request a line from standard input and answers each with one line:
//!
//! ```text
//! info                      -> ok NAME=VERSION …
//! bench SIDE ID SIZE MS     -> ok WALL_NS CPU_NS | none | err TEXT
//! check SIDE ID SIZE        -> ok HEX | none | err TEXT
//! memory SIDE ID SIZE       -> ok BYTES ALLOCATIONS HELD_BYTES | none | err TEXT
//! cross SIDE ID ARGUMENT …  -> ok TEXT | none | err TEXT
//! drop                      -> ok      (forgets cached inputs)
//! ```
//!
//! SIDE is `ours`, `ark`, `halo2`, `blst`, `libsecp` or `k256`. ID and SIZE are those of the driver's table. MS is the
//! time to spend, in milliseconds. The answer is in nanoseconds an operation. `check` returns a canonical result of the
//! operation on the common inputs, so that the driver can see that every library computed the same thing. `memory` runs
//! the row once, warm, and counts what an operation allocates; HELD_BYTES is what its result keeps, 0 where nobody
//! asks. `cross` computes something for the driver's cross-checks.

mod allocations;
mod ark;
mod bls12_381;
mod blst;
mod field;
mod halo2;
mod inputs;
mod measure;
mod ours;
mod rate;
mod row;
mod secp256k1;

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use row::{Row, Table};

struct Session {
    tables: HashMap<&'static str, Table>,
    rows: HashMap<(String, String, usize), Row>,
}

fn main() -> std::io::Result<()> {
    let tables = HashMap::from([
        ("ours", ours::table()),
        ("ark", ark::table()),
        ("halo2", halo2::table()),
        ("blst", blst::table()),
        ("libsecp", secp256k1::libsecp()),
        ("k256", secp256k1::k256()),
    ]);
    let mut session = Session {
        tables,
        rows: HashMap::new(),
    };
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        writeln!(out, "{}", session.answer(&words))?;
        out.flush()?;
    }
    Ok(())
}

impl Session {
    fn answer(&mut self, words: &[&str]) -> String {
        match words {
            ["info"] => format!("ok {}", versions()),
            ["drop"] => {
                self.rows.clear();
                self.tables.values_mut().for_each(|table| (table.forget)());
                "ok".into()
            }
            ["bench", side, id, size, milliseconds] => {
                let Ok(milliseconds) = milliseconds.parse() else {
                    return format!("err bad time {milliseconds}");
                };
                self.with_row(side, id, size, |row| {
                    let (wall, cpu) = measure::measure(row, Duration::from_millis(milliseconds));
                    format!("ok {wall:.3} {cpu:.3}")
                })
            }
            ["check", side, id, size] => {
                self.with_row(side, id, size, |row| match &mut row.check {
                    Some(check) => format!("ok {}", check()),
                    None => "none".into(),
                })
            }
            ["memory", side, id, size] => self.with_row(side, id, size, |row| {
                (row.op)(); // what is made once (tables, scratch) is not each run's cost
                let (bytes, count) = allocations::count(|| (row.op)());
                let held = row.held.as_ref().map_or(0, |held| held());
                let per = |total: usize| total as f64 / row.count as f64;
                format!("ok {:.1} {:.2} {held}", per(bytes), per(count))
            }),
            ["cross", side, id, arguments @ ..] => self.cross(side, id, arguments),
            _ => "err unknown request".into(),
        }
    }

    /// Finds or prepares a row and gives it to `action`. A panic inside a library is an answer, not the end of the run.
    fn with_row(
        &mut self,
        side: &str,
        id: &str,
        size: &str,
        action: impl FnOnce(&mut Row) -> String,
    ) -> String {
        let Ok(size) = size.parse::<usize>() else {
            return format!("err bad size {size}");
        };
        let Some(build) = self
            .tables
            .get(side)
            .and_then(|table| table.builders.get(id))
        else {
            return "none".into();
        };
        let entry = self.rows.entry((side.into(), id.into(), size));
        let guarded = AssertUnwindSafe(|| action(entry.or_insert_with(|| build(size))));
        catch_unwind(guarded).unwrap_or_else(|_| "err panic (see standard error)".into())
    }
}

impl Session {
    fn cross(&self, side: &str, id: &str, arguments: &[&str]) -> String {
        let table = self.tables.get(side);
        let Some(run) = table.and_then(|table| table.crossings.get(id)) else {
            return "none".into();
        };
        match catch_unwind(AssertUnwindSafe(|| run(arguments))) {
            Ok(Ok(text)) => format!("ok {text}"),
            Ok(Err(text)) => format!("err {text}"),
            Err(_) => "err panic (see standard error)".into(),
        }
    }
}

/// The measured libraries, from the lock file as built.
fn versions() -> String {
    let lock = include_str!("../Cargo.lock");
    let version_of = |package: &str| {
        let after = lock
            .split(&format!("name = \"{package}\"\nversion = \""))
            .nth(1)?;
        after.split('"').next()
    };
    let listed = [
        "frumious-curves",
        "ark-bn254",
        "ark-groth16",
        "ark-bls12-381",
        "halo2curves",
        "blst",
        "secp256k1-sys",
        "k256",
    ]
    .map(|package| format!("{package}={}", version_of(package).unwrap_or("?")));
    let rate = match rate::products_a_cycle() {
        Some(products) => format!("{products:.2}"),
        None => "none".into(),
    };
    format!(
        "backend={} ifma_products_a_cycle={rate} {}",
        ours::backend(),
        listed.join(" ")
    )
}
