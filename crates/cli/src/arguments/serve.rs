//! `frumious serve`, and its clients `frumious submit` and `frumious jobs`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct Serve {
    /// Configuration (TOML): docs/server.md has every name
    #[arg(long, value_name = "FILE", default_value = "frumious.toml")]
    pub config: PathBuf,
    /// Print a new token with its hash for the configuration, and end
    #[arg(long)]
    pub new_token: bool,
    /// Open everything that a start opens, such as keys and the certificate, and end without serving
    #[arg(long, conflicts_with = "new_token")]
    pub check: bool,
}

/// The server that a client asks.
#[derive(Args)]
pub struct Server {
    /// The server: http://host:port, https://host:port, or unix:/path
    #[arg(
        long,
        value_name = "URL",
        env = "FRUMIOUS_SERVER",
        default_value = "http://127.0.0.1:7700"
    )]
    pub server: String,
    /// File with the token; without, it is taken from the variable FRUMIOUS_TOKEN, if there is one
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Certificates (PEM) that vouch for an https server, or the server's own
    #[arg(long, value_name = "FILE", env = "FRUMIOUS_CA")]
    pub ca: Option<PathBuf>,
}

#[derive(Args)]
pub struct Submit {
    /// Id of the circuit
    #[arg(value_name = "CIRCUIT")]
    pub circuit: String,
    /// Inputs of the circuit (JSON) or witness (.wtns)
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    /// Proof to write (JSON)
    #[arg(value_name = "PROOF", default_value = "proof.json")]
    pub proof: PathBuf,
    /// Public signals to write (JSON)
    #[arg(value_name = "PUBLIC", default_value = "public.json")]
    pub public: PathBuf,
    #[command(flatten)]
    pub server: Server,
    /// Print the job's id once the server has it, and end: frumious jobs ID tells the rest
    #[arg(long)]
    pub no_wait: bool,
    /// Seconds after which the job expires [default: the server's]
    #[arg(long, value_name = "SECONDS")]
    pub deadline: Option<u32>,
    /// Seconds to try again for while the server is full or away
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub patience: u32,
    /// Name of the request: repeated, it leads to the same job [default: a random one]
    #[arg(long, value_name = "NAME")]
    pub idempotency_key: Option<String>,
}

#[derive(Args)]
pub struct Jobs {
    /// Job to show; without, the latest are listed
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Cancel the job
    #[arg(long, requires = "id")]
    pub cancel: bool,
    /// Tell only whether the server takes requests, for health checks: exit code 0 or 3
    #[arg(long, conflicts_with = "id")]
    pub health: bool,
    /// Number of jobs to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub limit: u32,
    /// List jobs before this place, as the page before tells
    #[arg(long, value_name = "CURSOR", value_parser = cursor)]
    pub cursor: Option<String>,
    #[command(flatten)]
    pub server: Server,
}

/// A cursor of a list, as a server tells it.
pub fn cursor(text: &str) -> Result<String, String> {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit();
    match (1..=256).contains(&text.len()) && text.bytes().all(is_digit) {
        true => Ok(text.to_owned()),
        false => Err("the digits that the page before tells are expected".into()),
    }
}
