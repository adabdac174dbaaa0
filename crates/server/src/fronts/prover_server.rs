//! As iden3's prover-server.
//!
//! | request | answer |
//! |---|---|
//! | `POST /api/v1/proof/generate` with `{"circuit_name", "inputs"}` | `{"proof", "pub_signals"}` |
//! | `POST /api/v1/proof/verify` with `{"circuit_name", "zkp"}` | `{"valid"}` |
//!
//! Errors are `{"code": 0, "error", "details"}`, with status 400 or 500. Source: its `pkg/app/handlers/zk.go`.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::post;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::{inputs, owner, submit, wait};
use crate::circuits::Registered;
use crate::http::{Problem, json_response};
use crate::jobs::Jobs;
use crate::journal::{Kind, State as JobState};
use crate::plain;

/// Its routes.
pub fn router(jobs: Arc<Jobs>) -> Router {
    Router::new()
        .route("/api/v1/proof/generate", post(generate))
        .route("/api/v1/proof/verify", post(verify))
        .with_state(jobs)
}

#[derive(Deserialize)]
struct ToGenerate<'a> {
    circuit_name: String,
    /// Not read here, so that its numbers go on as they were written.
    #[serde(borrow)]
    inputs: &'a RawValue,
}

#[derive(Deserialize)]
struct ToVerify<'a> {
    circuit_name: String,
    #[serde(borrow)]
    zkp: Proved<'a>,
}

/// Not parsed here: `Value` reads some strings as documents of their own (`crate::plain`).
#[derive(Deserialize)]
struct Proved<'a> {
    #[serde(borrow)]
    proof: &'a RawValue,
    #[serde(borrow)]
    pub_signals: &'a RawValue,
}

/// An answer, or a problem with its details.
type Answered = Result<Value, (Problem, &'static str)>;

async fn generate(State(jobs): State<Arc<Jobs>>, headers: HeaderMap, body: Body) -> Response {
    told(try_generate(&jobs, &headers, body).await)
}

async fn try_generate(jobs: &Arc<Jobs>, headers: &HeaderMap, body: Body) -> Answered {
    let most = jobs
        .circuits
        .all()
        .map(|circuit| jobs.most_bytes(circuit, Kind::Inputs))
        .max();
    let text = inputs(
        jobs,
        &owner(NAME),
        headers,
        body,
        most.unwrap_or(0) + AROUND,
    )
    .await
    .map_err(refused)?;
    let asked: ToGenerate<'_> = serde_json::from_slice(&text).map_err(|_| unbound())?;
    let circuit = circuit(jobs, &asked.circuit_name)?;
    let input = Zeroizing::new(asked.inputs.get().as_bytes().to_vec());
    drop(text);
    let time = jobs.limits.deadline_seconds.duration();
    let submitted = submit(jobs, owner(NAME), circuit, input, None)
        .await
        .map_err(refused)?;
    let until = Instant::now() + time;
    let record = wait(jobs, &owner(NAME), &submitted, until)
        .await
        .map_err(refused)?;
    if record.state != JobState::Succeeded {
        let error = record.message.unwrap_or_else(|| record.state.name().into());
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        let problem = Problem::new(status, "internal", error);
        return Err((problem, "can't generate identifier"));
    }
    let parsed = |text: Option<String>| {
        text.and_then(|text| plain::parse(text.as_bytes()))
            .unwrap_or(Value::Null)
    };
    Ok(json!({ "proof": parsed(record.proof), "pub_signals": parsed(record.public) }))
}

async fn verify(State(jobs): State<Arc<Jobs>>, headers: HeaderMap, body: Body) -> Response {
    told(try_verify(&jobs, &headers, body).await)
}

async fn try_verify(jobs: &Arc<Jobs>, headers: &HeaderMap, body: Body) -> Answered {
    let text = inputs(jobs, &owner(NAME), headers, body, AROUND)
        .await
        .map_err(refused)?;
    let asked: ToVerify<'_> = serde_json::from_slice(&text).map_err(|_| unbound())?;
    let circuit = circuit(jobs, &asked.circuit_name)?;
    let parts = [asked.zkp.proof, asked.zkp.pub_signals].map(|part| part.get().to_owned());
    let judged = jobs.verify(circuit, parts).await;
    // As theirs: what cannot be judged is not valid.
    let valid = matches!(judged, Some(Ok(true)));
    Ok(json!({ "valid": valid }))
}

fn circuit(jobs: &Jobs, name: &str) -> Result<Arc<Registered>, (Problem, &'static str)> {
    let circuit = jobs.circuits.get(name).map(Arc::clone);
    circuit.ok_or_else(|| {
        let problem = Problem::usage("circuitPath doesn't exist");
        (problem, "illegal circuitPath")
    })
}

fn unbound() -> (Problem, &'static str) {
    let problem = Problem::usage("the body is not an object of the right fields");
    (problem, "can't bind request")
}

fn refused(problem: Problem) -> (Problem, &'static str) {
    (problem, "the request is not taken")
}

fn told(answered: Answered) -> Response {
    match answered {
        Ok(value) => json_response(StatusCode::OK, &value),
        Err((problem, details)) => {
            let error = json!({ "code": 0, "error": problem.message(), "details": details });
            problem.with_retry_after(json_response(problem.status(), &error))
        }
    }
}

/// The owner of its jobs.
const NAME: &str = "front:prover-server";

/// The fields around inputs; a proof with its signals.
const AROUND: u64 = 1 << 20;
