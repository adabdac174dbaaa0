//! Sizes that change the time of a proof from a mapped key, and never the proof: see [`frumious_settings`].

use frumious_settings::{Scale, Setting};

/// Rows whose coefficients are resident at once, of circuits that have more: with two terms each 90 MiB at the usual
/// 2^20. Few in the tests of this crate.
pub(crate) static WINDOW_ROWS: Setting = match cfg!(test) {
    true => Setting::new("key.window_rows", 1 << 4..=1 << 24, 1 << 5, Scale::Doubling),
    false => Setting::new(
        "key.window_rows",
        1 << 14..=1 << 24,
        1 << 20,
        Scale::Doubling,
    ),
};

/// Points of a window for each two threads. At the usual 2^21 they are 128 MiB and more, so that sums by windows cost a
/// hundredth more than one over all. Few in the tests of this crate, whose circuits shall have several windows.
static WINDOW_POINTS: Setting = match cfg!(test) {
    true => Setting::new(
        "key.window_points",
        1 << 4..=1 << 24,
        1 << 6,
        Scale::Doubling,
    ),
    false => Setting::new(
        "key.window_points",
        1 << 14..=1 << 24,
        1 << 21,
        Scale::Doubling,
    ),
};

/// Points of a window, on the pool of the caller. Each window ends with threads that wait for others, so many threads
/// have larger ones.
pub(crate) fn window_points() -> usize {
    let threads = match cfg!(test) {
        true => 2, // several windows on any machine
        false => frumious_parallel::current_num_threads().max(2),
    };
    WINDOW_POINTS.get().saturating_mul(threads) / 2
}

/// The settings that can change the time of a proof over so many rows. A key that is one window of half the usual size
/// has none.
pub fn settings_in_use(rows: usize) -> impl Iterator<Item = &'static Setting> {
    let is_cut = move |setting: &&'static Setting| 2 * rows >= setting.usual();
    SETTINGS.into_iter().filter(is_cut)
}

/// The settings of this crate.
pub static SETTINGS: [&Setting; 2] = [&WINDOW_ROWS, &WINDOW_POINTS];
