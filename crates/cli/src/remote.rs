//! `frumious submit` and `frumious jobs`: a prover server's clients.

use std::time::{Duration, Instant};

use frumious_app::failure::{Code, Failure};
use frumious_app::files;
use frumious_app::observer::Observer;
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use frumious_server::client::{Answer, Client, Content, is_of_a_proxy};
use frumious_server::{config, tokens};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::arguments::serve::{Jobs, Server, Submit, cursor};
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
    let client = client(&arguments.server, output)?;
    let progress = Progress::weighted(output, &[(SEND, 1.0), (PROVE, 100.0)]);
    progress.begin(SEND);
    let id = send(&client, arguments, &progress)?;
    if arguments.no_wait {
        return output.answer(&id, json!({ "id": id, "circuit": arguments.circuit }));
    }
    let patience = Duration::from_secs(arguments.patience.into());
    let job = watch(&client, &id, patience, &progress).map_err(|failure| {
        failure.hinting(&format!("The server took the job: see frumious jobs {id}"))
    })?;
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
    let client = client(&arguments.server, output)?;
    if arguments.health {
        return match get(&client, "/readyz", Duration::ZERO)?.status.is_success() {
            true => output.result("The server takes requests", json!({ "ready": true })),
            false => Err(Failure::new(Code::Busy, "the server takes no requests")),
        };
    }
    let Some(id) = &arguments.id else {
        let below = arguments.cursor.as_ref();
        let below = below.map(|cursor| format!("&cursor={cursor}"));
        let path = format!(
            "/v1/proofs?limit={}{}",
            arguments.limit,
            below.unwrap_or_default()
        );
        let list = good(get(&client, &path, Duration::ZERO)?)?;
        let jobs = list["proofs"].as_array().map_or(&[][..], Vec::as_slice);
        let mut lines: Vec<String> = jobs.iter().map(line).collect();
        let next = list["next_cursor"].as_str();
        if let Some(next) = next.and_then(|next| cursor(next).ok()) {
            lines.push(format!("more: --cursor {next}"));
        }
        return output.answer(&lines.join("\n"), list);
    };
    if !is_job_id(id) {
        return Err(Failure::bad_input(format!("{id} is no id of a job")));
    }
    let (method, wait) = match arguments.cancel {
        true => ("DELETE", TO_CANCEL),
        false => ("GET", Duration::ZERO),
    };
    let job = good(client.ask(method, &format!("/v1/proofs/{id}"), &[], None, wait)?)?;
    output.answer(&line(&job), json!({ "job": job }))
}

fn client(server: &Server, output: &Output) -> Result<Client, Failure> {
    let token = match &server.token_file {
        Some(path) => {
            let text = files::read_secret(path)?;
            Some(Zeroizing::new(
                String::from_utf8_lossy(text.trim_ascii()).into_owned(),
            ))
        }
        // As for every variable, nothing is no token.
        None => std::env::var("FRUMIOUS_TOKEN")
            .ok()
            .filter(|token| !token.is_empty())
            .map(Zeroizing::new),
    };
    let client = Client::new(&server.server, token, server.ca.as_deref())?;
    if client.is_in_the_clear() {
        output.warning(&format!(
            "{}: inputs and tokens are not encrypted on the way. Next: https://",
            server.server
        ));
    }
    Ok(client)
}

/// Sends the input until the server has it, under one name: it cannot lead to two jobs.
fn send(client: &Client, arguments: &Submit, progress: &Progress<'_>) -> Result<String, Failure> {
    let circuit = &arguments.circuit;
    if !config::is_circuit_id(circuit) {
        return Err(Failure::bad_input(format!(
            "{circuit:?} is no id of a circuit: 1 to 64 of a-z A-Z 0-9 _ - ."
        )));
    }
    let random = |error| Failure::bad_input(format!("no random bytes: {error}"));
    let key = match &arguments.idempotency_key {
        Some(key) if config::is_idempotency_key(key.as_bytes()) => key.clone(),
        Some(_) => {
            return Err(Failure::bad_input(
                "--idempotency-key: 1 to 128 printable characters of ASCII",
            ));
        }
        None => tokens::hash(&tokens::draw().map_err(random)?).to_hex()[..32].to_owned(),
    };
    let deadline = arguments
        .deadline
        .map(|seconds| format!("&deadline={seconds}"));
    let deadline = deadline.unwrap_or_default();
    let path = format!("/v1/proofs?circuit={circuit}{deadline}");
    // A stream can be read once only.
    let bytes = files::read_secret(&arguments.input)?;
    let kind = match bytes.starts_with(b"wtns") {
        true => "application/octet-stream",
        false => "application/json",
    };
    let content = Content::new(kind, bytes);
    let headers = [("idempotency-key", key.as_str())];
    let start = Instant::now();
    let patience = Duration::from_secs(arguments.patience.into());
    loop {
        let content = Some(content.clone());
        let answer = client.ask("POST", &path, &headers, content, Duration::ZERO);
        match judged(answer) {
            Ok(job) => {
                let id = job["id"].as_str().filter(|id| is_job_id(id));
                let id = id.ok_or_else(|| Failure::bad_input("the answer names no job"))?;
                return Ok(id.to_owned());
            }
            Err(setback) => setback.wait(start, patience, progress)?,
        }
    }
}

