//! Keys in files as sources of proofs: a zkey, and an fkey.

mod points;
mod rows;
mod windows;

pub(crate) use points::check_in_ranges;

use crate::generic::{Fkey, KeyCoefficients, KeyFile, StoredPoints, Zkey};
use crate::settings::WINDOW_ROWS;
use frumious_circom::Error;
use frumious_groth16::{
    Footprint, KeyHeader, KeySource, Part, PointWindow, ProvingEngine, ProvingKey, RowWindowVisitor,
};
use frumious_mapping::FileBytes;
use frumious_parallel::map_indices;
use frumious_r1cs::SourceError;
use points::visit_windows;
use rows::{KeyRows, Order};

/// Checks and indexes the key in `file`, and prepares it for proofs.
///
/// Three checks are made here, in parallel. Every coefficient is in range: matrix, row, wire and value. Every
/// coordinate of every point but part B1's is below the modulus. B1 is checked when it is read: proofs that are blinded
/// by r and s need it. IC is in its group. The other points and the digests of an fkey are left to [`check_key`].
///
/// # Errors
/// [`frumious_groth16::Error::Source`] with an [`Error`] that names section and offset of the first fault; as
/// [`ProvingKey::new`].
pub fn proving_key<E: ProvingEngine>(
    file: impl Into<KeyFile<E>>,
) -> Result<ProvingKey<E>, frumious_groth16::Error> {
    let file = file.into();
    let source = source(file).map_err(|error| frumious_groth16::Error::Source(error.into()))?;
    ProvingKey::new(source)
}

/// Maps the proving key at `path`, a `.zkey` or an `.fkey`, checks and prepares it.
///
/// ```no_run
/// # mod frumious {
/// #     pub use ::frumious_circom as circom;
/// #     pub use ::frumious_groth16 as groth16;
/// #     pub use ::frumious_snarkjs as snarkjs;
/// # }
/// use frumious::circom::Wtns;
/// use frumious::groth16::{ProveOptions, verify};
/// use frumious::snarkjs::{groth16::prove, open_proving_key};
///
/// let key = open_proving_key("circuit.zkey")?;
/// let (proof, public) = prove(&key, &Wtns::open("witness.wtns")?, &ProveOptions::default())?;
/// assert!(verify(key.verifying_key(), &public, &proof)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`KeyFile::open`], within [`frumious_groth16::Error::Source`], and [`proving_key`].
pub fn open_proving_key<E: ProvingEngine>(
    path: impl AsRef<std::path::Path>,
) -> Result<ProvingKey<E>, frumious_groth16::Error> {
    let file = KeyFile::<E>::open(path);
    proving_key(file.map_err(|error| frumious_groth16::Error::Source(error.into()))?)
}

/// The key in `file` as a source, checked.
fn source<E: ProvingEngine>(file: KeyFile<E>) -> Result<Box<dyn KeySource<E>>, Error> {
    points::check_canonical(&file)?;
    file.verifying_key()?;
    let order = Order::index(file.bytes(), &file.coefficients())?;
    Ok(match file {
        KeyFile::Zkey(key) => Box::new(Indexed { key, order }),
        KeyFile::Fkey(key) => Box::new(Indexed { key, order }),
    })
}

/// Memory that reading the key takes on the pool of the caller.
fn footprint<E: ProvingEngine>(file: &KeyFile<E>, order: &Order) -> Footprint {
    let mut footprint = points::footprint(file);
    let rows = KeyRows {
        file: file.bytes(),
        coefficients: file.coefficients(),
        order,
        domain_size: file.header().domain_size as usize,
        window_rows: WINDOW_ROWS.get(),
    };
    let (mapped, private) = rows.footprint();
    footprint.private += private;
    if file.bytes().is_mapped() {
        footprint.mapped += mapped;
    }
    footprint
}

/// A checked key with the order in which to read its coefficients.
struct Indexed<K> {
    key: K,
    order: Order,
}

impl<E: ProvingEngine> KeySource<E> for Indexed<Zkey<E>> {
    fn header(&self) -> &KeyHeader<E> {
        self.key.header()
    }

