//! Who asks, and what the heads of requests say.

use std::str::FromStr;
use std::time::Duration;

use axum::extract::{FromRequestParts, Path, Request};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};

use super::{Problem, Site};
use crate::config::is_idempotency_key;
use crate::tokens::Owner;

impl FromRequestParts<Site> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Problem> {
        let header = parts.headers.get(AUTHORIZATION);
        let given = header.and_then(|value| value.to_str().ok());
        let token = given.and_then(bearer);
        site.tokens.owner(token).ok_or_else(Problem::unauthorized)
    }
}

/// The name that ends a path. One that is not UTF-8 is of nothing.
pub struct Id(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let named = Path::<String>::from_request_parts(parts, state).await;
        named
            .map(|Path(name)| Self(name))
            .map_err(|_| Problem::not_found())
    }
}

/// The token of `Authorization: Bearer TOKEN`. The scheme's case means nothing (RFC 9110, section 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    let is_bearer = scheme.eq_ignore_ascii_case("bearer");
    is_bearer.then(|| token.trim_start_matches(' '))
}

/// Refuses what a browser sends for a page that is not ours.
///
/// A server on loopback that asks for no token would do the will of any page that is open in a browser there. Browsers
/// name the page's origin, and the host that it was looked up by: so DNS rebinding is seen, too.
pub fn is_not_from_a_strange_page(request: &Request, is_open: bool) -> Result<(), Problem> {
    if request.headers().get_all(HOST).iter().count() > 1 {
        return Err(Problem::usage("Host: once"));
    }
    let host = match request.headers().get(HOST) {
        Some(value) => value.to_str().unwrap_or("no name"),
        None => "",
    };
    let refuse = |message| Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", message));
    // A target such as `http://name/path` counts before Host (RFC 9112, section 3.2.2).
    let named = [request.uri().host().unwrap_or_default(), host];
    let is_strange = |name: &str| !name.is_empty() && !is_this_machine(name);
    if is_open && named.into_iter().any(is_strange) {
        return refuse(
            "nobody is asked for a token here: Host must be localhost or a loopback address",
        );
    }
    let Some(origin) = request.headers().get(ORIGIN) else {
        return Ok(());
    };
    let origin = origin.to_str().unwrap_or_default();
    let its_host = origin.split_once("://").map(|(_, host)| host);
    match its_host == Some(host) {
        true => Ok(()),
        false => refuse("the request comes from a page of another origin"),
    }
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = std::net::IpAddr::from_str(name).is_ok_and(|ip| ip.is_loopback());
    // The case of a name means nothing, and curl sends it as it was typed.
    name.eq_ignore_ascii_case("localhost") || is_loopback
}

/// The client's name for a request, if it gives one: 1 to 128 printable characters of ASCII.
pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all("idempotency-key").iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(Problem::usage("Idempotency-Key: two of them"));
    }
    let bytes = value.as_bytes();
    match is_idempotency_key(bytes) {
        true => Ok(Some(String::from_utf8_lossy(bytes).into_owned())),
        false => Err(Problem::usage(
            "Idempotency-Key: 1 to 128 printable characters of ASCII",
        )),
    }
}

/// The seconds of `Prefer: wait=N` (RFC 7240, section 4.3); none if it does not say so.
pub fn preferred_wait(headers: &HeaderMap) -> Option<Duration> {
    let values = headers.get_all("prefer").iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    let mut words = texts.flat_map(|text| text.split([',', ';']));
    let wait = words.find_map(|word| {
        let (name, value) = word.trim().split_once('=')?;
        (name.trim().eq_ignore_ascii_case("wait")).then_some(value.trim())
    })?;
    // A value may stand in quotes (section 2).
    let quoted = wait
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    seconds(quoted.unwrap_or(wait))
}

/// A duration in seconds, from 0. More than a year is a year: whoever asks for that means "as long as you may".
pub fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    let is_some_time = seconds.is_finite() && seconds >= 0.0;
    is_some_time.then(|| Duration::from_secs_f64(seconds.min(A_YEAR)))
}

