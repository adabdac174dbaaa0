//! `/v1/proofs`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::{job_json, json_response};
use super::{Id, Problem, Site, ask, body};
use crate::jobs::{Live, Request, Stop};
use crate::journal::{JobId, Kind};
use crate::tokens::Owner;

/// The query of a request for a proof.
#[derive(Deserialize)]
pub struct Wanted {
    circuit: String,
    deadline: Option<String>,
}

/// `POST /v1/proofs?circuit=ID`: the body is `input.json` or a `.wtns`, by its content type.
pub async fn submit(
    State(site): State<Site>,
    owner: Owner,
    wanted: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let Query(wanted) = wanted
        .map_err(|_| Problem::usage("the query is circuit=ID, and deadline=SECONDS if wanted"))?;
    let within = match wanted.deadline.as_deref() {
        Some(text) => Some(ask::seconds(text).ok_or_else(|| Problem::usage("deadline: seconds"))?),
        None => None,
    };
    let key = ask::idempotency_key(&headers)?;
    let circuit = site.jobs.circuits.get(&wanted.circuit);
    let circuit = circuit.filter(|circuit| owner.may_use(&circuit.id));
    let circuit = Arc::clone(circuit.ok_or_else(Problem::unknown_circuit)?);
    let kind = kind(&headers)?;
    if kind == Kind::Inputs && !circuit.circuit.has_generator() {
        return Err(Problem::usage(
            "the circuit has no witness generator: send a witness (application/octet-stream)",
        ));
    }
    let length = body::announced(&headers, site.jobs.most_bytes(&circuit, kind))?;
    // A repeated request is answered also when there is no place for a new one.
    if let Err(refused) = site.jobs.has_place(&owner) {
        let known = match &key {
            Some(key) => site.jobs.known(&owner, key).await?,
            None => None,
        };
        if known.is_none() {
            return Err(refused.into());
        }
    }
    let mut hold = site.jobs.hold(&owner, length)?;
    let input = body::read(body, length, site.jobs.limits.body_seconds.duration()).await?;
    if let Some(key) = &key
        && let Some(id) = site.jobs.known(&owner, key).await?
    {
        let asked = site.jobs.asked(&circuit, kind, &input);
        site.jobs.is_same(&id, asked).await?;
        drop((input, hold)); // not for as long as the client waits
        return accepted(&site, &owner, id, &headers).await;
    }
    hold.shrink(input.len() as u64);
    let submitted = site.jobs.submit(Request {
        owner: owner.clone(),
        circuit,
        kind,
        input,
        hold,
        idempotency_key: key,
        within,
    });
    let id = submitted.await?.id;
    accepted(&site, &owner, id, &headers).await
}

fn kind(headers: &HeaderMap) -> Result<Kind, Problem> {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let value = values.next().and_then(|value| value.to_str().ok());
    if values.next().is_some() {
        return Err(Problem::usage("Content-Type: two of them"));
    }
    let kind = value
        .and_then(|value| value.split(';').next())
        .map(|kind| kind.trim().to_ascii_lowercase());
    match kind.as_deref() {
        Some("application/json") => Ok(Kind::Inputs),
        Some("application/octet-stream") => Ok(Kind::Witness),
        // Not what a page of another origin can send without asking.
        _ => Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "usage",
            "Content-Type: application/json for input.json, application/octet-stream for a witness",
        )),
    }
}

/// The answer to a request that led to a job: 200 if it has ended within the time that the client waits, else 202.
async fn accepted(
    site: &Site,
    owner: &Owner,
    id: JobId,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let wait = ask::preferred_wait(headers);
    let (job, is_final) = job(site, owner, &id, wait.unwrap_or_default()).await?;
    let status = if is_final {
        StatusCode::OK
    } else {
        StatusCode::ACCEPTED
    };
    let mut answer = json_response(status, &job);
    let place = format!("/v1/proofs/{id}");
    let place = HeaderValue::from_str(&place).expect("an id is of hexadecimal digits");
    answer.headers_mut().insert(LOCATION, place);
    if wait.is_some() {
        let applied = HeaderValue::from_static("wait");
        answer.headers_mut().insert("preference-applied", applied);
    }
    Ok(answer)
}

/// A job, after a wait for its end of at most `wait`; and whether it has ended.
pub async fn job(
    site: &Site,
    owner: &Owner,
    id: &JobId,
    wait: Duration,
) -> Result<(Value, bool), Problem> {
    let until = Instant::now() + wait.min(site.jobs.limits.wait_seconds.duration());
    let (record, live) = find(site, owner, id).await?;
    let Some(live) = live.filter(|_| !record.state.is_final()) else {
        return Ok((job_json(&record, None), record.state.is_final()));
    };
    if ended(&live, until).await {
        let (record, _) = find(site, owner, id).await?;
        return Ok((job_json(&record, None), record.state.is_final()));
    }
    Ok((job_json(&record, Some(&live)), false))
}

