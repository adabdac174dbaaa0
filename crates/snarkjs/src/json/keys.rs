//! Proving keys and powers of tau as JSON, which nobody here reads: a line for each value, written as it comes.

use std::fmt;
use std::io::{self, BufWriter, Write};

use frumious_circom::{Error, FileKind};
use frumious_curves::PairingEngine;
use frumious_curves::engine::{MontgomeryEncoding, PairingGroup, ResidueField, ScalarField};
use frumious_field::Field;
use frumious_groth16::Matrix;

use super::Layout;
use crate::generic::{Points, Ptau, PublicKey, TauContribution, Zkey};
use crate::phase1::response_hash_of;

/// Writes a proving key: the bytes of `snarkjs zkey export json`. Contributions are left out, as there.
///
/// # Errors
/// [`Error::Malformed`] for a point or a coefficient that is malformed; [`Error::Write`] when `out` fails.
pub fn write_zkey_json<E: PairingEngine>(key: &Zkey<E>, out: impl Write) -> Result<(), Error> {
    let mut json = Json {
        out: BufWriter::new(out),
        file: FileKind::Zkey,
    };
    let in_file = |error: Error| error.in_file_of(key.bytes());
    let header = key.header();
    let [n8q, n8r] = [size_of::<E::Fq>(), size_of::<E::Fr>()];
    json.text("{\n \"protocol\": \"groth16\",\n")?;
    json.text(&format!(
        " \"n8q\": {n8q},\n \"q\": \"{}\",\n",
        modulus_of::<E::Fq>()
    ))?;
    json.text(&format!(
        " \"n8r\": {n8r},\n \"r\": \"{}\",\n",
        E::CURVE.scalar_modulus()
    ))?;
    for (name, value) in [
        ("nVars", header.n_wires),
        ("nPublic", header.n_public),
        ("domainSize", header.domain_size),
        ("power", header.domain_size.ilog2()),
    ] {
        json.text(&format!(" \"{name}\": {value},\n"))?;
    }
    for (name, point) in [
        ("vk_alpha_1", Layout::point(&header.alpha_g1)),
        ("vk_beta_1", Layout::point(&header.beta_g1)),
        ("vk_beta_2", Layout::point(&header.beta_g2)),
        ("vk_gamma_2", Layout::point(&header.gamma_g2)),
        ("vk_delta_1", Layout::point(&header.delta_g1)),
        ("vk_delta_2", Layout::point(&header.delta_g2)),
    ] {
        json.text(&format!(" \"{name}\": {},\n", At(&point, 1)))?;
    }
    json.points("IC", 0, key.ic()).map_err(in_file)?;
    json.text(",\n \"ccoefs\": [")?;
    let coefficients = key.coefficients();
    for index in 0..coefficients.len() {
        let coefficient = coefficients.get(index).map_err(in_file)?;
        let matrix = match coefficient.matrix {
            Matrix::A => 0,
            Matrix::B => 1,
        };
        let entry = Layout::object([
            ("matrix", Layout::Integer(matrix)),
            ("constraint", Layout::Integer(coefficient.row.into())),
            ("signal", Layout::Integer(coefficient.wire.into())),
            ("value", Layout::number(&coefficient.value.to_element())),
        ]);
        json.element(index, &At(&entry, 2))?;
    }
    json.text("\n ],\n")?;
    json.points("A", 0, key.a()).map_err(in_file)?;
    json.text(",\n")?;
    json.points("B1", 0, key.b1()).map_err(in_file)?;
    json.text(",\n")?;
    json.points("B2", 0, key.b2()).map_err(in_file)?;
    json.text(",\n")?;
    json.points("C", header.n_public as usize + 1, key.c())
        .map_err(in_file)?;
    json.text(",\n")?;
    json.points("hExps", 0, key.h()).map_err(in_file)?;
    json.text("\n}")?;
    json.flush()
}

