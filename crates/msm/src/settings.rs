//! Sizes that change the time of a sum, and never the sum: see [`frumious_settings`].

use frumious_settings::{Scale, Setting, caches};

/// Bytes that the buckets of several windows may fill together: half of the level-two cache. 512 KB also where that is
/// smaller: on Zen 3 (512 KB) and Zen 4 (1 MB) no other value was faster.
pub(crate) static CACHE_BYTES: Setting = Setting::of_machine(
    "msm.cache_bytes",
    64 << 10..=16 << 20,
    || near_bytes(caches::level_two_bytes()),
    Scale::Doubling,
);

fn near_bytes(level_two: Option<usize>) -> usize {
    let half = level_two.map_or(0, |bytes| bytes / 2);
    power_of_two_within(half).max(512 << 10)
}

/// Bytes that the buckets of one window may fill: a thread's share of the level-three cache. An addition reads and
/// writes a bucket: 128 bytes in some 20 ns in G1. From memory, a dozen threads would take all of its bandwidth.
pub(crate) static WINDOW_BYTES: Setting = Setting::of_machine(
    "msm.window_bytes",
    512 << 10..=64 << 20,
    || window_bytes(caches::level_three_bytes_per_cpu()),
    Scale::Doubling,
);

/// 2 MB at least, as what narrower windows cost would be more. Where nobody tells the cache, the widest window counts.
fn window_bytes(level_three: Option<usize>) -> usize {
    level_three.map_or(64 << 20, |bytes| power_of_two_within(bytes).max(2 << 20))
}

fn power_of_two_within(bytes: usize) -> usize {
    bytes.checked_ilog2().map_or(0, |log| 1 << log)
}

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
pub static SETTINGS: [&Setting; 8] = [
    &CACHE_BYTES,
    &WINDOW_BYTES,
    &WIDEST_WINDOW,
    &BUCKET_COST,
    &TASKS,
    &BATCH,
    &LANES_BATCH,
    &LANES_AHEAD,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_the_caches() {
        let kib = |bytes: Option<usize>| near_bytes(bytes.map(|kib| kib << 10)) >> 10;
        for (level_two, near) in [(None, 512), (Some(256), 512), (Some(1024), 512)] {
            assert_eq!(kib(level_two), near, "{level_two:?}");
        }
        assert_eq!((kib(Some(2048)), kib(Some(3000))), (1024, 1024));
        let mib = |bytes: Option<usize>| window_bytes(bytes.map(|mib| mib << 20)) >> 20;
        // One thread of 32 MB, eight of 32, sixteen of 32, twenty-four of 36.
        assert_eq!(
            (mib(Some(32)), mib(Some(4)), mib(Some(2)), mib(Some(1))),
            (32, 4, 2, 2)
        );
        assert_eq!(mib(None), 64);
    }
}
