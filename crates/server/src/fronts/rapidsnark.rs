//! As iden3's rapidsnark `proverServer`: one status for all, which is that of the latest input.
//!
//! | request | answer |
//! |---|---|
//! | `POST /input/CIRCUIT` with `input.json` | 200 without a body |
//! | `GET /status` | `{"status", "proof", "pubData"}`; proof and signals are JSON in strings |
//! | `POST /cancel` | 200: the latest job stops, and counts as `aborted` |
//! | `POST /start`, `/stop` | 200: nothing is to be started |
//!
//! Theirs ends the job before when an input comes, or hangs. Here both are proved, and the status is the later one's.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;

use super::{inputs, owner, submit};
use crate::http::{Id, Problem, json_response};
use crate::jobs::{Jobs, Stop};
use crate::journal::{JobId, Kind, State as JobState};

/// The jobs, and the latest input's.
#[derive(Clone)]
struct Front {
    jobs: Arc<Jobs>,
    latest: Arc<Mutex<Option<JobId>>>,
}

/// Its routes.
pub fn router(jobs: Arc<Jobs>) -> Router {
    let front = Front {
        jobs,
        latest: Arc::default(),
    };
    Router::new()
        .route("/input/{circuit}", post(input))
        .route("/status", get(status))
        .route("/cancel", post(cancel))
        .route("/start", post(async || StatusCode::OK))
        .route("/stop", post(async || StatusCode::OK))
        .with_state(front)
}

async fn input(
    State(front): State<Front>,
    Id(circuit): Id,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let circuit = front.jobs.circuits.get(&circuit).map(Arc::clone);
    let circuit = circuit.ok_or_else(Problem::unknown_circuit)?;
    let most = front.jobs.most_bytes(&circuit, Kind::Inputs);
    let input = inputs(&front.jobs, &owner(NAME), &headers, body, most).await?;
    let submitted = submit(&front.jobs, owner(NAME), circuit, input, None).await?;
    *front.latest() = Some(submitted.id);
    Ok(StatusCode::OK.into_response())
}

async fn status(State(front): State<Front>) -> Result<Response, Problem> {
    let latest = front.latest().clone();
    let found = match latest {
        Some(id) => front.jobs.find(&owner(NAME), &id)?,
        None => None,
    };
    let Some((record, _)) = found else {
        return Ok(json_response(StatusCode::OK, &json!({ "status": "ready" })));
    };
    let status = match record.state {
        JobState::Queued | JobState::Running => "busy",
        JobState::Succeeded => "success",
        JobState::Failed | JobState::Expired => "failed",
        JobState::Cancelled => "aborted",
    };
    let mut answer = json!({ "status": status });
    if let (Some(proof), Some(public)) = (record.proof, record.public) {
        answer["proof"] = proof.into();
        answer["pubData"] = public.into();
    }
    if status == "failed" {
        let error = record
            .message
            .unwrap_or_else(|| "the job's deadline passed".into());
        answer["error"] = error.into();
    }
    Ok(json_response(StatusCode::OK, &answer))
}

async fn cancel(State(front): State<Front>) -> Result<Response, Problem> {
    let latest = front.latest().clone();
    if let Some(id) = latest
        && let Some((_, Some(live))) = front.jobs.find(&owner(NAME), &id)?
    {
        front.jobs.stop(&live, Stop::Cancelled);
    }
    Ok(StatusCode::OK.into_response())
}

impl Front {
    fn latest(&self) -> std::sync::MutexGuard<'_, Option<JobId>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The owner of its jobs.
const NAME: &str = "front:rapidsnark";
