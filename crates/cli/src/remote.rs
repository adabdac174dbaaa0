//! `frumious submit` and `frumious jobs`: a prover server's clients.

use std::time::{Duration, Instant};

use frumious_app::failure::{Code, Failure};
use frumious_app::files;
use frumious_app::observer::Observer;
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use frumious_server::client::{Answer, Client, Content};
use frumious_server::tokens;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::arguments::serve::{Jobs, Server, Submit};
use crate::output::Output;
use crate::progress::Progress;

/// Sends an input, waits for the proof, and writes it.
pub fn submit(arguments: &Submit, output: &Output) -> Result<(), Failure> {
    let Submit {
        input,
        proof,
        public,
        ..
    } = arguments;
    let mut places = output.places().input("INPUT", Role::Any, input);
    if !arguments.no_wait {
        places = places.output("PROOF", Role::Proof, proof);
        places = places.output("PUBLIC", Role::Public, public);
    }
    output.check(&places)?;
    let client = client(&arguments.server)?;
    let progress = Progress::weighted(output, &[(SEND, 1.0), (PROVE, 100.0)]);
    progress.begin(SEND);
    let id = send(&client, arguments, &progress)?;
    if arguments.no_wait {
        return output.answer(&id, json!({ "id": id, "circuit": arguments.circuit }));
    }
    let job = watch(&client, &id, &progress)?;
    if job["state"] != "succeeded" {
        return Err(of_job(&job));
    }
    files::write_all(&[
        (public, &format!("{:#}\n", job["public"])),
        (proof, &format!("{:#}\n", job["proof"])),
    ])?;
    let timings = progress.finish();
    output.result(
        &format!(
            "Proof written to {}, public signals to {}: {}",
            proof.display(),
            public.display(),
            duration(timings.total())
        ),
        json!({
            "id": id,
            "circuit": arguments.circuit,
            "proof": proof.display().to_string(),
            "public": public.display().to_string(),
            "seconds": seconds(timings.total()),
        }),
    )
}

/// Lists jobs, or shows or cancels one.
pub fn jobs(arguments: &Jobs, output: &Output) -> Result<(), Failure> {
    let client = client(&arguments.server)?;
    if arguments.health {
        return match client.ask("GET", "/readyz", &[], None)?.status.is_success() {
            true => output.result("The server takes requests", json!({ "ready": true })),
            false => Err(Failure::new(Code::Busy, "the server takes no requests")),
        };
    }
    let Some(id) = &arguments.id else {
        let cursor = arguments.cursor.map(|cursor| format!("&cursor={cursor}"));
        let path = format!(
            "/v1/proofs?limit={}{}",
            arguments.limit,
            cursor.unwrap_or_default()
        );
        let list = good(client.ask("GET", &path, &[], None)?)?;
        let jobs = list["proofs"].as_array().map_or(&[][..], Vec::as_slice);
        let mut lines: Vec<String> = jobs.iter().map(line).collect();
        if let Some(next) = list["next_cursor"].as_i64() {
            lines.push(format!("more: --cursor {next}"));
        }
        return output.answer(&lines.join("\n"), list);
    };
    if !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Failure::bad_input(format!("{id} is no id of a job")));
    }
    let method = if arguments.cancel { "DELETE" } else { "GET" };
    let job = good(client.ask(method, &format!("/v1/proofs/{id}"), &[], None)?)?;
    output.answer(&line(&job), json!({ "job": job }))
}

fn client(server: &Server) -> Result<Client, Failure> {
    let token = match &server.token_file {
        Some(path) => {
            let text = files::read_secret(path)?;
            Some(Zeroizing::new(
                String::from_utf8_lossy(text.trim_ascii()).into_owned(),
            ))
        }
        None => std::env::var("FRUMIOUS_TOKEN").ok().map(Zeroizing::new),
    };
    Client::new(&server.server, token, server.ca.as_deref())
}

