//! Answers: jobs as JSON, and problems with a code for programs.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use frumious_app::failure::{Code, Failure};
use serde_json::{Value, json};

use crate::jobs::{Live, Refused};
use crate::journal::{Record, State};
use crate::plain;

/// A request that is not answered as it was meant: `{"code", "error"}`.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    message: String,
    retry_after: Option<u64>,
}

impl Problem {
    /// With a code for programs and a line for people.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            retry_after: None,
        }
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The line for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Of a path that leads nowhere.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is no such path")
    }

    /// No token, or none that is known.
    pub fn unauthorized() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "a token is needed: Authorization: Bearer TOKEN",
        )
    }

    /// Of a circuit that is not there, or not within the token's scope: nobody learns which.
    pub fn unknown_circuit() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "unknown_circuit",
            "there is no such circuit for this token",
        )
    }

    /// Of a job that is not there, is forgotten, or is another's.
    pub fn unknown_proof() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "unknown_proof",
            "there is no such job for this token",
        )
    }

    /// Bad usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "usage", message)
    }

    /// The answer with the seconds after which the request may be repeated, if that helps.
    pub fn with_retry_after(&self, mut answer: Response) -> Response {
        if let Some(seconds) = self.retry_after {
            answer.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        answer
    }

    fn later(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let told = json!({ "code": self.code, "error": self.message });
        let mut answer = self.with_retry_after(json_response(self.status, &told));
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            answer.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        answer
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let busy = StatusCode::TOO_MANY_REQUESTS;
        match refused {
            Refused::Full(seconds) => {
                Self::new(busy, "queue_full", "the queue is full").later(seconds)
            }
            Refused::Held(seconds) => Self::new(
                busy,
                "queue_full",
                "other inputs take all the memory for inputs",
            )
            .later(seconds),
            Refused::Draining => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                Self::new(status, "interrupted", "the server is about to end").later(5)
            }
            Refused::Conflict => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "conflict",
                "the Idempotency-Key belongs to a request with another input",
            ),
            Refused::Journal(failure) => failure.into(),
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let code = failure.code();
        let (status, later) = match code {
            Code::NoSpace => (StatusCode::INSUFFICIENT_STORAGE, Some(30)),
            code if code.exit_code() == 3 => (StatusCode::SERVICE_UNAVAILABLE, Some(5)),
            Code::Unsatisfied | Code::InvalidProof => (StatusCode::UNPROCESSABLE_ENTITY, None),
            _ => (StatusCode::BAD_REQUEST, None),
        };
        Self {
            retry_after: later,
            ..Self::new(status, code.name(), failure.message())
        }
    }
}

/// An object with this status.
pub fn json_response(status: StatusCode, value: &Value) -> Response {
    let kind = [(CONTENT_TYPE, "application/json")];
    (status, kind, format!("{value}\n")).into_response()
}

/// A job as the interface tells of it.
pub fn job_json(record: &Record, live: Option<&Live>) -> Value {
    let mut job = json!({
        "id": record.id.as_str(),
        "circuit": record.circuit,
        "owner": record.owner,
        "input": record.kind.name(),
        "state": record.state.name(),
        "created_ms": record.created,
        "started_ms": record.started,
        "finished_ms": record.finished,
        "deadline_ms": record.deadline,
    });
    // The journal is told of a beginning, but nobody waits until it knows.
    if let Some(live) = live.filter(|_| !record.state.is_final()) {
        let view = live.view();
        if view.state == State::Running {
            job["state"] = State::Running.name().into();
            job["phase"] = view.phase.into();
            job["done"] = rounded(view.done);
        }
    }
    if let (Some(proof), Some(public)) = (&record.proof, &record.public) {
        job["proof"] = plain::parse(proof.as_bytes()).unwrap_or_default();
        job["public"] = plain::parse(public.as_bytes()).unwrap_or_default();
    }
    if let (Some(code), Some(message)) = (&record.code, &record.message) {
        job["code"] = code.as_str().into();
        job["error"] = message.as_str().into();
    }
    job
}

/// A part, to three places.
pub fn rounded(part: f64) -> Value {
    ((part * 1000.0).round() / 1000.0).into()
}
