//! Values of arguments.

/// A number of threads.
pub fn threads(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("a number from 1 to 1024 is expected".into()),
    }
}

/// A price in any currency.
pub fn price(text: &str) -> Result<f64, String> {
    number(text, 1e-9, 1e9)
}

/// Gigabytes a second of a memory.
pub fn bandwidth(text: &str) -> Result<f64, String> {
    number(text, 1e-3, 1e6)
}

/// Microseconds, up to one second.
pub fn microseconds(text: &str) -> Result<f64, String> {
    number(text, 1e-6, 1e6)
}

/// A factor of sizes.
pub fn factor(text: &str) -> Result<f64, String> {
    number(text, 1e-6, 1e6)
}

fn number(text: &str, least: f64, most: f64) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("a number from {least} to {most} is expected")),
    }
}

/// A number of bytes: `65536`, `64K`, `512M`, `2GB`, `1.5 GiB`. Alone and before `iB` the letters are powers of 1024,
/// before `B` of 1000.
pub fn memory_size(text: &str) -> Result<u64, String> {
    let wrong = || "a number of bytes is expected, such as 512M, 2GB or 1.5 GiB".to_owned();
    let too_much = || "more than 2^64 bytes".to_owned();
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(split.unwrap_or(text.len()));
    let unit = unit_of(unit.trim_start()).ok_or_else(wrong)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let are_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(fraction) || fraction.len() > 9 {
        return Err(wrong());
    }
    let whole = whole.parse::<u64>().map_err(|_| too_much())?;
    let whole = whole.checked_mul(unit).ok_or_else(too_much)?;
    // At most nine digits and 2^40, so the product is below 2^70.
    let scale = 10u128.pow(fraction.len() as u32);
    let part = fraction.parse::<u128>().map_err(|_| wrong())? * u128::from(unit) / scale;
    let part = u64::try_from(part).map_err(|_| too_much())?;
    whole.checked_add(part).ok_or_else(too_much)
}

/// The bytes of a unit.
fn unit_of(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    let power = match text.as_bytes().first() {
        None | Some(b'b') => 0,
        Some(b'k') => 1,
        Some(b'm') => 2,
        Some(b'g') => 3,
        Some(b't') => 4,
        Some(_) => return None,
    };
    match (power, text.get(usize::from(power > 0)..)?) {
        (_, "") | (1.., "ib") => Some(1024u64.pow(power)),
        (_, "b") => Some(1000u64.pow(power)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{bandwidth, factor, memory_size, microseconds, price, threads};

    #[test]
    fn numbers_have_bounds() {
        for parse in [bandwidth, factor, microseconds, price] {
            assert_eq!(parse("0.5"), Ok(0.5));
            for wrong in ["", "0", "-1", "-0", "inf", "NaN", "1 GB", "1e300", "1e-300"] {
                assert!(parse(wrong).is_err(), "{wrong}");
            }
        }
        let told = price("1e10").expect_err("too much");
        assert_eq!(told, "a number from 0.000000001 to 1000000000 is expected");
    }

    #[test]
    fn sizes_of_memory_have_units() {
        for (text, size) in [
            ("0", Some(0)),
            ("1000", Some(1000)),
            ("10b", Some(10)),
            ("3k", Some(3 << 10)),
            ("512M", Some(512 << 20)),
            ("16G", Some(16 << 30)),
            ("2GB", Some(2_000_000_000)),
            ("2 GB", Some(2_000_000_000)),
            ("2GiB", Some(2 << 30)),
            ("2 GiB", Some(2 << 30)),
            ("2 gib ", Some(2 << 30)),
            ("1.5G", Some(3 << 29)),
            ("0.5 kB", Some(500)),
            ("1T", Some(1 << 40)),
            ("1 G", Some(1 << 30)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("16777216T", None),
            ("", None),
            ("G", None),
            (".5G", None),
            ("1.G", None),
            ("1.2.3G", None),
            ("1.0000000001G", None),
            ("-1", None),
            ("+1", None),
            ("iB", None),
            ("1iB", None),
            ("1GG", None),
            ("7µ", None),
            ("much", None),
        ] {
            assert_eq!(memory_size(text).ok(), size, "{text}");
        }
    }

    #[test]
    fn threads_are_few() {
        let cases = [
            ("1", Some(1)),
            ("1024", Some(1024)),
            ("0", None),
            ("1025", None),
            ("", None),
        ];
        for (text, number) in cases {
            assert_eq!(threads(text).ok(), number, "{text}");
        }
    }
}