/// Waits for the end of a job, or of the server; false if neither is there at `until`.
pub async fn ended(live: &Live, until: Instant) -> bool {
    let mut watch = live.watch();
    let end = watch.wait_for(|view| view.state.is_final() || view.is_left);
    tokio::time::timeout_at(until.into(), end).await.is_ok()
}

/// A job that the owner may see.
pub async fn find(site: &Site, owner: &Owner, id: &JobId) -> Result<crate::jobs::Found, Problem> {
    let (jobs, owner, id) = (Arc::clone(&site.jobs), owner.clone(), id.clone());
    let found = tokio::task::spawn_blocking(move || jobs.find(&owner, &id)).await;
    let found = found.map_err(|_| Problem::unknown_proof())??;
    found.ok_or_else(Problem::unknown_proof)
}

/// The query of a request for a job.
#[derive(Deserialize)]
pub struct Waiting {
    wait: Option<String>,
}

/// `GET /v1/proofs/{id}?wait=SECONDS`.
pub async fn one(
    State(site): State<Site>,
    owner: Owner,
    Id(id): Id,
    waiting: Result<Query<Waiting>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let Query(waiting) = waiting.map_err(|_| Problem::usage("the query is wait=SECONDS"))?;
    let id = JobId::parse(&id).ok_or_else(Problem::unknown_proof)?;
    let wait = match waiting.wait.as_deref() {
        Some(text) => ask::seconds(text).ok_or_else(|| Problem::usage("wait: seconds"))?,
        None => Duration::ZERO,
    };
    let (job, _) = job(&site, &owner, &id, wait).await?;
    Ok(json_response(StatusCode::OK, &job))
}

/// `DELETE /v1/proofs/{id}`: answered when the job has ended, whichever way.
pub async fn cancel(
    State(site): State<Site>,
    owner: Owner,
    Id(id): Id,
) -> Result<Response, Problem> {
    let id = JobId::parse(&id).ok_or_else(Problem::unknown_proof)?;
    let (_, live) = find(&site, &owner, &id).await?;
    if let Some(live) = live {
        site.jobs.stop(&live, Stop::Cancelled);
    }
    let (job, _) = job(&site, &owner, &id, TO_STOP).await?;
    Ok(json_response(StatusCode::OK, &job))
}

/// The query of a list.
#[derive(Deserialize)]
pub struct Page {
    cursor: Option<String>,
    limit: Option<usize>,
}

/// `GET /v1/proofs?cursor=&limit=`: the latest first, without proofs.
pub async fn list(
    State(site): State<Site>,
    owner: Owner,
    page: Result<Query<Page>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let Query(page) = page.map_err(|_| Problem::usage("the query is cursor=CURSOR and limit=N"))?;
    let most = page.limit.unwrap_or(20).clamp(1, MOST_IN_LIST);
    let below = match page.cursor.as_deref() {
        Some(cursor) => Some(site.jobs.number(&owner, cursor).ok_or_else(|| {
            Problem::usage("cursor: the next_cursor of a page, since the server began")
        })?),
        None => None,
    };
    let (jobs, reader) = (Arc::clone(&site.jobs), owner.clone());
    // One more tells whether there are others.
    let found = tokio::task::spawn_blocking(move || jobs.list(&owner, below, most + 1)).await;
    let mut found = found.map_err(|_| Problem::unknown_proof())??;
    let has_more = found.len() > most;
    found.truncate(most);
    let next = found
        .last()
        .filter(|_| has_more)
        .map(|(record, _)| site.jobs.cursor(&reader, record.number))
        .transpose()?;
    let entry = |(record, live): &crate::jobs::Found| job_json(record, live.as_deref());
    let jobs: Vec<Value> = found.iter().map(entry).collect();
    Ok(json_response(
        StatusCode::OK,
        &json!({ "proofs": jobs, "next_cursor": next }),
    )
    .into_response())
}

/// A proof stops within 0.2 s; the rest is for the disk.
const TO_STOP: Duration = Duration::from_secs(5);

const MOST_IN_LIST: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_one_kind() {
        let of = |kinds: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for kind in kinds {
                headers.append(CONTENT_TYPE, HeaderValue::from_static(kind));
            }
            kind(&headers).map_err(|problem| problem.into_response().status())
        };
        let [json, bytes] = [
            "application/json; charset=utf-8",
            "application/octet-stream",
        ];
        assert_eq!(of(&[json]), Ok(Kind::Inputs));
        assert_eq!(of(&[bytes]), Ok(Kind::Witness));
        for none in [&[][..], &["text/plain"]] {
            assert_eq!(of(none), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        }
        for two in [[json, bytes], [bytes, json], [json, json]] {
            assert_eq!(of(&two), Err(StatusCode::BAD_REQUEST), "{two:?}");
        }
    }
}
