use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Instant;

use super::*;

/// A client, and a server that hands its one connection to `serve` when the head of a request was read.
fn with_server(serve: impl FnOnce(TcpStream) + Send + 'static) -> (Client, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("its address"));
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("a head");
            head.push(byte[0]);
        }
        serve(stream);
    });
    let mut client = Client::new(&url, None, None).expect("a client");
    client.silence = Duration::from_millis(300);
    (client, server)
}

fn get(client: &Client) -> Result<Answer, Failure> {
    client.ask("GET", "/", &[], None, Duration::ZERO)
}

/// Sends a head and then `piece` until the client has enough.
fn endless(mut stream: TcpStream, piece: &[u8]) {
    let head = b"HTTP/1.1 200 OK\r\n\r\n";
    let mut sent = stream.write_all(head);
    while sent.is_ok() {
        sent = stream.write_all(piece);
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    for (head, wait) in [("", 0), ("HTTP/1.1 200 OK\r\n\r\n{", 0), ("", 300)] {
        let (client, server) = with_server(move |mut stream| {
            stream.write_all(head.as_bytes()).expect("it reads");
            // Until the client goes.
            let _ = stream.read(&mut [0]);
        });
        let (start, wait) = (Instant::now(), Duration::from_millis(wait));
        let failure = client.ask("GET", "/", &[], None, wait).err();
        assert_eq!(failure.map(|failure| failure.code()), Some(Code::Busy));
        let took = start.elapsed();
        assert!(took >= client.silence + wait, "{took:?}");
        assert!(took < Duration::from_secs(10), "{took:?}");
        drop(client);
        server.join().expect("no panic");
    }
}

#[test]
fn answers_and_events_without_end_are_refused() {
    let (client, server) = with_server(|stream| endless(stream, &[b' '; 1 << 16]));
    let failure = get(&client).err().expect("it is too long");
    assert_eq!(failure.code(), Code::BadInput);
    assert!(failure.message().contains("67108864"), "{failure:?}");
    drop(client);
    server.join().expect("no panic");

    let (client, server) = with_server(|stream| endless(stream, b"data: 1\n"));
    let failure = client.events("/", |_, _| true).expect_err("it is too long");
    assert_eq!(failure.code(), Code::BadInput);
    assert!(failure.message().contains("1048576"), "{failure:?}");
    drop(client);
    server.join().expect("no panic");
}

#[test]
fn an_answer_that_comes_byte_by_byte_is_given_up() {
    let (client, server) = with_server(|mut stream| {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while sent.is_ok() {
            std::thread::sleep(Duration::from_millis(30));
            sent = stream.write_all(b" ");
        }
    });
    let start = Instant::now();
    let failure = get(&client).err().expect("it has no end");
    assert_eq!(failure.code(), Code::Busy);
    assert!(start.elapsed() < Duration::from_secs(20));
    drop(client);
    server.join().expect("no panic");
}

#[test]
fn broken_connections_may_pass_and_other_protocols_do_not() {
    for (answer, code) in [
        ("", Code::Busy),
        ("HTTP/1.1 200 OK\r\n", Code::Busy),
        ("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", Code::Busy),
        ("SSH-2.0-OpenSSH\r\n\r\n", Code::BadInput),
    ] {
        let (client, server) = with_server(move |mut stream| {
            stream.write_all(answer.as_bytes()).expect("it reads");
        });
        let failure = get(&client).err().expect("it is no answer");
        assert_eq!(failure.code(), code, "{answer}: {failure:?}");
        server.join().expect("no panic");
    }
}

#[test]
fn events_are_told_whole_wherever_they_are_cut() {
    let text = b":\n\nevent: progress\ndata: {\"done\": 0.5}\n\nevent: end\ndata: {}\n\nevent: x";
    for length in 1..=text.len() {
        let (mut events, mut told) = (EventBuffer::default(), Vec::new());
        for piece in text.chunks(length) {
            let added = events.add(piece, &mut |name: &str, data: &Value| {
                told.push((name.to_owned(), data["done"].as_f64()));
                true
            });
            assert!(added.expect("they are short"));
        }
        let expected = [("", None), ("progress", Some(0.5)), ("end", None)];
        let expected = expected.map(|(name, done)| (name.to_owned(), done));
        assert_eq!(told, expected, "{length}");
    }
    let stopped = EventBuffer::default().add(text, &mut |_: &str, _: &Value| false);
    assert!(!stopped.expect("they are short"));
}

#[test]
fn one_event_has_a_bound() {
    let mut events = EventBuffer::default();
    let mut add = |piece: &[u8]| events.add(piece, &mut |_: &str, _: &Value| true);
    assert!(add(&vec![b'x'; MOST_EVENT_BYTES]).is_ok());
    assert!(add(b"x").is_err());
}

#[test]
fn what_cannot_be_sent_stays_so() {
    for token in ["a\nb", "a\r", "\u{e9}", "a\0"] {
        let token = Some(Zeroizing::new(token.to_owned()));
        let client = Client::new("http://127.0.0.1:1", token, None);
        let failure = client.err().expect("it is no header");
        assert_eq!(failure.code(), Code::BadInput);
    }
    let client = Client::new("http://127.0.0.1:1", None, None).expect("a client");
    for (path, name) in [("/a b", "x"), ("/", "x\ny")] {
        let headers = [("idempotency-key", name)];
        let asked = client.ask("GET", path, &headers, None, Duration::ZERO);
        let failure = asked.err().expect("it is no request");
        assert_eq!(failure.code(), Code::BadInput);
    }
}

#[test]
fn a_certificate_that_nobody_vouches_for_stays_so() {
    use tokio_rustls::rustls::{CertificateError, Error};
    let error = Error::InvalidCertificate(CertificateError::UnknownIssuer);
    let error = std::io::Error::new(ErrorKind::InvalidData, error);
    assert_eq!(unreachable(&error).code(), Code::BadInput);
    for kind in [
        ErrorKind::ConnectionRefused,
        ErrorKind::TimedOut,
        ErrorKind::UnexpectedEof,
        ErrorKind::NotFound,
    ] {
        assert_eq!(unreachable(&kind.into()).code(), Code::Busy, "{kind}");
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    let client = Client::new("https://localhost", None, Some(file.path()));
    let failure = client.err().expect("it has no certificate");
    assert_eq!(failure.code(), Code::BadInput);
}