/// Writes prepared powers of tau: the bytes of `snarkjs powersoftau export json`, but for the hash of a beacon below 32
/// bytes.
///
/// Of each point and hash there is one number. It is that of its first 32 bytes in the file, taken as the Montgomery
/// form of a scalar. So snarkjs 0.7.6 writes them, and no reader can have the points back.
///
/// # Errors
/// [`Error::Malformed`] for powers that are not prepared, or whose contributions are malformed; [`Error::Write`] when
/// `out` fails.
pub fn write_ptau_json<E: PairingEngine>(ptau: &Ptau<E>, out: impl Write) -> Result<(), Error> {
    let mut json = Json {
        out: BufWriter::new(out),
        file: FileKind::Ptau,
    };
    let in_file = |error: Error| error.in_file_of(ptau.bytes());
    let number = |bytes: &[u8]| first_bytes::<E>(bytes);
    let (power, contributions) = (ptau.power(), ptau.contributions()?);
    let lagrange = |log_n| -> Result<_, Error> {
        Ok((
            ptau.lagrange_tau_g1(log_n)?,
            ptau.lagrange_tau_g2(log_n)?,
            ptau.lagrange_alpha_tau_g1(log_n)?,
            ptau.lagrange_beta_tau_g1(log_n)?,
        ))
    };
    lagrange(power).map_err(in_file)?;
    json.text(&format!("{{\n \"q\": \"{}\",\n", modulus_of::<E::Fq>()))?;
    json.text(&format!(" \"power\": {power},\n \"contributions\": ["))?;
    for (index, contribution) in contributions.iter().enumerate() {
        let entry = contribution_layout(contribution, index + 1);
        json.element(index, &At(&entry, 2))?;
    }
    json.text("\n ],\n")?;
    json.numbers::<E::G1>(1, "tauG1", ptau.tau_g1(), number)?;
    json.text(",\n")?;
    json.numbers::<E::G2>(1, "tauG2", ptau.tau_g2(), number)?;
    json.text(",\n")?;
    json.numbers::<E::G1>(1, "alphaTauG1", ptau.alpha_tau_g1(), number)?;
    json.text(",\n")?;
    json.numbers::<E::G1>(1, "betaTauG1", ptau.beta_tau_g1(), number)?;
    json.text(",\n")?;
    json.numbers::<E::G2>(1, "betaG2", ptau.points_of_beta_g2(), number)?;
    for part in 0..4 {
        let name = ["lTauG1", "lTauG2", "lAlphaTauG1", "lBetaTauG1"][part];
        json.text(&format!(",\n \"{name}\": ["))?;
        for log_n in 0..=power {
            let (tau_g1, tau_g2, alpha, beta) = lagrange(log_n).map_err(in_file)?;
            json.text(if log_n == 0 { "\n  " } else { ",\n  " })?;
            match part {
                0 => json.numbers::<E::G1>(2, "", tau_g1, number)?,
                1 => json.numbers::<E::G2>(2, "", tau_g2, number)?,
                2 => json.numbers::<E::G1>(2, "", alpha, number)?,
                _ => json.numbers::<E::G1>(2, "", beta, number)?,
            }
        }
        json.text("\n ]")?;
    }
    json.text("\n}")?;
    json.flush()
}

fn contribution_layout<E: PairingEngine>(it: &TauContribution<E>, id: usize) -> Layout {
    let number = |bytes: &[u8]| Layout::Text(first_bytes::<E>(bytes));
    let in_g1 = |point: &E::G1| number(point.to_montgomery_bytes().as_ref());
    let in_g2 = |point: &E::G2| number(point.to_montgomery_bytes().as_ref());
    let key = |key: &PublicKey<E>| {
        Layout::object([
            ("g1_s", in_g1(&key.g1_s)),
            ("g1_sx", in_g1(&key.g1_sx)),
            ("g2_spx", in_g2(&key.g2_spx)),
        ])
    };
    let keys = Layout::object([
        ("tau", key(&it.public_key.tau)),
        ("alpha", key(&it.public_key.alpha)),
        ("beta", key(&it.public_key.beta)),
    ]);
    let mut entries = vec![
        ("tauG1", in_g1(&it.tau_g1)),
        ("tauG2", in_g2(&it.tau_g2)),
        ("alphaG1", in_g1(&it.alpha_g1)),
        ("betaG1", in_g1(&it.beta_g1)),
        ("betaG2", in_g2(&it.beta_g2)),
        ("key", keys),
        ("partialHash", number(&it.response_state)),
        ("nextChallenge", number(&it.next_challenge)),
        ("type", Layout::Integer(it.is_beacon.into())),
        (
            "responseHash",
            number(&response_hash_of(it).unwrap_or([0; 64])),
        ),
    ];
    if let Some(name) = &it.name {
        let quoted = serde_json::Value::from(name.as_str()).to_string();
        entries.push(("name", Layout::Text(quoted.trim_matches('"').into())));
    }
    if let Some((hash, exponent)) = &it.beacon {
        entries.push(("numIterationsExp", Layout::Integer((*exponent).into())));
        entries.push(("beaconHash", number(hash)));
    }
    entries.push(("id", Layout::Integer(id as u64)));
    Layout::Object(entries)
}