const A_YEAR: f64 = 3.2e7;

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn check(host: &str, origin: Option<&str>, is_open: bool) -> bool {
        let mut request = axum::http::Request::builder().header("host", host);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let request = request.body(Body::empty()).expect("a request");
        is_not_from_a_strange_page(&request, is_open).is_ok()
    }

    #[test]
    fn pages_of_other_origins_and_names_are_refused() {
        for host in [
            "localhost:7700",
            "127.0.0.1:7700",
            "[::1]:7700",
            "localhost",
            "LocalHost:7700",
        ] {
            assert!(check(host, None, true), "{host}");
            assert!(check(host, Some(&format!("http://{host}")), true), "{host}");
            assert!(!check(host, Some("http://evil.example"), true), "{host}");
            assert!(!check(host, Some("null"), true), "{host}");
        }
        for host in [
            "evil.example:7700",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
        ] {
            assert!(!check(host, None, true), "{host}");
            assert!(check(host, None, false), "{host}");
            assert!(!check(host, Some("http://other.example"), false), "{host}");
        }
    }

    #[test]
    fn a_name_counts_wherever_a_request_has_it() {
        let check = |uri: &str, host: &[u8]| {
            let request = axum::http::Request::builder().uri(uri).header("host", host);
            let request = request.body(Body::empty()).expect("a request");
            is_not_from_a_strange_page(&request, true).is_ok()
        };
        for uri in ["/", "http://localhost:7700/", "http://[::1]:7700/"] {
            assert!(check(uri, b"localhost:7700"), "{uri}");
        }
        assert!(!check("http://evil.example/", b"localhost:7700"));
        assert!(!check("/", b"evil.example\xff"), "it is no text");
    }

    #[test]
    fn a_token_is_read_from_its_scheme_in_any_case() {
        for value in [
            "Bearer frum_A",
            "bearer frum_A",
            "BEARER frum_A",
            "Bearer  frum_A",
        ] {
            assert_eq!(bearer(value), Some("frum_A"), "{value}");
        }
        for value in ["", "Bearer", "frum_A", "Basic frum_A", "Bearer\tfrum_A"] {
            assert_eq!(bearer(value), None, "{value}");
        }
    }

    #[test]
    fn two_names_of_one_request_are_refused() {
        let key = |names: &[&str]| {
            let mut headers = HeaderMap::new();
            for name in names {
                headers.append("idempotency-key", name.parse().expect("a value"));
            }
            idempotency_key(&headers).map_err(|_| ())
        };
        assert_eq!(key(&[]), Ok(None));
        assert_eq!(key(&["a"]), Ok(Some("a".into())));
        for bad in [["a", "b"], ["a", "a"]] {
            assert_eq!(key(&bad), Err(()), "{bad:?}");
        }
        assert_eq!(key(&[""]), Err(()));
    }

    #[test]
    fn waits_are_read_from_preferences() {
        let wait = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.append("prefer", text.parse().expect("a value"));
            preferred_wait(&headers)
        };
        assert_eq!(wait("wait=10"), Some(Duration::from_secs(10)));
        assert_eq!(
            wait("respond-async, wait=0.5"),
            Some(Duration::from_millis(500))
        );
        assert_eq!(wait("Wait = 2; x"), Some(Duration::from_secs(2)));
        assert_eq!(wait("wait=\"5\""), Some(Duration::from_secs(5)));
        assert_eq!(
            wait("wait=99999999999"),
            Some(Duration::from_secs(32_000_000))
        );
        for bad in [
            "respond-async",
            "wait",
            "wait=x",
            "wait=\"5",
            "wait=\"\"",
            "wait=-1",
            "wait=inf",
            "wait=NaN",
        ] {
            assert_eq!(wait(bad), None, "{bad}");
        }
    }
}
