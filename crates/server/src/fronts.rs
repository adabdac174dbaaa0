//! Fronts: listeners that speak as other servers do, over the same jobs. Each is for loopback or a Unix socket only, as
//! none of those servers asks who is there.
//!
//! | front | server | differs on purpose |
//! |---|---|---|
//! | [`rapidsnark`] | iden3's `proverServer` | a second input waits, where theirs ends the first or hangs |
//! | [`zklogin`] | Mysten's zkLogin prover | requests at the same time each get their own proof |
//! | [`prover_server`] | iden3's prover-server | circuits by id, where theirs takes a path |

mod prover_server;
mod rapidsnark;
mod zklogin;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::middleware::from_fn;
use zeroize::Zeroizing;

use crate::circuits::Registered;
use crate::config::{Address, Fronts};
use crate::http::{Problem, announced, ended, guard, read};
use crate::jobs::{Jobs, Request, Submitted};
use crate::journal::{Kind, Record};
use crate::tokens::Owner;

/// The fronts that are turned on: their addresses, and what they answer.
pub fn all(fronts: &Fronts, jobs: &Arc<Jobs>) -> Vec<(Address, Router)> {
    let mut all = Vec::new();
    if let Some(front) = &fronts.rapidsnark {
        all.push((front.listen.clone(), rapidsnark::router(Arc::clone(jobs))));
    }
    if let Some(front) = &fronts.zklogin {
        let router = zklogin::router(
            Arc::clone(jobs),
            &front.circuit,
            front.wait_seconds.duration(),
        );
        all.push((front.listen.clone(), router));
    }
    if let Some(front) = &fronts.prover_server {
        all.push((
            front.listen.clone(),
            prover_server::router(Arc::clone(jobs)),
        ));
    }
    let guarded = |(address, router): (Address, Router)| (address, router.layer(from_fn(guard)));
    all.into_iter().map(guarded).collect()
}

/// The owner of all jobs of a front.
fn owner(name: &str) -> Owner {
    Owner::of_front(name)
}

/// Reads the inputs of a circuit that a request brings, of at most `most` bytes.
async fn inputs(
    jobs: &Jobs,
    owner: &Owner,
    headers: &HeaderMap,
    body: Body,
    most: u64,
) -> Result<Zeroizing<Vec<u8>>, Problem> {
    let length = announced(headers, most)?;
    let _hold = jobs.hold(owner, length)?;
    read(body, length, jobs.limits.body_seconds.duration()).await
}

/// Makes a job of inputs.
async fn submit(
    jobs: &Arc<Jobs>,
    owner: Owner,
    circuit: Arc<Registered>,
    input: Zeroizing<Vec<u8>>,
    within: Option<Duration>,
) -> Result<Submitted, Problem> {
    if !circuit.circuit.has_generator() {
        return Err(Problem::usage("the circuit has no witness generator"));
    }
    jobs.has_place(&owner)?;
    let hold = jobs.hold(&owner, input.len() as u64)?;
    let request = Request {
        owner,
        circuit,
        kind: Kind::Inputs,
        input,
        hold,
        idempotency_key: None,
        within,
    };
    Ok(jobs.submit(request).await?)
}

/// The job when it has ended, or as it is at `until`.
async fn wait(
    jobs: &Arc<Jobs>,
    owner: &Owner,
    submitted: &Submitted,
    until: Instant,
) -> Result<Record, Problem> {
    let found = jobs.find(owner, &submitted.id)?;
    let (record, live) = found.ok_or_else(Problem::unknown_proof)?;
    let Some(live) = live.filter(|_| !record.state.is_final()) else {
        return Ok(record);
    };
    ended(&live, until).await;
    let found = jobs.find(owner, &submitted.id)?;
    Ok(found.ok_or_else(Problem::unknown_proof)?.0)
}
