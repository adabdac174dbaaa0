//! The driver: a child process that is begun, heard, and begun anew whenever it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use frumious_app::fleet::end_group;

use super::clocks::Clocks;
use super::desk::{Answer, Desk, Letter};
use super::lines::{Event, harmless, known_code, write_ask, write_cancel};

/// The beginning of every driver.
pub struct Supervisor {
    /// The program `frumious-fleet`.
    pub program: PathBuf,
    /// The first lines that it is told.
    pub opening: Vec<u8>,
    /// The most bytes of a line of its.
    pub most_line: usize,
    /// It is ended if it says nothing for as long.
    pub silence: Duration,
    /// Folder of the fleet's token and key.
    pub state: Option<PathBuf>,
    /// Variables with secrets that are none of its business.
    pub secrets: Vec<String>,
}

/// The end of a driver.
struct Ending {
    /// For the log.
    reason: Option<String>,
    /// True if it has answered a job.
    was_useful: bool,
}

impl Supervisor {
    /// Has a driver at work until the desk is closed.
    pub fn run(&self, desk: &Desk) {
        let mut wait = FIRST_WAIT;
        while !desk.is_closed() {
            let driver = desk.begin_driver();
            let ending = match self.begin() {
                Ok(child) => self.attend(desk, driver, child),
                Err(error) => Ending {
                    reason: Some(format!("it cannot be started: {error}")),
                    was_useful: false,
                },
            };
            desk.end_driver();
            if ending.was_useful {
                wait = FIRST_WAIT;
            }
            if let Some(reason) = ending.reason.filter(|_| !desk.is_closed()) {
                let seconds = wait.as_secs_f64();
                let line =
                    format!("fleet: the driver has ended: {reason}; another begins in {seconds} s");
                crate::log(&line);
            }
            desk.wait_for_close(wait);
            wait = (wait * 2).min(MOST_WAIT);
        }
    }

    fn begin(&self) -> std::io::Result<Child> {
        let mut command = Command::new(&self.program);
        if let Some(state) = &self.state {
            command.arg("--state").arg(state);
        }
        for secret in &self.secrets {
            command.env_remove(secret);
        }
        command
            .arg("serve-driver")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A signal of a terminal is the server's, which drains.
            .process_group(0)
            .spawn()
    }

    /// Hears a driver to its end.
    fn attend(&self, desk: &Desk, driver: u64, mut child: Child) -> Ending {
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both are piped");
        };
        let clocks = Clocks::start();
        let mut ending = thread::scope(|scope| {
            scope.spawn(|| self.write(desk, driver, stdin, &clocks));
            scope.spawn(|| self.watch(desk, driver, &child, &clocks));
            let ending = self.hear(desk, stdout, &clocks);
            // Whoever still writes to it fails, and whoever watches it stops.
            end_group(&child);
            desk.dismiss(driver);
            ending
        });
        let status = child.wait();
        let (quiet, unread) = (clocks.quiet(), clocks.unread());
        if let (None, Ok(status)) = (&ending.reason, status) {
            ending.reason = Some(status.to_string());
        }
        if quiet >= self.silence {
            ending.reason = Some(format!("it said nothing for {} s", quiet.as_secs()));
        } else if unread >= self.silence {
            ending.reason = Some(format!("it read nothing for {} s", unread.as_secs()));
        }
        ending
    }

    /// Tells a driver of jobs. It ends at the end of its stdin.
    fn write(&self, desk: &Desk, driver: u64, mut stdin: ChildStdin, clocks: &Clocks) {
        let mut tell = || {
            stdin.write_all(&self.opening)?;
            while let Some(letter) = desk.next_letter(driver) {
                clocks.send();
                match letter {
                    Letter::Prove(ask) => write_ask(&mut stdin, &ask)?,
                    Letter::Cancel(id) => write_cancel(&mut stdin, &id)?,
                }
            }
            Ok::<(), std::io::Error>(())
        };
        let _ = tell(); // a broken pipe: the other end tells why
    }

    /// Ends a driver that hangs, is not to be trusted, or does not end when it is asked to.
    fn watch(&self, desk: &Desk, driver: u64, child: &Child, clocks: &Clocks) {
        loop {
            if desk.wait_for_end(driver, BETWEEN_LOOKS) {
                // At the end of its stdin it ends by itself, unless it is broken.
                if desk.is_closed() {
                    desk.wait_for_dismissal(TO_END);
                }
                return end_group(child);
            }
            if clocks.quiet() >= self.silence || clocks.unread() >= self.silence {
                return end_group(child);
            }
        }
    }

    /// Takes what a driver says until it ends, or is not worth to be heard.
    fn hear(&self, desk: &Desk, stdout: ChildStdout, clocks: &Clocks) -> Ending {
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        let mut ending = Ending {
            reason: None,
            was_useful: false,
        };
        let mut greeted = false;
        let mut garbage = 0;
        loop {
            line.clear();
            let most = self.most_line as u64;
            match stdout.by_ref().take(most).read_until(b'\n', &mut line) {
                Ok(length) if length > 0 => {}
                _ => return ending,
            }
            if line.last() != Some(&b'\n') && line.len() >= self.most_line {
                ending.reason = Some("it said a line that is too long".into());
                return ending;
            }
            let event = Event::parse(&line);
            let Some(event) = event.filter(|event| greeted || event.is_first()) else {
                garbage += 1;
                if garbage > MOST_GARBAGE {
                    ending.reason = Some("it said what is no answer, again and again".into());
                    return ending;
                }
                continue;
            };
            clocks.hear();
            match event {
                Event::Hello { version } if version == env!("CARGO_PKG_VERSION") => {
                    greeted = true;
                    desk.greet();
                }
                Event::Hello { .. } => {
                    ending.reason = Some("it has another version than the server".into());
                    return ending;
                }
                Event::Beat { nodes, read } => {
                    clocks.beat(nodes, read);
                    desk.tell_nodes(nodes);
                }
                Event::Begun { job } => desk.tell_begun(&job),
                Event::Proved { job, proof, public } => {
                    ending.was_useful |= desk.tell_answer(&job, |driver| Answer::Proved {
                        proof,
                        public,
                        driver,
                    });
                }
                Event::Failed { job, code, message } => {
                    ending.was_useful |= desk.tell_answer(&job, |_| Answer::Failed {
                        code: known_code(&code).into(),
                        message: harmless(&message),
                    });
                }
                Event::Stopped { code, message } => {
                    let (code, message) = (known_code(&code), harmless(&message));
                    ending.reason = Some(format!("{message} ({code})"));
                }
            }
        }
    }
}

/// Lines that are none, of one driver: a library of its may print, too.
const MOST_GARBAGE: u32 = 1000;

const FIRST_WAIT: Duration = Duration::from_millis(250);
const MOST_WAIT: Duration = Duration::from_secs(30);
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// For a driver that was asked to end.
const TO_END: Duration = Duration::from_secs(3);
