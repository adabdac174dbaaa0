//! The other side of the interface: requests to a prover server, one connection each.
//!
//! A failure of [`Code::Busy`] may pass: no connection, a connection that broke, silence. Every other one stays.

mod clocked;
mod pinned;
mod place;

use std::path::Path;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode};
use frumious_app::failure::{Code, Failure};
use http_body::Body as _;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use zeroize::Zeroizing;

use crate::plain;
use clocked::{ClockedStream, WriteClock};
use place::Place;

/// A server, and the token to ask it with.
pub struct Client {
    runtime: Runtime,
    place: Place,
    host: String,
    token: Option<Zeroizing<String>>,
    /// Longest silence of a server that is asked for no wait.
    silence: Duration,
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

/// A body to send, with its content type. Clones share the bytes, which are wiped with the last one.
#[derive(Clone)]
pub struct Content<'a> {
    kind: &'a str,
    bytes: Bytes,
}

impl<'a> Content<'a> {
    /// Bytes of a kind such as `application/json`.
    pub fn new(kind: &'a str, bytes: Zeroizing<Vec<u8>>) -> Self {
        let bytes = Bytes::from_owner(bytes);
        Self { kind, bytes }
    }
}

impl Client {
    /// Of the server at `url`: `http://host:port`, `https://host:port`, or `unix:/path`. `ca` has the certificates
    /// (PEM) that vouch for an https server, or the server's own.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 for another url, https without `ca`, or a token that is no text of a header.
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
        let is_printable = |byte| (0x20..0x7f).contains(&byte);
        if !token.iter().all(|token| token.bytes().all(is_printable)) {
            return Err(Failure::bad_input(
                "the token is printable ASCII in one line",
            ));
        }
        let (place, host) = Place::of(url, ca)?;
        Ok(Self {
            runtime,
            place,
            host,
            token,
            silence: SILENCE,
        })
    }

    /// True if other machines may see inputs and the token: over http, but not to this machine.
    pub fn is_in_the_clear(&self) -> bool {
        self.place.is_in_the_clear()
    }

    /// Makes a request that asks the server to wait for at most `wait` before it answers.
    ///
    /// # Errors
    /// A [`Failure`] of [`Code::Busy`] if the server cannot be reached or falls silent, or if the connection breaks.
    /// One of exit code 2 for a request that cannot be sent, or a certificate that `ca` does not vouch for. Also for an
    /// answer that is not HTTP, or a body of more than 64 MiB.
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        content: Option<Content<'_>>,
        wait: Duration,
    ) -> Result<Answer, Failure> {
        self.runtime.block_on(async {
            let answer = self.send(method, path, headers, content, wait).await?;
            let status = answer.status();
            let retry_after = answer.headers().get("retry-after");
            let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
            let mut bytes = Vec::new();
            let reading = read(answer.into_body(), self.silence, |piece| {
                if piece.len() > MOST_BODY_BYTES - bytes.len() {
                    return Err(Failure::bad_input(format!(
                        "the server's answer is longer than {MOST_BODY_BYTES} bytes"
                    )));
                }
                bytes.extend_from_slice(piece);
                Ok(true)
            });
            let whole = SILENCES_OF_A_BODY * self.silence;
            let read = tokio::time::timeout(whole, reading).await;
            read.unwrap_or_else(|_| Err(slow(whole)))?;
            Ok(Answer {
                status,
                body: plain::parse(&bytes).unwrap_or_default(),
                retry_after,
            })
        })
    }

    /// Reads a stream of events until it ends, or `tell` says false.
    ///
    /// `tell` gets each event's name and data. Both are empty for a comment, by which a server shows that it is there.
    ///
    /// # Errors
    /// As [`Client::ask`], and if the answer is no stream, or one event has more than 1 MiB.
    pub fn events(
        &self,
        path: &str,
        mut tell: impl FnMut(&str, &Value) -> bool,
    ) -> Result<(), Failure> {
        self.runtime.block_on(async {
            let sent = self.send("GET", path, &[], None, Duration::ZERO);
            let answer = sent.await?;
            let status = answer.status();
            if status != StatusCode::OK {
                let code = match is_of_a_proxy(status) {
                    true => Code::Busy,
                    false => Code::BadInput,
                };
                return Err(Failure::new(code, format!("the server answers {status}")));
            }
            let mut events = EventBuffer::default();
            read(answer.into_body(), SILENCE_OF_EVENTS, |piece| {
                events.add(piece, &mut tell)
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
        wait: Duration,
    ) -> Result<axum::http::Response<Incoming>, Failure> {
        let length = content.as_ref().map_or(0, |content| content.bytes.len());
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
            Some(content) => {
                request = request.header("content-type", content.kind);
                Body::from(content.bytes)
            }
            None => Body::empty(),
        };
        let request = request
            .body(body)
            .map_err(|_| Failure::bad_input("not a request that can be sent"))?;
        let connecting = tokio::time::timeout(TO_CONNECT, self.place.connect()).await;
        let stream = connecting
            .unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()))
            .map_err(|error| unreachable(&error))?;
        let clock = WriteClock::start();
        let stream = TokioIo::new(ClockedStream::new(stream, clock.clone()));
        let handshake = hyper::client::conn::http1::handshake(stream).await;
        let (mut sender, connection) = handshake.map_err(broken)?;
        tokio::spawn(connection);
        // A server may seal an input and sync it before it answers.
        let to_store = Duration::from_secs((length / STORED_PER_SECOND) as u64);
        let bound = self.silence + wait + to_store;
        match clock.within(bound, sender.send_request(request)).await {
            Some(answer) => answer.map_err(broken),
            None => Err(silent(bound)),
        }
    }
}

