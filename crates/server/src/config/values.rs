//! Values of the configuration: addresses, sizes, durations, hashes.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use serde::de::Error;
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
            Some(path) if path.starts_with('/') => Ok(Self::Unix(path.into())),
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
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Text(String),
        }
        let size = match Written::deserialize(deserializer)? {
            Written::Number(number) => Some(number),
            Written::Text(text) => size(&text),
        };
        size.map(Self)
            .ok_or_else(|| D::Error::custom("not a size such as 1048576 or \"512M\""))
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
