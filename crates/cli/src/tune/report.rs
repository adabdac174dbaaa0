//! The result of a search for people, for programs, and as CSV.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use frumious_app::observer::Timings;
use frumious_app::quantities::{count, duration, seconds};
use frumious_app::tuning::{Machine, Measured, Outcome, Parameter, Ratio, Values};
use serde_json::{Value, json};

/// Everything that was found.
pub struct Report {
    pub machine: Machine,
    /// Names of the circuits.
    pub subjects: Vec<String>,
    pub threads: usize,
    pub found: Outcome,
    /// All combinations, if they were measured.
    pub grid: Option<Outcome>,
    pub timings: Timings,
}

impl Report {
    /// The values for the file: with the number of threads, too, if they were fewer than the machine has.
    pub fn settings(&self) -> Values {
        let threads = self.found.best.threads().unwrap_or(self.threads);
        let parameter = Parameter::Threads(self.machine.cpus);
        self.found.best.with(&parameter, threads)
    }

    /// Lines at the beginning of the file of settings.
    pub fn heading(&self) -> String {
        format!(
            "Written by frumious tune. Only values that differ from the usual ones are here.\n\
             Measured for: {}.\n{}.",
            self.subjects.join("; "),
            self.gain()
        )
    }

    /// The gain in a sentence.
    fn gain(&self) -> String {
        let Outcome {
            best, confirmed, ..
        } = &self.found;
        if *best == Values::usual() {
            return "The usual values are the fastest, or as fast as any that were tried"
                .to_owned();
        }
        format!(
            "{:.1}% of the usual time (95% confidence: {:.1}% to {:.1}%, {} turns)",
            100.0 * confirmed.median,
            100.0 * confirmed.low,
            100.0 * confirmed.high,
            confirmed.turns
        )
    }

    /// A table, the fastest first, and what became of it.
    pub fn for_people(&self, out: &Path) -> String {
        let mut text = format!(
            "{:>7}  {:<15}  {:>5}  values\n",
            "ratio", "95% interval", "turns"
        );
        for (place, measured) in self.found.measured.iter().enumerate() {
            let is_usual = measured.values == Values::usual();
            if place < SHOWN || is_usual {
                text += &line(measured);
            }
        }
        let left_out = self.found.measured.len().saturating_sub(SHOWN);
        if left_out > 0 {
            text += &format!("  and {left_out} more, slower: --csv has all of them\n");
        }
        let usual = Duration::from_secs_f64(self.found.usual_seconds);
        text += &format!(
            "\nA proof takes {} here with the usual values; {} proofs were made and verified in {}.\n",
            duration(usual),
            count(self.found.measurements as u64),
            duration(self.timings.total()),
        );
        if !self.found.is_complete {
            text += "The time was too short for all parameters: --seconds gives more.\n";
        }
        if let Some(sentence) = self.against_grid() {
            text += &format!("{sentence}.\n");
        }
        if self.found.best != Values::usual() {
            text += &format!("The fastest: {}.\n", self.found.best.describe());
        }
        text + &format!(
            "{}.\nWritten to {}, which prove and serve read",
            self.gain(),
            out.display()
        )
    }

    /// The search beside the best of the grid, by their ratios to the usual values.
    fn against_grid(&self) -> Option<String> {
        let grid = self.grid.as_ref()?;
        let ratio = self.ratio_to_grid()?;
        let part = match grid.is_complete {
            true => "",
            false => " (the time was too short for all of them)",
        };
        Some(format!(
            "All {} combinations{part}: the best of them ({}) takes {:.1}% of the usual time; the search is at {:.1}% of that",
            grid.measured.len(),
            grid.best.describe(),
            100.0 * grid.confirmed.median,
            100.0 * ratio,
        ))
    }

    fn ratio_to_grid(&self) -> Option<f64> {
        let grid = self.grid.as_ref()?;
        let own = match self.found.best == Values::usual() {
            true => 1.0,
            false => self.found.confirmed.median,
        };
        Some(own / grid.confirmed.median)
    }

    /// A line for each combination of values, with a heading.
    pub fn to_csv(&self) -> String {
        let mut text = String::from("kind,ratio,low,high,turns,values\n");
        let grid = self.grid.iter().flat_map(|grid| &grid.measured);
        let grid = grid.map(|measured| ("grid", measured));
        let found = self.found.measured.iter();
        for (kind, Measured { values, ratio }) in
            found.map(|measured| ("search", measured)).chain(grid)
        {
            let Ratio {
                median,
                low,
                high,
                turns,
            } = ratio;
            let written = writeln!(
                text,
                "{kind},{median:.4},{low:.4},{high:.4},{turns},\"{}\"",
                values.describe()
            );
            written.expect("a string takes everything");
        }
        text
    }

    /// For programs.
    pub fn for_programs(&self) -> Value {
        let found = &self.found;
        json!({
            "settings": self.settings().iter().map(|(name, value)| (name.to_owned(), value.into())).collect::<serde_json::Map<_, _>>(),
            "ratio": of_ratio(&found.confirmed),
            "usual_proof_seconds": found.usual_seconds,
            "circuits": self.subjects,
            "cpu": self.machine.cpu,
            "backend": self.machine.backend,
            "threads": self.threads,
            "proofs": found.measurements,
            "complete": found.is_complete,
            "measured": found.measured.iter().map(of_measured).collect::<Value>(),
            "grid": self.grid.as_ref().map(|grid| json!({
                "combinations": grid.measured.len(),
                "complete": grid.is_complete,
                "best": grid.best.describe(),
                "ratio": of_ratio(&grid.confirmed),
                "search_to_best": self.ratio_to_grid(),
            })),
            "seconds": seconds(self.timings.total()),
        })
    }
}

fn line(Measured { values, ratio }: &Measured) -> String {
    let interval = match ratio.turns {
        0 => String::new(),
        _ if ratio.high.is_finite() => format!("{:.3} to {:.3}", ratio.low, ratio.high),
        _ => "left early".to_owned(),
    };
    let (median, turns) = (ratio.median, ratio.turns);
    format!(
        "{median:>7.3}  {interval:<15}  {turns:>5}  {}\n",
        values.describe()
    )
}

fn of_measured(Measured { values, ratio }: &Measured) -> Value {
    let mut fields = of_ratio(ratio);
    fields["values"] = values.describe().into();
    fields
}

/// An interval without a bound has `null` for it.
fn of_ratio(ratio: &Ratio) -> Value {
    let high = ratio.high.is_finite().then_some(ratio.high);
    json!({ "median": ratio.median, "low": ratio.low, "high": high, "turns": ratio.turns })
}

/// Lines of the table.
const SHOWN: usize = 25;
