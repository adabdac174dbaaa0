//! Measurements for people and for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::measure::{LENGTHS, Measured, Row};
use frumious_app::observer::Timings;
use frumious_app::quantities::{count, duration, seconds};

/// Everything measured.
pub struct Report {
    pub tables: Vec<Measured>,
    pub timings: Timings,
}

impl Report {
    /// A block of lines for each number of scalars; a star marks the fastest.
    pub fn for_people(&self) -> String {
        let mut text = String::new();
        for (place, n) in LENGTHS.iter().enumerate() {
            let row = |table: &Measured| table.rows[place].time;
            let fastest = self.tables.iter().map(row).min();
            let heading = format!(
                "n = {n:<15} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                "MiB", "build", "adds", "doubles", "time", "ns/op"
            );
            text += &heading;
            for table in &self.tables {
                let row = &table.rows[place];
                let star = if Some(row.time) == fastest { " *" } else { "" };
                let line = format!(
                    "  {:<17} {:>9.2} {:>9} {:>9} {:>9} {:>9} {:>9.1}{star}\n",
                    table.candidate.name,
                    table.mib(),
                    duration(table.build),
                    count(row.operations.additions as u64),
                    count(row.operations.doublings as u64),
                    duration(row.time),
                    row.ns_per_operation(),
                );
                text += &line;
            }
            text.push('\n');
        }
        let total = duration(self.timings.total());
        text + &format!("{} tables in {total}", self.tables.len())
    }

    /// A line for each table and number of scalars, with a heading; times in microseconds.
    pub fn to_csv(&self) -> String {
        let mut text =
            String::from("table,bytes,build_us,n,additions,doublings,operations,time_us\n");
        for table in &self.tables {
            for row in &table.rows {
                // Names have commas, as in "t = 11, b = 8".
                let written = writeln!(
                    text,
                    "\"{}\",{},{:.0},{},{},{},{},{:.3}",
                    table.candidate.name,
                    table.candidate.bytes,
                    table.build.as_secs_f64() * 1e6,
                    row.n,
                    row.operations.additions,
                    row.operations.doublings,
                    row.operations.total(),
                    row.time.as_secs_f64() * 1e6,
                );
                written.expect("a string takes everything");
            }
        }
        text
    }

    /// The same as the CSV, as JSON.
    pub fn for_programs(&self) -> Value {
        let row = |row: &Row| {
            json!({
                "n": row.n,
                "additions": row.operations.additions,
                "doublings": row.operations.doublings,
                "nanoseconds": row.time.as_nanos() as u64,
            })
        };
        let table = |table: &Measured| {
            json!({
                "name": table.candidate.name,
                "bytes": table.candidate.bytes,
                "build_seconds": seconds(table.build),
                "commitments": table.rows.iter().map(row).collect::<Value>(),
            })
        };
        json!({
            "tables": self.tables.iter().map(table).collect::<Value>(),
            "seconds": seconds(self.timings.total()),
        })
    }
}

impl Measured {
    /// Size of the tables.
    pub fn mib(&self) -> f64 {
        self.candidate.bytes as f64 / f64::from(1 << 20)
    }
}

impl Row {
    fn ns_per_operation(&self) -> f64 {
        self.time.as_nanos() as f64 / self.operations.total().max(1) as f64
    }
}
