//! The arguments of exports to other libraries and of imports from them.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use frumious_app::curve::PairingCurve;
use frumious_app::layouts::ByteLayout;

use super::powersoftau::curve;

/// The library whose bytes are meant.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// ark-groth16 and ark-serialize, compressed
    Arkworks,
    /// gnark, compressed
    Gnark,
    /// Sui's groth16 module
    Sui,
}

impl Format {
    pub fn layout(self) -> ByteLayout {
        match self {
            Self::Arkworks => ByteLayout::Arkworks,
            Self::Gnark => ByteLayout::Gnark,
            Self::Sui => ByteLayout::Sui,
        }
    }
}

#[derive(Args)]
pub struct ExportProof {
    /// Proof (JSON)
    #[arg(value_name = "PROOF", default_value = "proof.json")]
    pub proof: PathBuf,
    /// Proof to write, as bytes of another library
    #[arg(value_name = "BYTES", default_value = "proof.bin")]
    pub out: PathBuf,
    /// The library
    #[arg(long, value_enum)]
    pub format: Format,
}

#[derive(Args)]
pub struct ExportPublic {
    /// Public signals (JSON)
    #[arg(value_name = "PUBLIC", default_value = "public.json")]
    pub public: PathBuf,
    /// Public signals to write, as bytes of another library
    #[arg(value_name = "BYTES", default_value = "public.bin")]
    pub out: PathBuf,
    /// The library
    #[arg(long, value_enum)]
    pub format: Format,
    /// The curve: bn128 (or bn254), bls12381 (or bls12-381)
    #[arg(long, value_name = "CURVE", value_parser = curve, default_value = "bn128")]
    pub curve: PairingCurve,
}

#[derive(Subcommand)]
pub enum Import {
    /// Turn a verification key of another library into JSON
    Vkey(ImportFile),
    /// Turn a proof of another library into JSON
    Proof(ImportFile),
    /// Turn public signals of another library into JSON
    Public(ImportFile),
}

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct ImportFile {
    /// Bytes of another library
    #[arg(value_name = "BYTES")]
    pub from: PathBuf,
    /// JSON to write
    #[arg(value_name = "JSON")]
    pub to: PathBuf,
    /// The library
    #[arg(long, value_enum)]
    pub format: Format,
    /// The curve, which the bytes do not tell: bn128 (or bn254), bls12381 (or bls12-381)
    #[arg(long, value_name = "CURVE", value_parser = curve, default_value = "bn128")]
    pub curve: PairingCurve,
}
