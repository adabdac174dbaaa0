//! Values of the configuration: addresses, sizes, durations, hashes.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// Where a listener is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An IP address and a port.
    Ip(SocketAddr),
    /// A Unix socket: `unix:/path`.
    Unix(PathBuf),
}

impl Address {
    /// Loopback, port 7700.
    pub fn usual() -> Self {
        Self::Ip(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7700))
    }

    /// True if no other machine can connect.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Ip(address) => address.ip().to_canonical().is_loopback(),
            Self::Unix(_) => true,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.strip_prefix("unix:") {
            Some(path) if path.starts_with('/') => {
                let named = std::os::unix::net::SocketAddr::from_pathname(path);
                let too_long = |_| D::Error::custom("no address takes the path of the Unix socket");
                named.map_err(too_long)?;
                Ok(Self::Unix(path.into()))
            }
            Some(_) => Err(D::Error::custom(
                "a Unix socket has an absolute path: unix:/path",
            )),
            None => text.parse().map(Self::Ip).map_err(|_| {
                D::Error::custom("not an address such as 127.0.0.1:7700 or unix:/path")
            }),
        }
    }
}

/// A size in bytes: a number, or as `"512M"`, `"2G"` (K, M, G are 2^10, 2^20, 2^30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl Bytes {
    /// 4 GiB.
    pub fn four_gib() -> Self {
        Self(4 << 30)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BytesVisitor)
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a size such as 1048576 or \"512M\"")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Bytes, E> {
        Ok(Bytes(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Bytes, E> {
        let size = u64::try_from(number);
        size.map(Bytes)
            .map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        size(text)
            .map(Bytes)
            .ok_or_else(|| E::custom("not a size such as 1048576 or \"512M\""))
    }
}

fn size(text: &str) -> Option<u64> {
    let (digits, shift) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 10),
        b'M' => (&text[..text.len() - 1], 20),
        b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// A duration in seconds, from 0 to a hundred years.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds(pub f64);

impl Seconds {
    /// The longest.
    pub const MOST: f64 = 3.2e9;

    /// 10 minutes.
    pub fn ten_minutes() -> Self {
        Self(600.0)
    }

    /// 15 seconds.
    pub fn fifteen() -> Self {
        Self(15.0)
    }

    /// As a duration.
    pub fn duration(self) -> Duration {
        Duration::from_secs_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        match (0.0..=Self::MOST).contains(&seconds) {
            true => Ok(Self(seconds)),
            false => Err(D::Error::custom("not a number of seconds")),
        }
    }
}

/// The hash of a token, which is compared in constant time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenHash(pub blake3::Hash);

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // The text is not repeated: it may be a token that was put there by mistake.
        let hash = blake3::Hash::from_hex(text);
        hash.map(Self)
            .map_err(|_| D::Error::custom("not a hash of 64 hexadecimal digits"))
    }
}

/// `limits.connections`.
pub(super) fn connections<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, "connections", MOST_CONNECTIONS)
}

/// `limits.threads`.
pub(super) fn threads<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<usize>, D::Error> {
    within(deserializer, "threads", MOST_THREADS).map(Some)
}

/// A number from 1 to `most`; the failure has the name of the field.
fn within<'de, D: Deserializer<'de>>(
    deserializer: D,
    field: &str,
    most: usize,
) -> Result<usize, D::Error> {
    let number = usize::try_from(i128::deserialize(deserializer)?).unwrap_or(0);
    match (1..=most).contains(&number) {
        true => Ok(number),
        false => Err(D::Error::custom(format_args!("{field} is 1 to {most}"))),
    }
}

/// More than a machine has files open by default. A semaphore counts them.
const MOST_CONNECTIONS: usize = 1 << 16;

/// Each has a stack, and is there before the first proof.
const MOST_THREADS: usize = 1024;