/// Follows a job to its end. A server that is away has `patience` from its last answer to be there again.
fn watch(
    client: &Client,
    id: &str,
    patience: Duration,
    progress: &Progress<'_>,
) -> Result<Value, Failure> {
    progress.begin(PROVE);
    let (events, job) = (
        format!("/v1/proofs/{id}/events"),
        format!("/v1/proofs/{id}"),
    );
    let mut last_answer = Instant::now();
    let mut is_there = true;
    loop {
        let mut wait = Duration::ZERO;
        if is_there {
            let followed = client.events(&events, |_, data| {
                last_answer = Instant::now();
                if let Some(done) = data["done"].as_f64() {
                    progress.within(PROVE, done);
                }
                true
            });
            // The request below tells whether a broken stream is that of a server that is away.
            if let Err(failure) = followed
                && failure.code() != Code::Busy
            {
                return Err(failure);
            }
            wait = TO_WAIT;
        }
        let path = format!("{job}?wait={}", wait.as_secs());
        match judged(get(client, &path, wait)) {
            Ok(job) if !matches!(job["state"].as_str(), Some("queued" | "running")) => {
                return Ok(job);
            }
            Ok(_) => {
                // A server may answer at once, whatever wait it is asked for.
                std::thread::sleep(BETWEEN_TRIES);
                (last_answer, is_there) = (Instant::now(), true);
            }
            Err(setback) => {
                setback.wait(last_answer, patience, progress)?;
                is_there = false;
            }
        }
        frumious_parallel::check_cancelled();
    }
}

/// A failure, and the time after which another try may do better; none if each try ends alike.
struct Setback {
    failure: Failure,
    pause: Option<Duration>,
}

impl Setback {
    /// Waits for the next try, or gives up: `patience` counts from `since`.
    fn wait(
        self,
        since: Instant,
        patience: Duration,
        progress: &Progress<'_>,
    ) -> Result<(), Failure> {
        let pause = match self.pause {
            Some(pause) if since.elapsed().saturating_add(pause) <= patience => pause,
            _ => return Err(self.failure),
        };
        progress.note(&format!(
            "{}; trying again in {}",
            self.failure.message(),
            duration(pause)
        ));
        std::thread::sleep(pause);
        frumious_parallel::check_cancelled();
        Ok(())
    }
}

/// The object of an answer, or the setback that it is.
fn judged(asked: Result<Answer, Failure>) -> Result<Value, Setback> {
    let answer = asked.map_err(|failure| Setback {
        pause: (failure.code() == Code::Busy).then_some(BETWEEN_TRIES),
        failure,
    })?;
    let pause = match answer.retry_after {
        // Zero would have the input sent again and again, without a pause.
        Some(seconds) => Some(Duration::from_secs(seconds).max(BETWEEN_TRIES)),
        None => is_of_a_proxy(answer.status).then_some(BETWEEN_TRIES),
    };
    good(answer).map_err(|failure| Setback { failure, pause })
}

fn get(client: &Client, path: &str, wait: Duration) -> Result<Answer, Failure> {
    client.ask("GET", path, &[], None, wait)
}

fn is_job_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit())
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
    let line = line.map_or_else(|| format!("the server answers {status}"), printable);
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

/// Words of a server without what moves a terminal's cursor, begins a line, or turns the order of letters around.
fn printable(words: &str) -> String {
    let is_turning = |c| matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    words.replace(|c: char| c.is_control() || is_turning(c), "\u{fffd}")
}

/// A job in a line.
fn line(job: &Value) -> String {
    let field = |name: &str| printable(job[name].as_str().unwrap_or_default());
    let done = job["done"]
        .as_f64()
        .map(|done| format!(", {:.0}% done", 100.0 * done));
    let error = job["error"].as_str();
    let error = error.map(|error| format!(": {}", printable(error)));
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

const TO_WAIT: Duration = Duration::from_secs(20);

/// The server stops a job before it answers.
const TO_CANCEL: Duration = Duration::from_secs(5);
