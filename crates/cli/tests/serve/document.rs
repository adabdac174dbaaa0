//! The OpenAPI document, and the pages that show it.

use crate::support::{Place, Setting};

#[test]
fn the_interface_documents_itself() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let document = server.get("/v1/openapi.json");
    assert_eq!(document.json()["openapi"], "3.1.0");
    let policy = document.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(server.get("/docs").body.contains("docs.js"));
}

/// The client of these tests looks each of its answers up in the document. These are the ones that others do not get.
#[test]
fn every_answer_is_in_the_document() {
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let job = server.multiply(3, 4).json();
    let id = format!("/v1/proofs/{}", job["id"].as_str().unwrap());
    let wait = format!("{id}?wait=x");
    for (method, path, headers, status) in [
        ("GET", "/v1/proofs?cursor=x", &[][..], 400),
        ("GET", "/v1/proofs?limit=-1", &[], 400),
        ("GET", &wait, &[], 400),
        (
            "GET",
            "/v1/status",
            &[("origin", "http://evil.example")],
            403,
        ),
        ("GET", "/healthz", &[("host", "evil.example")], 403),
        ("GET", &id, &[("host", "evil.example")], 403),
        ("DELETE", &id, &[("origin", "null")], 403),
        (
            "POST",
            "/v1/verify?circuit=mul",
            &[("content-encoding", "gzip")],
            415,
        ),
        (
            "POST",
            "/v1/verify?circuit=mul",
            &[("content-length", "100000000")],
            413,
        ),
    ] {
        let mut asking = server.ask(method, path);
        for (name, value) in headers {
            asking = asking.header(name, value);
        }
        let answer = asking.send();
        assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
    }
}
