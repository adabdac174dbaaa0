//! The command line of `frumious tune`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
#[command(after_help = EXPLANATION)]
pub struct Tune {
    /// Proving keys (.zkey or .fkey), each with a witness (.wtns) after it
    #[arg(value_names = ["KEY", "WITNESS"], num_args = 0..)]
    pub files: Vec<PathBuf>,
    /// Tune for the demonstration's circuit of at most N constraints, too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(365..=1 << 24))]
    pub constraints: Vec<u32>,
    /// Time for the search, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub seconds: u32,
    /// Turns in which values are compared
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(6..=1000))]
    pub turns: u32,
    /// Values to try on either side of the best so far
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub steps: u32,
    /// Tune these parameters only: names as in the file, with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Then measure all combinations of the parameters of --only, too, and compare the search with the best of them
    #[arg(long, requires = "only")]
    pub grid: bool,
    /// Where to write the settings
    #[arg(long, value_name = "FILE", default_value = frumious_app::tuning::USUAL_FILE)]
    pub out: PathBuf,
    /// Write everything measured (CSV)
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw everything measured (SVG)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

const EXPLANATION: &str = "\
Settings change the time of a proof, never the proof; each proof of the search is verified. Values are compared in turns,
with an interval of 95% confidence for the ratio of their times. The best meets the usual values once more in the end.
If it is not faster then, the file has the usual values.

prove, fullprove, bench prove and serve read the file: by --tuning FILE (serve: tuning = \"FILE\"), or if it has its usual
name and lies in the folder they run in (serve: beside the configuration). A file of another machine is not used.";
