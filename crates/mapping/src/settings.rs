//! Settings of memory: see [`frumious_settings`].

use frumious_settings::{Scale, Setting};

/// One to ask for huge pages where memory is large, zero to take what the system gives.
pub(crate) static HUGE_PAGES: Setting =
    Setting::new("memory.huge_pages", 0..=1, 1, Scale::Steps(1));

/// The settings of this crate.
pub static SETTINGS: [&Setting; 1] = [&HUGE_PAGES];
