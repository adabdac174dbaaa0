//! The phases of a long command: shown on stderr while they last, and timed.
//!
//! | stderr | shown |
//! |---|---|
//! | a terminal | one line, redrawn: the part that is done, the phase, the time left; nothing of it stays |
//! | anything else, `TERM=dumb` | a line every half minute, or as `FRUMIOUS_PROGRESS` says |
//! | with `--verbose` | besides, a line for each phase as it ends |

mod heartbeat;
mod narrow;

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use frumious_app::failure::Failure;
use frumious_app::observer::{Observer, Phases, Shares, Timings};
use frumious_app::quantities::duration;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::output::Output;
use heartbeat::Heartbeat;
use narrow::Narrow;

/// A command's progress. Dropping it clears the line.
pub struct Progress<'a> {
    bar: ProgressBar,
    phases: Phases,
    output: &'a Output,
    shares: Shares,
    state: Arc<Mutex<State>>,
    _heartbeat: Option<Heartbeat>,
}

/// The bar that is shown: a command has one at a time.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Clears the line, for a process that ends from another thread.
#[cfg(unix)]
pub fn clear() {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bar) = shown.take() {
        bar.finish_and_clear();
        bar.set_draw_target(ProgressDrawTarget::hidden()); // the work goes on meanwhile
    }
}

/// The phase that lasts.
#[derive(Default)]
struct State {
    phase: &'static str,
    since: Option<Instant>,
    text: String,
}

impl<'a> Progress<'a> {
    /// For a command of these phases, with the shares of the time that they are expected to take.
    pub fn weighted(output: &'a Output, shares: &[(&'static str, f64)]) -> Self {
        Self::of(output, Shares::new(shares))
    }

    /// For a command of `steps` phases, of which nothing is known.
    pub fn new(output: &'a Output, steps: usize) -> Self {
        Self::of(output, Shares::equal(steps))
    }

    fn of(output: &'a Output, shares: Shares) -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_shown = output.wants_progress() && std::io::stderr().is_terminal() && !is_dumb;
        let target = match is_shown {
            true => ProgressDrawTarget::term_like(Box::new(Narrow::stderr())),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(WHOLE), target).with_style(style());
        if is_shown {
            bar.enable_steady_tick(Duration::from_millis(100));
            *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        }
        let state = Arc::new(Mutex::new(State::default()));
        let heartbeat = (output.wants_progress() && !is_shown).then(|| {
            let state = Arc::clone(&state);
            Heartbeat::begin(interval().unwrap_or(BETWEEN_LINES), move || {
                let state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if !state.text.is_empty() {
                    crate::output::complain(&state.text);
                }
            })
        });
        Self {
            bar,
            phases: Phases::default(),
            output,
            shares,
            state,
            _heartbeat: heartbeat,
        }
    }

    /// Begins a phase, and so ends the one before.
    pub fn begin(&self, name: &'static str) {
        self.end_phase();
        let before = self.phases.begin(name);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.phase = name;
        state.since = Some(Instant::now());
        drop(state);
        self.show(name, self.shares.done(name, before, 0.0), 0.0);
    }

    /// Ends the last phase; tells how long each took, in order.
    pub fn finish(self) -> Timings {
        self.end_phase();
        self.phases.timings()
    }

    /// With `--verbose`, tells how long the last phase took.
    fn end_phase(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let since = state.since.take();
        let phase = state.phase;
        drop(state);
        if let (Some(since), true) = (since, self.output.is_verbose()) {
            let line = format!("{phase}: {}", duration(since.elapsed()));
            self.bar.suspend(|| self.output.note(&line));
        }
    }

    /// Shows that this part of everything is done, and this part of the phase.
    fn show(&self, phase: &str, whole: f64, within: f64) {
        self.bar.set_position((whole * WHOLE as f64) as u64);
        let elapsed = self.phases.elapsed();
        let mut text = phase.to_owned();
        if within > 0.0 {
            text += &format!(" {:.0}%", within * 100.0);
        }
        if let Some(left) = self.shares.left(whole, elapsed) {
            text += &format!(", {} left", roughly(left));
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.text = format!("{:.0}% done: {text}", whole * 100.0);
        let room = usize::from(Narrow::stderr().width()).saturating_sub(BEFORE_MESSAGE);
        self.bar
            .set_message(text.chars().take(room).collect::<String>());
    }
}

