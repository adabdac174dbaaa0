//! Sizes that change the time of a sum, and never the sum: see [`frumious_settings`].

use frumious_settings::{Scale, Setting};

/// Bytes that the buckets of several windows may fill together. Half a usual level-two cache.
pub(crate) static CACHE_BYTES: Setting = Setting::new(
    "msm.cache_bytes",
    64 << 10..=16 << 20,
    512 << 10,
    Scale::Doubling,
);

/// Bits of the widest window. With the usual 18 there are 2^17 buckets, 8 MB in G1. Wider ones would pay from about
/// 2^22 points on, by a few percent.
pub(crate) static WIDEST_WINDOW: Setting =
    Setting::new("msm.widest_window", 8..=20, 18, Scale::Steps(1));

/// The cost of a bucket, in hundredths of what was measured on the machines that the plans were made for. A lower one
/// makes wider windows.
pub(crate) static BUCKET_COST: Setting =
    Setting::new("msm.bucket_cost", 25..=400, 100, Scale::Doubling);

/// Largest number of tasks that the windows of a sum are grouped to, in multiples of the threads.
pub(crate) static TASKS: Setting = Setting::new("msm.tasks", 1..=8, 3, Scale::Steps(1));

/// Additions that share an inversion, without lanes. The inversion (0.7 µs, or 70 products) is at the usual 512 a
/// seventh of a product an addition. Slots, points and scratch of a batch (110 KB in G1) stay in the level-two cache.
pub(crate) static BATCH: Setting = Setting::new("msm.batch", 64..=MAX_BATCH, 512, Scale::Doubling);

/// As [`BATCH`], in lanes.
pub(crate) static LANES_BATCH: Setting = Setting::new(
    "msm.lanes_batch",
    256..=MAX_BATCH,
    MAX_BATCH,
    Scale::Doubling,
);

/// Pairs ahead at which the first pass of a batch in lanes asks for slots and points. With 2 to 6 times differ by less
/// than they vary (Zen 5).
pub(crate) static LANES_AHEAD: Setting =
    Setting::new("msm.lanes_ahead", 1..=16, 3, Scale::Steps(1));

/// The largest batch that there is room for.
pub(crate) const MAX_BATCH: usize = 1024;

/// The settings that can change the time of a sum on so many threads, with the backend in use.
pub fn settings_in_use(threads: usize) -> impl Iterator<Item = &'static Setting> {
    let has_lanes = frumious_field::lanes::active().is_some();
    SETTINGS.into_iter().filter(move |setting| {
        let is = |other: &'static Setting| std::ptr::eq(*setting, other);
        match has_lanes {
            _ if is(&TASKS) => threads > 1,
            true => !is(&BATCH),
            false => !is(&LANES_BATCH) && !is(&LANES_AHEAD),
        }
    })
}

/// The settings of this crate.
pub static SETTINGS: [&Setting; 7] = [
    &CACHE_BYTES,
    &WIDEST_WINDOW,
    &BUCKET_COST,
    &TASKS,
    &BATCH,
    &LANES_BATCH,
    &LANES_AHEAD,
];