/// Sends the input until the server has it, under one name: it cannot lead to two jobs.
fn send(client: &Client, arguments: &Submit, progress: &Progress<'_>) -> Result<String, Failure> {
    let random = |error| Failure::bad_input(format!("no random bytes: {error}"));
    let key = match &arguments.idempotency_key {
        Some(key) => key.clone(),
        None => tokens::hash(&tokens::draw().map_err(random)?).to_hex()[..32].to_owned(),
    };
    let deadline = arguments
        .deadline
        .map(|seconds| format!("&deadline={seconds}"));
    let path = format!(
        "/v1/proofs?circuit={}{}",
        arguments.circuit,
        deadline.unwrap_or_default()
    );
    let start = Instant::now();
    let patience = Duration::from_secs(arguments.patience.into());
    loop {
        let bytes = files::read_secret(&arguments.input)?;
        let kind = match bytes.starts_with(b"wtns") {
            true => "application/octet-stream",
            false => "application/json",
        };
        let content = Content { kind, bytes };
        let answer = client.ask("POST", &path, &[("idempotency-key", &key)], Some(content));
        let (failure, pause) = match answer {
            Ok(answer) => match (answer.retry_after, good(answer)) {
                (_, Ok(job)) => return Ok(job["id"].as_str().unwrap_or_default().to_owned()),
                (Some(seconds), Err(failure)) => (failure, Duration::from_secs(seconds)),
                (None, Err(failure)) => return Err(failure),
            },
            Err(failure) => (failure, BETWEEN_TRIES),
        };
        if start.elapsed() + pause > patience {
            return Err(failure);
        }
        progress.note(&format!(
            "{}; trying again in {}",
            failure.message(),
            duration(pause)
        ));
        std::thread::sleep(pause);
        frumious_parallel::check_cancelled();
    }
}

/// Follows a job to its end.
fn watch(client: &Client, id: &str, progress: &Progress<'_>) -> Result<Value, Failure> {
    progress.begin(PROVE);
    let events = format!("/v1/proofs/{id}/events");
    client.events(&events, |_, data| {
        if let Some(done) = data["done"].as_f64() {
            progress.within(PROVE, done);
        }
        true
    })?;
    // A server that ended meanwhile goes on with the job when it is there again.
    loop {
        let job = good(client.ask("GET", &format!("/v1/proofs/{id}?wait=20"), &[], None)?)?;
        if !matches!(job["state"].as_str(), Some("queued" | "running")) {
            return Ok(job);
        }
        frumious_parallel::check_cancelled();
    }
}

/// The object of an answer, or the failure that it tells.
fn good(answer: Answer) -> Result<Value, Failure> {
    match answer.status.is_success() {
        true => Ok(answer.body),
        false => Err(told(&answer.body, answer.status.as_u16())),
    }
}

/// The failure of a job.
fn of_job(job: &Value) -> Failure {
    match job["state"].as_str() {
        Some("expired") => Failure::new(Code::TimeLimit, "the job's deadline passed"),
        Some("cancelled") => Failure::new(Code::Interrupted, "the job was cancelled"),
        _ => told(job, 200),
    }
}

/// From a code and a line of the server.
fn told(object: &Value, status: u16) -> Failure {
    let word = object["code"].as_str().unwrap_or_default();
    let line = object["error"].as_str();
    let line = line.map_or_else(|| format!("the server answers {status}"), str::to_owned);
    let code = match word {
        "unauthorized" | "forbidden" => Code::Permission,
        "unknown_circuit" | "unknown_proof" => Code::NotFound,
        "queue_full" | "lost_input" | "crashed" | "internal" => Code::Busy,
        word => {
            let mut all = Code::ALL.into_iter();
            all.find(|code| code.name() == word)
                .unwrap_or(Code::BadInput)
        }
    };
    Failure::new(code, line)
}

/// A job in a line.
fn line(job: &Value) -> String {
    let field = |name: &str| job[name].as_str().unwrap_or_default().to_owned();
    let done = job["done"]
        .as_f64()
        .map(|done| format!(", {:.0}% done", 100.0 * done));
    let error = job["error"].as_str().map(|error| format!(": {error}"));
    format!(
        "{} {} {}{}{}",
        field("id"),
        field("circuit"),
        field("state"),
        done.unwrap_or_default(),
        error.unwrap_or_default()
    )
}

const SEND: &str = "send";
const PROVE: &str = "prove";

const BETWEEN_TRIES: Duration = Duration::from_secs(1);
