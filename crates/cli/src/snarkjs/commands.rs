//! The commands of snarkjs 0.7.6, each with ours in its place.

use std::ffi::OsString;
use std::path::Path;

/// A command of snarkjs.
pub struct Known {
    /// Its words.
    pub words: &'static str,
    /// Its shortcuts.
    pub short: &'static [&'static str],
    /// Its files, and other words behind it.
    pub files: &'static [File],
    /// The command in its place.
    pub ours: Ours,
}

/// The place of a file.
#[derive(Clone, Copy)]
pub enum File {
    /// It must be given.
    Needed(&'static str),
    /// The name that it has if none is given.
    Or(&'static str),
    /// The first file's name with this extension, if none is given.
    Beside(&'static str),
    /// Our command has the same name for it, if none is given.
    Left,
    /// A file that must be there, which our command does not take. The first file's name with this extension, if none
    /// is given.
    Present(&'static str),
}

/// A command of ours.
#[derive(Clone, Copy)]
pub enum Ours {
    /// Its words, before the files.
    Words(&'static str),
    /// The reason for which there is none.
    Missing(&'static str),
}

use File::{Beside, Left, Needed, Or, Present};
use Ours::{Missing, Words};

const fn known(
    words: &'static str,
    short: &'static [&'static str],
    files: &'static [File],
    ours: Ours,
) -> Known {
    Known {
        words,
        short,
        files,
        ours,
    }
}

const R1CS: File = Or("circuit.r1cs");
const POWERS: File = Or("powersoftau.ptau");
const KEY: File = Or("circuit_final.zkey");
const WITNESS: File = Or("witness.wtns");
const PROOF: File = Or("proof.json");
const PUBLIC: File = Or("public.json");
const OLD: File = Needed("old");
const NEW: File = Needed("new");

const PLONK: Ours = Missing("Frumious proves Groth16; for PLONK and fflonk run snarkjs itself");

/// All of them.
pub const COMMANDS: &[Known] = &[
    known(
        "powersoftau new",
        &["ptn"],
        &[Needed("curve"), Needed("power"), Left],
        Words("powersoftau new"),
    ),
    known(
        "powersoftau contribute",
        &["ptc"],
        &[OLD, NEW],
        Words("powersoftau contribute"),
    ),
    known(
        "powersoftau export challenge",
        &["ptec"],
        &[Needed("powers"), Or("challenge")],
        Words("powersoftau export challenge"),
    ),
    known(
        "powersoftau challenge contribute",
        &["ptcc"],
        &[Needed("curve"), Needed("challenge"), Left],
        Words("powersoftau challenge contribute"),
    ),
    known(
        "powersoftau import response",
        &["ptir"],
        &[OLD, Needed("response"), NEW],
        Words("powersoftau import response"),
    ),
    known(
        "powersoftau beacon",
        &["ptb"],
        &[OLD, NEW, Needed("hash"), Needed("iterations")],
        Words("powersoftau beacon"),
    ),
    known(
        "powersoftau prepare phase2",
        &["pt2"],
        &[OLD, NEW],
        Words("powersoftau prepare phase2"),
    ),
    known(
        "powersoftau convert",
        &["ptcv"],
        &[OLD, NEW],
        Words("powersoftau convert"),
    ),
    known(
        "powersoftau truncate",
        &["ptt"],
        &[Needed("powers")],
        Words("powersoftau truncate"),
    ),
    known(
        "powersoftau verify",
        &["ptv"],
        &[Needed("powers")],
        Words("powersoftau verify"),
    ),
    known(
        "powersoftau export json",
        &["ptej"],
        &[Needed("powers"), Needed("json")],
        Words("powersoftau export json"),
    ),
    known("r1cs info", &["ri"], &[R1CS], Words("inspect")),
    known(
        "r1cs print",
        &["rp"],
        &[R1CS, Beside("sym")],
        Words("print"),
    ),
    known(
        "r1cs export json",
        &["rej"],
        &[R1CS, Beside("json")],
        Words("export r1cs"),
    ),
    known(
        "wtns calculate",
        &["wc"],
        &[Or("circuit.wasm"), Or("input.json"), WITNESS],
        Words("witness"),
    ),
    known(
        "wtns debug",
        &["wd"],
        &[
            Or("circuit.wasm"),
            Or("input.json"),
            WITNESS,
            Present("sym"),
        ],
        Words("witness"),
    ),
    known(
        "wtns export json",
        &["wej"],
        &[WITNESS, Or("witness.json")],
        Words("export witness"),
    ),
    known("wtns check", &["wchk"], &[R1CS, WITNESS], Words("check")),
    known(
        "zkey contribute",
        &["zkc"],
        &[OLD, NEW],
        Words("zkey contribute"),
    ),
    known(
        "zkey export bellman",
        &["zkeb"],
        &[Needed("key"), Or("circuit.mpcparams")],
        Words("zkey export bellman"),
    ),
    known(
        "zkey bellman contribute",
        &["zkbc"],
        &[Needed("curve"), Needed("challenge"), Left],
        Words("zkey bellman contribute"),
    ),
    known(
        "zkey import bellman",
        &["zkib"],
        &[OLD, Needed("params"), NEW],
        Words("zkey import bellman"),
    ),
    known(
        "zkey beacon",
        &["zkb"],
        &[OLD, NEW, Needed("hash"), Needed("iterations")],
        Words("zkey beacon"),
    ),
    known(
        "zkey verify r1cs",
        &["zkv", "zkvr", "zkey verify"],
        &[R1CS, POWERS, KEY],
        Words("zkey verify"),
    ),
    known(
        "zkey verify init",
        &["zkvi"],
        &[Or("circuit_0000.zkey"), POWERS, KEY],
        Words("zkey verify --from"),
    ),
    known(
        "zkey export verificationkey",
        &["zkev"],
        &[KEY, Or("circuit_vk.json")],
        Words("export vkey"),
    ),
    known(
        "zkey export json",
        &["zkej"],
        &[KEY, Or("circuit_final.zkey.json")],
        Words("zkey export json"),
    ),
    known(
        "zkey export solidityverifier",
        &["zkesv"],
        &[KEY, Or("verifier.sol")],
        Words("export solidity"),
    ),
    known(
        "zkey export soliditycalldata",
        &["zkesc"],
        &[PUBLIC, PROOF],
        Words("export calldata"),
    ),
    known(
        "groth16 setup",
        &["g16s", "zkn", "zkey new"],
        &[R1CS, POWERS, Or("circuit_0000.zkey")],
        Words("setup"),
    ),
    known(
        "groth16 prove",
        &["g16p", "zpw", "zksnark proof"],
        &[KEY, WITNESS, PROOF, PUBLIC],
        Words("prove"),
    ),
    known(
        "groth16 fullprove",
        &["g16f", "g16i"],
        &[
            Or("input.json"),
            Or("circuit.wasm"), // its help says circuit_final.wasm
            KEY,
            PROOF,
            PUBLIC,
        ],
        Words("fullprove"),
    ),
    known(
        "groth16 verify",
        &["g16v"],
        &[Or("verification_key.json"), PUBLIC, PROOF],
        Words("verify"),
    ),
    known("plonk setup", &["pks"], &[], PLONK),
    known("plonk prove", &["pkp"], &[], PLONK),
    known("plonk fullprove", &["pkf"], &[], PLONK),
    known("plonk verify", &["pkv"], &[], PLONK),
    known("fflonk setup", &["ffs"], &[], PLONK),
    known("fflonk prove", &["ffp"], &[], PLONK),
    known("fflonk fullprove", &["fff"], &[], PLONK),
    known("fflonk verify", &["ffv"], &[], PLONK),
    known("file info", &["fi"], &[Needed("file")], Words("inspect")),
];

impl Known {
    /// Its words, and its shortcuts.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.words].into_iter().chain(self.short.iter().copied())
    }

    /// Divides the files into those that our command takes, and those that only must be there.
    pub fn divided(&self, files: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
        let taken = |index: usize| !matches!(self.files.get(index), Some(Present(_)));
        let (files, present): (Vec<_>, Vec<_>) = files
            .into_iter()
            .enumerate()
            .partition(|(index, _)| taken(*index));
        let names = |files: Vec<(usize, OsString)>| files.into_iter().map(|(_, name)| name);
        (names(files).collect(), names(present).collect())
    }

    /// The lines of snarkjs's log when all is well, and when it is not, on stdout both. Scripts look for them.
    pub fn verdict(&self) -> Option<(&'static str, Option<&'static str>)> {
        match self.words {
            "groth16 verify" => Some((
                "[INFO]  snarkJS: OK!",
                Some("[ERROR] snarkJS: Invalid proof"),
            )),
            "wtns check" => Some((
                "[INFO]  snarkJS: WITNESS IS CORRECT\n\
                 [INFO]  snarkJS: WITNESS CHECKING FINISHED SUCCESSFULLY",
                Some(
                    "[WARN]  snarkJS: WITNESS IS NOT CORRECT\n\
                     [WARN]  snarkJS: WITNESS CHECKING FINISHED UNSUCCESSFULLY",
                ),
            )),
            // A fault is told by ours.
            "powersoftau verify" => Some(("[INFO]  snarkJS: Powers Of tau file OK!", None)),
            _ => None,
        }
    }

    /// The files, with the names of those that are left out. None if one is missing, or one too many.
    pub fn with_defaults(&self, given: &[OsString]) -> Option<Vec<OsString>> {
        if given.len() > self.files.len() {
            return None;
        }
        let mut files = given.to_vec();
        for file in &self.files[given.len()..] {
            match *file {
                Needed(_) => return None,
                Or(name) => files.push(name.into()),
                Beside(extension) | Present(extension) => {
                    let name = Path::new(files.first()?).with_extension(extension);
                    files.push(name.into());
                }
                Left => {}
            }
        }
        Some(files)
    }
}

impl File {
    /// As a usage has it.
    pub fn shown(&self) -> String {
        match self {
            Needed(name) => format!("<{name}>"),
            Or(name) => format!("[{name}]"),
            Beside(extension) | Present(extension) => format!("[name.{extension}]"),
            Left => "[name]".into(),
        }
    }

    /// A word that may stand in its place.
    #[cfg(test)]
    pub fn example(&self) -> &'static str {
        match self {
            Needed("curve") => "bn128",
            Needed("power" | "iterations") => "12",
            Needed("hash") => "0102",
            Present(_) => "Cargo.toml", // where tests run
            _ => "file",
        }
    }
}
