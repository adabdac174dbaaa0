//! Sizes that change the time of a transform, and never its values: see [`frumious_settings`].

use frumious_settings::{Scale, Setting};

/// Bytes of the columns that are brought to cache at once. A quarter of the second cache of the machines we tune for;
/// half of it measures the same. In lanes there are always eight columns.
pub(crate) static PANEL_BYTES: Setting = Setting::new(
    "fft.panel_bytes",
    32 << 10..=8 << 20,
    256 << 10,
    Scale::Doubling,
);

/// A sub-block of this size stays in the first cache (48 KiB on the machines we tune for) during its remaining stages.
pub(crate) static CACHED_BYTES: Setting = Setting::new(
    "fft.cached_bytes",
    4 << 10..=512 << 10,
    32 << 10,
    Scale::Doubling,
);

/// Binary logarithm of the largest transform that is one block on one thread. The usual one takes a fraction of a
/// millisecond, not worth waking another thread. Read when a domain is made.
pub(crate) static LOG_ONE_ROW: Setting =
    Setting::new("fft.log_one_row", 6..=16, 12, Scale::Steps(1));

/// The settings that can change the time of a transform with the backend in use.
pub fn settings_in_use() -> impl Iterator<Item = &'static Setting> {
    let has_lanes = frumious_field::lanes::active().is_some();
    let is_scalar = |setting: &&'static Setting| !std::ptr::eq(*setting, &LOG_ONE_ROW);
    SETTINGS
        .into_iter()
        .filter(move |setting| !(has_lanes && is_scalar(setting)))
}

/// The settings of this crate.
pub static SETTINGS: [&Setting; 3] = [&PANEL_BYTES, &CACHED_BYTES, &LOG_ONE_ROW];
