//! Where a server is, and how it is reached.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frumious_app::failure::{About, Failure};
use hyper::Uri;
use hyper::http::uri::Authority;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};

use super::pinned::PinnedOrVouched;

/// The place of a server.
pub enum Place {
    Tcp(String),
    Tls(String, ServerName<'static>, TlsConnector),
    Unix(PathBuf),
}

/// Bytes both ways.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Place {
    /// The place that a url names, and the `Host` of requests. `ca` has the certificates that vouch for https.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 for anything but `http://host:port`, `https://host:port` and `unix:/path`.
    pub fn of(url: &str, ca: Option<&Path>) -> Result<(Self, String), Failure> {
        match url.strip_prefix("unix:") {
            Some(path) => Ok((Self::Unix(path.into()), "localhost".to_owned())),
            None => Self::over_ip(url, ca),
        }
    }

    fn over_ip(url: &str, ca: Option<&Path>) -> Result<(Self, String), Failure> {
        let uri: Uri = url.parse().map_err(|_| no_place())?;
        let authority = uri.authority().ok_or_else(no_place)?;
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(no_place());
        }
        let place = match uri.scheme_str() {
            Some("http") => Self::Tcp(address(authority, 80)?),
            Some("https") => {
                let address = address(authority, 443)?;
                let ca = ca.ok_or_else(|| {
                    Failure::bad_input(
                        "https needs --ca: the certificates that vouch for the server",
                    )
                })?;
                let name = authority.host().trim_matches(['[', ']']).to_owned();
                let name = ServerName::try_from(name).map_err(|_| no_place())?;
                Self::Tls(address, name, connector(ca)?)
            }
            _ => return Err(no_place()),
        };
        Ok((place, authority.to_string()))
    }

    /// True if other machines may see what is sent: by http, and not to this machine.
    pub fn is_in_the_clear(&self) -> bool {
        let Self::Tcp(address) = self else {
            return false;
        };
        let host = address
            .rsplit_once(':')
            .map_or(&**address, |(host, _)| host);
        let host = host.trim_matches(['[', ']']);
        let is_loopback = |ip: IpAddr| ip.is_loopback();
        !host.eq_ignore_ascii_case("localhost") && !host.parse().is_ok_and(is_loopback)
    }

    /// A stream to the server.
    ///
    /// # Errors
    /// Those of the system, and of TLS.
    pub async fn connect(&self) -> std::io::Result<Box<dyn Stream>> {
        Ok(match self {
            Self::Tcp(address) => Box::new(TcpStream::connect(address).await?),
            Self::Tls(address, name, tls) => {
                let stream = TcpStream::connect(address).await?;
                Box::new(tls.connect(name.clone(), stream).await?)
            }
            Self::Unix(path) => Box::new(UnixStream::connect(path).await?),
        })
    }
}

/// Host and port. What is no number of a port is refused, as is a user's name.
fn address(authority: &Authority, default: u16) -> Result<String, Failure> {
    let host = authority.host();
    let rest = authority.as_str().strip_prefix(host).ok_or_else(no_place)?;
    let port = match (rest, authority.port_u16()) {
        ("", _) => default,
        (_, Some(port)) if port > 0 => port,
        _ => return Err(no_place()),
    };
    Ok(format!("{host}:{port}"))
}

fn no_place() -> Failure {
    Failure::bad_input("the server is http://host:port, https://host:port or unix:/path")
}

fn connector(ca: &Path) -> Result<TlsConnector, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::bad_input(error.to_string());
    let certificates = CertificateDer::pem_file_iter(ca)
        .map_err(|error| bad(&error))
        .about(ca)?;
    let known: Result<Vec<_>, _> = certificates.collect();
    let known = known.map_err(|error| bad(&error)).about(ca)?;
    if known.is_empty() {
        return Err(Failure::bad_input("no certificate (PEM) is in it").about(ca));
    }
    let provider = Arc::new(default_provider());
    let verifier = PinnedOrVouched::new(known, &provider)
        .map_err(|error| bad(&error))
        .about(ca)?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(&error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tcp(url: &str) -> Option<String> {
        match Place::of(url, None) {
            Ok((Place::Tcp(address), _)) => Some(address),
            _ => None,
        }
    }

    #[test]
    fn urls_name_a_host_and_a_port_and_nothing_else() {
        for (url, address) in [
            ("http://host", "host:80"),
            ("http://host/", "host:80"),
            ("http://host:8080", "host:8080"),
            ("http://[::1]:65535", "[::1]:65535"),
            ("http://[::1]", "[::1]:80"),
        ] {
            assert_eq!(tcp(url).as_deref(), Some(address), "{url}");
        }
        for url in [
            "",
            "host:80",
            "ftp://host",
            "http://",
            "http://host:",
            "http://host:0",
            "http://host:65536",
            "http://host:99999",
            "http://host:x",
            "http://user:word@host",
            "http://user@host:80",
            "http://host/path",
            "http://host?query",
            "https://host",
        ] {
            let failure = Place::of(url, None).err().expect(url);
            assert_eq!(failure.exit_code(), 2, "{url}");
        }
    }
}
