//! A server in a folder of its own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use frumious_circom::{R1csBuilder, Wtns};
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use serde_json::Value;
use tempfile::TempDir;

use crate::http::{Answer, Asking, ask};

/// Settings before the tables of a configuration, and tables.
#[derive(Clone, Default)]
pub struct Setting {
    pub top: String,
    pub limits: String,
    pub tables: String,
    /// A command that runs the server, such as a shell with limits; `$0` and what follows is the server.
    pub shell: Option<String>,
    /// Run by a user who is not root, where this test is root's.
    pub guest: bool,
}

/// A folder with circuits, and a server if one was started.
pub struct Place {
    folder: TempDir,
    data: PathBuf,
}

impl Place {
    /// With `mul.zkey`, `mul.wasm`, `mul.wtns`.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let place = Self { folder, data };
        for name in ["mul.zkey", "mul.wtns"] {
            place.write(name, fs::read(fixtures().join(name)).unwrap());
        }
        place.write("mul.wasm", module());
        place
    }

    /// Beside them `NAME.zkey` and `NAME.wtns` of a chain of squarings, made once for all tests.
    pub fn with_squarings(self, name: &str, count: u32) -> Self {
        let made = squarings(count);
        for kind in ["zkey", "wtns"] {
            fs::copy(
                made.join(format!("s.{kind}")),
                self.path(&format!("{name}.{kind}")),
            )
            .unwrap();
        }
        self
    }

    /// The server's data in another folder.
    pub fn with_data(self, data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            ..self
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    fn is_ours_by_root(&self) -> bool {
        let found = fs::metadata(self.folder.path()).unwrap();
        std::os::unix::fs::MetadataExt::uid(&found) == 0
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    /// As [`Place::write`], for its owner alone.
    pub fn write_secret(&self, name: &str, contents: impl AsRef<[u8]>) {
        self.write(name, contents);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(self.path(name), mode).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Writes a configuration for the circuits `mul` and those of `others`.
    pub fn configure(&self, setting: &Setting, others: &[&str]) {
        let mut text = format!(
            "listen = \"127.0.0.1:0\"\ndata = {:?}\n{}\n",
            self.data, setting.top
        );
        text += &format!("[limits]\n{}\n", setting.limits);
        text += "[[circuits]]\nid = \"mul\"\nkey = \"mul.zkey\"\ngenerator = \"mul.wasm\"\n";
        for id in others {
            text += &format!("[[circuits]]\nid = \"{id}\"\nkey = \"{id}.zkey\"\ncheck = false\n");
        }
        self.write("frumious.toml", text + &setting.tables);
    }

    /// Starts a server.
    pub fn start(&self, setting: &Setting, others: &[&str]) -> Server {
        self.configure(setting, others);
        self.try_start(setting)
            .unwrap_or_else(|said| panic!("{said}"))
    }

    /// Starts a server with the configuration that is there; what it says if it ends instead.
    pub fn try_start(&self, setting: &Setting) -> Result<Server, String> {
        let program = env!("CARGO_BIN_EXE_frumious");
        let mut command = match &setting.shell {
            Some(shell) => {
                let mut command = Command::new("sh");
                command.args(["-c", shell, program]);
                command
            }
            None => Command::new(program),
        };
        if setting.guest && self.is_ours_by_root() {
            // The folder is the guest's; so is the server.
            let given = Command::new("chown")
                .args(["-R", "65534"])
                .arg(self.folder.path())
                .status();
            assert!(given.unwrap().success());
            std::os::unix::process::CommandExt::uid(&mut command, 65534);
        }
        let mut child = command
            .args(["serve", "--config"])
            .arg(self.path("frumious.toml"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let lines = read_lines(child.stderr.take().unwrap(), Arc::clone(&log));
        let listeners = 1
            + setting.top.matches("metrics =").count()
            + setting.tables.matches("[fronts.").count();
        let mut addresses = Vec::new();
        while addresses.len() < listeners {
            match lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => addresses.extend(line.strip_prefix("listening at ").map(address)),
                Err(_) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(log.lock().unwrap().clone());
                }
            }
        }
        Ok(Server {
            child,
            address: addresses[0].clone(),
            others: addresses[1..].to_vec(),
            log,
        })
    }
}

fn address(url: &str) -> String {
    url.trim_start_matches("http://")
        .trim_start_matches("https://")
        .to_owned()
}

fn read_lines(
    stderr: impl std::io::Read + Send + 'static,
    log: Arc<Mutex<String>>,
) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            *log.lock().unwrap() += &format!("{line}\n");
            let _ = sender.send(line); // nobody may listen any more
        }
    });
    receiver
}

/// A server that runs; killed when dropped.
pub struct Server {
    child: Child,
    pub address: String,
    /// Of its other listeners, in the order of the configuration.
    pub others: Vec<String>,
    log: Arc<Mutex<String>>,
}

impl Server {
    pub fn ask<'a>(&'a self, method: &'a str, path: impl Into<String>) -> Asking<'a> {
        ask(&self.address, method, path)
    }