impl Observer for Progress<'_> {
    fn begin(&self, phase: &'static str) {
        Progress::begin(self, phase);
    }

    fn within(&self, phase: &'static str, done: f64) {
        if !self.phases.is_in(phase) {
            self.begin(phase);
        }
        let before = self.phases.number().saturating_sub(1);
        self.show(phase, self.shares.done(phase, before, done), done);
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| self.output.note(text));
    }

    fn warning(&self, text: &str) {
        self.bar.suspend(|| self.output.warning(text));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        // A thread that unwinds, as stopped work does, draws nothing: another one clears the line.
        std::thread::scope(|scope| {
            let clear = || self.bar.finish_and_clear();
            match std::thread::panicking() {
                true => drop(std::thread::Builder::new().spawn_scoped(scope, clear)),
                false => clear(),
            }
        });
    }
}

/// A duration in one number: `41 s`, `12 min`, `3 h`.
fn roughly(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

/// Fits 60 columns, as the message is cut to what is left. No colour.
fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {bar:16} {percent:>3}% {elapsed:>4} {msg}")
        .expect("the template is well-formed")
}

/// Steps of the bar.
const WHOLE: u64 = 1000;

/// Columns before the message.
const BEFORE_MESSAGE: usize = 29;

/// Between lines where there is no terminal: the seconds that `FRUMIOUS_PROGRESS` says.
///
/// # Errors
/// A failure if it says anything else. `main` asks for it first.
pub fn interval() -> Result<Duration, Failure> {
    let asked = std::env::var_os("FRUMIOUS_PROGRESS").unwrap_or_default();
    if asked.is_empty() {
        return Ok(BETWEEN_LINES);
    }
    let seconds = asked.to_str().and_then(|text| text.trim().parse().ok());
    let asked = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let asked = asked.map(|asked| asked.max(LEAST_BETWEEN_LINES));
    asked.ok_or_else(|| Failure::bad_input("FRUMIOUS_PROGRESS must be a number of seconds"))
}

/// If nothing else is asked for.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// More is of no use to anybody.
const LEAST_BETWEEN_LINES: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Global;

    fn quiet() -> Output {
        let global = Global {
            quiet: true,
            ..Global::default()
        };
        Output::new("test", &global)
    }

    #[test]
    fn phases_are_timed_one_after_the_other() {
        let output = quiet();
        let progress = Progress::new(&output, 2);
        let start = Instant::now();
        progress.begin("first");
        std::thread::sleep(Duration::from_millis(20));
        progress.begin("second");
        let timings = progress.finish();
        let names: Vec<&str> = timings.0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["first", "second"]);
        assert!(timings.0[0].1 >= Duration::from_millis(20));
        assert!(timings.total() <= start.elapsed());
    }

    #[test]
    fn phases_begin_with_what_is_done_of_them() {
        let output = quiet();
        let progress = Progress::weighted(&output, &[("a", 1.0)]);
        progress.within("a", 0.0);
        progress.within("a", 0.5);
        assert_eq!(progress.bar.position(), WHOLE / 2);
        progress.within("b", 0.1);
        let names: Vec<&str> = progress.finish().0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn durations_are_told_roughly() {
        for (seconds, text) in [
            (0, "0 s"),
            (119, "119 s"),
            (120, "2 min"),
            (7199, "119 min"),
            (7200, "2 h"),
        ] {
            assert_eq!(roughly(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn no_phase_takes_no_time() {
        let output = quiet();
        let timings = Progress::new(&output, 0).finish();
        assert_eq!(timings.total(), Duration::ZERO);
        assert_eq!(timings.to_json(), serde_json::json!([]));
    }
}