    fn g1(
        &self,
        part: Part,
        visit: &mut dyn FnMut(PointWindow<'_, E::G1>),
    ) -> Result<(), SourceError> {
        let points = zkey_points(&self.key, part);
        if part == Part::B1 {
            points::check_b1::<E>(self.key.bytes(), points.present())?;
        }
        visit_windows(self.key.bytes(), points, visit);
        Ok(())
    }

    fn b2(&self, visit: &mut dyn FnMut(PointWindow<'_, E::G2>)) {
        let points = StoredPoints::whole(self.key.b2());
        visit_windows(self.key.bytes(), points, visit);
    }

    fn rows(&self, visit: &mut RowWindowVisitor<'_, E::Fr>) -> Result<(), SourceError> {
        let rows = KeyRows {
            file: self.key.bytes(),
            coefficients: KeyCoefficients::Records(self.key.coefficients()),
            order: &self.order,
            domain_size: self.key.header().domain_size as usize,
            window_rows: WINDOW_ROWS.get(),
        };
        rows.visit_windows(visit)
    }

    fn expect(&self, part: Part) {
        match part {
            Part::B2 => points::expect(self.key.bytes(), StoredPoints::whole(self.key.b2())),
            _ => points::expect(self.key.bytes(), zkey_points(&self.key, part)),
        }
    }

    fn check_unchanged(&self) -> Result<(), SourceError> {
        Ok(check_unchanged(self.key.bytes())?)
    }

    fn footprint(&self) -> Footprint {
        footprint(&KeyFile::from(self.key.clone()), &self.order)
    }
}

impl<E: ProvingEngine> KeySource<E> for Indexed<Fkey<E>> {
    fn header(&self) -> &KeyHeader<E> {
        self.key.header()
    }

    fn g1(
        &self,
        part: Part,
        visit: &mut dyn FnMut(PointWindow<'_, E::G1>),
    ) -> Result<(), SourceError> {
        let points = fkey_points(&self.key, part);
        if part == Part::B1 {
            points::check_b1::<E>(self.key.bytes(), points.present())?;
        }
        visit_windows(self.key.bytes(), points, visit);
        Ok(())
    }

    fn b2(&self, visit: &mut dyn FnMut(PointWindow<'_, E::G2>)) {
        visit_windows(self.key.bytes(), self.key.b2(), visit);
    }

    fn rows(&self, visit: &mut RowWindowVisitor<'_, E::Fr>) -> Result<(), SourceError> {
        let rows = KeyRows {
            file: self.key.bytes(),
            coefficients: self.key.coefficients(),
            order: &self.order,
            domain_size: self.key.header().domain_size as usize,
            window_rows: WINDOW_ROWS.get(),
        };
        rows.visit_windows(visit)
    }

    fn expect(&self, part: Part) {
        match part {
            Part::B2 => points::expect(self.key.bytes(), self.key.b2()),
            _ => points::expect(self.key.bytes(), fkey_points(&self.key, part)),
        }
    }

    fn check_unchanged(&self) -> Result<(), SourceError> {
        Ok(check_unchanged(self.key.bytes())?)
    }

    fn check_digests(&self) -> Result<(), SourceError> {
        Ok(check_digests(&KeyFile::from(self.key.clone()))?)
    }

    fn footprint(&self) -> Footprint {
        footprint(&KeyFile::from(self.key.clone()), &self.order)
    }
}

/// The section of a part in G1.
fn zkey_points<E: ProvingEngine>(key: &Zkey<E>, part: Part) -> StoredPoints<'_, E::G1> {
    StoredPoints::whole(match part {
        Part::Ic => key.ic(),
        Part::A => key.a(),
        Part::B1 => key.b1(),
        Part::C => key.c(),
        Part::H => key.h(),
        Part::Coefficients | Part::B2 => unreachable!("no points of G1"),
    })
}

/// The section of a part in G1.
fn fkey_points<E: ProvingEngine>(key: &Fkey<E>, part: Part) -> StoredPoints<'_, E::G1> {
    match part {
        Part::Ic => StoredPoints::whole(key.ic()),
        Part::A => key.a(),
        Part::B1 => key.b1(),
        Part::C => key.c(),
        Part::H => StoredPoints::whole(key.h()),
        Part::Coefficients | Part::B2 => unreachable!("no points of G1"),
    }
}

fn check_unchanged(bytes: &FileBytes) -> Result<(), Error> {
    bytes.check_unchanged_length()?;
    Ok(bytes.check_unchanged()?)
}

/// The full check of a key, in parallel, to be done once for a key from elsewhere.
///
/// Every point is on its curve, and points of G2 are in the subgroup. Parts B1 and B2 are at infinity for the same
/// wires. The digests of an fkey are right. This does not show that the key belongs to a circuit: for that a ceremony's
/// transcript is needed.
///
/// # Errors
/// [`Error::Malformed`] with section and offset of the first fault.
pub fn check_key<E: ProvingEngine>(key: &KeyFile<E>) -> Result<(), Error> {
    check_digests(key)?;
    points::check_groups(key)
}

/// Checks the digests of an fkey, in parallel; a zkey has none. Reads the whole file, a second a gigabyte and thread.
///
/// # Errors
/// [`Error::Malformed`] with section and offset of the first wrong block of 2^20 bytes.
pub fn check_digests<E: ProvingEngine>(key: &KeyFile<E>) -> Result<(), Error> {
    let KeyFile::Fkey(key) = key else {
        return Ok(());
    };
    let results = map_indices(key.blocks(), |block| key.check_blocks(block..block + 1));
    for result in results {
        result?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