/// The first 32 bytes, least significant first, over R modulo r, in decimal.
fn first_bytes<E: PairingEngine>(bytes: &[u8]) -> String {
    let mut number = [0; 64];
    let length = bytes.len().min(32);
    number[..length].copy_from_slice(&bytes[..length]);
    let radix = (0..256).fold(E::Fr::ONE, |power, _| power.double());
    let inverse = radix.invert().unwrap_or(E::Fr::ZERO);
    (E::Fr::from_uniform_bytes(&number) * inverse).to_decimal_vartime()
}

/// The prime of a field in decimal.
pub(super) fn modulus_of<F: ResidueField>() -> String {
    // One more than the largest element, which is even.
    let largest = (-F::ONE).to_decimal_vartime();
    let (before, last) = largest.split_at(largest.len() - 1);
    let last = last.parse::<u8>().map_or(0, |digit| digit + 1);
    format!("{before}{last}")
}

/// Where JSON goes.
struct Json<W: Write> {
    out: BufWriter<W>,
    file: FileKind,
}

impl<W: Write> Json<W> {
    fn text(&mut self, text: &str) -> Result<(), Error> {
        let written = self.out.write_all(text.as_bytes());
        written.map_err(|source| write_error(self.file, source))
    }

    /// An element of an array, whose bracket is open.
    fn element(&mut self, index: usize, value: &impl fmt::Display) -> Result<(), Error> {
        if index.is_multiple_of(1 << 10) {
            frumious_parallel::check_cancelled();
        }
        let comma = if index == 0 { "" } else { "," };
        write!(self.out, "{comma}\n  {value}").map_err(|source| write_error(self.file, source))
    }

    /// A named array of points, behind some that are null.
    fn points<P: PairingGroup<Base: ResidueField>>(
        &mut self,
        name: &str,
        nulls: usize,
        points: Points<'_, P>,
    ) -> Result<(), Error> {
        self.text(&format!(" \"{name}\": ["))?;
        for index in 0..nulls {
            self.element(index, &"null")?;
        }
        for index in 0..points.len() {
            let point = Layout::point(&points.get(index)?);
            self.element(nulls + index, &At(&point, 2))?;
        }
        self.text("\n ]")
    }

    /// An array of numbers, of which each stands for a point; named unless the name is empty.
    fn numbers<P: PairingGroup>(
        &mut self,
        depth: usize,
        name: &str,
        points: Points<'_, P>,
        number: impl Fn(&[u8]) -> String,
    ) -> Result<(), Error> {
        match name {
            "" => self.text("[")?,
            name => self.text(&format!(" \"{name}\": ["))?,
        }
        let indent = " ".repeat(depth + 1);
        for (index, bytes) in points.as_bytes().chunks(P::BYTES).enumerate() {
            if index.is_multiple_of(1 << 10) {
                frumious_parallel::check_cancelled();
            }
            let comma = if index == 0 { "" } else { "," };
            self.text(&format!("{comma}\n{indent}\"{}\"", number(bytes)))?;
        }
        self.text(&format!("\n{}]", " ".repeat(depth)))
    }

    fn flush(&mut self) -> Result<(), Error> {
        let flushed = self.out.flush();
        flushed.map_err(|source| write_error(self.file, source))
    }
}

/// A value within others.
struct At<'a>(&'a Layout, usize);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, self.1)
    }
}

fn write_error(file: FileKind, source: io::Error) -> Error {
    Error::Write { file, source }
}
