//! `/v1/proofs/{id}/events`: progress as server-sent events.
//!
//! | event | data |
//! |---|---|
//! | `progress` | `{"state", "phase", "done"}`, when it changes |
//! | `end` | `{"state"}`, once, when the job is final; then the stream ends |
//!
//! A slow reader misses steps and nothing else: of progress only the latest counts, and nothing is saved up for it.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::answers::rounded;
use super::proofs::find;
use super::{Id, Problem, Site};
use crate::jobs::{Live, View};
use crate::journal::{JobId, State as JobState};
use crate::tokens::Owner;

/// `GET /v1/proofs/{id}/events`.
pub async fn events(
    State(site): State<Site>,
    owner: Owner,
    Id(id): Id,
) -> Result<Response, Problem> {
    let id = JobId::parse(&id).ok_or_else(Problem::unknown_proof)?;
    let (record, live) = find(&site, &owner, &id).await?;
    let (sender, receiver) = channel(1);
    match live.filter(|_| !record.state.is_final()) {
        Some(live) => {
            tokio::spawn(tell(live, sender));
        }
        None => {
            // There is room for one.
            let _ = sender.try_send(end(record.state));
        }
    }
    let kind = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((kind, Body::new(Events(receiver))).into_response())
}

/// Sends what changes, until the job ends or the reader is gone.
async fn tell(live: Arc<Live>, sender: Sender<Bytes>) {
    let mut watch = live.watch();
    loop {
        let view = *watch.borrow_and_update();
        if view.state.is_final() {
            let _ = sender.send(end(view.state)).await;
            return;
        }
        if sender.send(progress(view)).await.is_err() {
            return;
        }
        tokio::time::sleep(BETWEEN_EVENTS).await;
        tokio::select! {
            changed = watch.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
            // A comment, by which proxies and readers see that the stream is alive.
            () = tokio::time::sleep(SILENCE) => {
                if sender.send(Bytes::from_static(b":\n\n")).await.is_err() {
                    return;
                }
            }
        }
    }
}

fn progress(view: View) -> Bytes {
    let data =
        json!({ "state": view.state.name(), "phase": view.phase, "done": rounded(view.done) });
    format!("event: progress\ndata: {data}\n\n").into()
}

fn end(state: JobState) -> Bytes {
    format!("event: end\ndata: {}\n\n", json!({ "state": state.name() })).into()
}

/// The stream of events.
struct Events(Receiver<Bytes>);

impl http_body::Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let event = self.0.poll_recv(context);
        event.map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}

const BETWEEN_EVENTS: Duration = Duration::from_millis(50);

const SILENCE: Duration = Duration::from_secs(15);
