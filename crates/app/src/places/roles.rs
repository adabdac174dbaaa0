//! The roles of files in commands.

use crate::kind::Kind;

/// The use of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Proving key.
    Key,
    /// Proving key or verification key.
    AnyKey,
    /// Witness.
    Witness,
    /// Inputs of a circuit.
    Inputs,
    /// Witness generator.
    Generator,
    /// Constraint system.
    Circuit,
    /// Powers of tau.
    Powers,
    /// Challenge of a ceremony, or the response to it.
    Challenge,
    /// Parameters of a circuit's ceremony, in bellman's form.
    Parameters,
    /// Names of a circuit's signals.
    Symbols,
    /// Seed of a development key.
    Seed,
    /// Verification key.
    VerifyingKey,
    /// Proving key as JSON.
    KeyJson,
    /// Public signals.
    Public,
    /// Proof.
    Proof,
    /// Proofs with their public signals, one a line.
    Statements,
    /// Verifier contract.
    Contract,
    /// Vectors to commit to.
    Vectors,
    /// Openings to prove.
    Openings,
    /// Claims about a Verkle tree.
    Claims,
    /// Proof of a Verkle tree.
    VerkleProof,
    /// Tables for commitments.
    Tables,
    /// Keys and values of a tree.
    Entries,
    /// Execution witness of a block.
    ExecutionWitness,
    /// Key, proof or signals as bytes of another library.
    LibraryBytes,
    /// Constraint system or witness, as JSON.
    Exported,
    /// Text that this program writes for people.
    Report,
    /// Whatever there is.
    Any,
}

impl Role {
    /// True for the files of a ceremony, which are made once.
    pub fn is_of_ceremony(self) -> bool {
        matches!(
            self,
            Role::Key | Role::Powers | Role::Challenge | Role::Parameters
        )
    }

    /// True for the kinds of file that may be in this role; also for those that only a parser can judge.
    pub fn accepts(self, kind: Kind) -> bool {
        match self {
            Role::Key => matches!(kind, Kind::Zkey | Kind::Fkey),
            Role::AnyKey => matches!(
                kind,
                Kind::Zkey | Kind::Fkey | Kind::VerifyingKey | Kind::Json
            ),
            Role::Witness => kind == Kind::Wtns,
            Role::Circuit => kind == Kind::R1cs,
            Role::Powers => kind == Kind::Ptau,
            // They begin with a hash, or with a point.
            Role::Challenge | Role::Parameters => matches!(
                kind,
                Kind::Bytes | Kind::Text | Kind::Json | Kind::Inputs | Kind::Numbers
            ),
            // Graphs of the first circom-witness-rs begin with nothing that tells them.
            Role::Generator => {
                matches!(kind, Kind::Wasm | Kind::Graph | Kind::Program | Kind::Bytes)
            }
            Role::Symbols => matches!(kind, Kind::Sym | Kind::Text),
            Role::Seed => kind != Kind::Folder,
            Role::Inputs => matches!(kind, Kind::Inputs | Kind::Json | Kind::VerkleProof),
            Role::VerifyingKey => matches!(kind, Kind::VerifyingKey | Kind::Json),
            Role::KeyJson => matches!(kind, Kind::KeyJson | Kind::Json | Kind::Inputs),
            Role::Public => matches!(kind, Kind::Numbers | Kind::Json),
            Role::Proof => matches!(kind, Kind::Proof | Kind::Json),
            // Of a line that is wrong its number is told.
            Role::Statements => matches!(
                kind,
                Kind::Statements | Kind::Json | Kind::Inputs | Kind::VerkleProof | Kind::Text
            ),
            Role::Contract => kind == Kind::Solidity,
            Role::Vectors => matches!(kind, Kind::Numbers | Kind::Json | Kind::Inputs),
            Role::Openings => matches!(kind, Kind::VerkleOpenings | Kind::Numbers | Kind::Json),
            Role::Claims => matches!(kind, Kind::VerkleClaims | Kind::Numbers | Kind::Json),
            Role::VerkleProof => matches!(kind, Kind::VerkleProof | Kind::Json),
            // Damaged ones are its reader's to judge.
            Role::Tables => kind == Kind::VerkleTables || kind.is_unknown(),
            Role::Entries => matches!(kind, Kind::Json | Kind::Inputs | Kind::Numbers),
            Role::ExecutionWitness => {
                matches!(kind, Kind::ExecutionWitness | Kind::Json | Kind::Inputs)
            }
            // Any bytes may be in them, those of text included.
            Role::LibraryBytes => {
                matches!(kind, Kind::Bytes | Kind::Text | Kind::Json | Kind::Numbers)
            }
            Role::Exported => {
                matches!(
                    kind,
                    Kind::Json | Kind::Inputs | Kind::Numbers | Kind::KeyJson
                )
            }
            Role::Any => !matches!(kind, Kind::Folder | Kind::Empty | Kind::Text | Kind::Bytes),
            Role::Report => matches!(kind, Kind::Text | Kind::Html),
        }
    }

    /// "a witness (.wtns) is expected".
    pub fn expected(self) -> String {
        let words = self.words();
        match words.starts_with("a ") || words.starts_with("an ") {
            true => format!("{words} is expected"),
            false => format!("{words} are expected"),
        }
    }

    /// The role with its article, and the extensions that such files have.
    pub fn words(self) -> &'static str {
        match self {
            Role::Key => "a proving key (.zkey, .fkey)",
            Role::AnyKey => "a proving key (.zkey, .fkey) or a verification key (JSON)",
            Role::Witness => "a witness (.wtns)",
            Role::Circuit => "a constraint system (.r1cs)",
            Role::Powers => "powers of tau (.ptau)",
            Role::Challenge => "a challenge or a response of a ceremony",
            Role::Parameters => "parameters of a ceremony (.mpcparams)",
            Role::Generator => "a witness generator (.wasm)",
            Role::Symbols => "a list of signals (.sym)",
            Role::Seed => "a seed",
            Role::Inputs => "inputs of the circuit (JSON)",
            Role::VerifyingKey => "a verification key (JSON)",
            Role::KeyJson => "a proving key as JSON",
            Role::Public => "public signals (JSON)",
            Role::Proof => "a proof (JSON)",
            Role::Statements => "proofs with their public signals (a JSON object a line)",
            Role::Contract => "a Solidity contract",
            Role::Vectors => "a vector or an array of vectors (JSON)",
            Role::Openings => "openings of polynomials (JSON)",
            Role::Claims => "claims (JSON)",
            Role::VerkleProof => "a proof of a Verkle tree (JSON)",
            Role::Tables => "tables for commitments",
            Role::Entries => "keys and values of a tree (JSON)",
            Role::ExecutionWitness => "an execution witness (JSON)",
            Role::LibraryBytes => "bytes of another library",
            Role::Exported => "an export (JSON)",
            Role::Report => "a report",
            Role::Any => "a file",
        }
    }
}
