//! Where a setup's key goes: into a zkey, or through one into an fkey.
//!
//! | secrets | target | meanwhile |
//! |---|---|---|
//! | a ceremony's, or a seed's | a file | [`PartialFile`]: interrupted it goes on |
//! | drawn | a file | the target's temporary file |
//! | any | a pipe or a device | memory, unless the zkey can be streamed |
//!
//! An fkey is made from the whole zkey, by the code of `frumious convert`, into the target's temporary file.

use std::io::{Cursor, Write};
use std::path::Path;

use frumious_groth16::ProvingEngine;
use frumious_snarkjs::generic::{KeyFile, Zkey, write_fkey};
use frumious_snarkjs::groth16::KeyOutput;

use crate::convert::write_other;
use crate::failure::{About, Failure};
use crate::files::{self, OutputFile, Readers, cannot_write};
use crate::observer::Observer;
use crate::partial::PartialFile;
use crate::quantities::count;

/// A key's file that is to be.
pub struct Target<'a> {
    pub path: &'a Path,
    pub observer: &'a dyn Observer,
}

impl Target<'_> {
    /// True if the name asks for our own container.
    pub fn is_fkey(&self) -> bool {
        let extension = self.path.extension();
        extension.is_some_and(|extension| extension == "fkey")
    }

    /// Writes a key that depends on `inputs` alone and may have been begun before; returns how many bytes of it were
    /// there.
    pub fn resumable<E: ProvingEngine>(
        &self,
        inputs: impl FnOnce() -> [u8; 32],
        make: impl FnOnce(&mut dyn KeyOutput) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        if !files::is_replaced(self.path) {
            // What cannot be read again gets the key when it is whole.
            let mut key = Cursor::new(Vec::new());
            make(&mut key)?;
            self.observer.begin(super::WRITE);
            self.write_whole::<E>(key.into_inner())?;
            return Ok(0);
        }
        self.observer.begin(super::HASH);
        let mut file = PartialFile::open(self.path, &inputs())?;
        let resumed = file.resumed_bytes();
        if resumed > 0 {
            self.observer.note(&format!(
                "going on with {}, of which {} bytes are there",
                file.path().display(),
                count(resumed)
            ));
        }
        if let Err(failure) = make(&mut file) {
            return Err(file.keep_or_remove(failure));
        }
        self.observer.begin(super::WRITE);
        if self.is_fkey() {
            file.commit_through(|zkey| self.convert::<E>(zkey))?;
        } else {
            file.commit()?;
        }
        Ok(resumed)
    }

    /// Writes a key that cannot be made again.
    pub fn once<E: ProvingEngine>(
        &self,
        make: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.is_fkey() && !files::is_replaced(self.path) {
            let mut key = Vec::new();
            make(&mut key)?;
            self.observer.begin(super::WRITE);
            return self.write_whole::<E>(key);
        }
        let mut file = OutputFile::create(self.path, Readers::Anyone)?;
        make(&mut file)?;
        self.observer.begin(super::WRITE);
        if !self.is_fkey() {
            return file.commit();
        }
        let flushed = file.flush();
        flushed.map_err(|error| cannot_write(self.path, &error))?;
        self.convert::<E>(&file.path())
    }

    /// Writes a key from memory.
    fn write_whole<E: ProvingEngine>(&self, zkey: Vec<u8>) -> Result<(), Failure> {
        let mut file = OutputFile::create(self.path, Readers::Anyone)?;
        if self.is_fkey() {
            let zkey = Zkey::<E>::from_bytes(zkey).about(self.path)?;
            write_fkey(&zkey, &mut file).about(self.path)?;
        } else {
            let written = file.write_all(&zkey);
            written.map_err(|error| cannot_write(self.path, &error))?;
        }
        file.commit()
    }

    /// Makes the fkey of a whole zkey.
    fn convert<E: ProvingEngine>(&self, zkey: &Path) -> Result<(), Failure> {
        let key = KeyFile::<E>::open(zkey).about(zkey)?;
        write_other(&key, zkey, self.path)
    }
}
