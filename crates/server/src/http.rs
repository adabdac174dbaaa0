//! The interface over HTTP: routes, and what every request goes through.

mod answers;
mod ask;
mod body;
mod circuits;
mod events;
mod page;
mod proofs;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use crate::jobs::Jobs;
use crate::tokens::Tokens;
pub use answers::{Problem, json_response};
pub use ask::Id;
use ask::is_not_from_a_strange_page;
pub use body::{announced, read};
use page::harden;
pub use proofs::ended;

/// Everything that a handler needs.
#[derive(Clone)]
pub struct Site {
    /// The jobs.
    pub jobs: Arc<Jobs>,
    tokens: Arc<Tokens>,
    /// True if requests come from this machine alone, and bring no token.
    is_open: bool,
}

impl Site {
    /// For these jobs, whose owners have these tokens.
    pub fn new(jobs: Arc<Jobs>, tokens: Tokens, is_open: bool) -> Self {
        Self {
            jobs,
            tokens: Arc::new(tokens),
            is_open,
        }
    }
}

/// A path, its methods, and its handlers.
type Route = (&'static str, &'static [&'static str], MethodRouter<Site>);

/// The routes. A test compares them with the OpenAPI document.
fn routes() -> Vec<Route> {
    vec![
        ("/", &["get"], get(page::index)),
        ("/page.js", &["get"], get(page::script)),
        ("/page.css", &["get"], get(page::style)),
        ("/page.svg", &["get"], get(page::icon)),
        ("/docs", &["get"], get(page::docs)),
        ("/docs.js", &["get"], get(page::docs_script)),
        ("/healthz", &["get"], get(health)),
        ("/readyz", &["get"], get(ready)),
        ("/v1/openapi.json", &["get"], get(page::openapi)),
        ("/v1/status", &["get"], get(circuits::status)),
        ("/v1/circuits", &["get"], get(circuits::list)),
        ("/v1/circuits/{id}", &["get"], get(circuits::one)),
        ("/v1/verify", &["post"], post(circuits::verify)),
        (
            "/v1/proofs",
            &["get", "post"],
            get(proofs::list).post(proofs::submit),
        ),
        (
            "/v1/proofs/{id}",
            &["get", "delete"],
            get(proofs::one).delete(proofs::cancel),
        ),
        ("/v1/proofs/{id}/events", &["get"], get(events::events)),
    ]
}

/// The site.
pub fn router(site: Site) -> Router {
    let mut router = Router::new();
    for (path, _, methods) in routes() {
        router = router.route(path, methods.fallback(wrong_method));
    }
    router
        .fallback(nothing_here)
        .layer(from_fn_with_state(site.clone(), around))
        .with_state(site)
}

/// The page for Prometheus, and nothing else. Other machines ask by any name of this one. Only a local listener wants
/// the name to be one of loopback.
pub fn metrics_router(jobs: Arc<Jobs>, is_local: bool) -> Router {
    let text = async |State(jobs): State<Arc<Jobs>>| {
        let kind = [("content-type", "text/plain; version=0.0.4")];
        (kind, jobs.metrics.text(&jobs.gauges()))
    };
    let router = Router::new().route("/metrics", get(text));
    let guard = move |request, next| guarded(request, next, is_local);
    router.with_state(jobs).layer(from_fn(guard))
}

/// The guard of a listener of this machine: no page of another origin may ask.
pub async fn guard(request: Request, next: Next) -> Response {
    guarded(request, next, true).await
}

async fn guarded(request: Request, next: Next, is_local: bool) -> Response {
    let mut answer = match is_not_from_a_strange_page(&request, is_local) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    harden(answer.headers_mut());
    answer
}

/// Checks who sends a request, and sets what every answer has.
async fn around(State(site): State<Site>, request: Request, next: Next) -> Response {
    let checked = is_not_from_a_strange_page(&request, site.is_open);
    let mut answer = match checked {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    site.jobs.metrics.answered(answer.status().as_u16());
    harden(answer.headers_mut());
    answer
}

async fn health() -> &'static str {
    "ok\n"
}

async fn ready(State(site): State<Site>) -> Response {
    match site.jobs.is_ready() {
        true => "ready\n".into_response(),
        false => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response(),
    }
}

async fn nothing_here() -> Problem {
    Problem::not_found()
}

async fn wrong_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "usage",
        "the path has no such method",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_openapi_document_has_each_route_and_no_other() {
        let document: Value = serde_json::from_str(page::OPENAPI).expect("it is JSON");
        let paths = document["paths"].as_object().expect("it has paths");
        let mut written: Vec<String> = Vec::new();
        for (path, methods) in paths {
            let methods = methods.as_object().expect("a path has methods");
            let names = methods.keys().filter(|name| *name != "parameters");
            written.extend(names.map(|method| format!("{method} {path}")));
        }
        let is_of_the_page = |path: &str| {
            [
                "/",
                "/page.js",
                "/page.css",
                "/page.svg",
                "/docs",
                "/docs.js",
            ]
            .contains(&path)
        };
        let mut served: Vec<String> = routes()
            .iter()
            .filter(|(path, ..)| !is_of_the_page(path))
            .flat_map(|(path, methods, _)| {
                methods.iter().map(move |method| format!("{method} {path}"))
            })
            .collect();
        written.sort();
        served.sort();
        assert_eq!(written, served);
    }
}
