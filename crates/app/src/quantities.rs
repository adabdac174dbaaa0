//! Durations, bytes and counts, for people and for programs.

use std::time::Duration;

use serde_json::Value;

/// A duration for people: three digits.
pub fn duration(duration: Duration) -> String {
    let milliseconds = duration.as_secs_f64() * 1e3;
    match milliseconds {
        ..0.9995 => format!("{:.0} µs", milliseconds * 1e3),
        ..9.995 => format!("{milliseconds:.2} ms"),
        ..99.95 => format!("{milliseconds:.1} ms"),
        ..999.5 => format!("{milliseconds:.0} ms"),
        ..99_950.0 => format!("{:.2} s", milliseconds / 1e3),
        _ => format!("{:.0} s", milliseconds / 1e3),
    }
}

/// A number of bytes for people: three digits.
pub fn bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if value < 999.5 {
            let digits = if value < 9.995 && unit != "bytes" {
                2
            } else {
                0
            };
            return format!("{value:.digits$} {unit}");
        }
        value /= 1e3;
    }
    format!("{value:.2} TB")
}

/// A limit that suffices for so many bytes, as `--max-memory` takes it. Whole mebibytes with an `M`, or kibibytes with
/// a `K` if they are few.
pub fn limit(bytes: u64) -> String {
    match bytes {
        ..0x100_0000 => format!("{}K", bytes.div_ceil(1 << 10)),
        _ => format!("{}M", bytes.div_ceil(1 << 20)),
    }
}

/// A limit that somebody gave, as short as it can be said exactly.
pub fn given_limit(bytes: u64) -> String {
    for (shift, unit) in [(30, "G"), (20, "M"), (10, "K")] {
        if bytes > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    format!("{bytes} bytes")
}

/// A count for people: `65,336`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Seconds for programs.
pub fn seconds(duration: Duration) -> Value {
    // To the microsecond: more would be noise.
    let micros = duration.as_secs_f64() * 1e6;
    Value::from(micros.round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_digits() {
        let texts = [
            (0, "0 µs"),
            (999_400, "999 µs"),
            (1_000_000, "1.00 ms"),
            (12_340_000, "12.3 ms"),
            (999_400_000, "999 ms"),
            (1_234_000_000, "1.23 s"),
            (99_940_000_000, "99.94 s"),
            (120_000_000_000, "120 s"),
        ];
        for (nanoseconds, text) in texts {
            assert_eq!(duration(Duration::from_nanos(nanoseconds)), text);
        }
    }

    #[test]
    fn bytes_have_a_unit() {
        for (value, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (123_456_789, "123 MB"),
            (1_610_000_000, "1.61 GB"),
            (5_000_000_000_000, "5.00 TB"),
        ] {
            assert_eq!(bytes(value), text);
        }
    }

    #[test]
    fn limits_suffice_and_are_exact() {
        for (bytes, text) in [
            (0, "0K"),
            (1, "1K"),
            (1 << 20, "1024K"),
            ((42 << 20) - 5, "42M"),
        ] {
            assert_eq!(limit(bytes), text);
        }
        for (bytes, text) in [
            (0, "0 bytes"),
            (1000, "1000 bytes"),
            (2048, "2K"),
            (3 << 30, "3G"),
        ] {
            assert_eq!(given_limit(bytes), text);
        }
    }

    #[test]
    fn counts_are_grouped_by_three() {
        for (value, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (65_336, "65,336"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(count(value), text);
        }
    }
}
