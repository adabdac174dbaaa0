//! A job as the journal has it.

use std::fmt;
use std::str::FromStr;

use rusqlite::Row;

use crate::clock::Millis;

/// The name of a job: 128 random bits in hexadecimal, so that nobody guesses another's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(String);

impl JobId {
    /// A new one.
    ///
    /// # Errors
    /// If the operating system has no random bytes.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// The name in a path; none for what cannot be one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 32 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits.
    Queued,
    /// It is being proved.
    Running,
    /// There is a proof.
    Succeeded,
    /// There is none, and the code says why.
    Failed,
    /// It was asked to stop.
    Cancelled,
    /// Its deadline passed.
    Expired,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
        Self::Expired,
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    /// True for states that never change.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

impl FromStr for State {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.into_iter();
        all.find(|state| state.name() == word).ok_or(())
    }
}

/// The form of a job's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `.wtns` file.
    Witness,
    /// `input.json`.
    Inputs,
}

impl Kind {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Witness => "witness",
            Self::Inputs => "inputs",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Witness, Self::Inputs]
            .into_iter()
            .find(|kind| kind.name() == word)
    }
}

/// A job that was accepted.
pub struct NewJob {
    /// Its name.
    pub id: JobId,
    /// Its circuit.
    pub circuit: String,
    /// Digest of the circuit's key.
    pub key_digest: String,
    /// Name of the token that it was asked for with.
    pub owner: String,
    /// The client's name for the request.
    pub idempotency_key: Option<String>,
    /// Form of its input.
    pub kind: Kind,
    /// When it was accepted.
    pub created: Millis,
    /// When it expires.
    pub deadline: Millis,
    /// Its input, if inputs are sealed on disk.
    pub sealed: Option<Vec<u8>>,
}

/// The end of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Proof and public signals, as snarkjs writes them.
    Succeeded {
        /// The proof.
        proof: String,
        /// The public signals.
        public: String,
    },
    /// None, for a reason: a code for programs, and a line for people.
    Failed {
        /// As in `docs/json.md`, or one of the server's.
        code: String,
        /// The event.
        message: String,
    },
    /// It was asked to stop.
    Cancelled,
    /// Its deadline passed.
    Expired,
}

impl Outcome {
    /// The state that it leads to.
    pub fn state(&self) -> State {
        match self {
            Self::Succeeded { .. } => State::Succeeded,
            Self::Failed { .. } => State::Failed,
            Self::Cancelled => State::Cancelled,
            Self::Expired => State::Expired,
        }
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its place in the order of all jobs.
    pub number: i64,
    /// Its name.
    pub id: JobId,
    /// Its circuit.
    pub circuit: String,
    /// Digest of the circuit's key when it was accepted.
    pub key_digest: String,
    /// Name of the token that it was asked for with.
    pub owner: String,
    /// Form of its input.
    pub kind: Kind,
    /// Its state.
    pub state: State,
    /// Times that it was begun.
    pub attempts: u32,
    /// When it was accepted.
    pub created: Millis,
    /// When it was begun last.
    pub started: Option<Millis>,
    /// When it ended.
    pub finished: Option<Millis>,
    /// When it expires.
    pub deadline: Millis,
    /// Proof, if it succeeded.
    pub proof: Option<String>,
    /// Public signals, if it succeeded.
    pub public: Option<String>,
    /// The reason for programs, if it failed.
    pub code: Option<String>,
    /// The reason for people, if it failed.
    pub message: Option<String>,
}

/// The columns that [`Record::of_row`] reads.
pub const COLUMNS: &str = "number, id, circuit, key_digest, owner, kind, state, attempts, created, started, finished, \
                           deadline, proof, public, code, message";

/// Those, but for proof and public signals: a list of them would be as long as all proofs together.
pub const WITHOUT_PROOFS: &str = "number, id, circuit, key_digest, owner, kind, state, attempts, created, started, \
                                  finished, deadline, NULL AS proof, NULL AS public, code, message";

impl Record {
    /// From a row of [`COLUMNS`], or [`WITHOUT_PROOFS`].
    ///
    /// # Errors
    /// For a row that this version did not write.
    pub fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let word = |name: &'static str| -> rusqlite::Result<String> { row.get(name) };
        let bad = |name: &str| rusqlite::Error::InvalidColumnName(name.to_owned());
        Ok(Self {
            number: row.get("number")?,
            id: JobId::parse(&word("id")?).ok_or_else(|| bad("id"))?,
            circuit: word("circuit")?,
            key_digest: word("key_digest")?,
            owner: word("owner")?,
            kind: Kind::parse(&word("kind")?).ok_or_else(|| bad("kind"))?,
            state: word("state")?.parse().map_err(|()| bad("state"))?,
            attempts: row.get("attempts")?,
            created: row.get("created")?,
            started: row.get("started")?,
            finished: row.get("finished")?,
            deadline: row.get("deadline")?,
            proof: row.get("proof")?,
            public: row.get("public")?,
            code: row.get("code")?,
            message: row.get("message")?,
        })
    }
}