    pub fn get(&self, path: impl Into<String>) -> Answer {
        self.ask("GET", path).send()
    }

    /// Asks for a product, and waits for it.
    pub fn multiply(&self, a: u32, b: u32) -> Answer {
        let request = self
            .ask("POST", "/v1/proofs?circuit=mul")
            .header("prefer", "wait=60");
        request.json(&format!("{{\"a\": {a}, \"b\": {b}}}")).send()
    }

    /// Asks for a proof of a witness, and does not wait; the job's id.
    pub fn submit(&self, circuit: &str, witness: &[u8]) -> String {
        let request = self.ask("POST", format!("/v1/proofs?circuit={circuit}"));
        let answer = request.bytes("application/octet-stream", witness).send();
        // It may have ended by now.
        assert!(matches!(answer.status, 200 | 202), "{answer:?}");
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// The job.
    pub fn job(&self, id: &str) -> Value {
        self.get(format!("/v1/proofs/{id}")).json()
    }

    /// The job when it has ended.
    pub fn ended(&self, id: &str) -> Value {
        let job = self.get(format!("/v1/proofs/{id}?wait=60")).json();
        assert!(is_final(&job), "{job}");
        job
    }

    /// Waits until the job runs and has a phase that takes long.
    pub fn wait_until_it_runs(&self, id: &str) {
        wait_for(|| {
            let job = self.job(id);
            assert!(!is_final(&job), "{job}");
            job["phase"]
                .as_str()
                .is_some_and(|phase| phase.starts_with("sum"))
        });
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Everything that it said so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("sh")
            .arg("-c")
            .arg(format!("kill -{name} {}", self.pid()))
            .status();
        assert!(sent.unwrap().success());
    }

    /// Waits for its end; the exit code, if it has one.
    pub fn end(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end: {}", self.log());
    }

    /// Ends it at once.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn is_final(job: &Value) -> bool {
    let states = ["succeeded", "failed", "cancelled", "expired"];
    states.contains(&job["state"].as_str().unwrap_or_default())
}

/// Waits until something is so, for a minute.
pub fn wait_for(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "it takes too long"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// True if the proof of a job is one of these public signals, by the command that anybody verifies with.
pub fn is_valid(place: &Place, job: &Value, public: &[&str]) -> bool {
    let name = job["id"].as_str().unwrap();
    assert_eq!(job["public"], serde_json::json!(public), "{job}");
    place.write(&format!("{name}.proof"), job["proof"].to_string());
    place.write(&format!("{name}.public"), job["public"].to_string());
    let verified = Command::new(env!("CARGO_BIN_EXE_frumious"))
        .arg("verify")
        .arg(fixtures().join("verification_key.json"))
        .args([
            place.path(&format!("{name}.public")),
            place.path(&format!("{name}.proof")),
        ])
        .output()
        .unwrap();
    verified.status.success()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data")
}

/// The multiplier's verification key.
pub fn verification_key() -> String {
    fixtures()
        .join("verification_key.json")
        .to_string_lossy()
        .into_owned()
}

/// The multiplier's generator.
pub fn module() -> Vec<u8> {
    wat::parse_str(include_str!("../data/multiplier.wat")).unwrap()
}

/// A folder with `s.zkey` and `s.wtns` of a chain of squarings, which later runs of the tests find, too.
fn squarings(count: u32) -> PathBuf {
    static LOCK: Mutex<()> = Mutex::new(());
    let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = all.join(format!("squarings-{count}"));
    if folder.exists() {
        return folder;
    }
    let made = tempfile::tempdir_in(all).unwrap();
    let mut builder = R1csBuilder::new(1, 0, 1);
    let mut values = vec![Fr::ONE, Fr::ZERO, Fr::from_u64(3)];
    let mut last = 2;
    for k in 1..=count {
        let next = if k == count { 1 } else { builder.new_wire() };
        builder.constraint(&[(last, Fr::ONE)], &[(last, Fr::ONE)], &[(next, Fr::ONE)]);
        let square = values[last as usize].square();
        match k == count {
            true => values[1] = square,
            false => values.push(square),
        }
        last = next;
    }
    let values = values.iter().copied().map(Integer::from).collect();
    let file = |kind| fs::File::create(made.path().join(format!("s.{kind}"))).unwrap();
    builder.build().write(file("r1cs")).unwrap();
    Wtns::new(values).unwrap().write(file("wtns")).unwrap();
    run(made.path(), "setup --dev s.r1cs s.zkey");
    // Another process may have been first.
    let _ = fs::rename(made.keep(), &folder);
    folder
}

/// Runs another command in a folder, which must do its work.
pub fn run(folder: &Path, line: &str) {
    let ending = Command::new(env!("CARGO_BIN_EXE_frumious"))
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ending.stderr);
    assert!(ending.status.success(), "{line}: {said}");
}

/// Squarings whose proof takes long enough to be watched, stopped and killed.
pub const LONG: u32 = 40_000;
