//! Arguments of `export` and `print`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::layouts::{ExportProof, ExportPublic, Format};
use crate::contribution::Uncontributed;

#[derive(Subcommand)]
pub enum Export {
    /// Write the verification key of a proving key
    Vkey {
        /// Proving key (.zkey or .fkey); with --format a verification key (JSON), too
        #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
        zkey: PathBuf,
        /// Verification key to write (JSON, or bytes with --format)
        #[arg(value_name = "VKEY", default_value = "verification_key.json")]
        out: PathBuf,
        /// As bytes of another library
        #[arg(long, value_enum)]
        format: Option<Format>,
        #[command(flatten)]
        uncontributed: Uncontributed,
    },
    /// Write a verifier contract; over BLS12-381 for chains that have EIP-2537
    Solidity {
        /// Proving key (.zkey or .fkey) or verification key (JSON)
        #[arg(value_name = "KEY", default_value = "circuit_final.zkey")]
        key: PathBuf,
        /// Contract to write (Solidity)
        #[arg(value_name = "CONTRACT", default_value = "verifier.sol")]
        out: PathBuf,
        #[command(flatten)]
        uncontributed: Uncontributed,
    },
    /// Write a constraint system as JSON, as snarkjs r1cs export json
    R1cs {
        /// Constraint system (.r1cs)
        #[arg(value_name = "R1CS", default_value = "circuit.r1cs")]
        r1cs: PathBuf,
        /// JSON to write
        #[arg(value_name = "JSON", default_value = "circuit.json")]
        out: PathBuf,
    },
    /// Write a witness as JSON, which is SECRET, as snarkjs wtns export json
    Witness {
        /// Witness (.wtns)
        #[arg(value_name = "WITNESS", default_value = "witness.wtns")]
        witness: PathBuf,
        /// JSON to write, readable by its owner only
        #[arg(value_name = "JSON", default_value = "witness.json")]
        out: PathBuf,
    },
    /// Print the arguments of the contract's verifyProof
    Calldata {
        /// Public signals (JSON)
        #[arg(value_name = "PUBLIC", default_value = "public.json")]
        public: PathBuf,
        /// Proof (JSON)
        #[arg(value_name = "PROOF", default_value = "proof.json")]
        proof: PathBuf,
    },
    /// Write a proof as bytes of another library
    Proof(ExportProof),
    /// Write public signals as bytes of another library
    Public(ExportPublic),
}

#[derive(Args)]
pub struct Print {
    /// Constraint system (.r1cs)
    #[arg(value_name = "R1CS", default_value = "circuit.r1cs")]
    pub r1cs: PathBuf,
    /// Names of the signals (.sym) [default: the .sym beside the constraint system]
    #[arg(value_name = "SYM")]
    pub sym: Option<PathBuf>,
}