/// Statuses of a proxy whose server is away.
pub fn is_of_a_proxy(status: StatusCode) -> bool {
    (502..=504).contains(&status.as_u16())
}

/// Calls `take` with each piece of a body until it says false. Between two pieces there is at most `silence`.
async fn read(
    mut body: Incoming,
    silence: Duration,
    mut take: impl FnMut(&Bytes) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    loop {
        let frame =
            std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context));
        let frame = tokio::time::timeout(silence, frame).await;
        match frame.map_err(|_| silent(silence))? {
            None => return Ok(()),
            Some(Err(error)) => return Err(broken(error)),
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref()
                    && !take(data)?
                {
                    return Ok(());
                }
            }
        }
    }
}

/// The end of a stream of events that is not a whole event yet.
#[derive(Default)]
struct EventBuffer(Vec<u8>);

impl EventBuffer {
    /// Adds a piece, and calls `tell` with each event that is whole. False if `tell` says so.
    fn add(
        &mut self,
        piece: &[u8],
        tell: &mut impl FnMut(&str, &Value) -> bool,
    ) -> Result<bool, Failure> {
        // An end may lie across both. What is before it was searched.
        let mut searched = self.0.len().saturating_sub(1);
        self.0.extend_from_slice(piece);
        let mut begin = 0;
        while let Some(end) = (self.0[searched..].windows(2)).position(|pair| pair == b"\n\n") {
            let end = searched + end;
            if !tell_event(&self.0[begin..end], tell) {
                return Ok(false);
            }
            (begin, searched) = (end + 2, end + 2);
        }
        self.0.drain(..begin);
        match self.0.len() <= MOST_EVENT_BYTES {
            true => Ok(true),
            false => Err(Failure::bad_input(format!(
                "an event of the server is longer than {MOST_EVENT_BYTES} bytes"
            ))),
        }
    }
}

fn tell_event(event: &[u8], tell: &mut impl FnMut(&str, &Value) -> bool) -> bool {
    let event = String::from_utf8_lossy(event);
    let field = |name| event.lines().find_map(|line| line.strip_prefix(name));
    let data = field("data: ").and_then(|data| plain::parse(data.as_bytes()));
    match (field("event: "), data) {
        (Some(name), Some(data)) => tell(name, &data),
        _ => tell("", &Value::Null),
    }
}

fn unreachable(error: &std::io::Error) -> Failure {
    let inner = error.get_ref();
    let code = match inner.and_then(|inner| inner.downcast_ref::<tokio_rustls::rustls::Error>()) {
        // The server was reached: another try ends alike.
        Some(_) => Code::BadInput,
        None if error.kind() == std::io::ErrorKind::InvalidInput => Code::BadInput,
        None => Code::Busy,
    };
    Failure::new(code, format!("cannot reach the server: {error}"))
}

fn broken(error: hyper::Error) -> Failure {
    match error.is_parse() {
        true => Failure::bad_input(format!("the server does not speak HTTP/1.1: {error}")),
        false => Failure::new(
            Code::Busy,
            format!("the connection to the server broke: {error}"),
        ),
    }
}

fn silent(bound: Duration) -> Failure {
    let seconds = bound.as_secs_f64();
    Failure::new(
        Code::Busy,
        format!("the server said nothing for {seconds} s"),
    )
}

fn slow(bound: Duration) -> Failure {
    let seconds = bound.as_secs_f64();
    Failure::new(
        Code::Busy,
        format!("the server's answer took longer than {seconds} s"),
    )
}

const TO_CONNECT: Duration = Duration::from_secs(10);

const SILENCE: Duration = Duration::from_secs(10);

/// A body whose bytes come one by one is no answer.
const SILENCES_OF_A_BODY: u32 = 6;

/// Three times that between two comments of a server.
const SILENCE_OF_EVENTS: Duration = Duration::from_secs(45);

/// A slow disk, with the input written once.
const STORED_PER_SECOND: usize = 16 << 20;

const MOST_BODY_BYTES: usize = 64 << 20;

const MOST_EVENT_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests;
