//! `/v1/circuits`, `/v1/verify`, `/v1/status`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use frumious_app::curve::PairingCurve;
use frumious_app::memory::Resident;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::answers::json_response;
use super::{Id, Problem, Site, body};
use crate::circuits::Registered;
use crate::executor::Health;
use crate::journal::Kind;
use crate::tokens::Owner;

/// `GET /v1/circuits`: those within the token's scope.
pub async fn list(State(site): State<Site>, owner: Owner) -> Response {
    let circuits = site.jobs.circuits.all();
    let circuits = circuits.filter(|circuit| owner.may_use(&circuit.id));
    let circuits: Vec<Value> = circuits.map(|circuit| described(&site, circuit)).collect();
    json_response(StatusCode::OK, &json!({ "circuits": circuits }))
}

/// `GET /v1/circuits/{id}`: with the verification key.
pub async fn one(State(site): State<Site>, owner: Owner, Id(id): Id) -> Result<Response, Problem> {
    let circuit = known(&site, &owner, &id)?;
    let mut circuit_json = described(&site, &circuit);
    let key = circuit.circuit.verifying_key();
    circuit_json["verification_key"] = serde_json::from_str(&key).unwrap_or_default();
    Ok(json_response(StatusCode::OK, &circuit_json))
}

fn described(site: &Site, circuit: &Registered) -> Value {
    let key = circuit.circuit.key();
    let curve = match key.curve() {
        PairingCurve::Bn254 => "bn128",
        PairingCurve::Bls12_381 => "bls12381",
    };
    json!({
        "id": &*circuit.id,
        "curve": curve,
        "wires": key.n_wires(),
        "public_signals": key.n_public(),
        "domain_size": key.domain_size(),
        "key_blake3": circuit.circuit.digest(),
        "key_bytes": circuit.circuit.key_bytes(),
        "generator": circuit.circuit.has_generator(),
        "threads": circuit.threads,
        "memory_bytes": circuit.memory,
        "most_input_bytes": site.jobs.most_bytes(circuit, Kind::Inputs),
        "most_witness_bytes": site.jobs.most_bytes(circuit, Kind::Witness),
    })
}

/// The circuit of an id, within the token's scope.
pub fn known(site: &Site, owner: &Owner, id: &str) -> Result<Arc<Registered>, Problem> {
    let circuit = site
        .jobs
        .circuits
        .get(id)
        .filter(|circuit| owner.may_use(&circuit.id));
    circuit.map(Arc::clone).ok_or_else(Problem::unknown_circuit)
}

/// The query of a verification.
#[derive(Deserialize)]
pub struct Under {
    circuit: String,
}

/// `POST /v1/verify?circuit=ID` with `{"proof", "public"}`: `{"valid"}`.
pub async fn verify(
    State(site): State<Site>,
    owner: Owner,
    under: Result<Query<Under>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let Query(under) = under.map_err(|_| Problem::usage("the query is circuit=ID"))?;
    let circuit = known(&site, &owner, &under.circuit)?;
    let most = PROOF_BYTES + SIGNAL_BYTES * circuit.circuit.key().n_public() as u64;
    let length = body::announced(&headers, most.min(site.jobs.holds.most()))?;
    let _hold = site.jobs.hold(&owner, length)?;
    let text = body::read(body, length, site.jobs.limits.body_seconds.duration()).await?;
    let given: Given<'_> = serde_json::from_slice(&text)
        .map_err(|_| Problem::usage("the body is {\"proof\": ..., \"public\": [...]}"))?;
    let parts = [given.proof, given.public].map(|part| part.get().to_owned());
    let judged = site.jobs.verify(circuit, parts).await;
    let valid = judged.ok_or_else(|| Problem::usage("the proof cannot be judged"))??;
    Ok(json_response(StatusCode::OK, &json!({ "valid": valid })))
}

/// Not parsed here: `Value` reads some strings as documents of their own (`crate::plain`).
#[derive(Deserialize)]
struct Given<'a> {
    #[serde(borrow)]
    proof: &'a RawValue,
    #[serde(borrow)]
    public: &'a RawValue,
}

/// `GET /v1/status`: for the page.
pub async fn status(State(site): State<Site>, _: Owner) -> Response {
    let (queued, running) = site.jobs.counts();
    let (executor, fleet) = match site.jobs.health() {
        Health::Local => ("local", Value::Null),
        Health::Fleet(fleet) => (
            "ray",
            json!({ "nodes": fleet.nodes, "jobs": fleet.jobs, "restarts": fleet.restarts }),
        ),
    };
    json_response(
        StatusCode::OK,
        &json!({
            "version": env!("CARGO_PKG_VERSION"),
            "queued": queued,
            "running": running,
            "ready": site.jobs.is_ready(),
            "executor": executor,
            "fleet": fleet,
            "threads": site.jobs.machine.threads,
            "memory_bytes": site.jobs.machine.memory,
            "cpu": site.jobs.machine.cpu,
            "backend": site.jobs.machine.backend,
            "resident_bytes": Resident::now().map_or(0, |resident| resident.private),
        }),
    )
}

/// A proof, with names and blanks.
const PROOF_BYTES: u64 = 16 << 10;

/// A public signal in decimal, with quotes and blanks.
const SIGNAL_BYTES: u64 = 160;
