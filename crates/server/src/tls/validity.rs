//! The time in which a certificate is valid: RFC 5280, sections 4.1 and 4.1.2.5. The fields around it are skipped.

use std::ops::RangeInclusive;

/// Seconds since 1970.
pub type Seconds = i64;

/// The time in which a certificate (DER) is valid; none if it is no certificate.
pub fn validity(certificate: &[u8]) -> Option<RangeInclusive<Seconds>> {
    let (_, mut fields) = before_validity(certificate)?;
    let mut times = element(&mut fields, &[SEQUENCE])?.1;
    let mut next = || {
        let (tag, text) = element(&mut times, &[UTC_TIME, GENERALIZED_TIME])?;
        seconds(tag, text)
    };
    Some(next()?..=next()?)
}

/// The fields of a certificate (DER) behind its time, and true before them if it has no version.
pub(super) fn after_validity(certificate: &[u8]) -> Option<(bool, &[u8])> {
    let (has_version, mut fields) = before_validity(certificate)?;
    element(&mut fields, &[SEQUENCE])?;
    Some((!has_version, fields))
}

/// The fields of a certificate from its time on, and true before them if it has a version.
fn before_validity(certificate: &[u8]) -> Option<(bool, &[u8])> {
    let mut whole = certificate;
    let mut content = element(&mut whole, &[SEQUENCE])?.1;
    let mut fields = element(&mut content, &[SEQUENCE])?.1;
    // The version is left out if it is 1. Then come number, algorithm and issuer.
    let has_version = fields.first() == Some(&VERSION);
    if has_version {
        element(&mut fields, &[VERSION])?;
    }
    for tag in [INTEGER, SEQUENCE, SEQUENCE] {
        element(&mut fields, &[tag])?;
    }
    Some((has_version, fields))
}

/// The tag and the content of the next element, whose tag is one of `tags`.
pub(super) fn element<'a>(bytes: &mut &'a [u8], tags: &[u8]) -> Option<(u8, &'a [u8])> {
    let (&[tag, first], mut rest) = bytes.split_first_chunk()?;
    let mut length = usize::from(first);
    if first >= 0x80 {
        let (digits, after) = rest.split_at_checked(usize::from(first & 0x7f))?;
        let is_usual = matches!(digits.len(), 1..=4);
        let digits = is_usual.then_some(digits)?;
        length = digits
            .iter()
            .fold(0, |length, digit| length << 8 | usize::from(*digit));
        rest = after;
    }
    let (content, after) = rest.split_at_checked(length)?;
    *bytes = after;
    tags.contains(&tag).then_some((tag, content))
}

/// A time such as `500101000000Z` (UTCTime, of 1950 to 2049) or `20500101000000Z` (GeneralizedTime).
fn seconds(tag: u8, text: &[u8]) -> Option<Seconds> {
    let digits = text.strip_suffix(b"Z")?;
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let length = if tag == UTC_TIME { 12 } else { 14 };
    if !is_number || digits.len() != length {
        return None;
    }
    let (year, rest) = digits.split_at(length - 10);
    let number = |digits: &[u8]| {
        let add = |number: i64, digit: &u8| 10 * number + i64::from(digit - b'0');
        digits.iter().fold(0, add)
    };
    let year = match (tag, number(year)) {
        (UTC_TIME, year @ 50..) => 1900 + year,
        (UTC_TIME, year) => 2000 + year,
        (_, year) => year,
    };
    let field = |place: usize| number(&rest[2 * place..2 * place + 2]);
    let [month, day, hour, minute, second] = [0, 1, 2, 3, 4].map(field);
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_time = hour < 24 && minute < 60 && second < 60;
    (is_day && is_time).then(|| ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

/// Days from 1970-01-01. Years begin in March here, so that a leap day is the last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = match month {
        ..3 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let of_years = 365 * year + year / 4 - year / 100 + year / 400;
    of_years + (153 * month + 2) / 5 + day - 1 - DAYS_TO_1970
}

/// From 1 March of the year 0.
const DAYS_TO_1970: i64 = 719_468;

pub(super) const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const INTEGER: u8 = 0x02;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_rustls::rustls::pki_types::CertificateDer;
    use tokio_rustls::rustls::pki_types::pem::PemObject;

    #[test]
    fn times_are_counted_from_1970() {
        for (tag, text, expected) in [
            (UTC_TIME, "700101000000Z", Some(0)),
            (UTC_TIME, "691231235959Z", Some(-1)),
            (UTC_TIME, "500101000000Z", Some(-631_152_000)),
            (UTC_TIME, "491231235959Z", Some(2_524_607_999)),
            (UTC_TIME, "000229120000Z", Some(951_825_600)),
            (GENERALIZED_TIME, "20240301000000Z", Some(1_709_251_200)),
            (GENERALIZED_TIME, "99991231235959Z", Some(253_402_300_799)),
            (GENERALIZED_TIME, "700101000000Z", None),
            (UTC_TIME, "7001010000Z", None),
            (UTC_TIME, "70010100000xZ", None),
            (UTC_TIME, "700101000000", None),
            (UTC_TIME, "301301000000Z", None),
            (UTC_TIME, "300001000000Z", None),
            (UTC_TIME, "300100000000Z", None),
            (UTC_TIME, "300132000000Z", None),
            (UTC_TIME, "300101240000Z", None),
            (UTC_TIME, "300101006000Z", None),
            (UTC_TIME, "300101000060Z", None),
        ] {
            assert_eq!(seconds(tag, text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_certificate_tells_its_time_and_nothing_else_does() {
        let text = include_bytes!("../../../cli/tests/data/localhost.pem");
        let certificate = CertificateDer::from_pem_slice(text).expect("a certificate");
        // As `openssl x509 -noout -dates` tells.
        assert_eq!(validity(&certificate), Some(1_795_564_168..=4_949_164_168));
        for length in 0..100 {
            assert_eq!(validity(&certificate[..length]), None, "{length} bytes");
        }
        for garbage in [&b"x"[..], &[0x30, 0x80], &[0x30, 0xff, 0xff], &[0xff; 64]] {
            assert_eq!(validity(garbage), None);
        }
    }

    /// Whatever bytes there are: a time of four digits' years, or none.
    #[test]
    fn a_garbled_certificate_has_a_time_of_some_year_or_none() {
        let text = include_bytes!("../../../cli/tests/data/localhost.pem");
        let certificate = CertificateDer::from_pem_slice(text).expect("a certificate");
        let years = days(0, 1, 1) * 86_400..days(10_000, 1, 1) * 86_400;
        for place in 0..certificate.len().min(300) {
            for byte in 0..=u8::MAX {
                let mut garbled = certificate.to_vec();
                garbled[place] = byte;
                if let Some(valid) = validity(&garbled) {
                    assert!(years.contains(valid.start()) && years.contains(valid.end()));
                }
            }
        }
    }
}
