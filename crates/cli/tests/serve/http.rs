//! A client of HTTP/1.1 that may be as slow, as short and as rude as a test needs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The code of a problem.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// A request that is being put together.
pub struct Asking<'a> {
    address: &'a str,
    method: &'a str,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

pub fn ask<'a>(address: &'a str, method: &'a str, path: impl Into<String>) -> Asking<'a> {
    Asking {
        address,
        method,
        path: path.into(),
        headers: vec![("host".into(), address.into())],
        body: None,
    }
}

impl Asking<'_> {
    /// Sets a header, in place of one of that name.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn json(self, body: &str) -> Self {
        self.bytes("application/json", body.as_bytes())
    }

    pub fn bytes(mut self, kind: &str, body: &[u8]) -> Self {
        self.body = Some(body.to_vec());
        self.header("content-type", kind)
    }

    /// The head as it is sent, with the length of the body.
    pub fn head(&self) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            head += &format!("content-length: {}\r\n", body.len());
        }
        head + "connection: close\r\n\r\n"
    }

    /// Sends it, and waits for the answer.
    pub fn send(self) -> Answer {
        let method = self.method;
        let path = self.path.clone();
        self.try_send()
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// As [`Asking::send`], where the server may be gone.
    pub fn try_send(self) -> std::io::Result<Answer> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(100)))?;
        stream.write_all(self.head().as_bytes())?;
        // It may be answered and closed before the body is read.
        let _ = stream.write_all(self.body.as_deref().unwrap_or_default());
        let answer = answer(stream)?;
        assert_documented(self.method, &self.path, answer.status);
        Ok(answer)
    }
}

/// Fails if the OpenAPI document has the path and the method, and not the status.
fn assert_documented(method: &str, path: &str, status: u16) {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
        let text = include_str!("../../../server/src/page/openapi.json");
        serde_json::from_str(text).unwrap()
    });
    let path = path.split('?').next().unwrap_or_default();
    let is_meant = |template: &str| {
        let (mut parts, mut names) = (path.split('/'), template.split('/'));
        let is_same = (parts.by_ref().zip(names.by_ref()))
            .all(|(part, name)| part == name || (name.starts_with('{') && !part.is_empty()));
        is_same && path.matches('/').count() == template.matches('/').count()
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let meant = paths.iter().find(|(template, _)| is_meant(template));
    let operation = meant.and_then(|(_, methods)| methods.get(method.to_lowercase()));
    if let Some(operation) = operation {
        let answers = &operation["responses"];
        let is_there = answers.get(status.to_string()).is_some();
        assert!(is_there, "{method} {path}: {status} is not in the document");
    }
}

/// Reads an answer to its end.
pub fn answer(stream: impl Read) -> std::io::Result<Answer> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::other(format!("no answer: {line:?}")))?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_lowercase(), value.to_owned())),
            None => break,
        }
    }
    let mut body = Vec::new();
    let _ = reader.read_to_end(&mut body); // closed before a body was read, it may be reset
    let is_chunked = headers
        .iter()
        .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if is_chunked { unchunked(&body) } else { body };
    Ok(Answer {
        status,
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") {
        let length = std::str::from_utf8(&bytes[..end]).unwrap_or_default();
        let length = usize::from_str_radix(length, 16).unwrap_or(0);
        let rest = &bytes[end + 2..];
        if length == 0 || rest.len() < length + 2 {
            break;
        }
        body.extend(&rest[..length]);
        bytes = &rest[length + 2..];
    }
    body
}
