//! As Mysten's zkLogin prover: one circuit, and the answer is the proof.
//!
//! | request | answer |
//! |---|---|
//! | `POST /input` with `input.json` | 200 with the proof, or 400 with a line of text |
//! | `POST /v1` | the same, as their front asks |
//! | `GET /ping` | `pong` |

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use frumious_app::failure::Code;

use super::{inputs, owner, submit, wait};
use crate::http::Problem;
use crate::jobs::Jobs;
use crate::journal::{Kind, State as JobState};

#[derive(Clone)]
struct Front {
    jobs: Arc<Jobs>,
    circuit: Arc<str>,
    time: Duration,
}

/// Its routes, for one circuit, whose proofs take at most `time`.
pub fn router(jobs: Arc<Jobs>, circuit: &str, time: Duration) -> Router {
    let front = Front {
        jobs,
        circuit: circuit.into(),
        time,
    };
    Router::new()
        .route("/input", post(input))
        .route("/v1", post(input))
        .route("/ping", get(async || "pong"))
        .with_state(front)
}

async fn input(State(front): State<Front>, headers: HeaderMap, body: Body) -> Response {
    match prove(&front, &headers, body).await {
        Ok(proof) => ([(CONTENT_TYPE, "application/json")], proof).into_response(),
        Err(problem) => {
            // Theirs knows no other; ours says when it is not the inputs' fault.
            let status = match problem.status() {
                status if status.is_server_error() => status,
                StatusCode::TOO_MANY_REQUESTS => StatusCode::SERVICE_UNAVAILABLE,
                StatusCode::REQUEST_TIMEOUT => StatusCode::GATEWAY_TIMEOUT,
                _ => StatusCode::BAD_REQUEST,
            };
            let answer = (status, format!("{}\n", problem.message()));
            problem.with_retry_after(answer.into_response())
        }
    }
}

async fn prove(front: &Front, headers: &HeaderMap, body: Body) -> Result<String, Problem> {
    let circuit = front.jobs.circuits.get(&front.circuit).map(Arc::clone);
    let circuit = circuit.ok_or_else(Problem::unknown_circuit)?;
    let most = front.jobs.most_bytes(&circuit, Kind::Inputs);
    let input = inputs(&front.jobs, &owner(NAME), headers, body, most).await?;
    let until = Instant::now() + front.time;
    // Nobody would take a later proof.
    let submitted = submit(&front.jobs, owner(NAME), circuit, input, Some(front.time)).await?;
    let record = wait(&front.jobs, &owner(NAME), &submitted, until + AFTER_THE_END).await?;
    match record.state {
        JobState::Succeeded => Ok(record.proof.unwrap_or_default()),
        JobState::Failed => Err(failed(record.code.as_deref(), record.message)),
        _ => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "time_limit",
            "the proof took too long",
        )),
    }
}

/// A job that failed: the fault of its inputs, or another.
fn failed(word: Option<&str>, message: Option<String>) -> Problem {
    let message = message.unwrap_or_default();
    let known = Code::ALL.into_iter().find(|code| Some(code.name()) == word);
    match known {
        Some(code) if code.exit_code() < 3 => Problem::usage(message),
        code => {
            let code = code.map_or("internal", Code::name);
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
        }
    }
}

/// The owner of its jobs.
const NAME: &str = "front:zklogin";

/// For a job that expires to be written down.
const AFTER_THE_END: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_that_are_not_the_inputs_are_told_apart() {
        for (word, expected) in [
            ("bad_input", 400),
            ("unsatisfied", 400),
            ("time_limit", 503),
            ("memory_limit", 503),
            ("busy", 503),
            ("lost_input", 503),
            ("internal", 503),
        ] {
            let problem = failed(Some(word), Some("why".into()));
            assert_eq!(problem.status().as_u16(), expected, "{word}");
            assert_eq!(problem.message(), "why");
        }
    }
}
