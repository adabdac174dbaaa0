//! The other side of the interface: requests to a prover server, one connection each.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode, Uri};
use frumious_app::failure::{About, Code, Failure};
use http_body::Body as _;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use zeroize::Zeroizing;

/// A server, and the token to ask it with.
pub struct Client {
    runtime: Runtime,
    place: Place,
    host: String,
    token: Option<Zeroizing<String>>,
}

enum Place {
    Tcp(String),
    Tls(String, ServerName<'static>, TlsConnector),
    Unix(std::path::PathBuf),
}

/// An answer: its status and its body.
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The object; null if the body is none.
    pub body: Value,
    /// Seconds after which to try again, if the server says so.
    pub retry_after: Option<u64>,
}

/// A body to send, with its content type.
pub struct Content<'a> {
    /// Such as `application/json`.
    pub kind: &'a str,
    /// The bytes.
    pub bytes: Zeroizing<Vec<u8>>,
}

impl Client {
    /// Of the server at `url`: `http://host:port`, `https://host:port`, or `unix:/path`. `ca` has the certificates
    /// (PEM) that vouch for an https server.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 for another url, or https without `ca`.
    pub fn new(
        url: &str,
        token: Option<Zeroizing<String>>,
        ca: Option<&Path>,
    ) -> Result<Self, Failure> {
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| Failure::of_system("cannot start a runtime", &error))?;
        let (place, host) = match url.strip_prefix("unix:") {
            Some(path) => (Place::Unix(path.into()), "localhost".to_owned()),
            None => over_ip(url, ca)?,
        };
        Ok(Self {
            runtime,
            place,
            host,
            token,
        })
    }

    /// Makes a request.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 3 if the server cannot be reached, or the connection breaks.
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        content: Option<Content<'_>>,
    ) -> Result<Answer, Failure> {
        self.runtime.block_on(async {
            let answer = self.send(method, path, headers, content).await?;
            let status = answer.status();
            let retry_after = answer.headers().get("retry-after");
            let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
            let mut bytes = Vec::new();
            read(answer.into_body(), |piece| {
                bytes.extend_from_slice(piece);
                true
            })
            .await?;
            Ok(Answer {
                status,
                body: serde_json::from_slice(&bytes).unwrap_or_default(),
                retry_after,
            })
        })
    }

    /// Reads a stream of events until it ends, or `tell` says false: it is called with each event's name and data.
    ///
    /// # Errors
    /// As [`Client::ask`], and if the answer is no stream.
    pub fn events(
        &self,
        path: &str,
        mut tell: impl FnMut(&str, &Value) -> bool,
    ) -> Result<(), Failure> {
        self.runtime.block_on(async {
            let answer = self.send("GET", path, &[], None).await?;
            if answer.status() != StatusCode::OK {
                return Err(Failure::bad_input(format!(
                    "the server answers {}",
                    answer.status()
                )));
            }
            let mut text = String::new();
            read(answer.into_body(), |piece| {
                text.push_str(&String::from_utf8_lossy(piece));
                while let Some(end) = text.find("\n\n") {
                    let event: String = text.drain(..end + 2).collect();
                    let field = |name| event.lines().find_map(|line| line.strip_prefix(name));
                    let data = field("data: ").and_then(|data| serde_json::from_str(data).ok());
                    if let (Some(name), Some(data)) = (field("event: "), data)
                        && !tell(name, &data)
                    {
                        return false;
                    }
                }
                text.len() < MOST_EVENT_BYTES
            })
            .await
        })
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        content: Option<Content<'_>>,
    ) -> Result<axum::http::Response<Incoming>, Failure> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", &self.host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {}", token.as_str()));
        }
        let body = match content {
            Some(mut content) => {
                request = request.header("content-type", content.kind);
                Body::from(std::mem::take(&mut *content.bytes))
            }
            None => Body::empty(),
        };
        let request = request
            .body(body)
            .map_err(|_| Failure::bad_input("not a request that can be sent"))?;
        let connecting = tokio::time::timeout(TO_CONNECT, self.connect()).await;
        let stream = connecting
            .unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()))
            .map_err(|error| {
                Failure::new(Code::Busy, format!("cannot reach the server: {error}"))
            })?;
        let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = handshake.map_err(broken)?;
        tokio::spawn(connection);
        sender.send_request(request).await.map_err(broken)
    }

    async fn connect(&self) -> std::io::Result<Box<dyn Stream>> {
        Ok(match &self.place {
            Place::Tcp(address) => Box::new(TcpStream::connect(address).await?),
            Place::Tls(address, name, tls) => {
                let stream = TcpStream::connect(address).await?;
                Box::new(tls.connect(name.clone(), stream).await?)
            }
            Place::Unix(path) => Box::new(UnixStream::connect(path).await?),
        })
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

fn over_ip(url: &str, ca: Option<&Path>) -> Result<(Place, String), Failure> {
    let bad =
        || Failure::bad_input("the server is http://host:port, https://host:port or unix:/path");
    let uri: Uri = url.parse().map_err(|_| bad())?;
    let authority = uri.authority().ok_or_else(bad)?;
    let is_secure = uri.scheme_str() == Some("https");
    let port = authority
        .port_u16()
        .unwrap_or(if is_secure { 443 } else { 80 });
    let address = format!("{}:{port}", authority.host());
    let place = match uri.scheme_str() {
        Some("http") => Place::Tcp(address),
        Some("https") => {
            let ca = ca.ok_or_else(|| {
                Failure::bad_input("https needs --ca: the certificates that vouch for the server")
            })?;
            let name = authority.host().trim_matches(['[', ']']).to_owned();
            Place::Tls(
                address,
                ServerName::try_from(name).map_err(|_| bad())?,
                connector(ca)?,
            )
        }
        _ => return Err(bad()),
    };
    Ok((place, authority.to_string()))
}

fn connector(ca: &Path) -> Result<TlsConnector, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::bad_input(error.to_string());
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(ca)
        .map_err(|error| bad(&error))
        .about(ca)?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| bad(&error)).about(ca)?;
        roots
            .add(certificate)
            .map_err(|error| bad(&error))
            .about(ca)?;
    }
    let config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Calls `take` with each piece of a body until it says false.
async fn read(mut body: Incoming, mut take: impl FnMut(&Bytes) -> bool) -> Result<(), Failure> {
    loop {
        let frame =
            std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context));
        match frame.await {
            None => return Ok(()),
            Some(Err(error)) => return Err(broken(error)),
            Some(Ok(frame)) => {
                if frame.data_ref().is_some_and(|data| !take(data)) {
                    return Ok(());
                }
            }
        }
    }
}

fn broken(error: hyper::Error) -> Failure {
    Failure::new(
        Code::Busy,
        format!("the connection to the server broke: {error}"),
    )
}

const TO_CONNECT: Duration = Duration::from_secs(10);

const MOST_EVENT_BYTES: usize = 1 << 20;
