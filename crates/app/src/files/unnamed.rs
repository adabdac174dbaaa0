//! A key that only this process needs, in the folder of temporary files. It has no name, and ends with the process,
//! however that ends.

use std::env::temp_dir;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use frumious_mapping::FileBytes;
use frumious_snarkjs::groth16::KeyOutput;

use super::cannot_write;
use crate::failure::{About, Failure};

/// The file, while it is written.
pub struct Unnamed {
    file: BufWriter<File>,
    folder: PathBuf,
}

impl Unnamed {
    /// An empty one.
    ///
    /// # Errors
    /// A failure with the folder, if none can be made there.
    pub fn new() -> Result<Self, Failure> {
        let folder = temp_dir();
        let file = tempfile::tempfile().map_err(|error| cannot_write(&folder, &error))?;
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Self { file, folder })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes that were written.
    ///
    /// # Errors
    /// A failure with the folder, if it cannot be written or read.
    pub fn into_bytes(self) -> Result<FileBytes, Failure> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        let file = file.map_err(|error| cannot_write(&self.folder, &error))?;
        FileBytes::map_open(file, &self.folder).about(&self.folder)
    }
}

impl Write for Unnamed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for Unnamed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.flush()?;
        self.file.get_mut().read(bytes)
    }
}

impl Seek for Unnamed {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to) // writes what is buffered first
    }
}

impl KeyOutput for Unnamed {}

const BUFFER_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    /// As a setup does: goes back, reads, writes over it, and goes on at the end.
    #[test]
    fn what_is_written_is_read() {
        let mut file = Unnamed::new().expect("it can be made");
        file.write_all(b"one two three").expect("it can be written");
        file.seek(SeekFrom::Start(4)).expect("it is there");
        let mut read = [0; 3];
        file.read_exact(&mut read).expect("it is there");
        assert_eq!(&read, b"two");
        file.seek(SeekFrom::Start(0)).expect("it is there");
        file.write_all(b"ONE").expect("it can be written");
        file.seek(SeekFrom::End(0)).expect("it is there");
        file.write_all(&[7; 3 << 20]).expect("it can be written");
        let bytes = file.into_bytes().expect("it is there");
        assert_eq!(bytes.len(), 13 + (3 << 20));
        assert_eq!(&bytes[..13], b"ONE two three");
        assert!(bytes[13..].iter().all(|byte| *byte == 7));
    }
}
