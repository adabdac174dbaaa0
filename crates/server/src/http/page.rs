//! The pages, which are in the program: nothing comes from elsewhere, and nothing of them runs but our own scripts.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};

/// The OpenAPI document.
pub const OPENAPI: &str = include_str!("../page/openapi.json");

/// `GET /v1/openapi.json`.
pub async fn openapi() -> Response {
    file("application/json", OPENAPI)
}

/// `GET /`: circuits, queue, running jobs and their progress, latest jobs.
pub async fn index() -> Response {
    file(
        "text/html; charset=utf-8",
        include_str!("../page/index.html"),
    )
}

/// `GET /page.js`.
pub async fn script() -> Response {
    file(
        "text/javascript; charset=utf-8",
        include_str!("../page/page.js"),
    )
}

/// `GET /page.css`.
pub async fn style() -> Response {
    file("text/css; charset=utf-8", include_str!("../page/page.css"))
}

/// `GET /page.svg`.
pub async fn icon() -> Response {
    file("image/svg+xml", include_str!("../page/page.svg"))
}

/// `GET /docs`: the OpenAPI document for people.
pub async fn docs() -> Response {
    file(
        "text/html; charset=utf-8",
        include_str!("../page/docs.html"),
    )
}

/// `GET /docs.js`.
pub async fn docs_script() -> Response {
    file(
        "text/javascript; charset=utf-8",
        include_str!("../page/docs.js"),
    )
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind)], text).into_response()
}

/// Tells a browser with every answer: take nothing from elsewhere, keep no proof, show this in no frame.
pub fn harden(headers: &mut HeaderMap) {
    let all = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in all {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
